/** Files of the package itself, found from a source file and from the bundle alike. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The absolute path of a file or folder of the package; null when it does not exist. */
export function shippedPath(name: string): string | null {
  // The sources stand two folders below the package, the bundle one.
  const places = ['..', '../..'].map((up) => fileURLToPath(new URL(`${up}/${name}`, import.meta.url)));
  return places.find((path) => existsSync(path)) ?? null;
}

/** Throws when the package lacks the file. */
export function readShipped(name: string): string {
  const path = shippedPath(name);
  if (path === null) throw new Error(`The package lacks ${name}. Install it again.`);
  return readFileSync(path, 'utf8');
}

/** Null for what the package lacks, and for a folder. */
export function shippedBytes(name: string): Buffer | null {
  const path = shippedPath(name);
  return path === null || !statSync(path).isFile() ? null : readFileSync(path);
}
