/** The reference as a site below /docs: an index, and a page for each operation and schema, for the events and the problems. Pages are made when they are requested. */

import { type Html, html } from '../../../base/text/html.ts';
import type { ProblemCode } from '../../../contract/problems.ts';
import { allClosest } from '../../../contract/sentences.ts';
import type { OpenApi } from '../openapi/document.ts';
import { eventsPage } from './events.ts';
import { framed, type ReferencePage, routeOf } from './frame.ts';
import { indexPage } from './index-page.ts';
import { operationPage } from './operation.ts';
import { type DocumentedOperation, groupsOf, type OperationGroup } from './operations.ts';
import { problemPage, problemsPage } from './problems.ts';
import { type SchemaUses, schemaPage, schemasPage, usesOf } from './schemas.ts';
import { searchIndex } from './search-index.ts';

const SCHEMAS = 'schemas/';

/** Near names that a page about an unknown name offers. */
const MOST_NEAR = 8;
/** Characters of an unknown name that are shown. */
const LONGEST_NAME = 80;

export class ReferenceSite {
  readonly #document: OpenApi;
  readonly #groups: readonly OperationGroup[];
  readonly #operations: ReadonlyMap<string, DocumentedOperation>;
  #uses: SchemaUses | null = null;

  constructor(document: OpenApi) {
    this.#document = document;
    this.#groups = groupsOf(document);
    const all = this.#groups.flatMap(({ members }) => members);
    this.#operations = new Map(all.map((one) => [one.operation.operationId, one]));
  }

  /** All paths below /docs/, without those of the index and its script. */
  paths(): readonly string[] {
    const schemas = Object.keys(this.#document.components.schemas).map((name) => `${SCHEMAS}${name}`);
    return [...this.#operations.keys(), 'events', 'schemas', 'problems', ...schemas];
  }

  /** The page at `/docs/{path}`; undefined for an unknown path. An empty path is the index. */
  page(path: string): string | undefined {
    const page = this.#pageAt(path);
    return page === undefined ? undefined : framed(page, path === '' ? '/docs' : `/docs/${path}`, this.#groups);
  }

  /** The page behind the `type` of a problem. */
  problem(code: ProblemCode): string {
    const page = problemPage(code, this.#document, [...this.#operations.values()]);
    return framed(page, '/docs/problems', this.#groups);
  }

  /** The page for an unknown path, with near names. */
  missing(path: string): string {
    const near = this.#near(path);
    const links =
      near.length === 0
        ? null
        : html`<h2>Similar names</h2><ul class="operations">${near.map((to) => this.#link(to))}</ul>`;
    const shown = path.length > LONGEST_NAME ? `${path.slice(0, LONGEST_NAME)}…` : path;
    const main = html`<h1>Not found</h1><p class="lead">The API reference has no page <code>${shown}</code>.</p>${links}<p><a href="/docs">All operations</a> · <a href="/docs/schemas">All schemas</a> · <a href="/docs/problems">All problems</a></p>`;
    return framed({ title: 'Not found: API reference', main }, '/docs/', this.#groups);
  }

  search(): string {
    return JSON.stringify(searchIndex(this.#document, this.#groups));
  }

  #pageAt(path: string): ReferencePage | undefined {
    const operation = this.#operations.get(path);
    if (operation !== undefined) return operationPage(operation, this.#groups, this.#document);
    switch (path) {
      case '':
        return indexPage(this.#document, this.#groups);
      case 'events':
        return eventsPage(this.#document);
      case 'schemas':
        return schemasPage(this.#document);
      case 'problems':
        return problemsPage();
      default:
        return path.startsWith(SCHEMAS) ? this.#schemaPage(path.slice(SCHEMAS.length)) : undefined;
    }
  }

  #schemaPage(name: string): ReferencePage | undefined {
    this.#uses ??= usesOf(this.#document, [...this.#operations.values()]);
    return schemaPage(name, this.#document, this.#uses);
  }

  /** Paths whose name is spelt nearly as the last part of this one, contains it, or belongs to an operation at this path of the API. */
  #near(path: string): readonly string[] {
    const name =
      path
        .split('/')
        .filter((part) => part !== '')
        .at(-1) ?? '';
    const byName = new Map(this.paths().map((one) => [one.slice(one.lastIndexOf('/') + 1), one]));
    const known = [...byName.keys()];
    const same = known.filter((one) => one.toLowerCase() === name.toLowerCase());
    const containing = known.filter((one) => name.length > 2 && one.toLowerCase().includes(name.toLowerCase()));
    const atPath = [...this.#operations].filter(([, one]) => one.path === `/${path}`).map(([id]) => id);
    const found = [...atPath, ...same, ...allClosest(name, known), ...containing];
    return [...new Set(found)].slice(0, MOST_NEAR).map((one) => byName.get(one) ?? one);
  }

  #link(path: string): Html {
    const operation = this.#operations.get(path);
    const name = path.slice(path.lastIndexOf('/') + 1);
    return operation === undefined
      ? html`<li><a href="/docs/${path}"><span class="path">${name}</span></a></li>`
      : html`<li><a href="/docs/${path}">${routeOf(operation)}</a> <span class="said">${name}</span></li>`;
  }
}
