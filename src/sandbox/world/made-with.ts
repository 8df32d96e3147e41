/** The options with which the world of a data folder was made; a later start without them uses them again. [cli, up] */
import { join } from 'node:path';
import { MADE_FILE } from '../../service/store/folder/files.ts';
import { readIfThere, writePrivately } from '../../service/store/folder/private-files.ts';
import type { SandboxOptions } from '../options/options.ts';

/** The options from which a world is derived. */
type Origins = Pick<SandboxOptions, 'seed' | 'watches' | 'site'>;

/** Written next to the key and just as private, because secrets are derived from the seed. */
export function noteMadeWith(folder: string, { seed, watches, site }: Origins): void {
  writePrivately(join(folder, MADE_FILE), `${JSON.stringify({ seed, watches, site })}\n`);
}

/** Completes the options with those of the folder's world. Options that contradict the world are refused later. */
export function asMade(options: SandboxOptions, folder: string): SandboxOptions {
  if (options.memory === true || options.plan !== undefined) return options;
  return { ...readMadeWith(folder), ...options };
}

/** Returns an empty object if the file is missing or unreadable: the folder has no world, or was copied without it. */
function readMadeWith(folder: string): Origins {
  try {
    const made: unknown = JSON.parse(readIfThere(join(folder, MADE_FILE)) ?? '{}');
    return typeof made === 'object' && made !== null ? (made as Origins) : {};
  } catch {
    // The options must then be given again, and the start reports this.
    return {};
  }
}
