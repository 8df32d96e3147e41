/** The page of deliveries: destinations, the newest attempts by cursor, and one event in full next to them. [spec 4, 5, decisions 7, 9] */
import { Html, html } from '../../../base/text/html.ts';
import { shellWord } from '../../../base/text/printable.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import { EVENT_TYPES } from '../../../contract/enumerations.ts';
import type { Event } from '../../../contract/events.ts';
import { ALERT_TERMS, musterTerm, PERSON_TERMS, type Term } from '../../../contract/resources/vocabulary.ts';
import type { Muster } from '../../../contract/resources.ts';
import { copyable, onDemand, secretForm } from '../../../watching/regions/forms.ts';
import { many, momentOf, type PanelLook, type PanelReader, timeOf } from '../../../watching/regions/scene.ts';
import { aboutText, attemptText, eventWords } from '../../../watching/state/deliveries.ts';
import { isHelperAlert } from '../../../watching/state/people.ts';
import { exampleCodeOf } from '../../../watching/state/state.ts';
import type { Destination } from '../../domain/world/documents.ts';
import type { PanelPage } from '../document.ts';
import {
  type DeliveriesPage,
  type DeliveryFilter,
  type DeliveryRow,
  INBOX_LISTENER,
  type PanelDestination,
} from '../logs.ts';
import { answerSign, deliveryView, placeText } from './delivery.ts';

/** Maximum number of codes that the list of the filter offers. */
const MOST_CODES = 200;

export function deliveriesPage(look: PanelLook, page: DeliveriesPage): PanelPage {
  const first = page.shown[0];
  const title = page.isChosen && first !== undefined ? `Delivery of ${first.event_type}` : 'Deliveries';
  const list = html`<section class="list"><h2 class="hidden">Attempts</h2>${filterForm(look, page)}<div data-part="list"${follows('delivery destination', page.before === null)}>${listPart(look, page)}</div></section>`;
  const shown = html`<section class="shown"><div data-part="shown"${follows('delivery destination', page.isChosen || page.before === null)}>${shownPart(look, page)}</div></section>`;
  const back = page.isChosen
    ? html`<p><a href="/panel/deliveries${searchOf(page.filter, null)}">All deliveries</a></p>`
    : html`<div data-part="destinations" data-follows="destination">${destinationsPart(look, page)}</div>`;
  return {
    title,
    main: html`${back}<div class="split deliveries${page.isChosen ? ' chosen' : ''}">${list}${shown}</div>`,
  };
}

/** Fetched again when a delivery changes. */
export const deliveriesPart = (look: PanelLook, page: DeliveriesPage, part: string): Html =>
  part === 'list'
    ? listPart(look, page)
    : part === 'destinations'
      ? destinationsPart(look, page)
      : shownPart(look, page);

/** A page of older rows is not updated. */
const follows = (subjects: string, isLive: boolean): Html =>
  isLive ? html` data-follows="${subjects}"` : new Html('');

function listPart(look: PanelLook, page: DeliveriesPage): Html {
  const { world } = look;
  const { rows, older, before, filter, shown, isChosen } = page;
  if (rows.length === 0) return noneView(look, page);
  const chosen = isChosen ? (shown[0]?.event_id ?? null) : null;
  const names = new Map(page.destinations.map((one) => [one.id, one]));
  const lines = rows.map((row) => {
    const { destination_id, delivery_id, result, try: tried } = row.attempt;
    const destination = names.get(destination_id);
    const delivery = world.deliveries.get(delivery_id);
    const isWaiting = delivery?.state === 'waiting' && delivery.tries === tried;
    const then = attemptText(result, { isWaiting, isDeleted: destination === undefined });
    return rowView(row, destination, filter, chosen, then);
  });
  const links = [
    before === null ? null : html`<a href="/panel/deliveries${searchOf(filter, null)}">Newest</a>`,
    older === null ? null : html`<a href="/panel/deliveries${searchOf(filter, older)}" rel="next">Older</a>`,
  ].filter((link) => link !== null);
  return html`<ol class="attempts">${lines}</ol>${links.length === 0 ? null : html`<p class="pager">${links}</p>`}`;
}

function rowView(
  { attempt, event, before }: DeliveryRow,
  destination: PanelDestination | undefined,
  filter: DeliveryFilter,
  chosen: string | null,
  then: string,
): Html {
  const { id, event_id, event_type, at, took_ms, result } = attempt;
  const about = event === null ? html`the event is no longer kept` : aboutView(event, before);
  const title = event === null ? null : html` title="${aboutText(event)}"`;
  const current = event_id === chosen ? new Html(' aria-current="true"') : null;
  return html`<li data-key="${id}"><a href="/panel/deliveries/${event_id}${searchOf(filter, null)}#a-${id}"${title}${current}>${answerSign(attempt)} <span class="type">${event_type}</span> ${timeOf(at)}<span class="about">${about}</span><span class="dim">to ${placeText(destination, attempt)} · try ${attempt.try} · ${took_ms} ms${result === 'delivered' ? '' : ` · ${then}`}</span></a></li>`;
}

/** What changed for whom, which distinguishes the rows of one muster; the title is the same for all of them. */
function aboutView(event: Event, before: Muster | null): Html {
  const { what, whom, where } = eventWords(event, before);
  return html`${signOf(event)} <b>${what}</b> <span>${whom}</span> <span class="dim">· ${where}</span>`;
}

function signOf({ data }: Event): Html {
  const sign = (kind: string, { glyph }: Term): Html => html`<i aria-hidden="true" class="${kind}">${glyph}</i>`;
  if ('muster' in data) return sign('dim', musterTerm(data.muster));
  const { alert } = data;
  return isHelperAlert(alert)
    ? sign('fare helping', PERSON_TERMS.helping)
    : sign(`severity ${alert.severity}`, ALERT_TERMS[alert.type]);
}

/** Writes the filters as the query of a URL, with a cursor. */
export function searchOf(filter: DeliveryFilter, before: number | null): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
  if (before !== null) query.set('before', String(before));
  return query.size === 0 ? '' : `?${query}`;
}

const option = (value: string, text: string, chosen: string): Html =>
  html`<option value="${value}"${new Html(value === chosen ? ' selected' : '')}>${text}</option>`;

function filterForm({ world }: PanelLook, { filter, destinations }: DeliveriesPage): Html {
  const codes = [...world.workers.values()]
    .filter(({ external_id }) => external_id !== null)
    .slice(0, MOST_CODES)
    .map(({ external_id, name }) => html`<option value="${external_id ?? ''}">${name ?? ''}</option>`);
  const about = filter.about === '' ? null : html`<input type="hidden" name="about" value="${filter.about}">`;
  const places = destinations.map(({ id, kind, url, company }) =>
    option(id, kind === 'inbox' ? `the inbox of ${company}` : new URL(url).host, filter.destination),
  );
  const isFiltered = Object.values(filter).some((value) => value !== '');
  return html`<form class="filter" method="get" action="/panel/deliveries" data-at-once>${about}<label>Type <select name="type">${option('', 'any', filter.type)}${EVENT_TYPES.map((type) => option(type, type, filter.type))}</select></label><label>Worker <input name="worker" list="codes" value="${filter.worker}" maxlength="120" size="12" placeholder="W-014" autocomplete="off"></label><datalist id="codes">${codes}</datalist>${destinations.length < 2 ? null : html`<label>To <select name="destination">${option('', 'any', filter.destination)}${places}</select></label>`}<button>Show</button>${isFiltered ? html`<a href="/panel/deliveries">All</a>` : null}</form>${filter.about === '' ? null : html`<p class="dim">Only deliveries about one alert or muster.</p>`}`;
}

/** Explains how a reader gets deliveries, with and without a receiver. */
function noneView({ reader, world }: PanelLook, { filter, destinations, isNobody, before }: DeliveriesPage): Html {
  if (isNobody)
    return html`<p class="dim">No alert is about a worker “${filter.worker}”, so nothing was delivered.</p>`;
  if (before !== null || Object.values(filter).some((value) => value !== ''))
    return html`<p class="dim">No delivery fits. <a href="/panel/deliveries">All deliveries</a></p>`;
  if (destinations.length > 0)
    return html`<p class="dim">Nothing was delivered yet. <a href="/">Make something happen</a>, or <code>${reader.cli} trigger sos --who ${shellWord(exampleCodeOf(world))}</code></p>`;
  return offerView(reader);
}

/** Without a destination, events are delivered to nobody, so the inbox is offered. */
function offerView({ acts, cli }: PanelReader): Html {
  const ways = html`<p class="dim">In a terminal, <code>${cli} listen</code> shows deliveries without a receiver, and <code>${cli} listen --forward-to 3000</code> sends them to yours. <code>POST /v1/webhooks</code> registers a destination as in production.</p>`;
  return acts
    ? html`<p>No destination is there, so events are delivered to nobody. The inbox is a receiver of the sandbox itself: it answers each delivery with 204.</p>${inboxForm('open', 'Open the inbox')}${ways}`
    : html`<p>No destination is there, so events are delivered to nobody. The inbox of this page is a receiver of the sandbox itself. To open it, <a href="/panel/enter?to=/panel/deliveries">show the control token</a>.</p>${ways}`;
}

const inboxForm = (what: 'open' | 'close', text: string): Html =>
  html`<form method="post" action="/panel/inbox"><button name="what" value="${what}">${text}</button></form>`;

/** The destinations of events, with the possible actions. */
function destinationsPart({ reader }: PanelLook, { destinations, rows }: DeliveriesPage): Html {
  // Without a row, the list itself explains how to get one.
  if (destinations.length === 0) return rows.length === 0 ? new Html('') : offerView(reader);
  const hasInbox = destinations.some(({ kind }) => kind === 'inbox');
  const lines = destinations.map((one) => destinationRow(one, reader));
  const failing = destinations.filter(({ failingSince }) => failingSince !== null).length;
  const inbox = !reader.acts
    ? null
    : hasInbox
      ? inboxForm('close', 'Close the inbox')
      : inboxForm('open', 'Open the inbox');
  return html`<details class="destinations" data-key="destinations"${rows.length === 0 ? new Html(' open') : null}><summary>${many(destinations.length, 'destination')}${failing === 0 ? null : html`, <span class="critical">${failing} failing</span>`}</summary><ul class="places">${lines}</ul>${inbox}</details>`;
}

function destinationRow({ id, url, company, kind, events, failingSince }: PanelDestination, reader: PanelReader): Html {
  const state =
    failingSince === null
      ? html`· healthy`
      : html`· <span class="critical">fails since ${momentOf(formatInstant(failingSince))}</span>`;
  const test = html`<form method="post" action="/panel/deliveries/test"><input type="hidden" name="destination" value="${id}"><button>Send a test event<span class="hidden"> to ${url}</span></button></form>`;
  const secret = onDemand(reader, `secret-${id}`, 'Show the secret', secretForm(id), `of ${url}`);
  const name = kind === 'inbox' ? 'The inbox of this page' : url;
  return html`<li data-key="${id}" class="head"><p><b>${name}</b>${kind === 'listen' ? html` <span class="dim">(${reader.cli} listen)</span>` : null}<br><span class="dim">${company}: ${events}</span> ${state}</p><div class="actions">${reader.acts ? html`${test}${secret}` : null}</div></li>`;
}

function shownPart(look: PanelLook, page: DeliveriesPage): Html {
  const [first] = page.shown;
  if (first === undefined)
    return html`<p class="dim">A delivery is shown here in full: headers, body, signature, answer.</p>`;
  return deliveryView(look.reader, page.shown, page.destinations);
}

/** The reply to a valid control token: the secrets of one destination. */
export function destinationSecrets({ url, secret, previousSecret, session }: Destination, now: number): Html {
  const previous =
    previousSecret === null || previousSecret.validUntil <= now
      ? null
      : html`<p>The previous one signs too until ${momentOf(formatInstant(previousSecret.validUntil))}:</p><pre tabindex="0">${previousSecret.secret}</pre>`;
  const name = session?.listener === INBOX_LISTENER ? 'the inbox' : url;
  return html`<p>The secret of ${name}:</p><p>${copyable('secret', secret, 'the secret')}</p>${previous}<p><a href="/panel/deliveries">Back</a></p>`;
}
