/** The watches and the broker of `sandbox fleet`: from a file, a running sandbox, or a seed. [cli, fleet] */

import { existsSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { CLI } from '../../base/text/command-form.ts';
import { FILE_LIMITS, readUserJson } from '../../base/user-files.ts';
import { MAX_READY_WATCHES, ReadyLine, ReadyWatch } from '../../contract/banner.ts';
import { check } from '../../contract/check.ts';
import { allWatches } from '../../sandbox/watch-list.ts';
import { CommandError, EXIT, usage } from '../output.ts';
import { caIn, callSandbox, type FoundSandbox, findRunning } from '../running.ts';

interface WatchSource {
  /** Null if the watches are derived from the seed. */
  readonly listed: readonly ReadyWatch[] | null;
  /** Null if the source does not contain it. */
  readonly brokerUrl: string | null;
  /** PEM of the sandbox's certificate authority; null if the source does not contain it. */
  readonly ca: string | null;
  /** The clock of the sandbox that was found; null for the clock of this machine. */
  readonly clock: { readonly start: number; readonly speed: number } | null;
}

/** Precedence: `--credentials`, `--seed`, then the sandbox of the data folder. */
export async function sourceOf(flags: { credentials?: string; seed?: string; dataDir: string }): Promise<WatchSource> {
  if (flags.credentials !== undefined) return fromFile(flags.credentials);
  if (flags.seed !== undefined) return { listed: null, brokerUrl: null, ca: caNamed(), clock: null };
  const found = running(flags.dataDir);
  if (found.ready === null) throw noWatches(`The sandbox at ${found.apiUrl} does not return the keys of its watches.`);
  const { ca, ready } = found;
  return { listed: allWatches(ready), brokerUrl: ready.mqtt_url, ca, clock: await clockOf(found) };
}

/** Watches timestamp their reports, so their clock must match the service's. */
async function clockOf(found: FoundSandbox): Promise<WatchSource['clock']> {
  const { status, body } = await callSandbox(found, 'GET', '/v1/sandbox/clock');
  if (status !== 200) return null;
  const { now, speed } = body as { now: string; speed: number };
  return { start: Date.parse(now), speed };
}

function running(dataDir: string): FoundSandbox {
  try {
    return findRunning(dataDir);
  } catch (error) {
    if (error instanceof CommandError) throw noWatches(error.message);
    throw error;
  }
}

const noWatches = (message: string): CommandError =>
  new CommandError(EXIT.environment, 'no_watches', `${message} So the fleet has no list of watches.`, {
    actions: [
      `Start one on this machine with: ${CLI} up --no-fleet`,
      `For a sandbox on another machine: run ${CLI} env --format json > watches.json there, and use --credentials watches.json here.`,
      'Or use the --seed that it was started with: it determines the watches and keys.',
    ],
    retryable: true,
  });

const WatchFile = Type.Array(ReadyWatch, { minItems: 1 });
type WatchFile = Static<typeof WatchFile>;

/** Accepts `sandbox env --format json` (or `--json`), the ready line, or a list of watches. */
function fromFile(file: string): WatchSource {
  const read = readUserJson(file, { mostBytes: FILE_LIMITS.credentials });
  if (!('value' in read)) throw usage(`The credentials file ${file} ${read.why}.`);
  const { value: content } = read;
  const line = check(ReadyLine, content);
  if (line.ok) {
    const listed = allWatches(line.value.data);
    if (listed.length === MAX_READY_WATCHES) throw cutOff(file);
    const { mqtt_url, ca_file } = line.value.data;
    return { listed, brokerUrl: mqtt_url, ca: caNamed(ca_file), clock: null };
  }
  const { data, ...own } = object(content);
  const listing = data === undefined ? own : object(data);
  const list = check(WatchFile, Array.isArray(content) ? content : listing['watches']);
  if (!list.ok) throw strange(file, list.errors);
  const [broker, caFile] = [listing['SANDBOX_MQTT_URL'], listing['SANDBOX_CA_FILE']];
  return {
    listed: list.value as WatchFile,
    brokerUrl: typeof broker === 'string' ? broker : null,
    ca: caNamed(typeof caFile === 'string' ? caFile : undefined),
    clock: null,
  };
}

/**
 * The authority that SANDBOX_CA_FILE names, or else that of the credentials file. The path in that file may belong to
 * another machine.
 */
function caNamed(file?: string): string | null {
  const { SANDBOX_CA_FILE } = process.env;
  if (SANDBOX_CA_FILE === undefined && (file === undefined || !existsSync(file))) return null;
  return SANDBOX_CA_FILE === undefined ? caIn(file, 'The credentials file') : caIn(SANDBOX_CA_FILE, 'SANDBOX_CA_FILE');
}

const object = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const strange = (file: string, [first]: readonly { pointer: string; detail: string }[]): CommandError =>
  usage(
    `The credentials file ${file} lists no watches: ${`/watches${first?.pointer ?? ''} ${first?.detail ?? ''}`.trim()}.`,
    `It is what that sandbox writes with: ${CLI} env --format json > watches.json`,
  );

const cutOff = (file: string): CommandError =>
  usage(
    `The ready line in ${file} lists the first ${MAX_READY_WATCHES} watches only.`,
    `That sandbox writes all of them with: ${CLI} env --format json > watches.json`,
  );
