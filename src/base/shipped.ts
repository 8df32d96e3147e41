/** Files of the package itself, found from a source file and from the bundle. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The absolute path of a file or folder of the package; null if it does not exist. */
export function shippedPath(name: string): string | null {
  // The sources are two folders below the package, the bundle is one.
  const places = ['..', '../..'].map((up) => fileURLToPath(new URL(`${up}/${name}`, import.meta.url)));
  return places.find((path) => existsSync(path)) ?? null;
}

/** Throws if the file is missing in the package. */
export function readShipped(name: string): string {
  const path = shippedPath(name);
  if (path === null) throw new Error(`The package lacks ${name}. Install it again.`);
  return readFileSync(path, 'utf8');
}

/** Returns null for a missing file, and for a folder. */
export function shippedBytes(name: string): Buffer | null {
  const path = shippedPath(name);
  return path === null || !statSync(path).isFile() ? null : readFileSync(path);
}
