/** Sends one delivery to the receiver and records the answer. */
import { CLI } from '../../base/text/command-form.ts';
import { later, monotonicMs } from '../../base/time/timers.ts';
import { isDelivered, judge } from '../../service/webhooks/outcome.ts';
import { post } from '../../service/webhooks/post.ts';
import type { Sockets } from '../../service/webhooks/sockets.ts';
import type { CraftedDelivery } from './deliveries.ts';

export interface Exchange {
  readonly delivery: CraftedDelivery;
  /** Null if there was no answer. */
  readonly status: number | null;
  readonly answerHeaders: Readonly<Record<string, string>>;
  readonly answer: string;
  /** Null if there was an answer. */
  readonly error: string | null;
  /** What was wrong with the body of the answer, or null. */
  readonly note: string | null;
  /** Wall milliseconds, until the status line and the headers or the end of the attempt. */
  readonly tookMs: number;
}

/** Where deliveries go, and how. */
export interface CertifyLine {
  readonly target: URL;
  readonly sockets: Sockets;
  /** True if an https receiver may have any certificate. */
  readonly skipVerify: boolean;
}

/** `limitMs`: wall milliseconds until the attempt ends. */
export async function sendTo(
  { target, sockets, skipVerify }: CertifyLine,
  delivery: CraftedDelivery,
  limitMs: number,
): Promise<Exchange> {
  const late = new AbortController();
  const cancel = later(limitMs, () => late.abort());
  const startedMs = monotonicMs();
  const { headers, body } = delivery;
  const posting = {
    target,
    headers,
    body: Buffer.from(body),
    addresses: null,
    agent: sockets.for(target, { skipVerify }),
  };
  const reply = await post(posting, late.signal);
  cancel();
  const tenths = (ms: number) => Math.round(ms * 10) / 10;
  const outcome = judge(reply, `${CLI} certify --skip-verify`);
  if (reply.kind === 'answered') {
    const { status, body: answer, headers: answerHeaders, headersMs } = reply;
    return { delivery, status, answerHeaders, answer, error: null, note: outcome.note, tookMs: tenths(headersMs) };
  }
  const error = late.signal.aborted ? `No answer within ${limitMs / 1_000} s.` : outcome.error;
  const tookMs = tenths(monotonicMs() - startedMs);
  return { delivery, status: null, answerHeaders: {}, answer: '', error, note: null, tookMs };
}

/** Judges as the service does: a 2xx counts even if the body of the answer did not end. */
export const isAccepted = ({ status }: Exchange): boolean => status !== null && isDelivered(status);

/** Maximum characters of an answer's body in a sentence. */
const SHOWN = 160;

/** The answer as text, such as `401 in 3 ms: "bad signature"`. */
export function replyText({ status, answer, error, note, tookMs }: Exchange): string {
  if (status === null) return error ?? 'No answer.';
  const shown = answer.trim().replace(/\s+/g, ' ');
  const body =
    shown === '' || isDelivered(status) ? '' : `: ${shown.slice(0, SHOWN)}${shown.length > SHOWN ? '…' : ''}`;
  return `${status} in ${tookMs < 10 ? tookMs.toFixed(1) : tookMs.toFixed(0)} ms${body}${note === null ? '' : ` (${note})`}`;
}
