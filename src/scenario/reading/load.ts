/** Loads a scenario file: the whole file is validated before anything runs, and all mistakes are reported at once. */

import { atOnce, type Slices } from '../../base/time/slices.ts';
import type { ReadText } from '../../base/user-files.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { didYouMean, type FilePlace, type Mistake, type Path, placeIn, TooManyMistakes } from '../../plant/mistakes.ts';
import { renderMistakes } from '../../plant/shown-mistakes.ts';
import { changedLines, mended } from '../../plant/yaml-edit.ts';
import { readHead } from '../language/head.ts';
import { reportUnknownKeys } from '../language/read-map.ts';
import { readRules } from '../language/rules.ts';
import { MACRO_KEYS, SECTION_NAMES, SECTION_OF } from '../language/sections.ts';
import { namesIn } from '../language/steps/do.ts';
import { readWhens } from '../language/whens.ts';
import { type Edit, edited } from '../model/change.ts';
import { plantsOf } from '../model/plants.ts';
import type { Macro, ScenarioReading } from '../model/read-matcher.ts';
import {
  type BudgetLimits,
  ExpansionTooLarge,
  FULL_BUDGET,
  LIGHT_BUDGET,
  MOST_STEPS,
  ReadingBudget,
  tooManySteps,
} from '../model/reading-budget.ts';
import { isName, ScenarioNames } from '../model/references.ts';
import {
  parameterIn,
  readBindings,
  type Scenario,
  type ScenarioStep,
  type Values,
  withValues,
} from '../model/scenario.ts';
import { countSteps } from './count-steps.ts';
import { type MergedFile, readMerged, readNamed } from './merged-file.ts';
import { readSteps } from './read-steps.ts';
import { commandsIn, type FileCommand, readProbes, readSystem } from './read-system.ts';
import { readWorld, type ScenarioWorld } from './read-world.ts';
import { adviceOn } from './used-parts.ts';
import { reportWarnings } from './warnings.ts';

const DEFAULT_SEED = '1';

/** A file after reading, with values substituted. */
export interface ScenarioSource {
  /** As returned by `placeOf`, but never a file of a part. */
  readonly file: string;
  readonly value: JsonMap;
  readonly bound: Values;
  placeOf(path: Path): { readonly file: string; readonly line: number };
}

/** A valid scenario, or the mistakes of its file. */
export type LoadedScenario =
  | {
      readonly ok: true;
      readonly scenario: Scenario;
      /** The values of every run; empty if the file is a single run. */
      readonly cases: readonly Values[];
      readonly seed: string;
      readonly warnings: readonly Mistake[];
      /** The defaults that apply to plants, if the files do not set them. */
      readonly notes: readonly Mistake[];
      /** The commands that the scenario starts. */
      readonly commands: readonly FileCommand[];
      /** The source that `--mutate` changes. */
      readonly source: ScenarioSource;
    }
  | {
      readonly ok: false;
      readonly commands: readonly FileCommand[];
      /** The seed of the file, if readable. */
      readonly seed: string;
      readonly mistakes: readonly Mistake[];
      /** The mistakes with their lines, as text. */
      readonly text: string;
    };

export interface LoadOptions {
  /** Overrides the seed of the file. */
  readonly seed?: string | undefined;
  readonly read?: ReadText;
  /** URLs of the user's own receivers by short name; they override those of the file. */
  readonly receivers?: ReadonlyMap<string, string> | undefined;
  /** Overrides defaults of `params`. */
  readonly set?: Values | undefined;
  /** The values of `set` as they are written, for messages. */
  readonly setTexts?: Readonly<Record<string, string>> | undefined;
  /** Selects a case; default: the first. */
  readonly values?: Values | null | undefined;
  /** The file and its parts, if they have already been read. */
  readonly merged?: MergedFile | undefined;
  /** If true, throws `NotLight` for a scenario that is too large for a server to read between two requests. */
  readonly light?: boolean | undefined;
  /** Applied to the file after reading, before validation. */
  readonly edits?: readonly Edit[] | undefined;
  /** True for a check of a part alone: without a plant it does not play in the built-in plant. */
  readonly isPlantless?: boolean | undefined;
}

/** Reads and validates `file` and its parts. Does not throw for an invalid file. */
export function loadScenario(file: string, options: LoadOptions = {}): LoadedScenario {
  return atOnce(loadInSlices(openScenario(file, options)));
}

/** The content of a scenario before its steps: the file as one map, its head and its world. */
export interface OpenScenario {
  readonly file: string;
  readonly values: Values | null;
  readonly cases: readonly Values[];
  readonly bound: Values;
  /** The merged map with values substituted. */
  readonly value: JsonMap;
  readonly seed: string;
  readonly head: ReturnType<typeof readHead>;
  readonly world: ScenarioWorld;
  readonly merged: MergedFile;
  readonly limits: BudgetLimits;
}

/** The result if reading ended before the steps. */
interface ClosedScenario {
  readonly merged: MergedFile;
  readonly seed: string;
}

/** Reads the file and its parts up to the steps. */
export function openScenario(file: string, options: LoadOptions = {}): OpenScenario | ClosedScenario {
  const { read = readNamed(file) } = options;
  const merged = options.merged ?? readMerged(file, read, 'scenario', { isPlantless: options.isPlantless === true });
  let seed = options.seed ?? DEFAULT_SEED;
  if (merged.unread !== null) return { merged, seed };
  const root = placeIn(merged);
  try {
    const { params, cases } = readBindings(merged.value, root, options.set);
    const values = options.values ?? cases[0] ?? null;
    const bound = { ...params, ...values };
    merged.bind(values, options.set ?? {}, options.setTexts ?? {});
    const value = merged.spelled(
      edited(withoutUnbound(boundValue(merged.value, bound), bound, merged), options.edits ?? []),
    );
    const limits = options.light === true ? LIGHT_BUDGET : FULL_BUDGET;
    const budget = new ReadingBudget(limits);
    budget.takeValue(value);
    budget.takePeople(value);
    const { steps, values: ofSteps } = countSteps(value, (step) => budget.sizeOf(step));
    if (steps > MOST_STEPS) throw new ExpansionTooLarge(tooManySteps(steps));
    budget.takeValues(ofSteps);
    const head = readHead(value, root);
    seed = options.seed ?? head.seed ?? DEFAULT_SEED;
    const world = readWorld(value, root, {
      seed,
      read,
      urls: options.receivers,
      hasSystem: value['system'] !== undefined,
      fileOf: (path) => merged.placeOf(path).file,
    });
    return { file, values, cases, bound, value, seed, head, world, merged, limits };
  } catch (error) {
    endReading(error, root);
    return { merged, seed };
  }
}

/** Handles a limit that ended the reading: the mistakes found until then are reported. Rethrows any other error. */
function endReading(error: unknown, root: FilePlace): void {
  if (error instanceof TooManyMistakes) return;
  if (error instanceof ExpansionTooLarge) reportLast(root.of('steps'), error.message);
  // Readers are recursive for each level of nesting, so deep nesting overflows the stack.
  else if (error instanceof RangeError) reportLast(root, 'The file is nested too deeply to be read.');
  else throw error;
}

function reportLast(at: FilePlace, message: string): void {
  try {
    at.mistake(message, 'key');
  } catch (error) {
    if (!(error instanceof TooManyMistakes)) throw error;
  }
}

/** Reads the steps and rules of an open scenario. */
export function* loadInSlices(open: OpenScenario | ClosedScenario): Slices<LoadedScenario> {
  const { merged, seed } = open;
  const { file } = merged;
  if (merged.unread !== null) {
    const message = `The file ${merged.unread.why}. ${adviceOn(merged.unread, 'Check its name and folder.')}`.trimEnd();
    const mistakes = [{ file, line: 1, column: 1, length: 1, message }];
    return { ok: false, seed, mistakes, text: `${file}  ${message}`, commands: [] };
  }
  const root = placeIn(merged);
  let played: PlayedSections | null = null;
  if ('value' in open)
    try {
      played = yield* readPlayed(open, root);
    } catch (error) {
      endReading(error, root);
    }
  const mistakes = merged.mistakes().map((mistake) => withCorrected(mistake, merged.texts.get(mistake.file)));
  // The values of parameters are included, because a parameter can be a command.
  const commands = commandsIn('value' in open ? open.value : merged.value, merged);
  if (played === null || !('value' in open) || mistakes.length > 0) {
    const text = renderMistakes(mistakes, (name) => merged.texts.get(name));
    return { ok: false, seed, mistakes, text, commands };
  }
  const { values, cases, bound, value, head, world } = open;
  reportWarnings(merged.value, root, (path) => merged.placeOf(path).file === merged.file);
  const scenario = { file, values, ...head, ...world, ...played };
  const source = { file: merged.file, value, bound, placeOf: merged.placeOf };
  return { ok: true, scenario, cases, seed, commands, warnings: merged.warnings(), notes: merged.notes(), source };
}

type PlayedSections = Pick<Scenario, 'system' | 'probes' | 'steps' | 'whens' | 'rules' | 'finally'>;

function* readPlayed({ value, bound, world, merged, limits }: OpenScenario, root: FilePlace): Slices<PlayedSections> {
  const system = readSystem(value, root, merged);
  const probes = readProbes(value, root, merged);
  const names = new ScenarioNames();
  // A name in a wrong form is reported where it is written.
  for (const name of Object.keys(bound).filter(isName)) names.give(name, 'value', lineOf(merged, name), root);
  const reading: ScenarioReading = placeIn(merged, [], {
    names,
    cast: world.cast,
    receivers: world.receivers.map(({ name }) => name),
    companies: world.plan.organizations.map(({ name }) => name),
    explores: system !== null,
    probes: probes.map(({ name }) => name),
    plants: plantsOf(world.plan),
    macros: readMacros(value, root),
    doing: [],
    values: bound,
    readSteps,
    budget: new ReadingBudget(limits),
    placeOf: (path: Path) => merged.placeOf(path),
  });
  const steps: ScenarioStep[] = [];
  for (const [part, list] of Object.entries(isMap(value['setup']) ? value['setup'] : {}))
    steps.push(...(yield* readSteps(list, reading.of('setup', part))));
  steps.push(...(yield* readSteps(value['steps'], reading.of('steps'))));
  if (value['moves'] !== undefined && !isMap(value['moves']))
    reading
      .of('moves')
      .mistake('Moves are a map. Write moves: {leak: [...]}, with a name for each list of steps.', 'key');
  for (const [name, list] of Object.entries(isMap(value['moves']) ? value['moves'] : {}))
    yield* readSteps(list, { ...reading.of('moves', name), names: new ScenarioNames() });
  const whens = yield* readWhens(value['when'], reading);
  const rules = yield* readRules(value['rules'], reading);
  const last = yield* readSteps(value['finally'], reading.of('finally'));
  if (!Object.hasOwn(value, 'steps') && !merged.broken)
    root.mistake('A scenario has steps. Write steps: and a line "- wait: 20s".');
  return { system, probes, steps, whens, rules, finally: last };
}

/** The text is parsed again for each such mistake, so corrected lines are shown only up to this length; characters. */
const LONGEST_CORRECTED = 64 * 1024;

/** Returns the mistake, with the corrected lines if its fix moves keys. */
function withCorrected(mistake: Mistake, text: string | undefined): Mistake {
  const { fix } = mistake;
  if (fix?.kind !== 'beside' || text === undefined || text.length > LONGEST_CORRECTED) return mistake;
  const after = mended(text, mistake, fix);
  return after === null ? mistake : { ...mistake, instead: changedLines(text, after) };
}

/** Returns the file and its parts, as far as they are readable. */
export function filesOfScenario(file: string, read: ReadText = readNamed(file)): string[] {
  return [...new Set([file, ...readMerged(file, read).texts.keys()])];
}

/** Substitutes values everywhere except in their definitions; macro parameters shadow them. */
function boundValue(value: JsonMap, bound: Values): JsonMap {
  const { params: _params, matrix: _matrix, cases: _cases, macros, ...rest } = value;
  const known = isMap(macros) ? Object.entries(macros).map(([name, macro]) => [name, boundMacro(macro, bound)]) : [];
  const filled = isMap(macros) ? { macros: Object.fromEntries(known) } : {};
  return { ...value, ...(withValues(rest, bound) as JsonMap), ...filled };
}

/** Sections without steps: only parameters and cases have values there. */
const WORLD = SECTION_NAMES.filter((name) => SECTION_OF[name].isBound !== false && SECTION_OF[name].isPlayed !== true);

/** Sections of the definitions of values, and of macros, whose parameters have values at each use only. */
const DEFINITIONS: readonly string[] = ['params', 'matrix', 'cases', 'macros'];

/**
 * Reports each `$name` of the world that has no value, and leaves it out: undefined is a value whose mistake is reported.
 * If the file of cases has a mistake, all names that a case could have are left out, so that it is the only mistake.
 */
function withoutUnbound(value: JsonMap, bound: Values, merged: MergedFile): JsonMap {
  const isCasesBroken = Object.hasOwn(value, 'cases') && value['cases'] === undefined;
  if (merged.broken) return value;
  const known = new Set([...Object.keys(bound), ...(isCasesBroken ? namesIn(value) : [])]);
  const walk = (one: unknown, at: FilePlace): unknown => {
    if (Array.isArray(one)) return one.map((item, i) => walk(item, at.of(i)));
    if (isMap(one)) return Object.fromEntries(Object.entries(one).map(([key, item]) => [key, walk(item, at.of(key))]));
    const name = typeof one === 'string' ? parameterIn(one) : null;
    if (name === null || known.has(name)) return one;
    const meant = didYouMean(name, [...known]).replace(/"([^"]+)"/g, '$$$1');
    if (!isCasesBroken) at.mistake(`$${name} is not a parameter or case.${meant.startsWith(' Did') ? meant : ''}`);
    return undefined;
  };
  const root = placeIn(merged);
  return Object.fromEntries(
    Object.entries(value).map(([key, section]) => {
      const isWalked = isCasesBroken ? !DEFINITIONS.includes(key) : WORLD.some((name) => name === key);
      return [key, isWalked ? walk(section, root.of(key)) : section];
    }),
  );
}

function boundMacro(macro: unknown, bound: Values): unknown {
  const params: readonly unknown[] = isMap(macro) && Array.isArray(macro['params']) ? macro['params'] : [];
  return withValues(macro, Object.fromEntries(Object.entries(bound).filter(([name]) => !params.includes(name))));
}

function lineOf({ value, placeOf }: MergedFile, name: string): number {
  const at = ['params', 'matrix'].find((key) => isMap(value[key]) && Object.hasOwn(value[key], name));
  return placeOf(at === undefined ? ['cases'] : [at, name]).line;
}

function readMacros({ macros }: JsonMap, root: FilePlace): ReadonlyMap<string, Macro> {
  const read = new Map<string, Macro>();
  if (macros === undefined) return read;
  if (!isMap(macros)) {
    root.of('macros').mistake('Macros are a map. Write name: {params: [a], steps: [...]}.', 'key');
    return read;
  }
  for (const [name, macro] of Object.entries(macros)) {
    const at = root.of('macros', name);
    if (!isMap(macro) || !Array.isArray(macro['steps'])) {
      at.missing(`${quoted(name)} has no steps. Write {params: [a], steps: [...]}.`, 'key');
      continue;
    }
    const { params = [], steps, ...others } = macro;
    const { steps: _steps, ...optional } = MACRO_KEYS;
    reportUnknownKeys(others, Object.keys(optional), 'is not a key of a macro', at);
    const sound = Array.isArray(params) && params.every((param) => typeof param === 'string');
    if (!sound) at.of('params').mistake('Parameters are a list of names. Write params: [who, zone].');
    read.set(name, { params: sound ? (params as string[]) : [], steps, path: at.of('steps').path });
  }
  return read;
}
