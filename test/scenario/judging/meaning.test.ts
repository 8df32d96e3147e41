/** Checks mean what they say: `always` has judged something, `any` is every event, and a failure names the time and the lines where it came. [scenario-language] */
import { describe, expect, test } from 'vitest';
import { loadScenario } from '../../../src/scenario/reading/load.ts';
import { filesOf, mistakesTextOf, playSmall, playSteps, type SmallWorld, scenarioOf } from '../small-stage.ts';
import { failuresOf } from '../whole-stage.ts';

const sosOf = (of: string, severity: 'critical' | 'low') => (world: SmallWorld) =>
  world.at(500, () => world.alert(`a-${of}`, { type: 'sos', of, severity }, 'alert.created'));

const failuresWith = async (rule: string, script: (world: SmallWorld) => void): Promise<readonly string[]> => {
  const { result } = await playSmall(scenarioOf(['wait: 2s'], ['rules:', `  - ${rule}`]), script);
  return result.failures.map(({ reasons }) => reasons.join(' '));
};

describe('a rule with always', () => {
  const CRITICAL = 'always: {alert: sos, of: ana, severity: critical}';
  const NOTHING = [expect.stringContaining('nothing fitted it, so nothing was judged. Write count: 0.. beside it')];

  test.each<[string, string, (world: SmallWorld) => void, unknown]>([
    ['fails where no object ever fitted its subject', CRITICAL, () => {}, NOTHING],
    ['fails where the only object is that of another worker', CRITICAL, sosOf('luis', 'low'), NOTHING],
    ['passes there with count: 0..', `${CRITICAL}\n    count: 0..`, sosOf('luis', 'low'), []],
    ['passes where the object fits', CRITICAL, sosOf('ana', 'critical'), []],
    ['fails where it does not', CRITICAL, sosOf('ana', 'low'), [expect.stringContaining('severity is low')]],
    ['judges a number, also of none', 'always: {alerts: open, count: 0}', () => {}, []],
    ['fails where no muster was ever active', 'always: {muster: active, kind: general}', () => {}, NOTHING],
    [
      'judges the muster',
      'always: {muster: active, kind: general}',
      (world) => world.at(500, () => world.muster('m', { kind: 'general' })),
      [],
    ],
  ])('%s', async (_what, rule, script, expected) => {
    expect(await failuresWith(rule, script)).toEqual(expected);
  });

  test('has no other number of matches', () => {
    const text = scenarioOf(['wait: 2s'], ['rules:', '  - always: {alert: sos}', '    count: 2']);
    expect(mistakesTextOf(text)).toContain('"always" has no number of matches. Write count: 0..');
  });

  test('may judge nothing in a file with a system of the user', () => {
    const rest = ['system: {url: "http://127.0.0.1:9", reset: /reset}', 'rules:', '  - always: {alert: sos}'];
    const loaded = loadScenario('x.scenario.yaml', {
      read: filesOf({ 'x.scenario.yaml': scenarioOf(['wait: 1s'], rest) }),
    });
    expect(loaded.ok && loaded.scenario.rules.map(({ mayBeNone }) => mayBeNone)).toEqual([true]);
  });
});

describe('a check of any event', () => {
  const twice = (world: SmallWorld) => {
    world.at(500, () => world.alert('a1', { type: 'sos' }, 'alert.created'));
    world.at(800, () => world.muster('m', {}, 'muster.started'));
  };

  test('finds each type of event', async () => {
    const any = (count: number) => `check: {event: any, count: ${count}}`;
    const { results } = await playSteps(['wait: 2s', any(2), any(1)], twice);
    expect(results.map((one) => one.split(' ')[1])).toEqual(['passed', 'failed']);
  });

  test('never lets pass an event that was not found itself, though its alert was', async () => {
    const never = 'never: {event: any}\n    for: 1s';
    const onlySos = (world: SmallWorld) => world.at(500, () => world.alert('a1', { type: 'sos' }, 'alert.created'));
    const verdicts = async (found: string) =>
      (await playSteps(['wait: 1s', found, never], onlySos)).result.failures.length;
    expect(await verdicts('expect: {alert: sos}')).toBe(1);
    expect(await verdicts('expect: {event: alert.created}')).toBe(0);
    expect(await verdicts('expect: {event: any}')).toBe(0);
  });

  test('binds an event of either kind', async () => {
    const steps = ['wait: 2s', 'expect: {event: any, data: {muster: any}}\n    as: e', 'check: {muster: $e.object}'];
    expect((await playSteps(steps, twice)).result.failures.map(({ text }) => text)).toEqual([]);
  });

  test('knows the fields of both, and no others', () => {
    const check = (object: string) => mistakesTextOf(scenarioOf([`check: {event: any, object: {${object}}}`]));
    expect([
      check('severity: critical'),
      check('phase: evacuating, status: active'),
      check('sevrity: critical'),
    ]).toEqual(['', '', expect.stringContaining('"sevrity"')]);
  });
});

describe('a failure', () => {
  test('of never has the time of the event, and not that of the step', async () => {
    const early = (world: SmallWorld) => world.at(500, () => world.alert('a1', { type: 'sos' }, 'alert.created'));
    const { result } = await playSteps(['wait: 4s', 'never: {event: alert.created}\n    for: 1s'], early);
    expect(result.failures.map(({ reasons }) => reasons)).toEqual([['it came at 00:00:00.500: alert.created sos']]);
  });

  test('in a macro names the calling line, then that of the macro, and is run again up to the calling line', async () => {
    const macros = ['macros:', '  outer: {params: [], steps: [{do: {macro: inner}}]}', '  inner:', '    params: []'];
    const inner = ['    steps:', '      - expect: {alert: sos}', '        within: 1s'];
    const { result } = await playSmall(scenarioOf(['mark: First', 'do: {macro: outer}'], [...macros, ...inner]));
    const [failure] = result.failures;
    const [at, outer, own] = ['small.scenario.yaml:8', 'small.scenario.yaml:10', 'small.scenario.yaml:14'];
    expect(failure?.text.split('\n')[0]).toMatch(new RegExp(`^✗ ${at} > ${outer} > ${own}  expect alert sos`));
    expect(failure?.calledAt).toEqual({ file: 'small.scenario.yaml', line: 8 });
    expect(failure?.text).toMatch(/--until 8$/);
  });
});

describe('a name', () => {
  test('binds what a check of a worker, a watch or a position found, and its fields can be used', async () => {
    const steps = `
      - check: {worker: ana}
        as: who
      - check: {device: ana}
        as: watch
      - check: {position: ana}
        as: place
      - api: {get: /v1/workers, query: {external_id: $who.external_id}, answers: {status: 200}}
      - check: {worker: ana, id: $who.id}
      - check: {device: ana, serial: $watch.serial}
    `;
    expect(await failuresOf(steps)).toEqual([]);
  });

  test('is not bound by a crowd', () => {
    const rest = ['crowd: {crew: {count: 3, in: Dock}}'];
    expect(mistakesTextOf(scenarioOf(['check: {worker: crew}\n    as: who'], rest))).toContain('Delete "as".');
  });
});

describe('the serial of a watch', () => {
  const swap = (to: string) => mistakesTextOf(scenarioOf([`device: {who: ana, swap_to: ${to}}`]));

  test.each([
    'SIM-lusi',
    'sim-luis',
    'luis',
    'SIM-luiz',
  ])('is a mistake where it is nearly one of the plant: %s', (to) => {
    expect(swap(to)).toContain(`"${to}" is not the serial of a watch of the plant. Did you mean "SIM-luis"?`);
  });

  test.each(['SIM-luis', 'SIM-NEW-1', 'STORE-1'])('is that of a colleague, or of a new watch: %s', (to) => {
    expect(swap(to)).toBe('');
  });
});

test('a position without a place is reported where the worker is', async () => {
  const steps = `
    - check: {position: ana}
      as: before
    - wait: 5s
    - position: {who: ana}
    - check: {position: ana, location: {latitude: $before.location.latitude, longitude: $before.location.longitude}}
  `;
  expect(await failuresOf(steps)).toEqual([]);
});

test('an event of a client whose contract hides people nearby is compared through that contract', async () => {
  const steps = `
    - contract: {contractors: [Nord]}
    - sos: {who: ana}
    - expect: {event: alert.created}
  `;
  const rest = 'crowd: {other: {count: 2, in: Dock, contractor: South}, own: {count: 1, in: Dock, contractor: Nord}}';
  const failures = await failuresOf(steps, rest);
  expect(failures.filter((text) => text.includes('built-in rule'))).toEqual([]);
});
