/** Validates untrusted values: a compiled check, and messages with pointers for a value that it refuses. */
import type { Static, TSchema } from 'typebox';
import { Set as setFormat } from 'typebox/format';
import { Compile, type Validator } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { type CheckError, explain } from './explain.ts';
import { FORMATS } from './formats.ts';
import type { SchemaNode } from './schema.ts';

export { type CheckError, MAX_ERRORS } from './explain.ts';

/** The valid value, or the violated rules [decisions 2]. */
export type Checked<T> = { ok: true; value: T } | { ok: false; errors: CheckError[] };

const validators = new WeakMap<TSchema, Validator>();
let prepared = false;

/**
 * Returns the value unchanged. Errors have JSON pointers, also to a missing or unknown key; at most twenty
 * [decisions 2].
 */
export function check<S extends TSchema>(schema: S, value: unknown): Checked<Static<S>> {
  if (validatorOf(schema).Check(value)) return { ok: true, value: value as Static<S> };
  const errors = explain(schema as SchemaNode, value);
  return { ok: false, errors: errors.length > 0 ? errors : [{ pointer: '', detail: UNEXPLAINED }] };
}

/** Not reachable, unless the compiled check and the explanation disagree. */
export const UNEXPLAINED = 'does not fit its schema';

// Compiled on first use, to keep the import cheap.
function validatorOf(schema: TSchema): Validator {
  let validator = validators.get(schema);
  if (validator === undefined) {
    prepare();
    validator = Compile(schema as object) as unknown as Validator;
    validators.set(schema, validator);
  }
  return validator;
}

function prepare(): void {
  if (prepared) return;
  prepared = true;
  for (const [name, { admits }] of Object.entries(FORMATS)) setFormat(name, admits);
  // An optional key is absent or has a value, in code and in JSON.
  Settings.Set({ exactOptionalPropertyTypes: true });
}
