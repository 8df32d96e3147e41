/** The folders with the scenarios that a running sandbox can play: those of the user, and those of the package. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { shippedPath } from '../../base/shipped.ts';

const NAME = 'scenarios';

/** Returns `scenarios/` in the current directory, then the package's own folder. */
export function scenarioFolders(): string[] {
  const shipped = shippedPath(NAME);
  return [...new Set([resolve(NAME), ...(shipped === null ? [] : [shipped])])].filter((path) => existsSync(path));
}
