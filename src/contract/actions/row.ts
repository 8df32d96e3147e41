/** What a row of the action catalogue is made of, and the words that several rows share. [decisions 9] */
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { AnyTime, Duration, inline, Latitude, Longitude, name } from '../shapes.ts';

/** Rows of a kind, in the order of the scenario language's table. */
export const ACTION_GROUPS = ['worker', 'movement', 'plant', 'control_room', 'customer', 'faults'] as const;
export type ActionGroup = (typeof ACTION_GROUPS)[number];

/** One row: what scenario steps, the endpoint, `sandbox trigger`, docs and completion need [decisions 9]. */
export interface ActionRow<F extends TProperties = TProperties> {
  readonly title: string;
  readonly help: string;
  /** A body of it, without `action`. */
  readonly example: Static<TObject<F>>;
  readonly group: ActionGroup;
  /** Whether a client's own token may do it: worker and watch, movement, plant [decisions 9]. */
  readonly clientMay: boolean;
  readonly fields: TObject<F>;
}

export const row = <F extends TProperties>(
  entry: Omit<ActionRow<F>, 'fields' | 'clientMay'> & { fields: F },
): ActionRow<F> => ({
  ...entry,
  clientMay: entry.group === 'worker' || entry.group === 'movement' || entry.group === 'plant',
  fields: inline(entry.fields),
});

/** A worker's external_id or id, a watch's serial, or an id or unique name of a thing [decisions 9]. */
export const Reference = name(200);

/** Who acts: one, or several in the order in which the answer lists them [decisions 9]. */
export const Who = Type.Union([Reference, Type.Array(Reference, { minItems: 1 })], {
  description: 'A worker’s external_id or id, a watch’s serial, or a list of them [decisions 9].',
});

/** An organization's name or a client_id; may be left out where there is only one [decisions 9]. */
export const Company = name(200);

/** Who did it at the control room. */
export const By = name(120);

/** May be left out where the person or the object tells it, or there is only one [decisions 9]. */
export const SiteReference = Type.String({
  format: 'text',
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  'x-rule': 'must not be blank',
  description: 'Id or name; may be left out where there is only one site, or the person tells it.',
});

/** Metres east and north of the site's origin. */
export const Metres = Type.Array(Type.Number({ minimum: -100_000, maximum: 100_000 }), {
  minItems: 2,
  maxItems: 2,
  description: 'Metres east and north of the site’s origin.',
});

const Coordinates = inline({ latitude: Latitude, longitude: Longitude });

/** A place of the site [decisions 9, fine print of actions]. */
export const At = Type.Union([Reference, Coordinates, Metres], {
  description: 'A zone (id or name), {latitude, longitude}, or [x, y] metres from the site’s origin.',
});

/** A moment: so long from now, or a time [decisions 9]. */
export const Moment = Type.Union([Duration, AnyTime], {
  description: 'A duration from now (90s, 15m) or an ISO time.',
  'x-rule': 'must be a duration like 15m, or a time like 2026-10-05T06:30:00Z',
});
