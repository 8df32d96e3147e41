/** The user's own system: its start at a port that the sandbox chose, and what a run tells it and reads of it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { OwnSystem } from '../../../src/scenario/customer/own-system.ts';
import { runFile } from '../../../src/scenario/playing/run-file.ts';
import { ownFolder } from '../../helpers/own-folder.ts';

/** `taken`: the number of starts that find another program at their port. */
function systemWith(taken: number): { system: OwnSystem; ports: () => string[] } {
  const folder = ownFolder();
  const script = `
const { appendFileSync, readFileSync } = require('node:fs');
appendFileSync('ports.txt', process.env.PORT + '\\n');
if (readFileSync('ports.txt', 'utf8').trim().split('\\n').length <= ${taken})
  throw new Error('listen EADDRINUSE: address already in use');
require('node:http').createServer((_, response) => response.end()).listen(Number(process.env.PORT), '127.0.0.1');
`;
  writeFileSync(join(folder.path, 'system.cjs'), script);
  const system = new OwnSystem({
    file: 'x.scenario.yaml',
    line: 1,
    start: `exec ${process.execPath} system.cjs`,
    folder: folder.path,
    url: null,
    ready: null,
    reset: null,
    wake: null,
    secretTo: null,
    timeZone: null,
    patienceMs: 0,
  });
  onTestFinished(async () => {
    await system.stop();
    folder.remove();
  });
  return { system, ports: () => readFileSync(join(folder.path, 'ports.txt'), 'utf8').trim().split('\n') };
}

test('a system whose port another program took is started at another port', async () => {
  const { system, ports } = systemWith(1);
  await system.begin({}, () => {});
  expect(ports()).toHaveLength(2);
  expect(system.address).toBe(`http://127.0.0.1:${ports()[1]}`);
});

test('a system that finds every port taken is reported with its output', async () => {
  const { system, ports } = systemWith(9);
  await expect(system.begin({}, () => {})).rejects.toThrow(/does not play .*address already in use/);
  expect(ports()).toHaveLength(3);
});

/** Plays the lines with a system that answers with `reply`. */
async function played(lines: string, reply: (path: string, body: string) => unknown) {
  const folder = ownFolder();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes: Buffer) => {
      body += bytes;
    });
    request.on('end', () => response.end(JSON.stringify(reply(request.url ?? '', body) ?? null)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    folder.remove();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const file = join(folder.path, 'x.scenario.yaml');
  writeFileSync(file, `scenario: One\nworkers: [ana]\n${lines.replace('URL', url)}`);
  return runFile(file, { mode: 'fast', boot: bootStage, sink: () => {} });
}

test('a system that does something wrong after its last limit breaks the rule at the end of the run', async () => {
  let calls = 0;
  const { verdict, failures } = await played(
    `system: {url: URL, reset: /reset, patience: 1s}
probes: {calls: {get: /calls}}
steps:
  - wait: 1m
rules:
  - always: {probe: calls, distinct: true}
`,
    (path) => (path === '/calls' ? ['one', ...(calls++ > 0 ? ['one'] : [])] : null),
  );
  expect([verdict, failures.map(({ text }) => text)]).toEqual([
    'failed',
    [expect.stringContaining('expected each once, got "one" more than once')],
  ]);
});

test('a system is told the secret of a destination that is created during the scenario', async () => {
  const secrets: unknown[] = [];
  const { verdict } = await played(
    `receivers: {erp: {url: /hook, events: [alert.*]}}
system: {url: URL, reset: /reset, secret_to: /secret}
steps:
  - webhook: {delete: erp}
  - webhook: {create: erp}
`,
    (path, body) => void (path === '/secret' && secrets.push(JSON.parse(body))),
  );
  expect([verdict, secrets]).toEqual(['passed', [{ receiver: 'erp', secret: expect.stringMatching(/^whsec_/) }]]);
});
