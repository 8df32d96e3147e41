/** Sends one delivery to the receiver and keeps what came back. */
import { CLI } from '../base/text/command-form.ts';
import { later, monotonicMs } from '../base/time/timers.ts';
import { ANSWER_LIMIT_MS, judge } from '../webhooks/outcome.ts';
import { post } from '../webhooks/post.ts';
import type { Sockets } from '../webhooks/sockets.ts';
import type { CraftedDelivery } from './deliveries.ts';

export interface Exchange {
  readonly delivery: CraftedDelivery;
  /** Null: no answer. */
  readonly status: number | null;
  readonly answerHeaders: Readonly<Record<string, string>>;
  readonly answer: string;
  /** Null: answered. */
  readonly error: string | null;
  /** Wall milliseconds, until the status line or the end of the attempt. */
  readonly tookMs: number;
}

/** Where deliveries go, and how. */
export interface CertifyLine {
  readonly target: URL;
  readonly sockets: Sockets;
  /** An https receiver may have any certificate. */
  readonly skipVerify: boolean;
}

/** `limitMs`: wall milliseconds until the attempt ends. */
export async function sendTo(
  { target, sockets, skipVerify }: CertifyLine,
  delivery: CraftedDelivery,
  limitMs = ANSWER_LIMIT_MS,
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
  const tookMs = Math.round((monotonicMs() - startedMs) * 10) / 10;
  if (reply.kind === 'answered') {
    const { status, body: answer, headers: answerHeaders } = reply;
    return { delivery, status, answerHeaders, answer, error: null, tookMs };
  }
  const error = late.signal.aborted
    ? `No answer within ${limitMs / 1_000} s.`
    : judge(reply, `${CLI} certify --skip-verify`).error;
  return { delivery, status: null, answerHeaders: {}, answer: '', error, tookMs };
}

export const isAccepted = ({ status }: Exchange): boolean => status !== null && status >= 200 && status < 300;

/** Characters of an answer's body that a sentence shows. */
const SHOWN = 160;

/** `401 in 3 ms: "bad signature"`. */
export function replyText({ status, answer, error, tookMs }: Exchange): string {
  if (status === null) return error ?? 'No answer.';
  const shown = answer.trim().replace(/\s+/g, ' ');
  const body =
    shown === '' || (status >= 200 && status < 300)
      ? ''
      : `: ${shown.slice(0, SHOWN)}${shown.length > SHOWN ? '…' : ''}`;
  return `${status} in ${tookMs < 10 ? tookMs.toFixed(1) : tookMs.toFixed(0)} ms${body}`;
}
