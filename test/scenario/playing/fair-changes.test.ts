/** `sandbox run --mutate` counts only the changes that can make a difference in the scenario. */
import { describe, expect, test } from 'vitest';
import { unless } from '../../helpers/unless.ts';
import { sampled } from '../../helpers/whole.ts';
import { judged } from './judged-changes.ts';

describe('a change that cannot change anything is not counted', () => {
  const macro = `macros:
  attend: {params: [alert], steps: [{resolve: {alert: $alert, by: Desk}}]}
  other: {params: [who], steps: [{wear: {who: $who, is: off}}, {check: {alerts: open, count: 0..}}]}`;

  test('a macro that no step calls has neither changes nor checks; one that a macro calls has', async () => {
    const rest = `${macro}
  outer: {params: [alert], steps: [{do: {macro: attend, with: {alert: $alert}}}]}`;
    const { outcomes, checks } = await judged(
      `
      - sos: {who: ana}
        as: a
      - do: {macro: outer, with: {alert: $a}}
      - check: {alert: $a, of: ana, status: resolved}
    `,
      rest,
    );
    expect(outcomes.filter((line) => !/check/.test(line))).toEqual([
      expect.stringMatching(/ resolve step noticed$/),
      '1 sos step needed',
      '1 sos who noticed',
    ]);
    expect(checks).toHaveLength(1);
  });

  test('a macro that only the steps of another case call is not changed in this one', async () => {
    const { outcomes } = await judged(
      `
      - sos: {who: ana}
      - expect: {alert: sos, of: ana}
      - do: {macro: other, with: {who: luis}}
        only: {kind: far}
    `,
      `${macro}\nparams: {kind: near}`,
    );
    expect(outcomes.filter((line) => /wear/.test(line))).toEqual([]);
  });

  const same = [
    [
      'another name of the same alert, in a step',
      '- sos: {who: ana}\n  as: a\n- expect: {alert: sos}\n  as: b\n- resolve: {alert: $a, by: Desk}\n- check: {alert: $a, of: ana, status: resolved}',
      /resolve alert/,
    ],
    [
      'another name of the same alert, in a check',
      '- sos: {who: ana}\n  as: a\n- expect: {alert: sos, of: ana}\n  as: b\n- expect: {event: alert.created, about: $a}',
      /expect about/,
    ],
    [
      'twice and half of no time',
      '- sos: {who: ana}\n- deliveries: {to: erp, shuffle: 0s, hold: 2m}\n- sos: {who: luis}\n- expect: {alert: sos, of: luis}',
      /deliveries shuffle/,
    ],
    ['an advance of no time, left out', '- clock: {advance: 0s}\n- sos: {who: ana}\n- expect: {alert: sos}', /clock/],
  ] as const;
  for (const {
    row: [what, steps, change],
    skip,
  } of sampled(same, 3))
    unless(skip).test(what, async () => {
      const { outcomes } = await judged(steps);
      expect(outcomes.filter((line) => change.test(line))).toEqual([]);
      expect(outcomes.length).toBeGreaterThan(0);
    });

  test('a threshold at its default has no change to its default', async () => {
    const { all } = await judged('- sos: {who: ana}\n- expect: {alert: sos, of: ana}', 'service: {offline_after: 10m}');
    expect(all[0]).toMatchObject({ word: 'service', text: '"10m" -> "20m"', outcome: 'unnoticed' });
  });

  const different = [
    ['another alert', 'sos: {who: luis}'],
    ['the same alert in some plays of the step only', 'repeat: {times: 2, steps: [{sos: {who: luis}}]}'],
  ] as const;
  for (const {
    row: [what, step],
    skip,
  } of sampled(different, 2))
    unless(skip).test(`but a change to ${what} is counted, though no check notices it`, async () => {
      const { weak } = await judged(`
      - sos: {who: ana}
        as: a
      - ${step}
      - expect: {alert: sos, of: luis}
        as: b
      - resolve: {alert: $a, by: Desk}
    `);
      expect(weak.map(({ word, detail }) => `${word} ${detail}`)).toContain('resolve alert');
    });
});
