/**
 * The bundle of a clone: `.bundle/` has one folder for each state of the sources, so that a running command never loses its
 * files. Not in the package.
 */
'use strict';
const { spawn } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, readdirSync, readFileSync, statSync } = require('node:fs');
const { SourceMap } = require('node:module');
const { dirname, join, resolve } = require('node:path');
const { pathToFileURL } = require('node:url');

/** What a bundle is made from, besides `src`. The lockfile stands for the packages, which are too many to look at. */
const BESIDE = ['build.js', 'package-lock.json', 'tsconfig.json'];

/** The folder of the bundle of the sources as they are now, by their paths, sizes and times. It may not exist. */
function bundleFolder(root) {
  let stamp = '';
  const add = (path) => {
    const { size, mtimeMs } = statSync(`${root}/${path}`);
    stamp += `${path}\0${size}\0${mtimeMs}\n`;
  };
  const addFolder = (path) => {
    for (const entry of readdirSync(`${root}/${path}`, { withFileTypes: true }))
      if (entry.isDirectory()) addFolder(`${path}/${entry.name}`);
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

/** Builds the bundle; null where that is impossible: without esbuild, in a folder that cannot be written, after a typo. */
async function built(root) {
  if (process.stderr.isTTY)
    process.stderr.write('The sources have changed: the command is built, which takes seconds …\n');
  await new Promise((done) => {
    const child = spawn(process.execPath, [join(root, 'build.js'), '--clone'], { stdio: 'ignore' });
    child.once('error', done);
    child.once('close', done);
  });
  return freshBundle(root);
}

/** Runs the sources, which takes seconds more. */
async function runSources(root, argv) {
  let tsx;
  try {
    tsx = await import('tsx/esm/api');
  } catch {
    process.stderr.write(
      'This clone has no bundle of the command, and the packages that build it are not installed.\nInstall them with: npm ci   (not with --omit=dev)\n',
    );
    process.exit(3);
  }
  // The clone's own settings, wherever the command is run: they say how JSX is compiled.
  tsx.register({ tsconfig: join(root, 'tsconfig.json') });
  const { main } = await import(pathToFileURL(join(root, 'src/cli/main.ts')).href);
  return main(argv);
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
  Error.prepareStackTrace = (error, frames) =>
    [String(error), ...frames.map((frame) => `    at ${String(frame).replace(place, inSources)}`)].join('\n');
}

module.exports = { bundleFolder, built, freshBundle, nameSources, runSources };
