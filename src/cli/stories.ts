/** Resolves a command's words to story files: a file, a folder, or a tag. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CLI } from '../base/command-form.ts';
import { didYouMean } from '../contract/sentences.ts';
import { readYaml } from '../plant/yaml-source.ts';
import { storyFolders } from '../sandbox/runs/story-folders.ts';
import { storyFiles as storiesByName } from '../scenario/reading/shelf.ts';
import { CommandError, EXIT, usage } from './output.ts';

const STORY = '.scenario.yaml';
const TAG = 'tag:';

/** Default folder. */
export const STORIES_FOLDER = 'scenarios';

/** Distinct files in the order of the words. */
export function storyFiles(asked: readonly string[]): string[] {
  return [...new Set(asked.flatMap(filesOf))];
}

/** The named files; without any, those of the folder `scenarios`. */
export function storiesHere(asked: readonly string[]): string[] {
  if (asked.length > 0) return storyFiles(asked);
  if (!existsSync(STORIES_FOLDER))
    throw usage(
      `There is no folder ${STORIES_FOLDER} here.`,
      `Name files, a folder, or a story that ships, as fall-to-sos; or make a first story with ${CLI} init.`,
    );
  return storyFiles([STORIES_FOLDER]);
}

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

/** The story of the package that has this name; throws when there is none. */
export function shippedStory(word: string): string {
  const shipped = storiesByName(storyFolders());
  const file = shipped.get(word);
  if (file !== undefined) return file;
  const meant = didYouMean(basename(word, STORY), [...shipped.keys()]);
  throw new CommandError(EXIT.usage, 'no_such_file', `There is no file ${word}, and no story of that name.${meant}`);
}

function storiesIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(STORY));
  return names.sort().map((name) => join(folder, name));
}

function taggedFiles(tag: string): string[] {
  let stories: string[] = [];
  try {
    stories = storiesIn(STORIES_FOLDER);
  } catch {
    throw usage(
      `tag:${tag} looks in the folder ${STORIES_FOLDER}, which is not here.`,
      'Run it where that folder is, or name files.',
    );
  }
  const tagsOf = (file: string): readonly unknown[] => {
    const { tags } = (readYaml(readFileSync(file, 'utf8'), file).value ?? {}) as { tags?: unknown };
    return Array.isArray(tags) ? tags : [];
  };
  const tagged = stories.filter((file) => tagsOf(file).includes(tag));
  if (tagged.length > 0) return tagged;
  const known = [...new Set(stories.flatMap(tagsOf))].sort().join(', ');
  throw usage(`No story in ${STORIES_FOLDER} has the tag ${tag}.`, `There are ${known === '' ? 'no tags' : known}.`);
}
