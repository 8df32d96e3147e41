/** Reads the head of a scenario: title, tags, seed, clock and modes. */

import { CLOCK_BEGIN, CLOCK_END, HIGHEST_SPEED } from '../../base/time/clock.ts';
import { formatInstant, parseInstant } from '../../base/time/instants.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { didYouMean, type FilePlace, shown } from '../../plant/mistakes.ts';
import { reportUnknownKeys } from '../language/read-map.ts';
import { CLOCK_KEYS } from '../language/sections.ts';
import { RUN_MODES, type RunMode, type Scenario } from '../model/scenario.ts';

type Head = Pick<Scenario, 'title' | 'about' | 'tags' | 'seed' | 'start' | 'speed' | 'modes'>;

export function readHead(value: JsonMap, root: FilePlace): Head {
  const title = readText(value, 'scenario', root);
  return {
    title: title ?? '',
    about: readText(value, 'about', root),
    tags: readTags(value, root),
    seed: readSeed(value, root),
    ...readClock(value, root),
    modes: readModes(value, root),
  };
}

function readText(value: JsonMap, key: string, root: FilePlace): string | null {
  const text = value[key];
  if (text === undefined) return null;
  if (typeof text === 'string' && text.trim() !== '') return text.trim();
  return root
    .of(key)
    .mistake(
      text === null || text === ''
        ? `${quoted(key)} says nothing. Write a sentence.`
        : `${shown(text)} is not a text. Write it in quotes.`,
    );
}

function readTags(value: JsonMap, root: FilePlace): string[] {
  const { tags } = value;
  if (tags === undefined) return [];
  if (Array.isArray(tags) && tags.every((tag) => typeof tag === 'string')) return tags;
  root.of('tags').mistake(`${shown(tags)} is not a list of words. Write tags: [alerts, smoke].`);
  return [];
}

/** A seed as text; null after reporting anything else. */
function readSeed(value: JsonMap, root: FilePlace): string | null {
  const { seed } = value;
  if (seed === undefined) return null;
  if (Number.isSafeInteger(seed) && (seed as number) >= 0) return String(seed);
  return root.of('seed').mistake(`${shown(seed)} is not a seed. Write a whole number, such as seed: 42.`);
}

function readClock(value: JsonMap, root: FilePlace): Pick<Head, 'start' | 'speed'> {
  const { clock } = value;
  const nothing = { start: null, speed: null };
  if (clock === undefined) return nothing;
  if (!isMap(clock)) {
    root
      .of('clock')
      .mistake(`${shown(clock)} is not a clock. Write clock: {start: "2026-10-05T06:00:00Z", speed: 60}.`);
    return nothing;
  }
  reportUnknownKeys(clock, Object.keys(CLOCK_KEYS), 'is not a key of the clock', root.of('clock'));
  const start = typeof clock['start'] === 'string' ? parseInstant(clock['start']) : null;
  if (clock['start'] !== undefined && start === null) {
    root.of('clock', 'start').mistake(`${shown(clock['start'])} is not a time. Write 2026-10-05T06:00:00Z.`);
  }
  if (start !== null && (start < CLOCK_BEGIN || start > CLOCK_END)) {
    const ends = `${formatInstant(CLOCK_BEGIN)} and ${formatInstant(CLOCK_END)}`;
    root.of('clock', 'start').mistake(`${shown(clock['start'])} is out of reach. Write a time between ${ends}.`);
  }
  const { speed } = clock;
  const sound = typeof speed === 'number' && speed > 0 && speed <= HIGHEST_SPEED;
  if (speed !== undefined && !sound)
    root.of('clock', 'speed').mistake(`${shown(speed)} is not a speed. Write 1 to ${HIGHEST_SPEED}.`);
  return { start, speed: sound ? speed : null };
}

function readModes(value: JsonMap, root: FilePlace): readonly RunMode[] {
  const { modes } = value;
  if (modes === undefined) return RUN_MODES;
  if (!Array.isArray(modes) || modes.length === 0) {
    root
      .of('modes')
      .mistake(`${shown(modes)} is not a list of modes. Write modes: [fast, scaled, real], or some of them.`);
    return RUN_MODES;
  }
  for (const [i, mode] of modes.entries()) {
    if (RUN_MODES.includes(mode)) continue;
    root.of('modes', i).mistake(`${shown(mode)} is not a mode.${didYouMean(String(mode), RUN_MODES)}`);
  }
  return RUN_MODES.filter((mode) => modes.includes(mode));
}
