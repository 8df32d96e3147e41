/** Resolves a command's words to scenario files: a file, a folder, a tag expression, or the name of a scenario of the package. [cli, list and run] */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { shippedPath } from '../../base/shipped.ts';
import { CLI } from '../../base/text/command-form.ts';
import { declaredName } from '../../base/text/same-name.ts';
import { didYouMean } from '../../contract/sentences.ts';
import { scenarioFolders } from '../../sandbox/runs/scenario-folders.ts';
import { readLongForm } from '../../scenario/language/short-forms.ts';
import { readNamed } from '../../scenario/reading/merged-file.ts';
import { scenarioFiles as scenariosByName } from '../../scenario/reading/scenario-catalog.ts';
import { CommandError, EXIT, usage } from '../output.ts';
import { isTagExpression, readTagExpression } from './tag-expression.ts';

const SCENARIO = '.scenario.yaml';

/** Default folder. */
export const SCENARIOS_FOLDER = 'scenarios';

/** Distinct files in the order of the words: a file has the path by which it is named first. */
export function scenarioFiles(named: readonly string[]): string[] {
  const files = new Map<string, string>();
  for (const file of named.flatMap(filesOf)) if (!files.has(resolve(file))) files.set(resolve(file), file);
  return [...files.values()];
}

/**
 * The named files, or those of the folder `scenarios` if none are named. Throws a usage error if that folder has none.
 */
export function scenariosHere(named: readonly string[]): string[] {
  if (named.length > 0) return scenarioFiles(named);
  if (!isProject())
    throw usage(
      `There is no folder ${SCENARIOS_FOLDER} with scenarios here.`,
      `Name files or a folder, or a scenario that ships with the package: ${CLI} run fall-to-sos. ${CLI} list lists those.`,
      `Or write a first scenario of your own with: ${CLI} init`,
    );
  return scenarioFiles([SCENARIOS_FOLDER]);
}

/**
 * The files that the words name by path or by the name of a scenario. Files that are found by a folder or by tags are
 * not included.
 */
export const namedFiles = (words: readonly string[]): string[] =>
  words.filter((word) => !isTagExpression(word) && !isFolder(word)).flatMap(filesOf);

const isFolder = (word: string): boolean => statSync(word, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** As `scenariosHere`, but in a folder without scenarios it returns the scenarios of the package. */
export const scenariosToList = (named: readonly string[]): string[] =>
  named.length > 0 || isProject() ? scenariosHere(named) : [...shippedScenarios().values()];

/** The name by which `run` finds a scenario of the package. Returns null for a file of the user. */
export const shippedName = (file: string): string | null => {
  const name = basename(file, SCENARIO);
  return shippedScenarios().get(name) === file ? name : null;
};

/** Scenarios of the package by name, as absolute paths. */
function shippedScenarios(): ReadonlyMap<string, string> {
  const folder = shippedPath(SCENARIOS_FOLDER);
  return scenariosByName(folder === null ? [] : [folder]);
}

/** True if the working folder has scenarios of its own. */
const isProject = (): boolean => existsSync(SCENARIOS_FOLDER) && scenariosIn(SCENARIOS_FOLDER).length > 0;

function filesOf(word: string): string[] {
  if (isTagExpression(word)) return taggedFiles(word);
  if (!existsSync(word)) return [shippedScenario(word)];
  if (!isFolder(word)) return [word];
  const scenarios = scenariosIn(word);
  if (scenarios.length === 0) throw usage(`The folder ${word} has no *${SCENARIO}.`);
  return scenarios;
}

/** The scenario of the project or of the package that has this name. Throws `no_such_file` if there is none. */
export function shippedScenario(word: string): string {
  const shipped = scenariosByName(scenarioFolders());
  const file = shipped.get(declaredName(shipped.keys(), word));
  if (file !== undefined) return file;
  const meant = didYouMean(basename(word, SCENARIO), [...shipped.keys()]);
  throw new CommandError(EXIT.usage, 'no_such_file', `There is no file ${word}, and no scenario of that name.${meant}`);
}

function scenariosIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(SCENARIO));
  return names.sort().map((name) => join(folder, name));
}

function taggedFiles(word: string): string[] {
  const { selects, tags: wanted } = readTagExpression(word);
  const isOwn = isProject();
  const scenarios = isOwn ? scenariosIn(SCENARIOS_FOLDER) : [...shippedScenarios().values()];
  const tagsOf = (file: string): readonly unknown[] => {
    const text = readNamed(file)(file);
    const { tags } = ((typeof text === 'string' ? readLongForm(text, file).value : null) ?? {}) as { tags?: unknown };
    return Array.isArray(tags) ? tags : [];
  };
  const tagged = scenarios.filter((file) => selects(tagsOf(file)));
  if (tagged.length > 0) return tagged;
  const tags = [...new Set(scenarios.flatMap(tagsOf))].map(String).sort();
  const known = tags.join(', ');
  const where = isOwn ? `No scenario in ${SCENARIOS_FOLDER}` : 'No scenario of the package';
  const unknown = wanted.find((tag) => !tags.includes(declaredName(tags, tag)));
  const meant = unknown === undefined ? '' : didYouMean(unknown, tags);
  const what = word === `tag:${wanted[0]}` ? `has the tag ${wanted[0]}` : `is selected by "${word}"`;
  throw usage(`${where} ${what}.${meant}`, `There are ${known === '' ? 'no tags' : known}.`);
}
