/** Bundles the sources for publishing: no runtime dependency but the native one (libsql). With `--bundle FOLDER` it writes the bundle alone, with `--types FOLDER` the declarations alone, for tests. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

/**
 * What bundled packages load and never use here, with what stands in their place: together a sixth of what `up` parses.
 * Fastify's logger, its schema compilers and its `inject` are not asked for (`src/api/app.ts`), and no plugin of it names a version.
 */
const UNUSED = {
  pino: "module.exports = { symbols: { serializersSym: Symbol('unused') } };",
  '@fastify/ajv-compiler': 'module.exports = {};',
  '@fastify/fast-json-stringify-compiler': 'module.exports = {};',
  'light-my-request': 'module.exports = {};',
  semver: 'module.exports = {};',
  // mqtt.js formats what it would print for every packet.
  debug: 'const off = () => {}; off.extend = () => off; off.enabled = false; module.exports = () => off;',
};

const withoutUnused = {
  name: 'without-unused',
  setup(building) {
    const isUnused = new RegExp(`^(?:${Object.keys(UNUSED).join('|')})$`);
    building.onResolve({ filter: isUnused }, ({ path }) => ({ path, namespace: 'unused' }));
    building.onLoad({ filter: /./, namespace: 'unused' }, ({ path }) => ({ contents: UNUSED[path] }));
  },
};

/** Writes the command, the package's entry, the worker that reads scenarios, the script of the panel and that of reports to `outdir`; answers the paths of all bundled sources. */
async function bundle(outdir) {
  const options = {
    outdir,
    bundle: true,
    format: 'esm',
    minify: true,
    legalComments: 'none',
    plugins: [withoutUnused],
  };
  const { metafile } = await build({
    ...options,
    entryPoints: {
      cli: 'src/cli/main.ts',
      index: 'src/index.ts',
      'reading-worker': 'src/sandbox/runs/reading-worker.ts',
    },
    splitting: true,
    platform: 'node',
    target: 'node20.19',
    // Ink loads the second for debugging only, where DEV is set; pg the third only where it is asked for.
    external: ['libsql', 'react-devtools-core', 'pg-native'],
    metafile: true,
    chunkNames: 'chunk-[hash]',
    define: { 'process.env.NODE_ENV': '"production"' },
    // Bundled CommonJS asks for Node's modules by require.
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  });
  // What the pages of the panel load; a browser bundles nothing by itself.
  await build({
    ...options,
    entryPoints: { panel: 'src/panel/browser/main.ts' },
    platform: 'browser',
    target: 'es2022',
  });
  // What a report contains: no module, as it is opened from a file.
  await build({
    ...options,
    entryPoints: { report: 'src/scenario/reporting/html/browser/main.ts' },
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
  });
  return Object.keys(metafile.inputs);
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

const [option, folder] = process.argv.slice(2);
if (option === '--bundle') await bundle(folder);
else if (option === '--types') declare(folder);
else {
  rmSync('dist', { recursive: true, force: true });
  writeFileSync('dist/NOTICES.txt', noticesOf(await bundle('dist')));
  declare('dist');
}

/** Writes the declarations of the entry. */
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
  copyDeclarations(types, outdir, 'index.d.ts');
  rmSync(types, { recursive: true });
}

/** The entry's declarations and those that they import: the public types, which need nothing else of the sources. */
function copyDeclarations(from, to, path, copied = new Set()) {
  if (copied.has(path)) return;
  copied.add(path);
  const text = readFileSync(join(from, path), 'utf8').replace(/(from '\.[^']*)\.ts'/g, "$1.js'");
  mkdirSync(dirname(join(to, path)), { recursive: true });
  writeFileSync(join(to, path), text);
  for (const [, target] of text.matchAll(/from '(\.[^']*)\.js'/g))
    copyDeclarations(from, to, join(dirname(path), `${target}.d.ts`), copied);
}
