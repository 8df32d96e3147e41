/** The options with which the world of a data folder was made; a later start without them uses them again. [cli, up] */
import { join } from 'node:path';
import { MADE_FILE } from '../../store/folder/files.ts';
import { readIfThere, writePrivately } from '../../store/folder/private-files.ts';
import type { SandboxOptions } from '../options/options.ts';

/** What a world follows from. */
type Origins = Pick<SandboxOptions, 'seed' | 'watches' | 'site'>;

/** Beside the key and as private: secrets follow from a seed. */
export function noteMadeWith(folder: string, { seed, watches, site }: Origins): void {
  writePrivately(join(folder, MADE_FILE), `${JSON.stringify({ seed, watches, site })}\n`);
}

/** The options, and what they leave out as the world of the folder was made. What they say is checked against the world later. */
export function asMade(options: SandboxOptions, folder: string): SandboxOptions {
  if (options.memory === true || options.plan !== undefined) return options;
  return { ...readMadeWith(folder), ...options };
}

/** Empty when the file is missing or unreadable: a folder of an older version, or one without a world. */
function readMadeWith(folder: string): Origins {
  try {
    const made: unknown = JSON.parse(readIfThere(join(folder, MADE_FILE)) ?? '{}');
    return typeof made === 'object' && made !== null ? (made as Origins) : {};
  } catch {
    // Then the options must be given again, and the start says so.
    return {};
  }
}
