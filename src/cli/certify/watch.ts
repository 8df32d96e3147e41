/** `sandbox certify --watch SERIAL`: judges a watch, its firmware or a gateway, by numbered checks over MQTT. [cli] */
import { isForeground } from '../../base/foreground.ts';
import { MQTT_PORT, MQTTS_PORT } from '../../base/network/standard-ports.ts';
import { trustVariables } from '../../contract/banner.ts';
import { isWatchSerial } from '../../contract/watch.ts';
import { type CheckOutcome, countsOf } from '../../proving/certify/certify.ts';
import type { CertifyReport } from '../../proving/certify/reports.ts';
import type { WatchService } from '../../proving/certify/watch/bench.ts';
import { WATCH_CHECKS } from '../../proving/certify/watch/catalogue.ts';
import { certifyWatch } from '../../proving/certify/watch/certify-watch.ts';
import type { DeviceDriver } from '../../proving/certify/watch/device-driver.ts';
import { DeviceProcess } from '../../proving/certify/watch/device-process.ts';
import { WatchTap } from '../../proving/certify/watch/tap.ts';
import { certificateNames, isLoopback, urlHost } from '../../sandbox/listeners/host-rule.ts';
import { VERSION } from '../../sandbox/version.ts';
import { issueFrom, type ServerTls } from '../../service/store/folder/authority.ts';
import { colourOf, outLine, talkLine, usage } from '../output.ts';
import { readyIn } from '../running.ts';
import { runUntilSignal } from '../signals.ts';
import { OutcomePrinter } from './lines.ts';
import { chosenChecks, endCertify, type ReportFlags } from './report.ts';
import { runningWatchService } from './watch-running.ts';
import { startWatchSandbox } from './watch-sandbox.ts';
import { TerminalWearer } from './wearer.ts';

export interface WatchFlags extends ReportFlags {
  readonly watch: string;
  readonly watchKey?: string;
  readonly host: string;
  readonly mqttPort?: number;
  /** Data folder of a running sandbox. If absent, certify starts its own sandbox. */
  readonly dataDir?: string;
  readonly startCommand?: string;
  /** Wall milliseconds, as for all times here. */
  readonly startTimeout: number;
  readonly positionEvery: number;
  readonly alarmEvery: number;
  readonly prompt?: number;
  readonly unattended?: boolean;
  readonly only?: string;
}

/** Duration of a fall prompt: a harness answers at once, but a person must find the button. Wall milliseconds. */
const PROMPT_MS = { harness: 4_000, person: 30_000 };

/** What a run starts. */
interface StartedForWatch {
  readonly sandbox: WatchService;
  readonly tap: WatchTap;
  readonly device: DeviceProcess | null;
  readonly hand: DeviceDriver | null;
}

/** Returns the exit code. Throws if nothing can be judged, or if the run is interrupted. */
export async function judgeWatch(flags: WatchFlags): Promise<number> {
  checkFlags(flags);
  const { json, startTimeout } = flags;
  const checks = chosenChecks(flags.only, WATCH_CHECKS);
  const running = runUntilSignal();
  const ended = new AbortController();
  void running.ended.then(() => ended.abort());
  const stops: (() => Promise<void> | void)[] = [];
  let device: DeviceProcess | null = null;
  running.beforeForced(() => device?.kill());
  let outcomes: CheckOutcome[];
  try {
    const started = await start(flags, stops);
    ({ device } = started);
    const printer = new OutcomePrinter();
    const { tap, sandbox: service, hand } = started;
    outcomes = await certifyWatch({
      tap,
      service,
      hand,
      checks,
      startLimitMs: startTimeout,
      signal: ended.signal,
      deviceEnded: () => device?.ended ?? null,
      onOutcome: (outcome) => (json === true ? undefined : printer.take(outcome)),
    });
    printer.end();
  } finally {
    for (const stop of stops.reverse()) await stop();
    running.done();
  }
  const report: CertifyReport = {
    url: `watch ${flags.watch}`,
    subject: 'Watch',
    version: VERSION,
    outcomes,
    counts: countsOf(outcomes),
  };
  // An unattended run omits the checks that need a person.
  const requested = flags.only === undefined || flags.unattended === true ? [] : checks;
  return endCertify(report, flags, {
    isInterrupted: ended.signal.aborted,
    checks: checks.length,
    warnings: [],
    requested,
  });
}

async function start(flags: WatchFlags, stops: (() => Promise<void> | void)[]): Promise<StartedForWatch> {
  const { watch: serial, host, startCommand } = flags;
  const sandbox = await serviceOf(flags, stops);
  const tls = await tlsFor(flags, sandbox.broker.ca !== null);
  const { mqttPort: port = startCommand !== undefined ? 0 : tls === null ? MQTT_PORT : MQTTS_PORT } = flags;
  const tap = await WatchTap.start(sandbox.broker, { host, port, tls });
  stops.push(() => tap.stop());
  // With --json, stdout has only the report. But a device that is already running needs the address, so it is printed
  // on stderr.
  if (flags.json !== true || startCommand === undefined) printHead(flags, sandbox, { port: tap.port, tls });
  if (startCommand === undefined) {
    talkLine(`waiting for the watch, at most ${flags.startTimeout / 1_000} s`);
    return { sandbox, tap, device: null, hand: wearerOf(flags, stops) };
  }
  const device = new DeviceProcess(startCommand, {
    SANDBOX_MQTT_URL: `${schemeOf(tls)}://${isLoopback(host) ? urlHost(host) : '127.0.0.1'}:${tap.port}`,
    ...trustVariables(tls?.caFile),
    SANDBOX_WATCH_SERIAL: serial,
    SANDBOX_WATCH_KEY: sandbox.key,
    SANDBOX_SITE_ID: sandbox.siteId,
  });
  stops.push(() => device.stop());
  device.onEnd(() => tap.wake());
  const hello = await device.ask({ do: 'hello' });
  if (hello.isDone) return { sandbox, tap, device, hand: device };
  if (device.ended === null) talkLine(`no harness: ${hello.why}`);
  return { sandbox, tap, device, hand: wearerOf(flags, stops) };
}

async function serviceOf(flags: WatchFlags, stops: (() => Promise<void> | void)[]): Promise<WatchService> {
  const { watch: serial, watchKey = null, dataDir, startCommand } = flags;
  if (dataDir !== undefined) return runningWatchService(dataDir, serial);
  const promptMs = flags.prompt ?? (startCommand === undefined ? PROMPT_MS.person : PROMPT_MS.harness);
  const { positionEvery: positionEveryMs, alarmEvery: alarmEveryMs } = flags;
  const sandbox = await startWatchSandbox({ serial, key: watchKey, positionEveryMs, alarmEveryMs, promptMs });
  stops.push(sandbox.stop);
  return sandbox;
}

/** Returns null if no person is present who could press a button. */
function wearerOf({ unattended, json }: WatchFlags, stops: (() => void)[]): DeviceDriver | null {
  if (unattended === true || json === true || process.stdin.isTTY !== true || !isForeground()) return null;
  const wearer = new TerminalWearer();
  stops.push(() => wearer.close());
  return wearer;
}

function checkFlags({ watch, host, watchKey, dataDir, positionEvery, alarmEvery }: WatchFlags): void {
  if (!isWatchSerial(watch))
    throw usage(`--watch ${watch} is no serial: 1 to 64 of A-Z, a-z, 0-9, ".", "_" and "-", and not "all".`);
  if (!isLoopback(host) && watchKey === undefined && dataDir === undefined)
    throw usage(
      `--host ${host} is reached from outside, and the key of the watch is known to everybody who has this program.`,
      'Write the key of the watch with --watch-key, or set SANDBOX_WATCH_KEY.',
    );
  if (alarmEvery * 2 > positionEvery)
    throw usage('--alarm-every must be at most half of --position-every, or nobody could tell one from the other.');
}

/** The certificate has the same authority as that of the running sandbox's broker, which the device trusts. */
async function tlsFor({ dataDir = '', host }: WatchFlags, isSecure: boolean): Promise<ServerTls | null> {
  const ready = isSecure ? readyIn(dataDir) : null;
  return ready === null ? null : await issueFrom(ready.data_dir, { names: certificateNames({ host }) });
}

const schemeOf = (tls: ServerTls | null): string => (tls === null ? 'mqtt' : 'mqtts');

function printHead(
  { host, watch, json }: WatchFlags,
  { key, siteId }: WatchService,
  { port, tls }: { port: number; tls: ServerTls | null },
): void {
  const paint = colourOf(json === true ? process.stderr : process.stdout);
  const line = json === true ? talkLine : outLine;
  const root = `wt/v1/${siteId}/${watch}`;
  line(`${paint('bold', 'certify')}  watch ${watch}`);
  line(
    `broker   ${schemeOf(tls)}://${urlHost(host)}:${port}   ${paint('dim', 'MQTT 3.1.1; user name and client id: the serial')}`,
  );
  if (tls !== null) line(`CA       ${tls.caFile}`);
  line(`key      ${key}`);
  line(`site     ${siteId}`);
  line(`topics   ${root}/up/...  ${root}/down/#  wt/v1/${siteId}/all/#  wt/v1/host/state`);
}
