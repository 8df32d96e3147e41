/** The version of the package, read once, on first use. */
import { readFileSync } from 'node:fs';

/** The same paths work for a source file and for the bundle: both are one or two folders below the package. */
function read(): string {
  for (const path of ['../package.json', '../../package.json'])
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Record<
        string,
        string
      >;
      if (name === 'muster-sandbox' && version !== undefined) return version;
    } catch {
      // The file is not there; the other path is tried.
    }
  return '0.0.0';
}

export const VERSION = read();
