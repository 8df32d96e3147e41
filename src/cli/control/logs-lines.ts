/** The rows of `sandbox logs` as lines of the terminal. [cli] */

import type { Severity } from '../../contract/enumerations.ts';
import type { Event } from '../../contract/events.ts';
import type { DeliveryAttempt } from '../../contract/resources/logs.ts';
import { type ColourToken, DELIVERY_TERMS, musterTerm, SEVERITY_TERMS } from '../../contract/resources/vocabulary.ts';
import type { Muster } from '../../contract/resources.ts';
import { aboutText } from '../../watching/state/deliveries.ts';
import { eventSigns } from '../event-signs.ts';
import { colourOf } from '../output.ts';

export type LogsRow = Readonly<Record<string, unknown>> & { readonly id: string };

type Facts = Readonly<Record<string, unknown>>;

/** The logs of a running sandbox. */
export const LOGS = ['requests', 'deliveries', 'events', 'watches', 'mail'] as const;
export type LogsKind = (typeof LOGS)[number];

/** How a row is shown. */
interface RowLook {
  /** The time that begins the first line. */
  readonly when?: string;
  /** Whether the line ends with the event's id. */
  readonly hasIds?: boolean;
  /** The event of an attempt, which names it. */
  readonly event?: Event | null;
}

/** Returns the lines of one row. */
export function linesOf(
  kind: LogsKind,
  row: LogsRow,
  { when = clockOf(row), hasIds = true, event = null }: RowLook = {},
): readonly string[] {
  const time = colourOf(process.stdout)('dim', when);
  switch (kind) {
    case 'requests':
      return requestLines(row, time);
    case 'deliveries':
      return [deliveryLine(row, time, hasIds, event)];
    case 'events':
      return [eventLine(row, time, hasIds)];
    case 'watches':
      return [watchLine(row, time)];
    case 'mail':
      return mailLines(row, time);
  }
}

const clockOf = (row: LogsRow): string => String(row['at'] ?? row['created_at']).slice(11, 23);

/** A line per request. For a problem, its message and its fix follow, as the panel's page of calls shows them. */
function requestLines(row: LogsRow, time: string): readonly string[] {
  const paint = colourOf(process.stdout);
  const status = Number(row['status']);
  // For a connection that ended before it sent a request, only the reason is known.
  const isRequest = row['method'] !== '-';
  const query = row['query'] === '' ? '' : `?${row['query']}`;
  const warnings = (row['warnings'] as string[]).map((warning) => `  ${paint('amber', warning)}`).join('');
  const code = row['code'] === null ? '' : `  ${row['code']}`;
  const line = `${time}  ${paint(status < 400 ? 'green' : 'red', String(status))}  ${isRequest ? `${String(row['method']).padEnd(6)} ${row['path']}${query}` : `-      ${row['note'] ?? '-'}`}  ${paint('dim', `${row['client_id'] ?? '-'}  ${row['took_ms']} ms`)}${code}${warnings}`;
  const places = (row['errors'] as { pointer: string; detail: string }[]).map(
    ({ pointer, detail }) => `${INDENT}${pointer} ${detail}`,
  );
  const detail = row['detail'] === null ? [] : [`${INDENT}${row['detail']}`];
  const fix = row['fix'] === null ? [] : [paint('dim', `${INDENT}fix: ${row['fix']}`)];
  return [line, ...detail, ...places, ...fix];
}

export const INDENT = ' '.repeat(14);

/** An attempt; in the log of a run, with the receiver's name instead of its address, and without real times. */
function deliveryLine(row: LogsRow, time: string, hasIds: boolean, event: Event | null): string {
  const paint = colourOf(process.stdout);
  const delivered = row['result'] === 'delivered';
  const came = String(row['error'] ?? row['status'] ?? 'no answer');
  const { token } = DELIVERY_TERMS[row['result'] as DeliveryAttempt['result']] ?? DELIVERY_TERMS.failed;
  const how = paint(token, delivered ? String(row['status']) : came);
  const { url } = (row['request'] ?? {}) as { url?: string };
  const to = url ?? row['receiver'] ?? 'another destination';
  const took = row['took_ms'] === undefined ? [] : [`${row['took_ms']} ms`];
  const facts = [...took, ...(hasIds ? [`event ${row['event_id']}`] : [])].join(', ');
  const about = event === null ? '' : `${eventSigns(event, process.stdout)}${aboutText(event)}  `;
  return `${time}  ${String(row['event_type']).padEnd(26)} ${about}→ ${to}  ${how}  try ${row['try']}  ${paint('dim', facts)}`;
}

function watchLine(row: LogsRow, time: string): string {
  const paint = colourOf(process.stdout);
  const colour = row['kind'] === 'refused' ? 'red' : row['kind'] === 'noted' ? 'amber' : 'green';
  const text = [row['what'], row['why']].filter((word) => word !== null).join(': ');
  return `${time}  ${paint(colour, String(row['kind']).padEnd(8))} ${row['serial'] ?? 'somebody'}  ${text}`;
}

function eventLine(row: LogsRow, time: string, hasIds: boolean): string {
  const paint = colourOf(process.stdout);
  const { alert, muster } = row['data'] as Record<string, Facts | undefined>;
  const about =
    alert === undefined
      ? `${muster?.['kind']} muster, ${musterTerm(muster as unknown as Muster).word}`
      : String(alert['title']);
  return `${time}  ${paint(toneOf(alert, muster), String(row['type']).padEnd(26))} ${about}${hasIds ? `  ${paint('dim', `event ${row['id']}`)}` : ''}`;
}

/** As urgent as the alert, or as the muster's phase. */
const toneOf = (alert: Facts | undefined, muster: Facts | undefined): ColourToken =>
  alert === undefined
    ? musterTerm(muster as unknown as Muster).token
    : SEVERITY_TERMS[alert['severity'] as Severity].token;

/** The lines of the text are lines of the output; any other control character in it is escaped by the sink. */
function mailLines(row: LogsRow, time: string): readonly string[] {
  const text = String(row['text'])
    .trimEnd()
    .split(/\r\n|\r|\n/)
    .map((line) => `    ${line}`);
  return [`${time}  to ${row['to']}: ${colourOf(process.stdout)('bold', String(row['subject']))}`, ...text];
}
