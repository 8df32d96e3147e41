/** `sandbox fleet` against a sandbox that emulates nobody. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unlessMachine } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { runHere, StartedHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';
import { COMMAND } from './sandbox-process.ts';

let folder: ReturnType<typeof ownFolder>;
const ends: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  folder = ownFolder();
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  folder.remove();
});

const dataDir = () => ['--data-dir', join(folder.path, 'data')];

async function sandbox(...args: string[]): Promise<SandboxHere> {
  const running = await SandboxHere.up([...dataDir(), ...args]);
  ends.push(() => running.stop());
  return running;
}

interface RunningFleet {
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into any line
  readonly line: any;
  stop(signal: 'SIGINT' | 'SIGTERM'): Promise<number>;
}

/** From its ready line on. */
async function fleet(...args: string[]): Promise<RunningFleet> {
  const started = await StartedHere.start(['fleet', '--json', ...args]);
  let code: Promise<number> | undefined;
  const stop = (signal: 'SIGINT' | 'SIGTERM') => (code ??= started.end(signal));
  ends.push(() => stop('SIGTERM'));
  return { line: JSON.parse(started.stdout.split('\n')[0] ?? 'null'), stop };
}

/** Serials that the service has had contact with since its start. */
async function seenSerials(running: SandboxHere): Promise<string[]> {
  const found: string[] = [];
  for (const client of [0, 1]) {
    const token = await running.token(client);
    const { body } = await running.call('GET', '/v1/devices?limit=200', token);
    for (const { serial, date_last_seen } of body.data) if (date_last_seen !== null) found.push(serial);
  }
  return found.sort();
}

describe('a fleet of its own', () => {
  it('shares the watches of a sandbox among processes, and leaves the spare ones', async () => {
    const running = await sandbox('--no-fleet', '--watches', '40');
    expect(await seenSerials(running)).toEqual([]);
    const [first, second] = await Promise.all([
      fleet('--shard', '1/2', ...dataDir()),
      fleet('--shard', '2/2', ...dataDir()),
    ]);
    // Three sites, two spare watches each.
    expect(first.line).toMatchObject({
      schema_version: 1,
      command: 'fleet',
      status: 'ok',
      error: null,
      data: { event: 'ready', broker_url: running.ready.mqtt_url, watches: 17, shard: '1/2' },
    });
    expect(second.line.data).toMatchObject({ watches: 17, shard: '2/2' });
    const births = running.ready.watches.map(({ serial }) => serial);
    const there = await seenSerials(running);
    // The client of the third site sees the people of one contractor only.
    expect(there.length).toBeGreaterThan(20);
    expect(there.every((serial) => births.includes(serial))).toBe(true);
  });

  it('says goodbye at Ctrl-C and at SIGTERM', async () => {
    const running = await sandbox('--no-fleet', '--watches', '12');
    const [first, second] = await Promise.all([
      fleet('--shard', '1/2', ...dataDir()),
      fleet('--shard', '2/2', ...dataDir()),
    ]);
    expect(await first.stop('SIGINT')).toBe(130);
    expect(await second.stop('SIGTERM')).toBe(0);
    const gone = await Promise.all(
      running.ready.watches.slice(0, 12).map(async ({ serial }) => {
        if (!(await wasThere(running, serial))) return 'spare';
        await running.printed((line) => line['event'] === 'watch-offline' && line['serial'] === serial);
        return 'gone';
      }),
    );
    expect(gone.filter((how) => how === 'gone')).toHaveLength(6);
  });

  it('takes keys from a file that a sandbox wrote, and fewer watches than there are', async () => {
    const running = await sandbox('--no-fleet', '--watches', '30');
    const written = await runHere(['env', '--format', 'json', ...dataDir()]);
    const file = join(folder.path, 'watches.json');
    writeFileSync(file, written.stdout);
    const { line } = await fleet('--credentials', file, '--broker', running.ready.mqtt_url, '--watches', '5');
    expect(line.data).toMatchObject({ watches: 5, shard: null });
  });

  unless(withoutWhole).it('needs no file for a sandbox of a known seed', async () => {
    const running = await sandbox('--no-fleet', '--watches', '30', '--seed', '7');
    const { line } = await fleet('--broker', running.ready.mqtt_url, '--seed', '7', '--watches', '30');
    expect(line.data).toMatchObject({ watches: 24 });
  });
});

const withoutLimits = unlessMachine(process.platform !== 'win32', 'ulimit', 'run on Linux or macOS');

unless(withoutLimits).describe('of a process that may open 300 files', () => {
  const up = (...flags: string[]) => {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SANDBOX_')));
    const words = [process.execPath, ...COMMAND, 'up', '--memory', '--port', '0', '--watches', '500'];
    // The shell lowers the limit for what it becomes.
    const limited = ['-c', 'ulimit -n 300 && exec "$@"', 'sh', ...words, ...flags];
    const child = spawn('sh', limited, { env, cwd: folder.path });
    const output = { out: '', err: '' };
    child.stdout.on('data', (bytes: Buffer) => {
      output.out += bytes;
    });
    child.stderr.on('data', (bytes: Buffer) => {
      output.err += bytes;
    });
    return { child, output, ended: new Promise((done) => child.once('close', done)) };
  };

  it('watches that need a socket each are refused before any connects, with the fix', async () => {
    const { output, ended } = up('--broker', 'mqtt://127.0.0.1:1');
    expect(await ended).toBe(3);
    expect(output.err).toMatch(/500 watches need 600 open files.*may have 300.*ulimit -n 600.*200 watches/s);
  });

  unless(
    withoutWhole,
  ).it('as many connect to the broker of the sandbox itself, which is in their process', async () => {
    const { child, output, ended } = up('--json', '--mqtt-port', '0');
    await new Promise((ready) => child.stdout.once('data', ready));
    child.kill('SIGTERM');
    expect([await ended, output.err]).toEqual([0, '']);
    expect(JSON.parse(output.out.split('\n')[0] as string)).toMatchObject({ status: 'ok', data: { event: 'ready' } });
  });
});

/** Whether a fleet published its birth: the ready line of a sandbox without a fleet lists spare watches too. */
async function wasThere(running: SandboxHere, serial: string): Promise<boolean> {
  const path = '/v1/sandbox/watches?limit=200';
  const { body } = await running.call('GET', path, running.ready.control_token);
  return body.data.some((line: { kind: string; serial: string }) => line.kind === 'online' && line.serial === serial);
}

describe('a fleet that cannot start says why', () => {
  const refusals: [string, () => Promise<string[]>, number, RegExp][] = [
    [
      'nobody listens',
      async () => ['--seed', '1', '--broker', 'mqtt://127.0.0.1:1'],
      3,
      /could connect.*ECONNREFUSED/s,
    ],
    ['a part that is none', async () => ['--seed', '1', '--broker', 'mqtt://127.0.0.1:1', '--shard', '3/2'], 2, /1\/4/],
    ['no broker', async () => ['--seed', '1'], 2, /--broker mqtt/],
    ['an address that is none', async () => ['--seed', '1', '--broker', 'localhost'], 2, /mqtt:\/\//],
    [
      'a CA file that is not there',
      async () => ['--seed', '1', '--broker', 'mqtt://127.0.0.1:1', '--ca', 'ca.pem'],
      2,
      /ca\.pem does not exist/,
    ],
    [
      'no TLS to leave unchecked',
      async () => ['--seed', '1', '--broker', 'ws://127.0.0.1:1', '--insecure'],
      2,
      /for mqtts:\/\/ and wss:\/\//,
    ],
    [
      'a certificate without its key',
      async () => ['--seed', '1', '--broker', 'mqtts://127.0.0.1:1', '--cert', 'fleet.pem'],
      2,
      /--cert and --key must be used together/,
    ],
    [
      'a file that has no certificate',
      async () => {
        const file = join(folder.path, 'ca.pem');
        writeFileSync(file, '-----BEGIN CERTIFICATE-----\nnothing\n-----END CERTIFICATE-----\n');
        return ['--seed', '1', '--broker', 'mqtts://127.0.0.1:1', '--ca', file];
      },
      2,
      /--ca \S+ca\.pem cannot be used.*PEM files/s,
    ],
    [
      'a broker of MQTT 3.1.1 asked for MQTT 5',
      async () => {
        const running = await sandbox('--no-fleet', '--watches', '9', '--seed', '1');
        return ['--seed', '1', '--watches', '9', '--broker', running.ready.mqtt_url, '--mqtt-version', '5'];
      },
      3,
      /does not speak this version of MQTT.*--mqtt-version 4/s,
    ],
    ['no sandbox here', async () => dataDir(), 3, /up --no-fleet.*--credentials.*--seed/s],
    [
      'keys of another sandbox',
      async () => {
        const running = await sandbox('--no-fleet', '--watches', '9');
        return ['--seed', '8', '--watches', '9', '--broker', running.ready.mqtt_url];
      },
      3,
      /refused the watch \S+: .*key/s,
    ],
    [
      'a sandbox with a fleet',
      async () => {
        await sandbox('--watches', '9');
        return dataDir();
      },
      3,
      /up --no-fleet/,
    ],
    [
      'a file of something else',
      async () => {
        const file = join(folder.path, 'other.json');
        writeFileSync(file, '{"watches": {"SIM-0001": "a_key_of_sixteen_characters"}}');
        return ['--credentials', file, '--broker', 'mqtt://127.0.0.1:1'];
      },
      2,
      /lists no watches.*env --format json/s,
    ],
  ];
  it.each(refusals)('%s', async (_why, args, code, words) => {
    const ended = await runHere(['fleet', ...(await args())]);
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: '' });
    expect(ended.stderr).toMatch(words);
  });
});
