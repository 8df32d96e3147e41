/** The lanes of a report on one time axis: the scenario, people with alerts, musters and receivers. */
import { type Html, html } from '../../../base/text/html.ts';
import { formatClockTime } from '../../../base/time/instants.ts';
import { tenth } from '../../../watching/drawing/round.ts';
import type { ReportAlert, ReportMuster, ReportReceiver, ReportStep, RunReport } from '../report-data.ts';
import { type Axis, axisData, cursor, grid, inBothSizes, titleAt } from './axis.ts';

const TOP = 22;

/** The name of a lane is next to its marks; in the narrow drawing it is above them. */
const LANES = {
  wide: { height: 24, marksY: 1, nameY: 15, longest: 16 },
  narrow: { height: 38, marksY: 16, nameY: 13, longest: 46 },
} as const;

/** Text in bars: pixels per character, and padding. */
const CHARACTER = 6.2;
const PADDING = 12;

/** Maximum number of lanes of one kind. */
const MOST_PEOPLE = 40;

interface Lane {
  readonly name: string;
  readonly marks: readonly Html[];
}

export function lanesDrawing(report: RunReport): Html {
  const people = namesOf(report);
  const rest = people.length - MOST_PEOPLE;
  return html`${inBothSizes((axis) => drawing(report, people, axis), { fromMs: 0, endMs: report.result.simulatedMs })}${rest > 0 ? html`<p class="dim">And ${rest} more people with alerts.</p>` : null}`;
}

const namesOf = ({ alerts }: RunReport): string[] => [...new Set(alerts.map(({ who }) => who ?? 'site'))];

function drawing(report: RunReport, people: readonly string[], axis: Axis): Html {
  const { width, gutter, size } = axis;
  const lanes = lanesOf(report, people, axis);
  const { height: lane, marksY, nameY, longest } = LANES[size];
  const height = TOP + lanes.length * lane + 4;
  const nameX = size === 'narrow' ? gutter : gutter - 10;
  const rows = lanes.map(
    ({ name, marks }, place) =>
      html`<g transform="translate(0 ${TOP + place * lane})"><text class="name" x="${nameX}" y="${nameY}">${shortened(name, longest)}</text><line class="rail" x1="${gutter}" x2="${width}" y1="${lane - 1}" y2="${lane - 1}"/><g transform="translate(0 ${marksY})">${marks}</g></g>`,
  );
  return html`<svg class="lanes timed ${size}" viewBox="0 0 ${width} ${height}"${axisData(axis)} role="group" aria-label="What happened when">
${grid(axis, height)}${rows}${cursor(axis, height)}</svg>`;
}

function lanesOf(report: RunReport, people: readonly string[], axis: Axis): Lane[] {
  return [
    { name: 'scenario', marks: report.steps.map((step) => stepMark(step, axis)) },
    ...people.slice(0, MOST_PEOPLE).flatMap((who) => {
      const alerts = report.alerts.filter((alert) => (alert.who ?? 'site') === who);
      return rowsOf(alerts, axis.endMs).map((row, place) => ({
        name: place === 0 ? who : '',
        marks: row.flatMap((alert) => alertBar(alert, axis)),
      }));
    }),
    ...report.musters.map((muster) => ({ name: `muster, ${muster.site}`, marks: musterBar(muster, axis) })),
    ...report.receivers.map((receiver) => ({ name: receiver.name, marks: attemptDots(receiver, axis) })),
  ];
}

/** Packs overlapping alerts into the smallest number of rows. */
export function rowsOf(alerts: readonly ReportAlert[], endMs: number): ReportAlert[][] {
  const rows: { alerts: ReportAlert[]; until: number }[] = [];
  for (const alert of alerts) {
    const from = alert.changes[0]?.t ?? 0;
    const row = rows.find(({ until }) => until <= from) ?? { alerts: [], until: 0 };
    if (row.alerts.length === 0) rows.push(row);
    row.alerts.push(alert);
    row.until = alert.endedT ?? endMs;
  }
  return rows.map((row) => row.alerts);
}

const shortened = (name: string, longest: number): string =>
  name.length > longest ? `${name.slice(0, longest - 1)}…` : name;

function stepMark({ t, text, kind, line }: ReportStep, { at: x }: Axis): Html {
  if (kind === 'mark')
    return html`<path class="mark" d="M${x(t)} 2v18"><title>${formatClockTime(t)}  ${text}</title></path>`;
  const sign = kind === 'passed' || kind === 'failed' || kind === 'refused' ? kind : 'step';
  const name = `line ${line}: ${text}`;
  const title = titleAt(t, name);
  // A failure has a different shape, not only a different colour.
  const drawn =
    sign === 'failed' || sign === 'refused'
      ? html`<path class="${sign}" d="M${x(t) - 4} 3l8 8m0-8l-8 8">${title}</path>`
      : html`<circle class="${sign}" cx="${x(t)}" cy="${sign === 'step' ? 15 : 7}" r="${sign === 'step' ? 2.5 : 4}">${title}</circle>`;
  return html`<a href="#line-${line}" tabindex="-1" aria-label="${formatClockTime(t)} ${name}">${drawn}</a>`;
}

/** Draws a text in a bar, if the bar is wide enough. */
const within = (text: string, from: number, width: number): Html[] =>
  width > text.length * CHARACTER + PADDING
    ? [html`<text class="within" x="${tenth(from + 6)}" y="14.5">${text}</text>`]
    : [];

export function alertBar({ type, severity, title, changes, endedT }: ReportAlert, { at: x, endMs }: Axis): Html[] {
  const [first] = changes;
  if (first === undefined) return [];
  const from = x(first.t);
  const width = tenth(Math.max(3, x(endedT ?? endMs) - from));
  const later = changes.slice(1);
  // The text must end before the first mark on the bar.
  const free = Math.min(width, ...later.map(({ t }) => x(t) - from).filter((at) => at > 0));
  return [
    html`<rect class="alert ${severity}" x="${from}" y="4" width="${width}" height="14" rx="3">${titleAt(first.t, `${title} (${type}, ${severity})`)}</rect>`,
    ...within(type, from, free),
    ...later.map(
      ({ t, what, by }) =>
        html`<path class="change" d="M${x(t)} 4v14">${titleAt(t, by === null ? what : `${what} by ${by}`)}</path>`,
    ),
  ];
}

/** Draws one bar per kind and phase. */
function musterBar({ counts }: ReportMuster, { at: x, endMs }: Axis): Html[] {
  const bars: Html[] = [];
  for (let from = 0; from < counts.length; ) {
    const { t, kind, phase } = counts[from] as ReportMuster['counts'][number];
    let to = from + 1;
    while (to < counts.length && counts[to]?.phase === phase && counts[to]?.kind === kind) to += 1;
    const ended = phase === 'completed' || phase === 'cancelled';
    const end = ended ? t : (counts[to]?.t ?? endMs);
    const width = tenth(Math.max(3, x(end) - x(t)));
    bars.push(
      html`<rect class="muster ${phase}" x="${x(t)}" y="4" width="${width}" height="14" rx="3">${titleAt(t, `${kind}, ${phase}`)}</rect>`,
      ...within(`${kind}, ${phase}`, x(t), width),
    );
    from = to;
  }
  return bars;
}

/** Failed attempts are hollow circles, not only a different colour. */
const attemptDots = ({ attempts }: ReportReceiver, { at: x }: Axis): Html[] =>
  attempts.map(
    ({ t, eventType, try: tries, status, result }) =>
      html`<circle class="${result}" cx="${x(t)}" cy="11" r="3.5">${titleAt(t, `${eventType}, try ${tries}: ${status ?? 'no answer'}, ${result}`)}</circle>`,
  );
