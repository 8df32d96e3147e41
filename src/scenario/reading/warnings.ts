/** Warnings about valid files: `validate` reports them, and they never prevent a run. */

import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import type { FilePlace, Path } from '../../plant/mistakes.ts';
import { innerSteps, type StepIn, stepIn, stepsOfFile } from '../language/steps.ts';

/**
 * Reports unused names and people, checks without limits, waits that hide a duration, and a start time that differs from
 * run to run. `isOwn`: true for what the scenario itself has, false for what one of its parts has.
 */
export function reportWarnings(value: JsonMap, root: FilePlace, isOwn: (path: Path) => boolean): void {
  const used = { ...usedWords(value), isOwn };
  reportUnused(value, used, root);
  reportTimeOfDay(value, root);
  let checks = 0;
  for (const [list, path] of stepsOfFile(value)) checks += reportInSteps(list, root.of(...path), used);
  const rules = listOf(value['rules']).length;
  if (checks + rules === 0 && Array.isArray(value['steps']))
    root.of('steps').warning('The scenario checks nothing but the built-in rules. Write an expect.', 'key');
}

interface Used {
  /** Every text and key in steps, rules, `when` and macros. */
  readonly words: ReadonlySet<string>;
  /** Every `$name`, without its fields. */
  readonly names: ReadonlySet<string>;
  isOwn(path: Path): boolean;
}

function usedWords(value: JsonMap): Pick<Used, 'words' | 'names'> {
  const words = new Set<string>();
  const names = new Set<string>();
  const take = (one: unknown): void => {
    if (Array.isArray(one)) return one.forEach(take);
    if (isMap(one)) {
      for (const [key, item] of Object.entries(one)) {
        words.add(key);
        take(item);
      }
      return;
    }
    if (typeof one !== 'string') return;
    words.add(one);
    for (const part of one.split(/[\s,]+/)) words.add(part);
    for (const [, name] of one.matchAll(/\$([A-Za-z][A-Za-z0-9_-]*)/g)) names.add(name as string);
  };
  const { workers, crowd, vehicles, receivers, companies, ...rest } = value;
  const { params: _params, matrix: _matrix, cases: _cases, macros, ...played } = rest;
  take(played);
  for (const macro of Object.values(mapOf(macros))) take(macro);
  // `near` mentions people and vehicles mention drivers; the key of a person's own entry is not a mention.
  const companyWorkers = Object.values(mapOf(companies)).map((company) => (isMap(company) ? company['workers'] : {}));
  for (const map of [workers, crowd, vehicles, receivers, ...companyWorkers])
    for (const one of Object.values(mapOf(map))) take(one);
  return { words, names };
}

function reportUnused(value: JsonMap, used: Used, root: FilePlace): void {
  const { words, names } = used;
  const unused = (section: string, isUsed: (name: string) => boolean, shown: (name: string) => string) => {
    for (const name of Object.keys(mapOf(value[section])))
      if (!isUsed(name)) reportUnusedName(shown(name), root.of(section, name), used);
  };
  const anyReceiver = listOf(value['rules']).length > 0 && words.has('any');
  // A muster expects every worker of its site.
  const isCounted = words.has('start_muster');
  unused(
    'workers',
    (name) => isCounted || words.has(name),
    (name) => `The worker ${quoted(name)}`,
  );
  unused(
    'receivers',
    (name) => anyReceiver || words.has(name),
    (name) => `The receiver ${quoted(name)}`,
  );
  unused(
    'macros',
    (name) => words.has(name),
    (name) => `The macro ${quoted(name)}`,
  );
  const only = onlyNames(value);
  for (const section of ['params', 'matrix'])
    unused(
      section,
      (name) => names.has(name) || only.has(name),
      (name) => `$${name}`,
    );
}

/** Never advises to delete the name, and reports nothing in a part: other files may use what this file does not. */
function reportUnusedName(what: string, place: FilePlace, { isOwn }: Used): void {
  if (isOwn(place.path)) place.warning(`${what} is not used in this file.`, 'key');
}

/** Parameters used by `only`. */
function onlyNames(value: JsonMap): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (one: unknown): void => {
    if (Array.isArray(one)) return one.forEach(look);
    if (!isMap(one)) return;
    for (const name of Object.keys(mapOf(one['only']))) found.add(name);
    for (const item of Object.values(one)) look(item);
  };
  look(value['steps']);
  look(value['finally']);
  return found;
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/**
 * Reports a scenario that depends on the time of day, but starts at the present time in real mode. [scenario-language,
 * Time modes]
 */
function reportTimeOfDay(value: JsonMap, root: FilePlace): void {
  const { clock, modes } = value;
  const isReal = modes === undefined || listOf(modes).includes('real');
  if (!isReal || mapOf(clock)['start'] !== undefined) return;
  const cause = autonomousIn(value) ?? timedIn(value);
  if (cause === null) return;
  const { what, path } = cause;
  root
    .of(...path)
    .warning(
      `${what} depends on the time of day, and in real time the scenario begins now. Write clock: {start: "2026-10-05T12:00:00Z"}, or modes: [fast, scaled].`,
      'key',
    );
}

interface TimeOfDayCause {
  readonly what: string;
  readonly path: Path;
}

function autonomousIn(value: JsonMap): TimeOfDayCause | null {
  for (const section of ['workers', 'crowd'])
    for (const [name, person] of Object.entries(mapOf(value[section])))
      if (mapOf(person)['behave'] === 'auto')
        return { what: `An autonomous worker (${quoted(name)})`, path: [section, name, 'behave'] };
  return null;
}

/** Returns the first step about heat, or with an absolute time. */
function timedIn(value: JsonMap): TimeOfDayCause | null {
  const look = (one: unknown, path: Path): TimeOfDayCause | null => {
    if (typeof one === 'string' && ISO_TIME.test(one)) return { what: `The time ${one}`, path };
    const entries = Array.isArray(one) ? one.map((item, i) => [i, item] as const) : Object.entries(mapOf(one));
    for (const [key, item] of entries) {
      if (key === 'heat' && isMap(item)) return { what: 'Heat', path: [...path, key] };
      const found = look(item, [...path, key]);
      if (found !== null) return found;
    }
    return null;
  };
  for (const [list, path] of stepsOfFile(value)) {
    const found = look(list, path);
    if (found !== null) return found;
  }
  return null;
}

/** Reports warnings about the steps; returns the number of checks. */
function reportInSteps(steps: unknown, place: FilePlace, used: Used): number {
  let checks = 0;
  const list = listOf(steps);
  for (const [i, step] of list.entries()) {
    if (!isMap(step)) continue;
    const at = place.of(i);
    const found = stepIn(step);
    if (found === undefined) continue;
    const { word, mutation, modifiers } = found.step;
    if (isCheck(found)) checks++;
    if (mutation.kind === 'details' && modifiers.includes('within')) {
      if (!Object.hasOwn(step, 'within'))
        at.of(word).warning(`Without "within" the limit is 5 s. Write it, so that readers know.`, 'key');
      const before = list[i - 1];
      if (isMap(before) && Object.hasOwn(before, 'wait'))
        place
          .of(i - 1, 'wait')
          .warning(`This wait hides how long it took. Delete it, and give the ${word} below a longer "within".`, 'key');
    }
    const { as } = step;
    if (typeof as === 'string' && !used.names.has(as)) reportUnusedName(`$${as}`, at.of('as'), used);
    for (const [inner, below] of innerSteps(found.step, found.value))
      checks += reportInSteps(inner, at.of(word, ...below), used);
  }
  return checks;
}

/** Returns true if the step checks something: a condition, or the reply of a call. */
function isCheck({ step: { mutation }, value }: StepIn): boolean {
  if (mutation.kind !== 'left-out') return mutation.kind === 'details' || mutation.kind === 'inverted';
  return mutation.judged !== undefined && isMap(value) && Object.hasOwn(value, mutation.judged);
}

const mapOf = (value: unknown): JsonMap => (isMap(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
