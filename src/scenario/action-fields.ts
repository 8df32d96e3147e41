/** Fills in the fields of an action when its step begins: people to external ids, names to ids, ranges to draws. */
import { formatDuration } from '../base/durations.ts';
import type { Stream } from '../base/streams.ts';
import type { ActionName } from '../contract/actions.ts';
import type { Reference } from './references.ts';
import type { Cast, FieldValue, Group } from './story.ts';

export interface FieldSources {
  readonly cast: Cast;
  idOf(reference: Reference): string | undefined;
  /** One stream for each actor and purpose of a run: another step draws on from it. */
  stream(actor: string, purpose: string): Stream;
}

export type Resolved =
  | {
      readonly ok: true;
      /** As the actions endpoint takes them. */
      readonly body: Readonly<Record<string, unknown>>;
      /** As the log shows them: people by their short names. */
      readonly shown: Readonly<Record<string, unknown>>;
    }
  | { readonly ok: false; readonly missing: Reference };

export function resolveFields(
  step: { readonly action: ActionName; readonly fields: Readonly<Record<string, FieldValue>> },
  sources: FieldSources,
): Resolved {
  const body: Record<string, unknown> = {};
  const shown: Record<string, unknown> = {};
  const who = step.fields.who ?? step.fields.near;
  const actor = who?.kind === 'people' ? who.who.map(({ name }) => name).join(',') : '';
  for (const [key, field] of Object.entries(step.fields)) {
    switch (field.kind) {
      case 'plain':
        body[key] = field.value;
        break;
      case 'reference': {
        const id = sources.idOf(field.reference);
        if (id === undefined) return { ok: false, missing: field.reference };
        body[key] = id;
        break;
      }
      case 'draw':
        body[key] = formatDuration(sources.stream(actor, `${step.action}.${key}`).int(field.min, field.max));
        break;
      case 'people': {
        const people = field.who.flatMap((group) => peopleOf(group, step.action, sources));
        body[key] = field.listed || people.length > 1 ? people : people[0];
        shown[key] = field.who.map(({ name, count }) => (count === null ? name : `${count} of ${name}`)).join(', ');
        break;
      }
    }
    shown[key] ??= body[key];
  }
  return { ok: true, body, shown };
}

/** All of a name, or so many drawn; in the order of the cast. */
function peopleOf({ name, count }: Group, action: ActionName, { cast, stream }: FieldSources): readonly string[] {
  const people = cast.get(name) ?? [];
  if (count === null) return people;
  const drawn = new Set(stream(name, `${action}.who`).shuffle(people).slice(0, count));
  return people.filter((person) => drawn.has(person));
}
