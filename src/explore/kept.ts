/** The folder beside the file of rules, in which found stories are kept and tried first next time. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sha256Hex } from '../base/ids.ts';
import { FILE_LIMITS, readUserText } from '../base/user-files.ts';
import { isMap } from '../contract/schema.ts';
import { readYaml } from '../plant/yaml-source.ts';
import { DEFAULT_PLANT } from './plant.ts';
import type { Tale, TaleStep } from './tale.ts';

const ENDING = '.scenario.yaml';

/** `inbox.explore.yaml` -> `inbox.found`, beside it. */
export const foundFolder = (file: string): string =>
  join(dirname(file), `${basename(file).replace(/(\.explore)?\.ya?ml$/, '')}.found`);

interface KeptTale {
  readonly path: string;
  readonly tale: Tale;
}

/** The stories found before, as far as they are readable. */
export function keptTales(file: string): KeptTale[] {
  const folder = foundFolder(file);
  const names = readable(() => readdirSync(folder)) ?? [];
  return names
    .filter((name) => name.endsWith(ENDING))
    .toSorted()
    .flatMap((name): KeptTale[] => {
      const path = join(folder, name);
      const text = readUserText(path, { mostBytes: FILE_LIMITS.document });
      const { value } = readYaml(typeof text === 'string' ? text : '', path);
      if (!isMap(value) || !Array.isArray(value['steps'])) return [];
      const { seed, steps } = value;
      // Only what a made scenario has: a file in this folder could name a command that nobody saw.
      const plant = Object.fromEntries(Object.entries(value).filter(([key]) => Object.hasOwn(DEFAULT_PLANT, key)));
      const tale = { plant, steps: (steps as unknown[]).filter(isMap) as TaleStep[], seed: Number(seed ?? 1) };
      return [{ path, tale }];
    });
}

/** Writes a found story. */
export function keep({ path, text }: { readonly path: string; readonly text: string }): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Where a story is kept, by its rule and its content. */
export const keptPath = (folder: string, line: number, tale: Tale): string =>
  join(folder, `line-${line}-${sha256Hex(JSON.stringify(tale)).slice(0, 6)}${ENDING}`);

function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
