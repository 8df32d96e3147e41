/** Lists the scenarios of folders: title, description, parameters and minimum duration. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { atOnce, type Slices } from '../../base/time/slices.ts';
import { isMap } from '../../contract/schema.ts';
import { leastOf } from '../model/draws.ts';
import type { Scenario, ScenarioStep, Values } from '../model/scenario.ts';
import { type LoadOptions, loadInSlices, openScenario } from './load.ts';
import { readMerged, readShared } from './merged-file.ts';

const ENDING = '.scenario.yaml';

export interface ScenarioListing {
  /** File name without extension. */
  readonly name: string;
  readonly file: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** True if the scenario starts commands on this machine. */
  readonly hasCommands: boolean;
  /** Default of each parameter; for a matrix or cases, the possible values. */
  readonly parameters: Values;
  /** The minimum duration, simulated seconds; null for an invalid file. */
  readonly durationS: number | null;
}

/** Scenario files by name; if a name occurs twice, the earlier folder has priority. */
export function scenarioFiles(folders: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const folder of folders)
    for (const file of namesIn(folder)) {
      const name = file.slice(0, -ENDING.length);
      if (!found.has(name)) found.set(name, join(folder, file));
    }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `merged`: the file and its parts, if they have already been read. */
type ListingOptions = Pick<LoadOptions, 'merged' | 'light'>;

/** An entry for a file that cannot be read. */
export const unreadable = (name: string, file: string): ScenarioListing => ({
  name,
  file,
  title: name,
  description: '',
  tags: [],
  hasCommands: false,
  parameters: {},
  durationS: null,
});

export const shelved = (name: string, file: string): ScenarioListing => atOnce(listInSlices(name, file));

/** As `shelved`, in slices, so that a server can do other work in between. */
export function* listInSlices(
  name: string,
  file: string,
  { merged, light }: ListingOptions = {},
): Slices<ScenarioListing> {
  const own = merged ?? readMerged(file, readShared);
  const { value } = own;
  yield;
  const open = openScenario(file, { read: readShared, merged: own, light });
  yield;
  const loaded = yield* loadInSlices(open);
  const { tags, params, scenario } = value;
  const cases = loaded.ok ? loaded.cases : [];
  return {
    name,
    file,
    title: typeof scenario === 'string' ? scenario : name,
    description: loaded.ok ? (loaded.scenario.about ?? '') : '',
    tags: Array.isArray(tags) ? tags.map(String) : [],
    hasCommands: loaded.commands.length > 0,
    parameters: { ...(isMap(params) ? params : {}), ...valuesIn(cases) },
    durationS: loaded.ok ? Math.round(lengthOf(loaded.scenario) / 1000) : null,
  };
}

/** Returns all values of each name in the cases. */
function valuesIn(cases: readonly Values[]): Values {
  const values = new Map<string, Map<string, unknown>>();
  for (const one of cases)
    for (const [name, value] of Object.entries(one)) {
      const known = values.get(name) ?? new Map<string, unknown>();
      const key = JSON.stringify(value);
      if (!known.has(key)) known.set(key, value);
      values.set(name, known);
    }
  return Object.fromEntries([...values].map(([name, known]) => [name, [...known.values()]]));
}

/** The minimum duration of the scenario, if every check is met at once; simulated ms. */
export function lengthOf({ steps, finally: last }: Scenario): number {
  return endOf([...steps, ...last], 0);
}

function endOf(steps: readonly ScenarioStep[], begin: number): number {
  return steps.reduce((at, step) => {
    const start = Math.max(at + leastOf(step.afterMs), leastOf(step.atMs ?? 0));
    return start + lasting(step, start);
  }, begin);
}

function lasting(step: ScenarioStep, start: number): number {
  switch (step.kind) {
    case 'wait':
      return leastOf(step.ms);
    case 'check':
      return step.verb === 'never' ? step.limit.max : step.limit.min + step.forMs;
    case 'clock':
      return step.turn === 'advance' ? leastOf(step.to) : 0;
    case 'do':
      return endOf(step.steps, start) - start;
    case 'together':
      return Math.max(0, ...step.steps.map((one) => endOf([one], start) - start));
    case 'repeat':
      return leastOf(step.times) * Math.max(leastOf(step.everyMs ?? 0), endOf(step.steps, start) - start);
    default:
      return 0;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(ENDING));
  } catch {
    return [];
  }
}
