/** A real Mosquitto with several listeners, and certificates of a CA that lives as long as the test. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';

/** A folder with `ca.pem`, and for each name a certificate signed by it, as `<name>.pem` and `<name>.key`. */
export function certificates(names: Readonly<Record<string, string>>): { path(file: string): string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'muster-tls-'));
  const path = (file: string): string => join(folder, file);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const key = (file: string) => [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    file,
  ];
  for (const ca of ['ca', 'other-ca'])
    openssl('req', '-x509', ...key(`${ca}.key`), '-out', `${ca}.pem`, '-days', '2', '-subj', `/CN=${ca}`);
  for (const [name, subject] of Object.entries(names)) {
    writeFileSync(path(`${name}.ext`), `subjectAltName=${subject}\n`);
    openssl('req', ...key(`${name}.key`), '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', `${name}.ext`];
    openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-out', `${name}.pem`);
  }
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export class Mosquitto {
  readonly #config: string;
  readonly ports: readonly number[];
  #process: ChildProcess | null = null;
  #log: string[] = [];
  #waiting: (() => void)[] = [];

  private constructor(config: string, ports: readonly number[]) {
    this.#config = config;
    this.ports = ports;
  }

  /** One listener on a free port for each list of settings. */
  static async start(config: string, listeners: readonly (readonly string[])[]): Promise<Mosquitto> {
    const ports: number[] = [];
    for (const _ of listeners) ports.push(await freePort());
    const lines = listeners.flatMap((settings, n) => [`listener ${ports[n]} 127.0.0.1`, ...settings]);
    // Started by root it would not be allowed to read the keys.
    writeFileSync(config, ['user root', 'log_dest stderr', 'per_listener_settings true', ...lines, ''].join('\n'));
    const mosquitto = new Mosquitto(config, ports);
    await mosquitto.run();
    return mosquitto;
  }

  /** On the same ports as before. */
  async run(): Promise<void> {
    this.#log = [];
    this.#process = spawn('mosquitto', ['-v', '-c', this.#config], { stdio: ['ignore', 'ignore', 'pipe'] });
    createInterface({ input: this.#process.stderr! }).on('line', (line) => {
      this.#log.push(line);
      for (const tell of this.#waiting.splice(0)) tell();
    });
    await this.logged(/ running$/);
  }

  /** A line of its log since it was last started. */
  async logged(words: RegExp): Promise<string> {
    for (;;) {
      const line = this.#log.find((one) => words.test(one));
      if (line !== undefined) return line;
      await new Promise<void>((tell) => this.#waiting.push(tell));
    }
  }

  /** Its password and ACL files anew. */
  reload(): void {
    this.#process?.kill('SIGHUP');
  }

  async stop(): Promise<void> {
    const ended = this.#process;
    this.#process = null;
    if (ended === null) return;
    ended.kill('SIGTERM');
    await once(ended, 'close');
  }
}
