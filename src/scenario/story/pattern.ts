/** Patterns of checks: regular expressions with linear-time matching, so that none can block the event loop (ReDoS). */
import { RE2JS } from 're2js';

/** A compiled pattern; `String()` returns its source. */
export interface Pattern {
  /** Unanchored match. */
  test(text: string): boolean;
  toString(): string;
}

/** Longest accepted source, in characters. */
const LONGEST = 1_000;

/**
 * Limit of automaton states: matching costs at most one step per state and character. Measured: 25 ns a step
 * at worst, so at most 1.6 s for 64 KiB, and 13 ms for 500 characters (a note).
 */
const MOST_STATES = 1_000;

/** `\k<name>`, which RE2 would read as a letter; not preceded by an escaping backslash. */
const NAMED_BACKREFERENCE = /^(?:[^\\]|\\[^k])*\\k</s;

/** Flags without effect on whether a text matches. */
const IDLE_FLAGS = /[gyd]/g;

export type ReadPattern =
  | { readonly ok: true; readonly pattern: Pattern }
  | { readonly ok: false; readonly why: string };

/** Compiles a pattern in JavaScript's syntax; `why` explains a rejected one to its author. */
export function readPattern(source: string, flags: string): ReadPattern {
  const written = `/${source}/${flags}`;
  if (source.length > LONGEST) return no(`The pattern has ${source.length} characters. Write at most ${LONGEST}.`);
  let plain: RegExp;
  try {
    plain = new RegExp(source, flags.replace(IDLE_FLAGS, ''));
  } catch (error) {
    return no(`${written} is not a regular expression: ${(error as Error).message.replace(/^.*\/: /, '')}.`);
  }
  if (NAMED_BACKREFERENCE.test(source)) return no(`${written} ${unsupported('`\\k`')}`);
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(plain));
    if (compiled.programSize() > MOST_STATES)
      return no(`${written} is too large: it repeats too much. Write smaller repetitions, or * and +.`);
    return { ok: true, pattern: { test: (text) => compiled.test(text), toString: () => written } };
  } catch (error) {
    return no(`${written} ${unsupported((error as Error).message)}`);
  }
}

const no = (why: string): ReadPattern => ({ ok: false, why });

/** Rewords the engine's message: unsupported syntax is whatever linear-time matching excludes. */
function unsupported(message: string): string {
  const what = /`(.*)`$/s.exec(message)?.[1] ?? '';
  const cure = 'Patterns run in linear time, without look-around and back-references.';
  if (/^\(\?<?[=!]/.test(what)) return `looks ahead or behind, which is not supported. ${cure} Write it without.`;
  if (/^\\[1-9k]/.test(what)) return `refers back to a group, which is not supported. ${cure} Write it without.`;
  if (/invalid repeat count/.test(message)) return 'repeats more than 1000 times. Write * or + instead.';
  return `is not supported${what === '' ? '' : ` at ${what}`}. ${cure}`;
}
