/** Refusals and outages as errors of the library: the message says what to do, in the caller's words. */
import { Outage } from '../base/assert.ts';
import type { Rejection } from '../domain/changes.ts';
import { inOptions } from '../sandbox/options/names.ts';
import type { SandboxError } from './types.ts';

interface RefusedAnswer {
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

/** What the sandbox or the API refused. */
export function refusal({ code, detail, errors = [] }: RefusedAnswer | Rejection, doing = ''): SandboxError {
  // Most details name their first place already.
  const places = errors.filter((one) => !detail.includes(one.detail)).map((one) => `${one.pointer} ${one.detail}`);
  const message = [`${doing}${detail}`, ...places].join(' ');
  return Object.assign(new Error(message), { name: 'SandboxError', code, errors });
}

/** An outage whose message has the fix too, since a test runner prints nothing else. */
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
  // The published name of the property.
  return Object.assign(withFix, { cure: fix });
}
