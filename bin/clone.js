/**
 * The bundle of a clone: `.bundle/` has one folder for each state of the sources, so that a running command never loses its
 * files. Not in the package.
 */
'use strict';
const { spawn } = require('node:child_process');
const { createHash } = require('node:crypto');
const {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const { SourceMap } = require('node:module');
const { dirname, join, resolve } = require('node:path');
const { pathToFileURL } = require('node:url');

/** What a bundle is made from, besides `src`. The lockfile stands for the packages, which are too many to look at. */
const BESIDE = ['build.js', 'package-lock.json', 'tsconfig.json'];

/** What editors and systems leave beside a file: locks, copies, swap files. */
const NO_SOURCE = /^[.#]|~$/;

/** The folder of the bundle of the sources as they are now, by their paths, sizes and times. It may not exist. */
function bundleFolder(root) {
  let stamp = '';
  const add = (path) => {
    const { size, mtimeMs } = statSync(`${root}/${path}`);
    stamp += `${path}\0${size}\0${mtimeMs}\n`;
  };
  const addFolder = (path) => {
    for (const entry of readdirSync(`${root}/${path}`, { withFileTypes: true }))
      if (NO_SOURCE.test(entry.name)) continue;
      else if (entry.isDirectory()) addFolder(`${path}/${entry.name}`);
      else add(`${path}/${entry.name}`);
  };
  addFolder('src');
  for (const name of BESIDE) add(name);
  return join(root, '.bundle', createHash('sha256').update(stamp).digest('hex').slice(0, 16));
}

/** The folder of the bundle; null where the sources have changed since it was built. */
function freshBundle(root) {
  try {
    const folder = bundleFolder(root);
    return existsSync(folder) ? folder : null;
  } catch {
    // A source was removed in this moment, for example.
    return null;
  }
}

/** Bundles, not what a builder has beside them. */
const BUNDLE = /^[0-9a-f]{16}$/;

const bundlesIn = (folder) => (existsSync(folder) ? readdirSync(folder) : []).filter((name) => BUNDLE.test(name));

/** What a person at a terminal reads of the building: a script compares what a command prints. */
const tell = (text) => {
  if (process.stderr.isTTY) process.stderr.write(`${text}\n`);
};

/** Builds the bundle; null where that is impossible: without esbuild, in a folder that cannot be written, after a typo. */
async function built(root) {
  const slower = 'The sources are run instead, which takes seconds longer.';
  const folder = join(root, '.bundle');
  try {
    const isFirst = bundlesIn(folder).length === 0;
    accessSync(existsSync(folder) ? folder : root, constants.W_OK);
    tell(
      `${isFirst ? 'This clone has no bundle yet' : 'The sources have changed'}: the command is built, which takes seconds …`,
    );
  } catch (error) {
    tell(`The command of this clone cannot be built: ${error.message}\n${slower}`);
    return null;
  }
  let reason = '';
  await new Promise((done) => {
    const stdio = ['ignore', 'ignore', 'pipe'];
    const child = spawn(process.execPath, [join(root, 'build.js'), '--clone'], { stdio });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      reason += text;
    });
    child.once('error', done);
    child.once('close', done);
  });
  const bundle = freshBundle(root);
  if (bundle === null) tell(`${reason.trim() || 'The command of this clone is not built.'}\n${slower}`);
  return bundle;
}

/** The file in a bundle by which a builder sees that a process uses it. */
const useOf = (bundle, pid) => join(bundle, 'used-by', `${pid}`);

/** A builder does not remove the bundle while this process runs: it may load a part of it, or a page, at any time. */
function use(bundle) {
  const mark = useOf(bundle, process.pid);
  try {
    mkdirSync(dirname(mark), { recursive: true });
    writeFileSync(mark, '');
    process.once('exit', () => rmSync(mark, { force: true }));
  } catch {
    // Another user's clone. Its owner may remove the bundle.
  }
}

/** True if a process that runs has marked the bundle. */
function isUsed(bundle) {
  const marks = dirname(useOf(bundle, 0));
  return (existsSync(marks) ? readdirSync(marks) : []).some((pid) => {
    try {
      process.kill(Number(pid), 0);
      return true;
    } catch (error) {
      return error.code === 'EPERM';
    }
  });
}

/** Runs the sources, which takes seconds more. */
async function runSources(root, argv) {
  try {
    const tsx = await import('tsx/esm/api');
    // The clone's own settings, wherever the command is run: they say how JSX is compiled.
    tsx.register({ tsconfig: join(root, 'tsconfig.json') });
  } catch (error) {
    return unusable(error);
  }
  let main;
  try {
    ({ main } = await import(pathToFileURL(join(root, 'src/cli/main.ts')).href));
  } catch (error) {
    return unusable(error);
  }
  return main(argv);
}

/** Neither a bundle nor sources that can be run: packages are missing, or a source has a typo. Any other error is thrown. */
function unusable(error) {
  const { message, code, name } = error;
  const lacksPackages = code === 'ERR_MODULE_NOT_FOUND' || message.includes('@esbuild/');
  if (!lacksPackages && name !== 'TransformError') throw error;
  process.stderr.write(`The command of this clone can neither be built nor run from its sources:\n${message.trim()}\n`);
  if (lacksPackages)
    process.stderr.write('Install its packages with: npm ci   (not with --omit=dev or --omit=optional)\n');
  process.exit(3);
}

/**
 * Makes stack traces name the files of `src`. Node's own `setSourceMapsEnabled` reads the map of every file that is loaded,
 * which takes longer than loading it; here a map is read when a stack trace is.
 */
function nameSources(bundle) {
  const maps = new Map();
  const mapOf = (file) => {
    if (!maps.has(file)) {
      const path = `${file}.map`;
      maps.set(file, existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : null);
    }
    return maps.get(file);
  };
  const inSources = (place, file, line, column) => {
    const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry?.originalSource === undefined) return place;
    return `${resolve(dirname(file), entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  };
  const escaped = bundle.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const place = new RegExp(`(${escaped}[^():]*):(\\d+):(\\d+)`, 'g');
  const header = (error) => {
    try {
      // An object without a class too: `console.trace` has one.
      return Error.prototype.toString.call(error);
    } catch {
      return 'Error';
    }
  };
  try {
    Error.prepareStackTrace = (error, frames) =>
      [header(error), ...frames.map((frame) => `    at ${String(frame).replace(place, inSources)}`)].join('\n');
  } catch {
    // `node --frozen-intrinsics`: the names of the bundle have to do.
  }
}

module.exports = { bundleFolder, bundlesIn, built, freshBundle, isUsed, nameSources, runSources, use };
