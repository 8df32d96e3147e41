/** Scenarios of evacuations: names from actions, and what can be asked of a muster and of who is missing. */
import { describe, expect, test } from 'vitest';
import { mistakesTextOf, playSmall, playSteps, type SmallWorld, scenarioOf, workerIdOf } from '../small-stage.ts';
import { playWhole, wholeScenario } from '../whole-stage.ts';

const TOTALS = { expected: 2, safe: 0, help: 0, wrong_point: 0, pending: 2, no_signal: 0, not_worn: 0 };

/** The world answers `start_muster` with a muster that counts. */
const mustering = (world: SmallWorld): void => {
  world.onAction = (call) => {
    if (call.action === 'start_muster') {
      world.muster('m1', { totals: TOTALS, targets_revision: 1 }, 'muster.started');
      return { status: 200, body: { result: { muster_id: 'm1', site_id: 's' } } };
    }
    if (call.action === 'exclude_point') {
      world.muster('m1', { targets_revision: 2 }, 'muster.targets_changed');
      world.muster('m1', { totals: { ...TOTALS, safe: 1, pending: 1 } });
      return { status: 200, body: { result: { muster_id: 'm1' } } };
    }
    return { status: 200, body: { result: {} } };
  };
};

const START = 'start_muster: {kind: general, by: Lead}\n    as: m';

describe('a name from an action', () => {
  test('is the muster that it made, in actions and in checks', async () => {
    const { result, world } = await playSteps(
      [
        START,
        'exclude_point: {muster: $m, point: Gate, reason: Smoke, by: Lead}',
        'expect: {event: muster.targets_changed, about: $m, object: {targets_revision: "+1"}}',
        'check: {muster: $m, status: active, totals: {safe: ">= 1", pending: 1}}',
        'check: {muster: active, totals: {safe: 1..5}}',
        'check: {alert: any, details: {muster_id: $m}}',
      ],
      (world) => {
        mustering(world);
        world.at(0, () => world.alert('a1', { type: 'evacuation_help', details: { reason: null, muster_id: 'm1' } }));
      },
    );
    expect(world.actions[1]).toMatchObject({ action: 'exclude_point', muster: 'm1' });
    // The alert came before the last action.
    expect(result.failures.map(({ line }) => line)).toEqual([13]);
    expect(result).toMatchObject({ passed: 3, failed: 1 });
  });

  test('a name that the action did not make is a failure that says so', async () => {
    const { result } = await playSteps(
      ['battery: {who: ana, pct: 50}\n    as: low', 'check: {alert: $low}'],
      mustering,
    );
    expect(result.failures.map(({ text }) => text.split('\n')[1]?.trim())).toEqual([
      'It made no alert, so $low has no value.',
    ]);
    expect(result.skipped.map(({ line }) => line)).toEqual([9]);
  });

  test.each([
    ['sos: {who: [ana, luis]}\n    as: s', 'This step finds nothing that could have a name. Delete "as".'],
    [
      'wear: {who: ana, is: off}\n    as: s\n  - check: {alert: $s}',
      '$s names a step that makes nothing. Only since: $s can use it.',
    ],
    [
      'wear: {who: ana, is: off}\n    as: s\n  - api: GET /v1/alerts/$s',
      '$s names a step that makes nothing. Only since: $s can use it.',
    ],
    [`${START}\n  - acknowledge: {alert: $m, by: Desk}`, '$m is not an alert.'],
    [`${START}\n  - check: {muster: $m, totals: {save: 1}}`, '"save" is not a field of "totals". Did you mean "safe"?'],
    [
      `${START}\n  - check: {missing: $m, people: {anna: help}}`,
      '"anna" is not a worker or a crowd. Did you mean "ana"?',
    ],
    [
      `${START}\n  - check: {missing: $m, people: {ana: helping}}`,
      'Who is missing is never "helping". Write help, wrong_point, pending, no_signal or not_worn.',
    ],
    ['check: {muster: running}', '"running" is not a muster. Write active.'],
    ['check: {missing: active}', '"active" is not the name of a muster. Write $m where a line before has as: m.'],
    [
      'exclude_point: {point: Gatte, reason: Smoke, by: Lead}',
      '"Gatte" is not a zone of the plant. Did you mean "Gate"?',
    ],
    ['enter: {who: ana, zone: luis}', '"luis" is not a zone of the plant. Write Dock or Gate.'],
    ['move: {who: ana, to: Gate, via: [luis, Docks]}', '"Docks" is not a zone of the plant. Did you mean "Dock"?'],
    [
      'vehicle: forklift',
      '"forklift" is not what "vehicle" needs. Write vehicle: {near: ana, type: forklift, distance: 6m}.',
    ],
    ['move: {who: ana, to: Docks}', '"Docks" is not a zone of the plant. Did you mean "Dock"?'],
    [
      'start_muster: {kind: flood, by: Lead}',
      '"flood" is not a value of "kind". Write general, tsunami or earthquake.',
    ],
  ])('is reported where it cannot be: %s', (steps, message) => {
    expect(mistakesTextOf(scenarioOf([steps])).split('\n')[0]).toMatch(/^x\.scenario\.yaml:\d+:\d+ {2}/);
    expect(
      mistakesTextOf(scenarioOf([steps]))
        .split('\n')[0]
        ?.replace(/^\S+ {2}/, ''),
    ).toBe(message);
  });
});

test('a check of the missing list uses short names, and null for a worker who is not missing', async () => {
  const { result } = await playSteps(
    [
      START,
      'check: {missing: $m, people: {ana: help, luis: null}, count: 1}',
      'check: {missing: $m, people: {ana: {status: help, needs_rescue: true}}}',
      'check: {missing: $m, people: {ana: pending, luis: no_signal}}',
    ],
    (world) => {
      mustering(world);
      const missing = { worker: { id: workerIdOf('ana') }, status: 'help', needs_rescue: true };
      world.look.missing = (id) => (id === 'm1' ? [missing as never] : []);
    },
  );
  expect(result).toMatchObject({ passed: 2, failed: 1 });
  expect(result.failures[0]?.text.split('\n').slice(1, 3)).toEqual([
    '    people.ana    expected pending     got help',
    '    people.luis   expected no_signal   got not missing   everything else matched',
  ]);
});

test('everybody in a crowd draws a pace of their own, the same each time', async () => {
  const text = scenarioOf(['move: {who: [ana, crew], to: Gate, pace: 1.2..1.6}']).replace(
    'receivers:',
    'crowd: {crew: {count: 3, in: Dock}}\nreceivers:',
  );
  const { world } = await playSmall(text);
  const paces = world.actions.map(({ who, pace }) => [who, pace]);
  expect(paces.map(([who]) => who)).toEqual(['ana', 'crew-01', 'crew-02', 'crew-03']);
  for (const [, pace] of paces) expect(pace).toBeGreaterThanOrEqual(1.2);
  expect(new Set(paces.map(([, pace]) => pace)).size).toBeGreaterThan(1);
  expect((await playSmall(text)).world.actions).toEqual(world.actions);
});

test('the panel updates alerts by an action, the customer by the API', async () => {
  const { world } = await playSteps(
    ['expect: {alert: sos}\n    as: sos', 'acknowledge: {alert: $sos, by: Desk, via: panel, note: Calm}'],
    (small) => {
      small.at(0, () => small.alert('a1', { type: 'sos' }));
    },
  );
  expect(world.updates).toEqual([]);
  expect(world.actions).toEqual([{ action: 'acknowledge', alert: 'a1', by: 'Desk', via: 'panel', note: 'Calm' }]);
});

test('a refusal that is right passes, and what should have been refused does not', async () => {
  const refusing = (world: SmallWorld) => {
    world.onAction = ({ action }) =>
      action === 'inspect'
        ? { status: 409, body: { code: 'action_refused', detail: 'Ana is missing.' } }
        : { status: 200 };
  };
  const right = await playSteps(['inspect: {by: Lead}\n    refused: true'], refusing);
  expect(right.result.failures).toEqual([]);
  const wrong = await playSteps(['sos: {who: ana}\n    refused: true'], refusing);
  expect(wrong.result.failures[0]?.text).toContain('It was done, though the step says refused: true.');
});

test('a watch that was in the locker at the beginning stays there while its worker walks to safety', async () => {
  const people = 'workers: {ana: {in: Dock, worn: off}, luis: {in: Dock}}';
  const text = wholeScenario(`
    - start_muster: {kind: general, by: Lead}
      as: m
    - move: {who: [ana, luis], to: Gate}
    - wait_for: {muster: $m, totals: {safe: 1}}
      within: 10m
    - check: {missing: $m, people: {ana: not_worn}}
      after: 10m
    - wear: {who: ana, is: on}
    - expect: {muster: $m, totals: {safe: 2}}
      within: 30s
  `).replace(/^workers: .*$/m, people);
  const { failures, error } = await playWhole(text);
  expect({ failures, error }).toEqual({ failures: [], error: null });
});
