/** The package as a user installs it: packed by npm, unpacked into the node_modules of an empty project. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { builtCommand, builtTypes, packedPackage } from './bundles.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Test runners, in a package of their own: `npm ci --prefix test/runners --ignore-scripts`. */
const RUNNERS = join(ROOT, 'test/runners/node_modules');

/** What npm installs with it; without the second the platform's part of SQLite is missing. */
export const DEPENDENCIES = ['libsql', '@libsql', '@neon-rs', 'detect-libc'];

export interface InstalledPackage {
  /** The project's folder. */
  readonly folder: string;
  /** The command, as `npx sandbox` starts it. */
  readonly bin: string;
  remove(): void;
}

/** `npm pack` and `npm install` without a network; `leaveOut`: dependencies that npm did not install; `also`: what the project has besides, of this project or of `test/runners`. */
export function installed({
  leaveOut = [],
  also = [],
}: {
  leaveOut?: readonly string[];
  also?: readonly string[];
} = {}): InstalledPackage {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'muster-installed-')));
  const modules = join(folder, 'node_modules');
  const packed = join(modules, 'muster-sandbox');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  cpSync(packedPackage(), packed, { recursive: true });
  // The sources decide: what is in dist/ may be old, or of a test that builds it now.
  // Without the compiled code of other tests.
  const filter = (path: string) => basename(path) !== 'compiled';
  cpSync(join(dirname(builtCommand()), '../dist'), join(packed, 'dist'), { recursive: true, filter });
  cpSync(builtTypes(), join(packed, 'dist'), { recursive: true });
  for (const name of [...DEPENDENCIES, ...also].filter((one) => !leaveOut.includes(one))) {
    const own = join(ROOT, 'node_modules', name);
    const [from, to] = [existsSync(own) ? own : join(RUNNERS, name), join(modules, name)];
    mkdirSync(dirname(to), { recursive: true });
    // Node looks for the dependencies of a linked package beside the original, where none is missing.
    if (leaveOut.length > 0) cpSync(from, to, { recursive: true });
    else symlinkSync(from, to);
  }
  const bin = join(packed, 'bin', 'sandbox.js');
  for (const name of ['sandbox', 'muster-sandbox']) symlinkSync(bin, join(modules, '.bin', name));
  writeFileSync(join(folder, 'package.json'), '{"name": "of-a-user", "version": "1.0.0", "private": true}\n');
  return { folder, bin, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
