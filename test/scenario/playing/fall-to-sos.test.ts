/** The example against a whole sandbox: real MQTT, HTTP and webhooks, in all three ways in which time passes. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { FAST_START, runFile } from '../../../src/scenario/playing/run-file.ts';
import type { RunOptions } from '../../../src/scenario/playing/run-options.ts';
import { stallingMachine } from '../../helpers/stalling-machine.ts';
import { filesOf, scenarioOf } from '../small-stage.ts';

const EXAMPLE = new URL('../../../scenarios/fall-to-sos.scenario.yaml', import.meta.url).pathname;

const folder = mkdtempSync(join(tmpdir(), 'muster-example-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const play = (file: string, options: Partial<RunOptions> = {}) =>
  runFile(file, { mode: 'fast', boot: bootStage, sink: () => {}, ...options });

describe('a fall that nobody answers becomes an SOS', () => {
  test('in lock-step, with the same log each time', async () => {
    const one = await play(EXAMPLE, { out: join(folder, 'one') });
    expect(one.failures).toEqual([]);
    expect(one).toMatchObject({
      verdict: 'passed',
      exitCode: 0,
      passed: 10,
      failed: 0,
      simulatedMs: 595_000,
      error: null,
    });
    const [two, three] = await Promise.all([play(EXAMPLE), play(EXAMPLE)]);
    expect([two.logSha256, three.logSha256]).toEqual([one.logSha256, one.logSha256]);
  });

  test('and another seed is another run of the same scenario', async () => {
    const [one, other] = [await play(EXAMPLE), await play(EXAMPLE, { seed: '43' })];
    expect(other.verdict).toBe('passed');
    expect(other.logSha256).not.toBe(one.logSha256);
  });

  test('its log holds no address, token, secret or signature', async () => {
    await play(EXAMPLE, { out: join(folder, 'two') });
    const log = readFileSync(join(folder, 'two', 'run.jsonl'), 'utf8');
    expect(log.split('\n').length).toBeGreaterThan(30);
    expect(log).not.toMatch(/127\.0\.0\.1|https?:|whsec_|panel_url|"signature"|token/);
  });
});

describe('a scenario of a second or two', () => {
  const text = scenarioOf(
    [
      'sos: {who: ana, with: watch_hardware_button}',
      'expect: {alert: sos, of: ana, details: {trigger: watch_hardware_button}}\n    within: 3s\n    as: sos',
      'expect: {delivery: erp, event: alert.created, about: $sos, result: delivered, tries: 1}\n    within: 3s',
      'resolve: {alert: $sos, by: Desk, reason: Tested}',
      'expect: {event: alert.resolved, about: $sos}\n    within: 3s',
      'never: {event: alert.created}\n    for: 200ms',
    ],
    ['finally:', '  - check: {alerts: open, count: 0}'],
  );
  const read = filesOf({ 'short.scenario.yaml': text });

  const at = (pace: number) => ({
    clock: lockstepClock({ start: FAST_START, pace, pacedBy: stallingMachine('short') }),
  });
  test.each([
    { mode: 'fast' as const },
    { mode: 'scaled' as const, speed: 20, ...at(20) },
    { mode: 'real' as const, ...at(1) },
  ])('plays in $mode time', async (options) => {
    const result = await play('short.scenario.yaml', { ...options, read });
    expect(result.failures).toEqual([]);
    expect(result).toMatchObject({ verdict: 'passed', passed: 5, error: null });
  });

  test('fails where it should: an expectation that is wrong is not passed over', async () => {
    const wrong = text.replace('details: {trigger: watch_hardware_button}', 'details: {trigger: after_fall}');
    const result = await play('short.scenario.yaml', { read: filesOf({ 'short.scenario.yaml': wrong }) });
    expect(result).toMatchObject({ verdict: 'failed', exitCode: 1 });
    expect(result.failures[0]?.text).toContain('details.trigger   expected after_fall   got watch_hardware_button');
  });

  test('an action that the watch cannot do is reported with its reason', async () => {
    const result = await play('x.scenario.yaml', {
      read: filesOf({ 'x.scenario.yaml': scenarioOf(['answer: {who: ana, with: ok}']) }),
    });
    expect(result.failures[0]?.text).toMatch(/refused: .*prompt/);
  });
});
