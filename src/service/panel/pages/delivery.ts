/** One event as it was delivered: for each destination, the attempts with headers, signature and reply; and the body. [spec 5, decisions 9] */
import { CLI } from '../../../base/text/command-form.ts';
import { type Html, html } from '../../../base/text/html.ts';
import type { Event } from '../../../contract/events.ts';
import type { DeliveryAttempt, ExplainedDelivery, SignedAttempt } from '../../../contract/resources/logs.ts';
import { DELIVERY_TERMS } from '../../../contract/resources/vocabulary.ts';
import { actButton } from '../../../watching/regions/forms.ts';
import { many, momentOf, type PanelReader } from '../../../watching/regions/scene.ts';
import {
  aboutText,
  answerText,
  attemptText,
  curlOf,
  sentSignatures,
  timestampOf,
} from '../../../watching/state/deliveries.ts';
import type { PanelDestination } from '../logs.ts';

/** Maximum number of attempts that are shown per delivery; the newest ones are the most important. */
const MOST_ATTEMPTS = 8;

/** The outcome in the words of all screens, and the status of the reply; without a reply, `no answer` with the reason as a tooltip. */
export const answerSign = (attempt: DeliveryAttempt): Html =>
  html`<span class="answer ${attempt.result}"><i aria-hidden="true">${DELIVERY_TERMS[attempt.result].glyph}</i> ${DELIVERY_TERMS[attempt.result].word} · ${attempt.status === null ? html`<span title="${answerText(attempt)}">no answer</span>` : answerText(attempt)}</span>`;

export function placeText(destination: PanelDestination | undefined, { request }: DeliveryAttempt): string {
  if (destination === undefined) return URL.canParse(request.url) ? new URL(request.url).host : request.url;
  return destination.kind === 'inbox' ? `the inbox of ${destination.company}` : new URL(destination.url).host;
}

/** `deliveries` has at least one entry. */
export function deliveryView(
  reader: PanelReader,
  deliveries: readonly ExplainedDelivery[],
  destinations: readonly PanelDestination[],
): Html {
  const [first] = deliveries as readonly [ExplainedDelivery, ...ExplainedDelivery[]];
  const event = JSON.parse(first.body) as Event;
  const parts = deliveries.map((one) =>
    destinationView(
      reader,
      one,
      destinations.find(({ id }) => id === one.destination_id),
    ),
  );
  return html`<h2>${first.event_type}</h2><dl class="facts"><div><dt>About</dt><dd>${aboutLink(event)}</dd></div><div><dt>Occurred</dt><dd>${momentOf(event.created_at)}</dd></div><div><dt>Event</dt><dd class="id">${first.event_id}</dd></div></dl><h3>Body</h3><p class="dim">${many(first.body_bytes, 'byte')} of UTF-8, the same in every attempt. Here with line breaks; the signed bytes have none.</p><pre tabindex="0" class="body">${JSON.stringify(event, null, 2)}</pre>${parts}`;
}

function aboutLink(event: Event): Html {
  const { data } = event;
  // The alert of a test event is not in the world, so there is no link.
  if (event.organization_id === null) return html`a test event, which no GET knows`;
  return 'alert' in data
    ? html`<a href="/panel/alerts/${data.alert.id}">${aboutText(event)}</a>`
    : html`<a href="/panel/musters/${data.muster.id}">${aboutText(event)}</a>`;
}

function destinationView(
  reader: PanelReader,
  delivery: ExplainedDelivery,
  destination: PanelDestination | undefined,
): Html {
  const { attempts, next_attempt_at, destination_id, event_id, causes } = delivery;
  const newest = attempts.at(-1);
  const place = newest === undefined ? (destination?.url ?? 'a destination') : placeText(destination, newest.attempt);
  const next =
    next_attempt_at === null ? null : html`<p>The next attempt is at ${momentOf(next_attempt_at)}, simulated time.</p>`;
  const resend =
    destination === undefined
      ? html`<p class="dim">The destination was deleted; nothing is sent to it any more.</p>`
      : actButton(reader, { action: 'resend', to: destination_id, event: event_id }, 'Resend', `to ${place}`);
  const why =
    causes.length === 0
      ? null
      : html`<h4>Why the receiver may refuse it</h4><ul>${causes.map(({ says, cure }) => html`<li>${says} <span class="dim">${cure}</span></li>`)}</ul><p class="dim"><code>${CLI} explain-delivery ${event_id}</code> names a mistake in the signature: with <code>--got</code> and the one that your receiver computed, or where its answer has it.</p>`;
  const shown = [...attempts].reverse().slice(0, MOST_ATTEMPTS);
  const left = attempts.length - shown.length;
  return html`<section class="delivery" data-key="${delivery.delivery_id}"><div class="head"><h3>To ${place}</h3><div class="actions">${resend}</div></div>${next}${why}${shown.map((one, place) => attemptView(one, delivery, place === 0, destination === undefined))}${left > 0 ? html`<p class="dim">${many(left, 'earlier attempt')}: <code>${CLI} explain-delivery ${event_id}</code></p>` : null}</section>`;
}

function attemptView(
  signed: SignedAttempt,
  { body, next_attempt_at }: ExplainedDelivery,
  isNewest: boolean,
  isDeleted: boolean,
): Html {
  const { attempt } = signed;
  const { id, at, took_ms, result, note, request, answer } = attempt;
  const then = attemptText(result, { isWaiting: isNewest && next_attempt_at !== null, isDeleted });
  const how = [attempt.error, then].filter((part) => part !== null && part !== 'delivered').join(' · ');
  const summary = html`<summary>${answerSign(attempt)} Attempt ${attempt.try}, ${momentOf(at)} <span class="dim">${took_ms} ms</span></summary>`;
  const curl = `curl-${id}`;
  const inside = html`<p>${how} ${note}</p><h4>Request</h4><pre tabindex="0">POST ${request.url}
${headerLines(request.headers)}</pre>${signatureView(signed)}<h4>Answer</h4>${
    answer.status === null
      ? html`<p class="dim">${answerText(attempt)}</p>`
      : html`<pre tabindex="0">${answer.status}
${headerLines(answer.headers)}${(answer.body ?? '') === '' ? '' : `\n\n${answer.body}`}</pre>`
  }<details data-key="${curl}"><summary>As curl</summary><p class="dim">The same headers and bytes. A receiver that checks the time accepts them for 5 minutes; “Resend” signs again.</p><pre tabindex="0" id="${curl}">${curlOf(attempt, body)}</pre><button type="button" class="copy" data-copy="${curl}">Copy as curl</button></details>`;
  return html`<details class="attempt" id="a-${id}" data-key="${id}"${isNewest ? OPEN : null}>${summary}${inside}</details>`;
}

const OPEN = html` open`;

const headerLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

function signatureView(signed: SignedAttempt): Html {
  const lines = sentSignatures(signed).map(
    ({ signature, secret, isRight }) =>
      html`<li class="${isRight ? 'right' : 'unknown'}"><code>${signature}</code> ${isRight ? html`<b>computed again with ${secret}: the same</b>` : html`made with ${secret}`}</li>`,
  );
  const others = signed.recomputed
    .filter(({ is_sent }) => !is_sent)
    .map(({ secret, signature }) => html`<li class="unknown"><code>${signature}</code> with ${secret}: not sent</li>`);
  return html`<h4>Signature</h4><p>HMAC-SHA256 of <code>${timestampOf(signed.attempt)}.</code> and the body</p><ul class="signatures">${lines}${others}</ul>`;
}
