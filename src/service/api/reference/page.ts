/** The reference page, made from the published document and the recorded events. It works offline, and without scripts (except the search). */

import { CLI } from '../../../base/text/command-form.ts';
import { Html, html } from '../../../base/text/html.ts';
import { PROBLEM_CODES, PROBLEMS, problemSlug } from '../../../contract/problems.ts';
import type { OpenApi, PathItem } from '../openapi/document.ts';
import { tableOfContents } from './contents.ts';
import { eventPayloads } from './events.ts';
import { type DocumentedOperation, operationSection } from './operation.ts';
import { inline, prose } from './prose.ts';
import { schemaTree } from './schema-tree.ts';
import { STYLE } from './style.ts';

const SANDBOX = 'Sandbox';

export function referencePage(document: OpenApi): string {
  const { info, tags } = document;
  const operations = placed(document.paths);
  const groups = tags.map((tag) => ({
    ...tag,
    members: operations.filter(({ operation }) => operation.tags[0] === tag.name),
  }));
  const received = placed(document.webhooks ?? {});
  const contents = tableOfContents(groups, document);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${info.title}: reference</title><style>${new Html(STYLE)}</style><script src="/docs/reference.js" defer></script></head>
<body><div class="page"><nav class="wide" aria-label="Contents">${contents}</nav><nav class="narrow" aria-label="Contents"><details><summary>Contents</summary>${contents}</details></nav>
<main><h1>${info.title}</h1>
<p class="lead">Version ${info.version} · <a href="/openapi.json">OpenAPI 3.1 document</a> · <a href="/openapi-3.0.json">the same as OpenAPI 3.0</a> · <a href="/v1/sandbox/openapi.json">that of the sandbox</a> · <a href="/guide/">Guide</a></p>
${firstSteps(document)}<div class="prose">${prose(info.description)}</div>
${groups.map(
  ({ name, description, members }) =>
    html`${group(name, description, members, document)}${name === 'Webhooks' ? eventPayloads(received, document) : null}`,
)}
${problems()}${schemas(document)}</main></div></body></html>
`.text;
}

function placed(paths: Readonly<Record<string, PathItem>>): DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
}

function firstSteps({ servers }: OpenApi): Html {
  const url = servers[0]?.url ?? '';
  const lines = `eval "$(${CLI} env --format sh)"
TOKEN=$(curl -s ${url}/v1/oauth/token -d grant_type=client_credentials \\
  -d client_id=$SANDBOX_CLIENT_ID -d client_secret=$SANDBOX_CLIENT_SECRET \\
  | node -pe 'JSON.parse(require("fs").readFileSync(0)).access_token')
curl -s ${url}/v1/alerts -H "Authorization: Bearer $TOKEN"`;
  return html`<div class="prose"><h2 id="first-steps">First steps</h2><p>In the folder where <code>${CLI} up</code> runs; the curl commands of the operations use these variables.</p><pre tabindex="0">${lines}</pre></div>`;
}

function group(name: string, description: string, members: readonly DocumentedOperation[], document: OpenApi): Html {
  const isSandbox = name === SANDBOX;
  const note = html`<p class="only">These operations exist in the sandbox only, under <code>/v1/sandbox/</code>. Do not use them in a client.</p>`;
  return html`<section class="group${isSandbox ? ' sandbox' : ''}" id="${idOf(name)}"><h2><a class="anchor" href="#${idOf(name)}">${name}</a></h2><p class="lead">${inline(description)}</p>${isSandbox ? note : null}
${members.map((member) => operationSection(member, document))}</section>
`;
}

const idOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

function problems(): Html {
  const rows = PROBLEM_CODES.map((code) => {
    const { status, explanation, fix } = PROBLEMS[code];
    return html`<tr><td>${status}<td><a href="/problems/${problemSlug(code)}"><code>${code}</code></a><td>${inline(explanation)} ${inline(fix)}</tr>`;
  });
  return html`<section class="group" id="problems"><h2><a class="anchor" href="#problems">Problems</a></h2><p class="lead">Every <code>code</code> that an error may carry.</p><table><tr><th>Status<th>Code<th>When, and what to do</tr>${rows}</table></section>
`;
}

/** Names inside a schema link to their own entry, so the list stays short. */
function schemas({ components }: OpenApi): Html {
  const names = Object.keys(components.schemas);
  const entries = Object.entries(components.schemas).map(
    ([name, schema]) =>
      html`<details class="schema" id="schema-${name}" open><summary>${name} <span class="type">${inline(schema.description ?? '')}</span></summary>${schemaTree(schema, components.schemas, names)}</details>
`,
  );
  return html`<section class="group" id="schemas"><h2><a class="anchor" href="#schemas">Schemas</a></h2>${entries}</section>`;
}
