/** The number of safe people over time, compared with the expected people and the deadline. [spec 2 Muster totals] */
import { Html, html } from '../../base/text/html.ts';
import type { Muster } from '../../contract/resources.ts';
import { linePath, stepped } from '../drawing/plot.ts';
import { timeStepMs } from '../drawing/round.ts';
import type { CurvePoint } from '../state/state.ts';

/**
 * The drawing is stretched to its box. Its texts are in one that is not, to stay readable at every width, at shares of the box;
 * in attributes, because a page may be opened under a policy without inline styles.
 */
const SIZE = 1_000;
const MINUTE = 60_000;

const MOST_TICKS = 6;

export function curveView(muster: Muster, samples: readonly CurvePoint[], now: number): Html {
  const { started_at, ended_at, deadline, totals } = muster;
  const from = Date.parse(started_at);
  const last = ended_at === null ? now : Date.parse(ended_at);
  const due = deadline === null ? null : Date.parse(deadline.at);
  // A distant deadline would compress the curve.
  const isDueNear = due !== null && due - from <= Math.max(3 * (last - from), 10 * MINUTE);
  const to = Math.max(last, isDueNear ? due : 0, from + MINUTE);
  const most = Math.max(totals.expected, 1);
  const x = (at: number): number => Math.round(((at - from) / (to - from)) * SIZE);
  const y = (people: number): number => Math.round(SIZE - (people / most) * SIZE);
  const percent = (value: number): string => `${value / (SIZE / 100)}%`;
  const points = [
    { at: from, safe: 0 },
    ...samples.filter(({ at }) => at >= from && at <= last),
    { at: last, safe: totals.safe },
  ];
  const corners = stepped(
    points.map(({ at, safe }) => [x(at), y(safe)] as const),
    x(last),
  );
  const line = linePath(corners);
  const step = timeStepMs(to - from, MOST_TICKS, MINUTE);
  const ticks: Html[] = [];
  for (let at = from; at <= to; at += step)
    ticks.push(html`<text class="tick" x="${percent(x(at))}" y="100%">${Math.round((at - from) / MINUTE)}′</text>`);
  const hasDue = due !== null && isDueNear;
  const dueLine = hasDue ? html`<path class="due" d="M${x(due)} 0V${SIZE}"></path>` : new Html('');
  const isDueLate = due !== null && x(due) > SIZE / 2;
  const dueWord = hasDue
    ? html`<text class="due${isDueLate ? ' before' : ''}" x="${percent(x(due))}">deadline</text>`
    : new Html('');
  const empty =
    samples.length === 0 && totals.safe === 0
      ? html`<text class="empty" y="100%">Nobody is safe yet; counted every 5 s.</text>`
      : new Html('');
  const newest = html`<text class="now" x="${percent(x(last))}" y="${percent(y(totals.safe))}">${totals.safe}</text>`;
  return html`<h2>Safe over time</h2><div class="plot" role="img" aria-label="Safe over time: ${totals.safe} of ${totals.expected} ${ended_at === null ? 'now' : 'at the end'}"><svg viewBox="0 0 ${SIZE} ${SIZE}" preserveAspectRatio="none"><path class="axis" d="M0 0V${SIZE}H${SIZE}"></path><path class="expected" d="M0 0H${SIZE}"></path><path class="area" d="${line}V${SIZE}H0Z"></path><path class="line" d="${line}"></path>${dueLine}</svg><svg class="words"><text class="side">${totals.expected}</text><text class="side" y="100%">0</text>${newest}${dueWord}${ticks}${empty}</svg></div>`;
}
