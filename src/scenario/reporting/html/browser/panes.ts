/** The panes next to the plan, at the displayed instant: headcounts, open alerts, and a table of all people with the content of the plan as text. */

import { formatClockTime, parseInstant } from '../../../../base/time/instants.ts';
import { HEADCOUNT_WORDS } from '../../../../contract/resources/vocabulary.ts';
import { placeWord, statusWord } from '../person-status.ts';
import type { AlertAt, CountAt, PersonAt, RunAt } from '../run-at.ts';
import { button, byId, element } from './elements.ts';
import type { Filters } from './filters.ts';

export class Panes {
  readonly #run: RunAt;
  readonly #counts = element('div', { class: 'counts' });
  readonly #alerts = element('div', { class: 'alerts' });
  readonly #people = element('details', { class: 'everybody' }, element('summary', {}, 'Everybody, as a table'));
  readonly #table = element('div', { class: 'wide', tabindex: '0' });
  /** The last content of each pane, so that an unchanged pane is not drawn again. */
  readonly #drawn = new Map<string, string>();
  #shown: readonly [people: readonly PersonAt[], chosen: number] = [[], -1];

  readonly #choose: (person: number) => void;

  constructor(run: RunAt, choose: (person: number) => void) {
    this.#run = run;
    this.#choose = choose;
    this.#people.append(this.#table);
    this.#people.addEventListener('toggle', () => this.#drawPeople());
    byId('panes').append(this.#counts, this.#alerts, this.#people);
  }

  show(t: number, people: readonly PersonAt[], filters: Filters): void {
    const counts = this.#run.headcounts(t);
    const missing = people.filter(isMissing).sort((a, b) => Number(b.rescue) - Number(a.rescue));
    this.#draw('counts', [counts, missing], () => {
      const views = counts.map((count) =>
        countView(
          count,
          missing.filter(({ site }) => site === count.site).map((person) => this.#missingView(person)),
        ),
      );
      this.#counts.replaceChildren(...views);
    });
    const alerts = this.#run.openAlerts(t).filter((alert) => filters.hasAlert(alert));
    this.#draw('alerts', [alerts.map(({ alert }) => alert)], () => {
      const list = alerts.map((one) => this.#alertView(one));
      const heading = element('h3', {}, alerts.length === 0 ? 'No open alert' : `Open alerts: ${alerts.length}`);
      this.#alerts.replaceChildren(heading, ...(list.length === 0 ? [] : [element('ul', {}, ...list)]));
    });
    this.#shown = [people, filters.worker];
    this.#drawPeople();
  }

  #draw(pane: string, data: unknown, draw: () => void): void {
    const key = JSON.stringify(data);
    if (this.#drawn.get(pane) === key) return;
    this.#drawn.set(pane, key);
    draw();
  }

  #alertView({ alert, person }: AlertAt): HTMLLIElement {
    const who = this.#run.run.people[person]?.who ?? 'site';
    const since = (parseInstant(alert.date_created) ?? 0) - (parseInstant(this.#run.run.start) ?? 0);
    const by = alert.acknowledged === null ? '' : `, acknowledged by ${alert.acknowledged.by}`;
    const place = alert.location_withheld ? ', position withheld' : '';
    const severity = element('span', { class: `severity ${alert.severity}` }, alert.severity);
    const words = ` ${alert.title}, ${who}, since ${formatClockTime(since).slice(0, 8)}${by}${place}`;
    return element('li', {}, severity, words);
  }

  #missingView(person: PersonAt): HTMLLIElement {
    const choose = button(person.who, `Show ${person.who} alone`, () => this.#choose(person.index));
    return element('li', {}, choose, ` ${statusWord(person)}; ${this.#placeOf(person)}`);
  }

  #placeOf(person: PersonAt): string {
    return placeWord(person, person.at === null ? null : this.#run.zoneAt(person.site, person.at));
  }

  #drawPeople(): void {
    const [people, chosen] = this.#shown;
    if (!this.#people.open) return;
    const listed = people.filter(({ index }) => chosen < 0 || index === chosen);
    this.#draw('people', listed, () => {
      const head = ['worker', 'status', 'place', ...(this.#run.run.hasTruth ? ['ground truth'] : [])];
      const rows = listed.map((person) => personRow(person, this.#placeOf(person), this.#run.run.hasTruth));
      const table = element(
        'table',
        {},
        element('thead', {}, element('tr', {}, ...head.map((word) => element('th', {}, word)))),
        element('tbody', {}, ...rows),
      );
      this.#table.replaceChildren(table);
    });
  }
}

/** Maximum number of people whom a headcount lists by name; the table has all people. */
const MOST_MISSING = 12;

/** Returns true for a person who is expected by an active muster and is not safe. */
const isMissing = ({ status }: PersonAt): boolean => status !== 'calm' && status !== 'alert' && status !== 'safe';

function countView(
  { site, kind, phase, totals, points, isActive }: CountAt,
  missing: readonly HTMLLIElement[],
): HTMLElement {
  const count = (word: string): number => totals.find(({ name }) => name === word)?.count ?? 0;
  const others = totals.filter(({ name, count }) => name !== 'expected' && (count > 0 || name === 'safe'));
  const list = others.map(({ name, count }) =>
    element('li', { class: name }, element('b', {}, String(count)), ` ${totalWord(name)}`),
  );
  const used = points
    .map(([name, count, isExcluded]) => `${name} ${isExcluded === 1 ? 'excluded' : (count ?? 0)}`)
    .join(' · ');
  return element(
    'section',
    { class: isActive ? 'headcount' : 'headcount over', 'aria-label': `Headcount, ${site}` },
    element('h3', {}, `${site}: ${kind} muster, ${phase}, ${count('safe')} of ${count('expected')} safe`),
    isActive ? element('ul', { class: 'totals' }, ...list) : null,
    used === '' ? null : element('p', { class: 'dim' }, used),
    isActive && missing.length > 0 ? missingList(missing) : null,
  );
}

const totalWord = (name: string): string => (HEADCOUNT_WORDS as Readonly<Record<string, string>>)[name] ?? name;

function missingList(missing: readonly HTMLLIElement[]): HTMLElement {
  const more = missing.length - MOST_MISSING;
  const rest = more > 0 ? [element('li', {}, `and ${more} more`)] : [];
  const heading = element('h3', {}, `Not safe: ${missing.length}`);
  return element('div', { class: 'missing' }, heading, element('ul', {}, ...missing.slice(0, MOST_MISSING), ...rest));
}

function personRow(person: PersonAt, place: string, hasTruth: boolean): HTMLTableRowElement {
  const { who, name, code, truth } = person;
  const called = [name, code === who ? null : code].filter((part) => part !== null).join(', ');
  const cells = [
    element('th', { scope: 'row' }, who, called === '' ? null : element('small', {}, ` ${called}`)),
    element('td', {}, statusWord(person)),
    element('td', {}, place),
    ...(hasTruth ? [element('td', {}, truth === null ? 'unknown' : metres(truth))] : []),
  ];
  return element('tr', {}, ...cells);
}

const metres = ([x, y]: readonly [number, number]): string => `${x}, ${y} m`;
