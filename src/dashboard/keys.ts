/** Which key does what: the one map that presses, the help and the hint line are made from. */
import type { Pane } from './view.ts';

/** What a key can do. */
export type KeyDeed =
  | 'quit'
  | 'help'
  | 'details'
  | 'next-pane'
  | 'previous-pane'
  | 'pane'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'page-up'
  | 'page-down'
  | 'first'
  | 'last'
  | 'filter'
  | 'group'
  | 'state'
  | 'open'
  | 'copy'
  | 'back'
  | 'zoom-in'
  | 'zoom-out'
  | 'freeze'
  | 'truth'
  | 'pause'
  | 'faster'
  | 'slower'
  | 'site'
  | 'theme'
  | 'glyphs'
  | 'acknowledge'
  | 'resolve'
  | 'safe'
  | 'exclude'
  | 'reinstate'
  | 'start-muster'
  | 'inspect'
  | 'end-muster';

export interface KeyRow {
  readonly keys: readonly string[];
  readonly deed: KeyDeed;
  /** As the help writes the keys, where their names do not say it. */
  readonly shown?: string;
  readonly help: string;
  /** A word for the hint line; without it the key stands in the help only. */
  readonly hint?: string;
  /** Only with this pane the hint is worth its place. */
  readonly pane?: Pane;
  /** Where nothing is drawn. */
  readonly isForReader?: true;
  readonly group: 'Look' | 'Time' | 'Control room';
}

export const KEYS: readonly KeyRow[] = [
  { keys: ['?'], deed: 'help', help: 'this help', hint: 'help', group: 'Look' },
  { keys: ['1', '2', '3', '4', '5'], shown: '1-5', deed: 'pane', help: 'to a pane', hint: 'pane', group: 'Look' },
  { keys: ['tab'], shown: 'Tab', deed: 'next-pane', help: 'to the next pane', group: 'Look' },
  { keys: ['shift-tab'], shown: 'Shift-Tab', deed: 'previous-pane', help: 'to the pane before', group: 'Look' },
  { keys: ['up', 'k'], shown: '↑ k', deed: 'up', help: 'the row above; the map up', group: 'Look' },
  { keys: ['down', 'j'], shown: '↓ j', deed: 'down', help: 'the row below; the map down', group: 'Look' },
  { keys: ['left', 'h'], shown: '← h', deed: 'left', help: 'the map to the left', group: 'Look' },
  { keys: ['right', 'l'], shown: '→ l', deed: 'right', help: 'the map to the right', group: 'Look' },
  { keys: ['pageup'], shown: 'PgUp', deed: 'page-up', help: 'a page up', group: 'Look' },
  { keys: ['pagedown'], shown: 'PgDn', deed: 'page-down', help: 'a page down', group: 'Look' },
  { keys: ['g', 'home'], shown: 'g', deed: 'first', help: 'the first row', group: 'Look' },
  { keys: ['G', 'end'], shown: 'G', deed: 'last', help: 'the last row', group: 'Look' },
  { keys: ['enter'], shown: 'Enter', deed: 'details', help: 'all that is known of a row', group: 'Look' },
  {
    keys: ['/'],
    deed: 'filter',
    help: 'filter people; ! inverts it',
    hint: 'filter',
    group: 'Look',
  },
  { keys: ['p'], deed: 'group', help: 'people by place, or by risk', hint: 'by place', group: 'Look' },
  { keys: ['escape'], shown: 'Esc', deed: 'back', help: 'close; no filter; whole map', group: 'Look' },
  {
    keys: ['+', '='],
    shown: '+',
    deed: 'zoom-in',
    help: 'the map nearer',
    hint: 'zoom',
    pane: 'map',
    group: 'Look',
  },
  { keys: ['-'], deed: 'zoom-out', help: 'the map farther', group: 'Look' },
  { keys: ['s'], deed: 'site', help: 'the next site', hint: 'site', group: 'Look' },
  { keys: ['f'], deed: 'freeze', help: 'freeze what is seen', group: 'Look' },
  { keys: ['t'], deed: 'theme', help: 'the next theme', group: 'Look' },
  { keys: ['i'], deed: 'glyphs', help: 'glyphs or plain ASCII', group: 'Look' },
  {
    keys: ['space'],
    shown: 'Space',
    deed: 'pause',
    help: 'stop time, or let it go on',
    hint: 'pause',
    group: 'Time',
  },
  { keys: ['>', '.'], shown: '>', deed: 'faster', help: 'time twice as fast', hint: 'speed', group: 'Time' },
  { keys: ['<', ','], shown: '<', deed: 'slower', help: 'time half as fast', group: 'Time' },
  { keys: ['o'], deed: 'open', help: 'its page, in a browser', group: 'Look' },
  { keys: ['y'], deed: 'copy', help: 'copy the id of the row', group: 'Look' },
  { keys: ['w'], deed: 'state', help: 'how all stands, read out', isForReader: true, group: 'Look' },
  { keys: ['T'], deed: 'truth', help: 'where all truly are', group: 'Look' },
  { keys: ['a'], deed: 'acknowledge', help: 'acknowledge the alert', hint: 'ack', group: 'Control room' },
  { keys: ['r'], deed: 'resolve', help: 'resolve the alert', hint: 'resolve', group: 'Control room' },
  { keys: ['M'], deed: 'start-muster', help: 'start a muster', hint: 'start muster', group: 'Control room' },
  {
    keys: ['m'],
    deed: 'safe',
    help: 'mark safe; start a muster',
    hint: 'mark safe',
    group: 'Control room',
  },
  {
    keys: ['x'],
    deed: 'exclude',
    help: 'exclude the point',
    hint: 'exclude',
    pane: 'points',
    group: 'Control room',
  },
  {
    keys: ['u'],
    deed: 'reinstate',
    help: 'reinstate the point',
    hint: 'reinstate',
    pane: 'points',
    group: 'Control room',
  },
  { keys: ['I'], deed: 'inspect', help: 'inspect: all are counted', group: 'Control room' },
  { keys: ['e'], deed: 'end-muster', help: 'end the muster', hint: 'end muster', group: 'Control room' },
  { keys: ['q', 'ctrl-c'], shown: 'q', deed: 'quit', help: 'quit', hint: 'quit', group: 'Look' },
];

const BY_KEY = new Map(KEYS.flatMap((row) => row.keys.map((key) => [key, row.deed] as const)));

export const deedOf = (key: string): KeyDeed | null => BY_KEY.get(key) ?? null;

export const shownKeys = (row: KeyRow): string => row.shown ?? row.keys[0] ?? '';

/** What Ink tells of a key that has no character. */
export interface InkKey {
  readonly upArrow: boolean;
  readonly downArrow: boolean;
  readonly leftArrow: boolean;
  readonly rightArrow: boolean;
  readonly pageUp: boolean;
  readonly pageDown: boolean;
  readonly home: boolean;
  readonly end: boolean;
  readonly return: boolean;
  readonly escape: boolean;
  readonly tab: boolean;
  readonly shift: boolean;
  readonly ctrl: boolean;
  readonly backspace: boolean;
  readonly delete: boolean;
}

const NAMED: readonly (readonly [keyof InkKey, string])[] = [
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
  // What most terminals send for the backspace key.
  ['delete', 'backspace'],
];

/** The names of the map for what Ink has heard; text that was pasted is a key for each character. */
export function keyNamesOf(input: string, key: InkKey): string[] {
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
