/**
 * An external broker instead of the embedded one. Each site has one connection, with a session that the broker keeps.
 * So a message that the broker acknowledged to a watch waits there until the engine has committed it, even if this
 * process ends.
 */

import { randomSecret } from '../../../base/ids.ts';
import { streams } from '../../../base/random/streams.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import { type DownAlert, HOST_STATE_TOPIC, type MusterNotice } from '../../../contract/watch.ts';
import type { Device, Site } from '../../domain/world/documents.ts';
import type { Touched } from '../../domain/world/world.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Broker, BrokerCounts } from '../broker.ts';
import { Intake, type Presence } from '../intake.ts';
import { followEffects, type MessageSink } from '../outgoing.ts';
import { Refusals } from '../refusals.ts';
import { OFFLINE, ONLINE } from '../retained.ts';
import type { UplinkSource } from '../uplink-source.ts';
import type { BrokerEndpoint } from './address.ts';
import { CLAIM_FILTER, type ClaimOwner, type ClaimsParts, SiteClaims } from './claims.ts';
import type { ConnectionEnd } from './connection.ts';
import { ExternalSite } from './external-site.ts';
import { BrokerLink, type BrokerLinkShared, LinkRefused } from './link.ts';

export interface ExternalBrokerOptions {
  readonly engine: Engine;
  readonly endpoint: BrokerEndpoint;
  /** The owner of the claims on the sites, which keep a second sandbox away. [watch-protocol, "Claim"] */
  readonly claim: ClaimOwner;
  /** Called with a sentence: this process waits for a renewal of another sandbox's claim, or took it over. */
  readonly onClaim?: ClaimsParts['onClaim'];
  /** Aborts a start that waits for a claim. */
  readonly signal?: AbortSignal | undefined;
  /** True if the world outlives this process. The broker then keeps the uplinks in the meantime. */
  readonly keepSessions: boolean;
  /** True if the world is new: what the broker has kept for its sites was sent to another one. */
  readonly isNewWorld?: boolean;
  /** True: take every site of the world, including later ones. False: only those passed to `take`. Default: true. */
  readonly everySite?: boolean;
  /** Called before a site reconnects. If it returns false, the site is released. Default: always true. */
  readonly mayReconnect?: (siteId: string) => boolean;
  /** Called when another process holds the site: the site is released, and not taken back. */
  readonly onEvicted?: (siteId: string) => void;
  readonly strict?: boolean;
}

export interface ExternalBroker extends Broker {
  /** True if the broker is connected to this process. */
  readonly isConnected: boolean;
  /**
   * Connects as the site's only receiver, and evicts the one that is connected now. Resolves when its uplinks arrive;
   * those that the previous receiver left unacknowledged come first. Rejects with `LinkRefused`. A second call waits
   * for the first one.
   */
  take(siteId: string): Promise<void>;
  /** Resolves when the engine has answered all earlier messages of the watch, whose PUBACKs came from the broker. */
  caughtUp(serial: string): Promise<void>;
  /** Releases the site: unacknowledged messages stay at the broker. Idempotent. */
  release(siteId: string): Promise<void>;
}

/** Time for which the broker keeps uplinks without a receiver (MQTT 5; with 3.1.1 the broker decides); seconds. */
const KEEP_SESSION_S = 7 * 86_400;

/** Time limit for the return of the service's own `host/state`; milliseconds of wall time. */
const ECHO_WITHIN_MS = 5_000;

/** The keep-alive of a node, which hands over its sites when the broker does not respond; seconds. */
const NODE_KEEPALIVE_S = 3;

/** The most sites that connect at the same time. */
const AT_ONCE = 50;

/**
 * Connects, and takes every site unless `everySite` is false. Rejects with `LinkRefused` if the broker fails or
 * refuses.
 */
export async function connectBroker(options: ExternalBrokerOptions): Promise<ExternalBroker> {
  const broker = new RemoteBroker(options);
  try {
    await broker.start();
  } catch (error) {
    await broker.stop();
    throw error;
  }
  return broker;
}

class RemoteBroker implements ExternalBroker, MessageSink {
  readonly #options: ExternalBrokerOptions;
  readonly #engine: Engine;
  readonly #shared: BrokerLinkShared;
  readonly #refusals: Refusals;
  readonly #presence = new RemotePresence();
  readonly #intake: Intake;
  readonly #host: BrokerLink;
  readonly #claims: SiteClaims;
  readonly #sites = new Map<string, ExternalSite>();
  readonly #taking = new Map<string, Promise<void>>();
  /** Client ids without a connection. */
  readonly #away = new Set<string>();
  #unlisten: (() => void)[] = [];
  #echoed: () => void = () => {};
  #downlinks = 0;
  #started = false;
  #stopping: Promise<void> | null = null;

  constructor(options: ExternalBrokerOptions) {
    const { engine, endpoint, strict = false } = options;
    this.#options = options;
    this.#engine = engine;
    const name = randomSecret(8);
    this.#shared = { clock: engine.clock, endpoint, streams: streams(name), process: name, version: 5 };
    this.#refusals = new Refusals(engine);
    this.#intake = new Intake(engine, this.#presence, this.#refusals, strict);
    this.#host = new BrokerLink(
      this.#shared,
      {
        clientId: `muster-host-${name}`,
        keepSessionS: 0,
        filters: [HOST_STATE_TOPIC, CLAIM_FILTER],
        patient: false,
        will: { topic: HOST_STATE_TOPIC, payload: OFFLINE },
        // Another node can receive instead of this one.
        ...(options.everySite === false ? { keepaliveS: NODE_KEEPALIVE_S } : {}),
        mayReconnect: () => true,
      },
      {
        // Another process of the service left, or its will was published. This one is online.
        published: (packet) => {
          if (this.#claims.take(packet)) return;
          const { payload, retain } = packet;
          if (!retain && ONLINE.equals(Buffer.from(payload))) this.#echoed();
          if (OFFLINE.equals(Buffer.from(payload)) && this.#stopping === null) this.#sayOnline();
        },
        up: () => {
          this.#sayOnline();
          this.#claims.connected();
          this.#back('host');
        },
        down: (end) => {
          this.#claims.disconnected();
          this.#lost('host', end);
        },
        refused: (topic) =>
          this.#refusals.refuse('topic', null, topic, 'the broker does not let the service publish this'),
      },
    );
    const { claim: owner, onClaim = () => {} } = options;
    this.#claims = new SiteClaims({
      clock: engine.clock,
      owner,
      process: name,
      nameOf: (siteId) => this.#nameOf(siteId),
      publish: (topic, payload, retain) => this.#host.publishOnce(topic, payload, retain),
      onClaim,
      onLost: (siteId, sentence) => this.#lostClaim(siteId, sentence),
    });
  }

  get isConnected(): boolean {
    return this.#host.isUp;
  }

  get url(): string {
    return this.#options.endpoint.url;
  }

  get port(): number {
    return this.#options.endpoint.port;
  }

  async start(): Promise<void> {
    await this.#host.start();
    await this.#echo();
    this.#unlisten.push(followEffects(this.#engine, this));
    this.#unlisten.push(this.#engine.listen({ committed: ({ touched }) => this.#follow(touched) }));
    const { signal } = this.#options;
    const end = () => this.#claims.stop();
    signal?.addEventListener('abort', end);
    if (signal?.aborted === true) throw new LinkRefused({ why: 'the start was ended', greeted: true });
    const ids = [...this.#engine.world.all('site')].map(({ id }) => id);
    // All claims come before the first connection of a site, which would evict the process that holds it. A node holds
    // only some of the sites later.
    await Promise.all(ids.map((siteId) => this.#claims.acquire(siteId, false)));
    if (this.#options.everySite !== false) {
      const sites = ids.values();
      const takeSome = async () => {
        for (const siteId of sites) await this.take(siteId);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, takeSome));
    } else for (const siteId of ids) this.#claims.drop(siteId);
    signal?.removeEventListener('abort', end);
    this.#started = true;
  }

  /**
   * A broker may grant a subscription and forward nothing of it (Mosquitto's ACL files). So the service's own message
   * must return.
   */
  async #echo(): Promise<void> {
    const came = new Promise<boolean>((resolve) => {
      const cancel = this.#engine.clock.afterWall(ECHO_WITHIN_MS, () => resolve(false));
      this.#echoed = () => {
        cancel();
        resolve(true);
      };
    });
    if (await came) return;
    const why = `it does not bring back to the service what the service publishes on ${HOST_STATE_TOPIC}`;
    throw new LinkRefused({ why, refusal: 'subscription', greeted: true });
  }

  take(siteId: string): Promise<void> {
    const known = this.#taking.get(siteId);
    if (known !== undefined) return known;
    const { keepSessions, isNewWorld = false, mayReconnect = () => true, onEvicted = () => {} } = this.#options;
    const site = new ExternalSite(siteId, {
      shared: this.#shared,
      engine: this.#engine,
      intake: this.#intake,
      refusals: this.#refusals,
      link: {
        keepSessionS: keepSessions ? KEEP_SESSION_S : 0,
        // After the start, a broker that becomes unreachable is tried again.
        patient: this.#started,
        startsClean: isNewWorld && !this.#started,
        mayReconnect: () => mayReconnect(siteId) && (this.#claims.isSure(siteId) || 'later'),
      },
      mayReceive: () => this.#claims.isSure(siteId),
      onUp: () => this.#back(siteId),
      onDown: (end, gone) => {
        if (!gone) return this.#lost(siteId, end);
        this.#forget(siteId);
        if (end.refusal !== 'taken-over') return;
        this.#tell(false, `another process has taken over the site ${this.#nameOf(siteId)}: ${end.why}`);
        onEvicted(siteId);
      },
    });
    this.#sites.set(siteId, site);
    const taking = this.#begin(siteId, site);
    this.#taking.set(siteId, taking);
    return taking;
  }

  async #begin(siteId: string, site: ExternalSite): Promise<void> {
    try {
      await this.#claims.acquire(siteId, true);
    } catch (error) {
      if (this.#sites.get(siteId) === site) this.#forget(siteId);
      throw error;
    }
    // The site may have been released meanwhile.
    if (this.#sites.get(siteId) === site) await site.start();
  }

  /** Another sandbox holds the site: nothing is received from it here any more. Its watches belong to the other one. */
  #lostClaim(siteId: string, sentence: string): void {
    this.#tell(
      false,
      `${sentence}. This sandbox has lost its claim: it takes no messages from the watches of that site until it is started again`,
    );
    void this.release(siteId);
    this.#options.onEvicted?.(siteId);
  }

  async release(siteId: string): Promise<void> {
    const site = this.#sites.get(siteId);
    this.#forget(siteId);
    await site?.leave();
    // Not earlier: the last messages of the site were accepted under the claim.
    if (!this.#sites.has(siteId)) this.#claims.drop(siteId);
  }

  async caughtUp(serial: string): Promise<void> {
    const { world } = this.#engine;
    const device = world.get('device', world.indexes.deviceId(serial) ?? '');
    await this.#sites.get(device?.siteId ?? '')?.caughtUp();
  }

  counts(): BrokerCounts {
    return {
      connections: [...this.#sites.values()].filter(({ isUp }) => isUp).length,
      watches: this.#presence.size,
      uplinks: this.#intake.submitted,
      downlinks: this.#downlinks,
      refused: this.#refusals.counts(),
    };
  }

  toWatch({ siteId, serial }: Device, payload: DownAlert): void {
    const site = this.#sites.get(siteId);
    if (site === undefined) return;
    this.#downlinks++;
    site.toWatch(serial, payload);
  }

  setMuster(siteId: string, notice: MusterNotice | null): void {
    this.#sites.get(siteId)?.setMuster(notice);
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    for (const end of this.#unlisten) end();
    await Promise.all([...this.#sites.keys()].map((siteId) => this.release(siteId)));
    this.#claims.stop();
    this.#host.publish(HOST_STATE_TOPIC, OFFLINE, true);
    await this.#host.leave();
  }

  #sayOnline(): void {
    this.#host.publish(HOST_STATE_TOPIC, ONLINE, true);
  }

  /** Follows sites and watches that are added, changed or removed. */
  #follow(touched: readonly Touched[]): void {
    for (const { kind, before, after } of touched) {
      if (kind !== 'device') continue;
      const [old, now] = [before as Device | undefined, after as Device | undefined];
      if (old?.siteId === now?.siteId && old?.serial === now?.serial) continue;
      if (old !== undefined) this.#sites.get(old.siteId)?.clearConfig(old.serial);
      if (now !== undefined) this.#sites.get(now.siteId)?.setConfig([now.serial]);
    }
    for (const { kind, id, before, after } of touched)
      if (kind === 'site') this.#followSite(id, before as Site | undefined, after as Site | undefined);
  }

  #followSite(siteId: string, before: Site | undefined, after: Site | undefined): void {
    if (after === undefined) {
      const site = this.#sites.get(siteId);
      this.#forget(siteId);
      this.#claims.clear(siteId);
      return void site?.forget();
    }
    if (before === undefined) {
      // A failure is reported as a notice: the link keeps trying, or was evicted.
      if (this.#options.everySite !== false) this.take(siteId).catch(() => {});
    } else if (before.thresholds !== after.thresholds) this.#sites.get(siteId)?.setConfig();
  }

  #forget(siteId: string): void {
    this.#sites.delete(siteId);
    this.#taking.delete(siteId);
    this.#back(siteId);
  }

  /** One notice for all connections that broke. */
  #lost(name: string, { why }: ConnectionEnd): void {
    const wasThere = this.#away.size === 0;
    this.#away.add(name);
    if (wasThere && this.#started && this.#stopping === null)
      this.#tell(false, `the connection to ${this.url} is gone (${why}); what watches say waits there`);
  }

  #back(name: string): void {
    if (this.#away.delete(name) && this.#away.size === 0 && this.#started && this.#stopping === null)
      this.#tell(true, `the connection to ${this.url} is back`);
  }

  #nameOf(siteId: string): string {
    return this.#engine.world.get('site', siteId)?.name ?? siteId;
  }

  #tell(connected: boolean, detail: string): void {
    this.#engine.notify({ kind: 'broker-changed', at: formatInstant(this.#engine.clock.now()), connected, detail });
  }
}

/** The watches whose latest status is a birth. */
class RemotePresence implements Presence {
  readonly #born = new Map<string, number>();

  get size(): number {
    return this.#born.size;
  }

  born({ device: { serial } }: UplinkSource, session: number): boolean {
    const isNew = !this.#born.has(serial);
    this.#born.set(serial, session);
    return isNew;
  }

  died(serial: string, session: number): boolean {
    const born = this.#born.get(serial);
    return born !== undefined && session >= born && this.#born.delete(serial);
  }
}
