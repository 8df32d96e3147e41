/** Output after the startup banner: one line per event and attempt, or JSON lines with `--json`. On a terminal a destination that fails has one line until it answers again. */

import type { Event } from '../../contract/events.ts';
import type { Notice } from '../../contract/notices.ts';
import { type ColourToken, DELIVERY_TERMS, musterTerm, SEVERITY_TERMS } from '../../contract/resources/vocabulary.ts';
import { RESULT_TEXT } from '../../watching/state/deliveries.ts';
import { AttemptLog } from '../deliveries/failing.ts';
import { eventSigns } from '../event-signs.ts';
import { LiveLines } from '../live-lines.ts';
import { colourOf } from '../output.ts';

export class UpLines {
  readonly #lines: LiveLines;
  readonly #attempts: AttemptLog;

  constructor(stream: NodeJS.WriteStream) {
    this.#lines = new LiveLines(stream);
    this.#attempts = new AttemptLog(this.#lines, colourOf(process.stderr));
  }

  tell(notice: Notice): void {
    const text = liveText(notice);
    if (notice.kind === 'destination-deleted') return this.#attempts.release(notice.destination_id);
    if (text === null) return;
    const at = colourOf(process.stderr)('dim', notice.at.slice(11, 23));
    const lines = [`${at}  ${text}`];
    if (notice.kind === 'delivery-attempted')
      return this.#attempts.add(notice.destination_id, notice.url, notice, { lines, isOwn: notice.result === 'lost' });
    // An event is a line of its own, also if the next one has the same words.
    this.#lines.add(lines, notice.kind === 'event-occurred' ? null : text);
  }
}

/** The notice as a text without its time; null for unimportant notices. */
function liveText(notice: Notice): string | null {
  const paint = colourOf(process.stderr);
  switch (notice.kind) {
    case 'event-occurred': {
      const { event } = notice;
      const title = 'alert' in event.data ? event.data.alert.title : event.data.muster.site.name;
      return `${paint(toneOf(event), event.type.padEnd(27))} ${eventSigns(event, process.stderr)}${title}${notice.listed ? '' : ' (test)'}`;
    }
    case 'delivery-attempted': {
      const { event_type, url, result, status, error, took_ms } = notice;
      const how = paint(DELIVERY_TERMS[result].token, result === 'delivered' ? `${status}` : (error ?? `${status}`));
      const took = took_ms < 10 ? took_ms.toFixed(1) : took_ms.toFixed(0);
      const next =
        result === 'lost'
          ? paint(DELIVERY_TERMS.lost.token, `  ${RESULT_TEXT.lost}`)
          : result === 'waiting'
            ? `  ${RESULT_TEXT.failed}`
            : '';
      return `${paint('dim', 'delivery'.padEnd(27))} ${event_type} → ${url}  ${how}  try ${notice.try}, ${took} ms${next}`;
    }
    case 'watch-refused':
      return `${paint('amber', 'refused'.padEnd(27))} ${notice.serial ?? 'somebody'}: ${notice.what}: ${notice.why}`;
    case 'watch-noted':
      return `${paint('amber', 'odd'.padEnd(27))} ${notice.serial}: ${notice.what}: ${notice.why}`;
    case 'internal-error': {
      const again = notice.times > 1 ? ` (${notice.times} times)` : '';
      return `${paint('red', 'our bug'.padEnd(27))} ${notice.part} ${notice.what} failed${again} and was ended; the rest goes on: ${notice.detail}`;
    }
    case 'broker-changed':
      return `${paint(notice.connected ? 'green' : 'red', 'broker'.padEnd(27))} ${notice.detail}`;
    case 'nodes-changed':
      return `${paint('teal', 'nodes'.padEnd(27))} ${notice.detail}`;
    case 'run-stopped':
      return `${paint('red', 'run stopped'.padEnd(27))} ${notice.scenario}: ${notice.detail}`;
    case 'storage-full':
      return `${paint('red', 'not written'.padEnd(27))} ${notice.detail}`;
    case 'storage-broken':
      return `${paint('red', 'disk broken'.padEnd(27))} ${notice.detail}`;
    case 'mail-sent':
      return `${paint('amber', 'e-mail'.padEnd(27))} to ${notice.to}: ${notice.subject}`;
    case 'mail-refused': {
      const then = notice.again ? 'it is tried again' : 'it will not be tried again';
      return `${paint('red', 'e-mail'.padEnd(27))} to ${notice.to} was not taken: ${notice.why}; ${then}`;
    }
    case 'alert-changed':
    case 'muster-changed':
    case 'request-answered':
    case 'destination-changed':
    case 'destination-deleted':
    case 'watch-online':
    case 'watch-offline':
    case 'uplink-heard':
      return null;
  }
}

/** As urgent as the alert, or as the muster's phase. */
const toneOf = ({ data }: Event): ColourToken =>
  'alert' in data ? SEVERITY_TERMS[data.alert.severity].token : musterTerm(data.muster).token;

const QUIET: ReadonlySet<Notice['kind']> = new Set([
  ...(['alert-changed', 'muster-changed', 'uplink-heard', 'request-answered'] as const),
]);

/** The notice as `{"event", "at", ...}`; null for notices that are very frequent. */
export function liveObject(notice: Notice): Record<string, unknown> | null {
  if (QUIET.has(notice.kind)) return null;
  const { kind, at, ...rest } = notice;
  if (notice.kind === 'event-occurred') {
    const { id, type, site_id, data } = notice.event;
    const object = 'alert' in data ? { alert_id: data.alert.id } : { muster_id: data.muster.id };
    return { event: kind, at, id, type, site_id, ...object };
  }
  return { event: kind, at, ...rest };
}
