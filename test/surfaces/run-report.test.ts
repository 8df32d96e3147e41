/** The report of a run shows at each instant what the panel showed then to a client, region by region. [decisions 4, "One answer on every surface"] */
import { afterAll, expect, test } from 'vitest';
import { SCOPES } from '../../src/contract/enumerations.ts';
import { followStream } from '../../src/sandbox/follow-stream.ts';
import { lookAt, READER, regionsView } from '../../src/scenario/reporting/html/regions-view.ts';
import { SeenRecorder } from '../../src/scenario/reporting/seen/recorder.ts';
import { type PackedSeen, SeenStream } from '../../src/scenario/reporting/seen/seen.ts';
import { StreamProjection } from '../../src/service/api/stream/stream-projection.ts';
import { unscopedViewer } from '../../src/service/domain/access/viewer.ts';
import { courseOf } from '../../src/service/domain/musters/course.ts';
import { musterPage } from '../../src/service/panel/pages/muster.ts';
import { sitePage } from '../../src/service/panel/pages/overview.ts';
import type { PanelLook } from '../../src/watching/regions/scene.ts';
import { afterSnapshot, EMPTY_STATE, type StreamState } from '../../src/watching/state/state.ts';
import { present } from './compare.ts';
import { COMPANY, SurfaceWorld } from './world.ts';

/** More of them where the time is taken: SURFACE_WORLDS=80. */
const WORLDS = Number(process.env['SURFACE_WORLDS'] ?? 2);
const FIRST = Number(process.env['SURFACE_FIRST'] ?? 1);
const MOMENTS = 80;

const met = { instants: 0, regions: 0, withheld: 0, musters: 0, hiddenByTime: 0 };

/** The regions of a page by their names, a list each. */
function regionsIn(page: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [, name = '', inside = ''] of page.matchAll(/<section class="region (\S+)"[^>]*>([\s\S]*?)<\/section>/g))
    found.set(name, [...(found.get(name) ?? []), ...inside.split('><')]);
  return found;
}

/** What the panel shows of a site to a reader who sees what the client sees. */
function panelOf({ world }: SurfaceWorld, look: PanelLook, siteId: string): Map<string, string[]> {
  const active = world.indexes.activeMuster(siteId);
  const page = active === undefined ? sitePage(look, siteId, []) : musterPage(look, active, courseOf(world, active.id));
  return regionsIn(page?.main.text ?? '');
}

/** Without what the report has no use for. */
const shownIn = (state: StreamState) => ({
  ...present(state),
  alerts: present(state).alerts.map(({ nearby: _, panel_url: __, ...alert }) => alert),
});

const unlinked = (text: string): string => text.replace(/<a href="#\/musters[^>]*>([^<]*)<\/a>/, '$1');

interface Instant {
  readonly t: number;
  readonly shown: ReturnType<typeof shownIn>;
  readonly sites: ReadonlyMap<string, Map<string, string[]>>;
}

async function play(seed: number): Promise<void> {
  const world = await SurfaceWorld.make(`run report ${seed}`);
  const { engine } = world.harness;
  const start = world.clock.now();
  const recorder = new SeenRecorder();
  const unfollow = followStream(engine, (changes) => {
    for (const change of changes) recorder.add(change, Date.parse(change.at) - start);
  });
  const viewer = () => ({ viewer: unscopedViewer(engine.world, { id: COMPANY }), scopes: SCOPES });
  const projection = new StreamProjection(engine.world, { panelUrl: '' }, viewer);
  const instants: Instant[] = [];
  try {
    for (let n = 0; n < MOMENTS; n++) {
      await world.moment();
      const state = afterSnapshot(EMPTY_STATE, projection.snapshot(world.clock), 0);
      const look = { world: state, now: world.clock.now(), reader: READER };
      const sites = [...state.sites.keys()].map((id) => [id, panelOf(world, look, id)] as const);
      instants.push({ t: world.clock.now() - start, shown: shownIn(state), sites: new Map(sites) });
    }
    // What ended by time alone is recorded with the next commit.
    await world.touch();
  } finally {
    unfollow();
    await world.stop();
  }
  const packed = JSON.parse(JSON.stringify(recorder.packed())) as PackedSeen;
  const seen = new SeenStream(packed, start);
  for (const [place, { t, shown, sites }] of instants.entries()) {
    // Later moments of the same instant changed it again.
    if (instants[place + 1]?.t === t) continue;
    const state = seen.at(t);
    const where = `world ${seed}, ${t} ms`;
    expect([where, shownIn(state)]).toEqual([where, shown]);
    compareRegions(state, { where, start, t, sites });
    count(shown, instants[place - 1]);
  }
}

function compareRegions(
  state: StreamState,
  { where, start, t, sites }: Pick<Instant, 't' | 'sites'> & { readonly where: string; readonly start: number },
): void {
  const look = lookAt(state, { startMs: start, t, truth: null });
  for (const [id, panel] of sites) {
    const report = regionsIn(regionsView(look, [id]).text);
    for (const [name, inside] of panel) {
      const drawn = report.get(name);
      // The page of a site has no banner of a muster that is over, and names it in the list of those who were not safe.
      if (drawn === undefined || inside.join('') === '') continue;
      expect([where, id, name, ...drawn]).toEqual([where, id, name, ...inside.map(unlinked)]);
      met.regions += 1;
    }
  }
}

function count({ people, musters }: Instant['shown'], before: Instant | undefined): void {
  met.instants += 1;
  met.withheld += people.filter(({ place }) => place === 'withheld').length;
  met.musters += musters.filter((muster) => muster?.status === 'active').length;
  for (const { worker_id, place } of people) {
    const then = before?.shown.people.find((one) => one.worker_id === worker_id);
    if (place === 'withheld' && then?.place === 'located') met.hiddenByTime += 1;
  }
}

test.each(Array.from({ length: WORLDS }, (_, n) => FIRST + n))('in world %i report and panel agree', async (seed) => {
  await play(seed);
});

afterAll(() => {
  // A rule that was never put to the test was not tested.
  for (const times of Object.values(met)) expect(times).toBeGreaterThan(0);
});
