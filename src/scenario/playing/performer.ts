/** Performs actions of the catalogue, and updates of alerts by operators. */

import { type Clock, type Instant, LANE } from '../../base/time/clock.ts';
import { formatDuration } from '../../base/time/durations.ts';
import {
  ACTIONS,
  type ActionName,
  type ActionResult,
  type ActionRow,
  holdingOf,
  peopleFieldOf,
} from '../../contract/actions.ts';
import type { JsonMap } from '../../contract/schema.ts';
import type { ApiRefusal } from '../customer/customer.ts';
import type { RunReporter } from '../judging/run-reporter.ts';
import type { StepTrack } from '../judging/track.ts';
import type { RunRecord } from '../log/run-record.ts';
import { type DrawStreams, drawnFrom, type SpanDraws, withDrawn } from '../model/draws.ts';
import type { PlacedDraw } from '../model/planned-draws.ts';
import { idOf, type NamedThing, type Reference, valueBehind } from '../model/references.ts';
import type { CastGroup, FieldValue, ScenarioCast, StepBody, StepFrame, UpdateBody } from '../model/scenario.ts';
import type { CustomerPorts } from './customer-steps.ts';
import type { StepWork } from './step-work.ts';

/** The outcome of an action: a refusal, or a result per actor. */
export type PerformedAction = ApiRefusal | { readonly results: readonly ActionResult[] };

export interface PerformerPorts extends Pick<CustomerPorts, 'customerOf'> {
  /** Performs an action of the catalogue. */
  act(action: ActionName, fields: JsonMap): Promise<PerformedAction>;
}

interface PerformerParts {
  readonly clock: Clock;
  readonly record: RunRecord;
  readonly spans: SpanDraws;
  readonly cast: ScenarioCast;
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
    if (!resolved.ok) return this.#parts.steps.unnamed(step, resolved.missing, track, begin);
    track.act(record.position);
    const { who, ...rest } = resolved.shown;
    const lastsMs = step.forMs === null ? null : this.#parts.spans.ms(step.forMs, step, 'for');
    const ending =
      lastsMs !== null && 'ends_after' in ACTIONS[step.action].fields.properties
        ? { ends_after: formatDuration(lastsMs) }
        : {};
    reporter.log({ k: 'act', step: step.action, line: step.line, who: String(who ?? rest['by'] ?? ''), d: rest });
    const results = await this.#parts.steps.work(step, async () => {
      const done: ActionResult[] = [];
      for (const body of resolved.bodies) {
        const acted = await ports.act(step.action, { ...body, ...ending });
        if ('refused' in acted) return acted;
        done.push(...acted.results);
      }
      return done;
    });
    if ('refused' in results) return this.#parts.steps.refused(step, results, track, begin);
    this.#parts.steps.succeeded(step);
    if (step.as !== null) this.#name(step, step.as, results, track);
    if (lastsMs !== null) this.#undoLater(step, begin + lastsMs, resolved.bodies);
    return this.#parts.steps.actedAt(begin);
  }

  #undoLater(step: ActionStep, due: Instant, bodies: readonly JsonMap[]): void {
    const { clock, steps, ports } = this.#parts;
    const { action } = step;
    const undone = bodies.flatMap((body) => (ACTIONS[action] as ActionRow).undo?.(body) ?? []);
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
    let isSkipped = false;
    for (const reference of step.alerts) {
      const id = idIn(track, reference);
      if (id === undefined) {
        this.#parts.steps.unnamed(step, reference, track, begin);
        isSkipped = true;
        continue;
      }
      track.act(since);
      reporter.log({ k: 'act', step: word, line: step.line, who: step.by, d: { alert: id, ...fields } });
      const done = await this.#parts.steps.work(step, () => this.#updateOne(step, word, id));
      if (done === null) continue;
      refusal = done;
      this.#parts.steps.refused(step, done, track, begin);
    }
    if (refusal === null && !isSkipped) this.#parts.steps.succeeded(step);
    return this.#parts.steps.actedAt(begin);
  }

  async #updateOne(step: UpdateBody, word: 'acknowledge' | 'resolve', id: string): Promise<ApiRefusal | null> {
    const { customerOf, act } = this.#parts.ports;
    if (step.via === 'api') return customerOf(null).updateAlert(id, fieldsOf(step));
    const { by, reason, note } = step;
    const remarks = { ...(reason === null ? {} : { reason }), ...(note === null ? {} : { note }) };
    const acted = await act(word, { alert: id, by, via: 'panel', ...remarks });
    return 'refused' in acted ? acted : null;
  }

  /** Binds the name in `as` to the object that the action touched or created. */
  #name(step: ActionStep, as: string, results: readonly ActionResult[], track: StepTrack): void {
    const { record } = this.#parts;
    const kind = step.names;
    const isOnlyBegin =
      kind === null || (results[0]?.[`${kind}_id`] === undefined && step.nameUse?.isObjectUsed === false);
    if (isOnlyBegin) return track.names.set(as, { kind: 'answer', id: '', body: null }, track.began);
    const [result] = results;
    const id = result?.[`${kind}_id`];
    if (id === undefined) {
      track.names.setUnbound(as, step);
      return this.#parts.steps.fail(step, `It made no ${kind}, so $${as} has no value.`);
    }
    const body =
      kind === 'alert' ? record.alerts.get(id)?.alert : kind === 'muster' ? record.musters.get(id)?.muster : undefined;
    const named: NamedThing = { kind, id, body: body ?? { id } };
    track.names.set(as, named, track.began);
  }
}

/** Returns the id of a reference; undefined if its name is not bound. */
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

// Resolves the fields of an action when its step begins: people to external ids, names to ids, ranges to drawn values.

interface FieldSources {
  readonly cast: ScenarioCast;
  idOf(reference: Reference): string | undefined;
  /** The random stream of an actor and purpose; later steps continue it. */
  readonly stream: DrawStreams;
  /** The url of a receiver's destination. */
  urlOf(receiver: string): string;
}

type ResolvedFields =
  | {
      readonly ok: true;
      /** Requests to the actions endpoint: one, or one per person if values are drawn. */
      readonly bodies: readonly JsonMap[];
      /** For the log: people by short name. */
      readonly shown: JsonMap;
    }
  | { readonly ok: false; readonly missing: Reference };

interface ActionStepFields {
  readonly action: ActionName;
  readonly fields: Readonly<Record<string, FieldValue>>;
}

function resolveFields(step: ActionStepFields, sources: FieldSources): ResolvedFields {
  const entries = Object.entries(step.fields);
  const body: Record<string, unknown> = {};
  const shown: Record<string, unknown> = {};
  for (const [key, field] of entries) {
    if (field.kind === 'plain' || field.kind === 'drawn') {
      shown[key] = field.value;
      body[key] = holdingOf(step.action, key)?.kind === 'destination' ? onTheWay(field.value, sources) : field.value;
    } else if (field.kind === 'receiver') {
      body[key] = sources.urlOf(field.receiver);
      shown[key] = field.receiver;
    } else if (field.kind === 'reference') {
      const id = sources.idOf(field.reference);
      if (id === undefined) return { ok: false, missing: field.reference };
      body[key] = id;
    } else if (field.kind === 'people') {
      const people = field.who.flatMap((group) => peopleOf(group, step.action, sources));
      body[key] = field.listed || people.length > 1 ? people : people[0];
      shown[key] = field.who.map(({ name, count }) => (count === null ? name : `${count} of ${name}`)).join(', ');
    }
    shown[key] ??= body[key];
  }
  const bodies = withDraws(step, body, shown, sources);
  return { ok: true, bodies, shown };
}

/** Resolves a list of destinations, in which colleagues may be given by short name. */
function onTheWay(value: unknown, { cast }: FieldSources): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((one: unknown) => (typeof one === 'string' ? (cast.get(one)?.[0] ?? one) : one));
}

/** Draws values separately for each person who acts. */
function withDraws(
  { action, fields }: ActionStepFields,
  body: Record<string, unknown>,
  shown: Record<string, unknown>,
  { stream }: FieldSources,
): JsonMap[] {
  const draws = Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'drawn' ? [[name, field] as const] : [],
  );
  if (draws.length === 0) return [body];
  const key = peopleFieldOf(action) ?? '';
  const who = fields[key];
  const whose = who?.kind === 'people' ? who.who.map(({ name }) => name).join(',') : '';
  const people: readonly unknown[] = Array.isArray(body[key]) ? (body[key] as unknown[]) : [body[key]];
  const bodies = people.map((person) => {
    const actor = people.length === 1 ? whose : String(person);
    const drawn = draws.map(([name, { value, draws: placed }]) => {
      const drawOf = ({ path, draw }: PlacedDraw) => drawnFrom(draw, stream(actor, [action, name, ...path].join('.')));
      return [name, withDrawn(value, placed, drawOf)] as const;
    });
    return { ...body, ...(people.length === 1 ? {} : { [key]: person }), ...Object.fromEntries(drawn) };
  });
  for (const [name] of draws) {
    const values = bodies.map((one) => (one as JsonMap)[name]);
    shown[name] = values.length === 1 ? values[0] : values;
  }
  return bodies;
}

/** Returns all people of a name, or `count` people drawn from them, in the order of the cast. */
function peopleOf({ name, count }: CastGroup, action: ActionName, { cast, stream }: FieldSources): readonly string[] {
  const people = cast.get(name) ?? [];
  if (count === null) return people;
  const drawn = new Set(stream(name, `${action}.who`).shuffle(people).slice(0, count));
  return people.filter((person) => drawn.has(person));
}
