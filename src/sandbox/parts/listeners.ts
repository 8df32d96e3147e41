/** The listeners: API, broker and webhooks; after them, time starts. */

import { asError } from '../../base/assert.ts';
import { hmacSecret, randomSecret } from '../../base/ids.ts';
import { API_PORT, MQTT_PORT, MQTTS_PORT } from '../../base/network/standard-ports.ts';
import type { Stops } from '../../base/stops.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { coveredAttempt } from '../../service/api/coverage/deliveries.ts';
import type { ApiParts, SecretOwner } from '../../service/api/route.ts';
import { turnClock } from '../../service/api/routes/clock.ts';
import { type Api, startApi } from '../../service/api/server.ts';
import { SessionLeases } from '../../service/api/session-leases.ts';
import { StreamProjection } from '../../service/api/stream/stream-projection.ts';
import { type Broker, startBroker } from '../../service/broker/broker.ts';
import type { ExternalBroker } from '../../service/broker/external/external-broker.ts';
import type { Engine } from '../../service/engine/engine.ts';
import { panelPages } from '../../service/panel/pages.ts';
import type { ClaimedWork } from '../../service/store/nodes/membership.ts';
import { judgeDestination } from '../../service/webhooks/resolver.ts';
import { startWebhooks, type Webhooks } from '../../service/webhooks/webhooks.ts';
import { hostRule, isGuessable, isLoopback, LOOPBACK, urlHost } from '../listeners/host-rule.ts';
import { listenOn } from '../listeners/ports.ts';
import type { BrokerUse } from '../listeners/reach-broker.ts';
import { endGuestsLeft } from '../runs/before.ts';
import { personTruths } from '../truth.ts';
import { firstCredentials } from '../world/world-from-plan.ts';
import type { SandboxControl } from './control.ts';
import type { SandboxCore } from './core.ts';

/** Time that deliveries in flight have to settle at a stop; milliseconds of wall time. */
const GRACE_MS = 1_000;

/** With several nodes that share an external broker, sites are taken and released one by one. */
type SandboxBroker = Broker & Partial<Pick<ExternalBroker, 'take' | 'release' | 'isConnected'>>;

export async function listen(control: SandboxControl, stops: Stops) {
  const { engine, membership, listeners, fleets } = control;
  // The API renews the leases of the destinations of commands that listen. Their timers end before the engine does.
  const leases = new SessionLeases(engine, { isShared: membership !== null });
  stops.add(() => leases.stop());

  // The API's port is part of the links that events carry, so it is known before the first delivery is sent.
  const api = await listenApi(control, leases);
  stops.add(() => api.stop());
  const broker = await listenBroker(control);
  stops.add(() => broker.stop());
  const webhooks = delivering(control);
  listeners.webhooks = webhooks;
  // The fleet stops together with the webhooks. The telemetry received last is written first; then deliveries in flight
  // settle while the watches disconnect.
  stops.add(async () => {
    await engine.flush();
    await Promise.all([webhooks.stop(GRACE_MS), fleets.own?.stop()]);
  });

  await run(control, leases);
  // A site is claimed by a node that can hear its watches, and a destination by one that can deliver.
  await share(control, broker, webhooks);
  // Uplinks end and are committed before another node takes the site.
  // A node that failed has nothing to release: its pending work will never be committed.
  stops.add(() => (engine.isSound() ? membership?.release() : undefined));
  return { leases, api, broker, webhooks };
}

async function listenApi(control: SandboxControl, leases: SessionLeases): Promise<Api> {
  const { options, warnings, addresses, limiter, listeners, tls } = control;
  const { host = LOOPBACK } = options;
  const bound = { port: 0 };
  const apiParts = apiPartsOf(control, leases, () => bound.port);
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
}

async function listenBroker(control: SandboxControl): Promise<SandboxBroker> {
  const { options, warnings, tls, opened, engine, fleets, listeners, addresses, membership, stored } = control;
  const { host = LOOPBACK, mqttPort, memory = false, strict = false } = options;
  if (options.broker !== undefined) {
    // The module is loaded only if there is an external broker.
    const { reachBroker } = await import('../listeners/reach-broker.ts');
    const { sandboxId } = opened;
    const use = {
      engine,
      memory,
      strict,
      sandboxId,
      isNewWorld: stored.isNew,
      ...atBroker(options, warnings, engine, fleets),
    };
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
        // If a client of the user connects with the serial of an emulated watch, the client gets the serial: the fleet
        // yields the watch until a reset. [cli, ready]
        onTakeOver: (serial) => fleets.yieldWatch(serial),
        strict,
      }),
    ({ port }) => port,
    warnings,
  );
  listeners.broker = broker;
  addresses.mqttUrl = broker.url;
  return broker;
}

function delivering({
  options,
  engine,
  opened,
  stored,
  resolve,
  forwards,
  mailbox,
  membership,
  coverage,
}: SandboxControl): Webhooks {
  const claims =
    membership === null
      ? {}
      : { claims: { has: (id: string) => membership.has('destination', id), isSure: () => membership.isSure } };
  for (const destination of engine.world.all('destination')) coverage.adopt(destination);
  return startWebhooks({
    engine,
    store: opened.store,
    clock: engine.clock,
    resolve,
    forwards,
    seed: stored.meta.salt,
    ...claims,
    skipVerify: options.skipVerify === true,
    onLost: (delivery) => mailbox.lost(delivery),
    onAttempted: (attempt) => {
      const { notice, organizationId } = attempt;
      const destination = engine.world.get('destination', notice.destination_id);
      if (destination === undefined) return;
      const company = engine.world.get('organization', organizationId)?.name ?? '';
      const isOwn = options.isOwnReceiver?.(company, destination.url) === true;
      if (isOwn || coverage.isOwn(destination)) coverage.attempted(organizationId, coveredAttempt(attempt));
    },
  });
}

/**
 * Starts time, and due work. No due work is done before its consequences can leave; the fleet needs a running clock to
 * connect.
 */
async function run(
  { engine, acting, options, mailbox, membership }: SandboxControl,
  leases: SessionLeases,
): Promise<void> {
  // Leftover scenarios are ended only if no other node runs, because another node may be playing them.
  const isAlone = membership === null || (await membership.nodes()).length === 1;
  if (isAlone) await endGuestsLeft(engine, acting);
  engine.start();
  if (membership === null) mailbox.start();
  if (options.clock === undefined) engine.clock.start();
  if (isAlone) leases.begin();
}

/** This node works for what it has claimed. */
async function share(
  { membership, engine, mailbox, addresses }: SandboxControl,
  broker: SandboxBroker,
  webhooks: Webhooks,
): Promise<void> {
  if (membership === null) return;
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
}

/** Reports claims on sites: during a start in the warnings, later in a notice. */
function atBroker(
  { onWaiting, signal }: SandboxCore['options'],
  warnings: string[],
  engine: Engine,
  fleets: SandboxCore['fleets'],
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
  broker: SandboxBroker,
  webhooks: Webhooks,
  mailbox: SandboxCore['mailbox'],
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

function apiPartsOf(
  control: SandboxControl,
  leases: SessionLeases,
  boundPort: () => number,
): Parameters<typeof startApi>[0] {
  const { options, opened, secrets, addresses, assumptions, engine, logs, deliveries, fleets, mailbox } = control;
  const { tls, membership, forwards, resolve, faults, arrivals, waits, recorder, runs, settle, states, perform } =
    control;
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
  const eye = new StreamProjection(world, addresses, () => ({ viewer: null, scopes: [] }), {
    deliveries,
    events: logs.events,
    failed,
  });
  const settled = async () => void (await settle());
  const sessionSecret = (organizationId: string) => `whsec_${secrets.session(organizationId)}`;
  const panel = panelPages({
    ...shared,
    port: boundPort,
    hostAllowed: isOwnHost,
    snapshot: () => eye.snapshot(clock),
    act: (body) => perform(body, null),
    turnClock: async (turn, wait) => {
      const refusal = await turnClock({ ...shared, settle: settled }, turn, wait);
      return refusal === null ? null : refusal.isForbidden ? refusal.detail : `The span ${refusal.detail}.`;
    },
    mqttUrl: () => addresses.mqttUrl,
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
    leases,
    assumptions,
    deliveries,
    faults,
    arrivals,
    states,
    isOwnHost,
    recordings: recorder,
    watchLog: logs.watches,
    eventLog: logs.events,
    coverage: control.coverage,
    nodes: async () =>
      ((await membership?.nodes()) ?? []).map(({ isSelf, aheadMs, ...node }) => ({
        ...node,
        clock_ahead_ms: aheadMs,
        is_self: isSelf,
      })),
    settle: settled,
    mqttUrl: () => addresses.mqttUrl,
    cursorKey: secrets.cursor(),
    judgeDestination: (url) => judgeDestination(url, { resolve, forwards }),
    act: perform,
    updating: (alertId, update, viewer) => recorder.updating(alertId, update, viewer),
    wait: (body, viewer, gone) => waits.wait(body, viewer, gone),
    mail: (limit, organizationId) => mailbox.newest(limit, organizationId),
    truth: () => personTruths(world, fleets),
    newSecret: webhookSecrets(control),
    sessionSecret,
    strict: options.strict === true,
    ...(options.cors === undefined ? {} : { corsOrigin: options.cors }),
    ownHostOnly: isLoopback(host) && isGuessable(options),
    pages: [panel],
  };
}

/** With a seed the secrets are derived from it, as all secrets are, so that equal runs are equal. [decisions 10] */
function webhookSecrets({ options, folder, engine }: SandboxControl): ApiParts['newSecret'] {
  let made = 0;
  const next = () =>
    options.seed === undefined ? randomSecret(32) : hmacSecret(folder.rootKey, 'webhook', engine.clock.now(), ++made);
  const own = ({ organizationId, url, before }: SecretOwner) =>
    options.ownReceiverSecret?.(engine.world.need('organization', organizationId).name, url, before) ?? null;
  return (of) => (of === undefined ? null : own(of)) ?? `whsec_${next()}`;
}

/** The address at which this process reaches a listener that listens on all addresses. */
const reachableHost = (host: string): string => (host === '0.0.0.0' || host === '::' ? LOOPBACK : host);
