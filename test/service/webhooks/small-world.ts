/** A real engine with one company, one site and some workers with watches; its destinations are forwarded to loopback. */
import { given } from '../../../src/base/given.ts';
import type { Clock } from '../../../src/base/time/clock.ts';
import { lockstepClock, realClock } from '../../../src/base/time/clocks.ts';
import { SCOPES } from '../../../src/contract/enumerations.ts';
import type { AttemptNotice, Notice } from '../../../src/contract/notices.ts';
import type { CommandOf } from '../../../src/service/domain/commands.ts';
import type {
  Delivery,
  Destination,
  Device,
  Documents,
  Kind,
  Site,
  Worker,
} from '../../../src/service/domain/world/documents.ts';
import { World } from '../../../src/service/domain/world/world.ts';
import { Engine } from '../../../src/service/engine/engine.ts';
import { type Batch, emptyBatch, type Store } from '../../../src/service/engine/store-port.ts';
import { openSqliteStore } from '../../../src/service/store/sqlite/store.ts';
import type { Resolve } from '../../../src/service/webhooks/resolver.ts';
import { startWebhooks, type Webhooks } from '../../../src/service/webhooks/webhooks.ts';

/** 2026-10-05T06:00:00Z. */
export const START = 1_791_180_000_000;
export const HOUR = 3_600_000;

const WORKERS = 30;

type WebhookClaims = NonNullable<Parameters<typeof startWebhooks>[0]['claims']>;

export const lockstep = (): Clock => lockstepClock({ start: START });

export interface SmallWorldOptions {
  readonly clock?: Clock;
  readonly resolve?: Resolve;
  /** An empty one, or another world's: this one goes on where that one stopped. */
  readonly store?: Store;
  readonly withoutSender?: boolean;
  readonly skipVerify?: boolean;
  /** The destinations of this node. */
  readonly claims?: WebhookClaims;
}

type Wanted = Partial<Pick<CommandOf<'create-destination'>, 'eventTypes' | 'filters' | 'secret'>>;

export class SmallWorld {
  readonly clock: Clock;
  readonly store: Store;
  readonly engine: Engine;
  readonly #resolve: Resolve;
  readonly #skipVerify: boolean;
  readonly #claims: WebhookClaims | undefined;
  readonly notices: Notice[] = [];
  readonly lost: Delivery[] = [];
  readonly forwards = new Map<string, URL>();
  #webhooks: Webhooks | null = null;
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  #reports = 0;

  private constructor(clock: Clock, store: Store, engine: Engine, options: SmallWorldOptions) {
    this.clock = clock;
    this.store = store;
    this.engine = engine;
    const noNames: Resolve = (host) => Promise.reject(new Error(`no such name: ${host}`));
    this.#resolve = options.resolve ?? noNames;
    this.#skipVerify = options.skipVerify ?? false;
    this.#claims = options.claims;
  }

  static async start(options: SmallWorldOptions = {}): Promise<SmallWorld> {
    const clock = options.clock ?? realClock();
    const store = options.store ?? (await openSqliteStore({ file: ':memory:' }));
    const world = new World();
    if (!(await store.load()).some(({ documents }) => documents.length > 0)) await store.commit(firstBatch());
    for (const { kind, documents } of await store.load()) for (const document of documents) world.load(kind, document);
    const engine = new Engine({
      clock,
      store,
      world,
      salt: 'test',
      addresses: { panelUrl: 'http://127.0.0.1/panel' },
      onBroken: (error) => {
        throw error;
      },
    });
    const small = new SmallWorld(clock, store, engine, options);
    engine.listen({ notice: (notice) => small.#onNotice(notice) });
    engine.start();
    if (options.withoutSender !== true) small.startSender();
    if (clock.mode !== 'lockstep') clock.start();
    return small;
  }

  get webhooks(): Webhooks {
    if (this.#webhooks === null) throw new Error('the sender was not started');
    return this.#webhooks;
  }

  get attempts(): AttemptNotice[] {
    return this.notices.filter((notice) => notice.kind === 'delivery-attempted');
  }

  startSender(): void {
    const { engine, store, clock, forwards } = this;
    const onLost = (delivery: Delivery) => void this.lost.push(delivery);
    this.#webhooks = startWebhooks({
      engine,
      store,
      clock,
      resolve: this.#resolve,
      forwards,
      skipVerify: this.#skipVerify,
      onLost,
      ...given({ claims: this.#claims }),
    });
  }

  /** A destination whose host is forwarded, unless the url is given in full. */
  async destination(target: URL | string, wanted: Wanted = {}): Promise<Destination> {
    const n = this.engine.world.count('destination');
    if (target instanceof URL) this.forwards.set(`receiver-${n}.example`, target);
    const outcome = await this.engine.submit({
      type: 'create-destination',
      organizationId: 'org',
      clientId: 'client',
      url: target instanceof URL ? `https://receiver-${n}.example/hook` : target,
      eventTypes: ['alert.*'],
      filters: {},
      secret: `whsec_${n}`,
      ...wanted,
    });
    if (outcome.rejected || outcome.done.destination === undefined) throw new Error('no destination was made');
    return outcome.done.destination;
  }

  /** Resolves when the alert is committed, with its id. */
  async sos(worker = 0): Promise<string> {
    return this.#raised(this.engine.submit({ type: 'report-sos', trigger: 'watch_button', ...this.#uplink(worker) }));
  }

  /** An alert of the lowest priority. */
  async call(worker = 0): Promise<string> {
    return this.#raised(this.engine.submit({ type: 'request-call', voiceNote: false, ...this.#uplink(worker) }));
  }

  async acknowledge(alertId: string): Promise<void> {
    const who = { by: 'Customer operator (via integration)', actor: 'Ana Ruiz', reason: null, note: null };
    await this.engine.submit({ type: 'update-alert', alertId, status: 'acknowledged', ...who });
  }

  destinationNow(id: string): Destination | undefined {
    return this.engine.world.get('destination', id);
  }

  waiting(destinationId: string): readonly Delivery[] {
    return this.engine.world.indexes.waitingOfDestination.of(destinationId).values();
  }

  /** Resolves when `count` attempts have been reported in all. */
  attempted(count: number): Promise<void> {
    if (this.attempts.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  /** The events of the log, oldest first. */
  async log(): Promise<{ id: string; type: string; body: string }[]> {
    return this.store.events({ organizationId: 'org', limit: 1_000 });
  }

  async stop(graceMs = 0): Promise<void> {
    await this.#webhooks?.stop(graceMs);
    await this.engine.stop();
    this.clock.stop();
  }

  #uplink(worker: number) {
    const uplinkId = `uplink-${this.#reports++}-of-${worker}-at-${this.clock.now()}`;
    return { deviceId: `device-${worker}`, uplinkId, watchTime: this.clock.now() };
  }

  async #raised(submitted: ReturnType<Engine['submit']>): Promise<string> {
    const outcome = await submitted;
    if (outcome.rejected || outcome.done.alertId === undefined) throw new Error('no alert was raised');
    return outcome.done.alertId;
  }

  #onNotice(notice: Notice): void {
    this.notices.push(notice);
    const count = this.attempts.length;
    for (const waiting of this.#waiting) if (waiting.count <= count) waiting.resolve();
  }
}

/** Worker 0 is of contractor "Alfa", the others of "Beta". */
function firstBatch(): Batch {
  const puts: Batch['puts'][number][] = [];
  const put = <K extends Kind>(kind: K, document: Documents[K]) => void puts.push({ kind, id: document.id, document });
  put('organization', { id: 'org', name: 'Acme', technicalContact: 'tech@acme.example' });
  const contract = { scopes: SCOPES, includeWorkerNames: true, contractors: null };
  put('client', { id: 'client', organizationId: 'org', secretHash: '', ...contract });
  put('site', SITE);
  for (let n = 0; n < WORKERS; n++) {
    put('worker', worker(n));
    put('device', device(n));
  }
  return { ...emptyBatch(), puts };
}

const SITE: Site = {
  id: 'site',
  organizationId: 'org',
  name: 'Planta Norte',
  location: null,
  privacyMode: 'continuous',
  heatIndexC: null,
  wind: null,
  unveilMinSeverity: 'high',
  origin: { latitude: -23.65, longitude: -70.4 },
  boundary: [],
  plan: {},
  thresholds: {
    fallPromptMs: 30_000,
    noSignalAfterMs: 90_000,
    offlineAfterMs: 600_000,
    positionEveryMs: 30_000,
    alarmEveryMs: 5_000,
    lowBatteryPct: 20,
    lowBatteryClearPct: 25,
    missingAfterMs: 600_000,
    heat: { indexC: 41, sunIndexC: 32, sunMs: 3_600_000, windowMs: 5_400_000, againAfterMs: 3_600_000 },
  },
};

const worker = (n: number): Worker => ({
  id: `worker-${n}`,
  organizationId: 'org',
  siteId: 'site',
  externalId: `E-${n}`,
  name: `Émilie Ñandú ${n}`,
  contractor: n === 0 ? 'Alfa' : 'Beta',
  role: null,
  isActive: true,
  deviceId: `device-${n}`,
});

const device = (n: number): Device => ({
  id: `device-${n}`,
  organizationId: 'org',
  siteId: 'site',
  serial: `W-${n}`,
  keyHash: '',
  model: null,
  status: 'active',
  workerId: `worker-${n}`,
  emulated: true,
  batteryLow: false,
  silenceReported: false,
  heatIndexC: null,
  heatAlertedAt: null,
});
