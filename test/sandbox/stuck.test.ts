/** Who says that they cannot evacuate, or lies after a fall, is not counted safe until freed. [decisions 6] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockstepClock } from '../../src/base/time/clocks.ts';
import type { ActionBody } from '../../src/contract/actions.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { isRejection } from '../../src/service/domain/changes.ts';
import { watchOption } from '../helpers/whole.ts';

const MINUTE = 60_000;
const SITE = 'Terminal Puerto Alerce';

let sandbox: Sandbox;
let clock: ReturnType<typeof lockstepClock>;
let musterId = '';

beforeAll(async () => {
  clock = lockstepClock({ start: Date.UTC(2026, 9, 5, 6) });
  const dataDir = `stuck-${process.pid}`;
  sandbox = await startSandbox({ seed: '1', memory: true, dataDir, ...watchOption(30), port: 0, mqttPort: 0, clock });
  await clock.advance(MINUTE);
});
afterAll(async () => {
  await sandbox.stop();
  clock.stop();
});

/** What it touched, or with which sentence it was refused. */
async function act(body: ActionBody): Promise<{ alert_id?: string; muster_id?: string; refused?: string }> {
  const outcome = await sandbox.act(body);
  if (isRejection(outcome)) return { refused: `${outcome.code}: ${outcome.detail}` };
  return 'result' in outcome.answer ? outcome.answer.result : outcome.answer.results[0]!;
}

const serialOf = (who: string): string => {
  const { world } = sandbox.engine;
  const worker = [...world.all('worker')].find(({ externalId }) => externalId === who)!;
  return world.need('device', worker.deviceId!).serial;
};
const truth = (who: string) => sandbox.fleet!.truth().find(({ serial }) => serial === serialOf(who))!;
const status = (who: string): string => {
  const { world } = sandbox.engine;
  const worker = [...world.all('worker')].find(({ externalId }) => externalId === who)!;
  return world.indexes.expectedIn(musterId).get(worker.id)!.status;
};

describe('in a muster', () => {
  beforeAll(async () => {
    musterId = (await act({ action: 'start_muster', site: SITE, kind: 'general', by: 'Lead' })).muster_id!;
    await clock.advance(20_000);
    for (const [who, reason] of cases) await act({ action: 'cannot_evacuate', who, reason });
    await act({ action: 'cannot_evacuate', who: 'W-008', reason: 'helping' });
    await act({ action: 'fall', who: 'W-009' });
    await act({ action: 'fall', who: 'W-010', answers: 'help', answers_after: '5s' });
    await act({ action: 'fall', who: 'W-011', answers: 'ok', answers_after: '5s' });
    await clock.advance(12 * MINUTE);
  });

  const cases = [
    ['W-005', 'trapped'],
    ['W-001', 'injured'],
    ['W-007', null],
  ] as const;
  it.each(cases)('%s, who cannot evacuate (%s), is still there and counts as help', (who) => {
    expect(['trapped', 'injured']).toContain(truth(who).activity);
    expect(status(who)).toBe('help');
  });

  it('whoever lies after a fall, unanswered or answered with help, is still there, and is not safe', () => {
    expect(['W-009', 'W-010'].map((who) => [truth(who).activity, status(who)])).toEqual([
      ['fallen', 'pending'],
      ['fallen', 'pending'],
    ]);
  });

  it('whoever helps, or stumbled, goes to a point', () => {
    expect(['W-008', 'W-011'].map((who) => truth(who).activity)).toEqual(['at_point', 'at_point']);
    expect(status('W-011')).toBe('safe');
  });

  const moves: readonly ActionBody[] = [
    { action: 'move', who: 'W-005', to: 'Gate A' },
    { action: 'enter', who: 'W-005', zone: 'Gate A' },
    { action: 'move', who: ['W-013', 'W-005'], to: 'Gate A' },
  ];
  it.each(moves)('%j is refused, says what to do first, and moves nobody', async (body) => {
    const before = ['W-005', 'W-013'].map((who) => truth(who).point);
    const { refused } = await act(body);
    expect(refused).toBe(
      `action_refused: The wearer of ${serialOf('W-005')} is trapped, and stays there until freed: use the action free first, or resolve their alert.`,
    );
    expect(['W-005', 'W-013'].map((who) => truth(who).point)).toEqual(before);
  });

  it('is freed by the action free, and then walks to a point and is safe; on anybody else it changes nothing', async () => {
    expect(await act({ action: 'free', who: ['W-005', 'W-013'] })).not.toHaveProperty('refused');
    await clock.advance(10 * MINUTE);
    expect([truth('W-005').activity, status('W-005')]).toEqual(['at_point', 'safe']);
  });

  it('is freed by the resolution of the alert that they lie for, by API or panel, in cover or not', async () => {
    const { world } = sandbox.engine;
    const alertOf = (who: string, type: string) =>
      [...world.all('alert')].find((one) => one.worker?.externalId === who && one.type === type)!.id;
    await act({ action: 'signal', who: 'W-007', is: 'lost' });
    const resolve = (alert: string, via: 'api' | 'panel') => act({ action: 'resolve', alert, by: 'Desk', via });
    await resolve(alertOf('W-001', 'evacuation_help'), 'api');
    await resolve(alertOf('W-007', 'evacuation_help'), 'panel');
    await resolve(alertOf('W-009', 'sos'), 'panel');
    await resolve(alertOf('W-010', 'fall_detected'), 'api');
    await clock.advance(25 * MINUTE);
    const who = ['W-001', 'W-007', 'W-009', 'W-010'];
    expect(who.map((one) => truth(one).activity)).toEqual(who.map(() => 'at_point'));
    expect(status('W-001')).toBe('safe');
  });

  it('is not freed by the resolution of another alert', async () => {
    const { alert_id: help } = await act({ action: 'cannot_evacuate', who: 'W-012', reason: 'trapped' });
    const { alert_id: sos } = await act({ action: 'sos', who: 'W-012' });
    await act({ action: 'resolve', alert: sos!, by: 'Desk' });
    await clock.advance(MINUTE);
    expect(truth('W-012').activity).toBe('trapped');
    await act({ action: 'resolve', alert: help!, by: 'Desk' });
    expect(truth('W-012').activity).not.toBe('trapped');
  });
});

describe('out of a muster', () => {
  beforeAll(async () => {
    await act({ action: 'end_muster', muster: musterId, outcome: 'completed', by: 'Lead' });
    await clock.advance(5 * MINUTE);
  });

  it('whoever fell and is helped up by an answer of their own goes on', async () => {
    await act({ action: 'fall', who: 'W-014' });
    await clock.advance(5_000);
    expect(truth('W-014').activity).toBe('fallen');
    await act({ action: 'answer', who: 'W-014', with: 'ok' });
    expect(truth('W-014').activity).not.toBe('fallen');
  });

  it('whoever reports a fix of their own from the ground still lies there', async () => {
    await act({ action: 'fall', who: 'W-003' });
    expect(await act({ action: 'position', who: 'W-003', at: [40, 40] })).not.toHaveProperty('refused');
    await clock.advance(5 * MINUTE);
    expect(truth('W-003')).toMatchObject({ activity: 'fallen', point: [40, 40] });
  });
});
