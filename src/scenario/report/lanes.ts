/** The lanes of a report: the story, each person with an alert, each muster and each receiver over one time axis. */
import { type Html, html } from '../../base/html.ts';
import { formatClockTime } from '../../base/instants.ts';
import { type Across, across, GUTTER, grid, round, WIDTH } from './axis.ts';
import type { RunReport, ToldAlert, ToldMuster, ToldReceiver, ToldStep } from './report-data.ts';

const LANE = 22;
const TOP = 22;

/** More lanes of one kind than these would hide what matters. */
const MOST_PEOPLE = 40;

interface Lane {
  readonly name: string;
  readonly marks: readonly Html[];
}

export function lanesDrawing(report: RunReport): Html {
  const { simulatedMs } = report.result;
  const x = across(simulatedMs);
  const people = [...new Set(report.alerts.map(({ who }) => who ?? 'site'))];
  const lanes: Lane[] = [
    { name: 'story', marks: report.steps.map((step) => stepMark(step, x)) },
    ...people.slice(0, MOST_PEOPLE).flatMap((who) => {
      const alerts = report.alerts.filter((alert) => (alert.who ?? 'site') === who);
      const rows = rowsOf(alerts, simulatedMs);
      return rows.map((row, place) => ({
        name: place === 0 ? who : '',
        marks: row.flatMap((alert) => alertBar(alert, x, simulatedMs)),
      }));
    }),
    ...report.musters.map((muster) => ({ name: `muster, ${muster.site}`, marks: musterBar(muster, x, simulatedMs) })),
    ...report.receivers.map((receiver) => ({ name: receiver.name, marks: attemptDots(receiver, x) })),
  ];
  const height = TOP + lanes.length * LANE + 4;
  const rest = people.length - MOST_PEOPLE;
  return html`<svg class="lanes timed" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="What happened when">
${grid(simulatedMs, height)}${lanes.map(
  ({ name, marks }, place) =>
    html`<g transform="translate(0 ${TOP + place * LANE})"><text class="name" x="${GUTTER - 8}" y="14">${shortened(name)}</text><line class="rail" x1="${GUTTER}" x2="${WIDTH}" y1="${LANE - 1}" y2="${LANE - 1}"/>${marks}</g>`,
)}<line class="cursor" x1="${GUTTER}" x2="${GUTTER}" y1="14" y2="${height}"/></svg>${rest > 0 ? html`<p class="dim">And ${rest} more people with alerts.</p>` : null}`;
}

/** As few rows as keep alerts of one time apart. */
function rowsOf(alerts: readonly ToldAlert[], endMs: number): ToldAlert[][] {
  const rows: { alerts: ToldAlert[]; until: number }[] = [];
  for (const alert of alerts) {
    const from = alert.changes[0]?.t ?? 0;
    const row = rows.find(({ until }) => until <= from) ?? { alerts: [], until: 0 };
    if (row.alerts.length === 0) rows.push(row);
    row.alerts.push(alert);
    row.until = alert.endedT ?? endMs;
  }
  return rows.map((row) => row.alerts);
}

const shortened = (name: string): string => (name.length > 20 ? `${name.slice(0, 19)}…` : name);

const told = (t: number, text: string): Html => html`<title>${formatClockTime(t)}  ${text}</title>`;

function stepMark({ t, text, kind, line }: ToldStep, x: Across): Html {
  if (kind === 'mark')
    return html`<path class="mark" d="M${x(t)} 2v18"><title>${formatClockTime(t)}  ${text}</title></path>`;
  const sign = kind === 'passed' || kind === 'failed' || kind === 'refused' ? kind : 'step';
  const y = sign === 'step' ? 15 : 7;
  return html`<a href="#line-${line}"><circle class="${sign}" cx="${x(t)}" cy="${y}" r="${sign === 'step' ? 2.5 : 4}">${told(t, `line ${line}: ${text}`)}</circle></a>`;
}

function alertBar({ type, severity, title, changes, endedT }: ToldAlert, x: Across, endMs: number): Html[] {
  const [first] = changes;
  if (first === undefined) return [];
  const from = x(first.t);
  const width = round(Math.max(3, x(endedT ?? endMs) - from));
  return [
    html`<rect class="alert ${severity}" x="${from}" y="4" width="${width}" height="13" rx="3">${told(first.t, `${title} (${type}, ${severity})`)}</rect>`,
    ...(width > 70 ? [html`<text class="within" x="${from + 5}" y="14">${type}</text>`] : []),
    ...changes
      .slice(1)
      .map(
        ({ t, what, by }) =>
          html`<path class="change" d="M${x(t)} 3v15">${told(t, by === null ? what : `${what} by ${by}`)}</path>`,
      ),
  ];
}

/** One bar a phase, so that the eye sees when the kind or the phase changed. */
function musterBar({ counts }: ToldMuster, x: Across, endMs: number): Html[] {
  const bars: Html[] = [];
  for (let from = 0; from < counts.length; ) {
    const { t, kind, phase } = counts[from] as ToldMuster['counts'][number];
    let to = from + 1;
    while (to < counts.length && counts[to]?.phase === phase && counts[to]?.kind === kind) to += 1;
    const ended = phase === 'completed' || phase === 'cancelled';
    const end = ended ? t : (counts[to]?.t ?? endMs);
    const width = round(Math.max(3, x(end) - x(t)));
    bars.push(
      html`<rect class="muster ${phase}" x="${x(t)}" y="4" width="${width}" height="13" rx="3">${told(t, `${kind}, ${phase}`)}</rect>`,
    );
    if (width > 90) bars.push(html`<text class="within" x="${x(t) + 5}" y="14">${kind}, ${phase}</text>`);
    from = to;
  }
  return bars;
}

const attemptDots = ({ attempts }: ToldReceiver, x: Across): Html[] =>
  attempts.map(
    ({ t, eventType, try: tries, status, result }) =>
      html`<circle class="${result}" cx="${x(t)}" cy="11" r="3.5">${told(t, `${eventType}, try ${tries}: ${status ?? 'no answer'}, ${result}`)}</circle>`,
  );
