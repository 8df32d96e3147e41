/** The list of people: during a muster the missing people, with status, last place and time; individually or by place. [spec 2 MissingWorker] */
import { Html, html } from '../../base/text/html.ts';
import { PERSON_TERMS } from '../../contract/resources/vocabulary.ts';
import type { Alert } from '../../contract/resources.ts';
import { isFallBehind, whatOfPerson } from '../state/happened.ts';
import { groupsOf, listedPeople, type PersonRow, type PlaceGroup, rankOf } from '../state/people.ts';
import { alsoLink } from './alerts.ts';
import { actButton, markSafe } from './forms.ts';
import { ageOf, hint, many, type PanelReader, type PanelScene, rowSign, rowText, signView, timeOf } from './scene.ts';

/** Maximum number of rows that are shown before `Show all`: each has the forms of its person, so they are most of a page. */
const MOST = 50;

/** Maximum number of rows of a sheet without a script. */
const MOST_OF_SHEET = 100;

/** Maximum number of people that are listed per place, so that the page of 2,000 people is small; the list one by one has the others. */
const MOST_OF_PLACE = 30;

/** A row. Place and time change with every report, so they are separate, and only they are redrawn. */
export interface ListedPerson {
  readonly key: string;
  /** Equal: the rest of the row is unchanged. */
  readonly identity: string;
  readonly place: string;
  readonly seen: string | null;
  readonly view: () => Html;
}

function listed(scene: PanelScene, row: PersonRow): ListedPerson {
  const { worker, person, alert, status, rescue } = row;
  const also = alsoOf(scene, row).map(({ id }) => id);
  return {
    key: row.id,
    identity: `${status} ${rescue} ${whatOfPerson(row)}${wrongPointText(scene, row)} ${alert?.id} ${alert?.status} ${row.waiting?.since} ${also.join()} ${scene.active?.id} ${row.code} ${worker.name} ${worker.contractor}`,
    place: row.placeWords,
    seen: person.date_last_seen,
    view: () => rowView(scene, row),
  };
}

/**
 * The whole name, or the code if there is no name. The word order does not show which part of a name can be omitted, so
 * the style cuts the end.
 */
const nameOf = ({ worker, code }: PersonRow): string => worker.name ?? code;

const nameLink = (row: PersonRow, reader: PanelReader): Html =>
  html`<a class="name" href="${reader.links}/people/${row.id}"${titleOfName(nameOf(row))}>${nameOf(row)}</a>`;

/** A name of at most this many characters is never cut. */
const WHOLE_NAME = 24;

const titleOfName = (name: string): Html | null => (name.length <= WHOLE_NAME ? null : html` title="${name}"`);

/** Where somebody is counted who is at a wrong point; empty: their place says it. */
function wrongPointText({ site }: PanelScene, { person, status, place }: PersonRow): string {
  const at = person.muster?.assembly_point ?? null;
  const point = at === null ? null : (site.zones.find(({ id }) => id === at.id)?.name ?? null);
  return status === 'wrong_point' && point !== null && place?.startsWith(point) !== true ? ` at ${point}` : '';
}

function rowView(scene: PanelScene, row: PersonRow): Html {
  const { person } = row;
  const where = wrongPointText(scene, row);
  const also = alsoOf(scene, row);
  const links = (isBehind: boolean): Html[] =>
    also
      .filter((alert) => isFallBehind(alert, row.alert) === isBehind)
      .map((alert) =>
        isBehind
          ? html`, <a href="${scene.reader.links}/alerts/${alert.id}" title="${alert.title}">no answer</a>`
          : alsoLink(alert, scene.reader.links),
      );
  return html`<tr data-key="${row.id}" class="${rankOf(row)}"><td class="what">${statusView(row, scene)}${links(true)}${where}${waitView(scene, row)}${links(false)}</td><th scope="row">${nameLink(row, scene.reader)}</th><td class="code">${row.code}</td><td data-place>${row.placeWords}</td><td data-seen>${timeOf(person.date_last_seen)}</td><td class="do">${rowActions(scene, row)}</td></tr>`;
}

/** For how long somebody to rescue has waited, since the first of their alerts. */
const waitView = ({ now }: PanelScene, { rescue, waiting }: PersonRow): Html | null =>
  !rescue || waiting === null ? null : html` <span class="wait dim">${ageOf(waiting.since, now)}</span>`;

/** The alert of a person to rescue is acknowledged here, because no other list of the page has it. */
function rowActions({ active, reader }: PanelScene, row: PersonRow): Html {
  if (active === null || row.status === 'safe') return new Html('');
  const { alert } = row;
  const acknowledge =
    alert?.status === 'unacknowledged' && row.rescue
      ? actButton(reader, { action: 'acknowledge', alert: alert.id }, 'Acknowledge', alert.title, true)
      : null;
  return html`${acknowledge}${markSafe(reader, active.id, row.id, nameOf(row), nameOf(row))}`;
}

/** Links to the alert; outside of a muster the alert replaces the status. */
function statusView(row: PersonRow, { active, reader }: PanelScene): Html {
  const { alert, status } = row;
  const sign = rowSign(row);
  if (alert === null) return sign;
  const link = html`<a href="${reader.links}/alerts/${alert.id}" title="${alert.title}">${sign}</a>`;
  return status !== 'not_worn' || active !== null ? link : html`${signView('not_worn', PERSON_TERMS.not_worn)} ${link}`;
}

/** The open alerts of the person in addition to that of the row, during a muster: no other list of the page has them. */
function alsoOf({ active, alerts }: PanelScene, { id, alert }: PersonRow): readonly Alert[] {
  // The row of a missing worker has one of the worker's open alerts, if there is any, so a row without one has no others.
  if (active === null || alert === null) return [];
  return alerts.filter((one) => one.worker?.id === id && one.id !== alert.id);
}

const peopleOf = ({ siteRows, active, now, reader }: PanelScene): PersonRow[] =>
  listedPeople(siteRows, active, reader.filter, now);

export interface PeopleList {
  readonly title: string;
  readonly rows: readonly ListedPerson[];
  /** The ids of all people of the list, also of those beyond its rows. */
  readonly ids: readonly string[];
  /** The row of a person who is not in the list any more; null: the person is not on the site. */
  readonly former: (id: string) => ListedPerson | null;
  readonly rest: number;
  /** The link to the rest. */
  readonly more: Html;
  readonly empty: Html;
}

export function peopleList(scene: PanelScene): PeopleList {
  const people = peopleOf(scene);
  const { reader } = scene;
  const { all, filter } = reader;
  const sheet =
    reader.sheet === undefined
      ? undefined
      : Math.min(reader.sheet, Math.floor(Math.max(0, people.length - 1) / MOST_OF_SHEET));
  const from = all ? (sheet ?? 0) * MOST_OF_SHEET : 0;
  const shown = people.slice(from, all ? (sheet === undefined ? undefined : from + MOST_OF_SHEET) : MOST);
  const rest = Math.max(0, people.length - from - shown.length);
  const query = new URLSearchParams({
    all: '1',
    ...(all ? { sheet: String((sheet ?? 0) + 1) } : {}),
    ...(filter === '' ? {} : { filter }),
  });
  return {
    title: titleOf(scene, people),
    rows: shown.map((row) => listed(scene, row)),
    ids: people.map(({ id }) => id),
    former: (id) => {
      const row = scene.siteRows.find((one) => one.id === id);
      return row === undefined ? null : listed(scene, row);
    },
    rest,
    more: html`<a href="?${query.toString()}" data-more>Show ${all ? `the next ${Math.min(rest, MOST_OF_SHEET)}` : 'all'}</a>`,
    empty: emptyView(scene),
  };
}

const titleOf = ({ active }: PanelScene, { length }: readonly PersonRow[]): string =>
  active === null ? many(length, 'person', 'people') : `${many(length, 'person is', 'people are')} missing`;

function emptyView({ site, active, reader, siteRows }: PanelScene): Html {
  if (reader.filter !== '') return html`<p class="dim">Nobody fits the filter.</p>`;
  if (active !== null && siteRows.length > 0)
    return html`<p class="dim">Nobody is missing: all expected workers are safe.</p>`;
  return html`<p class="dim">Nobody works on ${site.name}.${hint(reader, 'People come with the world that the sandbox was started with', 'up --watches 60')}</p>`;
}

const HEAD = html`<tr><th scope="col">What</th><th scope="col">Who</th><th scope="col">Code</th><th scope="col">Last place</th><th scope="col">Seen</th><th scope="col"><span class="hidden">Do</span></th></tr>`;

export const restView = ({ rest, more, rows, ids, empty }: PeopleList): Html =>
  rows.length === 0
    ? empty
    : rest === 0
      ? new Html('')
      : html`<p>Scroll through ${rows.length} of ${ids.length} people. ${more}</p>`;

/** The server draws the list; the browser updates its table. */
export function peopleView(scene: PanelScene): Html {
  const { reader } = scene;
  const isByPlace = reader.by === 'place';
  const list = isByPlace ? null : peopleList(scene);
  const body =
    list === null
      ? placesView(scene)
      : html`<div class="scroll list" data-hold><table class="people"><thead>${HEAD}</thead><tbody>${list.rows.map(({ view }) => view())}</tbody></table></div><div data-rest>${restView(list)}</div>`;
  const kept = isByPlace ? html`<input type="hidden" name="by" value="place">` : new Html('');
  return html`<div class="head" id="missing" tabindex="-1"><h2 data-title>${list?.title ?? titleOf(scene, peopleOf(scene))}</h2><p class="views">${viewLink(reader, 'person', 'One by one')}${viewLink(reader, 'place', 'By place')}</p></div><form class="filter" method="get" role="search">${kept}<label>Filter <input type="search" name="filter" value="${reader.filter}" placeholder="name, status or place" title="With ! before it, it hides what fits: !safe" data-filter></label><noscript><button>Filter</button></noscript><span class="fresh"><span data-fresh role="status"></span> <button type="button" data-show hidden>Show</button></span></form>${body}`;
}

function viewLink({ by, filter }: PanelReader, to: PanelReader['by'], text: string): Html {
  const query = new URLSearchParams({ by: to, ...(filter === '' ? {} : { filter }) });
  return html`<a href="?${query.toString()}"${new Html(by === to ? ' aria-current="true"' : '')}>${text}</a>`;
}

/** The morph keeps open details open, so all are created closed; people to rescue are listed outside them. */
function placesView(scene: PanelScene): Html {
  const groups = groupsOf(peopleOf(scene));
  return groups.length === 0
    ? emptyView(scene)
    : html`<div class="scroll list" data-hold><ul class="places">${groups.map((group) => groupView(group, scene.reader))}</ul></div>`;
}

function groupView({ place, rows, text, rescue }: PlaceGroup, reader: PanelReader): Html {
  const urgent = rows.slice(0, rescue).map((row) => html`<li>${personLine(row, reader)}</li>`);
  const others = rows.slice(rescue);
  const rest = others.slice(0, MOST_OF_PLACE).map((row) => html`<li>${personLine(row, reader)}</li>`);
  const more = others.length - rest.length;
  const beyond = more > 0 ? html`<li>and ${more} more</li>` : new Html('');
  const whole =
    others.length === 0
      ? new Html('')
      : html`<details data-key="place ${place}"><summary>${many(others.length, rescue > 0 ? 'other' : 'person', rescue > 0 ? 'others' : 'people')}</summary><ul>${rest}${beyond}</ul></details>`;
  return html`<li data-key="group ${place}" class="${rescue > 0 ? 'rescue' : ''}"><h3>${place}</h3><p>${text}</p>${urgent.length === 0 ? new Html('') : html`<ul>${urgent}</ul>`}${whole}</li>`;
}

const personLine = (row: PersonRow, reader: PanelReader): Html =>
  html`${rowSign(row)} ${nameLink(row, reader)} <span class="dim">${row.code}, seen ${timeOf(row.person.date_last_seen)}</span>`;

/** Title of a mark, such as `W-014, Ana Ruiz: Trapped`. */
export const personTitle = (row: PersonRow): string =>
  `${row.code}${row.worker.name === undefined ? '' : `, ${row.worker.name}`}: ${rowText(row)}`;
