/** The curve of a muster as inline SVG: people stacked by status, the deadline, and a tick for each decision of the control room. */

import { Html, html } from '../../../base/text/html.ts';
import type { Instant } from '../../../base/time/clock.ts';
import { BY_SERIOUSNESS, PERSON_TERMS } from '../../../contract/resources/vocabulary.ts';
import {
  bandPath,
  levelLabel,
  levelLine,
  linePath,
  plotX,
  plotY,
  stepped,
  timeLine,
} from '../../../watching/drawing/plot.ts';
import { roundStep, tenth, timeStepMs } from '../../../watching/drawing/round.ts';
import { capital } from '../../../watching/state/words.ts';
import type { AfterAction, CountRecord } from './record.ts';
import { figure, span } from './words.ts';

const BOX = { width: 960, height: 330, left: 48, right: 16, top: 40, bottom: 30 } as const;
const FLOOR = BOX.height - BOX.bottom;

/** Headcounts closer than this coincide on paper, so only the later one is drawn. In units of the picture. */
const LEAST_STEP = 0.5;

/** Of ticks closer than this, only the first has a number. */
const NUMBER_APART = 15;

/** Least span of the axis; milliseconds. */
const LEAST_SPAN_MS = 10_000;

const MOST_STEPS = { across: 9, up: 6 } as const;

/** Least step of the time axis; milliseconds. */
const LEAST_STEP_MS = 5_000;

interface Scale {
  readonly x: (at: Instant) => number;
  readonly y: (people: number) => number;
  readonly spanMs: number;
  readonly most: number;
}

/** Returns null if no course is stored, or if no people were expected. */
export function curve(report: AfterAction): Html | null {
  const scale = scaleOf(report);
  if (scale === null) return null;
  const drawn = thinned(report.course, scale);
  // From bottom to top: safe people first.
  const bands = BY_SERIOUSNESS.toReversed().map((status, place, order) => {
    const upTo = (count: CountRecord, last: number): number =>
      order.slice(0, last).reduce((sum, one) => sum + (count.totals[one] ?? 0), 0);
    if (report.course.every(({ totals }) => (totals[status] ?? 0) === 0)) return '';
    const edge = (last: number) => steps(drawn, report.asOf, scale, (count) => upTo(count, last));
    return `<path class="${status}" d="${bandPath(edge(place + 1), edge(place))}"/>`;
  });
  const line = (name: string, of: (count: CountRecord) => number): string =>
    `<path class="${name}" d="${linePath(steps(drawn, report.asOf, scale, of))}"/>`;
  return html`<figure class="curve" tabindex="0"><svg viewBox="0 0 ${BOX.width} ${BOX.height}" role="img" aria-label="People by status over the time since the start: ${summaryOf(report)}">
${axes(scale)}${new Html(`${bands.join('')}${line('edge', ({ totals }) => totals.safe)}${line('expected', ({ totals }) => totals.expected)}`)}
${deadlineMark(report, scale)}${new Html(ticks(report, scale))}</svg>
<figcaption><ul class="legend">${legend(report)}</ul></figcaption></figure>`;
}

function scaleOf({ course, startedAt, asOf, deadline }: AfterAction): Scale | null {
  const most = Math.max(0, ...course.map(({ totals }) => totals.expected));
  if (most === 0) return null;
  const lastedMs = Math.max(LEAST_SPAN_MS, asOf - startedAt);
  const untilDeadlineMs = deadline === null ? 0 : deadline.at - startedAt;
  // A deadline far beyond the end would compress the curve.
  const spanMs = untilDeadlineMs <= 2 * lastedMs ? Math.max(lastedMs, untilDeadlineMs) : lastedMs;
  return {
    spanMs,
    most,
    x: (at) => plotX(BOX, Math.max(0, at - startedAt) / spanMs),
    y: (people) => plotY(BOX, people / most),
  };
}

function thinned(course: readonly CountRecord[], { x }: Scale): CountRecord[] {
  const kept: CountRecord[] = [];
  for (const count of course) {
    const last = kept.at(-1);
    if (kept.length > 1 && last !== undefined && x(count.at) - x(last.at) < LEAST_STEP) kept.pop();
    kept.push(count);
  }
  return kept;
}

/** A headcount is valid until the next one. */
const steps = (course: readonly CountRecord[], asOf: Instant, { x, y }: Scale, of: (count: CountRecord) => number) =>
  stepped(
    course.map((count) => [x(count.at), y(of(count))] as const),
    x(asOf),
  );

function axes({ spanMs, most, y }: Scale): Html[] {
  const parts: Html[] = [];
  const step = timeStepMs(spanMs, MOST_STEPS.across, LEAST_STEP_MS);
  for (let at = 0; at <= spanMs; at += step) parts.push(timeLine(BOX, at / spanMs, span(at)));
  const up = roundStep(most / MOST_STEPS.up);
  for (let people = 0; people <= most; people += up) parts.push(levelLine(BOX, people / most, figure(people)));
  // The total, unless a grid line is near it.
  if (most % up > up / 3) parts.push(levelLabel(BOX, y(most), figure(most)));
  return parts;
}

function deadlineMark({ deadline, startedAt }: AfterAction, { x, spanMs }: Scale): Html {
  if (deadline === null || deadline.at < startedAt || deadline.at - startedAt > spanMs) return new Html('');
  const at = x(deadline.at);
  // Near the right edge the text is to the left of the line.
  const [anchor, shift] = at > BOX.width - 120 ? ['end', -5] : ['start', 5];
  return html`<path class="deadline" d="M${at},${BOX.top - 4}V${FLOOR}"/><text class="deadline" text-anchor="${anchor}" x="${tenth(at + shift)}" y="${BOX.top + 14}">deadline ${span(deadline.at - startedAt)}</text>`;
}

/** The numbers of the ticks are those in the table of decisions. */
function ticks({ timeline, startedAt }: AfterAction, { x, spanMs }: Scale): string {
  let numbered = -NUMBER_APART;
  return timeline
    .map(({ at }, place) => {
      if (at - startedAt > spanMs) return '';
      const where = x(at);
      const number = where - numbered >= NUMBER_APART;
      if (number) numbered = where;
      const text = number ? `<text class="act" x="${where}" y="${BOX.top - 17}">${place + 1}</text>` : '';
      return `<path class="act" d="M${where},${BOX.top - 13}V${BOX.top - 1}"/>${text}`;
    })
    .join('');
}

const legend = ({ course }: AfterAction): Html[] => [
  ...BY_SERIOUSNESS.toReversed()
    .filter((status) => course.some(({ totals }) => (totals[status] ?? 0) > 0))
    .map(
      (status) =>
        html`<li><i class="${status}"></i>${PERSON_TERMS[status].glyph} ${capital(PERSON_TERMS[status].word)}</li>`,
    ),
  html`<li><i class="line"></i>Expected</li>`,
  html`<li><i class="tick"></i>Control room, by the numbers of its decisions</li>`,
];

const summaryOf = ({ totals }: AfterAction): string => `${totals.safe} of ${totals.expected} safe at the last count.`;
