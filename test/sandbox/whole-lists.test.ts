/** A list of people is done whole or refused whole, by every action that takes one. [decisions 9] */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockstepClock } from '../../src/base/time/clocks.ts';
import { ACTION_NAMES, ACTIONS, type ActionBody, type ActionName, actionBody } from '../../src/contract/actions.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { isRejection } from '../../src/service/domain/changes.ts';
import { eachOf } from '../helpers/each-of.ts';

const SITE = 'Terminal Puerto Alerce';

let clock: ReturnType<typeof lockstepClock>;
let sandbox: Sandbox;
beforeEach(async () => {
  clock = lockstepClock({ start: Date.UTC(2026, 9, 5, 15) });
  const dataDir = `lists-${process.pid}`;
  sandbox = await startSandbox({ memory: true, port: 0, mqttPort: 0, seed: 'lists', clock, dataDir, watches: 30 });
});
afterEach(async () => {
  await sandbox.stop();
  clock.stop();
});

const act = (body: object) => sandbox.act(body as ActionBody);
const started = async () => {
  const muster = await act({ action: 'start_muster', kind: 'general', site: SITE, by: 'Desk' });
  expect(isRejection(muster)).toBe(false);
};

/** Everything that the service knows and the people do; the answer to a refusal must leave it as it was. */
function picture() {
  const { world } = sandbox.engine;
  const kinds = [
    'alert',
    'worker',
    'device',
    'permit',
    'stay',
    'unveiling',
    'prompt',
    'expected',
    'muster',
    'warning',
    'heard',
  ] as const;
  const documents = kinds.map((kind) => [kind, [...world.all(kind)]]);
  const truths = sandbox.fleet
    ?.truth()
    .map(({ serial, activity, worn, network, gps }) => ({ serial, activity, worn, network, gps }));
  return JSON.stringify({ documents, truths });
}

/** W-001 can; the other of the list cannot, for the reason of the case. */
const REFUSED: {
  readonly [K in ActionName]?: { before?: () => Promise<unknown>; body: object; other?: string; why: RegExp };
} = {
  answer: { before: () => act({ action: 'fall', who: 'W-001' }), body: { with: 'ok' }, why: /shows no prompt/ },
  press_ack: { before: () => act({ action: 'sos', who: 'W-001' }), body: {}, why: /shows no alert/ },
  move: { before: () => trapped('W-002'), body: { to: [20, 20] }, why: /free/ },
  leave: {
    before: () => act({ action: 'enter', who: 'W-001', zone: 'Tank Farm' }),
    body: { zone: 'Tank Farm' },
    why: /is not in Tank Farm/,
  },
  enter: { before: () => trapped('W-002'), body: { zone: 'Tank Farm' }, why: /free/ },
  permit: {
    before: () => act({ action: 'permit', who: 'W-001', zone: 'Tank Farm', is: 'open', reference: 'PT-1' }),
    body: { zone: 'Tank Farm', is: 'closed', reference: 'PT-1' },
    why: /no such permit/,
  },
  mark_safe: { before: started, body: { muster: undefined, by: 'Desk' }, other: 'NRB-001', why: /./ },
};

async function trapped(who: string): Promise<void> {
  await started();
  expect(isRejection(await act({ action: 'cannot_evacuate', who, reason: 'trapped' }))).toBe(false);
}

/** The spare watch of the site, which nobody emulates: what the fleet would have to do is refused for its wearer. */
const spare = (): string => {
  const { world } = sandbox.engine;
  const site = [...world.all('site')].find(({ name }) => name === SITE);
  const device = [...world.all('device')].find(({ emulated, siteId }) => !emulated && siteId === site?.id);
  return world.need('worker', device?.workerId ?? '').externalId ?? '';
};

const takesList = (name: ActionName): boolean => {
  const { properties } = actionBody(name) as { properties: Record<string, { anyOf?: { type?: string }[] }> };
  return properties['who']?.anyOf?.some(({ type }) => type === 'array') ?? false;
};
const BY_FLEET: readonly ActionName[] = [
  'sos',
  'fall',
  'call_request',
  'wear',
  'battery',
  'signal',
  'move',
  'enter',
  'position',
  'free',
];

describe('a list of which one cannot', () => {
  test.each(Object.entries(REFUSED))('%s: nothing happens to anybody', async (action, {
    before,
    body,
    other = 'W-002',
    why,
  }) => {
    await before?.();
    const then = picture();
    const refused = await act({ action, who: ['W-001', other], ...body });
    expect(refused).toMatchObject({ rejected: true, detail: expect.stringMatching(why) });
    expect(picture()).toBe(then);
  });

  eachOf(
    BY_FLEET.map((name) => [name] as const),
    5,
  )('%s with somebody whose watch is not emulated: nothing happens to the other', async (action) => {
    const example = { ...(ACTIONS[action].example as object), who: ['W-001', spare()] };
    const then = picture();
    expect(await act({ ...example, action })).toMatchObject({
      rejected: true,
      detail: expect.stringMatching(/not emulated/),
    });
    expect(picture()).toBe(then);
  });
});

test('a list of which everybody can is done, in its order', async () => {
  const outcome = await act({ action: 'sos', who: ['W-003', 'W-001', 'W-002'] });
  if (isRejection(outcome)) throw new Error(outcome.detail);
  const results = 'results' in outcome.answer ? outcome.answer.results : [];
  const names = results.map(({ worker_id }) => sandbox.engine.world.need('worker', worker_id as string).externalId);
  expect(names).toEqual(['W-003', 'W-001', 'W-002']);
  expect(sandbox.engine.world.count('alert')).toBe(3);
});

test('marking a list safe marks all of it in one transaction, or none', async () => {
  await started();
  const gone = await act({ action: 'mark_safe', who: ['W-001', 'W-002', 'W-001x'], by: 'Desk' });
  expect(isRejection(gone)).toBe(true);
  expect([...sandbox.engine.world.all('expected')].filter(({ marked }) => marked !== null)).toEqual([]);
  const done = await act({ action: 'mark_safe', who: ['W-001', 'W-002'], by: 'Desk' });
  expect(isRejection(done)).toBe(false);
  expect([...sandbox.engine.world.all('expected')].filter(({ marked }) => marked !== null)).toHaveLength(2);
});

test('every action that takes a list is in one of the tables above, or can be refused to nobody of a list alone', () => {
  const listed = new Set([...Object.keys(REFUSED), ...BY_FLEET]);
  // Refused for what is common to all of the list: a zone, a muster, a level, a field.
  const common = ['cannot_evacuate', 'declare', 'device', 'worker', 'heat', 'panel_sos', 'unveil', 'vehicle', 'broker'];
  const rest = ACTION_NAMES.filter((name) => takesList(name) && !listed.has(name) && !common.includes(name));
  expect([rest, takesList('sos')]).toEqual([[], true]);
});
