/** Failures name workers by their short names, as the file does, although the service knows their codes. [scenario-language, Messages] */
import { describe, expect, test } from 'vitest';
import { playWhole } from '../whole-stage.ts';

const FILE = `scenario: Workers with codes
site: {name: Plant, origin: [43.3, -8.4], zones: {Dock: {type: work_area, box: [0, 0, 90, 90]}}}
workers: {ana: {external_id: E-1041, in: Dock}, luis: {external_id: E-1077, in: Dock}}
steps:
  - sos: {who: ana}
`;

const textsOf = async (step: string): Promise<string> => {
  const { failures } = await playWhole(`${FILE}  - ${step}\n`);
  return failures.map(({ text }) => text).join('\n');
};

describe('the failure of a check about', () => {
  test.each([
    [
      'the alert of another worker',
      'expect: {alert: sos, of: luis}',
      /of +expected luis +got ana +everything else matched/,
    ],
    ['a count of alerts', 'check: {alerts: open, count: 2}', /count +expected 2 +got 1: alert sos of ana\n/],
    ['an alert that must not come', 'never: {alert: sos}\n    for: 1s', /it came at 00:00:00.000: alert sos of ana\n/],
    [
      'the event of another worker',
      'expect: {event: alert.created, of: luis}',
      /of +expected luis +got ana +everything else/,
    ],
  ])('%s', async (_what, step, expected) => {
    const text = await textsOf(step);
    expect(text).toMatch(expected);
    expect(text).not.toContain('E-1041');
  });
});
