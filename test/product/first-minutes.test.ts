/** What a new user types in the first ten minutes, and what is printed. [cli] */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';

const folder = ownFolder();
const here = { cwd: folder.path };
let sandbox: SandboxHere;
beforeAll(async () => {
  sandbox = await SandboxHere.up(['--seed', '1'], here);
});
afterAll(async () => {
  await sandbox.stop();
  folder.remove();
});

const lines = (text: string): string[] => text.trimEnd().split('\n');

test('trigger prints who acted, the type of the alert and its page, and ids with --json only', async () => {
  const { stdout } = await runHere(['trigger', 'sos', '--who', 'W-014'], here);
  const [line = '', ...more] = lines(stdout);
  const page = `${sandbox.ready.panel_url}/alerts/`;
  expect(line).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}sos {2}W-014 \S.* {2}alert sos, unacknowledged {2}http/);
  expect(line.slice(line.indexOf('http'))).toMatch(new RegExp(`^${page}[0-9a-f-]{36}$`));
  expect(more).toEqual([]);
  const joined = await runHere(['trigger', 'sos', '--who', 'W-014'], here);
  expect(lines(joined.stdout)[1]).toMatch(/joined an open alert.* no event was sent\.$/);
  const { result } = JSON.parse((await runHere(['trigger', 'sos', '--who', 'W-014', '--json'], here)).stdout).data;
  expect(result).toEqual({
    worker_id: expect.any(String),
    device_id: expect.any(String),
    alert_id: line.split('/').at(-1),
    joined: true,
  });
});

test('the names of actions may be typed with hyphens', async () => {
  const site = ['--site', 'Terminal Puerto Alerce'];
  const started = await runHere(['trigger', 'start-muster', ...site, '--kind', 'general', '--by', 'Lead'], here);
  expect(started).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`general muster, active  ${sandbox.ready.panel_url}/musters/`),
  });
  expect(await runHere(['trigger', 'start-muster', '--help'], here)).toMatchObject({
    stdout: expect.stringContaining('Usage: sandbox trigger start_muster'),
  });
  expect((await runHere(['explain', 'start-muster'], here)).stdout).toMatch(/^start_muster {2}/);
  expect((await runHere(['help', 'start-muster'], here)).stdout).toMatch(/^start_muster {2}/);
});

test('the text of eval exports the variables to the commands of the shell', async () => {
  const { stdout } = await runHere(['env', '--format', 'sh'], here);
  expect(lines(stdout).every((line) => /^export SANDBOX_[A-Z0-9_]+=/.test(line))).toBe(true);
});

test.each([
  ['fall_detected', /a value of AlertType[\s\S]*severity +critical[\s\S]*\/docs\/schemas\/AlertType/],
  ['muster.started', /a value of EventType/],
  ['critical', /alerts +sos, fall_detected/],
  ['resolved', /a value of AlertStatus/],
  ['alerts:read', /a value of Scope/],
  ['rate-limited', /429 Too many requests[\s\S]*\/problems\/rate-limited/],
  ['alert type', /^AlertType {2}/],
])('explain knows %s, a word of the API', async (word, text) => {
  expect(await runHere(['explain', word], here)).toMatchObject({ code: 0, stdout: expect.stringMatching(text) });
});

test('explain proposes the word of the API that was meant', async () => {
  for (const [typed, meant] of [
    ['fall_detectd', 'fall_detected'],
    ['muster.strated', 'muster.started'],
    ['rate_limitd', 'rate_limited'],
  ] as const)
    expect(await runHere(['explain', typed], here)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Did you mean "${meant}"?`),
    });
});
