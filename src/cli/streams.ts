/** What becomes of stdout and stderr: a reader that went away is nobody's mistake and ends nothing, a full disk is one. [cli] */
import { nextTurn } from '../base/timers.ts';

const unread = new Set<NodeJS.WriteStream>();
let broken: Error | null = null;
let tellReaderLeft = () => {};

/** Resolves when nobody reads stdout any more; for what would otherwise go on for nobody, as a log that is followed. */
export const readerLeft = new Promise<void>((resolve) => {
  tellReaderLeft = resolve;
});

/** Nothing is written for nobody. */
export function write(stream: NodeJS.WriteStream, text: string): void {
  if (!unread.has(stream)) stream.write(text);
}

/**
 * Hears of streams that cannot be written, from now on. `onBroken` hears of anything but a reader that went away
 * (`| head -1`), once: what stdout was to say is lost then.
 */
export function guardStreams(onBroken: (error: Error) => void): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      unread.add(stream);
      if (stream === process.stdout) tellReaderLeft();
      if (isReaderLeft(error) || broken !== null) return;
      broken = error;
      onBroken(error);
    });
}

const isReaderLeft = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED' || code === 'EIO';

/** What stdout or stderr could not take, other than a reader that went away. */
export const streamTrouble = (): Error | null => broken;

/** What was written is out before the process ends, also into a pipe; where nobody reads, at once. A file tells its trouble a turn later. */
export function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.writableLength === 0 || unread.has(stream)) return void nextTurn(resolve);
    stream.once('drain', resolve);
    stream.once('error', () => resolve());
  });
}
