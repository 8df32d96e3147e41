/**
 * `npm test`: all tests, or those of what is named behind `--`. `npm run test:changed`: those of what has changed. Both pass
 * the flags of vitest on, and `--whole` and `--quick` set WHOLE=1 and QUICK=1 in any shell.
 */
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { MODULES } from '../rooms.ts';
import { changedTests, importsIn, isTest, type ProjectFiles, testsOf, UnknownWord } from './selection.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Flags of vitest whose value is the next word. */
const WITH_VALUE =
  /^(?:-[tcr]|--(?:testNamePattern|reporter|outputFile(?:\.\w+)?|project|config|root|dir|pool|maxWorkers|maxConcurrency|testTimeout|hookTimeout|teardownTimeout|retry|bail|shard|exclude|mode|environment|slowTestThreshold))$/;

function filesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (name === 'node_modules' || /^test\/(?:judges|runners)$/.test(path)) return [];
    return statSync(join(ROOT, path)).isDirectory() ? filesUnder(path) : [path];
  });
}

function projectFiles(): ProjectFiles {
  const sources = [...filesUnder('src'), ...filesUnder('test')].filter((path) => /\.tsx?$/.test(path));
  return {
    tests: sources.filter(isTest),
    modules: MODULES,
    imports: new Map(sources.map((path) => [path, importsIn(path, readFileSync(join(ROOT, path), 'utf8'))])),
  };
}

function refuse(text: string): never {
  console.error(text);
  process.exit(2);
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** What differs from where this branch left `base`: committed, not committed, and new. */
function changedSince(base: string): { commit: string; files: string[] } {
  let commit = '';
  try {
    commit = git('merge-base', base, 'HEAD').trim();
  } catch {
    refuse(
      `Git knows no "${base}", or it has no commit in common with HEAD. Name another: npm run test:changed -- HEAD~1`,
    );
  }
  const tracked = git('diff', '--name-only', '--no-renames', '-z', commit).split('\0');
  const untracked = git('ls-files', '--others', '--exclude-standard', '-z').split('\0');
  return { commit, files: [...new Set([...tracked, ...untracked])].filter((path) => path !== '').toSorted() };
}

/** A clone of a branch may have no branch `main` of its own. */
function defaultBase(): string {
  try {
    git('rev-parse', '--verify', '--quiet', 'main^{commit}');
    return 'main';
  } catch {
    return 'origin/main';
  }
}

const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

function changedFiles(words: readonly string[]): readonly string[] | null {
  const [base = defaultBase(), ...more] = words;
  if (more.length > 0) refuse(`One base at most: ${words.join(' ')}`);
  const { commit, files } = changedSince(base);
  const since = `${base} (${commit.slice(0, 8)})`;
  if (files.length === 0) {
    console.log(`Nothing changed since ${since}.`);
    return null;
  }
  const { tests, modules, without } = changedTests(files, projectFiles());
  console.log(
    `${counted(files.length, 'file')} changed since ${since}${modules.length === 0 ? '' : `, of ${modules.join(', ')}`}: ${counted(tests.length, 'test file')}.`,
  );
  if (without.length > 0) console.log(`No test belongs to ${without.join(', ')}.`);
  return tests.length === 0 ? null : tests;
}

/** The words and the flags of a command line. */
function parted(args: readonly string[]): { words: string[]; flags: string[] } {
  const [words, flags]: [string[], string[]] = [[], []];
  for (let n = 0; n < args.length; n++) {
    const arg = args[n] as string;
    if (!arg.startsWith('-')) words.push(arg);
    else {
      flags.push(arg);
      if (WITH_VALUE.test(arg) && n + 1 < args.length) flags.push(args[++n] as string);
    }
  }
  return { words, flags };
}

function selected(words: readonly string[]): readonly string[] {
  if (words.length === 0) return [];
  // Also from a folder below.
  const here = words.map((word) => {
    const path = relative(ROOT, resolve(process.env['INIT_CWD'] ?? '', word))
      .split(sep)
      .join('/');
    return isTest(path) ? path : word;
  });
  try {
    const files = projectFiles();
    return [...new Set(here.flatMap((word) => testsOf(word, files)))];
  } catch (error) {
    if (error instanceof UnknownWord) refuse(error.message);
    throw error;
  }
}

const isChanged = process.argv[2] === '--changed-since';
const { words, flags } = parted(process.argv.slice(isChanged ? 3 : 2));
const tests = isChanged ? changedFiles(words) : selected(words);
if (tests !== null) {
  const own = ['--whole', '--quick'];
  const env = { ...process.env };
  if (flags.includes('--whole')) env['WHOLE'] = '1';
  if (flags.includes('--quick')) env['QUICK'] = '1';
  if (tests.length === 0 && env['WHOLE'] !== '1') env['EVERYDAY'] = '1';
  // A reporter on the command line replaces all of the configuration.
  const summary = flags.some((flag) => flag.startsWith('--reporter'))
    ? ['--reporter=./test/reporting/reporter.ts']
    : [];
  const args = ['run', ...tests, ...flags.filter((flag) => !own.includes(flag)), ...summary];
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
  });
  // A terminal sends Ctrl-C to both: vitest ends, and then this.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
  });
}
