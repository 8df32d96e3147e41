/** The context of a failure: events, requests and deliveries within some seconds of the failing step, with bodies. */
import type { RunFailure } from '../judging/run-reporter.ts';

/** Window before the beginning of the step and after its verdict, simulated ms. */
const BEFORE_MS = 10_000;
const AFTER_MS = 10_000;

/** Limit of entries; those nearest to the verdict are kept. */
const MOST_AROUND = 40;

/** Maximum length of a body; characters of JSON. */
const LONGEST_BODY = 20_000;

/** Fields that hold credentials. */
const SECRETS = /^(?:secret|client_secret|access_token|token|authorization|.*_secret)$/i;

export interface ShownHappening {
  readonly t: number;
  readonly kind: 'event' | 'delivery' | 'request' | 'mail' | 'watch';
  readonly text: string;
  /** Body as JSON text; null if unknown. */
  readonly body: string | null;
}

/** As recorded: bodies become text only if shown. */
export interface ReportHappening extends Omit<ShownHappening, 'body'> {
  body: unknown;
}

/** The happenings around one failure in order, and the number omitted. */
export interface FailureContext {
  readonly happenings: readonly ShownHappening[];
  readonly leftOut: number;
}

export function aroundOf({ beganMs, atMs }: RunFailure, happenings: readonly ReportHappening[]): FailureContext {
  const near = happenings.filter(({ t }) => t >= beganMs - BEFORE_MS && t <= atMs + AFTER_MS);
  const byDistance = near.toSorted((a, b) => distance(a.t, beganMs, atMs) - distance(b.t, beganMs, atMs));
  const kept = new Set(byDistance.slice(0, MOST_AROUND));
  const entries = near.filter((one) => kept.has(one)).map((one) => ({ ...one, body: bodyText(one.body) }));
  return { happenings: entries, leftOut: near.length - entries.length };
}

/** Distance from the beginning of the step or its verdict, whichever is nearer. */
const distance = (t: number, beganMs: number, atMs: number): number =>
  Math.min(Math.abs(t - beganMs), Math.abs(t - atMs));

function bodyText(body: unknown): string | null {
  if (body === null || body === undefined) return null;
  const hidden = (key: string, value: unknown) => (SECRETS.test(key) && typeof value === 'string' ? '(hidden)' : value);
  const text = JSON.stringify(body, hidden, 2);
  return text.length > LONGEST_BODY ? `${text.slice(0, LONGEST_BODY)}\n… ${text.length - LONGEST_BODY} more` : text;
}
