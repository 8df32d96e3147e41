/** Reads the stream with the page's ticket, disconnects while the page is hidden, and renews an expired ticket. [decisions 9, 10] */
import { afterMs } from '../../base/page-time.ts';
import type { StreamChange, StreamSnapshot } from '../../contract/stream.ts';

export interface PageStreamHandler {
  snapshot(snapshot: StreamSnapshot): void;
  change(change: StreamChange): void;
  /** Null: connected; else why not. */
  state(why: string | null): void;
}

/** Delay of a reconnect that EventSource does not make itself; wall ms. */
const RETRY_MS = 2_000;
/** Browsers allow six connections per host over all tabs, so a page that stays hidden closes its own. */
const REST_MS = 20_000;

export function openPageStream(firstTicket: string, hears: PageStreamHandler): void {
  let ticket = firstTicket;
  let source: EventSource | null = null;
  let stayAwake = (): void => {};

  const open = (): void => {
    source?.close();
    const opened = new EventSource(`/v1/sandbox/stream?ticket=${ticket}`);
    source = opened;
    opened.addEventListener('snapshot', ({ data }) => {
      hears.state(null);
      hears.snapshot(JSON.parse(data) as StreamSnapshot);
    });
    opened.addEventListener('change', ({ data }) => hears.change(JSON.parse(data) as StreamChange));
    opened.addEventListener('open', () => hears.state(null));
    opened.addEventListener('error', () => {
      hears.state('The sandbox does not answer; trying again');
      // EventSource reconnects by itself, except after an answer that is not a stream: then the ticket has expired.
      if (opened.readyState === EventSource.CLOSED && source === opened) afterMs(RETRY_MS, () => void renew());
    });
  };

  const renew = async (): Promise<void> => {
    try {
      const page = await (await fetch('/panel')).text();
      ticket = new DOMParser().parseFromString(page, 'text/html').body.dataset['ticket'] ?? ticket;
    } catch {
      // Not back yet.
    }
    if (!document.hidden) open();
  };

  document.addEventListener('visibilitychange', () => {
    stayAwake();
    if (!document.hidden && source === null) return open();
    if (document.hidden)
      stayAwake = afterMs(REST_MS, () => {
        source?.close();
        source = null;
      });
  });
  open();
}
