/** The outcomes of a run, their messages and exit codes. [scenario-language, Command line] */
import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { Outage } from '../../../src/base/assert.ts';
import { signatureFault } from '../../../src/scenario/customer/verify-signature.ts';
import type { RunNotice } from '../../../src/scenario/log/run-notices.ts';
import { runFile } from '../../../src/scenario/playing/run-file.ts';
import type { RunOptions } from '../../../src/scenario/playing/run-options.ts';
import { runsData } from '../../../src/scenario/reporting/run-data.ts';
import { bootSmall, filesOf, playSmall, playSteps, scenarioOf } from '../small-stage.ts';

const run = (text: string, options: Partial<RunOptions> = {}) =>
  runFile('x.scenario.yaml', {
    mode: 'fast' as const,
    boot: bootSmall(() => {}),
    sink: () => {},
    read: filesOf({ 'x.scenario.yaml': text }),
    ...options,
  });

describe('a run ends', () => {
  test('passed, with 0, and its data as the envelope has it', async () => {
    const begunMs = performance.now();
    const result = await run(scenarioOf(['wait: 90s', 'check: {alerts: open, count: 0}']));
    const tookS = (performance.now() - begunMs) / 1_000;
    expect(result.exitCode).toBe(0);
    const [data] = runsData([result]).runs;
    expect(data).toEqual({
      scenario: 'A small scenario',
      file: 'x.scenario.yaml',
      case: null,
      verdict: 'passed',
      seed: 7,
      mode: 'fast',
      log_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      expectations: { passed: 1, failed: 0, skipped: 0 },
      failures: [],
      skipped: [],
      reason: null,
      simulated_s: 90,
      wall_s: expect.any(Number),
      lag_ms: 0,
      order: 0,
      error: null,
      again: 'npx sandbox run x.scenario.yaml --seed 7',
      deliveries: { delivered: 0, retried: 0, lost: 0, failing: 0 },
    });
    expect(data?.wall_s).toBeLessThanOrEqual(tookS + 0.001);
  });

  test('when its last wait is over', async () => {
    expect(await run(scenarioOf(['wait: 10s']))).toMatchObject({ verdict: 'passed', simulatedMs: 10_000 });
  });

  test('with time standing still while the sandbox stops, so that nothing more happens in it', async () => {
    let paused = false;
    const boot: RunOptions['boot'] = async (request) => {
      const stage = await bootSmall(() => {})(request);
      const stop = () => {
        paused = request.clock.state().paused;
        return stage.stop();
      };
      return { ...stage, stop };
    };
    await run(scenarioOf(['wait: 10s']), { boot });
    expect(paused).toBe(true);
  });

  test('failed, with 1, each failure with its line, in their order', async () => {
    const result = await run(scenarioOf(['expect: {alert: sos}\n    within: 1s', 'check: {alert: sos}']));
    expect(result).toMatchObject({ verdict: 'failed', exitCode: 1, failures: [{ line: 7 }, { line: 9 }] });
  });

  test('with 2 where the file is wrong, before anything is booted', async () => {
    const boot = () => Promise.reject(new Error('booted'));
    const result = await run(scenarioOf(['sso: 1']), { boot });
    expect(result).toMatchObject({ verdict: 'error', exitCode: 2, logSha256: null, error: { code: 'invalid_file' } });
    expect(result.mistakes).toContain('x.scenario.yaml:7:5  "sso" is not a step.');
  });

  test('with 2 in a mode that the scenario does not play in', async () => {
    const result = await run(`${scenarioOf(['wait: 1s'])}\nmodes: [fast]`, { mode: 'real' });
    expect(result).toMatchObject({
      exitCode: 2,
      mistakes: expect.stringContaining('plays in fast only. Run it with --mode fast.'),
    });
  });

  test('skipped, with the reason, in a mode that a scenario of a folder does not play in', async () => {
    const file = `${scenarioOf(['wait: 1s'])}\nmodes: [fast, real]`;
    const result = await run(file, { mode: 'scaled', skipsOtherModes: true });
    expect(result).toMatchObject({ verdict: 'skipped', exitCode: 0, reason: 'it plays in fast or real only' });
  });

  test('with 3 where the sandbox cannot be booted', async () => {
    const outage = new Outage({ code: 'port_taken', message: 'The port is taken.', fix: 'Stop it.' });
    const result = await run(scenarioOf(['wait: 1s']), { boot: () => Promise.reject(outage) });
    expect(result).toMatchObject({ verdict: 'error', exitCode: 3, error: { code: 'port_taken', fix: 'Stop it.' } });
  });

  test('with 3 where it is stuck, naming who holds and the line', async () => {
    const boot = bootSmall((world) => {
      world.onAction = () => {
        world.clock.hold('downlink', 'PUBACK of watch w003');
        return { status: 200 };
      };
    });
    const result = await run(scenarioOf(['sos: {who: ana}', 'wait: 1s']), { boot, watchdogMs: 40 });
    expect(result).toMatchObject({ verdict: 'error', exitCode: 3, error: { code: 'stuck' } });
    expect(result.error?.message).toContain('x.scenario.yaml:7: time waits for downlink (PUBACK of watch w003)');
  });

  test('with 3 where the log cannot be written', async () => {
    const result = await run(scenarioOf(['wait: 1s']), { out: '/dev/null/run' });
    expect(result).toMatchObject({ exitCode: 3, error: { code: 'out_not_writable' } });
  });

  test('with 5 where the sandbox makes a mistake', async () => {
    const { result } = await playSteps(['sos: {who: ana}'], (world) => {
      world.onAction = () => ({ status: 500, body: { detail: 'Sorry.' } });
    });
    expect(result).toMatchObject({ verdict: 'error', exitCode: 5, error: { code: 'bug' } });
  });

  test('with 130 when it is interrupted, and the sandbox is stopped', async () => {
    const interrupt = new AbortController();
    let stopped = 0;
    const boot: RunOptions['boot'] = async (request) => {
      const stage = await bootSmall(() => {})(request);
      return { ...stage, stop: () => stage.stop().then(() => void stopped++) };
    };
    const sink = (notice: RunNotice) => notice.kind === 'mark' && interrupt.abort();
    const result = await run(scenarioOf(['mark: Now', 'wait: 10m']), {
      boot,
      sink,
      signal: interrupt.signal,
      mode: 'real',
    });
    expect(result).toMatchObject({ verdict: 'error', exitCode: 130, error: { code: 'interrupted' } });
    expect(stopped).toBe(1);
  });
});

describe('a built-in receiver', () => {
  const BODY = '{"id":"e1"}';
  const sign = (secret: string, timestamp: number, body = BODY) => {
    return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
  };
  const NOW_S = 1_790_000_000;

  test.each([
    ['a sound signature', 'whsec_a', 0, null],
    ['a timestamp 5 min old', 'whsec_a', -300, null],
    ['a timestamp of 301 s ahead', 'whsec_a', 301, expect.stringContaining('301 s away')],
    ['another secret', 'whsec_b', 0, expect.stringContaining('does not fit')],
  ])('judges %s', async (_name, secret, offsetS, fault) => {
    const timestamp = NOW_S + offsetS;
    const signature = sign(secret, timestamp);
    const signed = { timestamp: String(timestamp), signature, body: Buffer.from(BODY) };
    expect(signatureFault(signed, ['whsec_a'], NOW_S * 1000)).toEqual(fault);
  });

  test('takes either of two signatures, and no third', async () => {
    const [one, two] = [sign('whsec_a', NOW_S), sign('whsec_b', NOW_S)];
    const signed = { timestamp: String(NOW_S), body: Buffer.from(BODY) };
    expect(signatureFault({ ...signed, signature: `${one},${two}` }, ['whsec_b'], NOW_S * 1000)).toBeNull();
    expect(signatureFault({ ...signed, signature: `${two},${one},${one}` }, ['whsec_b'], NOW_S * 1000)).toContain(
      '3 signatures',
    );
    expect(signatureFault({ ...signed, signature: undefined }, ['whsec_b'], NOW_S * 1000)).toContain('does not fit');
  });

  test('a receiver that gets a delivery with a wrong signature refuses it and fails the run', async () => {
    let status = 0;
    const { result } = await playSmall(scenarioOf(['sos: {who: ana}']), (world, { forwards, clock }) => {
      world.onAction = () => {
        const release = clock.hold('delivery', 'a forged delivery');
        const headers = {
          'x-service-timestamp': String(Math.floor(clock.wall() / 1000)),
          'x-service-signature': 'v1=00',
        };
        const forged = request(forwards.get('erp.receiver.example')!, { method: 'POST', headers }, (answer) => {
          status = answer.statusCode ?? 0;
          answer.resume().on('end', release);
        });
        forged.end(BODY);
        return { status: 200 };
      };
    });
    expect(status).toBe(400);
    expect(result).toMatchObject({ verdict: 'failed', exitCode: 1 });
    expect(result.failures[0]?.text).toContain('the delivery to erp is not sound: X-Service-Signature does not fit');
  });

  test('is a destination that the customer makes, with the filters of the file', async () => {
    const filters = '{events: [alert.created], min_severity: high, contractors: [Norte], sites: [Small plant]}';
    const { world } = await playSmall(scenarioOf(['wait: 1s']).replace('{events: [alert.*]}', filters));
    expect(world.destinations).toEqual([
      {
        url: 'https://erp.receiver.example/',
        event_types: ['alert.created'],
        filters: { min_severity: 'high', contractors: ['Norte'], site_ids: ['site-1'] },
      },
    ]);
  });

  test('a receiver that the contract does not allow is reported with its fix', async () => {
    const boot = bootSmall((world) => {
      world.onDestination = () => ({
        status: 403,
        body: { code: 'insufficient_scope', detail: 'The token lacks webhooks:manage.' },
      });
    });
    const result = await run(scenarioOf(['wait: 1s']), { boot });
    expect(result).toMatchObject({ verdict: 'error', exitCode: 2, error: { code: 'receiver_refused' } });
    expect(result.error?.message).toContain('"erp": The token lacks webhooks:manage.');
  });
});
