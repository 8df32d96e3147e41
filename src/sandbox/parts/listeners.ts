/** The listeners: API, broker and webhooks; after them, time starts. */

import { asError } from '../../base/assert.ts';
import { hmacSecret, randomSecret } from '../../base/ids.ts';
import { API_PORT, MQTT_PORT, MQTTS_PORT } from '../../base/network/standard-ports.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { startApi } from '../../service/api/server.ts';
import { SessionLeases } from '../../service/api/session-leases.ts';
import { StreamProjection } from '../../service/api/stream/stream-projection.ts';
import { startBroker } from '../../service/broker/broker.ts';
import type { Engine } from '../../service/engine/engine.ts';
import { panelPages } from '../../service/panel/pages.ts';
import type { ClaimedWork } from '../../service/store/nodes/membership.ts';
import { judgeDestination } from '../../service/webhooks/resolver.ts';
import { startWebhooks, type Webhooks } from '../../service/webhooks/webhooks.ts';
import { hostRule, isGuessable, isLoopback, LOOPBACK } from '../listeners/host-rule.ts';
import { listenOn } from '../listeners/ports.ts';
import type { BrokerUse } from '../listeners/reach-broker.ts';
import { endGuestsLeft } from '../runs/before.ts';
import { personTruths } from '../truth.ts';
import { firstCredentials } from '../world/world-from-plan.ts';
import { part, type SandboxPart, type SandboxParts } from './parts.ts';

/** Time that deliveries in flight have to settle at a stop; milliseconds of wall time. */
const GRACE_MS = 1_000;

export const LISTENER_PARTS: readonly SandboxPart[] = [
  part({
    name: 'leases',
    needs: ['engine', 'membership'],
    because: 'The API renews them; their timers end before the engine does.',
    start: ({ engine, membership }) => new SessionLeases(engine, { isShared: membership !== null }),
    stop: (leases) => leases.stop(),
  }),
  part({
    name: 'api',
    needs: [
      'leases',
      ...(['options', 'warnings', 'folder', 'tls', 'opened', 'secrets', 'addresses', 'assumptions', 'engine'] as const),
      ...(['logs', 'deliveries', 'fleets', 'mailbox', 'forwards', 'resolve', 'limiter', 'faults', 'arrivals'] as const),
      ...(['waits', 'recorder', 'runs', 'states', 'perform', 'listeners', 'membership'] as const),
    ],
    because: 'Its port is part of the links that events carry, so it is known before the first delivery is sent.',
    start: async (parts) => {
      const { options, warnings, addresses, limiter, listeners, tls } = parts;
      const { host = LOOPBACK } = options;
      const bound = { port: 0 };
      const apiParts = apiPartsOf(parts, () => bound.port);
      const api = await listenOn(
        { name: 'API', flag: '--port', requested: options.port, standard: API_PORT, host },
        (port) => startApi(apiParts, { host, port, tls }, limiter),
        ({ port }) => port,
        warnings,
      );
      bound.port = api.port;
      listeners.api = api;
      addresses.apiUrl = `${tls === null ? 'http' : 'https'}://${urlHost(host)}:${api.port}`;
      if (addresses.publicUrl === '') addresses.publicUrl = addresses.apiUrl;
      return api;
    },
    stop: (api) => api.stop(),
  }),
  part({
    name: 'broker',
    needs: ['options', 'warnings', 'tls', 'opened', 'engine', 'fleets', 'listeners', 'addresses', 'membership'],
    start: async ({ options, warnings, tls, opened, engine, fleets, listeners, addresses, membership }) => {
      const { host = LOOPBACK, mqttPort, memory = false, strict = false } = options;
      if (options.broker !== undefined) {
        // The module is loaded only if there is an external broker.
        const { reachBroker } = await import('../listeners/reach-broker.ts');
        const { sandboxId } = opened;
        const use = { engine, memory, strict, sandboxId, ...atBroker(options, warnings, engine, fleets) };
        const external = await reachBroker(options.broker, use, membership);
        addresses.mqttUrl = external.url;
        fleets.caughtUp = (serial) => external.caughtUp(serial);
        return external;
      }
      const broker = await listenOn(
        {
          name: 'MQTT',
          flag: '--mqtt-port',
          requested: mqttPort,
          standard: tls === null ? MQTT_PORT : MQTTS_PORT,
          host,
        },
        (port) =>
          startBroker({
            engine,
            clock: engine.clock,
            host,
            port,
            tls,
            // If a client of the user connects with the serial of an emulated watch, the client gets the serial: the
            // fleet yields the watch until a reset. [cli, ready]
            onTakeOver: (serial) => fleets.yieldWatch(serial),
            strict,
          }),
        ({ port }) => port,
        warnings,
      );
      listeners.broker = broker;
      addresses.mqttUrl = broker.url;
      return broker;
    },
    stop: (broker) => broker.stop(),
  }),
  part({
    name: 'webhooks',
    needs: [
      'options',
      'engine',
      'opened',
      'stored',
      'resolve',
      'forwards',
      'mailbox',
      'listeners',
      'fleets',
      'membership',
    ],
    start: ({ options, engine, opened, stored, resolve, forwards, mailbox, listeners, membership }) => {
      const claims =
        membership === null
          ? {}
          : { claims: { has: (id: string) => membership.has('destination', id), isSure: () => membership.isSure } };
      listeners.webhooks = startWebhooks({
        engine,
        store: opened.store,
        clock: engine.clock,
        resolve,
        forwards,
        seed: stored.meta.salt,
        ...claims,
        skipVerify: options.skipVerify === true,
        onLost: (delivery) => mailbox.lost(delivery),
      });
      return listeners.webhooks;
    },
    stop: async (webhooks, { engine, fleets }) => {
      // The telemetry received last is written first; then deliveries in flight settle while the watches disconnect.
      await engine.flush();
      await Promise.all([webhooks.stop(GRACE_MS), fleets.own?.stop()]);
    },
  }),
  part({
    name: 'running',
    needs: ['engine', 'acting', 'options', 'mailbox', 'membership', 'leases'],
    because: 'No due work is done before its consequences can leave; the fleet needs a running clock to connect.',
    start: async ({ engine, acting, options, mailbox, membership, leases }) => {
      // Leftover scenarios are ended only if no other node runs, because another node may be playing them.
      const isAlone = membership === null || (await membership.nodes()).length === 1;
      if (isAlone) await endGuestsLeft(engine, acting);
      engine.start();
      if (membership === null) mailbox.start();
      if (options.clock === undefined) engine.clock.start();
      if (isAlone) leases.begin();
      return true as const;
    },
  }),
  part({
    name: 'sharing',
    needs: ['membership', 'engine', 'broker', 'webhooks', 'mailbox', 'addresses', 'running'],
    because: 'A site is claimed by a node that can hear its watches, and a destination by one that can deliver.',
    start: async ({ membership, engine, broker, webhooks, mailbox, addresses }) => {
      if (membership === null) return null;
      await membership.share(claimedWork(engine, broker, webhooks, mailbox), addresses.publicUrl);
      engine.listen({
        committed: ({ touched }) => {
          const isNew = touched.some(
            ({ kind, before, after }) =>
              (kind === 'destination' || kind === 'site') && (before === undefined) !== (after === undefined),
          );
          if (isNew) membership.lookAgain();
        },
      });
      return membership;
    },
    // Uplinks end and are committed before another node takes the site.
    // A node that failed has nothing to release: its pending work will never be committed.
    stop: (membership, { engine }) => (engine.isSound() ? membership?.release() : undefined),
  }),
];

/** Reports claims on sites: during a start in the warnings, later in a notice. */
function atBroker(
  { onWaiting, signal }: SandboxParts['options'],
  warnings: string[],
  engine: Engine,
  fleets: SandboxParts['fleets'],
): Pick<BrokerUse, 'onClaim' | 'onEvicted' | 'signal'> {
  return {
    signal,
    onClaim: (sentence, is) => {
      if (is === 'waiting') onWaiting?.(sentence);
      else warnings.push(sentence);
      engine.notify({
        kind: 'broker-changed',
        at: formatInstant(engine.clock.now()),
        connected: true,
        detail: sentence,
      });
    },
    // The other process emulates watches with the same serials: without this, the two fleets would disconnect each
    // other endlessly.
    onEvicted: (siteId) => {
      for (const { serial } of engine.world.indexes.devicesOfSite.of(siteId).values()) fleets.yieldWatch(serial);
    },
  };
}

/** What this node does for the sites and destinations that it has claimed. */
function claimedWork(
  engine: Engine,
  broker: SandboxParts['broker'],
  webhooks: Webhooks,
  mailbox: SandboxParts['mailbox'],
): ClaimedWork {
  /** Reported once for each site, because a claim is tried again at every heartbeat. */
  const notTaken = new Set<string>();
  const held = new Set<string>();
  const takeSite = async (id: string) => {
    try {
      await broker.take?.(id);
      notTaken.delete(id);
    } catch (error) {
      if (notTaken.has(id)) return;
      notTaken.add(id);
      const name = engine.world.get('site', id)?.name ?? id;
      const detail = `the site ${name} is not heard here: ${asError(error).message}`;
      engine.notify({ kind: 'broker-changed', at: formatInstant(engine.clock.now()), connected: false, detail });
    }
  };
  return {
    catchUp: () => engine.catchUp(),
    canReceive: () => broker.isConnected !== false,
    take: async (kind, ids) => {
      if (kind === 'site') {
        if (ids.some((id) => !held.has(id))) engine.tookSites();
        for (const id of ids) held.add(id);
        await Promise.all(ids.map(takeSite));
        return;
      }
      webhooks.take(ids);
      mailbox.take(ids);
    },
    release: async (kind, ids) => {
      if (kind === 'destination') return webhooks.release(ids);
      for (const id of ids) held.delete(id);
      await Promise.all(ids.map((id) => broker.release?.(id)));
      await engine.flush();
    },
  };
}

type ApiNeeds = Pick<
  SandboxParts,
  | ('options' | 'folder' | 'opened' | 'secrets' | 'addresses' | 'assumptions' | 'engine' | 'logs' | 'deliveries')
  | (
      | 'membership'
      | 'tls'
      | 'fleets'
      | 'mailbox'
      | 'forwards'
      | 'resolve'
      | 'faults'
      | 'arrivals'
      | 'waits'
      | 'recorder'
      | 'runs'
      | 'states'
      | 'perform'
      | 'leases'
    )
>;

function apiPartsOf(parts: ApiNeeds, boundPort: () => number): Parameters<typeof startApi>[0] {
  const { options, opened, secrets, addresses, assumptions, engine, logs, deliveries, fleets, mailbox } = parts;
  const { tls, membership, forwards, resolve, faults, waits, recorder, runs, states, perform } = parts;
  const { host = LOOPBACK, publicUrl } = options;
  const { clock, world } = engine;
  const isOwnHost = hostRule(host, publicUrl);
  const shared = {
    engine,
    store: opened.store,
    clock,
    baseUrl: () => addresses.publicUrl,
    isSecure: tls !== null,
    controlToken: secrets.control(),
    scenarios: runs.forClients(),
  };
  // The stream has the visibility of a panel user: all companies, with names, but limited by the veil. [decisions 4]
  const failed = (what: string, error: Error) => engine.failures.report({ part: 'stream', what, error });
  const eye = new StreamProjection(world, addresses, () => ({ viewer: null, scopes: [] }), { deliveries, failed });
  const sessionSecret = (organizationId: string) => `whsec_${secrets.session(organizationId)}`;
  const panel = panelPages({
    ...shared,
    port: boundPort,
    hostAllowed: isOwnHost,
    snapshot: () => eye.snapshot(clock),
    act: (body) => perform(body, null),
    credentials: () => firstCredentials(world, secrets),
    sessionSecret,
    // With several nodes, the delivering node may be on another machine, so it needs the public URL.
    ownUrl: () =>
      membership === null
        ? `${tls === null ? 'http' : 'https'}://${urlHost(reachableHost(host))}:${boundPort()}`
        : addresses.publicUrl,
  });
  return {
    ...shared,
    leases: parts.leases,
    assumptions,
    deliveries,
    faults,
    arrivals: parts.arrivals,
    states,
    isOwnHost,
    recordings: recorder,
    watchLog: logs.watches,
    eventLog: logs.events,
    nodes: async () =>
      ((await membership?.nodes()) ?? []).map(({ isSelf, aheadMs, ...node }) => ({
        ...node,
        clock_ahead_ms: aheadMs,
        is_self: isSelf,
      })),
    settle: async () => void (await Promise.all([engine.flush(), fleets.keep()])),
    mqttUrl: () => addresses.mqttUrl,
    cursorKey: secrets.cursor(),
    judgeDestination: (url) => judgeDestination(url, { resolve, forwards }),
    act: perform,
    updating: (alertId, update, viewer) => recorder.updating(alertId, update, viewer),
    wait: (body, viewer, gone) => waits.wait(body, viewer, gone),
    mail: (limit, organizationId) => mailbox.newest(limit, organizationId),
    truth: () => personTruths(world, fleets),
    newSecret: webhookSecrets(parts),
    sessionSecret,
    strict: options.strict === true,
    ...(options.cors === undefined ? {} : { corsOrigin: options.cors }),
    ownHostOnly: isLoopback(host) && isGuessable(options),
    pages: [panel],
  };
}

/** With a seed the secrets are derived from it, as all secrets are, so that equal runs are equal. [decisions 10] */
function webhookSecrets({ options, folder, engine }: Pick<ApiNeeds, 'options' | 'folder' | 'engine'>): () => string {
  let made = 0;
  const next = () =>
    options.seed === undefined ? randomSecret(32) : hmacSecret(folder.rootKey, 'webhook', engine.clock.now(), ++made);
  return () => `whsec_${next()}`;
}

/** The address at which this process reaches a listener that listens on all addresses. */
const reachableHost = (host: string): string => (host === '0.0.0.0' || host === '::' ? LOOPBACK : host);

const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);
