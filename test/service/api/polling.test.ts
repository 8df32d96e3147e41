/** A client that polls from the newest seen item misses nothing, whatever happens at however many sites. [decisions 1, 5, 6] */
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../src/base/ids.ts';
import type { Clock } from '../../../src/base/time/clock.ts';
import { realClock, scaledClock } from '../../../src/base/time/clocks.ts';
import type { Event } from '../../../src/contract/events.ts';
import type { Notice } from '../../../src/contract/notices.ts';
import type { Alert } from '../../../src/contract/resources.ts';
import { loadStored, writeNew } from '../../../src/sandbox/world/open-world.ts';
import type { Command } from '../../../src/service/domain/commands.ts';
import { KINDS } from '../../../src/service/domain/world/documents.ts';
import { openSqliteStore, type SqliteStore } from '../../../src/service/store/sqlite/store.ts';
import { SITE, SmallWorld, T0 } from '../domain/small-world.ts';
import { ApiHarness, SECRET } from './harness.ts';

/** FUZZ_RUNS=500 for more. */
const RUNS = Math.ceil(Number(process.env['FUZZ_RUNS'] ?? 16) / 4);

const SITES = 3;
const WATCHES = 3;

const id = (kind: string, n: number): string => `00000000-0000-4000-8000-${kind}${String(n).padStart(8, '0')}`;
const siteOf = (site: number): string => (site === 0 ? SITE : id('aaaa', site));
const deviceOf = (site: number, n: number): string => id('dddd', site * 10 + n);

/** Three sites of one company, each with people and an assembly point. */
function threeSites(): SmallWorld {
  const small = new SmallWorld({ client: { secretHash: sha256Hex(SECRET) } });
  const { world } = small;
  const [worker, device, zone] = [
    world.need('worker', small.workerId(1)),
    world.need('device', small.device(1)),
    [...world.all('zone')][0] as NonNullable<ReturnType<typeof world.get<'zone'>>>,
  ];
  for (let site = 0; site < SITES; site++) {
    const siteId = siteOf(site);
    world.put('site', { ...world.need('site', SITE), id: siteId, name: `Plant ${site}` });
    const assemblyPoint = {
      serves: ['general'],
      elevationM: null,
      elevationSource: null,
      vertical: false,
      capacity: null,
      minHeightM: null,
    } as const;
    const ring = [
      [300, 0],
      [340, 0],
      [340, 40],
      [300, 40],
    ] as const;
    world.put('zone', {
      ...zone,
      id: id('eeee', site),
      siteId,
      name: 'Gate',
      type: 'assembly_point',
      ring,
      assemblyPoint,
    });
    for (let n = 0; n < WATCHES; n++) {
      const [workerId, deviceId] = [id('bbbb', site * 10 + n), deviceOf(site, n)];
      world.put('worker', { ...worker, id: workerId, siteId, deviceId, externalId: `P-${site}-${n}` });
      world.put('device', { ...device, id: deviceId, siteId, workerId, serial: `P-${site}-${n}` });
      world.putTelemetry({ ...world.telemetry(small.device(1)), id: deviceId, fix: small.fix(20, 20) });
    }
  }
  world.commit();
  return small;
}

type Op =
  | { readonly op: 'sos' | 'fall' | 'walk'; readonly site: number; readonly n: number; readonly inside: boolean }
  | { readonly op: 'update'; readonly place: number; readonly status: 'acknowledged' | 'resolved' }
  | { readonly op: 'muster'; readonly site: number }
  | { readonly op: 'advance'; readonly ms: number }
  | { readonly op: 'turn' }
  | { readonly op: 'poll'; readonly limit: number }
  | { readonly op: 'restart'; readonly backMs: number };

const site = fc.nat(SITES - 1);
const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      op: fc.constantFrom('sos', 'fall', 'walk'),
      site,
      n: fc.nat(WATCHES - 1),
      inside: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('update'),
      place: fc.nat(20),
      status: fc.constantFrom('acknowledged', 'resolved'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('muster'), site }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('advance'), ms: fc.nat(12_000) }) },
  { weight: 4, arbitrary: fc.constant({ op: 'turn' }) },
  { weight: 6, arbitrary: fc.record({ op: fc.constant('poll'), limit: fc.constantFrom(1, 3, 200) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('restart'), backMs: fc.constantFrom(0, 1, 1_000, 3_600_000) }) },
);

/** A polling client with its memory. */
class Poller {
  readonly events = new Map<string, Event>();
  readonly alerts = new Map<string, Alert>();
  #lastEventAt: string | null = null;
  #newestSeen: string | null = null;
  harness: ApiHarness;
  token: string;

  constructor(harness: ApiHarness, token: string) {
    this.harness = harness;
    this.token = token;
  }

  /** Continues with `created_after` of the last event, and deduplicates by id. */
  async events_(limit: number): Promise<void> {
    const since = this.#lastEventAt === null ? '' : `&created_after=${this.#lastEventAt}`;
    for await (const page of this.#walk<Event>(`/v1/events?limit=${limit}${since}`)) {
      for (const event of page) this.events.set(event.id, event);
      this.#lastEventAt = page.at(-1)?.created_at ?? this.#lastEventAt;
    }
  }

  /** Continues with `modified_since` of the newest alert of the first page: changes during the walk may be on a page already read. */
  async alerts_(limit: number): Promise<void> {
    const since = this.#newestSeen === null ? '' : `&modified_since=${this.#newestSeen}`;
    let first = true;
    for await (const page of this.#walk<Alert>(`/v1/alerts?limit=${limit}${since}`)) {
      for (const alert of page) this.#take(alert);
      if (first)
        for (const { date_last_modified: at } of page) if (at > (this.#newestSeen ?? '')) this.#newestSeen = at;
      first = false;
    }
  }

  /** Discards a version older than the one held. [spec 2] */
  #take(alert: Alert): void {
    const held = this.alerts.get(alert.id);
    if (held === undefined || held.date_last_modified < alert.date_last_modified) this.alerts.set(alert.id, alert);
  }

  async *#walk<T>(path: string): AsyncGenerator<readonly T[]> {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, body } = await this.harness.call('GET', `${path}${cursor && `&cursor=${cursor}`}`, {
        token: this.token,
      });
      expect([status, body.code]).toEqual([200, undefined]);
      yield body.data;
      cursor = body.next_cursor;
    }
  }
}

const CLOCKS: Readonly<Record<string, (start: number) => Clock>> = {
  'speed 1': (start) => realClock({ start }),
  'speed 20': (start) => scaledClock({ speed: 20, start }),
  'a frozen clock': (start) => {
    const clock = realClock({ start });
    clock.pause();
    return clock;
  },
};

const opened: SqliteStore[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function play(clockAt: (start: number) => Clock, ops: readonly Op[]): Promise<void> {
  const small = threeSites();
  const store = await openSqliteStore({ file: ':memory:' });
  opened.push(store);
  const stored = await loadStored(store);
  const puts = KINDS.flatMap((kind) =>
    [...small.world.all(kind)].map((document) => ({ kind, id: document.id, document })),
  );
  await writeNew(store, stored.world, { id: 'meta', salt: 'test', origin: 'test' }, puts);
  const notices: Notice[] = [];
  const boot = async (start: number, world = stored.world): Promise<ApiHarness> => {
    const booted = await ApiHarness.start({ store, world, clock: clockAt(start) });
    booted.api.limiter.setLimits('harbour_co', { requestsPerMinute: 1e9, querySecondsPerMinute: 1e9 });
    booted.engine.listen({ notice: (notice) => notices.push(notice) });
    return booted;
  };
  let harness = await boot(T0);
  const poller = new Poller(harness, await harness.token());
  let polling: Promise<void> = Promise.resolve();
  let pending: Promise<unknown>[] = [];
  const submit = (command: Command) => pending.push(harness.engine.submit(command));
  for (const one of ops) {
    const { world } = harness.engine;
    switch (one.op) {
      case 'sos':
      case 'fall': {
        const uplink = { ...small.uplink(1), deviceId: deviceOf(one.site, one.n) };
        submit(
          one.op === 'fall'
            ? { type: 'report-fall', ...uplink }
            : { type: 'report-sos', trigger: 'watch_button', ...uplink },
        );
        break;
      }
      case 'walk': {
        small.now = harness.clock.now();
        const fix = { ...small.fix(one.inside ? 320 : 20, 20), worn: true };
        submit({ type: 'report-position', deviceId: deviceOf(one.site, one.n), fixes: [fix] });
        break;
      }
      case 'update': {
        const alerts = [...world.all('alert')];
        const alert = alerts[one.place % Math.max(1, alerts.length)];
        const { status } = one;
        if (alert !== undefined)
          submit({
            type: 'update-alert',
            alertId: alert.id,
            status,
            by: 'Desk',
            actor: 'Desk',
            reason: null,
            note: null,
          });
        break;
      }
      case 'muster':
        submit({
          type: 'start-muster',
          siteId: siteOf(one.site),
          kind: 'general',
          reason: null,
          origin: null,
          deadline: null,
          by: 'Lead',
        });
        break;
      case 'advance':
        await harness.clock.advance(one.ms);
        break;
      case 'turn':
        await new Promise((resolve) => setImmediate(resolve));
        break;
      case 'poll': {
        const { limit } = one;
        polling = polling.then(() => poller.events_(limit)).then(() => poller.alerts_(limit));
        break;
      }
      case 'restart': {
        await Promise.all([polling, ...pending]);
        pending = [];
        const now = harness.clock.now();
        await harness.stop();
        // Simulated time goes back, as with a smaller stored offset.
        harness = await boot(Math.max(T0, now - one.backMs), (await loadStored(store)).world);
        [poller.harness, poller.token] = [harness, await harness.token()];
      }
    }
  }
  await Promise.all([polling, ...pending]);
  // Due work continues, so the client polls until nothing can come.
  harness.clock.pause();
  await harness.engine.read(() => undefined);
  for (const limit of [200, 200]) {
    await poller.events_(limit);
    await poller.alerts_(limit);
  }
  const all = await store.events({ organizationId: small.world.need('site', SITE).organizationId, limit: 100_000 });
  expect([...poller.events.keys()].sort()).toEqual(all.map((event) => event.id).sort());
  const held = [...poller.alerts.values()].map((alert) => [alert.id, alert.date_last_modified, alert.status]);
  const truth = [...harness.engine.world.all('alert')].map(({ id: alert, modifiedAt, status }) => [
    alert,
    new Date(modifiedAt).toISOString(),
    status,
  ]);
  expect(held.sort()).toEqual(truth.sort());
  increasing(notices);
  await harness.stop();
}

/** In the order of the commits, over all sites and restarts. */
function increasing(notices: readonly Notice[]): void {
  const created = notices.flatMap((notice) => (notice.kind === 'event-occurred' ? [notice.event.created_at] : []));
  const last = new Map<string, string>();
  const modified = notices.flatMap((notice) => {
    if (notice.kind !== 'alert-changed') return [];
    const { id: alert, date_last_modified: at } = notice.alert;
    const isNew = last.get(alert) !== at;
    last.set(alert, at);
    return isNew ? [at] : [];
  });
  for (const times of [created, modified])
    for (const [place, at] of times.entries()) expect(at > (times[place - 1] ?? '')).toBe(true);
}

describe.each(Object.entries(CLOCKS))('at %s', (_mode, clockAt) => {
  test('a poller at random moments misses no event and no change of an alert', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(op, { minLength: 5, maxLength: 40 }), (ops) => play(clockAt, ops)),
      { numRuns: RUNS, seed: 8 },
    );
  });

  test('an SOS at each of three sites in one millisecond, with a look after each', async () => {
    const press = (where: number): Op => ({ op: 'sos', site: where, n: 0, inside: false });
    const poll: Op = { op: 'poll', limit: 200 };
    await play(clockAt, [
      press(0),
      { op: 'sos', site: 0, n: 1, inside: false },
      { op: 'turn' },
      poll,
      press(1),
      { op: 'turn' },
      poll,
      press(2),
    ]);
  });

  test('counts of two musters that are due together, after events that took their milliseconds', async () => {
    const walk = (where: number): Op => ({ op: 'walk', site: where, n: 0, inside: true });
    const poll: Op = { op: 'poll', limit: 1 };
    const sos = (where: number, n: number): Op => ({ op: 'sos', site: where, n, inside: false });
    await play(clockAt, [
      ...([
        { op: 'muster', site: 0 },
        { op: 'muster', site: 1 },
        walk(0),
        walk(1),
        sos(2, 0),
        sos(2, 1),
        sos(2, 2),
      ] as const),
      ...([
        { op: 'advance', ms: 15_000 },
        poll,
        sos(2, 1),
        { op: 'advance', ms: 5_000 },
        poll,
        { op: 'restart', backMs: 3_600_000 },
      ] as const),
      ...([sos(0, 1), poll, sos(1, 1), { op: 'advance', ms: 15_000 }, poll] as const),
    ]);
  });
});
