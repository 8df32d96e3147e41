/** The checks of `sandbox doctor`. Each has a result, and a fix if the result is not ok. [cli, doctor] */

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { Outage } from '../../base/assert.ts';
import { API_PORT, MQTT_PORT, MQTTS_PORT } from '../../base/network/standard-ports.ts';
import { fetchTrusting } from '../../base/network/trusting-fetch.ts';
import { CLI } from '../../base/text/command-form.ts';
import { shellWord } from '../../base/text/printable.ts';
import { CLOCK_BEGIN, CLOCK_END } from '../../base/time/clock.ts';
import { realClock } from '../../base/time/clocks.ts';
import { roughDuration } from '../../base/time/durations.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { judgeOnTime } from '../../base/time/lateness.ts';
import { later, type MachineTime, monotonicMs, wallMs } from '../../base/time/timers.ts';
import { enoughOpenFiles } from '../../sandbox/listeners/open-files.ts';
import { holderOf } from '../../sandbox/listeners/port-holder.ts';
import { brokerOutage } from '../../sandbox/listeners/reach-broker.ts';
import type { BrokerEndpoint } from '../../service/broker/external/address.ts';
import { LinkRefused } from '../../service/broker/external/link.ts';
import { probeBroker } from '../../service/broker/external/probe.ts';
import { authorityUntil } from '../../service/store/folder/authority.ts';
import { CA_FILE, COMMITS_FILE, DATABASE_FILE } from '../../service/store/folder/files.ts';
import { isHeld } from '../../service/store/folder/lock.ts';
import { databaseName } from '../../service/store/postgres/name.ts';
import { readLedger } from '../../service/store/sqlite/commit-ledger.ts';
import { inspectWal } from '../../service/store/sqlite/wal.ts';
import { CommandError } from '../output.ts';
import { foundBy, readyIn } from '../running.ts';

export interface DoctorCheck {
  readonly name: string;
  /** `skipped`: there was nothing to check. */
  readonly verdict: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly detail: string;
  readonly fix: string | null;
}

/** The options with which `sandbox up` would be started. */
interface DoctorSubject {
  readonly host: string;
  /** Undefined means the default port. If it is taken, the sandbox uses another one. */
  readonly port: number | undefined;
  readonly mqttPort: number | undefined;
  readonly tls: boolean;
  readonly dataDir: string;
  readonly watches: number;
  readonly receivers: readonly string[];
  /** `--broker`; undefined if the sandbox uses its own broker. */
  readonly broker: BrokerEndpoint | undefined;
  /** `--database`; undefined if the world is in the data folder. */
  readonly database: string | undefined;
}

type Outcome = Omit<DoctorCheck, 'name'>;
const ok = (detail: string): Outcome => ({ verdict: 'ok', detail, fix: null });
const warning = (detail: string, fix: string): Outcome => ({ verdict: 'warning', detail, fix });
const failed = (detail: string, fix: string): Outcome => ({ verdict: 'failed', detail, fix });

const CHECKS: Readonly<Record<string, (subject: DoctorSubject) => Outcome | Promise<Outcome>>> = {
  Node: node,
  sandbox: running,
  'API port': ({ host, port, dataDir }) =>
    portCheck({ host, requested: port, standard: API_PORT, flag: '--port', own: ownPort(dataDir, 'api_url') }),
  'MQTT port': ({ host, mqttPort, tls, dataDir, broker }) =>
    broker !== undefined
      ? brokerCheck(broker)
      : portCheck({
          host,
          requested: mqttPort,
          standard: tls ? MQTTS_PORT : MQTT_PORT,
          flag: '--mqtt-port',
          own: ownPort(dataDir, 'mqtt_url'),
        }),
  'data folder': dataFolder,
  certificate,
  disk,
  'open files': openFiles,
  clock,
};

/** Runs all checks in order. A database is checked only if it is named, and each receiver is a check of its own. */
export async function examine(subject: DoctorSubject): Promise<DoctorCheck[]> {
  const found: DoctorCheck[] = [];
  for (const [name, look] of Object.entries(CHECKS)) found.push({ name, ...(await look(subject)) });
  if (subject.database !== undefined) found.push({ name: 'database', ...(await database(subject.database)) });
  for (const url of subject.receivers) found.push({ name: 'receiver', ...(await receiver(url)) });
  if (subject.receivers.length === 0)
    found.push({ name: 'receiver', verdict: 'skipped', detail: 'none named; --receiver URL looks at one', fix: null });
  return found;
}

function node(): Outcome {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isOld = major < 20 || (major === 20 && minor < 19);
  return isOld
    ? failed(`${process.versions.node} is too old`, 'Install Node.js 20.19 or newer.')
    : ok(`${process.versions.node} (20.19 or newer is needed)`);
}

function running(subject: DoctorSubject): Promise<Outcome> {
  return onTime(() => runningNow(subject));
}

async function runningNow({ dataDir }: DoctorSubject): Promise<Outcome> {
  const ready = readyIn(dataDir);
  if (ready === null) return ok(`none runs on ${dataDir}`);
  try {
    const { ca } = foundBy(ready);
    const { status } = await fetchTrusting(ca, `${ready.api_url}/healthz`, { signal: AbortSignal.timeout(PROBE_MS) });
    if (status === 200) return ok(`runs at ${ready.api_url} (process ${ready.pid})`);
    return failed(
      `at ${ready.api_url} answers ${status}: its storage failed`,
      'Stop it, check the disk, start it again.',
    );
  } catch (error) {
    if (error instanceof CommandError) return failed(error.message.replace(/\.$/, ''), 'Start the sandbox again.');
    return failed(
      `${join(ready.data_dir, 'sandbox.json')} names ${ready.api_url}, and nothing answers there`,
      `If process ${ready.pid} is not a sandbox, delete that file: a killed sandbox left it.`,
    );
  }
}

function ownPort(dataDir: string, address: 'api_url' | 'mqtt_url'): number | null {
  const ready = readyIn(dataDir);
  return ready === null ? null : Number(new URL(ready[address]).port);
}

interface PortQuestion {
  readonly host: string;
  readonly requested: number | undefined;
  readonly standard: number;
  readonly flag: string;
  /** The port of the sandbox that runs on the data folder. */
  readonly own: number | null;
}

async function portCheck({ host, requested, standard, flag, own }: PortQuestion): Promise<Outcome> {
  const port = requested ?? standard;
  if (port === 0) return ok('a free one is picked');
  if (port === own) return ok(`${port}, held by the sandbox of this data folder`);
  const code = await new Promise<string | null>((done) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    server.listen({ host, port }, () => server.close(() => done(null)));
  });
  if (code === null) return ok(`${port} is free`);
  if (code !== 'EADDRINUSE')
    return failed(
      `${host}:${port} cannot be listened on (${code})`,
      code === 'EACCES' ? `Choose a port above 1023 with ${flag}.` : 'Give --host an address of this machine.',
    );
  const taken = `${port} is taken by ${holderOf(port) ?? 'another program'}`;
  const fix = `Stop it, or choose another port with ${flag} (0 selects a free port).`;
  return requested === undefined ? warning(`${taken}; up uses a free port and reports it`, fix) : failed(taken, fix);
}

async function brokerCheck(broker: BrokerEndpoint): Promise<Outcome> {
  try {
    const version = await probeBroker(broker, realClock());
    return ok(`${broker.url} takes the service, over MQTT ${version === 5 ? '5' : '3.1.1'}`);
  } catch (error) {
    if (!(error instanceof LinkRefused)) throw error;
    const { message, fix } = brokerOutage(broker, error.end);
    return failed(message.replace(/\.$/, ''), fix);
  }
}

function dataFolder({ dataDir }: DoctorSubject): Outcome {
  const folder = resolve(dataDir);
  const elsewhere = 'Change its owner or mode, name another folder with --data-dir, or use --memory.';
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) {
    const above = nearestFolder(folder);
    return isWritable(above)
      ? ok(`${folder} will be made`)
      : failed(`${folder} cannot be made: this user may not write to ${above}`, elsewhere);
  }
  if (!found.isDirectory())
    return failed(`${folder} is not a folder`, 'Move it away, or name another folder with --data-dir.');
  if (!isWritable(folder)) return failed(`this user may not write to ${folder}`, elsewhere);
  if (isHeld(folder)) return ok(`${folder}, held by a running sandbox`);
  if (!existsSync(join(folder, DATABASE_FILE))) return ok(`${folder}, without a world so far`);
  const database = join(folder, DATABASE_FILE);
  if (readLedger(join(folder, COMMITS_FILE)) === 'damaged' || !inspectWal(`${database}-wal`).headerSound)
    return failed(
      `${folder} is damaged`,
      `Restore it from a copy. ${CLI} up lists what is lost, and with --accept-loss it starts without that.`,
    );
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    return warning(`${folder} can be entered by other users; its files cannot be read`, `chmod 700 ${folder}`);
  return ok(`${folder}, with a world`);
}

/** Checks whether the database can be reached, and whether the clocks agree well enough for a node. */
async function database(url: string): Promise<Outcome> {
  // Imported on demand, because few sandboxes need the driver.
  const { CLOCK_FIX, compareClocks, isBeyondLimit, wordsOf } = await import(
    '../../service/store/nodes/database-clock.ts'
  );
  try {
    const difference = await compareClocks(url);
    const detail = `the clock of this machine is ${wordsOf(difference)} that of ${databaseName(url)}`;
    return isBeyondLimit(difference) ? failed(`${detail}, and a node refuses to start`, CLOCK_FIX) : ok(detail);
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    return failed(error.message.replace(/\.$/, ''), error.fix);
  }
}

/** Checks the certificate authority of `up --tls`. */
function certificate({ dataDir }: DoctorSubject): Outcome {
  const folder = readyIn(dataDir)?.data_dir ?? resolve(dataDir);
  try {
    const until = authorityUntil(folder);
    if (until === null) return ok('none made so far; up --tls makes one');
    return ok(`${join(folder, CA_FILE)} is valid until ${formatInstant(until).slice(0, 10)}`);
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    return failed(error.message.replace(/\.$/, ''), error.fix);
  }
}

/** If less space than this is free, commits may soon be refused; bytes. */
const LITTLE = 1_000_000_000;
const TOO_LITTLE = 100_000_000;

function disk({ dataDir }: DoctorSubject): Outcome {
  const folder = nearestFolder(resolve(dataDir));
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const detail = `${(free / 1e9).toFixed(1)} GB free at ${folder}`;
  const fix = 'Free some space, name a folder on another disk with --data-dir, or use --memory.';
  return free < TOO_LITTLE ? failed(detail, fix) : free < LITTLE ? warning(detail, fix) : ok(detail);
}

function openFiles({ watches, broker }: DoctorSubject): Outcome {
  try {
    // Watches at the sandbox's own broker need no open files.
    enoughOpenFiles(broker === undefined ? 0 : watches);
    return ok(`enough for ${watches} emulated watches`);
  } catch (error) {
    const { message, fix } = error as { message: string; fix: string };
    return failed(message, fix);
  }
}

/** The wall clock and the monotonic clock are compared over this time; ms. */
const WATCHED_MS = 200;

/** A larger difference between them is a jump; ms. */
const DRIFT_MS = 50;

async function clock(): Promise<Outcome> {
  const now = wallMs();
  const fix = 'Set it (timedatectl set-ntp true): receivers refuse signatures with a difference of more than 5 min.';
  if (now < CLOCK_BEGIN || now > CLOCK_END) return failed(`the machine's clock shows ${formatInstant(now)}`, fix);
  const before = wallAhead();
  await new Promise<void>((done) => later(WATCHED_MS, done));
  const drift = Math.abs(wallAhead() - before);
  return drift > DRIFT_MS
    ? warning(`the machine's clock jumped by ${Math.round(drift)} ms within ${WATCHED_MS} ms`, fix)
    : ok(`${formatInstant(now)}, steady`);
}

/** How far the wall clock is ahead of the monotonic clock. A busy machine may take its time between the two looks, so they are repeated. */
function wallAhead(): number {
  for (let tries = 1; ; tries++) {
    const [from, wall, to] = [monotonicMs(), wallMs(), monotonicMs()];
    if (to - from < DRIFT_MS / 10 || tries === MOST_LOOKS) return wall - from;
  }
}
const MOST_LOOKS = 20;

/** The time limit of a receiver's answer, and of every other request; ms. [spec 6] */
const PROBE_MS = 5_000;

/** Receivers accept this difference between their clock and the timestamp; ms. */
const SKEW_MS = 5 * 60_000;

function receiver(url: string): Promise<Outcome> {
  return onTime(() => receiverNow(url));
}

/** Judges a request again if this process was late itself, and after a second lateness its failure is inconclusive. */
export async function onTime(judge: () => Promise<Outcome>, machine?: MachineTime): Promise<Outcome> {
  const depends = ({ verdict }: Outcome) => verdict === 'failed';
  const { value, lateMs } = await judgeOnTime(PROBE_MS, judge, { depends, machine });
  if (lateMs === null) return value;
  const why = `this is inconclusive: the machine was busy, and timers came ${roughDuration(lateMs)} late`;
  return failed(`${value.detail}; ${why}`, 'Repeat this on a machine that has processor time left.');
}

async function receiverNow(url: string): Promise<Outcome> {
  const begin = monotonicMs();
  try {
    const { status, headers } = await fetch(url, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(PROBE_MS),
    });
    const skew = Math.abs(Date.parse(headers.get('date') ?? '') - wallMs());
    if (skew > SKEW_MS)
      return failed(
        `${url} answers, and its clock is ${Math.round(skew / 60_000)} min off ours`,
        'Set both clocks by NTP: a receiver refuses signatures with a difference of more than 5 min.',
      );
    return ok(`${url} answers ${status} in ${Math.round(monotonicMs() - begin)} ms; ${CLI} certify judges it`);
  } catch (error) {
    const { code, message } = ((error as { cause?: unknown }).cause ?? error) as { code?: string; message: string };
    return failed(`${url} does not answer: ${code ?? message}`, fixOf(code ?? '', url));
  }
}

function fixOf(code: string, url: string): string {
  if (/CERT|SIGN|TLS|SSL|ISSUER/.test(code))
    return `Its certificate is not trusted: ${CLI} listen --forward-to ${shellWord(url)} --skip-verify.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'Check the name. To send its requests to a local address, use up --forward HOST=URL.';
  return 'Start the receiver, and check host, port and firewall.';
}

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const nearestFolder = (path: string): string => (existsSync(path) ? path : nearestFolder(dirname(path)));
