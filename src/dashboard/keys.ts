/** The key map: key presses, the help and the hint line are made from it. */
import type { Key } from 'ink';
import type { Pane } from './view.ts';

export interface KeyRow {
  readonly keys: readonly string[];
  readonly deed: KeyDeed;
  /** The keys as the help writes them; default: the first. */
  readonly shown?: string;
  readonly help: string;
  /** A word for the hint line; without it the key stands in the help only. */
  readonly hint?: string;
  /** The hint is shown with this pane only. */
  readonly pane?: Pane;
  /** For the screen reader only. */
  readonly isForReader?: true;
}

const LOOK = [
  { keys: ['?'], deed: 'help', help: 'this help', hint: 'help' },
  { keys: ['1', '2', '3', '4', '5'], shown: '1-5', deed: 'pane', help: 'to a pane', hint: 'pane' },
  { keys: ['tab'], shown: 'Tab', deed: 'next-pane', help: 'to the next pane' },
  { keys: ['shift-tab'], shown: 'Shift-Tab', deed: 'previous-pane', help: 'to the pane before' },
  { keys: ['up', 'k'], shown: '↑ k', deed: 'up', help: 'the row above; the map up' },
  { keys: ['down', 'j'], shown: '↓ j', deed: 'down', help: 'the row below; the map down' },
  { keys: ['left', 'h'], shown: '← h', deed: 'left', help: 'the map to the left' },
  { keys: ['right', 'l'], shown: '→ l', deed: 'right', help: 'the map to the right' },
  { keys: ['pageup'], shown: 'PgUp', deed: 'page-up', help: 'a page up' },
  { keys: ['pagedown'], shown: 'PgDn', deed: 'page-down', help: 'a page down' },
  { keys: ['g', 'home'], deed: 'first', help: 'the first row' },
  { keys: ['G', 'end'], deed: 'last', help: 'the last row' },
  { keys: ['enter'], shown: 'Enter', deed: 'details', help: 'all that is known of a row' },
  { keys: ['/'], deed: 'filter', help: 'filter people; ! inverts it', hint: 'filter' },
  { keys: ['p'], deed: 'group', help: 'people by place, or by risk', hint: 'by place' },
  { keys: ['escape'], shown: 'Esc', deed: 'back', help: 'close; no filter; whole map' },
  { keys: ['+', '='], deed: 'zoom-in', help: 'the map nearer', hint: 'zoom', pane: 'map' },
  { keys: ['-'], deed: 'zoom-out', help: 'the map farther' },
  { keys: ['s'], deed: 'site', help: 'the next site', hint: 'site' },
  { keys: ['f'], deed: 'freeze', help: 'freeze what is seen' },
  { keys: ['t'], deed: 'theme', help: 'the next theme' },
  { keys: ['i'], deed: 'glyphs', help: 'glyphs or plain ASCII' },
  { keys: ['o'], deed: 'open', help: 'its page, in a browser' },
  { keys: ['y'], deed: 'copy', help: 'copy the id of the row' },
  { keys: ['w'], deed: 'state', help: 'how all stands, read out', isForReader: true },
  { keys: ['T'], deed: 'truth', help: 'where all truly are' },
  { keys: ['q', 'ctrl-c'], deed: 'quit', help: 'quit', hint: 'quit' },
] as const;

const TIME = [
  { keys: ['space'], shown: 'Space', deed: 'pause', help: 'stop time, or let it go on', hint: 'pause' },
  { keys: ['>', '.'], deed: 'faster', help: 'time twice as fast', hint: 'speed' },
  { keys: ['<', ','], deed: 'slower', help: 'time half as fast' },
] as const;

const CONTROL_ROOM = [
  { keys: ['a'], deed: 'acknowledge', help: 'acknowledge the alert', hint: 'ack' },
  { keys: ['r'], deed: 'resolve', help: 'resolve the alert', hint: 'resolve' },
  { keys: ['M'], deed: 'start-muster', help: 'start a muster', hint: 'start muster' },
  { keys: ['m'], deed: 'safe', help: 'mark safe; start a muster', hint: 'mark safe' },
  { keys: ['x'], deed: 'exclude', help: 'exclude the point', hint: 'exclude', pane: 'points' },
  { keys: ['u'], deed: 'reinstate', help: 'reinstate the point', hint: 'reinstate', pane: 'points' },
  { keys: ['I'], deed: 'inspect', help: 'inspect: all are counted' },
  { keys: ['e'], deed: 'end-muster', help: 'end the muster', hint: 'end muster' },
] as const;

/** What a key does. */
export type KeyDeed = (typeof LOOK | typeof TIME | typeof CONTROL_ROOM)[number]['deed'];

/** In the order of the help. */
export const KEY_GROUPS: Readonly<Record<'Look' | 'Time' | 'Control room', readonly KeyRow[]>> = {
  Look: LOOK,
  Time: TIME,
  'Control room': CONTROL_ROOM,
};

export const KEYS: readonly KeyRow[] = Object.values(KEY_GROUPS).flat();

const BY_KEY = new Map(KEYS.flatMap((row) => row.keys.map((key) => [key, row.deed] as const)));

export const deedOf = (key: string): KeyDeed | null => BY_KEY.get(key) ?? null;

export const shownKeys = (row: KeyRow): string => row.shown ?? row.keys[0] ?? '';

const NAMED: readonly (readonly [keyof Key, string])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['backspace', 'backspace'],
  // Most terminals send it for the backspace key.
  ['delete', 'backspace'],
];

/** Ink's key press in the names of the key map; pasted text is a key for each character. */
export function keyNamesOf(input: string, key: Key): string[] {
  if (key.ctrl) return input === 'c' ? ['ctrl-c'] : [];
  if (key.tab) return [key.shift ? 'shift-tab' : 'tab'];
  const named = NAMED.find(([name]) => key[name]);
  return named === undefined ? [...input].flatMap(characterName) : [named[1]];
}

const CHARACTERS: Readonly<Record<string, string>> = {
  ' ': 'space',
  '\t': 'tab',
  '\r': 'enter',
  '\n': 'enter',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x03': 'ctrl-c',
};

function characterName(character: string): string[] {
  const name = CHARACTERS[character];
  if (name !== undefined) return [name];
  return character >= ' ' ? [character] : [];
}
