/** The folder beside the file of rules, in which found stories are kept and tried first next time. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isMap } from '../contract/schema.ts';
import { readYaml } from '../plant/yaml-source.ts';
import type { Tale, TaleStep } from './tale.ts';

const ENDING = '.scenario.yaml';

/** `inbox.explore.yaml` -> `inbox.found`, beside it. */
export const foundFolder = (file: string): string =>
  join(dirname(file), `${basename(file).replace(/(\.explore)?\.ya?ml$/, '')}.found`);

export interface KeptTale {
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
      const { value } = readYaml(readable(() => readFileSync(path, 'utf8')) ?? '', path);
      if (!isMap(value) || !Array.isArray(value['steps'])) return [];
      const { scenario: _scenario, use: _use, seed: _seed, steps, ...plant } = value;
      return [{ path, tale: { plant, steps: (steps as unknown[]).filter(isMap) as TaleStep[] } }];
    });
}

/** Writes a found story; returns its path. */
export function keep(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}${ENDING}`);
  writeFileSync(path, text);
  return path;
}

function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
