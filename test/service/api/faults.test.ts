/** Outages of the API that affect a share of the requests. [scenario-language, api_fault] */
import { afterEach, expect, test } from 'vitest';
import { SCENARIO_AGENT } from '../../../src/base/network/program-agent.ts';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import { ApiFaults } from '../../../src/service/api/requests/faults.ts';

const clock = lockstepClock({ start: 0 });
afterEach(() => clock.stop());

/** Whether each of 40 requests of a scenario's steps is answered with 503, with this many requests of others before each. */
async function fatesOfSteps(others: (place: number) => number): Promise<boolean[]> {
  const faults = new ApiFaults(clock, 'seed');
  faults.set({ status: 503, slowMs: 0, path: null, share: 0.5 });
  const isRefused = (agent: string) =>
    faults.meet('/v1/alerts', agent).then(
      () => false,
      () => true,
    );
  const fates: boolean[] = [];
  for (let place = 0; place < 40; place++) {
    for (let n = 0; n < others(place); n++) await isRefused('curl/8.5.0');
    fates.push(await isRefused(SCENARIO_AGENT));
  }
  return fates;
}

test('the requests of other programs do not decide which steps of a scenario are refused', async () => {
  const alone = await fatesOfSteps(() => 0);
  expect(new Set(alone)).toEqual(new Set([true, false]));
  expect(await fatesOfSteps((place) => place % 3)).toEqual(alone);
});
