/** The page of calls: the requests of clients with the replies, and for each problem its message and fix. [spec 7, decisions 2, 9] */
import { Html, html } from '../../../base/text/html.ts';
import { PROBLEM_CODES, problemSlug } from '../../../contract/problems.ts';
import { CONTROL_NOTE, type LoggedRequest } from '../../../contract/resources/logs.ts';
import { type PanelLook, timeOf } from '../../../watching/regions/scene.ts';
import type { PanelPage } from '../document.ts';
import type { CallFilter, CallsPage } from '../logs.ts';

export const callsPage = (look: PanelLook, page: CallsPage): PanelPage => ({
  title: 'Calls of clients',
  main: html`<section>${filterForm(page)}<div data-part="list"${page.before === null ? html` data-polled` : null}>${callsPart(look, page)}</div></section>`,
});

/** This part is fetched every two seconds, because the stream does not contain requests. */
export function callsPart({ reader: { cli } }: PanelLook, { rows, filter, before, older, clients }: CallsPage): Html {
  const links = [
    before === null ? null : html`<a href="/panel/calls${searchOf(filter, null)}">Newest</a>`,
    older === null ? null : html`<a href="/panel/calls${searchOf(filter, older)}" rel="next">Older</a>`,
  ].filter((link) => link !== null);
  const pager = links.length === 0 ? null : html`<p class="pager">${links}</p>`;
  if (rows.length === 0)
    return html`<p class="dim">${isFiltered(filter) || before !== null ? html`No call fits here.` : html`No client has called yet. <a href="/">A client’s first requests</a>, or <code>${cli} env</code>: the first client is <code>${clients[0] ?? ''}</code>.`}</p>${pager}`;
  return html`<ol class="attempts calls">${rows.map(callView)}</ol>${pager}`;
}

const isFiltered = ({ client, problems, all }: CallFilter): boolean => client !== '' || problems || all;

function callView(row: LoggedRequest): Html {
  const { id, at, client_id, method, path, query, status, took_ms, note, warnings } = row;
  const isRequest = method !== '-';
  const target = isRequest
    ? html`<b>${method}</b> ${path}${query === '' ? '' : `?${query}`}`
    : html`<b>a connection without a request</b>`;
  return html`<li data-key="${id}"><div class="call"><span class="answer ${status < 400 ? 'delivered' : 'failed'}">${status}</span> <span class="target">${target}</span> ${timeOf(at)} <span class="dim">${client_id ?? 'no known client'} · ${Math.round(took_ms * 10) / 10} ms</span></div>${problemView(row)}${note === null || note === CONTROL_NOTE ? null : html`<p class="dim">${note}</p>`}${warnings.map((warning) => html`<p class="medium">Production may refuse this: ${warning}</p>`)}</li>`;
}

function problemView({ code, detail, errors, fix }: LoggedRequest): Html | null {
  if (code === null) return null;
  const known = PROBLEM_CODES.find((one) => one === code);
  const name =
    known === undefined
      ? html`<code>${code}</code>`
      : html`<a href="/problems/${problemSlug(known)}"><code>${code}</code></a>`;
  const places = errors.map(
    ({ pointer, detail: text }) => html`<li><code>${pointer === '' ? 'the body' : pointer}</code> ${text}</li>`,
  );
  return html`<div class="problem"><p>${name} ${detail}</p>${places.length === 0 ? null : html`<ul>${places}</ul>`}${fix === null ? null : html`<p class="fix"><b>Fix</b> ${withCode(fix)}</p>`}</div>`;
}

/** Formats text in backticks, such as `errors`, as code. */
const withCode = (text: string): Html[] =>
  text.split('`').map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

function searchOf({ client, problems, all }: CallFilter, before: number | null): string {
  const query = new URLSearchParams({
    ...(client === '' ? {} : { client }),
    ...(problems ? { problems: '' } : {}),
    ...(all ? { all: '' } : {}),
    ...(before === null ? {} : { before: String(before) }),
  });
  return query.size === 0 ? '' : `?${query}`;
}

function filterForm({ filter, clients }: CallsPage): Html {
  const option = (value: string, text: string): Html =>
    html`<option value="${value}"${new Html(value === filter.client ? ' selected' : '')}>${text}</option>`;
  const box = (name: 'problems' | 'all', text: string): Html =>
    html`<label><input type="checkbox" name="${name}" value=""${new Html(filter[name] ? ' checked' : '')}>${text}</label>`;
  return html`<form class="filter" method="get" data-at-once><label>Client <select name="client">${option('', 'any')}${clients.map((id) => option(id, id))}${option('nobody', 'no known client')}</select></label>${box('problems', 'Only problems')}${box('all', 'Also with the control token')}<button>Show</button></form>`;
}
