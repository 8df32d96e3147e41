/**
 * An external broker in place of our own: one connection for each site with a session that the broker keeps, so that what
 * it acknowledged to a watch waits there until the engine has committed it, whatever becomes of this process.
 */

import { randomSecret } from '../../base/ids.ts';
import { streams } from '../../base/random/streams.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { type DownAlert, HOST_STATE_TOPIC, type MusterNotice } from '../../contract/watch.ts';
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
  /** Whose claims on the sites keep a second sandbox away. [watch-protocol, "Claim"] */
  readonly claim: ClaimOwner;
  /** A sentence about the claim of another sandbox: one is waited for, or was taken over. */
  readonly onClaim?: ClaimsParts['onClaim'];
  /** Ends a start that waits for a claim. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the world outlives this process, and with it what watches say meanwhile. */
  readonly keepSessions: boolean;
  /** Take every site of the world, also those that come later. False: those that are named by `take`. Default: true. */
  readonly everySite?: boolean;
  /** Called before a site's connection is made again; false: the site is given up. Default: always. */
  readonly mayReconnect?: (siteId: string) => boolean;
  /** Another process has the site: it is released, and not taken back. */
  readonly onEvicted?: (siteId: string) => void;
  readonly strict?: boolean;
}

export interface ExternalBroker extends Broker {
  /** The broker answers this process. */
  readonly isConnected: boolean;
  /**
   * Connects as the site's only receiver and evicts the one that is connected now. Resolves when its uplinks come in; what
   * the one before left unacknowledged comes first. Rejects with `LinkRefused`. Once taken, a second call waits for the first.
   */
  take(siteId: string): Promise<void>;
  /** Resolves when the engine has answered all that the watch published before: its own PUBACK came from the broker. */
  caughtUp(serial: string): Promise<void>;
  /** Gives the site up: what was not acknowledged stays with the broker. Idempotent. */
  release(siteId: string): Promise<void>;
}

/** The broker keeps what watches say for this long while nobody receives it (MQTT 5; in 3.1.1 the broker decides). */
const KEEP_SESSION_S = 7 * 86_400;

/** From the service's own `host/state` to its return; milliseconds of wall time. */
const ECHO_WITHIN_MS = 5_000;

/** Of a node, which gives its sites away when the broker is silent. */
const NODE_KEEPALIVE_S = 3;

/** Sites that connect at the same time. */
const AT_ONCE = 50;

/** Connects, and takes every site unless `everySite` is false. Rejects with `LinkRefused` when the broker is away or refuses. */
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
  /** Client ids whose connection is away. */
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
        // Another node can receive in its place.
        ...(options.everySite === false ? { keepaliveS: NODE_KEEPALIVE_S } : {}),
        mayReconnect: () => true,
      },
      {
        // Another process of the service left, or its will was published; this one is here.
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
    // All before the first connection of a site, which would evict the process that has it; a node will have some of them.
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

  /** A broker may grant a subscription and forward nothing of it (Mosquitto's ACL files); so our own message must come back. */
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
    const { keepSessions, mayReconnect = () => true, onEvicted = () => {} } = this.#options;
    const site = new ExternalSite(siteId, {
      shared: this.#shared,
      engine: this.#engine,
      intake: this.#intake,
      refusals: this.#refusals,
      link: {
        keepSessionS: keepSessions ? KEEP_SESSION_S : 0,
        // A broker that goes away later comes back.
        patient: this.#started,
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
    // Released meanwhile.
    if (this.#sites.get(siteId) === site) await site.start();
  }

  /** Another sandbox has the site: nothing more is received from it here, and its watches belong to the other. */
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
    // Not before: what it still took was taken under the claim.
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

  /** Sites and watches that come, change or go. */
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
      // A failure is a notice: the link goes on trying, or was evicted.
      if (this.#options.everySite !== false) this.take(siteId).catch(() => {});
    } else if (before.thresholds !== after.thresholds) this.#sites.get(siteId)?.setConfig();
  }

  #forget(siteId: string): void {
    this.#sites.delete(siteId);
    this.#taking.delete(siteId);
    this.#back(siteId);
  }

  /** One notice however many connections broke. */
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

/** The watches of which the latest status is a birth. */
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
