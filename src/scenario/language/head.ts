/** The head of a file: title, tags, seed, clock and modes, each with its reader, schema and explanation. [scenario-language, File] */

import { CLOCK_BEGIN, CLOCK_END, type Instant } from '../../base/time/clock.ts';
import { formatInstant, parseInstant } from '../../base/time/instants.ts';
import { HIGHEST_SPEED } from '../../contract/operations/clock.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { didYouMean, type FilePlace, shown, unquoted } from '../../plant/mistakes.ts';
import { RUN_MODES, type RunMode, type Scenario } from '../model/scenario.ts';
import { type Field, field } from './field.ts';
import { reportUnknownKeys, schemaOf } from './read-map.ts';

/** A field that is read before the names of the file are known. */
export interface HeadField<T> extends Field<T> {
  read(value: unknown, at: FilePlace): T | null;
}

const headField = <T>(
  kind: Field<T>['kind'],
  help: string,
  schema: JsonMap,
  read: HeadField<T>['read'],
): HeadField<T> => field(kind, help, schema, read, 'none');

const sentence = (help: string): HeadField<string> =>
  headField('text', help, { type: 'string', pattern: '\\S' }, (value, at) => {
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    return at.mistake(
      value === null || value === ''
        ? `${quoted(at.path.at(-1))} is empty. Write a sentence.`
        : (unquoted(value, at) ?? `${shown(value)} is not a text. Write it in quotes.`),
    );
  });

/** The forms of a file, by the key of its title. */
export const FILE_FORMS = ['scenario', 'part', 'explore'] as const;
export type FileForm = (typeof FILE_FORMS)[number];

/** The title of a scenario, part or file of rules. */
export const TITLES: Readonly<Record<FileForm, HeadField<string>>> = {
  scenario: sentence('The title of the scenario, as a sentence. Required.'),
  part: sentence('The name of a part: a file that others include with "use". It has no steps.'),
  explore: sentence(
    'The title of a file of rules about your own system. "sandbox explore" searches for a scenario that breaks one of them. The file has no steps.',
  ),
};

export const CLOCK_KEYS = {
  start: headField<Instant>(
    'text',
    'A time; default 2026-10-05T06:00:00Z in fast and scaled mode, else now.',
    // The pattern accepts RFC 3339; the reader checks whether the clock can show the time.
    { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2})$' },
    (value, at) => {
      const start = typeof value === 'string' ? parseInstant(value) : null;
      if (start === null) return at.mistake(`${shown(value)} is not a time. Write 2026-10-05T06:00:00Z.`);
      if (start >= CLOCK_BEGIN && start <= CLOCK_END) return start;
      const ends = `${formatInstant(CLOCK_BEGIN)} and ${formatInstant(CLOCK_END)}`;
      return at.mistake(`${shown(value)} is out of reach. Write a time between ${ends}.`);
    },
  ),
  speed: headField(
    'count',
    'The number of simulated seconds per second of wall time, in scaled mode. Default: 60.',
    { type: 'number', exclusiveMinimum: 0, maximum: HIGHEST_SPEED },
    (value, at) => {
      if (typeof value === 'number' && value > 0 && value <= HIGHEST_SPEED) return value;
      return at.mistake(`${shown(value)} is not a speed. Write 1 to ${HIGHEST_SPEED}.`);
    },
  ),
};

/** The keys of the head besides the titles. */
export const HEAD_KEYS = {
  about: sentence('What the scenario is about, in a sentence or two.'),
  skip: sentence('The reason why the scenario is not played. Reports list it as skipped; the exit code stays 0.'),
  known_failure: sentence(
    'The reason why the scenario is known to fail. It applies to all cases, seeds and orders. Failures do not change the exit code. If no run fails any more, the last run is reported as failed, so that you remove this key.',
  ),
  orders_may_differ: sentence(
    'The reason why the orders of --orders may differ in verdict or failing lines. Without it, such a difference ends with exit code 1. The order of the file must pass, so it is always played too.',
  ),
  tags: headField<readonly string[]>(
    'list',
    'Labels for selecting scenarios: sandbox run tag:smoke.',
    { type: 'array', items: { type: 'string' } },
    (value, at) => {
      if (Array.isArray(value) && value.every((tag) => typeof tag === 'string')) return value;
      const place = Array.isArray(value) ? value.findIndex((tag) => typeof tag !== 'string') : 0;
      const inQuotes = Array.isArray(value) ? unquoted(value[place], at.of(place)) : null;
      if (inQuotes !== null) return at.of(place).mistake(inQuotes);
      return at.mistake(`${shown(value)} is not a list of words. Write tags: [alerts, smoke].`);
    },
  ),
  use: headField<readonly (string | null)[]>(
    'list',
    'Paths of parts, relative to this file. Maps are merged by key; lists and other values are replaced. Values in this file take precedence.',
    { type: 'array', items: { type: 'string' } },
    (value, at) => {
      if (!Array.isArray(value)) return at.mistake('Parts are a list of files. Write use: [sites/harbour.yaml].');
      return value.map((name: unknown, i) =>
        typeof name === 'string'
          ? name
          : at
              .of(i)
              .mistake(
                unquoted(name, at.of(i)) ?? `${quoted(name)} is not a file. Write a path relative to this file.`,
              ),
      );
    },
  ),
  seed: headField(
    'count',
    'The number that determines names, ids, keys and random values. Default 1. The flag --seed overrides it.',
    { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    (value, at) => {
      if (Number.isSafeInteger(value) && (value as number) >= 0) return String(value);
      return at.mistake(`${shown(value)} is not a seed. Write a whole number, such as seed: 42.`);
    },
  ),
  clock: headField<Pick<Scenario, 'start' | 'speed'>>(
    'map',
    'The simulated start time, and the speed of the clock in scaled mode.',
    schemaOf(CLOCK_KEYS),
    (value, at) => {
      if (!isMap(value)) return at.mistake(`${shown(value)} is not a clock. Write clock: ${clockInstead(value)}.`);
      reportUnknownKeys(value, Object.keys(CLOCK_KEYS), 'is not a key of the clock', at);
      return { start: given(CLOCK_KEYS.start, value, 'start', at), speed: given(CLOCK_KEYS.speed, value, 'speed', at) };
    },
  ),
  modes: headField<readonly RunMode[]>(
    'list',
    'The modes in which the scenario can run; default all. In any other mode, `run` of a folder skips the scenario.',
    { type: 'array', minItems: 1, items: { type: 'string', enum: [...RUN_MODES] } },
    (value, at) => {
      if (!Array.isArray(value) || value.length === 0)
        return at.mistake(
          `${shown(value)} is not a list of modes. Write modes: [fast, scaled, real], or some of them.`,
        );
      for (const [i, mode] of value.entries())
        if (!RUN_MODES.includes(mode))
          at.of(i).mistake(`${shown(mode)} is not a mode.${didYouMean(String(mode), RUN_MODES)}`);
      return RUN_MODES.filter((mode) => value.includes(mode));
    },
  ),
};

const clockInstead = (value: unknown): string => {
  if (typeof value === 'number') return `{speed: ${value}}`;
  return parseInstant(String(value)) === null ? '{start: "2026-10-05T06:00:00Z", speed: 60}' : `{start: "${value}"}`;
};

/** Returns the value of a key; null if the key is absent or its value was reported as a mistake. */
function given<T>(declared: HeadField<T>, value: JsonMap, key: string, at: FilePlace): T | null {
  return value[key] === undefined ? null : declared.read(value[key], at.of(key));
}

type Head = Pick<
  Scenario,
  'title' | 'about' | 'skip' | 'knownFailure' | 'ordersMayDiffer' | 'tags' | 'seed' | 'start' | 'speed' | 'modes'
>;

/** Reports mistakes in the title, `about` and `tags` of a part or a file of rules, which no other code reads. */
export function checkTitle(value: JsonMap, form: FileForm, root: FilePlace): void {
  given(TITLES[form], value, form, root);
  given(HEAD_KEYS.about, value, 'about', root);
  given(HEAD_KEYS.tags, value, 'tags', root);
}

/** Reads the head of a scenario; a key with a mistake gets its default. */
export function readHead(value: JsonMap, root: FilePlace): Head {
  const { about, skip, known_failure, orders_may_differ, tags, seed, clock, modes } = HEAD_KEYS;
  return {
    title: given(TITLES.scenario, value, 'scenario', root) ?? '',
    about: given(about, value, 'about', root),
    skip: given(skip, value, 'skip', root),
    knownFailure: given(known_failure, value, 'known_failure', root),
    ordersMayDiffer: given(orders_may_differ, value, 'orders_may_differ', root),
    tags: given(tags, value, 'tags', root) ?? [],
    seed: given(seed, value, 'seed', root),
    ...(given(clock, value, 'clock', root) ?? { start: null, speed: null }),
    modes: given(modes, value, 'modes', root) ?? RUN_MODES,
  };
}
