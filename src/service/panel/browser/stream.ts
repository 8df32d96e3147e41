/** Reads the stream with the page's ticket, disconnects while the page is hidden, and renews an expired ticket. [decisions 9, 10] */
import { afterMs } from '../../../base/time/page-time.ts';
import type { StreamChange, StreamSnapshot } from '../../../contract/stream.ts';
import { ROOT } from '../../../watching/updates/morph.ts';

interface PageStreamHandler {
  snapshot(snapshot: StreamSnapshot): void;
  change(change: StreamChange): void;
  /** Called with null when connected; otherwise with the reason. */
  state(why: string | null): void;
}

/** Delay of a reconnect that EventSource does not do itself; wall ms. */
const RETRY_MS = 2_000;
/**
 * A page that is hidden for this time closes its connection, because browsers allow only six connections per host in
 * all tabs; wall ms.
 */
const REST_MS = 20_000;

/** Keeps one connection with a valid ticket while the page is visible. A page without a ticket is not live. */
export function openPageStream(ticket: string, handler: PageStreamHandler): void {
  if (ticket === '') return;
  const connection = new TicketedConnection(ticket, handler);
  document.addEventListener('visibilitychange', () => (document.hidden ? connection.rest() : connection.wake()));
  connection.open();
}

class TicketedConnection {
  readonly #handler: PageStreamHandler;
  #ticket: string;
  /** Null while the connection is closed because the page is hidden. */
  #source: EventSource | null = null;
  #cancelRest = (): void => {};

  constructor(ticket: string, handler: PageStreamHandler) {
    this.#ticket = ticket;
    this.#handler = handler;
  }

  open(): void {
    this.#source?.close();
    const source = new EventSource(`${ROOT}/v1/sandbox/stream?ticket=${this.#ticket}`);
    this.#source = source;
    const handler = this.#handler;
    source.addEventListener('open', () => handler.state(null));
    source.addEventListener('snapshot', ({ data }) => {
      handler.state(null);
      handler.snapshot(JSON.parse(data) as StreamSnapshot);
    });
    source.addEventListener('change', ({ data }) => handler.change(JSON.parse(data) as StreamChange));
    source.addEventListener('error', () => this.#failed(source));
  }

  wake(): void {
    this.#cancelRest();
    if (this.#source === null) this.open();
  }

  /** Closes the connection after a while. */
  rest(): void {
    this.#cancelRest();
    this.#cancelRest = afterMs(REST_MS, () => {
      this.#source?.close();
      this.#source = null;
    });
  }

  #failed(source: EventSource): void {
    this.#handler.state('The sandbox does not answer; trying again');
    // EventSource reconnects by itself, except after a reply that is not a stream; in that case the ticket has expired.
    if (source.readyState === EventSource.CLOSED && source === this.#source)
      afterMs(RETRY_MS, () => void this.#renewTicket());
  }

  async #renewTicket(): Promise<void> {
    try {
      const page = await (await fetch(`${ROOT}/panel`)).text();
      const { body } = new DOMParser().parseFromString(page, 'text/html');
      this.#ticket = body.dataset['ticket'] ?? this.#ticket;
    } catch {
      // The server is not available yet.
    }
    if (!document.hidden) this.open();
  }
}
