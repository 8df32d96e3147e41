/** The banner of a muster and its assembly points. [spec 2 Muster, spec 3, decisions 6] */

import { Html, html } from '../../base/text/html.ts';
import { musterTerm, PERSON_TERMS } from '../../contract/resources/vocabulary.ts';
import type { AssemblyPoint, Muster, Zone } from '../../contract/resources.ts';
import { arrivalsOf, type PointCounts } from '../state/arrivals.ts';
import { hurryOf } from '../state/emergencies.ts';
import { helpersAmong, helpersText, type PersonRow, type StatusRank } from '../state/people.ts';
import { deadlineText, plainWords, unitSpan } from '../state/words.ts';
import { actButton, actForm, onDemand, textField } from './forms.ts';
import { inWords, many, momentOf, type PanelReader, RANKS, timeOf } from './scene.ts';

export const musterTitle = ({ kind, site, status }: Pick<Muster, 'kind' | 'site' | 'status'>): string =>
  `${inWords(kind)} muster at ${site.name}${status === 'active' ? '' : ` (${status})`}`;

/** `rows`: the people of the site; when the muster is over, those who were not safe at its end. */
export interface MusterSeen {
  readonly muster: Muster;
  readonly rows: readonly Pick<PersonRow, 'status' | 'rescue' | 'helps'>[];
  readonly now: number;
}

/** The figures whose sum is the number of expected people. */
const COUNTED_RANKS = RANKS.filter((rank) => rank !== 'rescue');

type CountedRank = Exclude<StatusRank, 'person' | 'helping'>;

/** A figure, which is a part of the bar, and how many of its people are to be rescued. */
interface FigurePart {
  readonly rank: Exclude<CountedRank, 'rescue'> | 'unknown';
  readonly people: number;
  readonly rescue: number;
}

/** The parts of the bar in the order of the figures; their sum is the number of expected people. */
function partsOf({ muster: { totals }, rows }: MusterSeen): readonly FigurePart[] {
  const parts = COUNTED_RANKS.map((rank): FigurePart => {
    const rescue = rows.filter((row) => row.rescue && row.status === rank).length;
    const people = totals[rank] ?? rescue;
    return { rank, people, rescue: Math.min(rescue, people) };
  });
  const rest = totals.expected - parts.reduce((sum, { people }) => sum + people, 0);
  return [...parts, { rank: 'unknown', people: Math.max(0, rest), rescue: 0 }];
}

/**
 * A bar and numbers, both in the same order and with the same sum. The numbers by status are the API's totals; each says
 * how many of its people are to be rescued, and how many of those who called for help only help another.
 */
function totalsView(seen: MusterSeen): Html {
  const { totals, status } = seen.muster;
  const parts = partsOf(seen);
  const pieces = parts.flatMap(({ rank, people, rescue }) => [
    ['rescue', rescue] as const,
    [rank, people - rescue] as const,
  ]);
  const rescue = seen.rows.filter((row) => row.rescue).length;
  const helpers = helpersAmong(seen.rows);
  const share = totals.expected === 0 ? 0 : Math.floor((totals.safe / totals.expected) * 100);
  const cell = ({ rank, rescue: urgent }: FigurePart): Html => {
    if (rank === 'unknown') return new Html('');
    const people = totals[rank];
    const more = rank === 'safe' ? `${share} %` : rank === 'help' ? helpersText(helpers) : '';
    const part = urgent === 0 ? null : html` <small class="rescue">${rescueText(urgent)}</small>`;
    return html`<div class="${rank}${people === 0 && rank !== 'safe' ? ' none' : ''}"><dt><i aria-hidden="true">${PERSON_TERMS[rank].glyph}</i> ${PERSON_TERMS[rank].word}</dt><dd>${people ?? '–'}${part}${more === '' ? null : html` <small>${more}</small>`}</dd></div>`;
  };
  const apart =
    status !== 'active' && rescue === 0
      ? new Html('')
      : html`<p class="apart${rescue === 0 ? ' none' : ''}"><b>${rescueText(rescue)}</b> <small>${status === 'active' ? '' : 'at the end, '}in the figures below</small></p>`;
  const unknown = parts.at(-1)?.people ?? 0;
  const lost =
    unknown === 0 ? new Html('') : html`<div class="unknown"><dt>not safe at the end</dt><dd>${unknown}</dd></div>`;
  return html`${barView(pieces.filter(([, people]) => people > 0))}${apart}<dl class="totals"><div class="all"><dt>expected</dt><dd>${totals.expected}</dd></div>${parts.map(cell)}${lost}</dl>`;
}

/** A unit for each person. In attributes, not in styles, because a page may be opened under a policy without inline styles. */
function barView(parts: readonly (readonly [string, number])[]): Html {
  let all = 0;
  const rects = parts.map(([rank, people]) => {
    all += people;
    return html`<rect class="${rank}" x="${all - people}" width="${people}" height="1"></rect>`;
  });
  return html`<svg class="bar" viewBox="0 0 ${all} 1" preserveAspectRatio="none" aria-hidden="true">${rects}</svg>`;
}

const rescueText = (people: number): Html =>
  html`<i aria-hidden="true">${PERSON_TERMS.rescue.glyph}</i> ${people} ${PERSON_TERMS.rescue.word}`;

function deadlineView(muster: Muster, now: number): Html {
  const { deadline, status } = muster;
  if (deadline === null) return new Html('');
  const about = html`deadline ${timeOf(deadline.at)} <span class="dim">(${plainWords(deadline.source)})</span>`;
  if (status !== 'active') return html`, ${about}`;
  const left = Date.parse(deadline.at) - now;
  const time = html`<span class="due ${hurryOf(muster, now) ?? ''}">${deadlineText(left)}</span>`;
  return left < 0 ? html` ${time} ${about}` : html`, ${about} ${time}`;
}

export function bannerView(seen: MusterSeen, isPage: boolean): Html {
  const { muster, now } = seen;
  const { phase, status, started_at, ended_at, reason } = muster;
  const state = status === 'active' ? phase : status;
  const until = ended_at === null ? now : Date.parse(ended_at);
  const lasts = unitSpan(until - Date.parse(started_at));
  const title = isPage ? new Html('') : html`<h2><a href="/panel/musters/${muster.id}">${musterTitle(muster)}</a></h2>`;
  return html`<div class="muster ${state}">${title}<p><b class="phase ${state}">${musterTerm(muster).word}</b> ${status === 'active' ? 'for' : 'after'} ${lasts}${deadlineView(muster, now)}${reason === null ? '' : ` · ${reason}`}</p>${totalsView(seen)}</div>`;
}

/** The counts of the last minute; `now`: simulated ms. */
interface Recently {
  readonly counts: readonly PointCounts[];
  readonly now: number;
}

/** `zones`: the zones of the site, which contain the capacities. `recently`: null after the muster. */
export function pointsView(
  muster: Muster,
  zones: readonly Zone[],
  reader: PanelReader,
  recently: Recently | null = null,
): Html {
  const startedAt = Date.parse(muster.started_at);
  const rows = muster.assembly_points.map((point) => {
    const holds = zones.find(({ id }) => id === point.id)?.assembly_point?.capacity ?? null;
    const came = recently === null ? null : arrivalsOf(recently.counts, point, recently.now, startedAt);
    const cell = recently === null ? null : html`<td class="came${came === 0 ? ' none' : ''}">${cameText(came)}</td>`;
    return html`<tr data-key="${point.id}">${pointCells(muster, point, holds, cell, reader)}</tr>`;
  });
  return html`<h2>Assembly points</h2><div class="scroll"><table class="arrivals"><thead><tr><th scope="col">Point</th><th scope="col">Safe here / holds</th>${recently === null ? null : html`<th scope="col">Last minute</th>`}<th scope="col">State</th><th scope="col"><span class="hidden">Do</span></th></tr></thead><tbody>${rows}</tbody></table></div><p class="dim">People go to these points in a ${muster.kind} muster${changesText(muster)}.</p>`;
}

/** The first revision is the list at the start. */
const changesText = ({ targets_revision }: Muster): string =>
  targets_revision <= 1 ? '' : `; the list has changed ${many(targets_revision - 1, 'time')} since its start`;

function pointCells(
  muster: Muster,
  point: AssemblyPoint,
  holds: number | null,
  came: Html | null,
  reader: PanelReader,
): Html {
  const { id, name, status, count, excluded } = point;
  const why =
    excluded === null
      ? new Html('')
      : html`: ${excluded.reason}, by ${excluded.by} at ${timeOf(excluded.at)}${excluded.recommended ? ', as the system had recommended' : ''}`;
  const hidden = { muster: muster.id, point: id };
  const action =
    muster.status !== 'active'
      ? new Html('')
      : excluded === null
        ? onDemand(
            reader,
            'exclude',
            'Exclude',
            actForm(
              reader,
              { action: 'exclude_point', ...hidden },
              html`${textField('reason', 'Reason', { required: true, most: 500, hint: 'Smoke' })}<button class="primary">Exclude ${name}</button>`,
            ),
            name,
          )
        : actButton(reader, { action: 'reinstate_point', ...hidden }, 'Reinstate', name);
  return html`<th scope="row">${name}</th><td class="holds">${holdsView(count, holds)}</td>${came}<td class="${status}">${status}${why}</td><td class="do">${action}</td>`;
}

const cameText = (came: number | null): string =>
  came === null ? '–' : came < 0 ? `${-came} left` : came === 0 ? 'nobody' : `+${came} arrived`;

function holdsView(count: number | null, holds: number | null): Html {
  if (count === null) return html`–`;
  if (holds === null) return html`${count}`;
  if (count < holds) return html`${count}/${holds}`;
  if (count === holds) return html`<b class="full">${count}/${holds}</b> <span class="full">full</span>`;
  return html`<b class="full">${count}/${holds}</b> <span class="full">over-full, ${count - holds} too many</span>`;
}

/** A row of the list of musters. */
export const musterRow = (muster: Muster): Html =>
  html`<tr><th scope="row"><a href="/panel/musters/${muster.id}">${musterTitle(muster)}</a></th><td>${musterTerm(muster).word}</td><td>${momentOf(muster.started_at)}</td><td>${momentOf(muster.ended_at)}</td><td>${outcomeView(muster)}</td></tr>`;

/** For example `45 of 47, 2 not safe`. */
function outcomeView({ totals: { safe, expected }, status }: Muster): Html {
  const rest = expected - safe;
  if (rest === 0) return html`${safe} of ${expected}`;
  return html`${safe} of ${expected}, <b class="critical">${rest} ${status === 'active' ? 'missing' : 'not safe at the end'}</b>`;
}
