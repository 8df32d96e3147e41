/** Finds every mistake of a part, and is the only check of site files, so that `sandbox validate` and `up --site` accept the same files. [scenario-language, Messages] */

import { basename, dirname, join, normalize, resolve } from 'node:path';
import type { ReadText } from '../../base/user-files.ts';
import { inOrder, type Mistake } from '../../plant/mistakes.ts';
import { readSiteFile, type SiteFile, type SiteFileOptions } from '../../plant/site-file.ts';
import { readYaml } from '../../plant/yaml-source.ts';
import { loadScenario } from '../reading/load.ts';
import { readNamed } from '../reading/merged-file.ts';
import type { FileCommand } from '../reading/read-system.ts';

/** Returns true if the file has the key `part` or `explore`, and not `scenario`. */
export const isPart = (text: ReturnType<ReadText>): text is string =>
  typeof text === 'string' && (hasKey(text, 'part') || hasKey(text, 'explore')) && !hasKey(text, 'scenario');

/** Returns true if the part has a plant, so that `up --site` accepts it. A file of `sandbox explore` is no site file. */
const isSiteFile = (text: string): boolean => hasKey(text, 'site') && hasKey(text, 'part');

/** A file with invalid YAML is searched line by line. */
function hasKey(text: string, key: string): boolean {
  // Parsing a file of the largest size takes a second, and most files do not contain the word.
  if (!text.includes(key)) return false;
  const { value } = readYaml(text, '');
  if (typeof value === 'object' && value !== null) return Object.hasOwn(value, key);
  return new RegExp(`^${key}[ \\t]*:`, 'm').test(text);
}

/** Returns the mistakes of the part and the parts that it uses, without those about keys that only a scenario needs. */
export const mistakesOfPart = (file: string, read: ReadText = readNamed(file)): readonly Mistake[] =>
  checkedPart(file, read).mistakes;

interface CheckedPart {
  readonly mistakes: readonly Mistake[];
  readonly notes: readonly Mistake[];
  readonly commands: readonly FileCommand[];
}

/** A part with a plant is checked in the same way as by `up --site`. */
export function checkedPart(file: string, read: ReadText): CheckedPart {
  const text = read(file);
  const used = partInUse(file, read);
  if (typeof text !== 'string' || !isSiteFile(text)) return used;
  const { mistakes } = checkedSiteFile(text, file, { readFile: besideIn(file, read) }, read);
  return { mistakes, notes: used.notes, commands: used.commands };
}

/**
 * Returns the plant of a site file, including the mistakes that it has as a part. `read`: reads the parts that it uses.
 */
export function checkedSiteFile(
  text: string,
  file: string,
  options: SiteFileOptions = {},
  read: ReadText = readNamed(file),
): SiteFile {
  const site = readSiteFile(text, file, options);
  // A file that is not a part already has sufficient messages.
  if (!isPart(text)) return site;
  const own = normalize(file);
  const used = partInUse(file, (path) => (normalize(path) === own ? text : read(path)));
  const ofPart = used.mistakes.map((mistake) => (normalize(mistake.file) === own ? { ...mistake, file } : mistake));
  if (ofPart.length === 0) return site;
  // Both checks report most mistakes, sometimes in different words, so one message per line is kept.
  const known = new Set(ofPart.map((mistake) => `${mistake.file}:${mistake.line}`));
  const ofSite = site.mistakes.filter((mistake) => !known.has(`${mistake.file}:${mistake.line}`));
  return { ...site, plan: null, mistakes: inOrder([...ofPart, ...ofSite]) };
}

const besideIn =
  (file: string, read: ReadText): ReadText =>
  (name) => {
    const text = read(resolve(dirname(file), name));
    return typeof text === 'string' ? text : read(join(dirname(file), name));
  };

/** Reads the part as a scenario that uses it does. */
function partInUse(file: string, read: ReadText): CheckedPart {
  const scenario = join(dirname(file), `${basename(file)}.scenario`);
  const text = `scenario: A scenario that uses the part\nuse: [${JSON.stringify(basename(file))}]\nsteps:\n  - wait: 1s\n`;
  const loaded = loadScenario(scenario, {
    read: (path) => (path === scenario ? text : read(path)),
    isPlantless: true,
  });
  const { commands } = loaded;
  if (loaded.ok) return { mistakes: [], notes: loaded.notes, commands };
  return { mistakes: loaded.mistakes.filter((mistake) => mistake.file !== scenario), notes: [], commands };
}
