/** The hints of `sandbox run --mutate`: each one that is printed is pasted, and notices the change. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ReadText } from '../../../src/base/user-files.ts';
import { isOfCause } from '../../../src/scenario/model/change.ts';
import { unless } from '../../helpers/unless.ts';
import { isWhole, sampled } from '../../helpers/whole.ts';
import { wholeScenario } from '../whole-stage.ts';
import { faultsOf, isShort, pastedHints } from './pasted-hints.ts';

const ofDisk: ReadText = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

const SHIPPED = readdirSync('scenarios').filter((name) => name.endsWith('.scenario.yaml') && isShort(name));

/** Their changes that pass all have a reason in the file: the hint does not know it. */
test.each(
  isWhole ? SHIPPED : ['life-of-an-alert.scenario.yaml'],
)('a hint for a change that %s need not notice makes it noticed', async (name) => {
  const hints = await pastedHints(join('scenarios', name), ofDisk, ({ equivalent }) => equivalent !== null);
  expect(faultsOf(hints)).toEqual([]);
  if (!isWhole) expect(hints.filter(({ isPasted }) => isPasted)).toHaveLength(1);
});

describe('a hint', () => {
  const FILE = 'short.scenario.yaml';
  const hintsOf = (steps: string, rest = '') => {
    const text = wholeScenario(steps, rest);
    return pastedHints(FILE, (path) => (path === FILE ? text : undefined), isOfCause);
  };

  const rows: readonly (readonly [what: string, steps: string, wanted: RegExp, rest?: string])[] = [
    ['an event that no check expects', '- sos: {who: ana}', /^ *- expect: \{event: alert\.created, of: ana\}$/],
    [
      'a member of a crowd has no name of its own, so the crowd is named',
      '- sos: {who: crew}',
      /alert\.created, of: crew/,
      'crowd: {crew: {count: 3, in: Dock}}',
    ],
    ['what no event shows is a state', '- battery: {who: ana, pct: 64}', /- check: \{device: ana, battery: 64\}/],
    [
      'a call that changes nothing is a call',
      '- sos: {who: ana}\n  as: s\n- expect: {alert: $s}\n- acknowledge: {alert: $s, by: A, via: panel}\n- acknowledge: {alert: $s, by: B, via: api}\n- check: {alert: $s, of: ana, status: acknowledged}',
      /request: PATCH \/v1\/alerts\/\*, status: 200/,
    ],
    [
      'an event that the next check takes is looked for at the end',
      '- sos: {who: ana}\n- expect: {event: alert.created}',
      /- check: \{event: alert\.created, of: ana\}\n +since: start/,
    ],
  ];
  for (const {
    row: [what, steps, wanted, rest],
    skip,
  } of sampled(rows, 6))
    unless(skip).test(`${what}: the hint is a step that notices the change`, async () => {
      const hints = await hintsOf(steps, rest);
      expect(faultsOf(hints)).toEqual([]);
      expect(hints.map(({ hint }) => hint)).toEqual(expect.arrayContaining([expect.stringMatching(wanted)]));
    });

  test('in plain words proposes no step where none notices the change', async () => {
    const [hint] = await hintsOf('- wear: {who: ana, is: on}\n- sos: {who: ana}\n- expect: {alert: sos, of: ana}');
    expect(hint).toMatchObject({ isPasted: false, hint: expect.stringMatching(/Nothing that a check can see/) });
  });

  test('of a step that is never played says so', async () => {
    const hints = await hintsOf(
      '- sos: {who: ana}\n- expect: {alert: sos, of: ana}',
      'when: [{every: {alert: low_battery}, as: low, steps: [{sos: {who: luis}}]}]',
    );
    expect(hints[0]?.hint).toMatch(/The step is not played in this run/);
  });
});
