/**
 * The events that receivers get: one section about the delivery, then the payload of each type. They are not listed as
 * endpoints, because their address belongs to the customer.
 */
import { type Html, html } from '../../../base/text/html.ts';
import { EVENT_TYPES } from '../../../contract/enumerations.ts';
import { EVENT_CAUSES } from '../../../contract/events.ts';
import type { OpenApi } from '../openapi/document.ts';
import examples from '../openapi/event-examples.json' with { type: 'json' };
import { RECORDED_AT } from '../openapi/examples.ts';
import type { DocumentedOperation } from './operation.ts';
import { code, inline, prose } from './prose.ts';

/** `delivery` is the first webhook of the document, whose description applies to all of them. */
export function eventPayloads([delivery]: readonly DocumentedOperation[], { servers }: OpenApi): Html {
  if (delivery === undefined) return html``;
  const { description, parameters = [] } = delivery.operation;
  const rows = parameters.map(
    ({ name, description: meaning, example }) =>
      html`<tr><td><code>${name}</code><td>${inline(meaning)}<td>${example === undefined ? null : html`<code>${String(example)}</code>`}</tr>`,
  );
  return html`<section class="group" id="event-payloads"><h2><a class="anchor" href="#event-payloads">Event payloads</a></h2><p class="lead">What the service sends to the address of a destination, and what <code>GET /v1/events</code> lists. These are no operations of the API.</p>
<div class="prose">${prose(description)}</div><h3>Headers of a delivery</h3><table class="headers"><tr><th>Header<th>Meaning<th>Example</tr>${rows}</table>
${EVENT_TYPES.map((type) => eventPayload(type, servers[0]?.url ?? ''))}</section>
`;
}

function eventPayload(type: (typeof EVENT_TYPES)[number], url: string): Html {
  const example = JSON.parse(JSON.stringify(examples[type]).replaceAll(RECORDED_AT, url)) as unknown;
  const schema = type.startsWith('alert.') ? 'AlertEvent' : 'MusterEvent';
  return html`<section class="event" id="event-${type}"><h3><a class="anchor" href="#event-${type}">${type}</a></h3><p>${inline(EVENT_CAUSES[type])} Fields: <a href="#schema-${schema}">${schema}</a>.</p><details><summary>Example of the whole payload</summary><pre tabindex="0">${code(example)}</pre></details></section>
`;
}
