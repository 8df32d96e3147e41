/** The kinds of values of action fields. The scenario reader, drafts, completion, permissions and the published types use this declaration. [decisions 9] */
import type { TSchema } from 'typebox';

export type HeldKind =
  /** The acting people: one, or a list. An action has at most one such field. */
  | 'people'
  /** A zone of the site. */
  | 'zone'
  /** An assembly point of the site. */
  | 'point'
  /** A zone, coordinates or metres. */
  | 'place'
  /** A `place`, or a colleague whose position is meant; one, or a list. */
  | 'destination'
  | 'site'
  | 'company'
  | 'alert'
  | 'muster'
  /** The serial of a watch. */
  | 'watch'
  /** A webhook destination. */
  | 'receiver'
  /** A time, or a duration from now. */
  | 'moment'
  /** A map whose keys have kinds of their own. */
  | 'parts'
  /** A plain value, such as a word, a number or a duration, which the schema describes completely. */
  | 'plain';

export interface FieldHolding<K extends HeldKind = HeldKind> {
  readonly kind: K;
  /**
   * Set if the action also needs a value when the field is omitted. The value is then derived from these fields of the
   * same action. If the list is empty, there must be only one candidate, or the caller's own is used.
   */
  readonly inferredFrom?: readonly string[];
}

/** A schema that declares the kind of value that it holds. */
export type Holding<K extends HeldKind = HeldKind> = { readonly 'x-holds': FieldHolding<K> };

/** The fields of an action. Each declares the kind of value that it holds. */
export type ActionProperties = Readonly<Record<string, TSchema & Holding>>;

/** Adds the declaration of the kind of value to a schema. */
export function holds<const K extends HeldKind, T extends TSchema>(
  kind: K,
  schema: T,
  inferredFrom?: readonly string[],
): T & Holding<K> {
  // TypeBox uses non-enumerable properties, which a spread would lose.
  const copy = Object.create(Object.getPrototypeOf(schema), Object.getOwnPropertyDescriptors(schema)) as T & Holding<K>;
  const value: FieldHolding<K> = inferredFrom === undefined ? { kind } : { kind, inferredFrom };
  return Object.defineProperty(copy, 'x-holds', { value, enumerable: true, configurable: true });
}

/** Declares a plain value. */
export const plain = <T extends TSchema>(schema: T): T & Holding<'plain'> => holds('plain', schema);
