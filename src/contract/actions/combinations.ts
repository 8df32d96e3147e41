/** Fields of an action that are valid alone, but not together. Declared once: the endpoint and the scenarios refuse the same. */
import type { JsonMap } from '../schema.ts';

/** Why fields do not fit together, and the fields to change. */
export interface Misfit {
  readonly message: string;
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
}

type Combination = (fields: JsonMap) => Misfit | null;

export const required = (message: string, key: string): Misfit => ({
  message,
  errors: [{ pointer: `/${key}`, detail: 'is required' }],
});

/** At least one of the fields is needed. */
export const someOf =
  (message: string, ...keys: readonly string[]): Combination =>
  (fields) =>
    keys.some((key) => fields[key] !== undefined) ? null : required(message, keys[0] as string);

/** Exactly one of two fields is needed. */
export const eitherOf =
  (one: string, other: string): Combination =>
  (fields) =>
    (fields[one] === undefined) !== (fields[other] === undefined) ? null : eitherNeeded(one, other);

export const eitherNeeded = (one: string, other: string): Misfit => ({
  message: `Name either ${one} or ${other}.`,
  errors: [{ pointer: `/${one}`, detail: `is required where ${other} is not given` }],
});
