/**
 * Bundles the sources for publishing: no runtime dependency but the native one (libsql). With `--bundle FOLDER` it writes the bundle
 * alone, with `--types FOLDER` the declarations alone, for tests. With `--clone` it writes the bundle that the launcher of a
 * clone runs (`bin/clone.js`).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import clone from './bin/clone.js';

const [option, folder] = process.argv.slice(2);
const isForClone = option === '--clone';
process.chdir(import.meta.dirname);
const { build, transform } = await loadBundler();

/** `npm ci --omit=dev` has no bundler and must succeed; the launcher then says what is missing. */
async function loadBundler() {
  try {
    return await import('esbuild');
  } catch (error) {
    if (!isForClone) throw error;
    notBuilt(error);
  }
}

/** To `npm ci` this is no failure: the launcher runs the sources, or says what is missing. */
function notBuilt({ message }, left = []) {
  for (const path of left) rmSync(path, { recursive: true, force: true });
  process.stderr.write(`The command of this clone is not built: ${message.split('\n')[0]}\n`);
  process.exit(0);
}

/**
 * What bundled packages load and never use here, with what stands in their place: together a sixth of what `up` parses.
 * Fastify's logger, its schema compilers and its `inject` are not asked for (`src/service/api/app.ts`), and no plugin of it names a version.
 */
const UNUSED = {
  pino: "module.exports = { symbols: { serializersSym: Symbol('unused') } };",
  '@fastify/ajv-compiler': 'module.exports = {};',
  '@fastify/fast-json-stringify-compiler': 'module.exports = {};',
  'light-my-request': 'module.exports = {};',
  semver: 'module.exports = {};',
  // mqtt.js loads them for proxies and for browsers.
  socks: 'module.exports = {};',
  'worker-timers': 'module.exports = {};',
  // The streams of Node 18 as a package, for older versions of Node.
  'readable-stream': "module.exports = require('node:stream');",
  // mqtt.js formats what it would print for every packet.
  debug: 'const off = () => {}; off.extend = () => off; off.enabled = false; module.exports = () => off;',
};

const withoutUnused = {
  name: 'without-unused',
  setup(building) {
    // Commander starts programs for subcommands that are files; here none is one.
    building.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]node_modules[\\/]commander[\\/]/.test(importer)
        ? { path: 'child_process', namespace: 'unused' }
        : undefined,
    );
    const isUnused = new RegExp(`^(?:${Object.keys(UNUSED).join('|')})$`);
    building.onResolve({ filter: isUnused }, ({ path }) => ({ path, namespace: 'unused' }));
    building.onLoad({ filter: /./, namespace: 'unused' }, ({ path }) => ({
      contents: UNUSED[path] ?? 'module.exports = {};',
    }));
  },
};

const minified = { minify: true, legalComments: 'none' };
/** In a clone, names and lines stay as they are and maps lead to the sources, so that an error can be read. */
const compact = isForClone
  ? { minifySyntax: true, legalComments: 'none', sourcemap: 'external', sourcesContent: false }
  : minified;
/** Of what runs in Node. */
const onNode = { platform: 'node', target: 'node20.19' };

/**
 * Writes the command, the package's entry, the worker that reads scenarios, and the scripts of the pages and reports to `outdir`;
 * answers the paths of all bundled sources.
 *
 * What runs in Node is one bundle for both module systems, in CommonJS: jest loads nothing else, and an ES module can import it.
 * esbuild splits ES modules only, so its chunks are converted one by one.
 */
async function bundle(outdir) {
  mkdirSync(outdir, { recursive: true });
  const options = { outdir, bundle: true, format: 'esm', plugins: [withoutUnused] };
  const { metafile, outputFiles } = await build({
    ...options,
    ...onNode,
    entryPoints: {
      cli: 'src/cli/main.ts',
      index: 'src/index.ts',
      'reading-worker': 'src/sandbox/runs/reading-worker.ts',
    },
    splitting: true,
    // Ink loads the second for debugging only, where DEV is set; pg the third only where it is asked for.
    external: ['libsql', 'react-devtools-core', 'pg-native'],
    metafile: true,
    write: false,
    chunkNames: 'chunk-[hash]',
    define: { 'process.env.NODE_ENV': '"production"' },
    ...(isForClone ? { sourcemap: 'external', sourcesContent: false } : {}),
  });
  const written = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  await writeModules(outdir, new Map([...written].filter(([name]) => name.endsWith('.js'))), written);
  // What the pages of the panel load; a browser bundles nothing by itself.
  await build({
    ...options,
    ...minified,
    entryPoints: { panel: 'src/service/panel/browser/main.ts' },
    platform: 'browser',
    target: 'es2022',
  });
  // What reports, the guide and the API reference contain: no module, as they may be opened from a file.
  await build({
    ...options,
    ...minified,
    entryPoints: {
      report: 'src/scenario/reporting/html/browser/main.ts',
      guide: 'src/service/api/guide/browser/main.ts',
      reference: 'src/service/api/reference/browser/main.ts',
    },
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
  });
  return Object.keys(metafile.inputs);
}

/** As many bundles stay for somebody who goes from branch to branch. */
const MOST_BUNDLES = 10;

/** What no builder needs any more: milliseconds. */
const LEFT_MS = 3_600_000;

/** Builds beside the folder and renames, so that no command finds a part of it. Of several processes, one builds. */
async function bundleForClone() {
  const wanted = clone.bundleFolder('.');
  const parent = dirname(wanted);
  const made = `${wanted}-${process.pid}`;
  const lock = `${wanted}.lock`;
  try {
    mkdirSync(parent, { recursive: true });
    while (!hasLock(lock)) {
      await setTimeout(50);
      if (existsSync(wanted)) return;
    }
    if (!existsSync(wanted)) await bundle(made);
    if (clone.bundleFolder('.') !== wanted) throw new Error('a source has changed meanwhile.');
    if (!existsSync(wanted)) renameSync(made, wanted);
    removeOld(parent);
  } catch (error) {
    if (!existsSync(wanted)) return notBuilt(error, [made, lock]);
  }
  for (const path of [made, lock]) rmSync(path, { recursive: true, force: true });
}

/** Removes bundles that no process uses, but for the newest, and what killed builders have left. */
function removeOld(parent) {
  // Another process may remove one of them meanwhile.
  const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const bundles = clone.bundlesIn(parent);
  const old = bundles.map((name) => join(parent, name)).sort((a, b) => changedAt(b) - changedAt(a));
  const left = readdirSync(parent)
    .filter((name) => !bundles.includes(name))
    .map((name) => join(parent, name))
    .filter((path) => Date.now() - changedAt(path) > LEFT_MS);
  for (const path of [...old.slice(MOST_BUNDLES).filter((bundle) => !clone.isUsed(bundle)), ...left])
    rmSync(path, { recursive: true, force: true });
}

/** A build takes a few seconds. A lock of this age belongs to no builder, even if a process has its number: milliseconds. */
const LOCK_MS = 30_000;

/** True if this process has the lock now. A lock is free if the process that took it has ended. */
function hasLock(lock) {
  try {
    writeFileSync(lock, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  try {
    // In a container, this process may have the number of one that was killed.
    const holder = Number(readFileSync(lock, 'utf8'));
    const isOld = Date.now() - statSync(lock).mtimeMs > LOCK_MS;
    if (isOld || holder === process.pid) rmSync(lock, { force: true });
    else process.kill(holder, 0);
  } catch (error) {
    if (error.code === 'ESRCH') rmSync(lock, { force: true });
  }
  return false;
}

/** A chunk's imports of other chunks, and its exports at its end, as esbuild prints them. */
const CHUNK_IMPORT = /^import (?:\{([^}]*)\} from )?"\.\/([\w-]+\.js)";$/gm;
const CHUNK_EXPORT = /\nexport \{([^}]*)\};\s*$/;

/** [name here, name outside] of each name in the braces of an export, or [name outside, name here] in those of an import. */
const namesIn = (braces = '') =>
  braces
    .split(',')
    .map((one) => one.trim().split(' as '))
    .filter(([name]) => name !== '')
    .map(([name, alias = name]) => [name, alias]);

/**
 * Writes each chunk as CommonJS (`.cjs`) or, where that is impossible, as an ES module (`.js`), and the entry for `import`.
 * `written` has the map of each chunk too, in a clone: no conversion below moves a line, so it remains true.
 */
async function writeModules(outdir, chunks, written) {
  const esModules = await esModulesOf(chunks);
  const constants = new Map([...chunks].map(([name, text]) => [name, constantsOf(text)]));
  const fileOf = (name) => (esModules.has(name) ? name : name.replace(/\.js$/, '.cjs'));
  const renamed = (text) =>
    text.replace(/"\.\/([\w-]+\.js)"/g, (as, name) => (chunks.has(name) ? `"./${fileOf(name)}"` : as));
  for (const [name, text] of chunks) {
    const map = written.get(`${name}.map`);
    const converted = esModules.has(name)
      ? await asEsModule(renamed(withoutLiveImports(name, text, constants, esModules)), map)
      : await asCommonJs(renamed(withConstantImports(text, constants)), map);
    writeFileSync(join(outdir, fileOf(name)), converted.code);
    if (map !== undefined) writeFileSync(join(outdir, `${fileOf(name)}.map`), converted.map);
  }
  const exported = namesIn(CHUNK_EXPORT.exec(chunks.get('index.js'))?.[1]).map(([, alias]) => alias);
  writeFileSync(join(outdir, 'index.js'), `export { ${exported.join(', ')} } from './index.cjs';\n`);
}

/** The chunks with a top-level await, and those that import one of them statically: CommonJS has none of it. Ink is such a package. */
async function esModulesOf(chunks) {
  const found = new Set();
  // Only these can have one: esbuild indents what is in a function.
  const possible = [...chunks].filter(([, text]) => /^\S.*\bawait\b/m.test(text));
  for (const [name, text] of possible)
    await transform(text, { format: 'cjs', ...onNode }).catch(({ message }) => {
      if (!message.includes('Top-level await')) throw new Error(`${name}: ${message}`);
      found.add(name);
    });
  // The set grows while it is walked.
  for (const awaited of found)
    for (const [name, text] of chunks)
      if ([...text.matchAll(CHUNK_IMPORT)].some(([, , from]) => from === awaited)) found.add(name);
  return found;
}

/** The exported names whose value is the same once the chunk is loaded: functions, and variables that are assigned where they are declared only. */
function constantsOf(text) {
  const constants = new Set();
  // A part of a package that is loaded at its first `require` gets its values then.
  if (/\b__esm\(/.test(text)) return constants;
  for (const [name, alias] of namesIn(CHUNK_EXPORT.exec(text)?.[1])) {
    const one = `(?<![\\w$.])${name.replaceAll('$', '\\$')}`;
    const declared = new RegExp(`^(?:(?:async )?function\\*? ${one}\\(|(var) ${one} = )`, 'm').exec(text);
    const isAssigned = new RegExp(
      `${one} [-+*/%&|^?<>]{0,3}=(?![=>])|${one}(?:\\+\\+|--)|(?:\\+\\+|--)${one}(?![\\w$])`,
      'g',
    );
    const times = [...text.matchAll(isAssigned)].length;
    if (declared !== null && times === (declared[1] === 'var' ? 1 : 0)) constants.add(alias);
  }
  return constants;
}

/**
 * Imports of constants are read once, into constants. esbuild's own conversion reads a property by a getter at each use, which cost
 * scenarios 4% of their time. Constants have their values by then: a chunk imports only chunks that more entries need, so there is no circle.
 */
function withConstantImports(text, constants) {
  return text.replace(CHUNK_IMPORT, (statement, braces, from) => {
    const names = namesIn(braces);
    const isConstant = ([name]) => constants.get(from).has(name);
    const read = names.filter(isConstant).map(([name, alias]) => (name === alias ? name : `${name}: ${alias}`));
    const live = names.filter((one) => !isConstant(one)).map(([name, alias]) => `${name} as ${alias}`);
    return [
      ...(live.length > 0 || read.length === 0 ? [`import { ${live.join(', ')} } from "./${from}";`] : []),
      ...(read.length > 0 ? [`const { ${read.join(', ')} } = require("./${from}");`] : []),
      // As many lines as before, for the map.
      '\n'.repeat(statement.split('\n').length - 1),
    ].join(' ');
  });
}

/** An ES module reads what it imports of CommonJS once; a value that changes later would be missed. */
function withoutLiveImports(chunk, text, constants, esModules) {
  for (const [, braces, from] of text.matchAll(CHUNK_IMPORT))
    for (const [name] of namesIn(braces))
      if (!esModules.has(from) && !constants.get(from).has(name))
        throw new Error(`${chunk} imports ${name} of ${from}, which may change: an ES module cannot follow it.`);
  return text;
}

/** `import()` of CommonJS becomes `require`: in the contexts of jest there is no `import()`. Only ES modules are still imported. */
async function asCommonJs(text, map) {
  const { warnings, ...converted } = await transform(
    withMap(text.replace(/\bimport\("(\.\/[\w-]+\.js)"\)/g, '__importEsModule("$1")'), map),
    {
      ...onNode,
      ...compact,
      format: 'cjs',
      supported: { 'dynamic-import': false },
      define: { 'import.meta.url': '__url' },
      banner: text.includes('import.meta.url') ? "const __url=require('node:url').pathToFileURL(__filename).href;" : '',
    },
  );
  const [unknown] = warnings.filter(({ id }) => id === 'empty-import-meta');
  if (unknown) throw new Error(`CommonJS has a value for import.meta.url only: ${unknown.location?.lineText}`);
  // With a map it stays as long as the name, so that no later column moves.
  const called = map === undefined ? 'import(' : `import${' '.repeat(10)}(`;
  return { ...converted, code: converted.code.replaceAll('__importEsModule(', called) };
}

/** esbuild follows the map of its input. */
const withMap = (text, map) =>
  map === undefined
    ? text
    : `${text}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;

/** Bundled CommonJS asks for Node's modules by `require`. */
async function asEsModule(text, map) {
  const banner = "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);";
  return transform(withMap(text, map), { ...onNode, ...compact, format: 'esm', banner });
}

/** The licences of the bundled packages, which go with them. */
function noticesOf(inputs) {
  const packages = new Set();
  for (const path of inputs) {
    const match = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
    if (match) packages.add(match[1]);
  }
  const notices = [...packages].sort().map((name) => {
    const { version, license } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
    let text = '';
    for (const file of ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'License', 'LICENCE'])
      try {
        text = readFileSync(`node_modules/${name}/${file}`, 'utf8').trim();
        break;
      } catch {
        // Another spelling, then.
      }
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return `What is bundled in these files, and under which licence.\n\n${notices.join('\n---\n\n')}`;
}

/** Writes the declarations of the entry, once, as those of CommonJS: declarations of an ES module can export them, and not the reverse. */
function declare(outdir) {
  const types = join(outdir, 'types');
  // Several threads check much of it twice.
  const compiler = [
    'node_modules/typescript/bin/tsc',
    '-p',
    'tsconfig.build.json',
    '--singleThreaded',
    '--outDir',
    types,
  ];
  execFileSync(process.execPath, compiler, { stdio: 'inherit' });
  copyDeclarations(types, outdir, 'index');
  writeFileSync(join(outdir, 'index.d.ts'), "export * from './index.cjs';\n");
  rmSync(types, { recursive: true });
}

/** The entry's declarations and those that they import: the public types, which need nothing else of the sources. */
function copyDeclarations(from, to, name, copied = new Set()) {
  if (copied.has(name)) return;
  copied.add(name);
  const text = readFileSync(join(from, `${name}.d.ts`), 'utf8').replace(/(from '\.[^']*)\.ts'/g, "$1.cjs'");
  mkdirSync(dirname(join(to, name)), { recursive: true });
  writeFileSync(join(to, `${name}.d.cts`), text);
  for (const [, target] of text.matchAll(/from '(\.[^']*)\.cjs'/g))
    copyDeclarations(from, to, join(dirname(name), target), copied);
}

if (isForClone) await bundleForClone();
else if (option === '--bundle') await bundle(folder);
else if (option === '--types') declare(folder);
else {
  rmSync('dist', { recursive: true, force: true });
  writeFileSync('dist/NOTICES.txt', noticesOf(await bundle('dist')));
  declare('dist');
}
