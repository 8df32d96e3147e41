/** What tests start as child processes, bundled once: through tsx each start costs up to two seconds. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '../..');
/** Below node_modules, where the bundle finds its native dependency. */
const CACHE = join(ROOT, 'node_modules/.cache/muster-tests');
/** What the package ships besides `dist/`. */
const SHIPPED = ['bin', 'scenarios', 'package.json', 'scenario.schema.json'];
const SOURCES = ['src', 'build.js', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', ...SHIPPED];
/** What `npm pack` looks at, but for `dist/`. */
const PACKED = [...SHIPPED, 'docs', 'deploy', 'examples', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE'];
/** Age of an unused cached build at which it is removed; milliseconds. */
const UNUSED_MS = 24 * 3_600_000;

function filesUnder(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}

function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of paths) hash.update(path).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** The path of `bin/sandbox.js` in a folder like that of the installed package; built unless it was built from the same sources. */
export function builtCommand(): string {
  const folder = builtOnce('', (made) => {
    for (const name of SHIPPED) cpSync(join(ROOT, name), join(made, name), { recursive: true });
    execFileSync(process.execPath, ['build.js', '--bundle', join(made, 'dist')], { cwd: ROOT });
  });
  return join(folder, 'bin/sandbox.js');
}

/** The folder of the package's types, built unless they were built from the same sources. */
export const builtTypes = (): string =>
  builtOnce('types', (made) => {
    execFileSync(process.execPath, ['build.js', '--types', made], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  });

/** The folder of the package as `npm pack` makes it, without `dist/`; packed unless it was packed from the same files. */
export const packedPackage = (): string =>
  builtOnce(
    'packed',
    (made) => {
      const archive = join(made, 'archive');
      mkdirSync(archive);
      const quiet = { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'] };
      execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', archive], quiet);
      execFileSync('sh', ['-c', 'tar -xzf archive/*.tgz --strip-components=1'], { cwd: made });
      rmSync(archive, { recursive: true });
      rmSync(join(made, 'dist'), { recursive: true, force: true });
    },
    PACKED,
  );

/** The folder that `build` has filled from these sources, now or earlier. */
function builtOnce(kind: string, build: (folder: string) => void, sources: readonly string[] = SOURCES): string {
  return madeOnce(hashOf(sources.flatMap((name) => filesUnder(join(ROOT, name)))) + kind, build);
}

/** The folder of this name in the cache, which `build` has filled, now or earlier. */
export function madeOnce(name: string, build: (folder: string) => void): string {
  const folder = join(CACHE, name);
  if (existsSync(folder)) return folder;
  const made = mkdtempSync(join(cacheFolder(), 'new-'));
  build(made);
  try {
    renameSync(made, folder);
  } catch (error) {
    // Another worker was first; its build is the same.
    if (!existsSync(folder)) throw error;
    rmSync(made, { recursive: true });
  }
  return folder;
}

/** The path of a script of the tests, bundled with what it imports from `src`. */
export function bundledScript(path: string): string {
  const options = { bundle: true, write: false, format: 'esm', platform: 'node', packages: 'external' } as const;
  const { text } = buildSync({ ...options, entryPoints: [path] }).outputFiles[0]!;
  const file = join(cacheFolder(), `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.mjs`);
  if (!existsSync(file)) writeFileSync(file, text);
  return file;
}

/** Without what was left there long ago. */
function cacheFolder(): string {
  mkdirSync(CACHE, { recursive: true });
  for (const name of readdirSync(CACHE)) {
    const old = join(CACHE, name);
    if (Date.now() - statSync(old).mtimeMs > UNUSED_MS) rmSync(old, { recursive: true, force: true });
  }
  return CACHE;
}
