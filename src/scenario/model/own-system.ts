/** The user's own system as a file describes it: how it starts, where it listens, and what can be read from it. */
import { isMap } from '../../contract/schema.ts';

/** `system`. Paths begin with a slash and are relative to its address. */
export interface PlannedSystem {
  readonly file: string;
  readonly line: number;
  /** The command that starts it, run by the shell; null: it runs already, at `url`. */
  readonly start: string | null;
  /** Working folder of the commands: that of the file. */
  readonly folder: string;
  /** Its address; null: 127.0.0.1 at a free port, which the command gets as PORT. */
  readonly url: string | null;
  /** Answers 2xx once it is ready; null: a port that accepts is ready. */
  readonly ready: string | null;
  /** Makes it forget everything before a scenario; null: it is started anew. */
  readonly reset: string | null;
  /** Called at this interval of simulated time, in place of the system's own timer. */
  readonly wake: { readonly path: string; readonly everyMs: number } | null;
  /** Gets each new secret of a receiver. */
  readonly secretTo: string | null;
  /** TZ of its process; null: that of this machine. */
  readonly timeZone: string | null;
  /** How long simulated time stands still for an answer that a rule waits for; wall ms. */
  readonly patienceMs: number;
}

/** One of `probes`: a question to the user's system. */
export interface PlannedProbe {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** A path of the system, or a whole address; null where `run` asks. */
  readonly get: string | null;
  /** A command that prints JSON; null where `get` asks. */
  readonly run: string | null;
  readonly folder: string;
  /** Where in the answer the value is: `alerts[*].id`; null: all of it. */
  readonly path: string | null;
}

const PART = /([^.[\]]+)|\[(\*|\d+)\]/g;

/** The value at a path such as `alerts[*].id`; a list for `[*]`; undefined if absent. */
export function valueAt(value: unknown, path: string | null): unknown {
  const parts = path === null ? [] : [...path.matchAll(PART)].map(([, key, index]) => key ?? `[${index}]`);
  return walk(value, parts);
}

function walk(value: unknown, [part, ...rest]: readonly string[]): unknown {
  if (part === undefined) return value;
  if (part === '[*]') return Array.isArray(value) ? value.map((item) => walk(item, rest)) : undefined;
  if (part.startsWith('[')) return Array.isArray(value) ? walk(value[Number(part.slice(1, -1))], rest) : undefined;
  return isMap(value) && Object.hasOwn(value, part) ? walk(value[part], rest) : undefined;
}

/** Whether a text is such a path. */
export const isValuePath = (path: string): boolean =>
  /^(?:[^.[\]]+|\[\*\]|\[\d+\])(?:\.[^.[\]]+|\[\*\]|\[\d+\])*$/.test(path);
