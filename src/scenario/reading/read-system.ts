/** Reads `system` and `probes`: the user's own system, which a story starts, calls and asks. */
import { dirname, resolve } from 'node:path';
import { Type } from 'typebox';
import { parseDuration } from '../../base/durations.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import type { Path, Report } from '../../plant/mistakes.ts';
import { checkSection } from '../../plant/section-check.ts';
import { DurationText } from '../../plant/section-words.ts';
import { isValuePath, type PlannedProbe, type PlannedSystem } from '../story/own-system.ts';
import { isOnThisMachine } from './read-receivers.ts';

/** Default of `patience`; wall ms. */
const DEFAULT_PATIENCE_MS = 2_000;

const Command = Type.String({ minLength: 1, 'x-noun': 'a command', 'x-write': 'Write node server.mjs.' });
const LocalPath = Type.String({
  pattern: '^/\\S*$',
  'x-noun': 'a path of your system',
  'x-write': 'Write /reset, or another that begins with a slash.',
});
const Address = Type.String({ minLength: 1, 'x-noun': 'an address', 'x-write': 'Write http://127.0.0.1:3000.' });

export const SystemSection = Type.Object(
  {
    start: Type.Optional(Command),
    url: Type.Optional(Address),
    ready: Type.Optional(LocalPath),
    reset: Type.Optional(LocalPath),
    wake: Type.Optional(
      Type.Object(
        { post: LocalPath, every: DurationText },
        { additionalProperties: false, 'x-noun': 'a wake call', 'x-write': 'Write {post: /poll, every: 10s}.' },
      ),
    ),
    secret_to: Type.Optional(LocalPath),
    patience: Type.Optional(DurationText),
  },
  { additionalProperties: false, 'x-noun': 'your system', 'x-write': 'Write {start: node server.mjs}.' },
);

export const ProbeSection = Type.Object(
  {
    get: Type.Optional(
      Type.String({ minLength: 1, 'x-noun': 'a path or an address', 'x-write': 'Write /open-alerts.' }),
    ),
    run: Type.Optional(Command),
    path: Type.Optional(
      Type.String({ minLength: 1, 'x-noun': 'a place in the answer', 'x-write': 'Write alerts[*].id.' }),
    ),
  },
  { additionalProperties: false, 'x-noun': 'a probe', 'x-write': 'Write {get: /open-alerts}.' },
);

/** What is read of a merged file. */
export interface SystemSource extends Report {
  placeOf(path: Path): { readonly file: string; readonly line: number };
}

export function readSystem(value: JsonMap, source: SystemSource): PlannedSystem | null {
  const { system } = value;
  if (system === undefined) return null;
  const at = ['system'];
  const read = checkSection(SystemSection, system, at, source);
  const { file, line } = source.placeOf(at);
  if (read === undefined || !isMap(system)) return null;
  const { start = null, url = null } = read;
  if (!Object.hasOwn(system, 'start') && !Object.hasOwn(system, 'url'))
    source.mistake(
      at,
      'Your system is started or runs already. Write start: and a command, or url: and its address.',
      'key',
    );
  if (url !== null && !isOnThisMachine(url))
    source.mistake(['system', 'url'], `${quoted(url)} is not on this machine. Write http://127.0.0.1:3000.`);
  if (!Object.hasOwn(system, 'start') && Object.hasOwn(system, 'url') && !Object.hasOwn(system, 'reset'))
    source.mistake(
      at,
      'A system that runs already needs "reset", which makes it forget a story. Write reset: /reset, or start: and a command.',
      'key',
    );
  const { wake } = read;
  return {
    ...{ file, line, start, url: url === null ? null : url.replace(/\/$/, ''), folder: resolve(dirname(file)) },
    ...{ ready: read.ready ?? null, reset: read.reset ?? null, secretTo: read.secret_to ?? null },
    wake: wake?.post === undefined || wake.every === undefined ? null : { path: wake.post, everyMs: msOf(wake.every) },
    patienceMs: read.patience === undefined ? DEFAULT_PATIENCE_MS : msOf(read.patience),
  };
}

const msOf = (duration: string): number => parseDuration(duration) ?? 0;

export function readProbes(value: JsonMap, system: PlannedSystem | null, source: SystemSource): PlannedProbe[] {
  const { probes = {} } = value;
  if (!isMap(probes)) {
    source.mistake(['probes'], 'Probes are a map. Write open_alerts: {get: /open-alerts}.', 'key');
    return [];
  }
  return Object.entries(probes).flatMap(([name, section]): PlannedProbe[] => {
    const at = ['probes', name];
    const read = checkSection(ProbeSection, section, at, source);
    if (read === undefined || !isMap(section)) return [];
    const { get = null, run = null, path = null } = read;
    if (Object.hasOwn(section, 'get') === Object.hasOwn(section, 'run'))
      source.mistake(at, 'A probe asks in one way. Write get: and a path, or run: and a command.', 'key');
    if (get?.startsWith('/') === true && system === null && !Object.hasOwn(value, 'system'))
      source.mistake([...at, 'get'], `${quoted(get)} is a path of your system. Write system: too, or a whole address.`);
    if (get !== null && !get.startsWith('/') && !isOnThisMachine(get))
      source.mistake(
        [...at, 'get'],
        `${quoted(get)} is not on this machine. Write /path or http://127.0.0.1:3000/path.`,
      );
    if (path !== null && !isValuePath(path))
      source.mistake([...at, 'path'], `${quoted(path)} is not a place in an answer. Write alerts[*].id.`);
    const { file, line } = source.placeOf(at);
    return [{ name, file, line, get, run, path, folder: resolve(dirname(file)) }];
  });
}
