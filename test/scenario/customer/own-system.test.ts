/** The start of the user's own system, at a port that the sandbox chose. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { OwnSystem } from '../../../src/scenario/customer/own-system.ts';
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
