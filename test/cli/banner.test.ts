/** The startup banner: what a person needs first fits a terminal of 80x24. [cli, Ready] */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pairsOf } from '../../src/cli/control/env.ts';
import { banner } from '../../src/cli/up/banner.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';

let sandbox: Sandbox;
let lines: string[];
beforeAll(async () => {
  sandbox = await startSandbox({ memory: true, port: 0, mqttPort: 0, seed: 'banner', watches: 12 });
  lines = banner(sandbox, {}, {}).split('\n');
});
afterAll(() => sandbox.stop());

/** The rows of a terminal that the lines take. */
const rowsOf = (some: readonly string[], columns: number): number =>
  some.reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / columns)), 0);

test('the panel is first, and the clients come after what to try', () => {
  const labels = lines.flatMap((line) => /^ {2}(\w+) {2,}/.exec(line)?.[1] ?? []);
  expect(labels.slice(0, 8)).toEqual(['panel', 'API', 'guide', 'docs', 'MQTT', 'data', 'try', 'stop']);
  expect(labels.indexOf('client')).toBeGreaterThan(labels.indexOf('stop'));
});

test('all down to the first things to try fits a terminal of 80x24', () => {
  const tried = lines.slice(0, lines.findIndex((line) => line.startsWith('  stop')) + 1);
  expect(rowsOf(tried, 80)).toBeLessThan(24);
  expect(lines.filter((line) => line.endsWith('\\'))).toEqual([]);
});

test('what to try names the data folder, unless it is the default one', () => {
  const commands = (some: readonly string[]) => some.filter((line) => /(?:trigger|listen|env) /.test(line));
  expect(commands(lines).filter((line) => line.includes('--data-dir'))).toEqual([]);
  const elsewhere = commands(banner(sandbox, {}, { dataDir: '/tmp/my sandbox' }).split('\n'));
  expect(elsewhere).toHaveLength(3);
  for (const line of elsewhere) expect(line).toContain("--data-dir '/tmp/my sandbox'");
});

test('the link of the panel is alone on its line', () => {
  const { panel_url, control_token } = sandbox.ready;
  expect(lines).toContain(`  panel     ${panel_url}?token=${control_token}`);
});

test('a sandbox of https names its authority in the variables by which Node.js, OpenSSL, Go, curl and requests trust it', () => {
  const file = '/data/ca.pem';
  expect(pairsOf({ ...sandbox.ready, ca_file: file })).toMatchObject({
    SANDBOX_CA_FILE: file,
    NODE_EXTRA_CA_CERTS: file,
    SSL_CERT_FILE: file,
    CURL_CA_BUNDLE: file,
    REQUESTS_CA_BUNDLE: file,
  });
  expect(Object.keys(pairsOf(sandbox.ready)).filter((name) => name.includes('CA'))).toEqual([]);
});
