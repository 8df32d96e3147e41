/** One operation on the reference page: purpose, parameters, answers, and a curl line. */

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
import { code, inline, prose } from './prose.ts';
import { fieldHead, limits, schemaTree, typeOf } from './schema-tree.ts';

export interface DocumentedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: PublishedOperation;
}

export function operationSection(placed: DocumentedOperation, document: OpenApi): Html {
  const { method, path, operation } = placed;
  const { operationId, summary, description } = operation;
  const url = `${document.servers[0]?.url ?? ''}${path}`;
  return html`<section class="operation" id="${operationId}">
<h3><a class="anchor" href="#${operationId}">${inline(summary)}</a></h3>
<div class="route"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code> <span class="scope">· ${access(operation)}</span></div>
<div class="both"><div>${prose(description)}${parameters(operation, document)}${body(operation, document)}${answers(operation, document)}${refusals(operation, document)}</div>
<div><h4>Try it</h4><pre tabindex="0">${curlOf(method, url, operation)}</pre>${requestExamples(operation)}${answerExamples(operation)}</div></div>
</section>
`;
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
  return html`${shown.map(([title, members]) => html`<h4>${title}</h4><ul class="tree">${members.map((one) => parameter(one, document))}</ul>`)}`;
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
  return html`<h4>Body</h4><div class="type">${types}</div>${media === undefined ? null : schemaTree(media.schema, components.schemas)}`;
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
    const title = html`<h4>Answer ${status}</h4>`;
    const type =
      media === undefined ? null : html`<span class="type">${typeOf(media.schema, components.schemas)}</span> `;
    return html`${title}<div>${type}${inline(description)}</div>${tree === null ? null : html`<details><summary>Fields</summary>${tree}</details>`}`;
  })}`;
}

function refusals({ responses }: PublishedOperation, document: OpenApi): Html | null {
  const rows = Object.entries(responses).flatMap(([status, response]) => {
    if (!/^[45]/.test(status)) return [];
    const whole = isRef(response) ? document.components.responses[nameOfRef(response.$ref)] : response;
    const codes = Object.keys(whole?.content?.['application/problem+json']?.examples ?? {}) as ProblemCode[];
    const oauth =
      whole?.content?.['application/json'] === undefined
        ? []
        : [html`<tr><td>${status}<td>${inline(whole.description)}<td></tr>`];
    return [...oauth, ...codes.map((one) => problemRow(status, one))];
  });
  if (rows.length === 0) return null;
  return html`<details class="refusals"><summary><h4 style="display:inline">What can go wrong</h4></summary><table><tr><th>Status<th>Code<th>When</tr>${rows}</table></details>`;
}

const problemRow = (status: string, one: ProblemCode): Html =>
  html`<tr><td>${status}<td><a href="/problems/${problemSlug(one)}"><code>${one}</code></a><td>${inline(PROBLEMS[one].explanation)}</tr>`;

function requestExamples({ requestBody }: PublishedOperation): Html | null {
  const content = requestBody?.content ?? {};
  const media = content['application/json'] ?? ({} as Partial<Media>);
  const named = Object.values(media.examples ?? {});
  if (media.example !== undefined) return html`<h4>Example</h4><pre tabindex="0">${code(media.example)}</pre>`;
  if (named.length === 0) return null;
  return html`<h4>Bodies</h4>${named.map(({ summary, value }, n) => folded(summary, value, n === 0))}`;
}

function answerExamples(operation: PublishedOperation): Html {
  return html`${successesOf(operation).map(([status, { content }]) => {
    const example = content?.['application/json']?.example;
    return example === undefined ? html`` : html`<h4>Answer ${status}</h4><pre tabindex="0">${code(example)}</pre>`;
  })}`;
}

const folded = (title: string, value: unknown, open: boolean): Html =>
  open
    ? html`<details open><summary>${title}</summary><pre tabindex="0">${code(value)}</pre></details>`
    : html`<details><summary>${title}</summary><pre tabindex="0">${code(value)}</pre></details>`;
