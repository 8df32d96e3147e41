/** Patterns of checks: regular expressions that run in time linear in the text, so that none can make the sandbox stand still. */
import { RE2JS } from 're2js';

/** A compiled pattern; `String()` of it is what was written. */
export interface Pattern {
  /** Whether it matches somewhere in the text. */
  test(text: string): boolean;
  toString(): string;
}

/** Longer ones are written by programs, and not by people. */
const LONGEST = 1_000;

/**
 * A step of the engine is a state and a character: at most so many states for each character of the text. Measured 25 ns a step
 * at worst, so a text of 64 KiB takes 1.6 s at most, and one of 500 characters (a note) 13 ms.
 */
const MOST_STATES = 1_000;

/** `\k<name>`, which the translation would take for a letter; a backslash before it is another character's. */
const NAMED_BACKREFERENCE = /^(?:[^\\]|\\[^k])*\\k</s;

/** Flags that say nothing about whether a text matches. */
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

/** Of the engine's own message only the place matters: what is not supported follows from why the engine is linear. */
function unsupported(message: string): string {
  const what = /`(.*)`$/s.exec(message)?.[1] ?? '';
  const cure = 'Patterns run in linear time, without look-around and back-references.';
  if (/^\(\?<?[=!]/.test(what)) return `looks ahead or behind, which is not supported. ${cure} Write it without.`;
  if (/^\\[1-9k]/.test(what)) return `refers back to a group, which is not supported. ${cure} Write it without.`;
  if (/invalid repeat count/.test(message)) return 'repeats more than 1000 times. Write * or + instead.';
  return `is not supported${what === '' ? '' : ` at ${what}`}. ${cure}`;
}
