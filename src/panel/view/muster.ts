/** The banner of a muster, its points, and how the control room steers it. [spec 2 Muster, spec 3, decisions 6] */
import { Html, html } from '../../base/html.ts';
import type { AssemblyPoint, Muster } from '../../contract/resources.ts';
import { spanText } from '../../watching/people.ts';
import { actButton, actForm, asked, choice, textField } from './forms.ts';
import type { Reader, Scene } from './scene.ts';
import { FARES, fareWord, GLYPH, inWords, momentOf, timeOf } from './words.ts';

export const musterTitle = ({ kind, site, status }: Pick<Muster, 'kind' | 'site' | 'status'>): string =>
  `${inWords(kind)} muster at ${site.name}${status === 'active' ? '' : ` (${status})`}`;

const countOf = ({ totals }: Muster, fare: (typeof FARES)[number]): number | null => totals[fare];

/** How many are what, as words, a bar and numbers; the same as the API's totals. */
export function totalsView(muster: Muster): Html {
  const { totals } = muster;
  const bar = [...FARES].reverse().map((fare) => {
    const people = countOf(muster, fare) ?? 0;
    return people === 0 ? new Html('') : html`<i class="${fare}" style="flex:${people}"></i>`;
  });
  const cells = [...FARES]
    .reverse()
    .map(
      (fare) =>
        html`<div class="${fare}"><dt><i aria-hidden="true">${GLYPH[fare]}</i> ${fareWord(fare)}</dt><dd>${countOf(muster, fare) ?? '–'}</dd></div>`,
    );
  const share = totals.expected === 0 ? 0 : Math.floor((totals.safe / totals.expected) * 100);
  return html`<div class="bar" aria-hidden="true">${bar}</div><dl class="totals"><div class="all"><dt>expected</dt><dd>${totals.expected}</dd></div>${cells}<div class="all"><dt>safe</dt><dd>${share} %</dd></div></dl>`;
}

/** `now`: simulated ms. */
export function bannerView(muster: Muster, now: number, isPage: boolean): Html {
  const { phase, status, started_at, ended_at, deadline, reason } = muster;
  const state = status === 'active' ? phase : status;
  const until = ended_at === null ? now : Date.parse(ended_at);
  const lasts = spanText(until - Date.parse(started_at));
  const left = deadline === null ? 0 : Date.parse(deadline.at) - now;
  const due =
    deadline === null
      ? new Html('')
      : html` · deadline ${timeOf(deadline.at)} (${deadline.source.replace('_', ' ')}${status === 'active' ? (left >= 0 ? `, ${spanText(left)} left` : `, ${spanText(-left)} ago`) : ''})`;
  const title = isPage ? new Html('') : html`<h2><a href="/panel/musters/${muster.id}">${musterTitle(muster)}</a></h2>`;
  return html`<div class="muster ${state}">${title}<p><b class="phase ${state}">${state}</b> ${status === 'active' ? 'for' : 'after'} ${lasts}${due}${reason === null ? '' : ` · ${reason}`}</p>${totalsView(muster)}</div>`;
}

export function pointsView(muster: Muster, reader: Reader): Html {
  const rows = muster.assembly_points.map(
    (point) => html`<tr data-key="${point.id}">${pointCells(muster, point, reader)}</tr>`,
  );
  return html`<h2>Assembly points</h2><div class="scroll"><table><thead><tr><th scope="col">Point</th><th scope="col">State</th><th scope="col">Safe here</th><th scope="col"><span class="hidden">Do</span></th></tr></thead><tbody>${rows}</tbody></table></div><p class="dim">Targets, revision ${muster.targets_revision}. Points that do not serve ${muster.kind} are none.</p>`;
}

function pointCells(muster: Muster, { id, name, status, count, excluded }: AssemblyPoint, reader: Reader): Html {
  const why =
    excluded === null
      ? new Html('')
      : html`: ${excluded.reason}, by ${excluded.by} at ${timeOf(excluded.at)}${excluded.recommended ? ', as the system had recommended' : ''}`;
  const hidden = { muster: muster.id, point: id };
  const deed =
    muster.status !== 'active'
      ? new Html('')
      : excluded === null
        ? asked(
            reader,
            `exclude-${id}`,
            'Exclude',
            actForm(
              reader,
              { action: 'exclude_point', ...hidden },
              html`${textField('reason', 'Reason', { required: true, most: 500, hint: 'Smoke' })}<button>Exclude ${name}</button>`,
            ),
            name,
          )
        : actButton(reader, { action: 'reinstate_point', ...hidden }, 'Reinstate', name);
  return html`<th scope="row">${name}</th><td class="${status}">${status}${why}</td><td>${count ?? '–'}</td><td class="do">${deed}</td>`;
}

const KINDS = [
  ['general', 'General'],
  ['tsunami', 'Tsunami'],
  ['earthquake', 'Earthquake'],
] as const;

/** What may be done with the muster of a site now: open one, change its kind, inspect, end it. Only a person does any of it. [spec 1.3] */
export function steerView({ site, active, reader }: Scene): Html {
  if (!reader.acts) return new Html('');
  if (active === null) return html`<div class="steer">${startForm(site, reader)}</div>`;
  const muster = { muster: active.id };
  const missing = active.totals.expected - active.totals.safe;
  const others = KINDS.filter(([kind]) => kind !== active.kind);
  const kind = asked(
    reader,
    'kind',
    'Change the kind',
    actForm(
      reader,
      { action: 'change_kind', ...muster },
      html`${choice('to', 'To', others)}${textField('deadline', 'Deadline', { most: 30, hint: '30m, or a time; else the plan’s' })}<button>Change</button>`,
    ),
  );
  const inspect =
    active.phase === 'inspecting' || missing > 0
      ? new Html('')
      : actButton(reader, { action: 'inspect', ...muster }, 'Inspect the plant');
  const end = asked(
    reader,
    'end',
    'End the muster',
    actForm(
      reader,
      { action: 'end_muster', ...muster },
      html`<p>${missing === 0 ? 'Everybody is safe.' : `${missing} of ${active.totals.expected} are not safe.`}</p>${choice(
        'outcome',
        'As',
        [
          ['completed', 'Completed'],
          ['cancelled', 'Cancelled'],
        ],
      )}<button class="danger">End it</button>`,
    ),
  );
  return html`<div class="steer">${inspect}${kind}${end}</div>`;
}

function startForm(site: Scene['site'], reader: Reader): Html {
  const zones = site.zones.filter(({ type }) => type !== 'assembly_point').map(({ id, name }) => [id, name] as const);
  return asked(
    reader,
    'start',
    'Start a muster',
    actForm(
      reader,
      { action: 'start_muster', site: site.id },
      html`${choice('kind', 'Kind', KINDS)}${textField('reason', 'Reason', { most: 500, hint: 'H2S alarm, tank 4' })}${choice('origin.zone', 'Away from', [['', 'nothing'], ...zones])}<label>Radius, m <input type="number" name="origin.radius_m" min="0" max="100000" value="50"></label>${textField('deadline', 'Deadline', { most: 30, hint: '30m, or a time; else the plan’s' })}<button class="danger">Start the muster</button>`,
    ),
  );
}

/** Of a list of musters. */
export const musterRow = (muster: Muster): Html =>
  html`<tr><th scope="row"><a href="/panel/musters/${muster.id}">${musterTitle(muster)}</a></th><td>${muster.status === 'active' ? muster.phase : muster.status}</td><td>${momentOf(muster.started_at)}</td><td>${momentOf(muster.ended_at)}</td><td>${muster.totals.safe} of ${muster.totals.expected}</td></tr>`;
