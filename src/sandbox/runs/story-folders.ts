/** Where the stories are that a running sandbox can play: those of the user, and those that come with the package. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAME = 'scenarios';

/** `scenarios/` where the command was called, then the package's own. */
export function storyFolders(): string[] {
  // Found from a source file and from the bundle alike.
  const shipped = ['../scenarios', '../../scenarios', '../../../scenarios']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(path));
  return [...new Set([resolve(NAME), ...(shipped === undefined ? [] : [shipped])])].filter((path) => existsSync(path));
}
