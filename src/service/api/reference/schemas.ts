/** The pages of the schemas: their list, and one for each with its fields and what uses it. */
import { type Html, html } from '../../../base/text/html.ts';
import type { OpenApi } from '../openapi/document.ts';
import { type ReferencePage, routeOf } from './frame.ts';
import type { DocumentedOperation } from './operations.ts';
import { inline } from './prose.ts';
import { schemaTree } from './schema-tree.ts';

export function schemasPage({ components }: OpenApi): ReferencePage {
  const rows = Object.entries(components.schemas).map(
    ([name, { description = '' }]) =>
      html`<li id="schema-${name}"><a href="/docs/schemas/${name}"><span class="path">${name}</span></a> <span class="said">${inline(firstSentence(description))}</span></li>`,
  );
  const main = html`<h1>Schemas</h1><p class="lead">The objects and values of requests, answers and events, by their names in the OpenAPI documents.</p><ul class="operations">${rows}</ul>`;
  return { title: 'Schemas: API reference', main };
}

/** A list is easier to scan with one sentence for each entry. */
const firstSentence = (text: string): string => /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;

/** What refers to each schema by its name. */
export type SchemaUses = ReadonlyMap<string, SchemaUse>;

interface SchemaUse {
  readonly operations: readonly DocumentedOperation[];
  readonly schemas: readonly string[];
}

export function usesOf({ components }: OpenApi, operations: readonly DocumentedOperation[]): SchemaUses {
  const uses = new Map(
    Object.keys(components.schemas).map((name) => [
      name,
      { operations: [] as DocumentedOperation[], schemas: [] as string[] },
    ]),
  );
  for (const one of operations) for (const name of namesIn(one.operation)) uses.get(name)?.operations.push(one);
  for (const [from, schema] of Object.entries(components.schemas))
    for (const name of namesIn(schema)) if (name !== from) uses.get(name)?.schemas.push(from);
  return uses;
}

const namesIn = (part: object): ReadonlySet<string> =>
  new Set([...JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name));

export function schemaPage(name: string, { components }: OpenApi, uses: SchemaUses): ReferencePage | undefined {
  const schema = components.schemas[name];
  if (schema === undefined || !Object.hasOwn(components.schemas, name)) return undefined;
  const { operations, schemas } = uses.get(name) ?? { operations: [], schemas: [] };
  const hasFields = [schema.properties, schema.allOf, schema.oneOf, schema.anyOf].some((part) => part !== undefined);
  const main = html`<p class="trail"><a href="/docs">API reference</a> › <a href="/docs/schemas">Schemas</a></p><h1>${name}</h1>${schema.description === undefined ? null : html`<p class="lead">${inline(schema.description)}</p>`}
<div class="prose">${hasFields ? html`<h2>Fields</h2>` : html`<h2>Value</h2>`}${schemaTree(schema, components.schemas, [name])}${usedBy(operations, schemas)}</div>`;
  return { title: `${name}: API reference`, main };
}

function usedBy(operations: readonly DocumentedOperation[], schemas: readonly string[]): Html | null {
  if (operations.length === 0 && schemas.length === 0) return null;
  const rows = operations.map(
    (one) =>
      html`<li><a href="/docs/${one.operation.operationId}">${routeOf(one)}</a> <span class="said">${inline(one.operation.summary)}</span></li>`,
  );
  const names = schemas.map((name) => html`<li><a href="/docs/schemas/${name}">${name}</a></li>`);
  return html`<h2>Used by</h2>${rows.length === 0 ? null : html`<ul class="operations">${rows}</ul>`}${names.length === 0 ? null : html`<ul class="names">${names}</ul>`}`;
}
