/** The form of a row of the catalogue, and fields that rows share. [decisions 9] */
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { JsonMap } from '../schema.ts';
import { AnyTime, Duration, described, inline, Latitude, Longitude, name } from '../shapes.ts';
import { type ActionProperties, holds, plain } from './field-kinds.ts';
import { FIELD_WORDS } from './field-words.ts';

/** In the order of the scenario language's table. */
export const ACTION_GROUPS = ['worker', 'movement', 'plant', 'control_room', 'customer', 'faults'] as const;
export type ActionGroup = (typeof ACTION_GROUPS)[number];

/** Everything that scenario steps, the endpoint, `sandbox trigger`, docs and completion need [decisions 9]. */
export interface ActionRow<F extends ActionProperties = ActionProperties> {
  readonly title: string;
  readonly help: string;
  /** An example body without `action`. */
  readonly example: Static<TObject<F>>;
  readonly group: ActionGroup;
  /** A client's token may do it: worker and watch, movement, plant [decisions 9]. */
  readonly clientMay: boolean;
  /** Each says in its own declaration what it holds. */
  readonly fields: TObject<F>;
  /** What the answer names; with a question mark: not always. */
  readonly gives: readonly AnsweredKey[];
  /** What the name after `as` stands for in a scenario; absent: the step binds none. */
  readonly binds?: 'alert' | 'muster' | 'permit';
  /** The fields of the same action that undo these, which a step's `for` does when its time is over; null: nothing to undo. Absent: the step takes no `for`. */
  readonly undo?: (fields: JsonMap) => JsonMap | null;
}

/** `alert_id`, or `alert_id?` where the action may raise none. */
type AnsweredKey = ActionResultKey | `${ActionResultKey}?`;
type ActionResultKey =
  | `${'worker' | 'device' | 'alert' | 'muster' | 'permit' | 'site' | 'client'}_id`
  | 'resent'
  | 'joined'
  | 'buffered';

/** Makes the rows of a group. */
export const rowOf =
  (group: ActionGroup) =>
  <F extends ActionProperties>(
    entry: Omit<ActionRow<F>, 'fields' | 'clientMay' | 'group'> & { fields: F },
  ): ActionRow<F> => ({
    ...entry,
    group,
    clientMay: group === 'worker' || group === 'movement' || group === 'plant',
    fields: inline(withWords(entry.fields)),
  });

/** The fields, each with a description. */
function withWords<F extends ActionProperties>(fields: F): F {
  const named = Object.entries(fields).map(([key, field]) => {
    const words = FIELD_WORDS[key];
    return [key, words === undefined || 'description' in field ? field : described(field, words)];
  });
  return Object.fromEntries(named) as F;
}

/** A worker's external_id or id, a watch's serial, or the id or unique name of an object [decisions 9]. */
const Reference = name(200);

/** The actor, or several in the order of the answer [decisions 9]. */
export const Who = holds(
  'people',
  Type.Union([Reference, Type.Array(Reference, { minItems: 1 })], {
    description: 'A worker’s external_id or id, a watch’s serial, or a list of them [decisions 9].',
  }),
);

export const ZoneField = holds('zone', Reference);
export const AssemblyPointField = holds('point', Reference);
export const AlertReference = holds('alert', Reference);
export const SiteField = holds('site', Reference);

/** An organization's name or a client_id [decisions 9]. */
export const Company = holds('company', name(200));

/** Optional if there is only one; a scenario means its own [decisions 9]. */
export const OwnCompany = Type.Optional(holds('company', name(200), []));

/** The operator of the control room. */
export const By = plain(name(120));

/** Optional if one of these fields implies it, or there is only one [decisions 9]. */
export const siteFrom = <T extends TSchema>(schema: T, ...fields: readonly string[]) =>
  Type.Optional(holds('site', schema, fields));

export const SiteReference = Type.String({
  format: 'text',
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  'x-rule': 'must not be blank',
  description:
    'The id or the name of the site. It can be omitted if there is only one site, or if the worker determines the site.',
});

/** Metres east and north of the site's origin. */
export const Metres = Type.Array(Type.Number({ minimum: -100_000, maximum: 100_000 }), {
  minItems: 2,
  maxItems: 2,
  description: 'Metres east and north of the site’s origin.',
});

const Coordinates = inline({ latitude: Latitude, longitude: Longitude });

/** A point or zone of the site [decisions 9, fine print of actions]. */
const At = Type.Union([Reference, Coordinates, Metres], {
  description: 'A zone (id or name), {latitude, longitude}, or [x, y] metres from the site’s origin.',
});
export const PlaceField = holds('place', At);

/** One place, or the colleague who is there. */
export const DestinationField = holds('destination', At);

/** A duration from now, or a time [decisions 9]. */
export const MomentField = holds(
  'moment',
  Type.Union([Duration, AnyTime], {
    description: 'A duration from now (90s, 15m) or an ISO time.',
    'x-rule': 'must be a duration like 15m, or a time like 2026-10-05T06:30:00Z',
  }),
);
