/** Resolves a command's words to scenario files: a file, a folder, a tag, or the name of a scenario of the package. [cli, list and run] */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { shippedPath } from '../../base/shipped.ts';
import { CLI } from '../../base/text/command-form.ts';
import { didYouMean } from '../../contract/sentences.ts';
import { readYaml } from '../../plant/yaml-source.ts';
import { storyFolders } from '../../sandbox/runs/story-folders.ts';
import { readNamed } from '../../scenario/reading/merged-file.ts';
import { storyFiles as storiesByName } from '../../scenario/reading/scenario-catalog.ts';
import { CommandError, EXIT, usage } from '../output.ts';

const STORY = '.scenario.yaml';
const TAG = 'tag:';

/** Default folder. */
export const STORIES_FOLDER = 'scenarios';

/** Distinct files in the order of the words. */
export function storyFiles(asked: readonly string[]): string[] {
  return [...new Set(asked.flatMap(filesOf))];
}

/** The named files; without any, those of the folder `scenarios`. Throws a usage error when that folder has none. */
export function storiesHere(asked: readonly string[]): string[] {
  if (asked.length > 0) return storyFiles(asked);
  if (!isProject())
    throw usage(
      `There is no folder ${STORIES_FOLDER} with scenarios here.`,
      `Name files or a folder, or a scenario that ships with the package: ${CLI} run fall-to-sos. ${CLI} list lists those.`,
      `Or write a first scenario of your own with: ${CLI} init`,
    );
  return storyFiles([STORIES_FOLDER]);
}

/** As `storiesHere`, but outside a project with scenarios the ones that ship with the package. */
export const storiesToList = (asked: readonly string[]): string[] =>
  asked.length > 0 || isProject() ? storiesHere(asked) : [...shippedStories().values()];

/** The name by which `run` finds a scenario of the package; null for a file of the user. */
export const shippedName = (file: string): string | null => {
  const name = basename(file, STORY);
  return shippedStories().get(name) === file ? name : null;
};

/** Scenarios of the package by name, as absolute paths. */
function shippedStories(): ReadonlyMap<string, string> {
  const folder = shippedPath(STORIES_FOLDER);
  return storiesByName(folder === null ? [] : [folder]);
}

/** True in a folder that has scenarios of its own. */
const isProject = (): boolean => existsSync(STORIES_FOLDER) && storiesIn(STORIES_FOLDER).length > 0;

function filesOf(word: string): string[] {
  if (word.startsWith(TAG)) return taggedFiles(word.slice(TAG.length));
  try {
    if (!statSync(word).isDirectory()) return [word];
  } catch {
    return [shippedStory(word)];
  }
  const stories = storiesIn(word);
  if (stories.length === 0) throw usage(`The folder ${word} has no *${STORY}.`);
  return stories;
}

/** The scenario of the project or of the package that has this name. Throws `no_such_file` when there is none. */
export function shippedStory(word: string): string {
  const shipped = storiesByName(storyFolders());
  const file = shipped.get(word);
  if (file !== undefined) return file;
  const meant = didYouMean(basename(word, STORY), [...shipped.keys()]);
  throw new CommandError(EXIT.usage, 'no_such_file', `There is no file ${word}, and no scenario of that name.${meant}`);
}

function storiesIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(STORY));
  return names.sort().map((name) => join(folder, name));
}

function taggedFiles(tag: string): string[] {
  const isOwn = isProject();
  const stories = isOwn ? storiesIn(STORIES_FOLDER) : [...shippedStories().values()];
  const tagsOf = (file: string): readonly unknown[] => {
    const text = readNamed(file)(file);
    const { tags } = ((typeof text === 'string' ? readYaml(text, file).value : null) ?? {}) as { tags?: unknown };
    return Array.isArray(tags) ? tags : [];
  };
  const tagged = stories.filter((file) => tagsOf(file).includes(tag));
  if (tagged.length > 0) return tagged;
  const tags = [...new Set(stories.flatMap(tagsOf))].map(String).sort();
  const known = tags.join(', ');
  const where = isOwn ? `No scenario in ${STORIES_FOLDER}` : 'No scenario of the package';
  throw usage(`${where} has the tag ${tag}.${didYouMean(tag, tags)}`, `There are ${known === '' ? 'no tags' : known}.`);
}
