/** The folder next to the file of rules, which stores found scenarios. The next search begins with them. */
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sha256Hex } from '../base/ids.ts';
import { FILE_LIMITS, readUserText } from '../base/user-files.ts';
import { isMap } from '../contract/schema.ts';
import { readYaml } from '../plant/yaml-source.ts';
import type { GeneratedScenario, GeneratedStep } from './generated-scenario.ts';
import { DEFAULT_PLANT } from './plant.ts';

const ENDING = '.scenario.yaml';

/** `inbox.explore.yaml` -> `inbox.found`, beside it. */
export const foundFolder = (file: string): string =>
  join(dirname(file), `${basename(file).replace(/(\.explore)?\.ya?ml$/, '')}.found`);

interface KeptScenario {
  readonly path: string;
  readonly scenario: GeneratedScenario;
}

/** The scenarios found before, as far as they are readable. */
export function keptScenarios(file: string): KeptScenario[] {
  const folder = foundFolder(file);
  const names = readable(() => readdirSync(folder)) ?? [];
  return names
    .filter((name) => name.startsWith('line-') && name.endsWith(ENDING))
    .toSorted()
    .flatMap((name): KeptScenario[] => {
      const path = join(folder, name);
      const text = readUserText(path, { mostBytes: FILE_LIMITS.document });
      const { value } = readYaml(typeof text === 'string' ? text : '', path);
      if (!isMap(value) || !Array.isArray(value['steps'])) return [];
      const { seed, steps, system } = value;
      // Only what a made scenario has: a file in this folder could name a command that nobody saw.
      const plant = Object.fromEntries(Object.entries(value).filter(([key]) => Object.hasOwn(DEFAULT_PLANT, key)));
      const timeZone = isMap(system) ? (system['time_zone'] as string | undefined) : undefined;
      const scenario = {
        plant,
        steps: (steps as unknown[]).filter(isMap) as GeneratedStep[],
        seed: Number(seed ?? 1),
        timeZone,
      };
      return [{ path, scenario }];
    });
}

/** Scenarios of the corpus that are kept for the next search; those of the latest search first. */
const MOST_OF_CORPUS = 100;

/** `inbox.explore.yaml` -> `inbox.corpus.jsonl`, beside it: a scenario a line. */
const corpusFile = (file: string): string => foundFolder(file).replace(/\.found$/, '.corpus.jsonl');

/** Scenarios that met something new in earlier searches, as far as they are readable. */
export function keptCorpus(file: string): GeneratedScenario[] {
  const path = corpusFile(file);
  const text = readable(() => readUserText(path, { mostBytes: FILE_LIMITS.document }));
  if (typeof text !== 'string') return [];
  return text.split('\n').flatMap((line): GeneratedScenario[] => {
    const value = readable(() => JSON.parse(line) as unknown);
    if (!isMap(value) || !isMap(value['plant']) || !Array.isArray(value['steps'])) return [];
    const plant = Object.fromEntries(
      Object.entries(value['plant']).filter(([key]) => Object.hasOwn(DEFAULT_PLANT, key)),
    );
    const moves = (Array.isArray(value['moves']) ? value['moves'] : []).map(String);
    return [{ plant, steps: value['steps'].filter(isMap) as GeneratedStep[], seed: Number(value['seed'] ?? 1), moves }];
  });
}

/** Adds the scenarios of a search to the corpus beside the file. */
export function keepCorpus(file: string, corpus: readonly GeneratedScenario[]): void {
  if (corpus.length === 0) return;
  const lines = [...corpus, ...keptCorpus(file)].map(({ plant, steps, seed, moves = [] }) =>
    JSON.stringify({ plant, steps, seed, moves }),
  );
  writeFileSync(corpusFile(file), `${[...new Set(lines)].slice(0, MOST_OF_CORPUS).join('\n')}\n`);
}

/** Moves the log of a play beside its scenario; returns where it is. */
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

/** Where a scenario is kept, by the line of its rule, or another word, and by its content. */
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
