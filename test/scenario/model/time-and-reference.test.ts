/** "Time and reference" and the fine print: when checks begin, what they see, and how long they wait. [scenario-language] */
import { describe, expect, test } from 'vitest';
import { ownMachine } from '../../helpers/needs.ts';
import { unless } from '../../helpers/unless.ts';
import { live, playSmall, playSteps, type SmallWorld, scenarioOf } from '../small-stage.ts';

/** An SOS of ana, ms after the start. */
const sosAt =
  (...times: readonly number[]) =>
  (world: SmallWorld): void => {
    for (const [i, ms] of times.entries())
      world.at(ms, () => world.alert(`a${i + 1}`, { type: 'sos' }, 'alert.created'));
  };

describe('a search starts at the last action', () => {
  test('what came between the action and the check is found, past waits, marks and other checks', async () => {
    const { results } = await playSteps(
      [
        'battery: {who: ana, pct: 50}',
        'wait: 10s',
        'mark: Later',
        'check: {alerts: all}',
        'expect: {event: alert.created}',
      ],
      sosAt(2_000),
    );
    expect(results).toEqual(['10 passed at 10000 waited 0', '11 passed at 10000 waited 0']);
  });

  test('what came before the action does not count', async () => {
    const { results } = await playSteps(
      ['wait: 3s', 'battery: {who: ana, pct: 50}', 'expect: {event: alert.created}'],
      sosAt(2_000),
    );
    expect(results).toEqual(['9 failed at 8000 waited 5000']);
  });

  test('without an action it starts where the scenario does', async () => {
    const { results } = await playSteps(['wait: 3s', 'expect: {alert: sos}'], sosAt(2_000));
    expect(results).toEqual(['8 passed at 3000 waited 0']);
  });

  test('an alert named by its type has changed since; one named by its name is that one whenever', async () => {
    const { results } = await playSteps(
      [
        'expect: {alert: sos}\n    as: first',
        'battery: {who: ana, pct: 50}',
        'check: {alert: $first, status: unacknowledged}',
        'check: {alert: sos}',
      ],
      sosAt(1_000),
    );
    expect(results.slice(1)).toEqual(['10 passed at 1000 waited 0', '11 failed at 1000 waited 0']);
  });
});

describe('a limit', () => {
  test.each([
    { came: 3_999, verdict: 'passed at 3999 waited 999' },
    { came: 5_000, verdict: 'passed at 5000 waited 2000' },
    { came: 5_001, verdict: 'failed at 5000 waited 2000' },
  ])('counts from the beginning of its step: what comes at $came ms has $verdict', async ({ came, verdict }) => {
    const { results } = await playSteps(
      ['battery: {who: ana, pct: 50}', 'wait: 3s', 'expect: {event: alert.created}\n    within: 2s'],
      sosAt(came),
    );
    expect(results).toEqual([`9 ${verdict}`]);
  });

  test('is 5 s by default', async () => {
    const { results } = await playSteps(['expect: {alert: sos}', 'expect: {alert: low_battery}'], sosAt(5_000));
    expect(results).toEqual(['7 passed at 5000 waited 5000', '8 failed at 10000 waited 5000']);
  });

  test.each([
    { came: 28_999, verdict: 'failed at 28999 waited 28999' },
    { came: 29_000, verdict: 'passed at 29000 waited 29000' },
    { came: 31_000, verdict: 'passed at 31000 waited 31000' },
    { came: 31_001, verdict: 'failed at 31000 waited 31000' },
  ])('of 29s..31s refuses what is too early or too late: at $came ms it has $verdict', async ({ came, verdict }) => {
    const { results } = await playSteps(['expect: {alert: sos}\n    within: 29s..31s'], sosAt(came));
    expect(results).toEqual([`7 ${verdict}`]);
  });

  test('with a lower bound is broken by what was so when the step began', async () => {
    const { results } = await playSteps(['wait: 2s', 'expect: {alert: sos}\n    within: 1s..5s'], sosAt(1_000));
    expect(results).toEqual(['8 failed at 2000 waited 0']);
  });

  unless(
    ownMachine,
  ).test('has 250 ms of wall time more in a running sandbox, where answers take time themselves', async () => {
    const steps = ['expect: {alert: sos}\n    within: 1s'];
    const scaled = await playSteps(steps, sosAt(8_000), live(100));
    const fast = await playSteps(steps, sosAt(8_000));
    expect(scaled.result.verdict).toBe('passed');
    expect(fast.result.verdict).toBe('failed');
  });
});

describe('one event satisfies one expectation', () => {
  test('so that two need two', async () => {
    const steps = ['expect: {event: alert.created}', 'expect: {event: alert.created}'];
    const one = await playSteps(steps, sosAt(1_000));
    expect(one.results).toEqual(['7 passed at 1000 waited 1000', '8 failed at 6000 waited 5000']);
    const two = await playSteps(steps, sosAt(1_000, 1_500));
    expect(two.results).toEqual(['7 passed at 1000 waited 1000', '8 passed at 1500 waited 500']);
  });

  test('a delivery likewise', async () => {
    const { results } = await playSteps(['expect: {delivery: erp}', 'expect: {delivery: erp}'], (world) => {
      world.at(1_000, () => world.alert('a1', { type: 'sos' }));
      world.at(1_000, () => world.attempt('erp', 'e1', 'a1'));
    });
    expect(results).toEqual(['7 passed at 1000 waited 1000', '8 failed at 6000 waited 5000']);
  });

  test('but a state may be looked at again, and checks take nothing', async () => {
    const { results } = await playSteps(
      [
        'expect: {alert: sos}',
        'expect: {alert: sos}',
        'check: {event: alert.created}',
        'expect: {event: alert.created}',
      ],
      sosAt(1_000),
    );
    expect(results.map((verdict) => verdict.split(' ')[1])).toEqual(['passed', 'passed', 'passed', 'passed']);
  });
});

describe('conditions are level', () => {
  test('what was true and is no longer does not count', async () => {
    const { results } = await playSteps(
      ['wait: 3s', 'expect: {alert: sos, status: unacknowledged}\n    within: 1s'],
      (world) => {
        world.at(1_000, () => world.alert('a1', { type: 'sos' }));
        world.at(2_000, () => world.alert('a1', { status: 'acknowledged' }));
      },
    );
    expect(results).toEqual(['8 failed at 4000 waited 1000']);
  });

  test('a check looks at now only', async () => {
    const { results } = await playSteps(
      ['check: {alerts: open, count: 0}', 'wait: 2s', 'check: {alerts: open, count: 1}'],
      sosAt(1_000),
    );
    expect(results).toEqual(['7 passed at 0 waited 0', '9 passed at 2000 waited 0']);
  });

  test('"for" asks that a state holds; one that ends before begins anew', async () => {
    const { results } = await playSteps(
      ['expect: {alert: sos, status: acknowledged}\n    for: 10s\n    within: 20s'],
      (world) => {
        world.at(1_000, () => world.alert('a1', { type: 'sos', status: 'acknowledged' }));
        world.at(6_000, () => world.alert('a1', { status: 'unacknowledged' }));
        world.at(9_000, () => world.alert('a1', { status: 'acknowledged' }));
      },
    );
    expect(results).toEqual(['7 passed at 19000 waited 19000']);
  });

  test('a state that holds when the limit comes may hold to its end, and fails when it ends before', async () => {
    const steps = ['expect: {alert: sos, status: acknowledged}\n    for: 10s\n    within: 5s'];
    const raised = (world: SmallWorld) =>
      world.at(1_000, () => world.alert('a1', { type: 'sos', status: 'acknowledged' }));
    const held = await playSteps(steps, raised);
    expect(held.results).toEqual(['7 passed at 11000 waited 11000']);
    const ended = await playSteps(steps, (world) => {
      raised(world);
      world.at(8_000, () => world.alert('a1', { status: 'unacknowledged' }));
    });
    expect(ended.results).toEqual(['7 failed at 8000 waited 8000']);
    expect(ended.result.failures[0]?.text).toContain('it was so, but no longer at 00:00:08.000');
  });

  test('a check with "for" fails when it ends', async () => {
    const { results } = await playSteps(['wait: 1s', 'check: {alerts: open, count: 0}\n    for: 10s'], sosAt(5_000));
    expect(results).toEqual(['8 failed at 5000 waited 4000']);
  });
});

describe('never', () => {
  test('looks from the beginning of the last action, not from its own: waits do not move it', async () => {
    const never = 'never: {event: alert.created}\n    for: 1m';
    const { results } = await playSteps(['wait: 2s', never], sosAt(1_000));
    expect(results).toEqual(['8 failed at 2000 waited 0']);
    const moved = await playSteps(['wait: 2s', 'battery: {who: luis, pct: 50}', never], sosAt(1_000));
    expect(moved.results).toEqual(['9 passed at 62000 waited 60000']);
  });

  test('finds what the last action did at once, but not what an expectation has taken', async () => {
    const never = 'never: {event: alert.created}\n    for: 1m';
    const sos = 'sos: {who: ana, with: watch_button}';
    const { results } = await playSteps([sos, never], sosAt(0));
    expect(results).toEqual([expect.stringMatching(/failed at 0 /)]);
    const taken = await playSteps([sos, 'expect: {event: alert.created}', never], sosAt(0));
    expect(taken.results.map((verdict) => verdict.split(' ')[1])).toEqual(['passed', 'passed']);
  });

  test('a state that the last action has brought about is there at its beginning', async () => {
    const { results } = await playSteps(
      ['sos: {who: ana, with: watch_button}', 'never: {alert: sos, of: ana}\n    for: 1m'],
      sosAt(0),
    );
    expect(results).toEqual([expect.stringMatching(/failed at 0 /)]);
  });

  test.each([
    { came: 60_000, verdict: 'failed at 60000 waited 60000' },
    { came: 60_001, verdict: 'passed at 60000 waited 60000' },
  ])('looks to the end of its time: what comes at $came ms has $verdict', async ({ came, verdict }) => {
    const { results } = await playSteps(['never: {event: alert.created}\n    for: 1m'], sosAt(came));
    expect(results).toEqual([`7 ${verdict}`]);
  });
});

describe('steps', () => {
  test('"after" is a pause before, "at" is not before a time from the start', async () => {
    const { notices } = await playSteps([
      'mark: A',
      'mark: B\n    after: 3s',
      'mark: C\n    at: 10s',
      'mark: D\n    at: 2s',
    ]);
    const marks = notices.flatMap((notice) => (notice.kind === 'mark' ? [`${notice.text} ${notice.atMs}`] : []));
    expect(marks).toEqual(['A 0', 'B 3000', 'C 10000', 'D 10000']);
  });

  test('a wait_for that fails stops the scenario; finally is played all the same', async () => {
    const { results, result } = await playSmall(
      scenarioOf(
        ['expect: {alert: sos}\n    within: 1s', 'wait_for: {alert: sos}\n    within: 1s', 'check: {alerts: open}'],
        ['finally:', '  - check: {alerts: open, count: 0}'],
      ),
    );
    expect(results).toEqual([
      '7 failed at 1000 waited 1000',
      '9 failed at 2000 waited 1000',
      '13 passed at 2000 waited 0',
    ]);
    expect(result).toMatchObject({ verdict: 'failed', exitCode: 1, passed: 1, failed: 2 });
  });

  test('a step that the state refuses is a failure with its detail, and the scenario goes on', async () => {
    const { result, results } = await playSteps(['sos: {who: ana}', 'check: {alerts: open, count: 0}'], (world) => {
      world.onAction = () => ({ status: 409, body: { code: 'action_refused', detail: 'The watch is off.' } });
    });
    expect(result.failures.map(({ line }) => line)).toEqual([7]);
    expect(result.failures[0]?.text).toContain('refused: The watch is off.');
    expect(results).toHaveLength(1);
  });

  test('a name that nothing was found for skips the steps that need it, at once', async () => {
    const { result, results, world } = await playSteps([
      'expect: {alert: sos}\n    within: 1s\n    as: sos',
      'press_ack: {who: ana, alert: $sos}',
      'expect: {event: alert.acknowledged, about: $sos}',
    ]);
    expect(results).toEqual(['7 failed at 1000 waited 1000']);
    expect(world.actions).toEqual([]);
    expect(result.failures.map(({ line }) => line)).toEqual([7]);
    expect(result.skipped).toMatchObject([
      { line: 10, atMs: 1_000 },
      { line: 11, atMs: 1_000 },
    ]);
  });

  test('--until leaves out what stands behind a line', async () => {
    const { notices } = await playSteps(['mark: A', 'mark: B', 'mark: C'], undefined, { until: 8 });
    expect(notices.flatMap((notice) => (notice.kind === 'mark' ? [notice.text] : []))).toEqual(['A', 'B']);
  });
});

describe('names and people', () => {
  test('$name stands for the id in actions and updates, $event.object for its alert, a list for each', async () => {
    const { world, result } = await playSteps(
      [
        'expect: {event: alert.created}\n    as: created',
        'expect: {alert: sos}\n    as: sos',
        'press_ack: {who: ana, alert: $sos}',
        'acknowledge: {alert: $created.object, by: Desk}',
        'resolve: {alert: [$sos, $created.object], by: Desk, reason: Done, note: Fine}',
      ],
      sosAt(1_000),
    );
    expect(result.failures).toEqual([]);
    expect(world.actions).toEqual([{ action: 'press_ack', who: 'ana', alert: 'a1' }]);
    const resolved = { status: 'resolved', actor: { name: 'Desk' }, resolution_reason: 'Done', note: 'Fine' };
    expect(world.updates).toEqual([
      { id: 'a1', body: { status: 'acknowledged', actor: { name: 'Desk' } } },
      { id: 'a1', body: resolved },
      { id: 'a1', body: resolved },
    ]);
  });

  test('"of" and "worker" mean the person of that short name', async () => {
    const nearby = [{ kind: 'person', worker: { id: 'worker-luis' }, distance_m: 40 }] as never;
    const { results } = await playSteps(
      [
        'expect: {alert: sos, of: luis}',
        'check: {alert: sos, of: ana}',
        'check: {alert: sos, nearby: {contains: {worker: luis, distance_m: 28..52}}}',
        'check: {alert: sos, nearby: {contains: {worker: ana}}}',
      ],
      (world) => world.at(1_000, () => world.alert('a1', { type: 'sos', of: 'luis', nearby })),
    );
    expect(results.map((verdict) => verdict.split(' ')[1])).toEqual(['passed', 'failed', 'passed', 'failed']);
  });

  test('a crowd acts as its people, or as so many of them, drawn by the seed', async () => {
    const text = scenarioOf(['sos: {who: [ana, 2 of crew]}', 'sos: {who: crew}']).replace(
      'receivers:',
      'crowd: {crew: {count: 4, in: Dock}}\nreceivers:',
    );
    const { world } = await playSmall(text);
    const again = await playSmall(text);
    const [some, all] = world.actions.map(({ who }) => who as string[]);
    expect(all).toEqual(['crew-01', 'crew-02', 'crew-03', 'crew-04']);
    expect(some).toHaveLength(3);
    expect(all).toEqual(expect.arrayContaining(some!.slice(1)));
    expect(again.world.actions).toEqual(world.actions);
  });

  test('a range is a draw by the seed, which another step does not change', async () => {
    const fall = 'fall: {who: ana, answers: ok, answers_after: 1s..20s}';
    const drawn = async (steps: string[], seed?: string) => {
      const { world } = await playSteps(steps, undefined, { seed });
      return world.actions.filter(({ action }) => action === 'fall').map(({ answers_after }) => answers_after);
    };
    const twice = await drawn([fall, fall]);
    expect(twice[0]).toMatch(/^(?:\d+s)?(?:\d+ms)?$/);
    expect(twice[1]).not.toBe(twice[0]);
    expect(await drawn(['battery: {who: ana, pct: 9}', fall, 'sos: {who: ana}', fall])).toEqual(twice);
    expect(await drawn([fall, fall], '8')).not.toEqual(twice);
    const [ofLuis, ...ofAna] = await drawn([fall.replace('ana', 'luis'), fall, fall]);
    expect(ofAna).toEqual(twice);
    expect(ofLuis).not.toBe(twice[0]);
  });
});
