/** However few old documents memory holds, every answer, event and report is the same: on SQLite, and on two nodes at one Postgres. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../src/base/ids.ts';
import type { Stream } from '../../../src/base/random/streams.ts';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import { ALERT_STATUSES, ALERT_TYPES, SEVERITIES } from '../../../src/contract/enumerations.ts';
import { loadStored } from '../../../src/sandbox/world/open-world.ts';
import { ChangeLog } from '../../../src/service/api/stream/change-log.ts';
import { alertsOf, countAlerts } from '../../../src/service/domain/alerts/alerts-of.ts';
import type { Command } from '../../../src/service/domain/commands.ts';
import { courseOf } from '../../../src/service/domain/musters/course.ts';
import { type GuestScenario, KINDS } from '../../../src/service/domain/world/documents.ts';
import { MEMORY_BOUNDS, type MemoryBounds, UNBOUNDED } from '../../../src/service/domain/world/residency.ts';
import type { World } from '../../../src/service/domain/world/world.ts';
import type { Batch, Store } from '../../../src/service/engine/store-port.ts';
import { readReport } from '../../../src/service/panel/after-action/after-action.ts';
import { alertsPage } from '../../../src/service/panel/pages/overview.ts';
import type { Membership } from '../../../src/service/store/nodes/membership.ts';
import { openPostgresStore, type PostgresStore } from '../../../src/service/store/postgres/store.ts';
import { openSqliteStore } from '../../../src/service/store/sqlite/store.ts';
import { EMPTY_STATE } from '../../../src/watching/state/state.ts';
import { ownFolder } from '../../helpers/own-folder.ts';
import { PostgresServer, withoutPostgres } from '../../helpers/postgres-server.ts';
import { unless } from '../../helpers/unless.ts';
import { isWhole, sampled, withoutWhole } from '../../helpers/whole.ts';
import { chance, ORG, SITE, SmallWorld, START_MUSTER, T0 } from '../domain/small-world.ts';
import { batchOf } from '../store/samples.ts';
import { ApiHarness, SECRET } from './harness.ts';

const FEW: MemoryBounds = { resolvedAlerts: 2, acceptedUplinks: 3, recordedMusters: 1, recent: 1 };
const STEPS = isWhole ? 220 : 30;
/** Two nodes at a database take several times as long for a step. */
const NODE_STEPS = isWhole ? 220 : 20;
const PEOPLE = 6;

/** One sandbox, as one process or as several nodes. */
interface Played {
  readonly nodes: readonly ApiHarness[];
  stop(): Promise<void>;
}

/** Every other seed has a client that sees one contractor's people only. */
function beginning(seed: string): SmallWorld {
  const contractors = Number(seed) % 2 === 0 ? ['Norte SL'] : null;
  const small = new SmallWorld({ client: { secretHash: sha256Hex(SECRET), contractors } });
  small.now = T0;
  for (let n = 4; n <= PEOPLE; n++) small.worker(n, `Person ${n}`, n % 2 === 0 ? 'Norte SL' : 'Sur, Hermanos');
  for (let n = 1; n <= PEOPLE; n++) small.at(n, 20 * n, 20);
  small.world.commit();
  return small;
}

function documentsOf(world: World): Batch['puts'] {
  return KINDS.flatMap((kind) => [...world.all(kind)].map((document) => ({ kind, id: document.id, document })));
}

const pausedClock = () => {
  const clock = lockstepClock({ start: T0 });
  clock.pause();
  return clock;
};

async function onSqlite(file: string, bounds: MemoryBounds, seed: string): Promise<Played> {
  const store = await openSqliteStore({ file });
  await store.commit(batchOf({ puts: documentsOf(beginning(seed).world) }));
  const { world } = await loadStored(store, bounds);
  const harness = await ApiHarness.start({ store, world, clock: pausedClock() });
  return {
    nodes: [harness],
    stop: async () => {
      await harness.stop();
      await store.close();
    },
  };
}

/** All of it in memory, as before there were bounds. */
async function unbounded(seed: string): Promise<Played> {
  const { world } = beginning(seed);
  const harness = await ApiHarness.start({ world, clock: pausedClock() });
  return { nodes: [harness], stop: () => harness.stop() };
}

async function onNodes(url: string, bounds: MemoryBounds, seed: string): Promise<Played> {
  const clock = pausedClock();
  const opened: { store: PostgresStore; membership: Membership; harness: ApiHarness }[] = [];
  for (const name of ['a', 'b']) {
    const store = await openPostgresStore({ url, node: name });
    const { nodes } = store;
    if (nodes === null) throw new Error('it is no node');
    const membership = await nodes.join({ onOutdated: () => {}, onUnsteady: () => {}, say: () => {} });
    if (name === 'a') await (store as Store).commit(batchOf({ puts: documentsOf(beginning(seed).world) }));
    const { world } = await loadStored(store, bounds);
    await membership.started();
    const shared = { transactions: nodes.transactions, isMine: () => name === 'a', onOutdated: () => {} };
    opened.push({ store, membership, harness: await ApiHarness.start({ store, world, clock, shared }) });
  }
  return {
    nodes: opened.map(({ harness }) => harness),
    stop: async () => {
      for (const { harness, membership, store } of opened) {
        await harness.stop();
        await membership.leave();
        await store.close();
      }
    },
  };
}

/** Random requests and reports, equal for equal seeds and equal answers. */
class Player {
  readonly answers: unknown[] = [];
  readonly #played: Played;
  readonly #random: Stream;
  readonly #tokens: string[] = [];
  readonly #alerts: string[] = [];
  readonly #musters: string[] = [];
  #step = 0;
  #uplinks = 0;

  readonly #steps: number;

  constructor(played: Played, seed: string, steps: number) {
    this.#steps = steps;
    this.#played = played;
    this.#random = chance(seed);
  }

  async play(): Promise<readonly unknown[]> {
    for (const node of this.#played.nodes) this.#tokens.push(await node.token());
    for (; this.#step < this.#steps; this.#step++) {
      const act = this.#random.pick(this.#acts);
      // What is due on one node was caused on another.
      for (const { engine } of this.#played.nodes) await engine.catchUp();
      await this.#clock.advance(this.#random.int(0, 40_000));
      this.answers.push([this.#step, act.name, await act.call(this)]);
    }
    for (const filter of this.#filters()) this.answers.push([filter, await this.#walk(filter, 3)]);
    this.answers.push(await this.#events());
    return this.answers;
  }

  /** Each step is done at the next node. */
  get #node(): ApiHarness {
    return this.#played.nodes[this.#step % this.#played.nodes.length] as ApiHarness;
  }

  get #clock() {
    return this.#node.clock;
  }

  readonly #acts = [
    ...Array(6).fill(this.press),
    ...Array(8).fill(this.update),
    ...[this.reopen, this.assign, this.acknowledgeOnWatch, this.acknowledgeOnWatch, this.hazard],
    ...[this.get, this.get, this.list, this.list, this.list, this.poll, this.musters, this.report, this.panel],
  ] as (() => Promise<unknown>)[];

  async #submit(command: Command): Promise<unknown> {
    const { engine } = this.#node;
    const outcome = await engine.submit(command);
    if (outcome.rejected) return outcome;
    const { alertId, musterId } = outcome.done;
    if (alertId !== undefined && !this.#alerts.includes(alertId)) this.#alerts.push(alertId);
    if (musterId !== undefined && !this.#musters.includes(musterId)) this.#musters.push(musterId);
    return { alertId, musterId, dropped: outcome.done.dropped };
  }

  /** Message ids are used again, by the same watch and by others. */
  #uplink() {
    const n = this.#random.chance(0.8) ? ++this.#uplinks : this.#random.int(0, this.#uplinks);
    const { small } = this.#node;
    return {
      deviceId: small.device(this.#random.int(1, PEOPLE)),
      uplinkId: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      watchTime: this.#clock.now(),
    };
  }

  #anyAlert(): string {
    if (this.#alerts.length === 0 || this.#random.chance(0.05)) return '00000000-0000-4000-8000-0000000000ff';
    return this.#random.pick(this.#alerts);
  }

  press(): Promise<unknown> {
    const uplink = this.#uplink();
    return this.#random.pick([
      () => this.#submit({ type: 'report-sos', trigger: 'watch_button', ...uplink }),
      () => this.#submit({ type: 'report-fall', ...uplink }),
      () => this.#submit({ type: 'request-call', voiceNote: false, ...uplink }),
    ])();
  }

  hazard(): Promise<unknown> {
    const estimate = { official: false, magnitude: 5, distanceKm: 80, feltAtSite: true, eta: null };
    return this.#submit({ type: 'report-hazard', siteId: SITE, hazard: 'earthquake', ...estimate });
  }

  update(): Promise<unknown> {
    const status = this.#random.chance(0.75) ? 'resolved' : 'acknowledged';
    return this.#call('PATCH', `/v1/alerts/${this.#anyAlert()}`, { status, actor: { name: 'Desk' } });
  }

  reopen(): Promise<unknown> {
    return this.#submit({ type: 'reopen-alert', alertId: this.#anyAlert(), by: 'Lead' });
  }

  assign(): Promise<unknown> {
    return this.#submit({ type: 'assign-alert', alertId: this.#anyAlert(), by: 'Lead', to: 'Mate' });
  }

  acknowledgeOnWatch(): Promise<unknown> {
    const alertId = this.#random.chance(0.5) ? this.#anyAlert() : null;
    return this.#submit({ type: 'acknowledge-on-watch', alertId, ...this.#uplink() });
  }

  async musters(): Promise<unknown> {
    const { world } = this.#node.engine;
    await this.#node.engine.catchUp();
    const active = world.indexes.activeMuster(SITE);
    if (active === undefined) return this.#submit(START_MUSTER);
    return this.#submit({ type: 'end-muster', musterId: active.id, outcome: 'completed', by: 'Lead' } as Command);
  }

  async report(): Promise<unknown> {
    if (this.#musters.length === 0) return null;
    await this.#node.engine.catchUp();
    return readReport(this.#node, this.#random.pick(this.#musters));
  }

  async panel(): Promise<unknown> {
    const { engine } = this.#node;
    await engine.catchUp();
    const query = new URLSearchParams(this.#random.pick(['', 'status=resolved', `site=${SITE}`]));
    const look = { now: engine.clock.now(), reader: {}, world: EMPTY_STATE };
    return engine.read((world) => String(alertsPage(look as never, world, query).main.text));
  }

  get(): Promise<unknown> {
    return this.#call('GET', `/v1/alerts/${this.#anyAlert()}`);
  }

  list(): Promise<unknown> {
    return this.#walk(this.#random.pick(this.#filters()), this.#random.pick([1, 2, 5, 50]));
  }

  poll(): Promise<unknown> {
    const since = new Date(this.#clock.now() - this.#random.int(0, 600_000)).toISOString();
    return this.#walk(`modified_since=${since}`, 50);
  }

  #filters(): string[] {
    const at = (ms: number) => new Date(T0 + ms).toISOString();
    const [early, late] = [at(this.#random.int(0, 1_000_000)), at(this.#random.int(1_000_000, 4_000_000))];
    return [
      ...[
        '',
        `site_id=${SITE}`,
        'simulated=true',
        'simulated=false',
        'contractor=Norte%20SL',
        'contractor=Sur%2C%20Hermanos',
      ],
      ...ALERT_STATUSES.map((status) => `status=${status}`),
      ...ALERT_TYPES.slice(0, 4).map((type) => `type=${type}&type=earthquake`),
      ...SEVERITIES.map((severity) => `min_severity=${severity}`),
      ...[1, 2, 4].map((n) => `worker_id=${this.#node.small.workerId(n)}`),
      ...[`created_after=${late}`, `created_before=${early}`, `created_after=${early}&created_before=${late}`],
      ...[`modified_since=${early}`, `modified_since=${late}&status=resolved`, `modified_since=${late}&type=sos`],
    ];
  }

  /** All pages. */
  async #walk(filter: string, limit: number): Promise<unknown> {
    const pages: unknown[] = [];
    let cursor = '';
    do {
      const { body } = (await this.#call('GET', `/v1/alerts?${filter}&limit=${limit}${cursor}`)) as Reply;
      pages.push(body);
      cursor = body.next_cursor == null ? '' : `&cursor=${encodeURIComponent(body.next_cursor)}`;
    } while (cursor !== '' && pages.length < 60);
    return pages;
  }

  async #events(): Promise<unknown> {
    const { body } = (await this.#call('GET', '/v1/events?limit=200')) as Reply;
    return body;
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const token = this.#tokens[this.#step % this.#tokens.length] ?? '';
    const answer = await this.#node.call(method, path, body === undefined ? { token } : { token, body });
    const text = JSON.stringify(answer.body).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '');
    return { status: answer.status, body: JSON.parse(text) };
  }
}

interface Reply {
  readonly body: { readonly next_cursor?: string | null };
}

async function answersOf(played: Played, seed: string, steps = STEPS): Promise<readonly unknown[]> {
  try {
    return await new Player(played, seed, steps).play();
  } finally {
    await played.stop();
  }
}

/** What all of it in memory answers, once for each seed. */
const known = new Map<string, Promise<readonly unknown[]>>();
function unboundedAnswers(seed: string, steps = STEPS): Promise<readonly unknown[]> {
  const key = `${seed} ${steps}`;
  const answers = known.get(key) ?? unbounded(seed).then((played) => answersOf(played, seed, steps));
  known.set(key, answers);
  return answers;
}

describe('however few old documents memory holds', () => {
  const folder = ownFolder();
  let server: PostgresServer | null = null;
  beforeAll(async () => {
    if (withoutPostgres === null) server = await PostgresServer.start();
  });
  afterAll(async () => {
    await server?.destroy();
    folder.remove();
  });

  for (const { row: seed, skip } of sampled(['1', '2', '3', '4', '5'], 5)) {
    unless(skip).it(`every answer and report is the same on SQLite (seed ${seed})`, async () => {
      const all = await unboundedAnswers(seed);
      const few = await onSqlite(join(folder.path, `few-${seed}.db`), FEW, seed);
      const { world } = few.nodes[0]?.engine ?? expect.unreachable();
      expect(await answersOf(few, seed)).toEqual(all);
      // It is only a proof where memory has let go of something.
      expect(world.alertFloor(ORG)).not.toBeNull();
      expect(world.indexes.resolvedAlerts.of(ORG).length).toBeLessThanOrEqual(FEW.resolvedAlerts);
    });

    unless(
      withoutWhole,
    ).it(`every answer and report is the same on SQLite with the bounds of the product (seed ${seed})`, async () => {
      const shipped = await onSqlite(join(folder.path, `as-shipped-${seed}.db`), MEMORY_BOUNDS, seed);
      expect(await answersOf(shipped, seed)).toEqual(await unboundedAnswers(seed));
    });
  }

  for (const { row: seed, skip } of sampled(['1', '2', '3'], 3))
    unless(skip, withoutPostgres).it(`every answer and report is the same on two nodes (seed ${seed})`, async () => {
      const url = (await server?.database()) ?? '';
      const nodes = await onNodes(url, FEW, seed);
      const worlds = nodes.nodes.map(({ engine }) => engine.world);
      expect(await answersOf(nodes, seed, NODE_STEPS)).toEqual(await unboundedAnswers(seed, NODE_STEPS));
      for (const world of worlds) expect(world.alertFloor(ORG)).not.toBeNull();
    });

  it('a restart has all of them', async () => {
    const file = join(folder.path, 'restarted.db');
    await answersOf(await onSqlite(file, FEW, '6'), '6');
    const store = await openSqliteStore({ file });
    const pictures: unknown[] = [];
    for (const bounds of [FEW, UNBOUNDED]) {
      const { world } = await loadStored(store, bounds);
      const alerts = alertsOf(world, { organizationId: ORG });
      const musters = [...world.all('muster')].map(({ id }) => [world.get('roll', id), courseOf(world, id)]);
      pictures.push({ alerts, counted: countAlerts(world, { organizationId: ORG }), musters });
    }
    expect((pictures[0] as { alerts: unknown[] }).alerts.length).toBeGreaterThan(FEW.resolvedAlerts);
    expect(pictures[0]).toEqual(pictures[1]);
    await store.close();
  });

  it('a site takes all its alerts and the records of all its musters with it', async () => {
    const played = await onSqlite(join(folder.path, 'removed.db'), FEW, '1');
    const [{ engine, store } = expect.unreachable()] = played.nodes;
    const ids = await alertsAndMusters(played, 6);
    await engine.submit({ type: 'join-plant', guest: guestWith(SITE), documents: [] });
    await engine.submit({ type: 'leave-plant', guestId: 'run' });
    for (const id of ids) expect(await engine.read((world) => world.get('alert', id))).toBeUndefined();
    const kinds = (await store.load()).filter(({ documents }) => documents.length > 0).map(({ kind }) => kind);
    expect(kinds.filter((kind) => ['alert', 'muster', 'roll', 'course'].includes(kind))).toEqual([]);
    await played.stop();
  });

  unless(withoutPostgres).it('a site that one node removes is announced by another with all its alerts', async () => {
    const played = await onNodes((await server?.database()) ?? '', FEW, '1');
    const [{ engine }, other] = [played.nodes[0] ?? expect.unreachable(), played.nodes[1] ?? expect.unreachable()];
    const ids = await alertsAndMusters(played, 6);
    await other.engine.catchUp();
    expect(other.engine.world.held('alert', ids[0] as string), 'memory has let go of it').toBeUndefined();
    const marked = new Map<string, string | null>();
    new ChangeLog(other.engine, other.clock).listen(({ subject, id, organizationId }) =>
      marked.set(`${subject} ${id}`, organizationId),
    );
    await engine.submit({ type: 'join-plant', guest: guestWith(SITE), documents: [] });
    await engine.submit({ type: 'leave-plant', guestId: 'run' });
    await other.engine.catchUp();
    // To its company alone: no other client learns the id of an alert that it may not see.
    for (const id of ids) expect([id, marked.get(`alert ${id}`)]).toEqual([id, ORG]);
    await played.stop();
  });
});

/** Raised and resolved, each with a muster that has ended. Returns the ids of the alerts. */
async function alertsAndMusters({ nodes }: Played, count: number): Promise<string[]> {
  const [{ engine, small } = expect.unreachable()] = nodes;
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const raised = await engine.submit({ type: 'panel-sos', workerId: small.workerId(1), by: 'Lead' });
    const alertId = raised.rejected ? expect.unreachable() : (raised.done.alertId ?? '');
    const by = { by: 'Lead', actor: 'Lead', reason: null, note: null };
    await engine.submit({ type: 'update-alert', alertId, status: 'resolved', ...by });
    const about = { siteId: SITE, kind: 'general', reason: null, origin: null, deadline: null } as const;
    const begun = await engine.submit({ type: 'start-muster', ...about, by: 'Lead' });
    const musterId = begun.rejected ? expect.unreachable() : (begun.done.musterId ?? '');
    await engine.submit({ type: 'end-muster', musterId, outcome: 'completed', by: 'Lead' } as Command);
    await engine.clock.advance(1_000);
    ids.push(alertId);
  }
  return ids;
}

/** A run of a scenario that brought this site. */
const guestWith = (siteId: string): GuestScenario => ({
  id: 'run',
  organizationId: ORG,
  clientId: 'harbour_co',
  siteIds: [siteId],
  destinationIds: [],
  receivers: { domain: 'run.example', urls: ['https://hooks.example/in'] },
  before: { contract: null, limits: null, apiFault: null, broker: null },
});
