/** The receivers of a scenario: real HTTP servers on this machine that check each delivery's signature and reply as the scenario says. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Outage } from '../../base/assert.ts';
import { forwardRequest } from '../../base/network/forward.ts';
import { type Clock, LANE } from '../../base/time/clock.ts';
import { type ReceiverBehaviour, SLOW_MS } from '../model/receiver-behaviour.ts';
import type { OnRunWait } from '../model/run-wait.ts';
import type { TrafficPort } from '../model/traffic-port.ts';
import { headerOf, readSigned, signatureFault } from './verify-signature.ts';

/** Maximum body size; events have a few kilobytes. */
const LARGEST_BODY = 1024 * 1024;

/** Maximum number of bodies that are kept for the reports of a run; the oldest are evicted. */
const MOST_KEPT = 1_000;

/** Target of redirects, which a sender must not follow. [spec 4] */
const ELSEWHERE = '/elsewhere';

/** While the API has an error, simulated time is held for the user's system for at most this time; wall ms. */
const TROUBLED_HOLD_MS = 100;

/** A delivery, as the receiver got it. */
export interface Received {
  readonly receiver: string;
  readonly eventId: string;
  readonly body: string;
  readonly signatures: number;
  /** The fault of the signature; null if it is valid. */
  readonly fault: string | null;
}

/** Default domain of receiver hosts. */
const DOMAIN = 'receiver.example';

/** Callbacks into the run, connected once the sandbox has started. */
interface ReceiverPorts {
  readonly park: Park;
  /** True while the API has an error, which the user's system may be waiting out. */
  isTroubled(): boolean;
  onReceived(received: Received): void;
  /** Decides about each delivery for the user's own system. Absent: all are passed on. */
  readonly fateOf?: TrafficPort['fateOf'] | undefined;
  readonly onWait?: OnRunWait | undefined;
  /** Called when the sandbox followed a redirect. */
  onFollowed(receiver: string): void;
}

/** Lets simulated time pass during a delayed reply; returns null if delays are in wall time. */
export type Park = (url: string, eventId: string) => (() => void) | null;

interface Receiver {
  readonly name: string;
  readonly server: Server;
  port: number;
  /** Newest first; two during a rotation. */
  secrets: Promise<readonly string[]>;
  tell: (secrets: readonly string[]) => void;
  does: readonly ReceiverBehaviour[];
  delayMs: number | null;
  /** The user's own system, which gets accepted deliveries and sends its own replies. */
  target: URL | null;
}

export class BuiltInReceivers {
  readonly received: Received[] = [];
  /** By receiver and event: whether all its deliveries were validly signed. */
  readonly #sound = new Map<string, boolean>();
  /** By receiver and event: the time at which its last delivery was forwarded to the user's system; monotonic ms. */
  readonly #passed = new Map<string, number>();
  /** Deliveries to which the user's system has not replied yet; each function lets simulated time pass. */
  readonly #atSystem = new Set<() => void>();
  /** Host name -> address, for the start of the sandbox. */
  readonly forwards = new Map<string, string>();
  readonly #receivers = new Map<string, Receiver>();
  readonly #clock: Clock;
  #ports: ReceiverPorts = { park: () => null, isTroubled: () => false, onReceived: () => {}, onFollowed: () => {} };

  readonly #domain: string;

  constructor(clock: Clock, domain = DOMAIN) {
    this.#clock = clock;
    this.#domain = domain;
  }

  /** The host in the URL of the destination; the sandbox forwards requests for it to this receiver. */
  hostOf(name: string): string {
    return `${name}.${this.#domain}`;
  }

  async start(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const server = createServer((request, response) => void this.#receive(receiver, request, response));
      const receiver: Receiver = {
        name,
        server,
        port: 0,
        secrets: Promise.resolve([]),
        tell: () => {},
        does: ['ok'],
        delayMs: null,
        target: null,
      };
      this.#receivers.set(name, receiver);
      this.awaitSecret(name);
      await listening(receiver);
      this.forwards.set(this.hostOf(name), `http://127.0.0.1:${receiver.port}`);
    }
  }

  /** Called when the sandbox has started. */
  connect(ports: ReceiverPorts): void {
    this.#ports = ports;
  }

  urlOf(name: string): string {
    return `https://${this.hostOf(name)}/`;
  }

  /** From now on, deliveries that would be accepted are forwarded to the user's own system. */
  passOn(name: string, target: URL): void {
    const receiver = this.#receivers.get(name);
    if (receiver !== undefined) receiver.target = target;
  }

  /**
   * Returns the time at which the delivery of this event that has just ended was forwarded, monotonic ms; null if it
   * was not forwarded. The time is returned only once.
   */
  takePassedAt(name: string, eventId: string): number | null {
    const key = `${name} ${eventId}`;
    const at = this.#passed.get(key) ?? null;
    // The next attempt may not reach this receiver, so the old time must not apply to it.
    this.#passed.delete(key);
    return at;
  }

  /**
   * Called when the API refused a request of the user's system. A system that waits for the API before it replies to a
   * delivery would wait forever, because its unanswered delivery holds simulated time. So time passes now.
   */
  letTimePass(): void {
    for (const park of this.#atSystem) park();
    this.#atSystem.clear();
  }

  /** Sets the behaviour; false for a receiver that is not built in. */
  async behave(name: string, does: readonly ReceiverBehaviour[], delayMs: number | null): Promise<boolean> {
    const receiver = this.#receivers.get(name);
    if (receiver === undefined) return false;
    Object.assign(receiver, { does, delayMs });
    if (does[0] === 'refuse') {
      // Closing the server breaks off running deliveries, which is not a reply of the system.
      for (const key of this.#passed.keys()) if (key.startsWith(`${name} `)) this.#passed.delete(key);
      await closed(receiver.server);
    } else if (!receiver.server.listening) await listening(receiver);
    return true;
  }

  /** Returns the soundness of all signatures of this event; null if the event was not received. */
  soundness(name: string, eventId: string): 'valid' | 'unsound' | null {
    const sound = this.#sound.get(`${name} ${eventId}`);
    return sound === undefined ? null : sound ? 'valid' : 'unsound';
  }

  /**
   * A secret is being issued. Verification waits for it, because a delivery may arrive before the reply that contains
   * the secret.
   */
  awaitSecret(name: string): void {
    const receiver = this.#receivers.get(name);
    if (receiver === undefined) return;
    receiver.secrets = new Promise((resolve) => {
      receiver.tell = resolve;
    });
  }

  /** Sets the secrets of this receiver, newest first. */
  setSecrets(name: string, secrets: readonly string[]): void {
    this.#receivers.get(name)?.tell(secrets);
  }

  async stop(): Promise<void> {
    const servers = [...this.#receivers.values()].map(({ server }) => server);
    this.#receivers.clear();
    await Promise.all(servers.map(closed));
  }

  async #receive(receiver: Receiver, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const signed = await readSigned(request, LARGEST_BODY);
    if (signed === null) return void response.writeHead(413).end();
    const { name } = receiver;
    if (request.url === ELSEWHERE) this.#ports.onFollowed(name);
    const secrets = await receiver.secrets;
    const fault =
      request.method === 'POST'
        ? signatureFault(signed, secrets, this.#clock.wall())
        : `${request.method} instead of POST`;
    const eventId = headerOf(request, 'x-service-event-id') ?? '';
    const signatures = (signed.signature ?? '').split(',').length;
    const received: Received = { receiver: name, eventId, body: signed.body.toString('utf8'), signatures, fault };
    this.received.push(received);
    if (this.received.length > MOST_KEPT) this.received.shift();
    const key = `${name} ${eventId}`;
    this.#sound.set(key, fault === null && this.#sound.get(key) !== false);
    this.#ports.onReceived(received);
    if (fault !== null) return void response.writeHead(400).end();
    const behaviour = nextOf(receiver);
    const delayMs = receiver.delayMs ?? (behaviour === 'slow' ? SLOW_MS : 0);
    this.#passed.delete(key);
    const { target } = receiver;
    if (target !== null && (behaviour === 'ok' || behaviour === 'slow' || behaviour === 'lost_answer')) {
      const fate = this.#ports.fateOf?.(received) ?? 'passed';
      if (fate !== 'passed') return answer(fate === 'refused' ? 503 : 'ok', request, response);
      const isLost = behaviour === 'lost_answer';
      const pass = () => {
        // A lost reply must not be evaluated as a reply of the system.
        if (!isLost) this.#passed.set(key, this.#clock.monotonic());
        let resume: (() => void) | null = null;
        const park = () => {
          resume = this.#ports.park(this.urlOf(name), eventId);
        };
        this.#atSystem.add(park);
        // Only this delivery: a delivery that arrives after the error keeps its hold on simulated time.
        if (this.#ports.isTroubled())
          this.#clock.afterWall(TROUBLED_HOLD_MS, () => void (this.#atSystem.delete(park) && park()), { unref: true });
        const waited = this.#ports.onWait?.('delivery');
        const over = () => {
          waited?.();
          this.#atSystem.delete(park);
          resume?.();
        };
        passOn(target, request, signed.body, isLost ? null : response, over);
      };
      // These behaviours simulate a slow network, not a slow system: the delivery arrives late.
      if (behaviour !== 'slow' && receiver.delayMs === null) pass();
      else this.#after(delayMs, name, eventId, pass);
    } else if (behaviour === 'hang') this.#ports.park(this.urlOf(name), eventId);
    else if (delayMs === 0) answer(behaviour, request, response);
    else this.#after(delayMs, name, eventId, () => answer(behaviour, request, response));
  }

  /** Waits in simulated time in a fast run, else in wall time. [decisions 7] */
  #after(delayMs: number, name: string, eventId: string, task: () => void): void {
    const resume = this.#ports.park(this.urlOf(name), eventId);
    if (resume === null) return void this.#clock.afterWall(delayMs, task, { unref: true });
    const key = { lane: LANE.delivery, actor: `receiver ${name} ${eventId}` };
    this.#clock.at(this.#clock.now() + delayMs, key, () => {
      resume();
      task();
    });
  }
}

/** Returns the next behaviour of the list; the last one repeats. */
function nextOf(receiver: Receiver): ReceiverBehaviour {
  const [next = 'ok', ...rest] = receiver.does;
  if (rest.length > 0) receiver.does = rest;
  return next;
}

function answer(behaviour: ReceiverBehaviour, { socket }: IncomingMessage, response: ServerResponse): void {
  if (socket.destroyed) return;
  switch (behaviour) {
    case 'ok':
    case 'slow':
      return void response.writeHead(204).end();
    case 'redirect':
      return void response.writeHead(302, { location: ELSEWHERE }).end();
    case 'reset':
    case 'lost_answer':
      return void socket.resetAndDestroy();
    case 'garbage':
      return void socket.end('This is not HTTP.\r\n\r\n');
    case 'hang':
    case 'refuse':
      return;
    default:
      return void response.writeHead(behaviour, isRedirect(behaviour) ? { location: ELSEWHERE } : {}).end();
  }
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/**
 * Forwards the delivery and returns the reply of the user's own system. Without a reply, or if `response` is null, the
 * connection is broken off. `over`: called when the reply has arrived or failed.
 */
function passOn(
  target: URL,
  delivery: IncomingMessage,
  body: Buffer,
  response: ServerResponse | null,
  over: () => void,
): void {
  const { socket } = delivery;
  const request = forwardRequest(delivery, target.href, [['Content-Length', String(body.length)]], (answered) => {
    answered.on('error', () => socket.destroy());
    over();
    if (response === null) {
      answered.resume();
      return void socket.resetAndDestroy();
    }
    response.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(response);
  });
  request.on('error', () => {
    over();
    socket.destroy();
  });
  // If the sender closes the connection, the forwarded request ends too.
  response?.on('close', () => request.destroy());
  request.end(body);
}

async function listening(receiver: Receiver): Promise<void> {
  const { server, name } = receiver;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(receiver.port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  }).catch((cause: Error) => {
    throw new Outage({
      code: 'receiver_port_taken',
      message: `The receiver ${name} cannot listen again: ${cause.message}.`,
      fix: 'Another program took its port meanwhile. Run the scenario again.',
      cause,
    });
  });
  receiver.port = (server.address() as AddressInfo).port;
}

function closed(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
