/** Output after the startup banner: one line per event and attempt, or JSON lines with `--json`. */
import type { Notice } from '../../contract/notices.ts';
import { colourOf } from '../output.ts';

/** The notice as a line of text; null for unimportant notices. */
export function liveLine(notice: Notice): string | null {
  const paint = colourOf(process.stderr);
  const at = paint(2, notice.at.slice(11, 23));
  switch (notice.kind) {
    case 'event-occurred': {
      const { event } = notice;
      const title = 'alert' in event.data ? event.data.alert.title : event.data.muster.site.name;
      return `${at}  ${paint(event.type === 'alert.created' ? 31 : 33, event.type.padEnd(27))} ${title}${notice.listed ? '' : ' (test)'}`;
    }
    case 'delivery-attempted': {
      const { event_type, url, result, status, error, took_ms } = notice;
      const how = result === 'delivered' ? paint(32, `${status}`) : paint(31, error ?? `${status}`);
      const took = took_ms < 10 ? took_ms.toFixed(1) : took_ms.toFixed(0);
      const next = result === 'lost' ? paint(31, '  given up') : result === 'waiting' ? '  will be tried again' : '';
      return `${at}  ${paint(2, 'delivery'.padEnd(27))} ${event_type} → ${url}  ${how}  try ${notice.try}, ${took} ms${next}`;
    }
    case 'watch-refused':
      return `${at}  ${paint(33, 'refused'.padEnd(27))} ${notice.serial ?? 'somebody'}: ${notice.what}: ${notice.why}`;
    case 'watch-noted':
      return `${at}  ${paint(33, 'odd'.padEnd(27))} ${notice.serial}: ${notice.what}: ${notice.why}`;
    case 'internal-error': {
      const again = notice.times > 1 ? ` (${notice.times} times)` : '';
      return `${at}  ${paint(31, 'our bug'.padEnd(27))} ${notice.part} ${notice.what} failed${again} and was ended; the rest goes on: ${notice.detail}`;
    }
    case 'broker-changed':
      return `${at}  ${paint(notice.connected ? 32 : 31, 'broker'.padEnd(27))} ${notice.detail}`;
    case 'nodes-changed':
      return `${at}  ${paint(36, 'nodes'.padEnd(27))} ${notice.detail}`;
    case 'run-stopped':
      return `${at}  ${paint(31, 'run stopped'.padEnd(27))} ${notice.scenario}: ${notice.detail}`;
    case 'storage-full':
      return `${at}  ${paint(31, 'not written'.padEnd(27))} ${notice.detail}`;
    case 'storage-broken':
      return `${at}  ${paint(31, 'disk broken'.padEnd(27))} ${notice.detail}`;
    case 'mail-sent':
      return `${at}  ${paint(33, 'e-mail'.padEnd(27))} to ${notice.to}: ${notice.subject}`;
    case 'mail-refused': {
      const then = notice.again ? 'it is tried again' : 'it will not be tried again';
      return `${at}  ${paint(31, 'e-mail'.padEnd(27))} to ${notice.to} was not taken: ${notice.why}; ${then}`;
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
