/** Keys without Ink, by Node's own decoder: for the reader, which draws nothing. */
import { emitKeypressEvents, type Key } from 'node:readline';

/** Names of Node's that the key map spells differently. */
const NAMES: Readonly<Record<string, string>> = { return: 'enter', delete: 'backspace' };
const NAMED = [
  'up',
  'down',
  'left',
  'right',
  'pageup',
  'pagedown',
  'home',
  'end',
  'escape',
  'backspace',
  'enter',
  'tab',
  'space',
];

/** Raw mode until the answer is called. */
export function hearKeys(stdin: NodeJS.ReadStream, hear: (key: string) => void): () => void {
  const onKey = (text: string | undefined, key: Key): void => {
    const name = keyName(text, key);
    if (name !== null) hear(name);
  };
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.on('keypress', onKey);
  stdin.resume();
  return () => {
    stdin.off('keypress', onKey);
    stdin.setRawMode(false);
    stdin.pause();
  };
}

/** As the key map names it; null for what it does not know. */
export function keyName(text: string | undefined, { name = '', ctrl, shift, meta }: Key): string | null {
  if (ctrl === true) return name === 'c' ? 'ctrl-c' : null;
  if (name === 'tab' && shift === true) return 'shift-tab';
  const known = NAMES[name] ?? name;
  if (NAMED.includes(known)) return known;
  return meta !== true && text !== undefined && [...text].length === 1 && text >= ' ' ? text : null;
}
