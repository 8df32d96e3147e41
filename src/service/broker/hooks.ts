/** The hooks that aedes calls: authentication, authorisation of publishes and subscriptions, and contact with the watch. */
import type { Duplex } from 'node:stream';
import type { Aedes, AedesOptions, AuthenticateError, Client, ConnectPacket, PublishPacket, Subscription } from 'aedes';
import { asError } from '../../base/assert.ts';
import type { Clock } from '../../base/time/clock.ts';
import { formatInstant } from '../../base/time/instants.ts';
import type { Engine } from '../engine/engine.ts';
import { admit, maySubscribe } from './access.ts';
import type { Downlinks } from './downlinks.ts';
import type { Intake } from './intake.ts';
import { type Refusals, Refused } from './refusals.ts';
import { Session } from './session.ts';
import type { Sessions } from './sessions.ts';

const OLD_MQTT = 'MQTT 3.1; the watch protocol is MQTT 3.1.1';

interface BrokerHooksParts {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly refusals: Refusals;
  readonly downlinks: Downlinks;
  readonly intake: Intake;
  /** True for a connection of the sandbox's own fleet. */
  readonly isOwn: (conn: Duplex) => boolean;
  readonly onTakeOver: (serial: string) => void;
  /** If true, MQTT 3.1 is refused. */
  readonly strict: boolean;
}

export class BrokerHooks {
  readonly #parts: BrokerHooksParts;
  readonly #connects = new WeakMap<Client, ConnectPacket>();

  constructor(parts: BrokerHooksParts) {
    this.#parts = parts;
  }

  /** The callbacks through which aedes requests decisions. */
  options(): AedesOptions {
    return {
      preConnect: (client, packet, callback) => {
        this.#connects.set(client, { ...packet });
        // Sessions are clean [watch-protocol]: aedes' queue for an absent client has no limit, and a birth fetches
        // everything that is open.
        packet.clean = true;
        callback(null, true);
      },
      authenticate: (client, username, password, done) => {
        const error = this.#contained('connect', FAILED, () => this.#letIn(client, username, password?.toString()));
        done(error, error === null);
      },
      authorizePublish: (client, packet, callback) => this.#onPublish(client, packet, callback),
      authorizeSubscribe: (client, subscription, callback) =>
        callback(
          null,
          this.#contained('subscribe', null, () => this.#grant(client, subscription)),
        ),
      authorizeForward: (client, packet) => this.#parts.downlinks.forward(client, packet),
    };
  }

  /**
   * aedes calls the hooks from a socket, where an exception would end the process. So an exception refuses the client
   * instead.
   */
  #contained<T>(what: string, otherwise: T, decide: () => T): T {
    try {
      return decide();
    } catch (error) {
      this.#parts.engine.failures.report({ part: 'uplink', what, error: asError(error) });
      return otherwise;
    }
  }

  /** Subscribes to the events of aedes. */
  observe(aedes: Aedes): void {
    const { sessions, downlinks, clock } = this.#parts;
    aedes.on('clientReady', (client) => {
      clock.arrive();
      this.#evictOthers(client);
    });
    aedes.on('subscribe', (_subscriptions, client) => this.#contactAtConnect(sessions.of(client)));
    aedes.on('unsubscribe', (filters, client) => {
      const session = sessions.of(client);
      // aedes also emits this at the end of a connection.
      if (session === undefined || client.closed) return;
      for (const filter of filters) session.subscriptions.delete(filter);
      this.#contactAtConnect(session);
    });
    aedes.on('ping', (_packet, client) => {
      const session = sessions.of(client);
      if (session !== undefined) clock.ordered('uplink', `${session.device.serial}/ping`, () => this.#contact(session));
    });
    aedes.on('ack', ({ messageId }, client) => {
      const session = sessions.of(client);
      if (session !== undefined && messageId !== undefined)
        downlinks.acknowledged(session, messageId, () => this.#contact(session));
    });
    aedes.on('clientError', (client, error) => this.#trouble(client, error));
    aedes.on('connectionError', (client, error) => this.#trouble(client, error));
  }

  #letIn(client: Client, username: string | undefined, password: string | undefined): AuthenticateError | null {
    const { engine, sessions, refusals, isOwn, onTakeOver, strict } = this.#parts;
    const { clientId = '', will, protocolVersion, clean } = this.#connects.get(client) ?? {};
    // The packet contains the key, and is no longer needed.
    this.#connects.delete(client);
    const admission = admit(engine.world, { clientId, username, password, will });
    if (!admission.admitted) {
      if (admission.returnCode === 4) refusals.refuseConnection('credentials', username ?? null, admission.why);
      else refusals.refuseConnection('client_id', username ?? null, admission.why);
      return Object.assign(new Refused(admission.why), { returnCode: admission.returnCode }) as AuthenticateError;
    }
    const { device } = admission;
    if (strict && protocolVersion === 3) {
      refusals.refuseConnection('protocol', device.serial, OLD_MQTT);
      // aedes answers with code 5, not 1: it refuses a version only before it calls this hook.
      return new Refused(OLD_MQTT) as unknown as AuthenticateError;
    }
    const socket = client.conn as Duplex;
    // The client disconnected while its key was checked, and its end was already handled.
    if (socket.destroyed) return new Refused('the connection has ended') as unknown as AuthenticateError;
    const session = new Session(client, device, clientId);
    sessions.add(session);
    if (protocolVersion === 3) refusals.note(device.serial, 'connection', OLD_MQTT);
    if (clean === false)
      refusals.note(
        device.serial,
        'connection',
        'asks for a kept session, and gets a clean one: it has to subscribe again',
      );
    // Not aedes' own event, which is not emitted for a client that disconnects between authentication and CONNACK.
    socket.once('close', () => this.#end(session));
    this.#contactAtConnect(session);
    // A client id with a suffix connects in addition to the watch; the exact id replaces its connection.
    if (clientId === device.serial && !isOwn(socket)) onTakeOver(device.serial);
    return null;
  }

  #end(session: Session): void {
    const { engine, clock, sessions } = this.#parts;
    session.end();
    const { serial } = session.device;
    if (!sessions.remove(session)) return;
    clock.ordered('connect', serial, () =>
      engine.notify({ kind: 'watch-offline', at: formatInstant(clock.now()), serial }),
    );
  }

  // aedes forgets the newer of two clients with one id if the older one was just ending. So the sessions are compared
  // here.
  #evictOthers(client: Client): void {
    const session = this.#parts.sessions.of(client);
    if (session === undefined) return;
    for (const other of [...this.#parts.sessions.ofWatch(session.device.serial)])
      if (other !== session && other.clientId === session.clientId) other.client.conn.destroy();
  }

  #onPublish(client: Client | null, packet: PublishPacket, callback: (error?: Error | null) => void): void {
    const session = client === null ? undefined : this.#parts.sessions.of(client);
    if (client === null || session === undefined) return callback(new Refused('not connected'));
    this.#parts.clock.arrive();
    // RETAIN is the publisher's flag here: the message is live. [watch-protocol, Retained messages]
    this.#parts.intake.take(
      session,
      packet,
      client.closed ? 'will' : isBirthAgain(packet) ? 'again' : 'live',
      callback,
    );
  }

  /** Returns null for SUBACK 128; the connection stays open. */
  #grant(client: Client, subscription: Subscription): Subscription | null {
    const session = this.#parts.sessions.of(client);
    if (session === undefined) return null;
    const { topic, qos } = subscription;
    if (maySubscribe(session.device, topic)) {
      // A subscription with QoS 2 is granted, and its messages have QoS 1.
      session.subscriptions.set(topic, Math.min(qos, 1));
      return subscription;
    }
    const why = 'a watch subscribes to its own down/#, its site’s all/# and host/state';
    this.#parts.refusals.refuse('subscription', session.device.serial, topic, why);
    return null;
  }

  // In lock-step the birth follows in the same instant, and connections arrive in no fixed order.
  #contactAtConnect(session: Session | undefined): void {
    if (session !== undefined && this.#parts.clock.mode !== 'lockstep') this.#contact(session);
  }

  // A watch that was removed from the world may still be connected.
  #contact({ device }: Session): void {
    const { engine } = this.#parts;
    if (engine.world.get('device', device.id) !== undefined) engine.contact(device.id);
  }

  #trouble(client: Client, error: Error & { code?: string; errorCode?: number }): void {
    // Already reported, or not a protocol error: a broken network, or a watch that does not respond.
    if (error instanceof Refused || error.code !== undefined || error.message === KEEPALIVE) return;
    const serial = this.#parts.sessions.of(client)?.device.serial ?? null;
    this.#parts.refusals.refuseConnection(error.message === DRAIN ? 'slow' : 'protocol', serial, error.message);
  }
}

const FAILED = new Refused('the broker made a mistake') as unknown as AuthenticateError;
const KEEPALIVE = 'keep alive timeout';
const DRAIN = 'drain timeout';

/** A redelivered birth may be older than what is known. Other messages are judged by their place, time or id. */
const isBirthAgain = ({ dup, topic }: PublishPacket): boolean => dup && topic.endsWith('/up/status');
