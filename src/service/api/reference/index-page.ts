/**
 * The page at /docs: first steps, conventions, the operations by tag, and the names of events, schemas and problems. The ids of
 * its lists are those of the former single page, so that an old link leads to an entry, which links to the page.
 */
import { CLI } from '../../../base/text/command-form.ts';
import { type Html, html } from '../../../base/text/html.ts';
import { EVENT_TYPES } from '../../../contract/enumerations.ts';
import { EVENT_CAUSES } from '../../../contract/events.ts';
import type { OpenApi } from '../openapi/document.ts';
import { type ReferencePage, routeOf } from './frame.ts';
import { idOf, isOfSandbox, type OperationGroup } from './operations.ts';
import { inline, prose } from './prose.ts';

export function indexPage(document: OpenApi, groups: readonly OperationGroup[]): ReferencePage {
  const { info, components } = document;
  const main = html`<h1>${info.title}</h1>
<p class="lead">Version ${info.version} · <a href="/openapi.json">OpenAPI 3.1 document</a> · <a href="/openapi-3.0.json">the same as OpenAPI 3.0</a> · <a href="/v1/sandbox/openapi.json">that of the sandbox</a> · <a href="/guide/">Guide</a></p>
<p class="jump">On this page: <a href="#first-steps">First steps</a> · <a href="#conventions">Conventions</a> · <a href="#errors">Errors</a> · ${groups.map(({ name }) => html`<a href="#${idOf(name)}">${name}</a> · `)}<a href="#event-payloads">Event payloads</a> · <a href="#schemas">Schemas</a></p>
${firstSteps(document)}<div class="prose">${prose(info.description)}<p>All codes with their fix: <a href="/docs/problems">Problems</a>.</p></div>
${groups.map(group)}${events()}${schemaNames(Object.keys(components.schemas))}
<section class="group"><h2 id="problems">Problems</h2><p><a href="/docs/problems">Every <code>code</code> that an error may carry</a>, with its status and its fix.</p></section>`;
  return { title: `${info.title}: reference`, main };
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

function group({ name, description, members }: OperationGroup): Html {
  const rows = members.map((member) => {
    const { operationId, summary } = member.operation;
    return html`<li id="${operationId}"><a href="/docs/${operationId}">${routeOf(member)}</a> <span class="said">${inline(summary)}</span></li>`;
  });
  return html`<section class="group" id="${idOf(name)}"><h2>${name}</h2><p>${inline(description)}</p>${members.some(isOfSandbox) ? ONLY_HERE : null}<ul class="operations">${rows}</ul></section>
`;
}

export const ONLY_HERE = html`<p class="only">Operations under <code>/v1/sandbox/</code> exist in the sandbox only. Do not use them in a client.</p>`;

function events(): Html {
  const rows = EVENT_TYPES.map(
    (type) =>
      html`<li id="event-${type}"><a href="/docs/events#event-${type}"><span class="path">${type}</span></a> <span class="said">${inline(EVENT_CAUSES[type])}</span></li>`,
  );
  return html`<section class="group" id="event-payloads"><h2>Event payloads</h2><p>What the service sends to the address of a destination: <a href="/docs/events">delivery, headers and payloads</a>.</p><ul class="operations">${rows}</ul></section>
`;
}

function schemaNames(names: readonly string[]): Html {
  const links = names.map((name) => html`<li id="schema-${name}"><a href="/docs/schemas/${name}">${name}</a></li>`);
  return html`<section class="group" id="schemas"><h2><a href="/docs/schemas">Schemas</a></h2><ul class="names">${links}</ul></section>
`;
}
