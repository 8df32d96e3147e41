/** Records the events, requests, deliveries, e-mails and watch messages of a run. */

import { formatDuration } from '../../base/time/durations.ts';
import type { Event } from '../../contract/events.ts';
import type { AttemptNotice, Notice } from '../../contract/notices.ts';
import type { HttpAnswer, HttpCall } from '../customer/http-client.ts';
import type { RunFailure } from '../judging/run-reporter.ts';
import { nearestTo } from '../log/around.ts';
import { objectOf } from '../model/references.ts';
import type { HappeningKind } from './html/packed-run.ts';
import { HIDDEN } from './redaction.ts';

/** Number of latest calls in which the call of a reply is searched. */
const CALLS_LOOKED_AT = 20;

interface HappeningNames {
  personOf(workerId: string): string | undefined;
  receiverOf(url: string): string | null;
}

export class Happenings {
  readonly all: GrowingHappening[] = [];
  readonly #events = new Map<string, { readonly event: unknown; readonly about: HappeningSubjects }>();
  /** The worker of each alert. */
  readonly #workers = new Map<string, string>();
  #names: HappeningNames | null = null;

  sees(names: HappeningNames): void {
    this.#names = names;
  }

  add(notice: Notice, t: number): void {
    const happening = this.happeningOf(notice);
    if (happening !== null) this.all.push({ t, ...happening });
  }

  /** Adds request and response to the entry of a call that a notice already reported. */
  called({ method, path, body, form }: HttpCall, { status, body: got }: HttpAnswer): void {
    const name = callName(method, path, status);
    const known = this.all
      .slice(-CALLS_LOOKED_AT)
      .findLast((one) => one.kind === 'request' && one.body === null && one.text.startsWith(name));
    if (known !== undefined)
      known.body = { ...(body === undefined && form === undefined ? {} : { sent: body ?? form }), got };
  }

  happeningOf(notice: Notice): Omit<GrowingHappening, 't'> | null {
    switch (notice.kind) {
      case 'event-occurred':
        return this.#event(notice.event);
      case 'delivery-attempted':
        return this.#delivery(notice);
      case 'request-answered':
        return this.#request(notice);
      case 'mail-sent':
        return { ...NOTHING, kind: 'mail', text: `to ${notice.to}: ${notice.subject}`, body: notice.text };
      case 'watch-online':
      case 'watch-offline': {
        const text = `${notice.serial} ${notice.kind === 'watch-online' ? 'online' : 'offline'}`;
        return { ...NOTHING, kind: 'watch', text };
      }
      case 'watch-refused':
      case 'watch-noted':
        return { ...NOTHING, kind: 'watch', text: `${notice.serial ?? 'somebody'}: ${notice.what}: ${notice.why}` };
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

  #event(event: Event): Omit<GrowingHappening, 't'> {
    const { id, type, kind, worker } = objectOf(event) as {
      id: string;
      type?: string;
      kind?: string;
      worker?: { id: string } | null;
    };
    const about = { worker: worker?.id ?? null, object: id };
    this.#events.set(event.id, { event, about });
    if (about.worker !== null) this.#workers.set(id, about.worker);
    const who = worker ? (this.#names?.personOf(worker.id) ?? worker.id) : null;
    const words = [type ?? kind ?? '', who === null ? '' : `of ${who}`].filter((part) => part !== '').join(' ');
    return { ...NOTHING, ...about, kind: 'event', text: `${event.type} ${words}`.trim(), body: event };
  }

  #delivery(notice: AttemptNotice): Omit<GrowingHappening, 't'> {
    const { url, event_id, event_type, status, error, result, offset_ms, signatures } = notice;
    const receiver = this.#names?.receiverOf(url) ?? 'another destination';
    const came = status ?? error ?? 'no answer';
    const known = this.#events.get(event_id);
    return {
      ...NOTHING,
      ...known?.about,
      receiver,
      kind: 'delivery',
      text: `${receiver} ← ${event_type}, try ${notice.try}: ${came}, ${result}`,
      body: known?.event ?? null,
      facts: [
        ['answer', String(came)],
        ['result', result],
        ['attempt', `${notice.try}, ${formatDuration(Math.round(offset_ms))} after the event`],
        ['X-Service-Event-Id', event_id],
        // Signatures depend on the secret and on wall time, so a report only shows their number.
        ['X-Service-Signature', Array.from({ length: signatures }, () => `v1=${HIDDEN}`).join(',')],
      ],
    };
  }

  #request(notice: Extract<Notice, { kind: 'request-answered' }>): Omit<GrowingHappening, 't'> | null {
    const { method, path, query, status, code } = notice;
    if (path.startsWith('/v1/sandbox/')) return null;
    const whole = query === '' ? path : `${path}?${query.replace(/^\?/, '')}`;
    const object = /^\/v1\/(?:alerts|musters)\/([^/?]+)/.exec(path)?.[1] ?? null;
    const worker = object === null ? null : (this.#workers.get(object) ?? null);
    const text = `${callName(method, whole, status)}${code === null ? '' : ` ${code}`}`;
    return { ...NOTHING, worker, object, kind: 'request', text };
  }
}

const NOTHING = { worker: null, object: null, receiver: null, body: null, facts: [] } as const;

const callName = (method: string, path: string, status: number): string => `${method} ${path} ${status}`;

/** Longest body that is shown as text; characters of JSON. */
const LONGEST_BODY = 20_000;

/** Ids of the objects of a happening; null if there is none. */
interface HappeningSubjects {
  readonly worker: string | null;
  /** The id of an alert or muster. */
  readonly object: string | null;
}

export interface ReportHappening extends HappeningSubjects {
  readonly t: number;
  readonly kind: HappeningKind;
  readonly text: string;
  /** The receiver of a delivery, by its short name. */
  readonly receiver: string | null;
  /** JSON: an event, or `{sent, got}` of a request; null if unknown. */
  readonly body: unknown;
  /** Further details for display: the reply, headers. */
  readonly facts: readonly (readonly [name: string, value: string])[];
}

/** The body of a request becomes known after the request was recorded. */
type GrowingHappening = { -readonly [K in keyof ReportHappening]: ReportHappening[K] };

export interface ShownHappening extends Pick<ReportHappening, 't' | 'kind' | 'text'> {
  /** Index in the happenings of the run. */
  readonly place: number;
  /** Body as JSON text; null if unknown. */
  readonly body: string | null;
}

/** The happenings around one failure in order, and the number of omitted ones. */
export interface FailureContext {
  readonly happenings: readonly ShownHappening[];
  readonly leftOut: number;
}

export function aroundOf(failure: RunFailure, happenings: readonly ReportHappening[]): FailureContext {
  const { kept, leftOut } = nearestTo(failure, happenings);
  const entries = happenings.flatMap((one, place) =>
    kept.has(one) ? [{ t: one.t, kind: one.kind, text: one.text, place, body: bodyText(one.body) }] : [],
  );
  return { happenings: entries, leftOut };
}

/** Secrets have already been removed. */
function bodyText(body: unknown): string | null {
  if (body === null || body === undefined) return null;
  const text = JSON.stringify(body, null, 2);
  return text.length > LONGEST_BODY ? `${text.slice(0, LONGEST_BODY)}\n… ${text.length - LONGEST_BODY} more` : text;
}
