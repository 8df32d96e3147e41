/** The stories that ship, against a whole sandbox: real MQTT, HTTP and webhooks, in lock-step. */
import { describe, expect, test } from 'vitest';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { type RunOptions, runFile } from '../../../src/scenario/playing/run-file.ts';

const fileOf = (name: string) => new URL(`../../../scenarios/${name}.scenario.yaml`, import.meta.url).pathname;

const play = (name: string, options: Partial<RunOptions> = {}) =>
  runFile(fileOf(name), { mode: 'fast', boot: bootStage, sink: () => {}, ...options });

describe('a general evacuation turns into a tsunami muster', () => {
  test('of 26 people, who all end safe, with the same log each time', async () => {
    const one = await play('tsunami-muster');
    expect(one.failures).toEqual([]);
    expect(one).toMatchObject({ verdict: 'passed', passed: 17, failed: 0, error: null });
    expect((await play('tsunami-muster')).logSha256).toBe(one.logSha256);
  }, 60_000);
});
