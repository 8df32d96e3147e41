/** Output after the startup banner: one line per event and attempt, or JSON lines with `--json`. */

import type { Event } from '../../contract/events.ts';
import type { Notice } from '../../contract/notices.ts';
import { type ColourToken, DELIVERY_TERMS, musterTerm, SEVERITY_TERMS } from '../../contract/resources/vocabulary.ts';
import { RESULT_TEXT } from '../../watching/state/deliveries.ts';
import { eventSigns } from '../event-signs.ts';
import { colourOf } from '../output.ts';

/** The notice as a line of text; null for unimportant notices. */
export function liveLine(notice: Notice): string | null {
  const paint = colourOf(process.stderr);
  const at = paint('dim', notice.at.slice(11, 23));
  switch (notice.kind) {
    case 'event-occurred': {
      const { event } = notice;
      const title = 'alert' in event.data ? event.data.alert.title : event.data.muster.site.name;
      return `${at}  ${paint(toneOf(event), event.type.padEnd(27))} ${eventSigns(event, process.stderr)}${title}${notice.listed ? '' : ' (test)'}`;
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
      return `${at}  ${paint('dim', 'delivery'.padEnd(27))} ${event_type} → ${url}  ${how}  try ${notice.try}, ${took} ms${next}`;
    }
    case 'watch-refused':
      return `${at}  ${paint('amber', 'refused'.padEnd(27))} ${notice.serial ?? 'somebody'}: ${notice.what}: ${notice.why}`;
    case 'watch-noted':
      return `${at}  ${paint('amber', 'odd'.padEnd(27))} ${notice.serial}: ${notice.what}: ${notice.why}`;
    case 'internal-error': {
      const again = notice.times > 1 ? ` (${notice.times} times)` : '';
      return `${at}  ${paint('red', 'our bug'.padEnd(27))} ${notice.part} ${notice.what} failed${again} and was ended; the rest goes on: ${notice.detail}`;
    }
    case 'broker-changed':
      return `${at}  ${paint(notice.connected ? 'green' : 'red', 'broker'.padEnd(27))} ${notice.detail}`;
    case 'nodes-changed':
      return `${at}  ${paint('teal', 'nodes'.padEnd(27))} ${notice.detail}`;
    case 'run-stopped':
      return `${at}  ${paint('red', 'run stopped'.padEnd(27))} ${notice.scenario}: ${notice.detail}`;
    case 'storage-full':
      return `${at}  ${paint('red', 'not written'.padEnd(27))} ${notice.detail}`;
    case 'storage-broken':
      return `${at}  ${paint('red', 'disk broken'.padEnd(27))} ${notice.detail}`;
    case 'mail-sent':
      return `${at}  ${paint('amber', 'e-mail'.padEnd(27))} to ${notice.to}: ${notice.subject}`;
    case 'mail-refused': {
      const then = notice.again ? 'it is tried again' : 'it will not be tried again';
      return `${at}  ${paint('red', 'e-mail'.padEnd(27))} to ${notice.to} was not taken: ${notice.why}; ${then}`;
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
