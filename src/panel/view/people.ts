/** The list of people: in a muster those who are missing, with their last place and time; the text beside the map. [spec 2 MissingWorker] */
import { Html, html } from '../../base/html.ts';
import type { PersonRow } from '../../watching/people.ts';
import { actButton } from './forms.ts';
import { placeOf } from './places.ts';
import { peopleOf, type Scene } from './scene.ts';
import { fareSign, inWords, many, timeOf } from './words.ts';

/** The rest of a long list is a number, until somebody asks for all. */
const MOST = 100;

/** A row of the list. What changes with every report stands apart, so that only it is drawn again. */
export interface ListedPerson {
  readonly key: string;
  /** Equal where nothing else of the row is other. */
  readonly identity: string;
  readonly place: string;
  readonly seen: string | null;
  readonly view: () => Html;
}

function listed(scene: Scene, row: PersonRow): ListedPerson {
  const { worker, person, alert, fare, needsRescue } = row;
  const { muster } = person;
  return {
    key: row.id,
    identity: `${fare} ${needsRescue} ${muster?.help_reason} ${muster?.assembly_point?.id} ${alert?.id} ${scene.active?.id} ${row.code} ${worker.name} ${worker.contractor}`,
    place: placeOf(scene.site, person),
    seen: person.date_last_seen,
    view: () => rowView(scene, row),
  };
}

function rowView({ site, active, reader }: Scene, row: PersonRow): Html {
  const { worker, person, alert, fare } = row;
  const help = person.muster?.help_reason ?? null;
  const at = person.muster?.assembly_point ?? null;
  const point = at === null ? null : (site.zones.find(({ id }) => id === at.id)?.name ?? null);
  const notes = [
    help === null ? null : inWords(help),
    row.needsRescue ? 'needs rescue' : null,
    fare === 'wrong_point' && point !== null ? `at ${point}` : null,
  ].filter((note) => note !== null);
  const why =
    alert === null
      ? new Html('')
      : html` <a class="${alert.severity}" href="/panel/alerts/${alert.id}">${inWords(alert.type)}</a>`;
  const status = fare === 'person' && alert !== null ? new Html('') : fareSign(fare);
  const mark =
    active === null || fare === 'safe'
      ? new Html('')
      : actButton(
          reader,
          { action: 'mark_safe', muster: active.id, who: row.id },
          'Mark safe',
          worker.name ?? row.code,
        );
  return html`<tr data-key="${row.id}"><td>${status}${notes.length === 0 ? '' : ` ${notes.join(', ')}`}${why}</td><td class="code">${row.code}</td><th scope="row"><a href="/panel/people/${row.id}">${worker.name ?? row.code}</a></th><td class="wide">${worker.contractor ?? ''}</td><td data-place>${placeOf(site, person)}</td><td data-seen>${timeOf(person.date_last_seen)}</td><td class="do">${mark}</td></tr>`;
}

export interface PeopleList {
  readonly title: string;
  readonly rows: readonly ListedPerson[];
  readonly rest: number;
  readonly empty: string;
}

export function peopleList(scene: Scene): PeopleList {
  const people = peopleOf(scene);
  const { active, reader } = scene;
  const shown = reader.all ? people : people.slice(0, MOST);
  const missing = active === null ? '' : `${many(people.length, 'person is', 'people are')} missing`;
  return {
    title: active === null ? `${many(people.length, 'person', 'people')}` : missing,
    rows: shown.map((row) => listed(scene, row)),
    rest: people.length - shown.length,
    empty:
      reader.filter !== '' ? 'Nobody fits the filter.' : active === null ? 'Nobody is known.' : 'Nobody is missing.',
  };
}

export const HEAD = html`<tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Name</th><th scope="col" class="wide">Contractor</th><th scope="col">Last place</th><th scope="col">Last seen</th><th scope="col"><span class="hidden">Do</span></th></tr>`;

export const restView = ({ rest, rows, empty }: PeopleList): Html =>
  rows.length === 0
    ? html`<p>${empty}</p>`
    : rest === 0
      ? new Html('')
      : html`<p>And ${rest} more. <a href="?all=1" data-more>Show all</a></p>`;

/** The whole list, as the server draws it; the browser puts new rows into its table. */
export function peopleView(scene: Scene): Html {
  const list = peopleList(scene);
  const { filter } = scene.reader;
  return html`<h2 data-title>${list.title}</h2><form class="filter" method="get" role="search"><label>Filter <input type="search" name="filter" value="${filter}" placeholder="name, code, status; ! turns it around" data-filter></label><noscript><button>Filter</button></noscript></form><div class="scroll"><table class="people"><thead>${HEAD}</thead><tbody>${list.rows.map(({ view }) => view())}</tbody></table></div><div data-rest>${restView(list)}</div>`;
}
