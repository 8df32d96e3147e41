/** The data folder of each earlier release: it goes on under this version, and a start that is refused leaves its database as it was. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { inputsOf, isWhole, sampled, withoutWhole } from '../helpers/whole.ts';
import { answered, type CallingRow, callingRows } from './calling-commands.ts';
import { runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';
import { COMMAND, cleanEnv, RunningSandbox, run } from './sandbox-process.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

/** Made by `releases/make.mjs`; those whose name ends in `killed` were not closed. */
const RELEASES = readdirSync(join(import.meta.dirname, 'releases'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const MADE = [
  ...['--seed', 'release', '--watches', '6'],
  // As when it was made: nothing listens there.
  ...['--forward', 'receiver.example=http://127.0.0.1:9'],
];

/** A data folder as the release left it. */
function leftBy(release: string, use: string): string {
  const place = join(folder.path, `${release} ${use}`);
  mkdirSync(place);
  const from = join(import.meta.dirname, 'releases', release);
  for (const file of readdirSync(from))
    writeFileSync(join(place, file.replace(/\.gz$/, '')), gunzipSync(readFileSync(join(from, file))), { mode: 0o600 });
  return place;
}

/** The bytes of the database and its log. */
const bytesIn = (place: string): string[] =>
  ['world.db', 'world.db-wal', 'commits'].map((file) =>
    existsSync(join(place, file)) ? readFileSync(join(place, file)).toString('base64') : '',
  );

test('there are folders of the releases whose databases differ, closed and killed', () => {
  expect(RELEASES.sort()).toEqual(['schema-1', 'schema-1-killed', 'schema-3', 'schema-3-killed']);
});

for (const { row: release, skip } of sampled(RELEASES, 4))
  unless(skip).describe(`the folder of ${release}`, () => {
    test('opens with all that was in it; the old database is kept, and the next start has nothing to do', async () => {
      const place = leftBy(release, 'opens');
      const before = bytesIn(place);
      const sandbox = await (isWhole ? RunningSandbox : SandboxHere).up([...MADE, '--data-dir', place]);
      const [kept = ''] = readdirSync(place).filter((name) => name.startsWith('database-of-schema-'));
      expect(sandbox.line.warnings).toEqual([
        `The database of an older version was upgraded; the old one is kept in ${join(place, kept)}.`,
      ]);
      expect(bytesIn(join(place, kept))).toEqual(before);
      const token = await sandbox.token();
      const alerts = await sandbox.call('GET', '/v1/alerts', token);
      expect(alerts.body.data.map(({ type, status }: { type: string; status: string }) => `${type} ${status}`)).toEqual(
        expect.arrayContaining(['sos unacknowledged', 'sos resolved']),
      );
      const musters = await sandbox.call('GET', '/v1/musters', token);
      expect(musters.body.data).toEqual([expect.objectContaining({ status: 'active' })]);
      const webhooks = await sandbox.call('GET', '/v1/webhooks', token);
      expect(webhooks.body.data).toHaveLength(1);
      const events = await sandbox.call('GET', '/v1/events', token);
      expect(events.body.data.length).toBeGreaterThan(4);
      await (sandbox instanceof RunningSandbox ? sandbox.stop('SIGKILL') : sandbox.stop());

      const again = await SandboxHere.up([...MADE, '--data-dir', place]);
      expect(again.line.warnings).toEqual([]);
      const same = await again.call('GET', '/v1/alerts', await again.token());
      expect(same.body.data.map(({ id }: { id: string }) => id)).toEqual(
        alerts.body.data.map(({ id }: { id: string }) => id),
      );
      await again.stop();
    });

    unless(withoutWhole).test('is found by every command', async () => {
      const place = leftBy(release, 'commands');
      const sandbox = await RunningSandbox.up([...MADE, '--data-dir', place]);
      const rows = Object.values(callingRows({ out: join(folder.path, `${release}.scenario.yaml`), tls: false }));
      const calling = rows.filter((row): row is CallingRow => 'args' in row);
      const last = calling.filter(({ args }) => ['reset', 'doctor'].includes(args[0] ?? ''));
      const env = { SANDBOX_DATA_DIR: place };
      for (const row of [...calling.filter((one) => !last.includes(one)), ...last])
        answered(row, await runHere(row.args, { cwd: folder.path, env }));
      answered({ args: [], stdout: /stopped: http/ }, await run(['stop'], { cwd: folder.path, env }));
      expect(await sandbox.ended).toMatchObject({ code: 0 });
    });

    test('stays as it was, byte for byte, when a start is refused', async () => {
      const place = leftBy(release, 'refused');
      const before = bytesIn(place);
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const { port } = taken.address() as { port: number };
      const up = ['up', '--json', '--data-dir', place];
      const refusals = [
        [...up, ...MADE, '--mqtt-port', '0', '--port', String(port)],
        [...up, ...MADE, '--port', '0', '--mqtt-port', String(port)],
        [...up, ...MADE, '--port', '0', '--broker', 'mqtt://127.0.0.1:9'],
        [...up, '--seed', 'release', '--watches', '7', '--port', '0', '--mqtt-port', '0'],
        [...up, '--seed', 'another', '--port', '0', '--mqtt-port', '0'],
        [...up, ...MADE, '--port', '0', '--mqtt-port', '0', '--truth', join(folder.path, 'no/such/folder/truth')],
      ];
      for (const args of inputsOf(refusals, 6)) {
        const { code, stdout } = await runHere(args);
        expect([args.slice(4), code]).toEqual([args.slice(4), expect.toSatisfy((one) => one === 2 || one === 3)]);
        expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ status: 'error' });
        expect(bytesIn(place)).toEqual(before);
      }
      taken.close();
      expect(readdirSync(place)).not.toContain('upgrade');
    });

    // Of the database alone: test/service/store/upgrade.test.ts.
    unless(withoutWhole).test('stays as it was when the start is killed before the sandbox is ready', async () => {
      const place = leftBy(release, 'killed');
      const before = bytesIn(place);
      // An address that takes connections and never answers holds the start where it waits for the broker.
      const silent = createServer(() => {}).listen(0, '127.0.0.1');
      const connection = once(silent, 'connection');
      await once(silent, 'listening');
      const broker = `mqtt://127.0.0.1:${(silent.address() as { port: number }).port}`;
      const args = [...COMMAND, 'up', '--json', ...MADE, '--data-dir', place, '--port', '0', '--broker', broker];
      const child = spawn(process.execPath, args, { env: cleanEnv(), stdio: 'ignore' });
      const [socket] = await connection;
      child.kill('SIGKILL');
      await once(child, 'exit');
      socket.destroy();
      silent.close();
      expect(readdirSync(place)).toContain('upgrade');
      expect(bytesIn(place)).toEqual(before);
      const sandbox = await RunningSandbox.up([...MADE, '--data-dir', place]);
      expect(readdirSync(place)).not.toContain('upgrade');
      await sandbox.stop();
    });
  });
