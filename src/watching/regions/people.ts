/** The list of people: during a muster the missing people, with status, last place and time; individually or by place. [spec 2 MissingWorker] */
import { Html, html } from '../../base/text/html.ts';
import { groupsOf, listedPeople, type PersonRow, type PlaceGroup, rankOf } from '../state/people.ts';
import { plainWords } from '../state/words.ts';
import { markSafe } from './forms.ts';
import { inWords, many, type PanelReader, type PanelScene, rowSign, rowWord, timeOf } from './scene.ts';

/** Maximum number of rows that are shown before `Show all`. */
const MOST = 100;

/** Maximum number of people that are listed per place. */
const MOST_OF_PLACE = 40;

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
  const { muster } = person;
  return {
    key: row.id,
    identity: `${status} ${rescue} ${muster?.help_reason} ${muster?.assembly_point?.id} ${alert?.id} ${scene.active?.id} ${row.code} ${worker.name} ${worker.contractor}`,
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

const nameLink = (row: PersonRow): Html =>
  html`<a class="name" href="/panel/people/${row.id}" title="${nameOf(row)}">${nameOf(row)}</a>`;

function rowView({ site, active, reader }: PanelScene, row: PersonRow): Html {
  const { person } = row;
  const at = person.muster?.assembly_point ?? null;
  const point = at === null ? null : (site.zones.find(({ id }) => id === at.id)?.name ?? null);
  const where =
    row.status === 'wrong_point' && point !== null && row.place?.startsWith(point) !== true ? ` at ${point}` : '';
  const status = statusView(row, active !== null);
  const mark =
    active === null || row.status === 'safe'
      ? new Html('')
      : markSafe(reader, active.id, row.id, nameOf(row), nameOf(row));
  return html`<tr data-key="${row.id}" class="${rankOf(row)}"><td>${status}${where}</td><th scope="row">${nameLink(row)}</th><td class="code">${row.code}</td><td data-place>${row.placeWords}</td><td data-seen>${timeOf(person.date_last_seen)}</td><td class="do">${mark}</td></tr>`;
}

/** Links to the alert; outside of a muster the alert's type replaces the status. */
function statusView(row: PersonRow, isMuster: boolean): Html {
  const { alert, status } = row;
  if (alert === null) return rowSign(row);
  const sign = isMuster
    ? html`<a href="/panel/alerts/${alert.id}" title="${alert.title}">${rowSign(row)}</a>`
    : html`<a class="${alert.severity}" href="/panel/alerts/${alert.id}">${inWords(alert.type)}</a>`;
  return status === 'not_worn' && !isMuster ? html`${rowSign(row)} ${sign}` : sign;
}

const peopleOf = ({ siteRows, active, now, reader }: PanelScene): PersonRow[] =>
  listedPeople(siteRows, active, reader.filter, now);

export interface PeopleList {
  readonly title: string;
  readonly rows: readonly ListedPerson[];
  readonly rest: number;
  readonly empty: Html;
}

export function peopleList(scene: PanelScene): PeopleList {
  const people = peopleOf(scene);
  const { reader } = scene;
  const shown = reader.all ? people : people.slice(0, MOST);
  return {
    title: titleOf(scene, people),
    rows: shown.map((row) => listed(scene, row)),
    rest: people.length - shown.length,
    empty: emptyView(scene),
  };
}

const titleOf = ({ active }: PanelScene, { length }: readonly PersonRow[]): string =>
  active === null ? many(length, 'person', 'people') : `${many(length, 'person is', 'people are')} missing`;

function emptyView({ site, active, reader, siteRows }: PanelScene): Html {
  if (reader.filter !== '') return html`<p class="dim">Nobody fits the filter.</p>`;
  if (active !== null && siteRows.length > 0)
    return html`<p class="dim">Nobody is missing: all expected workers are safe.</p>`;
  return html`<p class="dim">Nobody works on ${site.name}. People come with the world that the sandbox was started with: <code>${reader.cli} up --watches 60</code></p>`;
}

const HEAD = html`<tr><th scope="col">Status</th><th scope="col">Name</th><th scope="col">Code</th><th scope="col">Last place</th><th scope="col">Seen</th><th scope="col"><span class="hidden">Do</span></th></tr>`;

export const restView = ({ rest, rows, empty }: PeopleList): Html =>
  rows.length === 0
    ? empty
    : rest === 0
      ? new Html('')
      : html`<p>And ${rest} more. <a href="?all=1" data-more>Show all</a></p>`;

/** The server draws the list; the browser updates its table. */
export function peopleView(scene: PanelScene): Html {
  const { reader } = scene;
  const isByPlace = reader.by === 'place';
  const list = isByPlace ? null : peopleList(scene);
  const body =
    list === null
      ? placesView(scene)
      : html`<div class="scroll"><table class="people"><thead>${HEAD}</thead><tbody>${list.rows.map(({ view }) => view())}</tbody></table></div><div data-rest>${restView(list)}</div>`;
  const kept = isByPlace ? html`<input type="hidden" name="by" value="place">` : new Html('');
  return html`<div class="head"><h2 data-title>${list?.title ?? titleOf(scene, peopleOf(scene))}</h2><p class="views">${viewLink(reader, 'person', 'One by one')}${viewLink(reader, 'place', 'By place')}</p></div><form class="filter" method="get" role="search">${kept}<label>Filter <input type="search" name="filter" value="${reader.filter}" placeholder="name, status, place; ! turns it around" data-filter></label><noscript><button>Filter</button></noscript></form>${body}`;
}

function viewLink({ by, filter }: PanelReader, to: PanelReader['by'], text: string): Html {
  const query = new URLSearchParams({ by: to, ...(filter === '' ? {} : { filter }) });
  return html`<a href="?${query.toString()}"${new Html(by === to ? ' aria-current="true"' : '')}>${text}</a>`;
}

/** The morph keeps open details open, so all are created closed; people to rescue are listed outside them. */
function placesView(scene: PanelScene): Html {
  const groups = groupsOf(peopleOf(scene));
  return groups.length === 0 ? emptyView(scene) : html`<ul class="places">${groups.map(groupView)}</ul>`;
}

function groupView({ place, rows, text, rescue }: PlaceGroup): Html {
  const urgent = rows.slice(0, rescue).map((row) => html`<li>${personLine(row)}</li>`);
  const others = rows.slice(rescue);
  const rest = others.slice(0, MOST_OF_PLACE).map((row) => html`<li>${personLine(row)}</li>`);
  const more = others.length - rest.length;
  const beyond = more > 0 ? html`<li>and ${more} more</li>` : new Html('');
  const whole =
    others.length === 0
      ? new Html('')
      : html`<details data-key="place ${place}"><summary>${many(others.length, rescue > 0 ? 'other' : 'person', rescue > 0 ? 'others' : 'people')}</summary><ul>${rest}${beyond}</ul></details>`;
  return html`<li data-key="group ${place}" class="${rescue > 0 ? 'rescue' : ''}"><h3>${place}</h3><p>${plainWords(text)}</p>${urgent.length === 0 ? new Html('') : html`<ul>${urgent}</ul>`}${whole}</li>`;
}

const personLine = (row: PersonRow): Html =>
  html`${rowSign(row)} ${nameLink(row)} <span class="dim">${row.code}, seen ${timeOf(row.person.date_last_seen)}</span>`;

/** Title of a mark, such as `W-014, Ana Ruiz: trapped`. */
export const personTitle = (row: PersonRow): string =>
  `${row.code}${row.worker.name === undefined ? '' : `, ${row.worker.name}`}: ${row.alert === null || row.rescue ? rowWord(row) : row.alert.title}`;
