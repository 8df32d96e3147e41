/** `sandbox doctor`: a result and a fix for each thing that a sandbox needs of a machine. [cli] */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';

let folder = ownFolder();
let servers: Server[] = [];
beforeEach(() => {
  folder = ownFolder();
});
afterEach(() => {
  for (const server of servers) server.close();
  servers = [];
  folder.remove();
});

interface Check {
  readonly name: string;
  readonly verdict: string;
  readonly detail: string;
  readonly cure: string | null;
}

const FREE = ['--port', '0', '--mqtt-port', '0'];

async function doctor(...args: string[]): Promise<{ code: number | null; status: string; checks: Map<string, Check> }> {
  const { code, stdout } = await runHere(['doctor', '--json', ...args], { cwd: folder.path });
  const { status, data } = JSON.parse(stdout);
  return { code, status, checks: new Map(data.checks.map((check: Check) => [check.name, check])) };
}

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

describe('doctor', () => {
  test('looks at all that a sandbox needs, and finds a sound machine sound', async () => {
    const { code, status, checks } = await doctor(...FREE);
    expect([code, status]).toEqual([0, 'ok']);
    const results = [...checks.values()].map(({ name, verdict }) => `${name} ${verdict}`);
    expect(results).toEqual([
      ...['Node ok', 'sandbox ok', 'API port ok', 'MQTT port ok', 'data folder ok', 'certificate ok', 'disk ok'],
      ...['open files ok', 'clock ok', 'receiver skipped'],
    ]);
  });

  test('names the holder of a port that was asked for, and the flag to change', async () => {
    const port = await listening(createServer());
    const { code, status, checks } = await doctor('--port', String(port), '--mqtt-port', '0');
    const { verdict, detail, cure } = checks.get('API port') as Check;
    expect([code, status, verdict]).toEqual([3, 'error', 'failed']);
    expect(detail).toContain(`${port} is taken by `);
    expect(cure).toContain('--port');
  });

  test('knows the ports and the folder of the sandbox that runs, and asks where it delivers to', async () => {
    const receiver = createHttpServer((_request, response) => response.end());
    const url = `http://127.0.0.1:${await listening(receiver)}/hook`;
    const sandbox = await SandboxHere.up(['--watches', '3'], { cwd: folder.path });
    try {
      const { control_token, api_url } = sandbox.ready;
      await sandbox.call('POST', '/v1/sandbox/destinations', control_token, { forward_to: url });
      const { code, checks } = await doctor('--port', new URL(api_url).port, '--mqtt-port', '0');
      expect(code).toBe(0);
      expect(checks.get('sandbox')?.detail).toContain(api_url);
      expect(checks.get('API port')?.detail).toContain('held by the sandbox of this data folder');
      expect(checks.get('data folder')?.detail).toContain('held by a running sandbox');
      expect(checks.get('receiver')).toMatchObject({ verdict: 'ok', detail: expect.stringContaining(url) });
    } finally {
      await sandbox.stop();
    }
  });

  test('fails for a receiver that is not there, and for one whose clock is off', async () => {
    const late = createHttpServer((_request, response) => {
      response.setHeader('date', new Date(Date.parse('2020-01-01')).toUTCString());
      response.end();
    });
    const port = await listening(late);
    const off = await doctor(...FREE, '--receiver', `http://127.0.0.1:${port}/`);
    expect([off.code, off.checks.get('receiver')?.detail]).toEqual([3, expect.stringContaining('clock')]);
    late.closeAllConnections();
    late.close();
    servers = [];
    const gone = await doctor(...FREE, '--receiver', `http://127.0.0.1:${port}/`);
    expect([gone.code, gone.checks.get('receiver')?.detail]).toEqual([3, expect.stringContaining('ECONNREFUSED')]);
  });

  test('refuses options that contradict each other as up does, wherever they are given', async () => {
    const refusalOf = async (args: readonly string[], env: Record<string, string> = {}) => {
      const { code, stderr } = await runHere([...args], { cwd: folder.path, env });
      return [code, stderr];
    };
    const flags = ['--broker', 'mqtt://127.0.0.1:1', '--mqtt-port', '1'];
    const asFlags = await refusalOf(['doctor', ...flags]);
    expect(asFlags).toEqual([2, expect.stringContaining('--mqtt-port is of the sandbox’s own broker')]);
    expect(asFlags).toEqual(await refusalOf(['up', ...flags]));
    expect(await refusalOf(['doctor', ...flags.slice(2)], { SANDBOX_BROKER: 'mqtt://127.0.0.1:1' })).toEqual([
      2,
      expect.stringContaining('SANDBOX_BROKER'),
    ]);
    writeFileSync(join(folder.path, 'sandbox.config.yaml'), 'broker: mqtt://127.0.0.1:1\nmqtt-port: 1\n');
    const asSettings = await refusalOf(['doctor']);
    expect(asSettings).toEqual([2, expect.stringContaining('sandbox.config.yaml: mqtt-port: is of')]);
    expect(asSettings).toEqual(await refusalOf(['up']));
  });

  test('sees a damaged data folder, and a file in its place', async () => {
    mkdirSync(join(folder.path, 'damaged'));
    writeFileSync(join(folder.path, 'damaged/world.db'), 'x');
    writeFileSync(join(folder.path, 'damaged/commits'), 'no ledger');
    const damaged = await doctor(...FREE, '--data-dir', 'damaged');
    expect([damaged.code, damaged.checks.get('data folder')]).toEqual([
      3,
      expect.objectContaining({ verdict: 'failed', cure: expect.stringContaining('--accept-loss') }),
    ]);
    writeFileSync(join(folder.path, 'file'), '');
    expect((await doctor(...FREE, '--data-dir', 'file')).checks.get('data folder')?.verdict).toBe('failed');
  });

  test('is aligned in a terminal, with the fix under the failure', async () => {
    const { code, stdout } = await runHere(['doctor', ...FREE, '--receiver', 'http://127.0.0.1:1/'], {
      cwd: folder.path,
    });
    expect(code).toBe(3);
    expect(stdout).toMatch(/^ok {6}Node {9}\d+\.\d+\.\d+ /);
    expect(stdout).toMatch(/\nfailed {2}receiver {5}http:.*\n {21}Start the receiver/);
    expect(stdout).toContain('1 check failed.');
  });
});
