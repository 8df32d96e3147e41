/**
 * A receiver in the caller's process: an HTTP server on loopback that is subscribed to events and verifies each
 * delivery.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LISTEN_PATH } from '../base/network/program-agent.ts';
import { later, wallMs } from '../base/time/timers.ts';
import { list } from '../contract/sentences.ts';
import { readSigned, signatureFault } from '../scenario/customer/verify-signature.ts';
import type { Event, EventSelector } from './contract-types.ts';
import { refuseUnknown } from './errors.ts';
import type { EventOf, ReceivedDelivery, Receiver, ReceiverOptions, WantedEvent } from './types.ts';

/**
 * The default limit of a wait for an effect; of `sandbox.wait` too. Test runners end a test after 5 s and print nothing of
 * what it waits for, so a wait must give up before, with its reason.
 */
export const GIVE_UP_MS = 4_000;

/** Maximum number of received events in the message about an event that did not come. */
const MOST_LISTED = 10;

interface Waiting {
  readonly fits: (event: Event) => boolean;
  readonly resolve: (event: Event) => void;
}

/** Subscribes an address and returns the secret. `unsubscribe` ends the subscription. */
export interface Subscription {
  subscribe(url: string, options: ReceiverOptions): Promise<{ readonly secret: string }>;
  unsubscribe(): Promise<void>;
}

export class InProcessReceiver implements Receiver {
  url = '';
  secret = '';
  deliveries: ReceivedDelivery[] = [];
  readonly #server: Server;
  readonly #options: ReceiverOptions;
  readonly #subscription: Subscription;
  /** Verified events that no `next` has returned, in the order of arrival. */
  #fresh: Event[] = [];
  #seen = new Set<string>();
  readonly #waiting = new Set<Waiting>();
  #stopping: Promise<void> | null = null;

  private constructor(options: ReceiverOptions, subscription: Subscription) {
    this.#options = options;
    this.#subscription = subscription;
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  static async start(options: ReceiverOptions, subscription: Subscription): Promise<InProcessReceiver> {
    const receiver = new InProcessReceiver(options, subscription);
    const server = receiver.#server;
    await new Promise<void>((listening, failed) => {
      server.once('error', failed).listen(0, '127.0.0.1', listening);
    });
    receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${LISTEN_PATH}`;
    try {
      await receiver.begin();
    } catch (error) {
      server.close();
      throw error;
    }
    return receiver;
  }

  /** Subscribes, and forgets what was received before. Also called after a reset, which ends subscriptions. */
  async begin(): Promise<void> {
    this.deliveries = [];
    this.#fresh = [];
    this.#seen = new Set();
    this.secret = (await this.#subscription.subscribe(this.url, this.#options)).secret;
  }

  next<const T extends EventSelector>(wanted: WantedEvent<T> = {}): Promise<EventOf<T>> {
    refuseUnknown('next', wanted, ['type', 'about', 'where', 'timeoutMs']);
    const { timeoutMs = GIVE_UP_MS } = wanted;
    const fits = (event: Event) => isWanted(wanted, event);
    const index = this.#fresh.findIndex(fits);
    if (index >= 0) return Promise.resolve(this.#fresh.splice(index, 1)[0] as EventOf<T>);
    return new Promise((resolve, reject) => {
      const cancel = later(timeoutMs, () => {
        this.#waiting.delete(waiting);
        reject(new Error(`${wordsOf(wanted)} did not come within ${timeoutMs} ms. ${this.#whatCame(wanted)}`));
      });
      const waiting: Waiting = {
        fits,
        resolve: (event) => {
          cancel();
          resolve(event as EventOf<T>);
        },
      };
      this.#waiting.add(waiting);
    });
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #stop(): Promise<void> {
    await this.#subscription.unsubscribe();
    await new Promise<void>((closed) => {
      this.#server.close(() => closed());
      this.#server.closeAllConnections();
    });
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const signed = await readSigned(request);
    // The sender broke off the request, and will send it again.
    if (signed === null) return;
    const body = signed.body.toString();
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const fault = signatureFault(signed, [this.secret], wallMs());
    const event = fault === null ? (JSON.parse(body) as Event) : null;
    this.deliveries.push({ headers, body, event });
    response.writeHead(event === null ? 401 : 204).end();
    if (event !== null && !this.#seen.has(event.id)) this.#arrived(event);
  }

  #arrived(event: Event): void {
    this.#seen.add(event.id);
    const waiting = [...this.#waiting].find(({ fits }) => fits(event));
    if (waiting === undefined) {
      this.#fresh.push(event);
      return;
    }
    this.#waiting.delete(waiting);
    waiting.resolve(event);
  }

  #whatCame<T extends EventSelector>(wanted: WantedEvent<T>): string {
    const refused = this.deliveries.filter(({ event }) => event === null).length;
    const unsigned = refused === 0 ? '' : ` ${refused} deliveries had no valid signature.`;
    if (this.#seen.size === 0) return `Nothing came to ${this.url}.${unsigned}`;
    const fresh = new Set(this.#fresh.map(({ id }) => id));
    const events = this.deliveries.flatMap(({ event }) => event ?? []);
    const came = [...new Map(events.map((event) => [event.id, event])).values()];
    const isReturned = ({ id }: Event) => !fresh.has(id);
    const lines = came
      .slice(-MOST_LISTED)
      .map((event) => `\n  ${labelOf(event)}${isReturned(event) ? '  (returned by an earlier next)' : ''}`);
    const more = came.length > MOST_LISTED ? `, the last ${MOST_LISTED} of them` : '';
    const nearest = nearestOf(wanted, came, isReturned);
    return `${nearest}\nWhat came (${came.length}${more}):${lines.join('')}${unsigned}`;
  }
}

/** The event that lacks least, the newest of several, and what it lacks. */
function nearestOf<T extends EventSelector>(
  wanted: WantedEvent<T>,
  came: readonly Event[],
  isReturned: (event: Event) => boolean,
): string {
  const lacking = came.map((event) => ({ event, lacks: lacksOf(wanted, event, isReturned(event)) }));
  const least = Math.min(...lacking.map(({ lacks }) => lacks.length));
  const nearest = lacking.findLast(({ lacks }) => lacks.length === least);
  return nearest === undefined ? '' : `The nearest: ${labelOf(nearest.event)}: ${nearest.lacks.join('; ')}.`;
}

function lacksOf<T extends EventSelector>(wanted: WantedEvent<T>, event: Event, isReturned: boolean): string[] {
  const { type, about, where } = wanted;
  const { id } = objectOf(event);
  const fault = whereFault(where, event);
  const isOfType = isWanted({ ...(type === undefined ? {} : { type }) }, event);
  return [
    ...(isOfType ? [] : [`expected type ${type}, got ${event.type}`]),
    ...(about === undefined || id === about ? [] : [`expected about ${about}, got ${id}`]),
    // The condition of another type may read what this event does not have.
    ...(isOfType && fault !== null ? [fault] : []),
    ...(isReturned ? ['an earlier next returned it'] : []),
  ];
}

function isWanted<T extends EventSelector>({ type, about, where }: WantedEvent<T>, event: Event): boolean {
  const fits =
    type === undefined || event.type === type || (type.endsWith('.*') && event.type.startsWith(type.slice(0, -1)));
  return fits && (about === undefined || objectOf(event).id === about) && whereFault(where, event) === null;
}

/** Why an event does not fit the condition; null: it does. A condition that throws must not end the receiver. */
function whereFault<T extends EventSelector>(where: WantedEvent<T>['where'], event: Event): string | null {
  try {
    return (where?.(event as EventOf<T>) ?? true) ? null : 'it does not fit where';
  } catch (error) {
    return `where threw: ${error instanceof Error ? error.message : error}`;
  }
}

const objectOf = ({ data }: Event) => ('alert' in data ? data.alert : data.muster);

/** An event in a message, such as `alert.created  sos  W-001  3f1c…`. */
function labelOf(event: Event): string {
  const { data } = event;
  const what = 'alert' in data ? [data.alert.type, data.alert.worker?.external_id ?? ''] : [data.muster.kind];
  return [event.type, ...what, objectOf(event).id].filter((part) => part !== '').join('  ');
}

function wordsOf<T extends EventSelector>({ type, about, where }: WantedEvent<T>): string {
  const conditions = [
    ...(about === undefined ? [] : [`about ${about}`]),
    ...(where === undefined ? [] : ['that fits where']),
  ];
  return [type ?? 'Any event', list(conditions).replace(' or ', ' and ')].filter((part) => part !== '').join(' ');
}
