/** The kinds of values of action fields. The scenario reader, drafts, completion, permissions and the published types use this declaration. [decisions 9] */
import type { TSchema } from 'typebox';

export type HeldKind =
  /** Those who act: one, or a list. An action has at most one such field. */
  | 'people'
  /** A zone of the site. */
  | 'zone'
  /** An assembly point of the site. */
  | 'point'
  /** A zone, coordinates or metres. */
  | 'place'
  /** The same, or a colleague who is there; one, or a list. */
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
  /** A value by itself, such as a word, a number or a duration: the schema says everything about it. */
  | 'plain';

export interface FieldHolding<K extends HeldKind = HeldKind> {
  readonly kind: K;
  /**
   * The action needs one all the same when the field is left out. These fields of the same action tell which; empty: none
   * does, so there must be only one, or the caller's own is meant.
   */
  readonly inferredFrom?: readonly string[];
}

/** A schema that declares what it holds. */
export type Holding<K extends HeldKind = HeldKind> = { readonly 'x-holds': FieldHolding<K> };

/** The fields of an action: each declares what it holds. */
export type ActionProperties = Readonly<Record<string, TSchema & Holding>>;

/** The schema with the declaration of what it holds. */
export function holds<const K extends HeldKind, T extends TSchema>(
  kind: K,
  schema: T,
  inferredFrom?: readonly string[],
): T & Holding<K> {
  // TypeBox keeps non-enumerable marks, which a spread would lose.
  const copy = Object.create(Object.getPrototypeOf(schema), Object.getOwnPropertyDescriptors(schema)) as T & Holding<K>;
  const value: FieldHolding<K> = inferredFrom === undefined ? { kind } : { kind, inferredFrom };
  return Object.defineProperty(copy, 'x-holds', { value, enumerable: true, configurable: true });
}

/** A value by itself. */
export const plain = <T extends TSchema>(schema: T): T & Holding<'plain'> => holds('plain', schema);
