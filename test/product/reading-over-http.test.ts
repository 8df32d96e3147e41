/** Reading scenarios over HTTP never blocks the server for more than 250 ms, and what another thread has read plays as it would here. [decisions 9, Limits of scenario files] */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlone, ownMachineToo, soonMs } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { sampled, withoutWhole } from '../helpers/whole.ts';
import { TEXTS_FROM_CODE } from './hostile-from-code.ts';
import { HEAD, TEXTS_FROM_SPEC } from './hostile-from-spec.ts';
import { RunningSandbox } from './sandbox-process.ts';

/** [decisions 9] */
const LONGEST_BLOCK_MS = soonMs(250);

const project = ownFolder();
const DELAYS = join(project.path, 'delay');

/** Writes the longest delay of the event loop since the last signal, ms. */
const METER = `data:text/javascript,${encodeURIComponent(`
import { isMainThread } from 'node:worker_threads';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { writeFileSync } from 'node:fs';
if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  process.on('SIGUSR2', () => {
    writeFileSync(process.env.DELAY_FILE, String(delay.max / 1e6));
    delay.reset();
  });
}`)}`;

/** The largest valid files, the hostile ones of a few bytes, and those that a limit refuses. */
const READ = [
  ...TEXTS_FROM_SPEC.filter(({ name }) => /9,900|15,000|10,001|multiply|10,000 steps/.test(name)),
  ...TEXTS_FROM_CODE.filter(({ name }) => /seven macros|490,000|handed over|aliases/.test(name)),
];

/** Those that are not read here are not even written. */
const READ_ROWS = sampled(READ, READ.length);
const SAMPLED = READ_ROWS.filter(({ skip }) => skip === null).map(({ row }) => row);

/** Valid ones with a list of steps, before which a step can be written that is not for a client. */
const STEPPED = READ.filter(({ name }) => /9,900 (?:named|expectations)/.test(name));

const nameOf = (words: string): string => words.replace(/\W+/g, '-');

/** 400 steps: too many for the thread of the server. */
const MIDDLE = `${HEAD.replace('scenario: Hostile', 'scenario: Middle\nparams: {count: 0}')}macros: {m: {params: [n], steps: [{check: {alerts: open, count: $n}}]}}
steps:
${'  - do: {macro: m, with: {n: $count}}\n'.repeat(399)}  - check: {alerts: open, count: 1}
finally: [{mark: The end}]
`;

// Without a server: test/sandbox/scenario-reader.test.ts.
unless(isAlone ? null : withoutWhole, ownMachineToo).describe('a server that reads large scenarios', () => {
  let sandbox: RunningSandbox;
  let token = '';

  beforeAll(async () => {
    mkdirSync(join(project.path, 'scenarios'));
    for (const { name, text } of SAMPLED)
      writeFileSync(join(project.path, `scenarios/${nameOf(name)}.scenario.yaml`), text());
    for (const { name, text } of STEPPED.filter((one) => SAMPLED.includes(one))) {
      const beyond = text().replace('steps:\n', 'steps:\n  - limits: {requests_per_minute: 100}\n');
      writeFileSync(join(project.path, `scenarios/${nameOf(name)}-beyond.scenario.yaml`), beyond);
    }
    writeFileSync(join(project.path, 'scenarios/middle.scenario.yaml'), MIDDLE);
    sandbox = await RunningSandbox.up(['--memory', '--watches', '6', '--speed', '60'], {
      cwd: project.path,
      env: { NODE_OPTIONS: `--import ${METER}`, DELAY_FILE: DELAYS },
    });
    token = await sandbox.token();
    await sandbox.call('GET', '/v1/sandbox/scenarios', token);
  });
  afterAll(async () => {
    await sandbox.stop();
    project.remove();
  });

  /** Milliseconds since the last request. */
  async function longestDelay(): Promise<number> {
    writeFileSync(DELAYS, '');
    sandbox.child.kill('SIGUSR2');
    while (readFileSync(DELAYS, 'utf8') === '') await sandbox.call('GET', '/health', token);
    return Number(readFileSync(DELAYS, 'utf8'));
  }

  // Playing is work of its own, so these runs do not begin: a parameter is unknown.
  for (const { row: one, skip } of READ_ROWS)
    unless(skip).test(`reads "${one.name}" without a pause`, { retry: 2 }, async () => {
      const { name, outcome } = one;
      await longestDelay();
      const { status, body } = await sandbox.call('POST', `/v1/sandbox/scenarios/${nameOf(name)}/runs`, token, {
        parameters: outcome === 'valid' ? { unknown: 1 } : {},
      });
      expect([status, JSON.stringify(body).slice(0, 200)]).toEqual([422, expect.anything()]);
      expect(await longestDelay()).toBeLessThan(LONGEST_BLOCK_MS);
    });

  for (const { row: one, skip } of READ_ROWS.filter(({ row }) => STEPPED.includes(row)))
    unless(skip).test(`reads the steps of "${one.name}" for a run without a pause`, {
      retry: 2,
    }, async () => {
      await longestDelay();
      const path = `/v1/sandbox/scenarios/${nameOf(one.name)}-beyond/runs`;
      const { status, body } = await sandbox.call('POST', path, token, {});
      // Both threads have read it, and the run ends at once: its first step is not for the token.
      expect([status, body.status, body.failures.length]).toEqual([202, 'failed', 1]);
      expect(body.steps_total).toBeGreaterThan(9_900);
      expect(await longestDelay()).toBeLessThan(LONGEST_BLOCK_MS);
    });

  test('plays what the other thread has read: steps, parameters, lines of failures and the end', async () => {
    await longestDelay();
    const { body } = await sandbox.call('POST', '/v1/sandbox/scenarios/middle/runs', token, {
      parameters: { count: 0 },
    });
    let run = body;
    while (run.status === 'running') run = (await sandbox.call('GET', `/v1/sandbox/runs/${run.id}`, token)).body;
    expect(run).toMatchObject({ status: 'failed', steps_total: 401, failures: [{ line: 406 }] });
    expect(run.failures[0].text).toContain('✗ scenarios/middle.scenario.yaml:406');
    expect(await longestDelay()).toBeLessThan(LONGEST_BLOCK_MS);
  });

  test('lists them again from memory', async () => {
    const { body } = await sandbox.call('GET', '/v1/sandbox/scenarios', token);
    const durations = new Map(body.data.map((one: { name: string; duration_s: number }) => [one.name, one.duration_s]));
    for (const { name, outcome } of SAMPLED)
      expect([name, durations.get(nameOf(name)) === null ? 'refused' : 'valid']).toEqual([name, outcome]);
    expect(durations.get('middle')).toBe(0);
    expect(existsSync(join(project.path, 'data'))).toBe(false);
  });
});
