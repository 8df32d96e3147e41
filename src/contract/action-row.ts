/** What a row of the action catalogue is made of. */
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { inline, name } from './shapes.ts';

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

/** A row as it is written in the catalogue; its fields become a closed object. */
export const row = <F extends TProperties>(entry: Omit<ActionRow<F>, 'fields'> & { fields: F }): ActionRow<F> => ({
  ...entry,
  fields: inline(entry.fields),
});

/** A worker's external_id or id, a watch's serial, or an id or unique name of a thing [decisions 9]. */
export const Reference = name(200);

/** Who acts: one, or several in the order in which the answer lists them [decisions 9]. */
export const Who = Type.Union([Reference, Type.Array(Reference, { minItems: 1 })], {
  description: 'A worker’s external_id or id, a watch’s serial, or a list of them [decisions 9].',
});
