/** Listens to the stream with the page's ticket, rests while nobody looks at the page, and gets a new ticket when the old one has ended. [decisions 9, 10] */
import { afterMs } from '../../base/page-time.ts';
import type { StreamChange, StreamSnapshot } from '../../contract/stream.ts';

export interface PageStreamHandler {
  snapshot(snapshot: StreamSnapshot): void;
  change(change: StreamChange): void;
  /** Null: it lives; else why not. */
  state(why: string | null): void;
}

/** Wall ms between two tries where the browser does not try by itself. */
const RETRY_MS = 2_000;
/** Browsers give a host six connections over all tabs: a page that nobody looks at gives its own back. */
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
      // The browser comes back by itself, but for an answer that is no stream: then the ticket has ended.
      if (opened.readyState === EventSource.CLOSED && source === opened) afterMs(RETRY_MS, () => void renew());
    });
  };

  const renew = async (): Promise<void> => {
    try {
      const page = await (await fetch('/panel')).text();
      ticket = new DOMParser().parseFromString(page, 'text/html').body.dataset['ticket'] ?? ticket;
    } catch {
      // It is not back yet.
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
