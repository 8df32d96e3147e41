/** Which packages a command loads: each takes time at every start, so a new one is a decision. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { sampled, withoutWhole } from '../helpers/whole.ts';
import { cleanEnv, RunningSandbox } from './sandbox-process.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** The bundle of a clone has maps, which name the sources of each file. */
const COMMAND = join(ROOT, 'bin/sandbox.js');
const HOOK = join(import.meta.dirname, 'loaded-scripts.cjs');

/** Commander reads the flags, and a schema checks what a running sandbox says of itself. */
const SMALL = ['commander', 'typebox'];
/** What fastify, aedes and mqtt.js consist of. */
const SERVERS = [
  ...['@fastify/error', '@fastify/forwarded', '@fastify/proxy-addr', 'abstract-logging', 'aedes', 'aedes-packet'],
  ...['aedes-persistence', 'avvio', 'bl', 'fast-decode-uri-component', 'fast-deep-equal', 'fast-json-stringify'],
  ...['fast-querystring', 'fastify', 'fastparallel', 'fastq', 'find-my-way', 'inherits', 'ipaddr.js', 'lru-cache'],
  ...['mqemitter', 'mqtt', 'mqtt-packet', 'process-nextick-args', 'process-warning', 'qlobber', 'ret', 'reusify'],
  ...['rfdc', 'safe-regex2', 'secure-json-parse', 'toad-cache', 'ws', 'xtend'],
];
/** Names of people, seeded draws, SQL, and the language of scenarios. */
const SANDBOX = [...SMALL, ...SERVERS, '@faker-js/faker', 'csv-parse', 'kysely', 'pure-rand', 're2js', 'yaml'].sort();

const folder = ownFolder();
const dataDir = join(folder.path, 'data');
afterAll(folder.remove);

/** The environment in which a command reports the scripts that it has loaded. */
const reporting = (report: string): Record<string, string> => ({
  NODE_OPTIONS: `--require "${HOOK}"`,
  LOADED_SCRIPTS: join(folder.path, report),
});

/** The packages whose code is in the files of the bundle that a process has loaded. */
function packagesIn(report: string): string[] {
  const loaded = readFileSync(join(folder.path, report), 'utf8').split('\n');
  const files = loaded.map((url) => (url.startsWith('file:') ? fileURLToPath(url) : url));
  const sources = files
    .filter((file) => file.includes('.bundle') && existsSync(`${file}.map`))
    .flatMap((file) => (JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[] }).sources);
  expect(sources.some((source) => source.endsWith('src/cli/main.ts'))).toBe(true);
  const names = sources.map((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(source)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

async function packagesOf(...words: string[]): Promise<string[]> {
  const env = cleanEnv(reporting('command'));
  await promisify(execFile)(process.execPath, [COMMAND, ...words], { env, cwd: folder.path });
  return packagesIn('command');
}

describe('the packages that a command loads', () => {
  let sandbox: RunningSandbox;
  beforeAll(async () => {
    const options = { command: COMMAND, env: reporting('up') };
    sandbox = await RunningSandbox.up(['--data-dir', dataDir, '--watches', '9'], options);
  });

  for (const { row: words, skip } of sampled(['version --json', 'help', '--help'], 3))
    unless(skip).test(`${words}: commander alone`, async () => {
      expect(await packagesOf(...words.split(' '))).toEqual(['commander']);
    });

  for (const { row: words, skip } of sampled(['trigger sos --who W-001', 'logs', 'status'], 3))
    unless(skip).test(`${words}: no server and no language of scenarios`, async () => {
      expect(await packagesOf(...words.split(' '), '--data-dir', dataDir)).toEqual(SMALL);
    });

  test('dashboard: Ink and React, but no server', async () => {
    const packages = await packagesOf('dashboard', '--once', '--data-dir', dataDir);
    expect(packages).toEqual(expect.arrayContaining(['ink', 'react', 'yoga-layout', ...SMALL]));
    expect(packages.filter((name) => [...SERVERS, 'kysely', 're2js', 'yaml'].includes(name))).toEqual([]);
  });

  unless(withoutWhole).test('run: what up loads', async () => {
    expect(await packagesOf('run', 'sos-buttons')).toEqual(SANDBOX);
  });

  test('up: the servers, the store and the people, but neither Ink nor anything for coding agents', async () => {
    await sandbox.stop();
    expect(packagesIn('up')).toEqual(SANDBOX);
  });
});
