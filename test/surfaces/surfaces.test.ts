/** REST, a new stream, a stream that stayed open, dashboard, panel and report agree about every person, alert and muster. [decisions 4, "One answer on every surface"] */
import { afterAll, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../src/contract/enumerations.ts';
import { theme } from '../../src/dashboard/terminal/theme.ts';
import { ChangeLog } from '../../src/service/api/stream/change-log.ts';
import type { StreamViewer } from '../../src/service/api/stream/stream-projection.ts';
import { clientOf, viewerOf } from '../../src/service/domain/access/viewer.ts';
import { courseOf } from '../../src/service/domain/musters/course.ts';
import type { World } from '../../src/service/domain/world/world.ts';
import { afterAction } from '../../src/service/panel/after-action/after-action.ts';
import { sitePage } from '../../src/service/panel/pages/overview.ts';
import { rowsOf } from '../../src/watching/state/people.ts';
import { afterSnapshot, EMPTY_STATE, musterOf, type StreamState } from '../../src/watching/state/state.ts';
import { frameText } from '../dashboard/drawn.ts';
import { viewer as dashboardView, PANEL_USER } from '../dashboard/harbour.ts';
import { isWhole } from '../helpers/whole.ts';
import { asRest, peopleOf, present, restOf, subsetOf } from './compare.ts';
import { SurfaceReader } from './reader.ts';
import { COMPANY, SurfaceWorld } from './world.ts';

/** More of them where the time is taken: SURFACE_WORLDS=80. */
const WORLDS = Number(process.env['SURFACE_WORLDS'] ?? 1);
const FIRST = Number(process.env['SURFACE_FIRST'] ?? 1);
const MOMENTS = isWhole ? 30 : 20;
/** A comparison follows this share of the moments, and each in which minutes pass. */
const COMPARED = 0.25;

const met = {
  comparisons: 0,
  events: 0,
  frames: 0,
  rest: 0,
  missing: 0,
  notSafe: 0,
  lastKnown: 0,
  withheld: 0,
  restarts: 0,
  reports: 0,
};

const mono = theme('mono');
const SCREEN = { columns: 200, rows: 60 };

/**
 * What a reader of the past has besides: nothing of it is on a screen that was opened now. An event tells the older reader
 * what it changed, where a new one may know no event before it.
 */
const now = (state: StreamState, fresh: StreamState): StreamState => ({
  ...state,
  clock: fresh.clock,
  events: lastMinute(state, fresh).map((line) => fresh.events.find(({ id }) => id === line.id) ?? line),
  raised: new Map(),
  mustersAtEvent: new Map(),
  curves: fresh.curves,
  deliveries: new Map(
    [...state.deliveries].filter(([, { ended_at }]) => ended_at === null || isRecent(Date.parse(ended_at), fresh)),
  ),
});

const isRecent = (at: number, { clock }: StreamState): boolean => at > Date.parse(clock?.now ?? '') - 60_000;

/** Events have no `gone`: an older reader keeps those of which a narrowed contract shows no more. */
const lastMinute = ({ events }: StreamState, fresh: StreamState) => events.filter(({ at }) => isRecent(at, fresh));

const frameOf = (state: StreamState, siteId: string): string =>
  frameText({ world: state, view: dashboardView({ siteId }), connection: { is: 'open' }, at: 0 }, SCREEN, mono).join(
    '\n',
  );

const pageOf = (world: World, state: StreamState, siteId: string): string => {
  const reader = { ...PANEL_USER, all: true };
  const at = Date.parse(state.clock?.now ?? '');
  const muster = world.indexes.activeMuster(siteId);
  const course = muster === undefined ? [] : courseOf(world, muster.id);
  return sitePage({ world: state, now: at, reader }, siteId, course)?.main.text ?? '';
};

const rowsIn = (state: StreamState) =>
  [...state.sites.values()].flatMap((site) => {
    const muster = musterOf(state, site.id);
    const active = muster?.status === 'active' ? muster : null;
    return rowsOf(state, site, active, [...state.alerts.values()]).map((row) => ({
      id: row.id,
      code: row.code,
      status: row.status,
      rescue: row.rescue,
      alert: row.alert?.id,
      words: row.placeWords,
    }));
  });

const byId = <T extends { id: string }>(items: T[]): T[] => items.sort((a, b) => (a.id < b.id ? -1 : 1));

/** A viewer with its open stream, and the scopes of its token (null: the control token). */
interface Watcher {
  readonly name: string;
  readonly reader: SurfaceReader;
  readonly scopes: readonly Scope[] | null;
}

function watchers(world: SurfaceWorld, log: ChangeLog, subset: number): Watcher[] {
  const { engine, past } = world.harness;
  const watcher = (name: string, scopes: readonly Scope[]): Watcher => {
    const look = (): StreamViewer => {
      const client = clientOf(engine.world, COMPANY);
      return { viewer: viewerOf(client), scopes: scopes.filter((scope) => client.scopes.includes(scope)) };
    };
    return { name, scopes, reader: new SurfaceReader(engine, world.clock, log, past, look) };
  };
  const some = subsetOf(SCOPES, subset);
  return [
    {
      name: 'the control token',
      scopes: null,
      reader: new SurfaceReader(engine, world.clock, log, past, () => ({ viewer: null, scopes: [] })),
    },
    watcher('the client', SCOPES),
    watcher(`a token of ${some.join(' ')}`, some),
  ];
}

/** A token of now, which lives long enough; null: the contract grants none of the scopes. */
async function tokenOf({ harness }: SurfaceWorld, scopes: readonly Scope[]): Promise<string | null> {
  const granted = clientOf(harness.engine.world, COMPANY).scopes.filter((scope) => scopes.includes(scope));
  harness.api.limiter.setLimits('harbour_co', { requestsPerMinute: 1e9, querySecondsPerMinute: 1e9 });
  return granted.length === 0 ? null : harness.token(...granted);
}

async function compare(world: SurfaceWorld, { name, reader, scopes }: Watcher, where: string): Promise<void> {
  const at = `${where}, ${name}`;
  reader.flush();
  const snapshot = reader.snapshot();
  const fresh = afterSnapshot(EMPTY_STATE, snapshot, 0);
  const folded = now(reader.state, fresh);
  expect([at, present(folded)]).toEqual([at, present(fresh)]);
  // An event of before a wider contract is new to a reader that was not allowed to see it. Its time may be some ms ahead of the clock.
  const [known, shown] = [folded, fresh].map(({ events }) =>
    events.flatMap((event) => (scopes === null || event.at > world.contractAt + 1_000 ? event.id : [])),
  ) as [string[], string[]];
  expect([at, scopes === null ? known : known.filter((id) => shown.includes(id))]).toEqual([at, shown]);
  met.events += shown.length;
  expect([at, byId(rowsIn(folded))]).toEqual([at, byId(rowsIn(fresh))]);
  // Drawing takes far longer than all else, and rows are compared each time: the sites take turns.
  const sites = [...fresh.sites.keys()].filter((_, place) => met.comparisons % 6 === place);
  const drawn = scopes === null ? folded : { ...folded, events: fresh.events };
  for (const id of sites) {
    expect([at, frameOf(drawn, id)]).toEqual([at, frameOf(fresh, id)]);
    expect([at, ...pageOf(world.world, drawn, id).split('><')]).toEqual([
      at,
      ...pageOf(world.world, fresh, id).split('><'),
    ]);
    met.frames += 1;
  }
  for (const { place } of snapshot.people) {
    if (place.kind === 'last_known') met.lastKnown += 1;
    if (place.kind === 'withheld') met.withheld += 1;
  }
  met.notSafe += snapshot.not_safe.length;
  met.comparisons += 1;
  if (scopes === null) return compareReports(world, snapshot.not_safe, at);
  const token = await tokenOf(world, scopes);
  if (token === null) return expect([at, present(fresh).people]).toEqual([at, []]);
  const rest = await restOf(world.harness, token);
  const people = peopleOf(rest);
  expect([at, Object.fromEntries(asRest(fresh, people))]).toEqual([at, Object.fromEntries(people)]);
  expect([at, present(fresh).alerts]).toEqual([
    at,
    rest.alerts === null
      ? []
      : [...rest.alerts]
          .sort((a, b) => (a.id < b.id ? -1 : 1))
          .map((one) => ({ ...one, panel_url: `/panel/alerts/${one.id}` })),
  ]);
  met.rest += 1;
  met.missing += rest.missing.size;
}

/** The report of each ended muster that is the last of its site names the same people, with the same reasons. */
function compareReports(
  world: SurfaceWorld,
  notSafe: readonly { muster_id: string; worker_id: string; status: string; reason: string }[],
  at: string,
): void {
  for (const id of new Set(notSafe.map(({ muster_id }) => muster_id))) {
    const report = afterAction(world.world, world.world.need('muster', id), [], world.clock.now());
    const listed = (report.people ?? [])
      .filter(({ status }) => status !== 'safe')
      .map(({ worker, status, reason }) => ({ id: worker.id, status, reason }));
    const seen = notSafe
      .filter(({ muster_id }) => muster_id === id)
      .map(({ worker_id, status, reason }) => ({ id: worker_id, status, reason }));
    expect([at, byId(seen)]).toEqual([at, byId(listed)]);
    met.reports += 1;
  }
}

async function play(seed: number): Promise<void> {
  const world = await SurfaceWorld.make(`surfaces ${seed}`);
  const { random } = world;
  try {
    let log = new ChangeLog(world.harness.engine, world.clock);
    let open = watchers(world, log, seed * 7 + 1);
    for (let n = 0; n < MOMENTS; n++) {
      const hasAged = await world.moment();
      if (random.chance(0.05)) {
        for (const { reader } of open) reader.end();
        await world.restart();
        log = new ChangeLog(world.harness.engine, world.clock);
        open = watchers(world, log, seed * 7 + n);
        met.restarts += 1;
      }
      if (random.chance(0.1)) for (const { reader } of open) reader.resume();
      // Changes leave within a second of wall time, or many of them at once.
      if (random.chance(0.7)) for (const { reader } of open) reader.flush();
      if (!hasAged && !random.chance(COMPARED)) continue;
      for (const one of open) await compare(world, one, `world ${seed}, moment ${n}`);
    }
    for (const { reader } of open) reader.end();
  } finally {
    await world.stop();
  }
}

test.each(Array.from({ length: WORLDS }, (_, n) => FIRST + n))('in world %i all surfaces agree', async (seed) => {
  await play(seed);
});

afterAll(() => {
  if (WORLDS < 8) return;
  // A rule that was never put to the test was not tested.
  for (const count of Object.values(met)) expect(count).toBeGreaterThan(0);
  expect(met.comparisons).toBeGreaterThan(WORLDS * 25);
});
