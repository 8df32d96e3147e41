/** How a user types this program's command here: the one source of all command lines in messages, help and pages. [cli, General rules] */
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, resolve, sep } from 'node:path';
import { shippedPath } from '../shipped.ts';

const NAME = 'sandbox';
const PACKAGE = 'muster-sandbox';

/** The inputs of the decision: the environment and working folder of the process, and the folder of the package. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The launcher of this package, `bin/sandbox.js`; null if it is missing. */
  readonly launcher: string | null;
}

/**
 * The form that works in these surroundings. It is `sandbox` if the user's PATH contains this package, `npx sandbox` in
 * a clone or below a folder in which the package is installed, and `npx muster-sandbox` from the cache of npx (there,
 * npx would fetch another package for the bare name). Otherwise it is the launcher, run by node.
 */
export function commandForm({ env, cwd, launcher }: Surroundings): string {
  if (launcher === null) return NAME;
  const own = real(launcher);
  const byNpx = isInstalledAbove(cwd, own) ? `npx ${NAME}` : null;
  // A user who started it with npm or npx continues with npx.
  if (env['npm_command'] !== undefined && byNpx !== null) return byNpx;
  if (isOnPath(env['PATH'] ?? env['Path'] ?? '', own)) return NAME;
  if (byNpx !== null) return byNpx;
  return launcher.split(sep).includes('_npx') ? `npx ${PACKAGE}` : `node ${shellQuoted(launcher)}`;
}

/** npx and npm scripts put folders before the PATH that the user's terminal does not have. */
function isOnPath(path: string, own: string | null): boolean {
  const folders = path
    .split(delimiter)
    .filter((folder) => folder !== '' && !folder.endsWith(join('node_modules', '.bin')));
  // On Windows, npm writes a script next to the folder of the global packages instead of a link.
  return folders.some((folder) =>
    [join(folder, NAME), join(folder, 'node_modules', PACKAGE, 'bin', 'sandbox.js')].some((file) => real(file) === own),
  );
}

/** True in a clone of this project, and below a folder whose `node_modules` contains the package. */
function isInstalledAbove(cwd: string, own: string | null): boolean {
  const folders = [resolve(cwd)];
  for (let up = dirname(folders[0] as string); up !== folders.at(-1); up = dirname(up)) folders.push(up);
  return folders.some((folder) =>
    [join(folder, 'bin', 'sandbox.js'), join(folder, 'node_modules', PACKAGE, 'bin', 'sandbox.js')].some(
      (file) => real(file) === own,
    ),
  );
}

const real = (file: string): string | null => {
  try {
    return existsSync(file) ? realpathSync(file) : null;
  } catch {
    return null;
  }
};

const shellQuoted = (file: string): string => (/^[\w./:\\@+-]+$/.test(file) ? file : `"${file}"`);

/** The form for this process. Help texts are constants, so it is determined once, when the process starts. */
export const CLI = commandForm({ env: process.env, cwd: process.cwd(), launcher: shippedPath('bin/sandbox.js') });
