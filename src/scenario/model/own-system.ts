/** The user's own system as a file describes it: its start command, its address, and the values to read from it. */
import { isMap } from '../../contract/schema.ts';

/** The company of a file, whose system it is. [scenario-language] */
export const CUSTOMER = 'customer';

/** The section `system`. Paths begin with a slash and are relative to the system's address. */
export interface PlannedSystem {
  readonly file: string;
  readonly line: number;
  /** The shell command that starts the system; null: it already runs at `url`. */
  readonly start: string | null;
  /** Working folder of the commands: the folder of the file. */
  readonly folder: string;
  /** The system's address; null: 127.0.0.1 at a free port, which the command gets as PORT. */
  readonly url: string | null;
  /** A path that replies 2xx once the system is ready; null: the system is ready when its port accepts connections. */
  readonly ready: string | null;
  /** A path that deletes all data before a scenario; null: the system is restarted. */
  readonly reset: string | null;
  /** A path that is called at this interval of simulated time, instead of the system's own timer. */
  readonly wake: { readonly path: string; readonly everyMs: number } | null;
  /** A path that gets each new secret of a receiver. */
  readonly secretTo: string | null;
  /** TZ of the process; null: the time zone of this machine. */
  readonly timeZone: string | null;
  /** How long simulated time is held for a reply that a rule waits for; wall ms. */
  readonly patienceMs: number;
}

/** An entry of `probes`: a query to the user's system. */
export interface PlannedProbe {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** A path of the system, or a complete address; null if `run` is used. */
  readonly get: string | null;
  /** A command that prints JSON; null if `get` is used. */
  readonly run: string | null;
  readonly folder: string;
  /** The path of the value in the reply, such as `alerts[*].id`; null: the whole reply. */
  readonly path: string | null;
}

const PART = /([^.[\]]+)|\[(\*|\d+)\]/g;

/** The value at a path such as `alerts[*].id`; one flat list for `[*]`, once or several times; undefined if absent. */
export function valueAt(value: unknown, path: string | null): unknown {
  const parts = path === null ? [] : [...path.matchAll(PART)].map(([, key, index]) => key ?? `[${index}]`);
  return walk(value, parts);
}

function walk(value: unknown, [part, ...rest]: readonly string[]): unknown {
  if (part === undefined) return value;
  if (part === '[*]' && Array.isArray(value)) {
    const found = value.map((item) => walk(item, rest));
    return rest.includes('[*]') ? found.flat() : found;
  }
  if (part.startsWith('[')) return Array.isArray(value) ? walk(value[Number(part.slice(1, -1))], rest) : undefined;
  return isMap(value) && Object.hasOwn(value, part) ? walk(value[part], rest) : undefined;
}

/** Returns true for a valid path of a value. */
export const isValuePath = (path: string): boolean =>
  /^(?:[^.[\]]+|\[\*\]|\[\d+\])(?:\.[^.[\]]+|\[\*\]|\[\d+\])*$/.test(path);
