/** The product as it is published, laid out in a folder of its own: the bundle, the launcher and the native dependency. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');

export interface Packed {
  /** The launcher. */
  readonly bin: string;
  readonly folder: string;
  remove(): void;
}

export function packed(): Packed {
  execFileSync(process.execPath, ['build.js'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'));
  for (const name of ['bin', 'dist', 'package.json', 'scenarios'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return {
    bin: join(folder, 'bin', 'sandbox.js'),
    folder,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
