/** Processes of a benchmark that are looked at from outside: their CPU time and memory, as Linux has them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Of `/proc/PID/stat`, on every Linux that Node.js runs on. */
const TICKS_PER_S = 100;

export interface Use {
  readonly cpuS: number;
  readonly rssMb: number;
}

export class BenchProcess {
  readonly name: string;
  readonly child: ChildProcess;
  /** Every line of stdout. */
  onLine: (line: string) => void = () => {};
  readonly #first: Promise<string>;
  readonly #closed: Promise<unknown>;

  constructor(name: string, command: string, args: readonly string[]) {
    this.name = name;
    this.child = spawn(command, args, { stdio: ['ignore', 'pipe', process.env['SCALE_LOG'] ? 'inherit' : 'ignore'] });
    this.#closed = once(this.child, 'close');
    const lines = createInterface({ input: this.child.stdout as NonNullable<ChildProcess['stdout']> });
    this.#first = new Promise((done, failed) => {
      lines.once('line', done);
      lines.on('line', (line) => this.onLine(line));
      void this.#closed.then(() => failed(new Error(`${name} ended before it was ready`)));
    });
    this.#first.catch(() => {});
  }

  /** Its first line of JSON. */
  async ready<T>(): Promise<T> {
    const line = JSON.parse(await this.#first) as { data: T | null; error: { message: string } | null };
    if (line.data === null) throw new Error(`${this.name}: ${line.error?.message}`);
    return line.data;
  }

  use(): Use {
    const stat = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8');
    const [, , , , , , , , , , , user = '0', system = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const kb = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.child.pid}/status`, 'utf8'))?.[1] ?? '0';
    return { cpuS: (Number(user) + Number(system)) / TICKS_PER_S, rssMb: Number(kb) / 1024 };
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGTERM');
    await this.#closed;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** As docs/scaling-out.md has it. With `core`, a bridge to the Mosquitto at that port carries the topics of all its watches. */
export async function mosquitto(folder: string, core?: number): Promise<{ process: BenchProcess; port: number }> {
  const port = await freePort();
  const bridge = [
    ...['connection core', `address 127.0.0.1:${core}`, 'bridge_protocol_version mqttv50', 'notifications false'],
    ...['topic wt/v1/+/+/up/# out 1', 'topic wt/v1/+/+/down/# in 1', 'topic wt/v1/+/all/# in 1'],
    'topic wt/v1/host/state in 1',
  ];
  const own = [
    ...['user root', `listener ${port} 127.0.0.1`, 'allow_anonymous true', 'sys_interval 1', 'log_dest none'],
    ...['max_queued_messages 0', 'max_inflight_messages 0', 'set_tcp_nodelay true'],
  ];
  const config = join(folder, `mosquitto-${port}.conf`);
  writeFileSync(config, [...own, ...(core === undefined ? [] : bridge), ''].join('\n'));
  return { process: new BenchProcess(`mosquitto :${port}`, 'mosquitto', ['-c', config]), port };
}
