/** Errors of stdout and stderr: EPIPE (the reader closed) is ignored, any other error, such as ENOSPC, is reported. [cli] */
import { nextTurn } from '../base/time/timers.ts';

const unread = new Set<NodeJS.WriteStream>();
let broken: Error | null = null;
let onReaderClosed = () => {};

/** Resolves when the reader of stdout has closed. Commands that follow a log then end. */
export const readerLeft = new Promise<void>((resolve) => {
  onReaderClosed = resolve;
});

/** Writes the text, or discards it if the reader of the stream has closed. */
export function write(stream: NodeJS.WriteStream, text: string): void {
  if (!unread.has(stream)) stream.write(text);
}

/**
 * Installs the error handlers. `onBroken` is called once, for an error other than a closed reader (`| head -1`),
 * because output was then lost.
 */
export function guardStreams(onBroken: (error: Error) => void): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      unread.add(stream);
      if (stream === process.stdout) onReaderClosed();
      if (isReaderLeft(error) || broken !== null) return;
      broken = error;
      onBroken(error);
    });
}

const isReaderLeft = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED' || code === 'EIO';

/** The error of stdout or stderr, unless it is a closed reader; null if there was none. */
export const streamTrouble = (): Error | null => broken;

/**
 * Resolves when the buffer is flushed, or at once if the stream has no reader. Waits for one step of the event loop,
 * since a file emits its error in the next step.
 */
export function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.writableLength === 0 || unread.has(stream)) return void nextTurn(resolve);
    stream.once('drain', resolve);
    stream.once('error', () => resolve());
  });
}
