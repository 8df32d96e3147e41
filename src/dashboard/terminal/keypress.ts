/** Key presses from Node's own decoder, for the screen reader mode, which does not load Ink. */

import { emitKeypressEvents, type Key } from 'node:readline';
import { followForeground, isForeground } from '../../base/foreground.ts';

/** Node's names that differ from those of the key map. */
const NAMES: Readonly<Record<string, string>> = { return: 'enter', delete: 'backspace' };
const NAMED = new Set('up down left right pageup pagedown home end escape backspace enter tab space'.split(' '));

/** Uses raw mode until the returned function is called, while the process is in the foreground. */
export function listenForKeys(stdin: NodeJS.ReadStream, onKey: (key: string) => void): () => void {
  const onKeypress = (text: string | undefined, key: Key): void => {
    const name = keyName(text, key);
    if (name !== null) onKey(name);
  };
  emitKeypressEvents(stdin);
  stdin.on('keypress', onKeypress);
  const stopFollowing = followForeground((isInFront) => {
    if (!isInFront) return void stdin.pause();
    // Node sets the mode only if it differs from the mode that Node set last, and a shell may have changed it.
    stdin.setRawMode(false);
    stdin.setRawMode(true);
    stdin.resume();
  });
  return () => {
    stopFollowing();
    stdin.off('keypress', onKeypress);
    if (isForeground()) stdin.setRawMode(false);
    stdin.pause();
  };
}

/** Returns the name in the key map; null if the key is not in it. */
function keyName(text: string | undefined, { name = '', ctrl, shift, meta }: Key): string | null {
  if (ctrl === true) return name === 'c' || name === 'z' ? `ctrl-${name}` : null;
  if (name === 'tab' && shift === true) return 'shift-tab';
  const known = NAMES[name] ?? name;
  if (NAMED.has(known)) return known;
  return meta !== true && text !== undefined && [...text].length === 1 && text >= ' ' ? text : null;
}
