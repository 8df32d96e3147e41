/** Random worlds judged by the contract: positions that grow old, veils, musters, contracts. The sandbox deviates in none. [cli, compare] */
import { expect } from 'vitest';
import type { Stream } from '../../../src/base/random/streams.ts';
import type { ComparedService } from '../../../src/proving/compare/checks.ts';
import { JudgedService } from '../../../src/proving/compare/judged-service.ts';
import { ContractJudge } from '../../../src/proving/compare/judging/judge.ts';
import { filterQueries } from '../../../src/proving/compare/judging/lists.ts';
import { readFurther } from '../../../src/proving/compare/readings.ts';
import { serviceAt } from '../../../src/proving/compare/service.ts';
import { eachOf } from '../../helpers/each-of.ts';
import { isWhole } from '../../helpers/whole.ts';
import { SECRET } from '../../service/api/harness.ts';
import { chance } from '../../service/domain/small-world.ts';
import { SurfaceWorld } from '../../surfaces/world.ts';

/** JUDGED_WORLDS: as many, all of them. */
const wanted = process.env['JUDGED_WORLDS'];
const WORLDS = Array.from({ length: Number(wanted ?? 12) }, (_, n) => [n + 1] as const);
const MOMENTS = isWhole ? 24 : 7;
const CLIENT = 'harbour_co';

/** As a service answers whose simulated time is its own: that of `Date`. */
function onClockOf({ clock }: SurfaceWorld, service: ComparedService): ComparedService {
  const call: ComparedService['call'] = async (request) => {
    const answer = await service.call(request);
    return { ...answer, headers: { ...answer.headers, date: new Date(clock.now()).toUTCString() } };
  };
  return { ...service, call };
}

const LISTS = ['sites', 'alerts', 'musters', 'workers', 'devices', 'positions', 'events'] as const;

async function readSomething(service: JudgedService, { world }: SurfaceWorld, random: Stream): Promise<void> {
  const one = (kind: 'alert' | 'muster' | 'site') =>
    random.pick([...world.all(kind)].map(({ id }) => id).concat('none'));
  const path = random.pick([
    ...LISTS.map((list) => `/v1/${list}`),
    `/v1/alerts/${one('alert')}`,
    `/v1/musters/${one('muster')}`,
    `/v1/musters/${one('muster')}/missing`,
  ]);
  const filters = filterQueries(path, [], [one('site')]);
  const query = filters.length > 0 && random.chance(0.5) ? random.pick(filters) : undefined;
  await service.tryCall({ method: 'GET', path, ...(query === undefined ? {} : { query }) }, true);
}

eachOf(WORLDS, wanted === undefined ? WORLDS.length : 1)('nothing deviates in world %i', async (seed) => {
  const world = await SurfaceWorld.make(`judged ${seed}`);
  // What shows the same objects otherwise: answers before and after a change of it cannot be compared.
  const sight = () =>
    JSON.stringify([
      world.world.need('client', CLIENT),
      [...world.world.all('site')].map(({ privacyMode, unveilMinSeverity }) => [privacyMode, unveilMinSeverity]),
    ]);
  const random = chance(`readings ${seed}`);
  try {
    let judge = new ContractJudge({ secrets: [], isSequential: true });
    let before = sight();
    for (let moment = 0; moment < MOMENTS; moment++) {
      await world.moment();
      // Between two readings time passes.
      await world.clock.advance(5_000);
      if (sight() !== before) judge = new ContractJudge({ secrets: [], isSequential: true });
      before = sight();
      const { harness } = world;
      harness.api.limiter.setLimits(CLIENT, { requestsPerMinute: 1e9, querySecondsPerMinute: 1e9 });
      const client = { client_id: CLIENT, client_secret: SECRET };
      const service = new JudgedService(
        onClockOf(
          world,
          serviceAt('service', harness.url, client, async () => {}),
        ),
        judge,
      );
      // All lists, or a few requests of a client that looks at something now and then.
      if (random.chance(0.4)) await readFurther(service);
      else for (let left = random.int(1, 4); left > 0; left--) await readSomething(service, world, random);
      const found = service.deviations.map(
        ({ clause, operation, pointer, detail }) => `moment ${moment}: ${clause} ${operation} ${pointer} ${detail}`,
      );
      expect(found).toEqual([]);
    }
  } finally {
    await world.stop();
  }
});
