/** Which test files a run takes: those of a module of src, of a folder or a file, and those of what has changed. */
import { dirname, join } from 'node:path/posix';
import { didYouMean } from '../../src/contract/sentences.ts';
import { folderOf, moduleOf } from '../rooms.ts';
import { BELONGS, OTHER_FILES } from './modules.ts';

/** All files that a selection knows, from the root of the project and with slashes. */
export interface ProjectFiles {
  readonly tests: readonly string[];
  /** Names of the modules of src. */
  readonly modules: readonly string[];
  /** What each source of src and test imports. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
}

export class UnknownWord extends Error {}

export const isTest = (path: string): boolean => /^test\/.*\.test\.tsx?$/.test(path);

/** A star stands for any characters, slashes included. */
export const matches = (path: string, glob: string): boolean => {
  const [head = '', tail] = glob.split('*');
  return tail === undefined ? path === glob : path.startsWith(head) && path.endsWith(tail);
};

const matching = (files: readonly string[], globs: readonly string[]): string[] =>
  files.filter((file) => globs.some((glob) => matches(file, glob)));

export const globsOf = (module: string): string[] => [`test/${folderOf(module)}/*`, ...(BELONGS[module] ?? [])];

/** The tests of what a person wrote behind `npm test --`: a module, a folder of test/, a path, or the name of a test file. */
export function testsOf(word: string, { tests, modules }: ProjectFiles): string[] {
  const path = word.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/$/, '');
  const bare = (test: string) => (test.split('/').at(-1) as string).replace(/\.test\.tsx?$/, '');
  if (modules.includes(path)) return matching(tests, globsOf(path));
  const asFolder = path.startsWith('test') ? path : `test/${path}`;
  const found = [
    tests.filter((test) => test === path),
    tests.filter((test) => test.startsWith(`${asFolder}/`)),
    // Also a source of src: its module.
    path.startsWith('src/') && modules.includes(moduleOf(path.slice(4)))
      ? matching(tests, globsOf(moduleOf(path.slice(4))))
      : [],
    tests.filter((test) => bare(test) === bare(path)),
  ].find((some) => some.length > 0);
  if (found !== undefined) return found;
  const folders = [...new Set(tests.map((test) => test.split('/')[1] as string))].filter((name) => !name.includes('.'));
  const known = [...new Set([...modules, ...folders])].toSorted();
  const guess = didYouMean(path.split('/').at(-1) as string, [...known, ...tests.map(bare)]);
  throw new UnknownWord(
    `"${word}" is no module of src, no folder or file of tests.${guess === '' ? '' : ` ${guess.trim()}`}\nModules and folders: ${known.join(', ')}.`,
  );
}

export interface ChangedTests {
  readonly tests: readonly string[];
  readonly modules: readonly string[];
  /** Changed files to which no test belongs. */
  readonly without: readonly string[];
}

/**
 * The tests of changed files. Tests of test/product/ start the command or load the sources as a whole, so their imports tell
 * nothing of what they test: they are found by the table, and by changes of the tests themselves. All others are found by
 * imports too.
 */
export function changedTests(changed: readonly string[], files: ProjectFiles): ChangedTests {
  const { tests, imports } = files;
  const modules = [
    ...new Set(changed.filter((path) => /^src\/[^/]+\//.test(path)).map((path) => moduleOf(path.slice(4)))),
  ].toSorted();
  const others = changed.flatMap((path) => {
    const row = OTHER_FILES.find(([start]) => path.startsWith(start));
    return row === undefined ? [] : [...row[1]];
  });
  const isProduct = (test: string) => test.startsWith('test/product/');
  const isOwn = (test: string) => {
    const reached = reachedFrom(test, imports, isProduct(test) ? (path) => path.startsWith('test/') : () => true);
    return changed.some((path) => reached.has(path));
  };
  // A file of test/ that is no source, such as a plan: the tests of its folder read it.
  const beside = changed
    .filter((path) => path.startsWith('test/') && !imports.has(path))
    .map((path) => `test/${folderOf(moduleOf(path.slice(5)))}/*`);
  const globs = [...modules.flatMap(globsOf), ...others, ...beside];
  const selected = tests.filter((test) => globs.some((glob) => matches(test, glob)) || isOwn(test));
  const isKnown = (path: string) =>
    /^(?:src|test)\//.test(path) || OTHER_FILES.some(([start]) => path.startsWith(start));
  return { tests: selected, modules, without: changed.filter((path) => !isKnown(path)) };
}

function reachedFrom(
  file: string,
  imports: ReadonlyMap<string, readonly string[]>,
  isFollowed: (path: string) => boolean,
  reached = new Set<string>(),
): Set<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  for (const target of imports.get(file) ?? [])
    if (isFollowed(target)) reachedFrom(target, imports, isFollowed, reached);
  return reached;
}

/** Static and dynamic imports, and re-exports, of a source. */
export function importsIn(path: string, text: string): string[] {
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target]) => target as string);
  return found.map((target) => join(dirname(path), target));
}
