/** An exception ends one command, one listener or one due entry, is reported so that it can be replayed, and the rest goes on. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import type { Notice } from '../../../src/contract/notices.ts';
import { loadStored } from '../../../src/sandbox/world/open-world.ts';
import type { Command } from '../../../src/service/domain/commands.ts';
import type { Destination } from '../../../src/service/domain/world/documents.ts';
import type { World } from '../../../src/service/domain/world/world.ts';
import { Engine } from '../../../src/service/engine/engine.ts';
import type { FailureRecord } from '../../../src/service/engine/failures.ts';
import { openSqliteStore } from '../../../src/service/store/sqlite/store.ts';
import { ADDRESSES, ORG, SITE, SmallWorld, START_MUSTER, T0 } from '../domain/small-world.ts';
import { pictureOf } from '../domain/world-picture.ts';

type InternalError = Extract<Notice, { kind: 'internal-error' }>;

async function setUp(small = new SmallWorld()) {
  const clock = lockstepClock({ start: T0 });
  const store = await openSqliteStore({ file: ':memory:' });
  const notices: Notice[] = [];
  const records: FailureRecord[] = [];
  const addresses = { fails: false, panelUrl: '' };
  Object.defineProperty(addresses, 'panelUrl', {
    get() {
      if (addresses.fails) throw new Error('no address');
      return ADDRESSES.panelUrl;
    },
  });
  const engine = new Engine({
    clock,
    store,
    world: small.world,
    salt: 'test',
    addresses,
    onBroken: (error) => {
      throw error;
    },
    recordFailure: (record) => records.push(record),
  });
  engine.listen({ notice: (notice) => notices.push(notice) });
  clock.contain((error, actor) => engine.failures.report({ part: 'task', what: actor, error }));
  engine.start();
  clock.start();
  // Time runs on by itself in lock-step, and would do so beside the tests after this one.
  onTestFinished(() => clock.stop());
  const press = (n: number): Command => ({ type: 'report-sos', trigger: 'watch_button', ...small.uplink(n) });
  const failures = () => notices.filter((notice): notice is InternalError => notice.kind === 'internal-error');
  return { small, clock, store, engine, notices, records, addresses, press, failures };
}

/** A worker's watch whose site is not there: every rule that looks for the site throws. */
function withoutSite(small: SmallWorld, n: number): void {
  const device = small.world.need('device', small.device(n));
  small.world.load('device', { ...device, siteId: 'nowhere' });
}

/** A destination as no version ever wrote it: reading its filters throws. */
function brokenDestination(small: SmallWorld): void {
  const id = small.subscribe();
  const destination = small.world.need('destination', id);
  small.world.load('destination', { ...destination, filters: null } as unknown as Destination);
}

describe('a command that throws', () => {
  test.each<[string, (world: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>]>([
    [
      'in a rule',
      ({ small, engine, press }) => {
        withoutSite(small, 2);
        return engine.submit(press(2));
      },
    ],
    [
      'in a view',
      ({ addresses, engine, press }) => {
        addresses.fails = true;
        return engine.submit(press(2));
      },
    ],
    [
      'in a consequence',
      ({ small, engine, press }) => {
        brokenDestination(small);
        return engine.submit(press(2));
      },
    ],
    [
      'in what its caller renders',
      ({ engine, press }) =>
        engine.submit(press(2), () => {
          throw new Error('cannot be rendered');
        }),
    ],
    [
      'in the row that goes with it',
      ({ engine, press }) =>
        engine.submit(press(2), undefined, () => {
          throw new Error('no row');
        }),
    ],
    [
      'after a position was heard',
      ({ small, engine, addresses }) => {
        small.zone('Pit', 'forbidden', [300, 0, 340, 40]);
        small.at(3, 320, 20);
        addresses.fails = true;
        const fix = { ...small.fix(321, 21), worn: true };
        return engine.submit({ type: 'report-position', deviceId: small.device(3), fixes: [fix] });
      },
    ],
  ])('%s is answered 500 and leaves the world as it was', async (_where, submit) => {
    const made = await setUp();
    const { small, engine, failures, store } = made;
    await engine.submit(made.press(1));
    const submitted = submit(made);
    const before = pictureOf(small.world);
    expect(await submitted).toMatchObject({
      rejected: true,
      code: 'internal_error',
      detail: 'The sandbox has an internal error. The request log has the reason.',
    });
    expect(pictureOf(small.world)).toEqual(before);
    expect(await store.events({ organizationId: ORG, limit: 10 })).toHaveLength(1);
    expect(failures()).toMatchObject([{ part: 'command', times: 1 }]);
  });

  test('does not touch the others of its transaction', async () => {
    const { small, engine, press, store, notices, addresses } = await setUp();
    withoutSite(small, 2);
    const outcomes = await Promise.all([
      engine.submit(press(1), (world: World) => world.count('alert')),
      engine.submit(press(2)),
      engine.submit(press(3), (world: World) => world.count('alert')),
    ]);
    expect(outcomes).toMatchObject([
      { rejected: false, value: 1 },
      { rejected: true, code: 'internal_error' },
      { rejected: false, value: 2 },
    ]);
    const events = await store.events({ organizationId: ORG, limit: 10 });
    expect(events.map(({ objectId }) => objectId)).toEqual(small.alerts('sos').map(({ id }) => id));
    expect(notices.filter(({ kind }) => kind === 'event-occurred')).toHaveLength(2);
    expect(addresses.fails).toBe(false);
    const stored = await loadStored(store);
    expect([...stored.world.all('alert')].map(({ id }) => id).sort()).toEqual(
      small
        .alerts()
        .map(({ id }) => id)
        .sort(),
    );
    expect(stored.world.count('heard')).toBe(2);
  });

  test('is recorded with itself, so that it fails again where it is submitted again', async () => {
    const { small, engine, press, records } = await setUp();
    withoutSite(small, 2);
    await engine.submit(press(2));
    expect(records).toMatchObject([
      { part: 'command', what: 'report-sos', times: 1, command: { type: 'report-sos', deviceId: small.device(2) } },
    ]);
    expect(records[0]?.error).toContain('no site nowhere in the world');
    expect(records[0]?.error).toContain('.ts:');
    const other = await setUp();
    withoutSite(other.small, 2);
    const again = JSON.parse(JSON.stringify(records[0]?.command)) as Command;
    expect(await other.engine.submit(again)).toMatchObject({ code: 'internal_error' });
    expect(other.records[0]?.error.split('\n')[0]).toBe(records[0]?.error.split('\n')[0]);
  });

  test('is recorded without secrets', async () => {
    const { engine, records, addresses, small } = await setUp();
    addresses.fails = true;
    const fails = (): never => {
      throw new Error('not now');
    };
    await engine.submit(
      {
        type: 'create-destination',
        organizationId: ORG,
        clientId: 'harbour_co',
        url: 'https://receiver.example/h',
        eventTypes: ['alert.*'],
        filters: {},
        secret: 'whsec_very_secret',
      },
      fails,
    );
    await engine.submit(
      { type: 'issue-token', hash: 'f'.repeat(64), clientId: 'harbour_co', scopes: [], expiresAt: 1 },
      fails,
    );
    await engine.submit(
      { type: 'swap-watch', workerId: small.workerId(1), serial: 'X', keyHash: 'e'.repeat(64) },
      fails,
    );
    expect(records).toHaveLength(3);
    const text = JSON.stringify(records);
    for (const secret of ['whsec_very_secret', 'f'.repeat(64), 'e'.repeat(64)]) expect(text).not.toContain(secret);
    expect(text.match(/\[hidden\]/g)).toHaveLength(3);
  });

  test('again and again is reported at each power of two, and no more', async () => {
    const { small, engine, press, failures } = await setUp();
    withoutSite(small, 2);
    for (let time = 0; time < 20; time++) await engine.submit(press(2));
    expect(failures().map(({ times }) => times)).toEqual([1, 2, 4, 8, 16]);
  });
});

describe('due work that throws', () => {
  test('backs off, and is done when its cause is gone', async () => {
    const { small, engine, clock, failures } = await setUp();
    await engine.submit({ type: 'report-fall', ...small.uplink(1) });
    const device = small.world.need('device', small.device(1));
    withoutSite(small, 1);
    await clock.advance(30_000 + 10 * 60_000);
    // Due at 0, and again after 1, 2, 4 ... 256 s: ten times in ten minutes.
    expect(
      failures()
        .filter(({ part }) => part === 'command')
        .map(({ times }) => times),
    ).toEqual([1, 2, 4, 8]);
    small.world.load('device', device);
    await clock.advance(10 * 60_000);
    expect(small.alerts('sos')).toHaveLength(1);
    expect(small.world.count('prompt')).toBe(0);
  });

  test('work without a computable due time does not keep an engine from starting', async () => {
    const small = new SmallWorld();
    withoutSite(small, 1);
    small.world.load('telemetry', {
      ...small.world.telemetry(small.device(2)),
      lastContactAt: T0,
      fix: small.fix(20, 20),
    });
    const { clock, failures } = await setUp(small);
    expect(failures()).toMatchObject([{ part: 'task', what: 'silence' }]);
    await clock.advance(10 * 60_000);
    expect(small.alerts('device_offline').map(({ device }) => device?.id)).toEqual([small.device(2)]);
  });

  test('a count that throws is made again at its next time', async () => {
    const { small, engine, clock, addresses, failures } = await setUp();
    await engine.submit(START_MUSTER);
    const [muster] = [...small.world.all('muster')];
    const site = small.world.need('site', SITE);
    small.world.load('site', { ...site, thresholds: null } as never);
    await clock.advance(20_000);
    expect(failures().map(({ what, times }) => [what, times])).toEqual([
      ['count-muster', 1],
      ['count-muster', 2],
      ['count-muster', 4],
    ]);
    small.world.load('site', site);
    await clock.advance(5_000);
    expect(small.world.need('muster', muster?.id as string).totals.expected).toBe(1);
    expect(addresses.fails).toBe(false);
  });
});

describe('a listener that throws', () => {
  test.each([
    'notice',
    'committed',
  ] as const)('at %s keeps nobody from hearing, and nobody from the answer', async (what) => {
    const { small, engine, failures } = await setUp();
    small.subscribe();
    let calls = 0;
    engine.listen({
      [what]: () => {
        throw new Error('not listening');
      },
    });
    engine.listen({ [what]: () => calls++ });
    const fix = { ...small.fix(25, 25), worn: true };
    const outcomes = await Promise.all([
      engine.submit({ type: 'report-fall', ...small.uplink(1) }),
      engine.submit({ type: 'report-position', deviceId: small.device(1), fixes: [fix] }),
    ]);
    expect(outcomes).toMatchObject([{ rejected: false }, { rejected: false }]);
    expect(calls).toBeGreaterThan(0);
    expect(failures()[0]).toMatchObject({ part: 'listener', detail: 'Error: not listening' });
  });

  test('a listener that throws at the notice of a failure ends nothing', async () => {
    const { engine, press, small } = await setUp();
    engine.listen({
      notice: () => {
        throw new Error('deaf');
      },
    });
    withoutSite(small, 2);
    expect(await engine.submit(press(2))).toMatchObject({ code: 'internal_error' });
    expect(await engine.submit(press(1))).toMatchObject({ rejected: false });
  });
});

test('a task of the clock that throws is reported, and what is due at the same instant is done', async () => {
  const { clock, failures } = await setUp();
  const done: string[] = [];
  const task = (name: string) => () => {
    done.push(name);
    if (name === 'b') throw new Error('b fails');
  };
  for (const actor of ['a', 'b', 'c']) clock.at(T0 + 10, { lane: 1, actor }, task(actor));
  clock.at(T0 + 20, { lane: 1, actor: 'd' }, task('d'));
  await clock.advance(30);
  clock.soon(task('b'));
  clock.ordered('other', 'b', task('b'));
  await clock.advance(1);
  expect(done).toEqual(['a', 'b', 'c', 'd', 'b', 'b']);
  expect(failures().map(({ part, what }) => [part, what])).toEqual([
    ['task', 'b'],
    ['task', 'other'],
    ['task', 'next turn'],
  ]);
});
