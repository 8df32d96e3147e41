/** The happenings near a failure, on one time axis: its step, alerts, events, deliveries, calls, and other happenings. */
import { type Html, html } from '../../../base/text/html.ts';
import type { RunFailure } from '../../judging/run-reporter.ts';
import { AFTER_MS, BEFORE_MS } from '../../log/around.ts';
import type { FailureContext, ReportHappening } from '../happenings.ts';
import type { RunReport } from '../report-data.ts';
import { type Axis, axisData, cursor, grid, inBothSizes, titleAt } from './axis.ts';
import { alertBar, rowsOf } from './lanes.ts';

const TOP = 22;
const SIZES = { wide: { height: 24, marksY: 1, nameY: 15 }, narrow: { height: 36, marksY: 15, nameY: 12 } } as const;

/** Maximum number of rows of overlapping alerts; more would push the other lanes out of view. */
const MOST_ALERT_ROWS = 4;

const LANES = [
  ['event', 'events'],
  ['delivery', 'deliveries'],
  ['request', 'calls'],
  ['mail', 'e-mails'],
  ['watch', 'watches'],
] as const;

/** Space before the first happening, as a share of the time from it to the result. */
const MARGIN_SHARE = 0.05;

interface NearLane {
  readonly name: string;
  readonly marks: readonly Html[];
}

export function nearAxis(failure: RunFailure, context: FailureContext, report: RunReport): Html {
  const { beganMs, atMs } = failure;
  const first = context.happenings[0]?.t ?? beganMs;
  const fromMs = Math.max(0, Math.min(beganMs - BEFORE_MS, first - MARGIN_SHARE * (atMs - first)));
  const endMs = Math.max(fromMs + 1_000, Math.min(report.result.simulatedMs, atMs + AFTER_MS));
  return html`<figure class="near"><figcaption>Near it, from the step to its result</figcaption>${inBothSizes((axis) => drawing(failure, report, axis), { fromMs, endMs })}</figure>`;
}

function drawing({ beganMs, atMs, line }: RunFailure, report: RunReport, axis: Axis): Html {
  const { width, gutter, size, at: x, fromMs, endMs } = axis;
  const near = report.happenings.filter(({ t }) => t >= fromMs && t <= endMs);
  const alerts = report.alerts.filter(({ changes, endedT }) => {
    const [first] = changes;
    return first !== undefined && first.t <= endMs && (endedT ?? endMs) >= fromMs;
  });
  const lanes: NearLane[] = [
    { name: 'step', marks: [stepBar(x(beganMs), x(atMs), line)] },
    ...rowsOf(alerts, endMs)
      .slice(0, MOST_ALERT_ROWS)
      .map((row, place) => ({
        name: place === 0 ? 'alerts' : '',
        marks: row.flatMap((alert) => alertBar(alert, axis)),
      })),
    ...LANES.flatMap(([kind, name]) => {
      const marks = marksOf(
        near.filter((one) => one.kind === kind),
        axis,
      );
      // The first three lanes are always drawn, because an empty lane shows that nothing came.
      return marks.length === 0 && (kind === 'mail' || kind === 'watch') ? [] : [{ name, marks }];
    }),
  ];
  const { height: lane, marksY, nameY } = SIZES[size];
  const height = TOP + lanes.length * lane + 4;
  const nameX = size === 'narrow' ? gutter : gutter - 10;
  const rows = lanes.map(
    ({ name, marks }, place) =>
      html`<g transform="translate(0 ${TOP + place * lane})"><text class="name" x="${nameX}" y="${nameY}">${name}</text><line class="rail" x1="${gutter}" x2="${width}" y1="${lane - 1}" y2="${lane - 1}"/><g transform="translate(0 ${marksY})">${marks}</g></g>`,
  );
  const result = html`<line class="result" x1="${x(atMs)}" x2="${x(atMs)}" y1="14" y2="${height}"/>`;
  return html`<svg class="lanes timed ${size}" viewBox="0 0 ${width} ${height}"${axisData(axis)} role="img" aria-label="What happened near the failure of line ${line}; the table below has it in words">
${grid(axis, height)}${result}${rows}${cursor(axis, height)}</svg>`;
}

const stepBar = (from: number, to: number, line: number): Html =>
  html`<rect class="waited" x="${from}" y="4" width="${Math.max(3, to - from)}" height="14" rx="3"><title>line ${line}: from its beginning to its result</title></rect>`;

/** Marks of one lane that would overlap are merged into one mark. */
function marksOf(happenings: readonly ReportHappening[], { at: x }: Axis): Html[] {
  const groups = new Map<string, { readonly first: ReportHappening; readonly titles: string[]; count: number }>();
  for (const one of happenings) {
    const key = `${Math.round(x(one.t))} ${signOf(one)}`;
    const group = groups.get(key) ?? { first: one, titles: [], count: 0 };
    groups.set(key, group);
    group.count++;
    if (group.titles.length < MOST_TITLES) group.titles.push(one.text);
  }
  return [...groups.values()].map(({ first, titles, count }) => {
    const more = count > titles.length ? `, and ${count - titles.length} more` : '';
    return html`<circle class="${signOf(first)}" cx="${x(first.t)}" cy="11" r="4">${titleAt(first.t, `${titles.join('; ')}${more}`)}</circle>`;
  });
}

const MOST_TITLES = 5;

/** Failed attempts and refused calls are hollow, not only a different colour. */
function signOf({ text, kind, facts }: ReportHappening): string {
  if (kind === 'delivery') return facts.find(([name]) => name === 'result')?.[1] ?? '';
  return kind === 'request' && / [45]\d\d(?: |$)/.test(text) ? 'lost' : 'happened';
}
