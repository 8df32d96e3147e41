/** Records events, requests and deliveries of a run, for the context of failures. */

import type { Notice } from '../../contract/notices.ts';
import type { HttpAnswer, HttpCall } from '../customer/http-client.ts';
import type { RunFailure } from '../judging/run-reporter.ts';
import { objectOf } from '../model/references.ts';

/** Number of latest calls searched for the one that was answered. */
const CALLS_LOOKED_AT = 20;

interface HappeningNames {
  personOf(workerId: string): string | undefined;
  receiverOf(url: string): string | null;
}

export class Happenings {
  readonly all: ReportHappening[] = [];
  readonly #events = new Map<string, unknown>();
  #names: HappeningNames | null = null;

  sees(names: HappeningNames): void {
    this.#names = names;
  }

  add(notice: Notice, t: number): void {
    const happening = this.happeningOf(notice);
    if (happening !== null) this.all.push({ t, ...happening });
  }

  /** Adds request and response to the entry of a call that was reported before. */
  called({ method, path, body, form }: HttpCall, { status, body: got }: HttpAnswer): void {
    const name = callName(method, path, status);
    const known = this.all
      .slice(-CALLS_LOOKED_AT)
      .findLast((one) => one.kind === 'request' && one.body === null && one.text.startsWith(name));
    if (known !== undefined)
      known.body = { ...(body === undefined && form === undefined ? {} : { sent: body ?? form }), got };
  }

  happeningOf(notice: Notice): Omit<ReportHappening, 't'> | null {
    switch (notice.kind) {
      case 'event-occurred': {
        const { event } = notice;
        const { type, kind, worker } = objectOf(event) as {
          type?: string;
          kind?: string;
          worker?: { id: string } | null;
        };
        this.#events.set(event.id, event);
        const who = worker ? (this.#names?.personOf(worker.id) ?? worker.id) : null;
        const about = [type ?? kind ?? '', who === null ? '' : `of ${who}`].filter((part) => part !== '').join(' ');
        return { kind: 'event', text: `${event.type} ${about}`.trim(), body: event };
      }
      case 'delivery-attempted': {
        const { url, event_id, event_type, status, error, result } = notice;
        const name = this.#names?.receiverOf(url) ?? 'another destination';
        const came = status ?? error ?? 'no answer';
        const text = `${name} ← ${event_type}, try ${notice.try}: ${came}, ${result}`;
        return { kind: 'delivery', text, body: this.#events.get(event_id) ?? null };
      }
      case 'request-answered': {
        const { method, path, query, status, code } = notice;
        if (path.startsWith('/v1/sandbox/')) return null;
        const whole = query === '' ? path : `${path}?${query.replace(/^\?/, '')}`;
        return {
          kind: 'request',
          text: `${callName(method, whole, status)}${code === null ? '' : ` ${code}`}`,
          body: null,
        };
      }
      case 'mail-sent':
        return { kind: 'mail', text: `to ${notice.to}: ${notice.subject}`, body: notice.text };
      case 'watch-online':
      case 'watch-offline':
        return {
          kind: 'watch',
          text: `${notice.serial} ${notice.kind === 'watch-online' ? 'online' : 'offline'}`,
          body: null,
        };
      case 'watch-refused':
      case 'watch-noted':
        return { kind: 'watch', text: `${notice.serial ?? 'somebody'}: ${notice.what}: ${notice.why}`, body: null };
      case 'alert-changed':
      case 'muster-changed':
      case 'destination-changed':
      case 'destination-deleted':
      case 'uplink-heard':
      case 'internal-error':
      case 'mail-refused':
      case 'broker-changed':
      case 'nodes-changed':
      case 'run-stopped':
      case 'storage-full':
      case 'storage-broken':
        return null;
    }
  }
}

const callName = (method: string, path: string, status: number): string => `${method} ${path} ${status}`;

/** Window before the beginning of the step and after its result, simulated ms. */
const BEFORE_MS = 10_000;
const AFTER_MS = 10_000;

/** Limit of entries; those nearest to the result are kept. */
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
interface ReportHappening extends Omit<ShownHappening, 'body'> {
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

/** Distance from the beginning of the step or its result, whichever is nearer. */
const distance = (t: number, beganMs: number, atMs: number): number =>
  Math.min(Math.abs(t - beganMs), Math.abs(t - atMs));

function bodyText(body: unknown): string | null {
  if (body === null || body === undefined) return null;
  const hidden = (key: string, value: unknown) => (SECRETS.test(key) && typeof value === 'string' ? '(hidden)' : value);
  const text = JSON.stringify(body, hidden, 2);
  return text.length > LONGEST_BODY ? `${text.slice(0, LONGEST_BODY)}\n… ${text.length - LONGEST_BODY} more` : text;
}
