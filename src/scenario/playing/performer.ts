/** Performs actions of the catalogue, and updates of alerts by operators. */

import { type Clock, type Instant, LANE } from '../../base/clock.ts';
import type { ActionName, ActionResult } from '../../contract/actions.ts';
import type { JsonMap } from '../../contract/schema.ts';
import type { ApiRefusal } from '../customer/customer.ts';
import { unnamedText } from '../judging/failure-text.ts';
import type { RunReporter } from '../judging/run-reporter.ts';
import type { StepTrack } from '../judging/track.ts';
import type { RunRecord } from '../log/run-record.ts';
import { isLasting, type LastingAction } from '../reading/step-kinds.ts';
import type { SpanDraws } from '../story/draws.ts';
import { idOf, type NamedThing, type Reference, valueBehind } from '../story/references.ts';
import type { StepBody, StepFrame, StoryCast, UpdateBody } from '../story/story.ts';
import { resolveFields } from './action-fields.ts';
import type { CustomerPorts } from './customer-steps.ts';
import type { StepWork } from './step-work.ts';

/** [spec 8] */
export const DEFAULT_LIMITS = { requests_per_minute: 600, query_seconds_per_minute: 30, query_time_factor: 1 };

/** The action that undoes a lasting one at the end of `for`; null where there is nothing to undo. */
const UNDO: { readonly [K in LastingAction]: (body: JsonMap) => object | null } = {
  signal: ({ who, is, kind }) => (is === 'lost' ? { who, is: 'back', ...(kind === undefined ? {} : { kind }) } : null),
  deliveries: ({ to }) => ({ to, duplicate: 1, shuffle: '0s', hold: '0s' }),
  broker: ({ does }) => (does === 'stop' ? { does: 'start' } : null),
  api_fault: () => ({ share: 0 }),
  limits: ({ company }) => ({ ...(company === undefined ? {} : { company }), ...DEFAULT_LIMITS }),
};

/** The outcome of an action: a refusal, or a result per actor. */
export type PerformedAction = ApiRefusal | { readonly results: readonly ActionResult[] };

export interface PerformerPorts extends Pick<CustomerPorts, 'customerOf'> {
  /** Performs an action of the catalogue. */
  act(action: ActionName, fields: JsonMap): Promise<PerformedAction>;
}

export interface PerformerParts {
  readonly clock: Clock;
  readonly record: RunRecord;
  readonly spans: SpanDraws;
  readonly cast: StoryCast;
  readonly reporter: RunReporter;
  readonly steps: StepWork;
  readonly ports: PerformerPorts;
  /** The url of a receiver's destination. */
  urlOf(receiver: string): string;
}

type ActionStep = StepFrame & Extract<StepBody, { kind: 'action' }>;

export class Performer {
  readonly #parts: PerformerParts;

  constructor(parts: PerformerParts) {
    this.#parts = parts;
  }

  async act(step: ActionStep, begin: Instant, track: StepTrack): Promise<Instant> {
    const { record, reporter, cast, ports } = this.#parts;
    const resolved = resolveFields(step, {
      cast,
      idOf: (reference) => idIn(track, reference),
      stream: this.#parts.spans.stream,
      urlOf: this.#parts.urlOf,
    });
    if (!resolved.ok) return this.#parts.steps.refuse(step, unnamedText(resolved.missing), 'no_name', begin);
    track.act(record.position);
    const { who, ...rest } = resolved.shown;
    reporter.log({ k: 'act', step: step.action, line: step.line, who: String(who ?? rest['by'] ?? ''), d: rest });
    const results = await this.#parts.steps.work(step, async () => {
      const done: ActionResult[] = [];
      for (const body of resolved.bodies) {
        const acted = await ports.act(step.action, body);
        if ('refused' in acted) return acted;
        done.push(...acted.results);
      }
      return done;
    });
    if ('refused' in results) return this.#parts.steps.refused(step, results, begin);
    this.#parts.steps.succeeded(step);
    if (step.as !== null) this.#name(step, step.as, results, track);
    if (step.forMs !== null)
      this.#undoLater(step, begin + this.#parts.spans.ms(step.forMs, step, 'for'), resolved.bodies);
    return this.#parts.steps.actedAt(begin);
  }

  #undoLater(step: ActionStep, due: Instant, bodies: readonly JsonMap[]): void {
    const { clock, steps, ports } = this.#parts;
    const { action } = step;
    const undone = isLasting(action) ? bodies.flatMap((body) => UNDO[action](body) ?? []) : [];
    if (undone.length === 0) return;
    clock.at(due, { lane: LANE.step, actor: `undo ${step.line}` }, () => {
      void steps.work(step, async () => {
        for (const body of undone) await ports.act(step.action, body as Record<string, unknown>);
      });
    });
  }

  async update(step: StepFrame & UpdateBody, begin: Instant, track: StepTrack): Promise<Instant> {
    const { record, reporter } = this.#parts;
    const since = record.position;
    const word = step.status === 'acknowledged' ? 'acknowledge' : 'resolve';
    const fields = fieldsOf(step);
    let refusal: ApiRefusal | null = null;
    for (const reference of step.alerts) {
      const id = idIn(track, reference);
      if (id === undefined) {
        this.#parts.steps.refuse(step, unnamedText(reference), 'no_name', begin);
        continue;
      }
      track.act(since);
      reporter.log({ k: 'act', step: word, line: step.line, who: step.by, d: { alert: id, ...fields } });
      const done = await this.#parts.steps.work(step, () => this.#updateOne(step, word, id));
      if (done === null) continue;
      refusal = done;
      this.#parts.steps.refused(step, done, begin);
    }
    if (refusal === null) this.#parts.steps.succeeded(step);
    return this.#parts.steps.actedAt(begin);
  }

  async #updateOne(step: UpdateBody, word: 'acknowledge' | 'resolve', id: string): Promise<ApiRefusal | null> {
    const { customerOf, act } = this.#parts.ports;
    if (step.via === 'api') return customerOf(null).updateAlert(id, fieldsOf(step));
    const { by, reason, note } = step;
    const said = { ...(reason === null ? {} : { reason }), ...(note === null ? {} : { note }) };
    const acted = await act(word, { alert: id, by, via: 'panel', ...said });
    return 'refused' in acted ? acted : null;
  }

  /** Binds `as` to what the action touched or created. */
  #name(step: ActionStep, as: string, results: readonly ActionResult[], track: StepTrack): void {
    const { record } = this.#parts;
    const kind = step.names;
    const [result] = results;
    const id = kind === null ? undefined : result?.[`${kind}_id`];
    if (kind === null || id === undefined)
      return this.#parts.steps.fail(step, `It made no ${kind ?? 'thing'}, so $${as} stands for nothing.`);
    const body =
      kind === 'alert' ? record.alerts.get(id)?.alert : kind === 'muster' ? record.musters.get(id)?.muster : undefined;
    const named: NamedThing = { kind, id, body: body ?? { id } };
    track.names.set(as, named);
  }
}

/** The id behind a reference; undefined if its name is not bound. */
function idIn({ names }: StepTrack, reference: Reference): string | undefined {
  const named = names.get(reference.name);
  return named === undefined ? undefined : idOf(valueBehind(reference, named));
}

function fieldsOf({ status, by, externalId, reason, note }: UpdateBody) {
  return {
    status,
    actor: { name: by, ...(externalId === null ? {} : { external_id: externalId }) },
    ...(reason === null ? {} : { resolution_reason: reason }),
    ...(note === null ? {} : { note }),
  };
}
