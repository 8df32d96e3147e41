/** The happenings of the run around the displayed instant, each with its bodies. */
import { formatClockTime } from '../../../../base/time/instants.ts';
import { HAPPENING_KINDS, LEFT_OUT } from '../packed-run.ts';
import type { HappeningAt, RunAt } from '../run-at.ts';
import { button, byId, element, setText } from './elements.ts';
import type { Filters } from './filters.ts';

/** Rows before and after the instant: a long run has thousands of happenings. */
const MOST_BEFORE = 60;
const MOST_AFTER = 60;

const KIND_WORDS = { event: 'event', delivery: 'delivery', request: 'call', mail: 'e-mail', watch: 'watch' } as const;

export class Log {
  readonly #run: RunAt;
  readonly #filters: Filters;
  readonly #goTo: (t: number) => void;
  readonly #rows = new Map<number, HTMLTableRowElement>();
  readonly #body = element('tbody');
  readonly #scroller: HTMLElement;
  readonly #words = element('p', { class: 'dim' });
  #listed: readonly HappeningAt[] = [];
  #key: string | null = null;
  #first = -1;

  constructor(run: RunAt, filters: Filters, goTo: (t: number) => void) {
    this.#run = run;
    this.#filters = filters;
    this.#goTo = goTo;
    const head = ['at', 'kind', 'what happened'].map((word) => element('th', {}, word));
    const table = element('table', {}, element('thead', {}, element('tr', {}, ...head)), this.#body);
    this.#scroller = element('div', { class: 'wide rows', tabindex: '0', role: 'region', 'aria-label': 'Log' }, table);
    byId('log').append(this.#words, this.#scroller);
    for (const row of document.querySelectorAll<HTMLTableRowElement>('.around tr[data-happening]')) this.#enliven(row);
  }

  show(t: number): void {
    const { key } = this.#filters;
    if (key !== this.#key) {
      this.#key = key;
      this.#first = -1;
      this.#listed = this.#run.happenings.filter((one) => this.#filters.has(one));
    }
    const past = this.#listed.findLastIndex((one) => one.t <= t) + 1;
    const first = Math.max(0, past - MOST_BEFORE);
    // The displayed rows change in larger steps, so that open bodies and the focus stay in place.
    if (this.#first < 0 || Math.abs(first - this.#first) > MOST_BEFORE / 2) {
      this.#first = first;
      const shown = this.#listed.slice(first, first + MOST_BEFORE + MOST_AFTER + MOST_BEFORE / 2);
      this.#body.replaceChildren(...shown.map((one) => this.#rowOf(one)));
      const rest = this.#listed.length - shown.length;
      const more = rest === 0 ? '' : `, of which ${shown.length} near this instant are listed`;
      setText(this.#words, `${this.#listed.length} of ${this.#run.happenings.length} happenings${more}.`);
    }
    let last: HTMLTableRowElement | null = null;
    for (const row of this.#body.rows) {
      const isPast = Number(row.dataset['t']) <= t;
      row.classList.toggle('later', !isPast);
      row.classList.remove('at-instant');
      if (isPast) last = row;
    }
    last?.classList.add('at-instant');
    if (last !== null) this.#scrollTo(last);
  }

  /** Brings the log into view, at the first row from this instant on. */
  reveal(t: number): void {
    const row = [...this.#body.rows].find((one) => Number(one.dataset['t']) >= t);
    this.#scroller.closest('section')?.scrollIntoView({ block: 'nearest' });
    if (row !== undefined) this.#scrollTo(row);
  }

  #scrollTo(row: HTMLTableRowElement): void {
    const { clientHeight } = this.#scroller;
    this.#scroller.scrollTop = Math.max(0, row.offsetTop - clientHeight / 2);
  }

  #rowOf(one: HappeningAt): HTMLTableRowElement {
    let row = this.#rows.get(one.place);
    if (row === undefined) {
      const kind = KIND_WORDS[HAPPENING_KINDS[one.kind] ?? 'event'];
      const cells = [this.#time(one), element('td', {}, kind), element('td', {}, this.#details(one))];
      row = element('tr', { 'data-t': String(one.t) }, ...cells);
      this.#rows.set(one.place, row);
    }
    return row;
  }

  /** Adds the jump button and the bodies to a row of a failure. */
  #enliven(row: HTMLTableRowElement): void {
    const one = this.#run.happenings[Number(row.dataset['happening'])];
    const [time, , text] = row.cells;
    if (one === undefined || time === undefined || text === undefined) return;
    time.replaceWith(this.#time(one));
    text.replaceChildren(this.#details(one));
  }

  #time({ t }: HappeningAt): HTMLTableCellElement {
    const text = formatClockTime(t);
    return element(
      'td',
      {},
      button(text, `Go to ${text}`, () => this.#goTo(t)),
    );
  }

  /** Bodies are added to the page when they are opened. */
  #details(one: HappeningAt): Node {
    if (one.body === -1 && one.facts.length === 0) return document.createTextNode(one.text);
    const details = element('details', {}, element('summary', {}, one.text));
    details.addEventListener('toggle', () => {
      if (details.open && details.childElementCount === 1) details.append(...this.#bodies(one));
    });
    return details;
  }

  #bodies({ body, facts, kind }: HappeningAt): Node[] {
    const json = this.#run.body(body);
    const list = facts.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)));
    const parts: Node[] = list.length === 0 ? [] : [element('dl', { class: 'facts' }, ...list)];
    if (body === LEFT_OUT) return [...parts, element('p', { class: 'dim' }, 'The report has no room for this body.')];
    if (HAPPENING_KINDS[kind] !== 'request' || json === null)
      return json === null ? parts : [...parts, ...titled('body', json)];
    const { sent, got } = json as { readonly sent?: unknown; readonly got?: unknown };
    return [...parts, ...titled('request', sent), ...titled('answer', got)];
  }
}

function titled(title: string, json: unknown): Node[] {
  if (json === undefined || json === null) return [element('p', { class: 'dim' }, `${title}: no body`)];
  const text = typeof json === 'string' ? json : JSON.stringify(json, null, 2);
  return [element('p', { class: 'dim' }, title), element('pre', { tabindex: '0' }, text)];
}
