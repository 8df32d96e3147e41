/** Loads a scenario file: everything in it is checked before anything runs, and all mistakes are told in one go. */
import { type Mistake, renderMistakes } from '../plant/mistakes.ts';
import { readMerged } from './merged-file.ts';
import { type ReadText, readFromDisk } from './ports.ts';
import { readHead } from './read-head.ts';
import type { Reading } from './read-matcher.ts';
import { readSteps } from './read-steps.ts';
import { readWorld } from './read-world.ts';
import { Names } from './references.ts';
import type { Story } from './story.ts';

/** The seed of a story that names none. */
export const DEFAULT_SEED = '1';

/** A story that can be played, or what is wrong with its file. */
export type Loaded =
  | { readonly ok: true; readonly story: Story; readonly seed: string; readonly warnings: readonly Mistake[] }
  | {
      readonly ok: false;
      readonly mistakes: readonly Mistake[];
      /** The mistakes with their lines, for people. */
      readonly text: string;
    };

export interface LoadOptions {
  /** Wins over that of the file. */
  readonly seed?: string | undefined;
  readonly read?: ReadText;
}

/** Reads and checks `file` with the parts that it uses. Never throws for a wrong file. */
export function loadStory(file: string, options: LoadOptions = {}): Loaded {
  const { read = readFromDisk } = options;
  const merged = readMerged(file, read);
  if (!merged.texts.has(file)) {
    const message = 'The file cannot be read. Look at its name and folder.';
    return { ok: false, mistakes: [{ file, line: 1, column: 1, length: 1, message }], text: `${file}  ${message}` };
  }
  const { value } = merged;
  const head = readHead(value, merged);
  const seed = options.seed ?? head.seed ?? DEFAULT_SEED;
  const world = readWorld(value, merged, { seed, read, fileOf: (path) => merged.placeOf(path).file });
  const reading: Reading = {
    report: merged,
    names: new Names(),
    cast: world.cast,
    receivers: world.receivers.map(({ name }) => name),
    placeOf: (path) => merged.placeOf(path),
  };
  const steps = readSteps(value['steps'], ['steps'], reading);
  const last = readSteps(value['finally'], ['finally'], reading);
  if (!Object.hasOwn(value, 'steps')) merged.mistake([], 'A story has steps. Write steps: and a line "- wait: 20s".');
  const mistakes = merged.mistakes();
  if (mistakes.length > 0) {
    return { ok: false, mistakes, text: renderMistakes(mistakes, (name) => merged.texts.get(name)) };
  }
  return { ok: true, story: { file, ...head, ...world, steps, finally: last }, seed, warnings: merged.warnings() };
}
