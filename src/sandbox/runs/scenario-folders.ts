/** Where the scenarios are that a running sandbox can play: those of the user, and those that come with the package. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { shippedPath } from '../../base/shipped.ts';

const NAME = 'scenarios';

/** `scenarios/` where the command was called, then the package's own. */
export function scenarioFolders(): string[] {
  const shipped = shippedPath(NAME);
  return [...new Set([resolve(NAME), ...(shipped === null ? [] : [shipped])])].filter((path) => existsSync(path));
}
