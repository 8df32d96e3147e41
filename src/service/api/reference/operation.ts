/** The page of one operation: purpose, parameters, answers, a curl line, examples, what can go wrong, and its neighbours. */

import { type Html, html } from '../../../base/text/html.ts';
import { PROBLEMS, type ProblemCode, problemSlug } from '../../../contract/problems.ts';
import {
  isRef,
  type Media,
  nameOfRef,
  type OpenApi,
  type Parameter,
  type PublishedOperation,
  type PublishedSchema,
  type Response,
} from '../openapi/document.ts';
import { curlOf } from './curl.ts';
import type { ReferencePage } from './frame.ts';
import { ONLY_HERE } from './index-page.ts';
import { type DocumentedOperation, idOf, isOfSandbox, type OperationGroup } from './operations.ts';
import { code, inline, prose } from './prose.ts';
import { fieldHead, limits, schemaTree, typeOf } from './schema-tree.ts';

export function operationPage(
  placed: DocumentedOperation,
  groups: readonly OperationGroup[],
  document: OpenApi,
): ReferencePage {
  const { method, path, operation } = placed;
  const { summary, description, tags } = operation;
  const [tag = ''] = tags;
  const url = `${document.servers[0]?.url ?? ''}${path}`;
  const main = html`<p class="trail"><a href="/docs">API reference</a> › <a href="/docs#${idOf(tag)}">${tag}</a></p><h1>${inline(summary)}</h1>
<div class="route"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code> <span class="scope">${access(operation)}</span></div>${isOfSandbox(placed) ? ONLY_HERE : null}
<div class="both"><div>${prose(description)}${parameters(operation, document)}${body(operation, document)}${answers(operation, document)}</div>
<div><h2>Try it</h2><pre tabindex="0">${curlOf(method, url, operation)}</pre>${requestExamples(operation)}${answerExamples(operation)}</div></div>
${refusals(operation, document)}${neighbours(placed, groups)}`;
  return { title: `${summary.replaceAll('`', '')}: API reference`, main };
}

/** The operations before and after this one. */
function neighbours({ operation }: DocumentedOperation, groups: readonly OperationGroup[]): Html {
  const all = groups.flatMap(({ members }) => members);
  const place = all.findIndex((one) => one.operation === operation);
  const link = (to: DocumentedOperation | undefined, word: string, kind: string): Html =>
    to === undefined
      ? html`<span></span>`
      : html`<a class="${kind}" href="/docs/${to.operation.operationId}" rel="${kind}"><small>${word}</small>${inline(to.operation.summary)}</a>`;
  return html`<nav class="around" aria-label="Operations before and after">${link(all[place - 1], 'Previous', 'prev')}${link(all[place + 1], 'Next', 'next')}</nav>`;
}

function access({ security }: PublishedOperation): Html {
  if (security.length === 0) return html`no token`;
  const ways = security.map((way) => {
    const [[scheme = '', scopes = []] = []] = Object.entries(way);
    if (scheme === 'controlToken') return html`control token`;
    return scopes.length === 0 ? html`any valid token` : html`scope <code>${scopes.join(' ')}</code>`;
  });
  return html`${ways.map((way, n) => (n === 0 ? way : html` or ${way}`))}`;
}

function parameters({ parameters: all = [] }: PublishedOperation, document: OpenApi): Html | null {
  const groups = [
    ['In the path', all.filter((one) => one.in === 'path')],
    ['Query', all.filter((one) => one.in === 'query')],
    ['Headers', all.filter((one) => one.in === 'header')],
  ] as const;
  const shown = groups.filter(([, members]) => members.length > 0);
  if (shown.length === 0) return null;
  return html`${shown.map(([title, members]) => html`<h2>${title}</h2><ul class="tree">${members.map((one) => parameter(one, document))}</ul>`)}`;
}

function parameter({ name, required = false, description, schema }: Parameter, { components }: OpenApi): Html {
  const head = fieldHead(name, typeOf(schema, components.schemas), required ? 'required' : 'as you like');
  return html`<li>${head}<div class="said">${inline(description)}</div>${limits(withoutLeast(schema))}</li>`;
}

/** `minItems: 1` is not worth stating for a parameter. */
const withoutLeast = ({ minItems: _, ...schema }: PublishedSchema): PublishedSchema => schema;

function body({ requestBody }: PublishedOperation, { components }: OpenApi): Html | null {
  if (requestBody === undefined) return null;
  const [[, media] = []] = Object.entries(requestBody.content);
  const types = Object.keys(requestBody.content).map((type) => html`<code>${type}</code> `);
  return html`<h2>Body</h2><div class="type">${types}</div>${media === undefined ? null : schemaTree(media.schema, components.schemas)}`;
}

/** The successful responses. Problems are in the table below them. */
function successesOf({ responses }: PublishedOperation): [string, Response][] {
  return Object.entries(responses).filter(
    (entry): entry is [string, Response] => entry[0].startsWith('2') && !isRef(entry[1]),
  );
}

function answers(operation: PublishedOperation, { components }: OpenApi): Html {
  return html`${successesOf(operation).map(([status, { description, content }]) => {
    const media = content?.['application/json'];
    const tree = media === undefined ? null : schemaTree(media.schema, components.schemas);
    const title = html`<h2>Answer ${status}</h2>`;
    const type =
      media === undefined ? null : html`<span class="type">${typeOf(media.schema, components.schemas)}</span> `;
    return html`${title}<div>${type}${inline(description)}</div>${tree}`;
  })}`;
}

function refusals(operation: PublishedOperation, document: OpenApi): Html | null {
  const rows = problemCodesOf(operation, document).map(([status, code, description]) =>
    code === null ? html`<tr><td>${status}<td><td>${inline(description)}</tr>` : problemRow(status, code),
  );
  if (rows.length === 0) return null;
  return html`<h2 id="problems">What can go wrong</h2><table class="problems"><thead><tr><th>Status<th>Code<th>When</tr></thead><tbody>${rows}</tbody></table>`;
}

/** The refusals of an operation: status, code of the problem, description. An error of OAuth has no such code. */
export function problemCodesOf(
  { responses }: PublishedOperation,
  { components }: OpenApi,
): readonly (readonly [status: string, code: ProblemCode | null, description: string])[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    if (!/^[45]/.test(status)) return [];
    const whole = isRef(response) ? components.responses[nameOfRef(response.$ref)] : response;
    const codes = Object.keys(whole?.content?.['application/problem+json']?.examples ?? {}) as ProblemCode[];
    const description = whole?.description ?? '';
    const isOAuth = whole?.content?.['application/json'] !== undefined;
    return [
      ...(isOAuth ? [[status, null, description] as const] : []),
      ...codes.map((code) => [status, code, description] as const),
    ];
  });
}

const problemRow = (status: string, one: ProblemCode): Html =>
  html`<tr><td>${status}<td><a href="/problems/${problemSlug(one)}"><code>${one}</code></a><td>${inline(PROBLEMS[one].explanation)}</tr>`;

function requestExamples({ requestBody }: PublishedOperation): Html | null {
  const content = requestBody?.content ?? {};
  const media = content['application/json'] ?? ({} as Partial<Media>);
  const named = Object.values(media.examples ?? {});
  if (media.example !== undefined) return html`<h2>Example</h2><pre tabindex="0">${code(media.example)}</pre>`;
  if (named.length === 0) return null;
  return html`<h2>Bodies</h2>${named.map(({ summary, value }, n) => folded(summary, value, n === 0))}`;
}

function answerExamples(operation: PublishedOperation): Html {
  return html`${successesOf(operation).map(([status, { content }]) => {
    const example = content?.['application/json']?.example;
    return example === undefined ? html`` : html`<h2>Answer ${status}</h2><pre tabindex="0">${code(example)}</pre>`;
  })}`;
}

const folded = (title: string, value: unknown, open: boolean): Html =>
  open
    ? html`<details open><summary>${title}</summary><pre tabindex="0">${code(value)}</pre></details>`
    : html`<details><summary>${title}</summary><pre tabindex="0">${code(value)}</pre></details>`;
