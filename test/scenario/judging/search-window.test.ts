/** Where the search of a check starts: at the last action, or where `since` says; and what a failure prints of a match before it. [scenario-language, Durations, modifiers, references and conditions] */
import { describe, expect, test } from 'vitest';
import { mistakesTextOf, playSmall, playSteps, type SmallWorld, scenarioOf } from '../small-stage.ts';
import { failuresOf } from '../whole-stage.ts';

/** An SOS half a second after the start, before the step of each row. */
const early = (world: SmallWorld): void => {
  world.at(500, () => world.alert('a1', { type: 'sos' }, 'alert.created'));
};

const LATER = 'expect: {event: alert.created}\n    within: 1s';

const verdictsOf = async (steps: readonly string[], script = early): Promise<readonly string[]> =>
  (await playSteps(steps, script)).results.map((one) => one.split(' ').slice(0, 2).join(' '));

describe('the search of a check', () => {
  test.each([
    'wait: 1s',
    'mark: Half time',
    'clock: {advance: 2s}',
    'clock: {speed: 2}',
    'check: {alerts: open, count: 1}',
    'expect: {alert: sos}',
    'never: {alert: heat_stress}\n    for: 1s',
    'api: {get: /v1/sites}',
    'api: {get: /v1/sites, answers: {status: 200}}\n    as: sites',
    'api: {get: /v1/sites, token: none}',
    'do: {macro: look}',
  ])('keeps its start at "%s"', async (step) => {
    const text = scenarioOf(
      ['wait: 1s', step, LATER],
      ['macros: {look: {params: [], steps: [{api: {get: /v1/sites}}]}}'],
    );
    const { result } = await playSmall(text, early);
    expect(result.failures.map((one) => one.text)).toEqual([]);
  });

  test.each([
    'battery: {who: ana, pct: 50}',
    'api: {get: /v1/sites, token: expired}',
    'api: {get: /v1/sites, token: revoked}',
    'api: {get: /v1/alerts, token: narrow}',
    'api: {post: /v1/webhooks, body: {url: "https://erp.example/"}}',
    'api: {patch: /v1/alerts/a1, body: {status: acknowledged}}',
    'api: {delete: /v1/webhooks/d}',
    'receiver: {name: erp, does: 500}',
    'together: [{api: {get: /v1/sites}}, {mark: Both}]',
  ])('moves on at "%s"', async (step) => {
    expect((await verdictsOf(['wait: 1s', step, LATER])).at(-1)).toBe('9 failed');
  });

  test('starts where "since" says: at the start, or at the beginning of the step that bound a name', async () => {
    const script = (world: SmallWorld) => {
      early(world);
      world.at(1_500, () => world.alert('a2', { type: 'fall_detected' }, 'alert.created'));
    };
    const fall = 'expect: {alert: fall_detected}\n    as: fall';
    const created = (since: string) => `check: {event: alert.created, count: 2}\n    since: ${since}`;
    const moved = ['wait: 1s', fall, 'battery: {who: ana, pct: 50}'];
    expect((await verdictsOf([...moved, created('start')], script)).at(-1)).toBe('11 passed');
    const [failure] = (await playSteps([...moved, created('$fall')], script)).result.failures;
    expect(failure?.rows).toEqual([{ path: 'count', expected: '2', got: '1' }]);
  });

  test('starts at a step that makes nothing too, which has a name for that alone', async () => {
    const steps = [
      'wait: 200ms',
      'signal: {who: ana, is: lost}\n    as: lost',
      'wait: 1s',
      'battery: {who: ana, pct: 50}',
    ];
    const check = (since: string) => `check: {event: alert.created}\n    since: ${since}`;
    expect(await verdictsOf([...steps, check('$lost')])).toEqual(['12 passed']);
    expect(await verdictsOf([...steps, 'check: {event: alert.created}'])).toEqual(['12 failed']);
  });

  test('of "never" starts there too', async () => {
    const never = (since: string) => `never: {event: alert.created}\n    for: 1s${since}`;
    const moved = ['wait: 1s', 'battery: {who: ana, pct: 50}'];
    expect(await verdictsOf([...moved, never('')])).toEqual(['9 passed']);
    expect(await verdictsOf([...moved, never('\n    since: start')])).toEqual(['9 failed']);
  });

  test('for calls starts at the last call, also at one that only reads', async () => {
    const get = 'api: {get: /v1/sites}';
    const one = 'check: {request: GET /v1/sites, count: 1}';
    const steps = ['wait: 1s', get, get, one, `${one.replace('1}', '2}')}\n  since: start`];
    expect(await failuresOf(steps.map((step) => `- ${step}`).join('\n'))).toEqual([]);
  });

  test.each([
    ['expect: {alert: sos}\n    since: call', 'x.scenario.yaml:8:12  "call" is not where a search starts.'],
    ['expect: {alert: sos}\n    since: 5s', 'x.scenario.yaml:8:12  "5s" is not where a search starts.'],
    ['expect: {alert: sos}\n    since: $call', 'x.scenario.yaml:8:12  $call is not defined before this line.'],
    ['check: {worker: ana, is_active: true}\n    since: start', 'x.scenario.yaml:8:5  "since" has no effect'],
    ['sos: {who: ana}\n    since: start', 'x.scenario.yaml:8:5  "since" has no effect next to "sos". Delete it.'],
    ['expect: {alert: sos, since: start}', 'x.scenario.yaml:7:26  "since" belongs next to "expect", not inside.'],
  ])('is refused a start that is none: %s', (step, message) => {
    expect(mistakesTextOf(scenarioOf([step]))).toContain(message);
  });
});

describe('a failure that had a match before its search', () => {
  const fall = (world: SmallWorld) => {
    early(world);
    world.at(1_500, () => world.alert('a2', { type: 'fall_detected' }, 'alert.created'));
  };
  const act = 'battery: {who: ana, pct: 50}';
  const named = 'expect: {alert: fall_detected}\n    as: fall';

  test.each<[string, readonly string[], string, string]>([
    ['no name', ['wait: 1s', act], 'expect: {event: alert.created, of: ana}\n    within: 1s', 'start'],
    ['a name before it', [named, act], 'check: {event: alert.created}', '$fall'],
    ['a count that only the whole run has', [named, act], 'check: {event: alert.created, count: 2}', 'start'],
  ])('prints the line that passes, with %s', async (_what, before, check, since) => {
    const steps = ['wait: 1s', ...before, check];
    const { result } = await playSteps(steps, fall);
    expect(result.failures.map((one) => one.text.match(/since: (\S+)/)?.[1])).toEqual([since]);
    const mended = await playSteps([...steps.slice(0, -1), `${check}\n    since: ${since}`], fall);
    expect(mended.result.failures).toEqual([]);
  });

  test('prints none where no start would pass: the match was too early, or has satisfied another check', async () => {
    const late = await playSteps(['wait: 1s', act, 'expect: {event: alert.created}\n    within: 1s..2s'], early);
    expect(late.result.failures.map((one) => one.text)).toEqual([expect.not.stringContaining('since:')]);
    const twice = ['expect: {event: alert.created}', act, 'expect: {event: alert.created}'];
    const [taken] = (await playSteps(twice, early)).result.failures;
    expect(taken?.text).toContain('it came once and satisfied an expectation before this one');
    expect(taken?.text).not.toContain('since:');
  });
});
