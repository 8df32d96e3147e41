/** The folder next to the file of rules, which stores found scenarios. The next search begins with them. */
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { sha256Hex } from '../../base/ids.ts';
import { FILE_LIMITS, readUserText } from '../../base/user-files.ts';
import { isMap } from '../../contract/schema.ts';
import { readLongForm } from '../../scenario/language/short-forms.ts';
import type { BreakRate } from './confidence.ts';
import type { GeneratedScenario, GeneratedStep } from './generated-scenario.ts';
import { isPlantSection } from './plant.ts';

const ENDING = '.scenario.yaml';

/** Returns the folder of found scenarios: `inbox.found` next to `inbox.explore.yaml`. */
export const foundFolder = (file: string): string =>
  join(dirname(file), `${basename(file).replace(/(\.explore)?\.ya?ml$/, '')}.found`);

interface KeptScenario {
  readonly path: string;
  readonly scenario: GeneratedScenario;
  /** How often it broke its rule; null: each time. */
  readonly rate: BreakRate | null;
}

/** The line of a stored scenario that does not break its rule each time. */
const FLAKY = /^# Flaky: it broke in (\d+) of (\d+) plays\.$/m;

function rateIn(text: string): BreakRate | null {
  const [, broke = 0, of = 0] = (FLAKY.exec(text) ?? []).map(Number);
  return broke > 0 && broke <= of ? { broke, of } : null;
}

/** Reads the scenarios that earlier searches found, and skips unreadable files. `out`: a further folder of findings. */
export function keptScenarios(file: string, out?: string): KeptScenario[] {
  const folders = new Map([foundFolder(file), out ?? foundFolder(file)].map((folder) => [resolve(folder), folder]));
  return [...folders.values()].flatMap(scenariosOf);
}

function scenariosOf(folder: string): KeptScenario[] {
  const names = readable(() => readdirSync(folder)) ?? [];
  return names
    .filter((name) => name.startsWith('line-') && name.endsWith(ENDING))
    .toSorted()
    .flatMap((name): KeptScenario[] => {
      const path = join(folder, name);
      const text = readUserText(path, { mostBytes: FILE_LIMITS.document });
      const { value } = readLongForm(typeof text === 'string' ? text : '', path);
      if (!isMap(value) || !Array.isArray(value['steps'])) return [];
      const { seed, steps, system } = value;
      // Only sections that a generated scenario has: a file in this folder could contain a command that the user has not reviewed.
      const plant = Object.fromEntries(Object.entries(value).filter(([key]) => isPlantSection(key)));
      const timeZone = isMap(system) ? (system['time_zone'] as string | undefined) : undefined;
      const scenario = {
        plant,
        steps: (steps as unknown[]).filter(isMap) as GeneratedStep[],
        seed: Number(seed ?? 1),
        timeZone,
      };
      return [{ path, scenario, rate: rateIn(String(text)) }];
    });
}

/** Most scenarios of the corpus that are kept for the next search; those of the latest search come first. */
const MOST_OF_CORPUS = 100;

/** Returns the corpus file: `inbox.corpus.jsonl` next to `inbox.explore.yaml`, with one scenario per line. */
const corpusFile = (file: string): string => foundFolder(file).replace(/\.found$/, '.corpus.jsonl');

/** Reads the scenarios that had new coverage in earlier searches, and skips unreadable lines. */
export function keptCorpus(file: string): GeneratedScenario[] {
  const path = corpusFile(file);
  const text = readable(() => readUserText(path, { mostBytes: FILE_LIMITS.document }));
  if (typeof text !== 'string') return [];
  return text.split('\n').flatMap((line): GeneratedScenario[] => {
    const value = readable(() => JSON.parse(line) as unknown);
    if (!isMap(value) || !isMap(value['plant']) || !Array.isArray(value['steps'])) return [];
    const plant = Object.fromEntries(Object.entries(value['plant']).filter(([key]) => isPlantSection(key)));
    const moves = (Array.isArray(value['moves']) ? value['moves'] : []).map(String);
    return [{ plant, steps: value['steps'].filter(isMap) as GeneratedStep[], seed: Number(value['seed'] ?? 1), moves }];
  });
}

/** Adds the scenarios of a search to the corpus next to the file of rules. Returns its path; null if there are none. */
export function keepCorpus(file: string, corpus: readonly GeneratedScenario[]): string | null {
  if (corpus.length === 0) return null;
  const lines = [...corpus, ...keptCorpus(file)].map(({ plant, steps, seed, moves = [] }) =>
    JSON.stringify({ plant, steps, seed, moves }),
  );
  const path = corpusFile(file);
  writeFileSync(path, `${[...new Set(lines)].slice(0, MOST_OF_CORPUS).join('\n')}\n`);
  return path;
}

/** Moves the log of a play next to its scenario, and returns the new folder. */
export function keepRecord(record: string, path: string): string {
  const folder = path.replace(ENDING, '.record');
  cpSync(record, folder, { recursive: true });
  rmSync(record, { recursive: true, force: true });
  return folder;
}

/** Writes a found scenario. */
export function keep({ path, text }: { readonly path: string; readonly text: string }): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Removes the file of an earlier search whose scenario this one has shortened further, for the same rule. */
export function removeReplaced({ path, replaces }: { readonly path: string; readonly replaces: string | null }): void {
  const ruleOf = (name: string) => /^line-\d+/.exec(basename(name))?.[0];
  if (replaces === null || resolve(replaces) === resolve(path) || ruleOf(replaces) !== ruleOf(path)) return;
  rmSync(replaces, { force: true });
}

/** Returns the path of a kept scenario, which contains the line of its rule (or another word) and a hash of its content. */
export const keptPath = (folder: string, rule: number | string, scenario: GeneratedScenario): string =>
  join(
    folder,
    `${typeof rule === 'number' ? `line-${rule}` : rule}-${sha256Hex(JSON.stringify(scenario)).slice(0, 6)}${ENDING}`,
  );

function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
