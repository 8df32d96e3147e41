/** What background life began is ended, whether or not a restart comes between. [cli `--ambient`] */
import { expect, it } from 'vitest';
import { lockstepClock } from '../../src/base/time/clocks.ts';
import type { ActionBody } from '../../src/contract/actions.ts';
import { FOLLOW_UPS_KEY, FollowUps } from '../../src/sandbox/actions/follow-ups.ts';
import { openSqliteStore } from '../../src/service/store/sqlite/store.ts';

const START = 1_791_180_000_000;
const isFree = (workerId: string): boolean => workerId !== 'W-9';
const back = (who: string): ActionBody => ({ action: 'signal', who, is: 'back', kind: 'network' });

it('a follow-up is done once, when it is due or at the next start, and each start has another number', async () => {
  const { kept } = await openSqliteStore({ file: ':memory:' });
  const done: string[] = [];
  const starting = async (start: number) => {
    const clock = lockstepClock({ start });
    const recalled = (await kept.load()).get(FOLLOW_UPS_KEY);
    const act = async (body: ActionBody) => done.push(`${clock.now() - START} ${'who' in body && body.who}`);
    return { clock, followUps: new FollowUps({ clock, act, isFree, kept, recalled }) };
  };
  const first = await starting(START);
  expect(first.followUps.begin()).toBe(0);
  first.followUps.add(10_000, back('W-1'));
  first.followUps.add(60_000, back('W-2'));
  first.followUps.add(90_000, back('W-3'));
  await first.clock.advance(20_000);
  expect(done).toEqual(['10000 W-1']);
  first.followUps.stop();
  await first.clock.advance(100_000);
  expect(done).toHaveLength(1);
  const second = await starting(START + 70_000);
  expect(second.followUps.begin()).toBe(1);
  await second.clock.advance(120_000);
  expect(done).toEqual(['10000 W-1', '70000 W-2', '90000 W-3']);
  const third = await starting(START + 400_000);
  await third.clock.advance(120_000);
  expect(done).toHaveLength(3);
  for (const { clock } of [first, second, third]) clock.stop();
});

it('what is kept and cannot be read is nothing', async () => {
  const clock = lockstepClock({ start: START });
  for (const recalled of ['no json', '{}', '{"starts":-1,"due":[]}'])
    expect(new FollowUps({ clock, act: async () => {}, isFree, kept: null, recalled }).begin()).toBe(0);
  clock.stop();
});

it('a worker who is not free is not sent anywhere', async () => {
  const clock = lockstepClock({ start: START });
  const done: ActionBody[] = [];
  const due = [
    { at: START + 1_000, body: { action: 'move', who: 'W-1', to: 'Dock' } },
    { at: START + 2_000, body: { action: 'move', who: 'W-9', to: 'Dock' } },
    { at: START + 3_000, body: back('W-9') },
  ];
  const recalled = JSON.stringify({ starts: 1, due });
  new FollowUps({ clock, act: async (body) => done.push(body), isFree, kept: null, recalled });
  await clock.advance(10_000);
  expect(done).toEqual([{ action: 'move', who: 'W-1', to: 'Dock' }, back('W-9')]);
  clock.stop();
});
