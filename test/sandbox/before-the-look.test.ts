/** Watches with which something is done between two looks of the fleet, while their wearers have just pressed something. */
import { expect, it } from 'vitest';
import { LANE } from '../../src/base/time/clock.ts';
import { realClock } from '../../src/base/time/clocks.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { isWhole } from '../helpers/whole.ts';

it('what a wearer presses in a muster is said at the next look, whatever is done with the watch before it', async () => {
  const folder = ownFolder();
  const clock = realClock();
  clock.pause();
  clock.start();
  const sandbox = await startSandbox({
    memory: true,
    dataDir: folder.path,
    port: 0,
    mqttPort: 0,
    seed: '1',
    watches: isWhole ? 200 : 100,
    clock,
  });
  const { fleet, engine } = sandbox;
  if (fleet === null) throw new Error('no fleet');
  const site = [...engine.world.all('site')].find(({ privacyMode }) => privacyMode === 'continuous');
  await sandbox.act({ action: 'start_muster', site: site?.id ?? '', kind: 'general', by: 'Shift lead' } as never);
  const serials = [...engine.world.all('device')]
    .filter(({ siteId }) => siteId === site?.id)
    .map(({ serial }) => serial);
  // In each second before the fleet looks: everybody has moved on, so what they press waits for the look.
  const first = Math.ceil(clock.now() / 1_000) * 1_000;
  for (let second = 0; second < 90; second++)
    clock.at(first + second * 1_000, { lane: LANE.step, actor: 'test' }, () => {
      fleet.truth();
      for (const one of serials) if (fleet.emulates(one)) void fleet.perform(one, { do: 'battery', pct: 80 });
    });
  await clock.advance(100_000);
  const help = [...engine.world.all('alert')].filter(({ type }) => type === 'evacuation_help');
  expect(help.length).toBeGreaterThan(0);
  await sandbox.stop();
  clock.stop();
  folder.remove();
});
