/** `sandbox replay run.jsonl --to URL`: sends the deliveries of a recorded run to a receiver, newly signed. [scenario-language, replay] */
import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { later, monotonicMs, wallMs } from '../../base/time/timers.ts';
import type { RecordedDelivery } from '../../scenario/log/recorded-run.ts';
import { deliveryHeaders } from '../../service/domain/deliveries/signature.ts';
import { ANSWER_LIMIT_MS, type AttemptOutcome, judge, TOO_LATE } from '../../service/webhooks/outcome.ts';
import { post } from '../../service/webhooks/post.ts';

export interface Replayed {
  readonly event_id: string;
  readonly type: string;
  readonly status: number | null;
  /** Null if the delivery succeeded. */
  readonly error: string | null;
  readonly took_ms: number;
}

interface ReplayOptions {
  readonly to: URL;
  readonly secret: string;
  /** Speed in simulated ms per wall ms; null for no pauses. */
  readonly speed: number | null;
  readonly onReplayed: (delivery: RecordedDelivery, replayed: Replayed) => void;
  readonly signal: AbortSignal;
}

/** Sends the deliveries sequentially, once each, without retries. */
export async function replayDeliveries(
  deliveries: readonly RecordedDelivery[],
  { to, secret, speed, onReplayed, signal }: ReplayOptions,
): Promise<Replayed[]> {
  const agent = to.protocol === 'https:' ? new TlsAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const [first] = deliveries;
  const startedMs = monotonicMs();
  const done: Replayed[] = [];
  try {
    for (const delivery of deliveries) {
      const dueMs = speed === null ? 0 : (delivery.atMs - (first?.atMs ?? 0)) / speed;
      await pause(startedMs + dueMs - monotonicMs(), signal);
      if (signal.aborted) break;
      const replayed = await send(delivery, { to, secret, agent });
      done.push(replayed);
      onReplayed(delivery, replayed);
    }
  } finally {
    agent.destroy();
  }
  return done;
}

/** Sends the same body and id with a current timestamp and signature, and with the timeout of 5 s. [decisions 7] */
async function send(
  { eventId, type, body }: RecordedDelivery,
  { to, secret, agent }: { readonly to: URL; readonly secret: string; readonly agent: Agent },
): Promise<Replayed> {
  const headers = deliveryHeaders(eventId, body, [secret], wallMs());
  const late = new AbortController();
  const cancel = later(ANSWER_LIMIT_MS, () => late.abort());
  const startedMs = monotonicMs();
  const posting = { target: to, headers, body: Buffer.from(body), addresses: null, agent };
  const answer = await post(posting, late.signal);
  cancel();
  const outcome: AttemptOutcome = late.signal.aborted && answer.kind === 'unanswered' ? TOO_LATE : judge(answer);
  const took = Math.round((monotonicMs() - startedMs) * 10) / 10;
  return { event_id: eventId, type, status: outcome.status, error: outcome.error, took_ms: took };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const cancel = later(ms, resolve);
    signal.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });
}
