/** Judges a watch against the watch protocol: a conversation by script, each check with its outcome. [cli, certify] */
import { Outage } from '../../../base/assert.ts';
import { CLI } from '../../../base/text/command-form.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import { judgeOnTime } from '../../../base/time/lateness.ts';
import { type MachineTime, monotonicMs } from '../../../base/time/timers.ts';
import { aborted, type CheckOutcome } from '../certify.ts';
import { type Finding, inconclusive, isJudged, notJudged } from '../check.ts';
import { NOTICE_MS, RECONNECT_MS, WatchBench, type WatchService } from './bench.ts';
import { broken, WATCH_NEEDS, type WatchCheck } from './check.ts';
import type { DeviceDriver } from './device-driver.ts';
import type { TracedPacket, WatchTap } from './tap.ts';

interface CertifyWatchOptions {
  readonly tap: WatchTap;
  readonly service: WatchService;
  readonly hand: DeviceDriver | null;
  readonly checks: readonly WatchCheck[];
  /** How long the device may take to connect; wall milliseconds. */
  readonly startLimitMs: number;
  /** Returns why the device cannot connect any more, or null if it still can. */
  readonly deviceEnded: () => string | null;
  /** Measures whether certify itself is late; default: the time of this process. */
  readonly machine?: MachineTime;
  readonly onOutcome: (outcome: CheckOutcome) => void;
  readonly signal: AbortSignal;
}

/** Resolves with the outcomes that were reached. Throws `Outage` if the watch does not connect. */
export async function certifyWatch(options: CertifyWatchOptions): Promise<CheckOutcome[]> {
  const { tap, service, hand, checks, onOutcome, signal } = options;
  const bench = new WatchBench(tap, service, hand);
  const outcomes: CheckOutcome[] = [];
  const over = aborted(signal);
  if ((await Promise.race([arrive(options), over])) === null) return outcomes;
  for (const check of checks) {
    if (signal.aborted) break;
    const startedMs = monotonicMs();
    const from = tap.trace.length;
    const finding = await Promise.race([judgeOne(check, bench, options), over]);
    if (finding === null) break;
    const isTraced = finding.result === 'failed' || finding.result === 'advice';
    const trace = isTraced ? { trace: tap.trace.slice(from).slice(-TRACED).map(lineOf) } : {};
    const outcome = { check, ...finding, ...trace, tookMs: monotonicMs() - startedMs };
    outcomes.push(outcome);
    onOutcome(outcome);
  }
  await bench.tidy();
  return outcomes;
}

/** Maximum number of packets in a report. */
const TRACED = 40;

async function judgeOne(check: WatchCheck, bench: WatchBench, options: CertifyWatchOptions): Promise<Finding> {
  const need = check.needs.find((name) => name === 'hand' && bench.hand === null);
  if (need !== undefined) return notJudged(`it needs ${WATCH_NEEDS[need].flag}`, WATCH_NEEDS[need].help);
  if (check.state === 'any') return check.judge(bench);
  let tries = 0;
  const judge = (): Promise<Finding> => {
    if (tries++ > 0) bench.forgetOutage();
    return judgeInState(check, bench, options);
  };
  // The other times of a watch are longer, so this is the shortest that certify judges.
  const depends = ({ result }: Finding) => result !== 'passed';
  const { value, lateMs } = await judgeOnTime(NOTICE_MS, judge, {
    machine: options.machine,
    depends,
    judges: isJudged,
  });
  if (lateMs === null) return value;
  bench.forgetOutage();
  return inconclusive(value, lateMs);
}

async function judgeInState(
  check: WatchCheck,
  bench: WatchBench,
  { deviceEnded }: CertifyWatchOptions,
): Promise<Finding> {
  if (!(await bench.connected())) {
    const ended = deviceEnded();
    return broken('nothing', ended ?? `the watch is not connected, and was not for ${RECONNECT_MS / 1_000} s`, {
      production: 'The wearer counts as silent.',
      fix: 'Connect again after each end of a connection, with a back-off from 1 to 30 s.',
    });
  }
  if (!(await bench.reach(check.state))) return notJudged('a muster is active on the site already');
  return check.judge(bench);
}

/**
 * Resolves when the watch has connected and published its first position, or when the time for that position is over.
 */
async function arrive({ tap, service, startLimitMs, deviceEnded }: CertifyWatchOptions): Promise<true> {
  const isIn = () => tap.current !== null || deviceEnded() !== null;
  await tap.until(isIn, startLimitMs);
  if (tap.current === null) throw notConnected(tap, startLimitMs, deviceEnded());
  const hasReported = () => tap.uplinks.some(({ known }) => known?.way === 'up' && known.leaf === 'position');
  await tap.until(hasReported, 3 * service.positionEveryMs + 2_000);
  return true;
}

function notConnected(tap: WatchTap, limitMs: number, ended: string | null): Outage {
  // The newest attempt may have no answer yet.
  const last = tap.connections.findLast(({ granted }) => granted !== null) ?? tap.connections.at(-1);
  const why =
    ended !== null
      ? `the device runs no more: ${ended}`
      : last === undefined
        ? `nothing connected within ${limitMs / 1_000} s`
        : last.connect === null
          ? 'something connected and sent no CONNECT'
          : `the broker answered its CONNECT with ${last.granted ?? 'nothing'}`;
  const granted = last?.granted ?? null;
  return new Outage({
    code: 'watch_not_connected',
    message: `The watch did not connect: ${why}.`,
    fix: `${ended === null ? fixOf(granted) : STARTED} Nothing was judged.`,
  });
}

const STARTED = `Its environment has the broker, serial, key and site: ${CLI} certify --help names the variables.`;

/** The fix for a return code of the CONNACK. MQTT 5 has its own codes. */
function fixOf(granted: number | null): string {
  if (granted === 1 || granted === 132) return 'The watch protocol is MQTT 3.1.1: protocol level 4 in its CONNECT.';
  if (granted === 2 || granted === 4 || granted === 5)
    return 'User name and client id are its serial, the password is its key; both are printed above.';
  return 'Connect it to the broker that is printed above. Use --start-timeout to wait longer.';
}

/** The packet as a line. A CONNECT is shown by its name alone, because it contains the key. */
export function lineOf({ wallMs, way, connection, packet, mark }: TracedPacket): string {
  const at = formatInstant(wallMs).slice(11, -1);
  const what =
    packet.cmd === 'publish'
      ? `PUBLISH ${packet.topic} QoS ${packet.qos}${packet.retain ? ' retained' : ''}${packet.dup ? ' DUP' : ''} ${String(packet.payload).slice(0, 300)}`
      : `${packet.cmd.toUpperCase()}${'messageId' in packet && packet.messageId !== undefined ? ` ${packet.messageId}` : ''}`;
  return `${at} ${way === 'up' ? '->' : '<-'} #${connection} ${what}${mark === null ? '' : ` (${mark})`}`;
}
