/** `sandbox explore` as a command: exit codes, processes, JSON, and the scenario that it writes. */
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/start.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { isWhole } from '../helpers/whole.ts';
import { exploreText } from '../proving/explore/inboxes.ts';
import { runHere } from './here.ts';
import { COMMAND } from './sandbox-process.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

function explored(name: string, text: string, ...flags: string[]) {
  writeFileSync(join(folder.path, `${name}.explore.yaml`), text);
  return sandbox('explore', `${name}.explore.yaml`, ...flags);
}

/** .ci/run starts a process, and `npm test` does without. */
async function sandbox(...words: string[]) {
  if (isWhole)
    return spawnSync(process.execPath, [...COMMAND, ...words], {
      cwd: folder.path,
      encoding: 'utf8',
    });
  const { code, ...printed } = await runHere(words, { cwd: folder.path });
  return { status: code, ...printed };
}

/** Of a search that may have several. On two cores, one of the two processes has two jobs. */
const JOBS = ['--jobs', isWhole ? '3' : '1'];

const dataOf = (stdout: string) =>
  (
    JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as {
      data: { finding: { path: string; text: string } | null };
    }
  ).data;

describe('sandbox explore', () => {
  test('finds a planted bug, exits with 1, and writes a scenario that `run` plays', async () => {
    // The user's own moves are played first.
    const text = `${exploreText('push', 'test-is-real')}moves: {tried: [{webhook: {test: inbox}}]}\n`;
    const { status, stdout, stderr } = await explored('found', text, ...JOBS, '--runs', isWhole ? '9' : '2', '--json');
    expect(status).toBe(1);
    if (isWhole) expect(stderr).toContain('\njobs     3, each with its own instance of your system\n');
    expect(stderr).toMatch(/\n✗ found\.explore\.yaml:18 {2}\{always.*same_as/);
    expect(stderr).toContain('    again     sandbox run found.found/line-18-');
    expect(stderr).toMatch(
      /\n {4}decided {3}at the first delivery of alert\.created, answered 204: the rule holds without it; tried \d+, passed 1\n/,
    );
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^FAILED {2}1 rule broken, .* {3}\d+ scenarios/);
    const { finding } = dataOf(stdout);
    expect(finding?.text).toContain('webhook: {test: inbox}');
    expect(readdirSync(join(folder.path, 'found.found'))).toHaveLength(1);
    expect((await sandbox('run', finding?.path ?? '')).status).toBe(1);
  });

  test('exits with 0 where nothing is found', async () => {
    const runs = isWhole ? '5' : '3';
    const { status, stdout, stderr } = await explored(
      'right',
      exploreText('push'),
      '--jobs',
      '1',
      '--runs',
      runs,
      '--json',
    );
    expect(status).toBe(0);
    expect(dataOf(stdout).finding).toBeNull();
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^PASSED {2}0 rules broken, 4 held /);
  });

  test('ends at a part of a minute, and refuses what is no number of minutes', async () => {
    const { stderr } = await explored('short', exploreText('push'), '--jobs', '1', '--minutes', '0.05');
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^(?:PASSED|NOT JUDGED) {2}0 rules broken/);
    for (const minutes of ['0', '-1', '1e3', 'x', '10001'])
      expect((await sandbox('explore', 'short.explore.yaml', '--minutes', minutes)).status).toBe(2);
  });

  test('exits with 2 for a wrong file, in one envelope, also with processes', async () => {
    const wrong = exploreText('push').replace('same_as', 'same_ass');
    const { status, stdout } = await explored('wrong', wrong, '--jobs', '2', '--json');
    expect(status).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'error', error: { code: 'invalid_file' } });
    expect((await sandbox('explore', 'none.yaml')).status).toBe(2);
  });

  test('says before and after the search whose sandbox a running system has, and resets it to one that runs', async () => {
    const got: string[] = [];
    const system = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      if (request.url === '/reset') got.push((JSON.parse(body) as { SANDBOX_API_URL: string }).SANDBOX_API_URL);
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    });
    await new Promise<void>((resolve) => system.listen(0, '127.0.0.1', resolve));
    const { port } = system.address() as AddressInfo;
    const text = `explore: x
system: {url: "http://127.0.0.1:${port}", reset: /reset, patience: 100ms}
probes: {pages: {get: /pages}}
rules:
  - always: {probe: pages, distinct: true}
`;
    writeFileSync(join(folder.path, 'runs.explore.yaml'), text);
    // In this process, because the system is in it too.
    const search = (dataDir: string) =>
      runHere(['explore', 'runs.explore.yaml', '--runs', '1', '--data-dir', dataDir], { cwd: folder.path });
    const alone = await search('nothing');
    expect(alone.stderr).toContain(
      `notice   http://127.0.0.1:${port} gets the address and the credentials of a search`,
    );
    expect(alone.stderr).toMatch(/credentials of a search sandbox, which has ended\. Restart it\.\n/);
    const sandboxHere = await startSandbox({
      dataDir: join(folder.path, 'running'),
      port: 0,
      mqttPort: 0,
      fleet: false,
    });
    const { stderr } = await search('running');
    expect(stderr).toContain(`was reset to the sandbox at ${sandboxHere.ready.api_url}`);
    expect(got.at(-1)).toBe(sandboxHere.ready.api_url);
    await sandboxHere.stop();
    system.close();
  });

  test('exits with 3 where the system does not start', async () => {
    const { status, stderr } = await explored(
      'dead',
      exploreText('push').replace(/start: .*/, 'start: exit 4'),
      '--jobs',
      '1',
    );
    expect(status).toBe(3);
    expect(stderr).toMatch(/dead\.explore\.yaml:2 .*exit code 4/);
  });
});
