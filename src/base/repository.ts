/** Paths relative to the root of the repository, as the pages of CI systems name files. [cli, Reports] */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** The folder that CI systems check a repository out to, for a checkout without `.git`. */
const VARIABLES = ['GITHUB_WORKSPACE', 'CI_PROJECT_DIR'] as const;

/** Returns the path from the root of the repository that has the file; the path as given if there is none. */
export function inRepository(file: string): string {
  const path = resolve(file);
  const root = rootOf(path);
  return root === null ? file : relative(root, path).split(sep).join('/');
}

function rootOf(path: string): string | null {
  for (let at = dirname(path); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) break;
  }
  const roots = VARIABLES.flatMap((name) => process.env[name] || []).map((root) => resolve(root));
  return roots.find((root) => isInside(relative(root, path))) ?? null;
}

const isInside = (path: string): boolean =>
  path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
