/** Simulates a rate limit and a revoked token. Each trial begins when the receiver's own calls have ended. [spec 5, 7, 8] */
import { monotonicMs } from '../../../base/time/timers.ts';
import type { ApiClientWatch, ClientCall, Trial } from '../api-client-watch.ts';
import { advice, type CheckBench, type Finding, failed, notJudged, passed, type ReceiverCheck } from '../check.ts';
import { callText, clientCheck, REST_MS } from './client.ts';

/**
 * A call that starts within this time after an answer was sent counts as in flight when it arrived; wall milliseconds.
 */
const GRACE_MS = 150;

/**
 * A wait that is shorter by this number of milliseconds still counts as complete, because each side reads its own
 * clock.
 */
const EARLY_MS = 100;

/** Number of alerts that are delivered at the same time, so that a receiver with concurrent tasks uses several. */
const ALERTS = 3;

/**
 * Time after a delivery within which the receiver makes its calls. A receiver that does not may call only at its start.
 * Wall milliseconds.
 */
const PROMPT_MS = 5_000;

/** Multiple of `--client-wait` that is allowed for a poll of unknown interval, since clients may poll once a minute. */
const POLL_PATIENCE = 2.5;

/** The outcome of a trial. Times are monotonic milliseconds. */
interface TrialOutcome {
  /** When the calls that met the trial got their answers. */
  readonly answeredMs: number;
  /** Calls that were in flight together when the first of them was refused. */
  readonly refused: readonly ClientCall[];
  /** The refused calls that were never repeated. */
  readonly left: readonly ClientCall[];
  /** Data calls that started after the answer. */
  readonly after: readonly ClientCall[];
  /** How long certify waited for a further call. */
  readonly waitedMs: number;
}

const same = (one: ClientCall, other: ClientCall): boolean => one.method === other.method && one.path === other.path;

/** True for a list that a client may fetch at intervals: its path names no object. */
const isPoll = ({ method, path }: ClientCall): boolean => method === 'GET' && !/[0-9a-f]{8}-[0-9a-f]{4}-/.test(path);

async function runTrial(bench: CheckBench, kind: Trial['kind']): Promise<TrialOutcome | null> {
  const client = bench.client!;
  const { clientWaitMs } = bench;
  await client.quiet(REST_MS);
  const trial = client.beginTrial(kind);
  try {
    await deliverAlerts(bench, client);
    const isMet = () => trial.metMs !== null;
    const promptMs = Math.min(PROMPT_MS, clientWaitMs);
    let met = await client.until(isMet, promptMs);
    // A receiver that calls the API only at its start is restarted.
    if (met === null) await bench.process?.again();
    met ??= await client.until(isMet, Math.max(promptMs, clientWaitMs - promptMs));
    if (met === null) return null;
    return await outcomeOf(client, trial, clientWaitMs);
  } finally {
    client.endTrial();
  }
}

/** Raises alerts in the sandbox, and delivers them as the service does. */
async function deliverAlerts({ make, send }: CheckBench, client: ApiClientWatch): Promise<void> {
  const ids = await client.sandbox.raiseOpen(ALERTS);
  await Promise.all(
    ids.map((id) => send(make.raw('a new SOS, at the same time as others', id, client.sandbox.eventBody(id)!))),
  );
}

async function outcomeOf(client: ApiClientWatch, met: Trial, clientWaitMs: number): Promise<TrialOutcome> {
  const answeredMs = client.answersAtMs(met);
  const startMs = met.kind === 'throttled' ? client.limitEndsMs(met) : answeredMs;
  const refusedNow = () =>
    client.dataCalls.filter(
      (one) => one.trial === met.kind && one.answeredMs >= met.beganMs && one.startedMs <= answeredMs,
    );
  const leftOf = (refused: readonly ClientCall[]) =>
    refused.filter(
      (one) =>
        !client.dataCalls.some((other) => other.startedMs > answeredMs && other.trial !== met.kind && same(one, other)),
    );
  const isRepeated = () => {
    const refused = refusedNow();
    return refused.length > 0 && leftOf(refused).length === 0;
  };
  const waitUntil = (endMs: number) => client.until(isRepeated, endMs - monotonicMs());
  await waitUntil(startMs + clientWaitMs);
  // Waits longer for a poll that may have a longer interval, and for a client that is still working through its calls.
  const left = leftOf(refusedNow());
  const isBusy = client.dataCalls.some((one) => !isPoll(one) && one.startedMs > startMs + clientWaitMs / 2);
  if (left.some((one) => isPoll(one) && !isFrequent(client, one, clientWaitMs)) || (left.length > 0 && isBusy))
    await waitUntil(startMs + clientWaitMs * POLL_PATIENCE);
  const refused = refusedNow();
  const after = client.dataCalls.filter(({ startedMs }) => startedMs > answeredMs + GRACE_MS);
  return { answeredMs, refused, left: leftOf(refused), after, waitedMs: monotonicMs() - startMs };
}

/** True if the poll was made before, and its interval is shorter than half of the time that certify waited. */
function isFrequent(client: ApiClientWatch, poll: ClientCall, waitMs: number): boolean {
  const before = client.dataCalls.filter((one) => same(one, poll) && one.startedMs < poll.startedMs);
  const last = before.filter(({ query }) => !new URLSearchParams(query).has('cursor')).at(-1);
  return last !== undefined && poll.startedMs - last.startedMs < waitMs / 2;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const MORE_WAIT = ' (Does your system call more rarely than that? Use --client-wait to wait longer.)';

const NO_CALL = (what: string): Finding =>
  notJudged(
    `no call of the receiver met ${what}: it made none after new alerts, nor at its start`,
    'It has to poll, to acknowledge critical alerts, or to fetch something at its start; Use --client-wait to wait longer.',
  );

/** The sentence about a call that was never repeated: how long certify waited, and which calls came instead. */
function neverAgain({ left, after, waitedMs }: TrialOutcome): string {
  const [first] = left as readonly [ClientCall];
  const more = left.length > 1 ? `, and ${left.length - 1} more calls were not either` : '';
  const others = after.length === 0 ? 'no call came at all' : `${after.length} other calls came`;
  return `${callText(first)} was refused and never made again${more}: ${others} in the ${seconds(waitedMs)} that followed`;
}

/** A receiver that makes no more calls would fail the next checks too, so it is restarted. */
const startedAnew = async (bench: CheckBench, finding: Finding): Promise<Finding> => {
  if (finding.result === 'failed') await bench.process?.again();
  return finding;
};

function judgeLimit({ times: { retryAfterS } }: ApiClientWatch, outcome: TrialOutcome): Finding {
  const { answeredMs, refused, left, after } = outcome;
  const sent = `a 429 with Retry-After: ${retryAfterS} to ${refused.length === 1 ? 'a call' : `${refused.length} calls that were in flight together`}`;
  const endMs = answeredMs + retryAfterS * 1_000 - EARLY_MS;
  const early = after.filter(({ startedMs }) => startedMs < endMs);
  const again = early.filter((one) => refused.some((other) => same(one, other)));
  const [first] = again;
  if (first !== undefined)
    return failed(
      sent,
      `${callText(first)} came again ${seconds(first.startedMs - answeredMs)} after the answer, and ${again.length} such calls came before ${retryAfterS} s were over`,
      {
        production: 'The service refuses it again until older calls leave the window of one minute.',
        fix: 'Retry-After is in whole seconds. Wait for this time before any further call of this client, then repeat the call.',
      },
    );
  if (left.length > 0)
    return failed(sent, `${neverAgain(outcome)} after Retry-After was over`, {
      production: 'The purpose of that call is lost: an alert stays unacknowledged, or events stay missing.',
      fix: `Wait as many seconds as Retry-After says, then make the same call again.${MORE_WAIT}`,
    });
  const next = after.find((one) => refused.some((other) => same(one, other)));
  const got = `made again ${next === undefined ? 'in time' : `${seconds(next.startedMs - answeredMs)} after the answer`}`;
  if (early.length === 0) return passed(sent, got);
  return advice(
    sent,
    `${got}; ${early.length} other calls came before Retry-After was over, first ${callText(early[0]!)}`,
    'The limit applies to the client: wait before any further call, not only before the refused one.',
  );
}

function judgeToken(client: ApiClientWatch, outcome: TrialOutcome): Finding {
  const { answeredMs, refused, left, after } = outcome;
  const sent = `a 401 invalid_token to ${refused.length === 1 ? 'a call' : `${refused.length} calls that were in flight together`}: the token was revoked`;
  const fix =
    'After a 401, discard the token, request a new one once, and repeat the call. A token can also be revoked before it expires.';
  const renewed = client.tokenCalls.find(
    ({ startedMs, status }) => status === 200 && startedMs > answeredMs - client.times.gatherMs,
  );
  const isOld = ({ token }: ClientCall) => refused.some((one) => one.token === token);
  const stale = after.filter(
    (one) => isOld(one) && (renewed === undefined || one.startedMs > renewed.answeredMs + GRACE_MS),
  );
  if (renewed === undefined)
    return failed(
      sent,
      `no new token in ${seconds(outcome.waitedMs)}, and ${stale.length === 0 ? 'no further call' : `${stale.length} further calls with the refused one`}`,
      {
        production: 'Every further call gets 401 until your system is restarted, so lost events are not fetched.',
        fix: `${fix}${MORE_WAIT}`,
      },
    );
  if (stale.length > MOST_STALE)
    return failed(sent, `${stale.length} further calls with the refused token after a new one was there`, {
      production: 'The service refuses each of them, and each counts against the limit.',
      fix,
    });
  if (left.length > 0)
    return failed(sent, `a new token, but ${neverAgain(outcome)}`, {
      production: 'The purpose of that call is lost: an alert stays unacknowledged, or events stay missing.',
      fix: `${fix}${MORE_WAIT}`,
    });
  return passed(sent, 'a new token, and the call again');
}

/** Several parts of a system may each hold the token. Each of them then gets its own 401. */
const MOST_STALE = 2;

export const TRIAL_CHECKS: readonly ReceiverCheck[] = [
  clientCheck({
    number: 54,
    title: 'Retry-After of a 429 is obeyed',
    clause: '7, 8',
    timedMs: ({ client }) => (client?.times.retryAfterS ?? 0) * 1_000,
    judge: async (client, bench) => {
      const outcome = await runTrial(bench, 'throttled');
      return outcome === null ? NO_CALL('a limit') : startedAnew(bench, judgeLimit(client, outcome));
    },
  }),
  clientCheck({
    number: 55,
    title: 'A 401 leads to a new token, and the call is made again',
    clause: '5, 7',
    judge: async (client, bench) => {
      const outcome = await runTrial(bench, 'revoked');
      return outcome === null ? NO_CALL('a revoked token') : startedAnew(bench, judgeToken(client, outcome));
    },
  }),
];
