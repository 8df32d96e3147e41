/** The head of the report: outcome, pace, and worst moments. */

import { type Html, html } from '../../../base/text/html.ts';
import type { Instant } from '../../../base/time/clock.ts';
import { MUSTER_TERMS, PERSON_TERMS } from '../../../contract/resources/vocabulary.ts';
import { helpersText } from '../../../watching/state/people.ts';
import { capital } from '../../../watching/state/words.ts';
import type { AfterAction, DeadlineRecord, ShareRecord } from './record.ts';
import { dateAndTime, figure, percent, span, spanInWords, timeOfDay } from './words.ts';

export const titleOf = ({ kinds, site }: AfterAction): string =>
  `After-action report: ${kinds.at(-1)?.kind ?? ''} muster at ${site.name}`;

/** For example `4:35 (06:04:35)`: time since the start, and time of day. */
export const when = ({ startedAt }: AfterAction, at: Instant | null): Html =>
  at === null ? html`-` : html`${span(at - startedAt)} <small>${timeOfDay(at)}</small>`;

/** Clearly states that an active muster has not ended. */
export function standing({ status, phase, asOf, endedAt, drawnAt }: AfterAction): Html {
  if (status === 'active')
    return html`<p class="standing"><b class="active">Still under way</b> ${MUSTER_TERMS[phase].word}, as of ${dateAndTime(asOf)}. Figures and people are of the last count; they will change.</p>`;
  return html`<p class="standing"><b>${capital(MUSTER_TERMS[status].word)}</b> on ${dateAndTime(endedAt ?? asOf)}. <span class="dim">Drawn up on ${dateAndTime(drawnAt)}.</span></p>`;
}

export function summary(report: AfterAction): Html {
  const { totals, kinds, reason, startedAt, endedAt, asOf, deadline } = report;
  const fact = (name: string, value: string, more: string | null, tone = ''): Html =>
    html`<div class="${tone}"><dt>${name}</dt><dd>${value}${more === null ? null : html`<small>${more}</small>`}</dd></div>`;
  const all = totals.safe === totals.expected;
  const facts = [
    fact(
      'Safe',
      `${figure(totals.safe)} of ${figure(totals.expected)}`,
      percent(totals.safe, totals.expected),
      all ? 'good' : 'bad',
    ),
    fact('Not safe', figure(totals.expected - totals.safe), urgentOf(report), all ? 'good' : 'bad'),
    fact('Started', dateAndTime(startedAt), null),
    endedAt === null
      ? fact('Under way for', spanInWords(asOf - startedAt), null)
      : fact('Ended', dateAndTime(endedAt), `after ${spanInWords(endedAt - startedAt)}`),
    fact('Kind', kinds.map(({ kind }) => kind).join(', then '), changesOf(report)),
    fact('Reason', reason ?? '-', null),
    deadline === null
      ? fact('Deadline', 'none', null)
      : fact(
          'Deadline',
          resultText(deadline),
          `${dateAndTime(deadline.at)}, ${spanInWords(deadline.at - startedAt)} after the start (${deadline.source.replace('_', ' ')})`,
          toneOf(deadline),
        ),
  ];
  return html`<dl>${facts}</dl>`;
}

/** For example `4 to rescue; 11 called for help, 10 of them helping`; null: nobody is and nobody did. */
function urgentOf({ people, totals: { help } }: AfterAction): string | null {
  const { rescue, help: called } = PERSON_TERMS;
  const toRescue = people?.filter((one) => one.rescue).length ?? 0;
  const helpers = people?.filter(({ standing }) => standing?.rank === 'helping').length ?? 0;
  const calls = [`${figure(help ?? 0)} ${called.word}`, helpersText(helpers)].filter((text) => text !== '').join(', ');
  const parts = [
    ...(toRescue === 0 ? [] : [`${figure(toRescue)} ${rescue.word}`]),
    ...((help ?? 0) === 0 ? [] : [calls]),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}

function changesOf(report: AfterAction): string | null {
  const changes = report.kinds.slice(1).map(({ kind, from }) => `${kind} from ${span(from - report.startedAt)}`);
  return changes.length === 0 ? null : changes.join(', ');
}

function resultText({ verdict, safe, expected }: DeadlineRecord): string {
  const figures = `${figure(safe)} of ${figure(expected)} safe`;
  switch (verdict) {
    case 'met':
      return 'Met';
    case 'missed':
      return `Missed: ${figures} then`;
    case 'ahead':
      return 'Still ahead';
    case 'ended_before':
      return `Ended before it: ${figures}`;
    case 'unknown':
      return 'Not known: no counts are kept';
  }
}

const toneOf = ({ verdict }: DeadlineRecord): string =>
  verdict === 'met' ? 'good' : verdict === 'missed' ? 'bad' : '';

export function milestones(report: AfterAction): Html | null {
  if (report.shares === null) return null;
  const held = (share: ShareRecord): Html =>
    share.firstAt === null || share.firstAt === share.sinceAt
      ? html``
      : share.sinceAt === null
        ? html`lost again`
        : html`again, to the end, from ${span(share.sinceAt - report.startedAt)}`;
  const shares = table(
    ['Safe', { figure: 'For the first time after' }, 'Later'],
    report.shares.map((share) => [
      `${share.percent} %`,
      share.firstAt === null ? 'never' : when(report, share.firstAt),
      held(share),
    ]),
  );
  const peaks = table(
    ['At most at one count', { figure: 'People' }, { figure: 'After' }],
    report.peaks.map(({ of, people, at }) => [capital(PERSON_TERMS[of].word), figure(people), when(report, at)]),
  );
  return html`<div class="beside">${shares}${peaks}</div>`;
}

/** The head of a column; `figure`: right-aligned. */
type ReportColumn = string | { readonly figure: string };
type TableCell = string | number | null | Html;

const nameOf = (column: ReportColumn | undefined): string =>
  typeof column === 'object' ? column.figure : (column ?? '');

/**
 * The head repeats on each printed page; on a phone each row is a list, whose cells have the head before them. A wide table has its own scroll area, which can be scrolled with the keyboard.
 */
export function table(
  columns: readonly ReportColumn[],
  rows: readonly (readonly TableCell[])[],
  caption?: string,
): Html {
  const heads = columns.map((column) =>
    typeof column === 'string'
      ? html`<th scope="col">${column}</th>`
      : html`<th scope="col" class="n">${column.figure}</th>`,
  );
  const cells = (row: readonly TableCell[]): Html[] =>
    row.map((cell, place) =>
      typeof columns[place] === 'object'
        ? html`<td class="n" data-head="${nameOf(columns[place])}">${cell}</td>`
        : html`<td data-head="${nameOf(columns[place])}">${cell}</td>`,
    );
  return html`<div class="wide" tabindex="0"><table>${caption === undefined ? null : html`<caption>${caption}</caption>`}<thead><tr>${heads}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody></table></div>`;
}
