/** Random worlds judged by the contract: positions that grow old, veils, musters, contracts. The sandbox deviates in none. [cli, compare] */
import { expect, test } from 'vitest';
import type { ComparedService } from '../../src/compare/checks.ts';
import { JudgedService } from '../../src/compare/judged-service.ts';
import { ContractJudge } from '../../src/compare/judging/judge.ts';
import { readFurther } from '../../src/compare/readings.ts';
import { serviceAt } from '../../src/compare/service.ts';
import { SECRET } from '../api/harness.ts';
import { isWhole } from '../helpers/whole.ts';
import { SurfaceWorld } from '../surfaces/world.ts';

const WORLDS = Number(process.env['JUDGED_WORLDS'] ?? (isWhole ? 12 : 1));
const MOMENTS = 24;
const CLIENT = 'harbour_co';

/** As a service answers whose simulated time is its own: that of `Date`. */
function onClockOf({ clock }: SurfaceWorld, service: ComparedService): ComparedService {
  const call: ComparedService['call'] = async (request) => {
    const answer = await service.call(request);
    return { ...answer, headers: { ...answer.headers, date: new Date(clock.now()).toUTCString() } };
  };
  return { ...service, call };
}

test.each(Array.from({ length: WORLDS }, (_, n) => n + 1))('nothing deviates in world %i', async (seed) => {
  const world = await SurfaceWorld.make(`judged ${seed}`);
  // What shows the same objects otherwise: answers before and after a change of it cannot be compared.
  const sight = () =>
    JSON.stringify([
      world.world.need('client', CLIENT),
      [...world.world.all('site')].map(({ privacyMode, unveilMinSeverity }) => [privacyMode, unveilMinSeverity]),
    ]);
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
      await readFurther(service);
      const found = service.deviations.map(
        ({ clause, operation, pointer, detail }) => `moment ${moment}: ${clause} ${operation} ${pointer} ${detail}`,
      );
      expect(found).toEqual([]);
    }
  } finally {
    await world.stop();
  }
});
