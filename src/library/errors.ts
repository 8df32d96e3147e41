/**
 * Refusals and outages as errors of the library. The message says what to do, and names options as the caller wrote
 * them.
 */
import { Outage } from '../base/assert.ts';
import { didYouMean, list, quoted } from '../contract/sentences.ts';
import { inOptions } from '../sandbox/options/names.ts';
import type { Rejection } from '../service/domain/changes.ts';
import type { SandboxError } from './types.ts';

interface RefusedAnswer {
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

/** The error for a request that the sandbox or the API refused. */
export function refusal({ code, detail, errors = [] }: RefusedAnswer | Rejection, doing = ''): SandboxError {
  // Most details already name their first place.
  const places = errors.filter((one) => !detail.includes(one.detail)).map((one) => `${one.pointer} ${one.detail}`);
  const message = [`${doing}${detail}`, ...places].join(' ');
  return Object.assign(new Error(message), { name: 'SandboxError', code, errors });
}

/** Adds the fix to the message of an outage, since a test runner prints only the message. */
export function outage(error: unknown): unknown {
  if (!(error instanceof Outage)) return error;
  const { code, exitCode } = error;
  const [message, fix] = [inOptions(error.message), inOptions(error.fix)];
  const withFix = new Outage({
    code,
    exitCode,
    message: `${message}${/[.!?]$/.test(message) ? '' : '.'} ${fix}`,
    fix,
    cause: error,
  });
  // The package publishes the property under this name.
  return Object.assign(withFix, { cure: fix });
}

/** Throws for a key that a call does not have: a limit that is not read would be a default without a word. */
export function refuseUnknown<T extends object>(call: string, given: T, known: readonly (keyof T & string)[]): void {
  for (const name of Object.keys(given)) {
    if (known.some((one) => one === name)) continue;
    const detail = `${call} has no ${quoted(name)}.${didYouMean(name, known)} It takes ${list(known).replace(' or ', ' and ')}.`;
    throw refusal({ code: 'invalid_options', detail });
  }
}
