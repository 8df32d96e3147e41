/** Each region of a page is drawn again after each change that changes it. */
import { afterAll, expect, test } from 'vitest';
import type { StreamChange } from '../../src/contract/stream.ts';
import { ChangeLog } from '../../src/service/api/stream/change-log.ts';
import {
  REGION_NAMES,
  type Region,
  type RegionSubject,
  regionView,
  triggersOf,
} from '../../src/watching/regions/regions.ts';
import type { StreamState } from '../../src/watching/state/state.ts';
import { PANEL_USER } from '../dashboard/harbour.ts';
import { isWhole } from '../helpers/whole.ts';
import { SurfaceReader } from './reader.ts';
import { SurfaceWorld } from './world.ts';

/** More of them where the time is taken: SURFACE_WORLDS=80. */
const WORLDS = Number(process.env['SURFACE_WORLDS'] ?? 1);
const FIRST = Number(process.env['SURFACE_FIRST'] ?? 1);
const MOMENTS = isWhole ? 60 : 30;

/** The regions that changed, by the change after which they did. */
const met = new Set<string>();

/** What the pages of these sites, their musters and their workers have. */
function subjectsOf({ sites, musters, people }: StreamState): RegionSubject[] {
  const [worker = ''] = people.keys();
  const places = [...sites.keys()].flatMap((site) => [{ site }, { site, worker }]);
  return [{}, ...places, ...[...musters.values()].map(({ id, site }) => ({ muster: id, site: site.id }))];
}

/** A page redraws these parts of a region by themselves. */
const withoutOwn = (text: string): string =>
  text.replace(/(<[a-z]+[^>]* data-(?:since|whose)="[^"]*"[^>]*>)[^<]*/g, '$1');

function drawn(region: Region, world: StreamState, now: number, about: RegionSubject): string {
  return withoutOwn(regionView(region, { world, now, reader: { ...PANEL_USER, all: true } }, about).text);
}

function check(before: StreamState, after: StreamState, { subject }: StreamChange, where: string): void {
  const now = Date.parse(after.clock?.now ?? '');
  for (const about of subjectsOf(after))
    for (const region of REGION_NAMES) {
      if (triggersOf(region).some((one) => one === subject)) met.add(`${region} ${subject}`);
      else {
        const [was, is] = [drawn(region, before, now, about), drawn(region, after, now, about)];
        // Split for the message alone: nearly all are equal.
        if (was !== is)
          expect([where, subject, region, ...is.split('><')]).toEqual([where, subject, region, ...was.split('><')]);
      }
    }
}

test.each(
  Array.from({ length: WORLDS }, (_, n) => FIRST + n),
)('in world %i no region is left as it was', async (seed) => {
  const world = await SurfaceWorld.make(`live regions ${seed}`);
  const { engine, past } = world.harness;
  const reader = new SurfaceReader(engine, world.clock, new ChangeLog(engine, world.clock), past, () => ({
    viewer: null,
    scopes: [],
  }));
  try {
    for (let n = 0; n < MOMENTS; n++) {
      reader.changed = (before, change) => check(before, reader.state, change, `world ${seed}, moment ${n}`);
      await world.moment();
      reader.flush();
    }
    reader.end();
  } finally {
    await world.stop();
  }
});

afterAll(() => expect(met.size).toBeGreaterThan(20));
