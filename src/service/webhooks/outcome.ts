/** Evaluates a reply: any 2xx means delivered, anything else is a failure with a sentence that gives the reason. The sender, sessions of `listen`, `certify` and the report of a delivery all use this code. [spec 4, 6.4, decisions 7] */
import { isRedirect } from '../domain/deliveries/refusal-causes.ts';
import { type BodyEnd, MAX_ANSWER_BYTES, type ReceiverReply } from './post.ts';

/** Wall milliseconds from the start of the name look-up to the status line. [spec 8] */
export const ANSWER_LIMIT_MS = 5_000;

export interface AttemptOutcome {
  readonly delivered: boolean;
  readonly status: number | null;
  /** Null when delivered. The text contains no ports and durations, because it is part of canonical logs. */
  readonly error: string | null;
  /** A problem of a reply that still counts; null: none. */
  readonly note: string | null;
}

export const failed = (error: string): AttemptOutcome => ({ delivered: false, status: null, error, note: null });

/** Only 2xx counts as delivered. [spec 6.4] */
export const isDelivered = (status: number): boolean => status >= 200 && status < 300;

const NOTES: Readonly<Record<BodyEnd, string | null>> = {
  whole: null,
  open: `The body of the answer had not ended after ${ANSWER_LIMIT_MS / 1_000} s.`,
  broken: 'The connection broke off in the body of the answer.',
  long: `The body of the answer is longer than ${MAX_ANSWER_BYTES / 1_024} KiB; the rest was not read.`,
};

export const TOO_LATE = failed(`No answer within ${ANSWER_LIMIT_MS / 1_000} s.`);

/** `acceptingFlag`: the flag that accepts any certificate of this receiver; null: no flag does. */
export function judge(answer: ReceiverReply, acceptingFlag: string | null = null): AttemptOutcome {
  if (answer.kind === 'unanswered') return failed(sentenceOf(answer.error, acceptingFlag));
  const { status } = answer;
  const note = NOTES[answer.bodyEnd];
  if (isDelivered(status)) return { delivered: true, status, error: null, note };
  const error = isRedirect(status)
    ? `The receiver answered ${status}; redirections are not followed.`
    : `The receiver answered ${status}; only 2xx counts as delivered.`;
  return { delivered: false, status, error, note };
}

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused: nothing listens there.',
  ENOTFOUND: 'The name does not resolve.',
  EAI_AGAIN: 'The name does not resolve.',
  EHOSTUNREACH: 'There is no way to the receiver.',
  ENETUNREACH: 'There is no way to the receiver.',
  ETIMEDOUT: 'There is no way to the receiver.',
  HPE_HEADER_OVERFLOW: 'The headers of the answer are larger than 64 KiB.',
};

/** Error codes of Node.js for an answer whose status line is right, and one of whose headers is not. */
const HEADER_ERROR =
  /^HPE_(?:INVALID_HEADER_TOKEN|INVALID_CONTENT_LENGTH|UNEXPECTED_CONTENT_LENGTH|INVALID_TRANSFER_ENCODING|CR_EXPECTED|LF_EXPECTED)$/;

/**
 * How a connection breaks (ECONNRESET, EPIPE, a socket that hangs up) is random, so the sentence is the same for all
 * these errors.
 */
function sentenceOf({ code = '' }: NodeJS.ErrnoException, acceptingFlag: string | null): string {
  const known = SENTENCES[code];
  if (known !== undefined) return known;
  if (HEADER_ERROR.test(code)) return 'A header of the answer is not valid HTTP.';
  if (code.startsWith('HPE_')) return 'The answer is not HTTP.';
  if (isCertificate(code) && acceptingFlag !== null)
    return `TLS failed: ${code}. ${acceptingFlag} accepts any certificate here.`;
  if (isTls(code)) return `TLS failed: ${code}.`;
  return 'The receiver closed the connection without an answer.';
}

const isTls = (code: string): boolean => code === 'EPROTO' || /^ERR_(TLS|SSL)_/.test(code) || isCertificate(code);

/** Error codes of Node.js for a certificate: its issuer, its validity, or its name. */
const isCertificate = (code: string): boolean =>
  code === 'ERR_TLS_CERT_ALTNAME_INVALID' || /^(CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_/.test(code);
