/** Steps that are to be refused, and names of steps that found nothing. */
import { expect, test } from 'vitest';
import type { RunNotice } from '../../../src/scenario/log/run-notices.ts';
import { plainWriter } from '../../../src/scenario/reporting/plain-writer.ts';
import { playWhole, wholeScenario } from '../whole-stage.ts';

async function printed(steps: string) {
  const lines: string[] = [];
  const notices: RunNotice[] = [];
  const write = plainWriter((text) => void lines.push(text));
  const sink = (notice: RunNotice) => {
    notices.push(notice);
    write(notice);
  };
  const { verdict, passed, failed, failures } = await playWhole(wholeScenario(steps), { sink });
  return { verdict, passed, failed, failures, text: lines.join('') };
}

test('an expected refusal has a line that says why, and counts as a passed check', async () => {
  const { verdict, passed, text } = await printed(`
    - sos: {who: ana}
      as: sos
    - reopen: {alert: $sos, by: Desk}
      refused: true
    - acknowledge: {alert: $sos, by: Desk}
    - acknowledge: {alert: $sos, by: Desk, via: panel}
  `);
  expect([verdict, passed]).toEqual(['passed', 1]);
  expect(text).toMatch(/✓ reopen, alert \$sos, by Desk is refused: The alert is unacknowledged; only a resolved one/);
  expect(text.match(/ reopen,/g)).toHaveLength(1);
});

test('a step that was to be refused and was done has one line that says so', async () => {
  const { verdict, passed, failed, text } = await printed('- sos: {who: ana}\n  refused: true');
  expect([verdict, passed, failed]).toEqual(['failed', 0, 1]);
  expect(text).toMatch(/✗ sos ana {2}It was done, though the step says refused: true/);
});

test('a name that only since uses needs no alert', async () => {
  const { verdict, failures } = await printed(`
    - battery: {who: ana, pct: 90}
      as: begin
    - sos: {who: ana}
    - expect: {event: alert.created, of: ana}
      since: $begin
  `);
  expect([verdict, failures]).toEqual(['passed', []]);
});

test.each([
  ['a check', '- check: {alert: $begin}'],
  ['a step', '- acknowledge: {alert: $begin, by: Desk}'],
  ['a call', '- api: {get: /v1/alerts/$begin.id}'],
])('a name that %s uses fails at the step that made no alert', async (_what, step) => {
  const { failures } = await printed(`- battery: {who: ana, pct: 90}\n  as: begin\n${step}`);
  expect(failures.map(({ reasons }) => reasons)).toEqual([['It made no alert, so $begin has no value.']]);
});

test('a change of an alert that was there before is called a change, and a new one is not', async () => {
  const { failures } = await printed(`
    - fall: {who: ana, answers: ok, answers_after: 10s}
    - expect: {alert: fall_detected, of: ana}
    - never: {alert: any}
      for: 1m
    - sos: {who: ana}
    - never: {alert: any}
      for: 1s
  `);
  expect(failures.map(({ reasons: [why] }) => why)).toEqual([
    'it changed at 00:00:10.000: alert fall_detected of ana',
    'it came at 00:00:10.000: alert sos of ana',
  ]);
});
