/** `sandbox run --pause` and `--keep`: the sandbox stays up as the scenario left it, and time stands still until it is advanced. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { runHere, StartedHere } from './here.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

const SCENARIO = `scenario: Two people press SOS
seed: 4
site: {name: P, origin: [43, -8], zones: {Dock: {type: work_area, box: [0, 0, 90, 90]}}}
workers: {ana: {in: Dock}, luis: {in: Dock}}
receivers: {erp: {events: [alert.*]}}
steps:
  - sos: {who: ana}
  - wait: 30s
  - check: {alerts: open, count: WRONG}
  - sos: {who: luis}
  - check: {alerts: open, count: 2}
rules:
  - never: {alert: fall_detected}
finally:
  - sos: {who: ana, with: watch_hardware_button}
`;
const file = (name: string, text: string): string => {
  const path = join(folder.path, `${name}.scenario.yaml`);
  writeFileSync(path, text);
  return path;
};
const right = file('right', SCENARIO.replace('WRONG', '1'));
const wrong = file('wrong', SCENARIO.replace('WRONG', '5'));
const LINE = { sos: 7, check: 9 };

interface HeldLine {
  readonly event: string;
  readonly line: number;
  readonly at_s: number;
  readonly api_url: string;
  readonly mqtt_url: string;
  readonly data_dir: string;
  readonly control_token: string;
  readonly clients: readonly { client_id: string; client_secret: string }[];
}

/** A run until it is held, and what it had printed then. */
class Held {
  readonly line: HeldLine;
  readonly #run: StartedHere;

  private constructor(run: StartedHere) {
    this.#run = run;
    this.line = JSON.parse(run.stdout.split('\n')[0] ?? '') as HeldLine;
  }

  static async start(...args: string[]): Promise<Held> {
    return new Held(await StartedHere.start(['run', ...args, '--json']));
  }

  stderr(): string {
    return this.#run.stderr;
  }

  /** Its open alerts, as the customer's client gets them. */
  async openAlerts(): Promise<number> {
    const [client] = this.line.clients;
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...client } as Record<string, string>);
    form.delete('organization');
    const token = await fetch(`${this.line.api_url}/v1/oauth/token`, { method: 'POST', body: form });
    const { access_token } = (await token.json()) as { access_token: string };
    const answer = await fetch(`${this.line.api_url}/v1/alerts?status=unacknowledged`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    return ((await answer.json()) as { data: unknown[] }).data.length;
  }

  /** Another command, which finds it by what `export` says. */
  async command(...args: string[]) {
    const env = { SANDBOX_URL: this.line.api_url, SANDBOX_CONTROL_TOKEN: this.line.control_token };
    const { code, stdout } = await runHere([...args, '--json'], { env });
    return { code, data: JSON.parse(stdout).data };
  }

  async end() {
    const code = await this.#run.end();
    const line = JSON.parse(this.#run.stdout.trimEnd().split('\n').at(-1) ?? '') as {
      status: string;
      data: { runs: Record<string, unknown>[] };
    };
    return { code, line };
  }
}

describe('--pause', () => {
  test('stops behind the line of --until: the API answers as it is then, and Ctrl-C ends with the verdict', async () => {
    const held = await Held.start(right, '--until', String(LINE.check), '--pause');
    expect(held.line).toMatchObject({ event: 'paused', line: LINE.check, at_s: 30 });
    expect(await held.openAlerts()).toBe(1);
    for (const words of [
      `export SANDBOX_URL=${held.line.api_url}`,
      `export SANDBOX_CONTROL_TOKEN=${held.line.control_token}`,
      `MQTT     ${held.line.mqtt_url}`,
      `client   customer  ${held.line.clients[0]?.client_id}`,
      'Ctrl-C ends it.',
      'sandbox clock resume',
    ])
      expect(held.stderr()).toContain(words);
    const { code, line } = await held.end();
    expect(code).toBe(0);
    expect(line).toMatchObject({ status: 'ok', data: { runs: [{ verdict: 'passed', expectations: { passed: 1 } }] } });
  });

  test('time stands still until it is turned: it advances, runs by the wall clock, and stops again', async () => {
    const held = await Held.start(right, '--until', String(LINE.sos), '--pause');
    const begin = (await held.command('clock')).data;
    expect(begin).toMatchObject({ now: '2026-10-05T06:00:00.000Z', paused: true });
    const later = await held.command('clock', 'advance', '40s');
    expect(later.data).toMatchObject({ now: '2026-10-05T06:00:40.000Z', paused: true });
    // The scenario does not go on by itself.
    expect(await held.openAlerts()).toBe(1);
    expect((await held.command('clock', 'speed', '2')).data).toMatchObject({ speed: 2, paused: true });
    expect((await held.command('clock', 'resume')).data).toMatchObject({ paused: false });
    const stopped = (await held.command('clock', 'pause')).data;
    const passed = Date.parse(stopped.now) - Date.parse(later.data.now);
    expect(passed).toBeGreaterThan(0);
    // By the wall clock: in its own time a scenario would be days ahead by now.
    expect(passed).toBeLessThan(60_000);
    expect((await held.end()).code).toBe(0);
  });

  test('what a person does in the sandbox is not the scenario: other commands find it, and the verdict and log stay', async () => {
    const alone = await Held.start(right, '--until', String(LINE.sos), '--pause');
    const untouched = await alone.end();
    const held = await Held.start(right, '--until', String(LINE.sos), '--pause');
    expect((await held.command('trigger', 'fall', '--who', 'luis')).code).toBe(0);
    expect(await held.openAlerts()).toBe(2);
    const world = await runHere(['env', '--data-dir', held.line.data_dir]);
    expect(world.stdout).toContain(`SANDBOX_API_URL=${held.line.api_url}`);
    const { code, line } = await held.end();
    expect(code).toBe(0);
    const reported = ({ line: { data } }: typeof untouched) => {
      const { log_sha256, deliveries, verdict, failures } = data.runs[0] ?? {};
      return { log_sha256, deliveries, verdict, failures };
    };
    expect(reported({ code, line })).toEqual(reported(untouched));
  });

  test('without --until stops at the first failure, before any later step; the failure is reported at once', async () => {
    const held = await Held.start(wrong, '--pause');
    expect(held.line).toMatchObject({ event: 'paused', line: LINE.check });
    expect(await held.openAlerts()).toBe(1);
    expect(held.stderr()).toContain(`✗ ${wrong}:${LINE.check}`);
    const { code, line } = await held.end();
    expect(code).toBe(1);
    expect(line).toMatchObject({ status: 'ok', data: { runs: [{ verdict: 'failed', expectations: { failed: 1 } }] } });
  });

  test('of a scenario without a failure does nothing', async () => {
    const { code, stdout } = await runHere(['run', right, '--pause', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).data.runs[0].verdict).toBe('passed');
  });
});

test('--keep stays after the scenario and its finally', async () => {
  const held = await Held.start(right, '--keep');
  expect(held.line).toMatchObject({ event: 'kept' });
  expect(await held.openAlerts()).toBe(2);
  expect((await held.command('clock')).data.paused).toBe(true);
  expect((await held.end()).code).toBe(0);
});
