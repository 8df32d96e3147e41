/** What happened around a failing step: events, requests and deliveries some seconds before and after it, with their bodies. */
import type { RunFailure } from '../judging/telling.ts';

/** Simulated ms before the step began and after its verdict fell. */
const BEFORE_MS = 10_000;
const AFTER_MS = 10_000;

/** More would hide what matters; the nearest to the verdict stay. */
const MOST_AROUND = 40;

/** Maximum length of a body; characters of JSON. */
const LONGEST_BODY = 20_000;

/** Values of these fields let somebody in. */
const SECRETS = /^(?:secret|client_secret|access_token|token|authorization|.*_secret)$/i;

export interface ToldHappening {
  readonly t: number;
  readonly kind: 'event' | 'delivery' | 'request' | 'mail' | 'watch';
  readonly text: string;
  /** What was sent or answered, as JSON text; null where nothing is known of it. */
  readonly body: string | null;
}

/** As it is remembered: the body becomes text only for the entries that are shown. */
export interface ReportHappening extends Omit<ToldHappening, 'body'> {
  body: unknown;
}

/** The happenings about one failure, in their order, and how many were left out. */
export interface FailureContext {
  readonly happenings: readonly ToldHappening[];
  readonly leftOut: number;
}

export function aroundOf({ beganMs, atMs }: RunFailure, happenings: readonly ReportHappening[]): FailureContext {
  const near = happenings.filter(({ t }) => t >= beganMs - BEFORE_MS && t <= atMs + AFTER_MS);
  const byDistance = near.toSorted((a, b) => distance(a.t, beganMs, atMs) - distance(b.t, beganMs, atMs));
  const kept = new Set(byDistance.slice(0, MOST_AROUND));
  const told = near.filter((one) => kept.has(one)).map((one) => ({ ...one, body: bodyText(one.body) }));
  return { happenings: told, leftOut: near.length - told.length };
}

/** From the nearer of the step's beginning and its verdict. */
const distance = (t: number, beganMs: number, atMs: number): number =>
  Math.min(Math.abs(t - beganMs), Math.abs(t - atMs));

function bodyText(body: unknown): string | null {
  if (body === null || body === undefined) return null;
  const hidden = (key: string, value: unknown) => (SECRETS.test(key) && typeof value === 'string' ? '(hidden)' : value);
  const text = JSON.stringify(body, hidden, 2);
  return text.length > LONGEST_BODY ? `${text.slice(0, LONGEST_BODY)}\n… ${text.length - LONGEST_BODY} more` : text;
}
