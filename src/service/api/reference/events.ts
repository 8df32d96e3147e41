/**
 * The page of the events that receivers get: one section about the delivery, then the payload of each type. They are not
 * listed as endpoints, because their address belongs to the customer.
 */
import { type Html, html } from '../../../base/text/html.ts';
import { EVENT_TYPES } from '../../../contract/enumerations.ts';
import { EVENT_CAUSES } from '../../../contract/events.ts';
import type { OpenApi } from '../openapi/document.ts';
import examples from '../openapi/event-examples.json' with { type: 'json' };
import { RECORDED_AT } from '../openapi/examples.ts';
import type { ReferencePage } from './frame.ts';
import { placed } from './operations.ts';
import { code, inline, prose } from './prose.ts';

/** The description of the first webhook of the document applies to all of them. */
export function eventsPage({ servers, webhooks = {} }: OpenApi): ReferencePage {
  const [delivery] = placed(webhooks);
  const { description = '', parameters = [] } = delivery?.operation ?? {};
  const rows = parameters.map(
    ({ name, description: meaning, example }) =>
      html`<tr><td><code>${name}</code><td>${inline(meaning)}<td>${example === undefined ? null : html`<code>${String(example)}</code>`}</tr>`,
  );
  const links = EVENT_TYPES.map((type) => html`<li><a href="#event-${type}">${type}</a></li>`);
  const main = html`<p class="trail"><a href="/docs">API reference</a></p><h1>Event payloads</h1><p class="lead">What the service sends to the address of a destination, and what <a href="/docs/listEvents"><code>GET /v1/events</code></a> lists. These are no operations of the API.</p>
<ul class="names">${links}</ul><div class="prose">${prose(description)}</div><h2 id="headers">Headers of a delivery</h2><table class="headers"><thead><tr><th>Header<th>Meaning<th>Example</tr></thead><tbody>${rows}</tbody></table>
<h2 id="payloads">Payloads</h2>${EVENT_TYPES.map((type) => eventPayload(type, servers[0]?.url ?? ''))}`;
  return { title: 'Event payloads: API reference', main };
}

function eventPayload(type: (typeof EVENT_TYPES)[number], url: string): Html {
  const example = JSON.parse(JSON.stringify(examples[type]).replaceAll(RECORDED_AT, url)) as unknown;
  const schema = type.startsWith('alert.') ? 'AlertEvent' : 'MusterEvent';
  return html`<section class="event" id="event-${type}"><h3><a class="anchor" href="#event-${type}">${type}</a></h3><p>${inline(EVENT_CAUSES[type])} Fields: <a href="/docs/schemas/${schema}">${schema}</a>.</p><details><summary>Example of the whole payload</summary><pre tabindex="0">${code(example)}</pre></details></section>
`;
}
