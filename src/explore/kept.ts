/** The folder beside the file of rules, in which found scenarios are kept and tried first next time. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
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
    .filter((name) => name.endsWith(ENDING))
    .toSorted()
    .flatMap((name): KeptScenario[] => {
      const path = join(folder, name);
      const text = readUserText(path, { mostBytes: FILE_LIMITS.document });
      const { value } = readYaml(typeof text === 'string' ? text : '', path);
      if (!isMap(value) || !Array.isArray(value['steps'])) return [];
      const { seed, steps } = value;
      // Only what a made scenario has: a file in this folder could name a command that nobody saw.
      const plant = Object.fromEntries(Object.entries(value).filter(([key]) => Object.hasOwn(DEFAULT_PLANT, key)));
      const scenario = { plant, steps: (steps as unknown[]).filter(isMap) as GeneratedStep[], seed: Number(seed ?? 1) };
      return [{ path, scenario }];
    });
}

/** Writes a found scenario. */
export function keep({ path, text }: { readonly path: string; readonly text: string }): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Where a scenario is kept, by its rule and its content. */
export const keptPath = (folder: string, line: number, scenario: GeneratedScenario): string =>
  join(folder, `line-${line}-${sha256Hex(JSON.stringify(scenario)).slice(0, 6)}${ENDING}`);

function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
