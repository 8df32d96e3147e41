/** The type of a catalogue row, and the fields that several rows share. [decisions 9] */
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { JsonMap } from '../schema.ts';
import { AnyTime, Duration, described, inline, Latitude, Longitude, name } from '../shapes.ts';
import type { Misfit } from './combinations.ts';
import { type ActionProperties, holds, plain } from './field-kinds.ts';
import { FIELD_WORDS } from './field-words.ts';

/** The groups, in the order of the table in the scenario language. */
export const ACTION_GROUPS = ['worker', 'movement', 'plant', 'control_room', 'customer', 'faults'] as const;
export type ActionGroup = (typeof ACTION_GROUPS)[number];

/**
 * A row of the catalogue: everything that scenario steps, the endpoint, `sandbox trigger`, docs and completion need
 * [decisions 9].
 */
export interface ActionRow<F extends ActionProperties = ActionProperties> {
  readonly title: string;
  readonly help: string;
  /** An example body without `action`. */
  readonly example: Static<TObject<F>>;
  readonly group: ActionGroup;
  /** True if the token of a client may perform it: worker and watch, movement, plant [decisions 9]. */
  readonly clientMay: boolean;
  /** Each field declares the kind of value that it holds. */
  readonly fields: TObject<F>;
  /** The field that a value alone means in a scenario: `sos: ana` is `sos: {who: ana}`. Absent if there is none. */
  readonly alone?: keyof F & string;
  /** The ids in the reply; with a question mark if they are not always present. */
  readonly gives: readonly AnsweredKey[];
  /** What the name after `as` refers to in a scenario; absent if the step binds no name. */
  readonly binds?: 'alert' | 'muster' | 'permit';
  /**
   * Returns the fields of the same action that undo it, for the end of a step's `for`; null if there is nothing to
   * undo. Absent if the step does not accept `for`.
   */
  readonly undo?: (fields: JsonMap) => JsonMap | null;
  /** Returns why fields that are valid alone do not fit together; null if they do. Absent if all combinations fit. */
  readonly misfit?: (fields: JsonMap) => Misfit | null;
}

/** `alert_id`, or `alert_id?` if the action may raise no alert. */
type AnsweredKey = ActionResultKey | `${ActionResultKey}?`;
type ActionResultKey =
  | `${'worker' | 'device' | 'alert' | 'muster' | 'permit' | 'site' | 'client'}_id`
  | 'resent'
  | 'joined'
  | 'buffered';

/** Returns a function that makes the rows of a group. */
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

/** Adds a description to each field that has none. */
function withWords<F extends ActionProperties>(fields: F): F {
  const named = Object.entries(fields).map(([key, field]) => {
    const words = FIELD_WORDS[key];
    return [key, words === undefined || 'description' in field ? field : described(field, words)];
  });
  return Object.fromEntries(named) as F;
}

/** A worker's external_id or id, a watch's serial, or the id or unique name of an object [decisions 9]. */
const Reference = name(200);

/** The actor, or several actors in the order of the reply [decisions 9]. */
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

/** The company. Optional if there is only one; in a scenario, its own company is the default [decisions 9]. */
export const OwnCompany = Type.Optional(holds('company', name(200), []));

/** The operator of an action that names none. */
export const DEFAULT_OPERATOR = 'Control room';

/** The operator of the control room. */
export const By = plain(
  Type.Optional(
    Type.String({
      ...name(120),
      default: DEFAULT_OPERATOR,
    }),
  ),
);

/** The site. Optional if one of these fields implies it, or if there is only one [decisions 9]. */
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

/** A place, or a colleague whose position is meant. */
export const DestinationField = holds('destination', At);

/** A duration from now, or a time [decisions 9]. */
export const MomentField = holds(
  'moment',
  Type.Union([Duration, AnyTime], {
    description: 'A duration from now (90s, 15m) or an ISO time.',
    'x-rule': 'must be a duration like 15m, or a time like 2026-10-05T06:30:00Z',
  }),
);
