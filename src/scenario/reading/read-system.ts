/** Reads `system` and `probes`: the user's own system, which a scenario starts, calls and queries. */
import { dirname, resolve } from 'node:path';
import { parseDuration } from '../../base/time/durations.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { checkSection, type FilePlace, type Path } from '../../plant/mistakes.ts';
import { ProbeSection, SystemSection } from '../language/section-schemas.ts';
import { isValuePath, type PlannedProbe, type PlannedSystem } from '../model/own-system.ts';
import { isOnThisMachine } from './read-receivers.ts';

/** Default of `patience`; wall ms. */
const DEFAULT_PATIENCE_MS = 2_000;

/** A command that a file starts on the machine of the sandbox. */
export interface FileCommand {
  readonly file: string;
  readonly line: number;
  /** `system.start`, or `probes.NAME.run`. */
  readonly key: string;
  /** The command as the shell gets it. */
  readonly command: string;
}

const commandKeysOf = ({ properties }: { readonly properties: object }): string[] =>
  Object.entries(properties).flatMap(([key, schema]) => ((schema as JsonMap)['x-command'] === true ? [key] : []));

/** The keys that start a command: in `system`, and in each entry of `probes`. */
export const COMMAND_KEYS = { system: commandKeysOf(SystemSection), probes: commandKeysOf(ProbeSection) } as const;

/** Returns the commands of a file and its parts, even if the file has mistakes. [cli, Shell commands in files] */
export function commandsIn({ system, probes }: JsonMap, places: Places): FileCommand[] {
  const sections: [Path, unknown, readonly string[]][] = [
    [['system'], system, COMMAND_KEYS.system],
    ...Object.entries(isMap(probes) ? probes : {}).map(([name, probe]): [Path, unknown, readonly string[]] => [
      ['probes', name],
      probe,
      COMMAND_KEYS.probes,
    ]),
  ];
  return sections.flatMap(([path, section, keys]) =>
    keys.flatMap((key): FileCommand[] => {
      const command = isMap(section) ? section[key] : undefined;
      if (command === undefined) return [];
      const at = [...path, key];
      return [{ ...places.placeOf(at), key: at.join('.'), command: String(command) }];
    }),
  );
}

/** Returns the positions of keys of the file. */
interface Places {
  placeOf(path: Path): { readonly file: string; readonly line: number };
}

export function readSystem(value: JsonMap, root: FilePlace, places: Places): PlannedSystem | null {
  const { system } = value;
  if (system === undefined) return null;
  const at = root.of('system');
  const read = checkSection(SystemSection, system, at);
  if (read === undefined || !isMap(system)) return null;
  const { file, line } = ownPlace(at.path, system, places);
  const { start = null, url = null } = read;
  const has = (key: string) => Object.hasOwn(system, key);
  if (!has('start') && !has('url'))
    at.missing('Your system is started or runs already. Write start: and a command, or url: and its address.', 'key');
  if (url !== null && !isOnThisMachine(url))
    at.of('url').mistake(`${quoted(url)} is not on this machine. Write http://127.0.0.1:3000.`);
  if (!has('start') && has('url') && !has('reset')) {
    const fix = 'Write reset: /reset, or start: and a command.';
    at.missing(`A system that runs already needs "reset", which makes it forget a scenario. ${fix}`, 'key');
  }
  const { wake, time_zone: timeZone } = read;
  if (timeZone !== undefined && !isTimeZone(timeZone))
    at.of('time_zone').mistake(`${quoted(timeZone)} is not a time zone. Write Asia/Tokyo.`);
  return {
    file,
    line,
    start,
    url: url === null ? null : url.replace(/\/$/, ''),
    folder: resolve(dirname(file)),
    ready: read.ready ?? null,
    reset: read.reset ?? null,
    secretTo: read.secret_to ?? null,
    wake: wake?.post === undefined || wake.every === undefined ? null : { path: wake.post, everyMs: msOf(wake.every) },
    timeZone: timeZone ?? null,
    patienceMs: read.patience === undefined ? DEFAULT_PATIENCE_MS : msOf(read.patience),
  };
}

/**
 * Returns the position at which the system is described: another file may add keys, as a scenario that `explore` found
 * adds its local time.
 */
function ownPlace(path: Path, system: JsonMap, places: Places): ReturnType<Places['placeOf']> {
  const whole = places.placeOf(path);
  const key = ['start', 'url'].find((one) => Object.hasOwn(system, one));
  const own = key === undefined ? whole : places.placeOf([...path, key]);
  return own.file === whole.file ? whole : own;
}

/** Returns true if this Node.js knows the time zone. With an unknown TZ a process silently runs in UTC. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

const msOf = (duration: string): number => parseDuration(duration) ?? 0;

export function readProbes(value: JsonMap, root: FilePlace, places: Places): PlannedProbe[] {
  const { probes = {}, system } = value;
  if (!isMap(probes)) {
    root.of('probes').mistake('Probes are a map. Write open_alerts: {get: /open-alerts}.', 'key');
    return [];
  }
  // Probes without a system are never queried, so a rule about them would have no meaning. A part may leave `system` to
  // the file that uses it.
  if (system === undefined && Object.keys(probes).length > 0) {
    const ofPart = places.placeOf(['probes']).file !== places.placeOf([]).file;
    const at = ofPart ? root : root.of('probes');
    at.missing('Probes ask your own system. Write system: and how it starts, or where it listens.', 'key');
  }
  return Object.entries(probes).flatMap(([name, section]): PlannedProbe[] => {
    const at = root.of('probes', name);
    const read = checkSection(ProbeSection, section, at);
    if (read === undefined || !isMap(section)) return [];
    const { get = null, run = null, path = null } = read;
    if (Object.hasOwn(section, 'get') === Object.hasOwn(section, 'run'))
      at.missing('A probe asks in one way. Write get: and a path, or run: and a command.', 'key');
    if (get !== null && !get.startsWith('/') && !isOnThisMachine(get))
      at.of('get').mistake(`${quoted(get)} is not on this machine. Write /path or http://127.0.0.1:3000/path.`);
    if (path !== null && !isValuePath(path))
      at.of('path').mistake(`${quoted(path)} is not a place in an answer. Write alerts[*].id.`);
    const { file, line } = places.placeOf(at.path);
    return [{ name, file, line, get, run, path, folder: resolve(dirname(file)) }];
  });
}
