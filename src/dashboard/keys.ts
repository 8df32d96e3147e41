/** The key map, from which key handling, the help and the hint line are derived. */
import type { Key } from 'ink';
import { mouseEventOf } from './terminal/mouse.ts';
import type { Pane } from './view.ts';

export interface KeyRow {
  readonly keys: readonly string[];
  readonly effect: KeyEffect;
  /** The text for the keys in the help; default: the first key. */
  readonly shown?: string;
  readonly help: string;
  /** A word for the hint line; without it the key is only in the help. */
  readonly hint?: string;
  /** The hint is shown only if this pane has the focus. */
  readonly pane?: Pane;
  /** True for keys of the screen reader mode only. */
  readonly isForReader?: true;
}

const LOOK = [
  { keys: ['?'], effect: 'help', help: 'show this help', hint: 'help' },
  { keys: ['n'], effect: 'next-emergency', help: 'next site with an emergency', hint: 'emergency' },
  { keys: ['1', '2', '3', '4', '5'], shown: '1-5', effect: 'pane', help: 'go to a pane', hint: 'pane' },
  { keys: ['tab'], shown: 'Tab', effect: 'next-pane', help: 'next pane' },
  { keys: ['shift-tab'], shown: 'Shift-Tab', effect: 'previous-pane', help: 'previous pane' },
  { keys: ['up', 'k'], shown: '↑ k', effect: 'up', help: 'row above; map up' },
  { keys: ['down', 'j'], shown: '↓ j', effect: 'down', help: 'row below; map down' },
  { keys: ['left', 'h'], shown: '← h', effect: 'left', help: 'map to the left' },
  { keys: ['right', 'l'], shown: '→ l', effect: 'right', help: 'map to the right' },
  { keys: ['pageup'], shown: 'PgUp', effect: 'page-up', help: 'page up' },
  { keys: ['pagedown'], shown: 'PgDn', effect: 'page-down', help: 'page down' },
  { keys: ['g', 'home'], effect: 'first', help: 'first row' },
  { keys: ['G', 'end'], effect: 'last', help: 'last row' },
  { keys: ['enter'], shown: 'Enter', effect: 'details', help: 'all details of a row' },
  { keys: ['/'], effect: 'filter', help: 'filter people; ! inverts it', hint: 'filter' },
  { keys: ['c'], effect: 'order', help: 'sort people by the next column', hint: 'sort', pane: 'people' },
  { keys: ['p'], effect: 'group', help: 'group people by place', hint: 'by place' },
  { keys: ['escape'], shown: 'Esc', effect: 'back', help: 'close; no filter; whole map' },
  { keys: ['+', '='], effect: 'zoom-in', help: 'zoom in', hint: 'zoom', pane: 'map' },
  { keys: ['-'], effect: 'zoom-out', help: 'zoom out' },
  { keys: ['s'], effect: 'site', help: 'next site', hint: 'site' },
  { keys: ['f'], effect: 'freeze', help: 'freeze the screen' },
  { keys: ['t'], effect: 'theme', help: 'next theme' },
  { keys: ['i'], effect: 'glyphs', help: 'glyphs or plain ASCII' },
  { keys: ['o'], effect: 'open', help: 'open its page in a browser' },
  { keys: ['y'], effect: 'copy', help: 'copy the id of the row' },
  { keys: ['w'], effect: 'state', help: 'read the whole state', isForReader: true },
  { keys: ['T'], effect: 'truth', help: 'ground truth on the map' },
  { keys: ['ctrl-z'], shown: 'Ctrl-Z', effect: 'suspend', help: 'suspend; fg comes back' },
  { keys: ['q', 'ctrl-c'], effect: 'quit', help: 'quit', hint: 'quit' },
] as const;

const TIME = [
  { keys: ['space'], shown: 'Space', effect: 'pause', help: 'pause or resume the clock', hint: 'pause' },
  { keys: ['>', '.'], effect: 'faster', help: 'double the speed', hint: 'speed' },
  { keys: ['<', ','], effect: 'slower', help: 'halve the speed' },
] as const;

const CONTROL_ROOM = [
  { keys: ['a'], effect: 'acknowledge', help: 'acknowledge the alert', hint: 'ack' },
  { keys: ['r'], effect: 'resolve', help: 'resolve the alert', hint: 'resolve' },
  { keys: ['M'], effect: 'start-muster', help: 'start a muster', hint: 'start muster' },
  { keys: ['m'], effect: 'safe', help: 'mark safe; start a muster', hint: 'mark safe' },
  { keys: ['x'], effect: 'exclude', help: 'exclude the point', hint: 'exclude', pane: 'points' },
  { keys: ['u'], effect: 'reinstate', help: 'reinstate the point', hint: 'reinstate', pane: 'points' },
  { keys: ['R'], effect: 'resend', help: 'send the delivery again', hint: 'send again', pane: 'webhooks' },
  { keys: ['I'], effect: 'inspect', help: 'begin the inspection' },
  { keys: ['e'], effect: 'end-muster', help: 'end the muster', hint: 'end muster' },
] as const;

/** The possible effects of a key. */
export type KeyEffect = (typeof LOOK | typeof TIME | typeof CONTROL_ROOM)[number]['effect'];

/** In the order of the help. */
export const KEY_GROUPS: Readonly<Record<'Look' | 'Time' | 'Control room', readonly KeyRow[]>> = {
  Look: LOOK,
  Time: TIME,
  'Control room': CONTROL_ROOM,
};

export const KEYS: readonly KeyRow[] = Object.values(KEY_GROUPS).flat();

const BY_KEY = new Map(KEYS.flatMap((row) => row.keys.map((key) => [key, row.effect] as const)));

export const effectOf = (key: string): KeyEffect | null => BY_KEY.get(key) ?? null;

/** Effects that a focused pane handles. */
const MOVES: readonly KeyEffect[] = ['up', 'down', 'page-up', 'page-down', 'first', 'last', 'details'];
const PANE_EFFECTS: Readonly<Record<Pane, ReadonlySet<KeyEffect>>> = {
  map: new Set([...MOVES, 'left', 'right', 'zoom-in', 'zoom-out']),
  points: new Set([...MOVES, 'exclude', 'reinstate']),
  people: new Set([...MOVES, 'filter', 'order', 'group']),
  alerts: new Set([...MOVES, 'acknowledge', 'resolve']),
  webhooks: new Set([...MOVES, 'resend']),
};

/** Returns true if the focused pane handles the key; the dashboard handles all other keys. */
export function isPaneKey(pane: Pane, key: string): boolean {
  const effect = effectOf(key);
  return effect !== null && PANE_EFFECTS[pane].has(effect);
}

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
  // Most terminals send `delete` for the backspace key.
  ['delete', 'backspace'],
];

/** Converts Ink's key press to names of the key map; pasted text gives one key per character. */
export function keyNamesOf(input: string, key: Key): string[] {
  if (mouseEventOf(input) !== null) return [];
  if (key.ctrl) return input === 'c' || input === 'z' ? [`ctrl-${input}`] : [];
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
  '\x1a': 'ctrl-z',
};

function characterName(character: string): string[] {
  const name = CHARACTERS[character];
  if (name !== undefined) return [name];
  return character >= ' ' ? [character] : [];
}
