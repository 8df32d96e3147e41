/** The public set of control rooms: three correct systems, each with twelve switches. The README has the description. */

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const FOLDER = import.meta.dirname;

export const SYSTEMS = ['node', 'python', 'java'] as const;
export type SystemName = (typeof SYSTEMS)[number];

export const FAMILIES = [
  'order',
  'duplicates',
  'loss',
  'paging',
  'tokens',
  'limits',
  'rotation',
  'time zones',
  'nulls',
  'privacy',
  'musters',
  'reopening',
  'races',
  'restarts',
] as const;

/** One planted mistake: `BUG=name` in the environment of the system turns it on. */
export interface Switch {
  readonly name: string;
  readonly family: (typeof FAMILIES)[number];
  /** What the mistake does, as a sentence. */
  readonly does: string;
  /** The shortest scenario that fails with the mistake, in the folder of the system. */
  readonly story: string;
}

/** A control room: `source` and `rules` are files of its folder. */
export interface ControlRoom {
  readonly name: SystemName;
  readonly folder: string;
  readonly source: string;
  readonly rules: string;
  readonly switches: readonly Switch[];
}

export function controlRoom(name: SystemName): ControlRoom {
  const folder = join(FOLDER, name);
  const read = JSON.parse(readFileSync(join(folder, 'switches.json'), 'utf8')) as Omit<ControlRoom, 'name' | 'folder'>;
  return { name, folder, source: read.source, rules: read.rules, switches: read.switches };
}

/** The options that both scripts have, and the values of the given ones. */
export function commandLine<const K extends string>(own: readonly K[], flags: readonly string[] = []) {
  const options: Record<string, { type: 'string' | 'boolean' }> = {
    only: { type: 'string' },
    sandbox: { type: 'string' },
  };
  for (const name of own) options[name] = { type: 'string' };
  for (const name of flags) options[name] = { type: 'boolean' };
  const { values } = parseArgs({ options });
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined);
  return {
    only: text('only') ?? '',
    sandbox: text('sandbox') ?? `node ${JSON.stringify(join(FOLDER, '../../bin/sandbox.js'))}`,
    text: (name: K) => text(name),
    has: (name: string) => values[name] === true,
  };
}

/** The systems and switches that `--only SYSTEM[/SWITCH]` leaves. */
export function selected(only: string): { readonly room: ControlRoom; readonly switches: readonly Switch[] }[] {
  const [system = '', name = ''] = only.split('/');
  const rooms = SYSTEMS.filter((one) => system === '' || one === system).map(controlRoom);
  const chosen = rooms.map((room) => ({
    room,
    switches: room.switches.filter((one) => name === '' || one.name === name),
  }));
  if (chosen.every(({ switches }) => switches.length === 0))
    throw new Error(`--only ${only}: there is no such switch.`);
  return chosen;
}

/** A copy of the system in a folder of its own, so that what `explore` stores is new each time; compiled where needed. */
export function copied(room: ControlRoom): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), `control-room-${room.name}-`));
  const leftOut = /[\\/](?:classes|__pycache__|[^\\/]+\.found|[^\\/]+\.corpus\.jsonl)$/;
  cpSync(room.folder, folder, { recursive: true, filter: (path) => !leftOut.test(path) });
  if (existsSync(join(folder, 'Main.java'))) {
    const { status, stderr } = spawnSync('javac', ['-d', 'classes', 'Main.java'], { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`javac of a JDK 17 is needed for ${room.name}. ${stderr ?? ''}`);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export const padded = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, at) => cell.padEnd(widths[at] ?? 0))
    .join('  ')
    .trimEnd();
