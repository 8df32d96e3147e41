/** Judges a webhook receiver against the contract: every check in turn, each with its outcome. [cli, certify] */
import { Outage } from '../../base/assert.ts';
import { allowedLatenessMs, judgeOnTime } from '../../base/time/lateness.ts';
import { later, type MachineTime, monotonicMs, wallMs } from '../../base/time/timers.ts';
import { ANSWER_LIMIT_MS } from '../../service/webhooks/outcome.ts';
import { Sockets } from '../../service/webhooks/sockets.ts';
import type { ApiClientWatch } from './api-client-watch.ts';
import {
  CHECK_NEEDS,
  type CheckBench,
  type CheckResult,
  type Finding,
  failed,
  inconclusive,
  isJudged,
  type JudgedCheck,
  notJudged,
  RETRIES,
  type ReceiverCheck,
} from './check.ts';
import type { DeliveryMaker } from './deliveries.ts';
import type { PagesProbe, ReceiverProbe, SecretAddress } from './probe.ts';
import type { ReceiverProcess } from './receiver-process.ts';
import { type CertifyLine, type Exchange, isAccepted, sendTo } from './send.ts';

export interface CertifyOptions {
  readonly target: URL;
  /** True if an https receiver may have any certificate. */
  readonly skipVerify: boolean;
  readonly make: DeliveryMaker;
  readonly checks: readonly ReceiverCheck[];
  readonly probe: ReceiverProbe | null;
  readonly pages: PagesProbe | null;
  readonly secretTo: SecretAddress | null;
  readonly client: ApiClientWatch | null;
  readonly process: ReceiverProcess | null;
  /** How long certify waits for the receiver's own calls of the API; wall milliseconds. */
  readonly clientWaitMs: number;
  /** How long production waits for an answer; wall milliseconds. Default: the 5 s of the contract. */
  readonly answerLimitMs?: number;
  /** Measures whether certify itself is late; default: the time of this process. */
  readonly machine?: MachineTime;
  readonly onOutcome: (outcome: CheckOutcome) => void;
  readonly signal: AbortSignal;
}

export interface CheckOutcome extends Finding {
  readonly check: JudgedCheck;
  /** Duration of the check; wall milliseconds. */
  readonly tookMs: number;
}

/**
 * Deliveries with a timestamp near the tolerance are sent in this first part of a second, so that their age is exact;
 * milliseconds.
 */
const EARLY_MS = 250;

/** Number of events that are made to open a second gap. */
const LATE_EVENTS = 3;

/**
 * The checks that must pass before another outcome means anything: a receiver that refuses everything also refuses what
 * is forged.
 */
const FIRST = [1, 2];

/** Resolves with the outcomes that were reached. Throws `Outage` if the receiver cannot be reached. */
export async function certify(options: CertifyOptions): Promise<CheckOutcome[]> {
  const { checks, onOutcome, signal } = options;
  const sockets = new Sockets();
  const line = { target: options.target, skipVerify: options.skipVerify, sockets };
  const bench = benchOf(options, line);
  const outcomes: CheckOutcome[] = [];
  const over = aborted(signal);
  try {
    await reach(options, line);
    for (const check of checks) {
      if (signal.aborted) break;
      const startedMs = monotonicMs();
      const judged = judgeOne(check, options, bench, outcomes);
      // An aborted check has no outcome. Its requests end with the sockets.
      const finding = await Promise.race([judged, over]);
      if (finding === null) break;
      const outcome = { check, ...finding, tookMs: monotonicMs() - startedMs };
      outcomes.push(outcome);
      onOutcome(outcome);
    }
  } finally {
    sockets.close();
  }
  return outcomes;
}

async function judgeOne(
  check: ReceiverCheck,
  options: CertifyOptions,
  bench: CheckBench,
  outcomes: readonly CheckOutcome[],
): Promise<Finding> {
  const { client, process } = options;
  if (check.needs.includes('client') && client !== null) await awaitClient(client, options);
  const judged = unmet(check, options, outcomes) ?? (await judgeInTime(check, bench, options));
  const isOfWalk = judged.result !== 'passed' && check.needs.includes('client') && client !== null;
  const finding = isOfWalk && client.walkLateMs !== null ? inconclusive(judged, client.walkLateMs) : judged;
  const isMute = finding.exchanges.some(({ status }) => status === null);
  const crash = process === null ? null : await process.crash(isMute ? CRASH_MS : 0);
  if (process === null || crash === null) return finding;
  await process.again();
  return failed(finding.sent, `${finding.got}; the receiver crashed: ${crash}`, {
    production: `Every delivery fails until somebody starts your system again. ${RETRIES}`,
    fix: 'Catch the errors of a single delivery, answer 4xx or 5xx, and keep running.',
    exchanges: finding.exchanges,
  });
}

/** Judges again if certify itself was late, where that can have decided the outcome. */
async function judgeInTime(check: ReceiverCheck, bench: CheckBench, { machine }: CertifyOptions): Promise<Finding> {
  const limitMs = check.timedMs?.(bench) ?? bench.answerLimitMs;
  // A failure whose answers all came soon, and which waits for nothing else, is one at any lateness.
  const isSlow = ({ status, tookMs }: Exchange) =>
    status === null || tookMs >= Math.min(limitMs, allowedLatenessMs(limitMs));
  const depends = ({ result, exchanges }: Finding) =>
    check.timedMs !== undefined || (result !== 'passed' && (check.needs.length > 0 || exchanges.some(isSlow)));
  const judge = () => check.judge(bench).catch(notStarted);
  const { value, lateMs } = await judgeOnTime(limitMs, judge, {
    machine,
    depends,
    judges: isJudged,
  });
  return lateMs === null ? value : inconclusive(value, lateMs);
}

/** How long to wait for the end of the process after a request without an answer; wall milliseconds. */
const CRASH_MS = 300;

export const aborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });

/** A receiver that does not start again after a restart fails the check that restarted it. */
function notStarted(error: unknown): Finding {
  if (!(error instanceof Outage)) throw error;
  const production = 'A deployment with a new secret does not start, so every delivery fails.';
  return failed('a restart with another secret', error.message, { production, fix: error.fix });
}

function benchOf(options: CertifyOptions, line: CertifyLine): CheckBench {
  const { make, probe, pages, secretTo, client, process, clientWaitMs, answerLimitMs = ANSWER_LIMIT_MS } = options;
  return {
    make,
    probe,
    pages,
    secretTo,
    client,
    process,
    clientWaitMs,
    answerLimitMs,
    send: async (delivery, limitMs = answerLimitMs) => {
      // The API of the sandbox already knows the sandbox's own events.
      const delivered = client?.sandbox.eventBody(delivery.eventId) === null ? client.delivered : null;
      delivered?.note(delivery);
      const exchange = await sendTo(line, delivery, limitMs);
      delivered?.settle(delivery, isAccepted(exchange));
      return exchange;
    },
    earlyInSecond: async () => {
      // A timer of a busy machine can be late, so the clock is read again.
      for (let partMs = wallMs() % 1_000; partMs > EARLY_MS; partMs = wallMs() % 1_000)
        await new Promise<void>((resolve) => later(1_000 - partMs, resolve));
      return Math.floor(wallMs() / 1_000);
    },
  };
}

/** Returns why the check cannot be judged, or null if it can be judged. */
function unmet(
  check: ReceiverCheck,
  { probe, pages, secretTo, client, process }: CertifyOptions,
  outcomes: readonly CheckOutcome[],
): Finding | null {
  const given = { probe, pages, secretTo, client, process };
  const need = check.needs.find((name) => given[name] === null);
  if (need !== undefined) return notJudged(`it needs ${CHECK_NEEDS[need].flag}`, CHECK_NEEDS[need].help);
  const isOfClient = check.needs.includes('client');
  const required = [...(check.isIndependent === true || isOfClient ? [] : FIRST), ...(check.requires ?? [])];
  const broken = outcomes.find((one) => one.result === 'failed' && required.includes(one.check.number));
  if (broken === undefined) return null;
  return notJudged(`check ${broken.check.number} has to pass before this one means anything`);
}

/** An unsigned request: any answer to it proves that the receiver is there. */
async function reach(
  { target, make, answerLimitMs = ANSWER_LIMIT_MS }: CertifyOptions,
  line: CertifyLine,
): Promise<void> {
  const delivery = make.sos('a request to see whether the receiver is there', { signature: () => null });
  const { error, status }: Exchange = await sendTo(line, delivery, answerLimitMs);
  if (status !== null || error === null || error.startsWith('No answer within')) return;
  throw new Outage({
    code: 'receiver_not_reachable',
    message: `The receiver at ${target.href} cannot be reached: ${error}`,
    fix: error.startsWith('TLS')
      ? 'Production refuses this certificate too. Use --skip-verify to run the other checks. Nothing was judged.'
      : 'Start it first, or let certify start it: --start-command "node receiver.js". Nothing was judged.',
  });
}

/**
 * Waits until the receiver's client has walked to the end of the log, then opens a second gap and waits for that. Does
 * this only once.
 */
async function awaitClient(client: ApiClientWatch, { clientWaitMs: limitMs, machine }: CertifyOptions): Promise<void> {
  if (client.isTried) return;
  client.isTried = true;
  const hasFetched = async (ids: () => readonly string[]): Promise<boolean> => {
    const fetch = () => hasFetchedAll(client, ids, limitMs);
    const { value, lateMs } = await judgeOnTime(limitMs, fetch, { machine, depends: (hasAll) => !hasAll });
    client.walkLateMs ??= lateMs;
    return value;
  };
  if (!(await hasFetched(() => client.missed))) return;
  const late = await client.sandbox.raise(LATE_EVENTS);
  client.late = late;
  await hasFetched(() => late);
}

/** Continues to wait as long as further events are fetched within each period. */
async function hasFetchedAll(client: ApiClientWatch, ids: () => readonly string[], limitMs: number): Promise<boolean> {
  for (let before = -1; ; ) {
    if ((await client.until(() => client.hasFetched(ids()), limitMs)) !== null) return true;
    const { fetched } = client;
    const now = ids().filter((id) => fetched.has(id)).length;
    if (now === 0 || now === before) return false;
    before = now;
  }
}

export const countsOf = (outcomes: readonly CheckOutcome[]): { readonly [K in CheckResult]: number } => {
  const count = (result: CheckResult) => outcomes.filter((one) => one.result === result).length;
  return { passed: count('passed'), failed: count('failed'), advice: count('advice'), not_judged: count('not_judged') };
};
