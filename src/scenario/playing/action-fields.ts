/** Resolves the fields of an action when its step begins: people to external ids, names to ids, ranges to draws. */

import type { ActionName } from '../../contract/actions.ts';
import type { JsonMap } from '../../contract/schema.ts';
import { type DrawStreams, drawnFrom, type PlacedDraw, withDrawn } from '../story/draws.ts';
import type { Reference } from '../story/references.ts';
import type { CastGroup, FieldValue, StoryCast } from '../story/story.ts';

export interface FieldSources {
  readonly cast: StoryCast;
  idOf(reference: Reference): string | undefined;
  /** The random stream of an actor and purpose; later steps continue it. */
  readonly stream: DrawStreams;
  /** The url of a receiver's destination. */
  urlOf(receiver: string): string;
}

export type ResolvedFields =
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

export function resolveFields(step: ActionStepFields, sources: FieldSources): ResolvedFields {
  const entries = Object.entries(step.fields);
  const body: Record<string, unknown> = {};
  const shown: Record<string, unknown> = {};
  for (const [key, field] of entries) {
    if (field.kind === 'plain' || field.kind === 'drawn') body[key] = field.value;
    else if (field.kind === 'receiver') {
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

/** Draws separately for each person in `who`. */
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
  const who = fields.who ?? fields.near;
  const whose = who?.kind === 'people' ? who.who.map(({ name }) => name).join(',') : '';
  const key = fields.who === undefined ? 'near' : 'who';
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

/** All people of a name, or `count` drawn from them, in the order of the cast. */
function peopleOf({ name, count }: CastGroup, action: ActionName, { cast, stream }: FieldSources): readonly string[] {
  const people = cast.get(name) ?? [];
  if (count === null) return people;
  const drawn = new Set(stream(name, `${action}.who`).shuffle(people).slice(0, count));
  return people.filter((person) => drawn.has(person));
}
