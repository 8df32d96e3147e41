/** Errors of stdout and stderr: EPIPE (the reader closed) is ignored, any other error, such as ENOSPC, is reported. [cli] */
import { stripVTControlCharacters } from 'node:util';
import { nextTurn } from '../base/time/timers.ts';

const unread = new Set<NodeJS.WriteStream>();
let broken: Error | null = null;
let onReaderClosed = () => {};

/** Resolves when the reader of stdout has closed. Commands that follow a log then end. */
export const readerLeft = new Promise<void>((resolve) => {
  onReaderClosed = resolve;
});

let below: () => readonly string[] = () => [];
/** Rows of the terminal that `below` has now. */
let drawnRows = 0;

/** Registers lines that stay below everything that is written to the terminal. They are asked for at each write. */
export function keepBelow(lines: () => readonly string[]): void {
  below = lines;
}

/** Writes lines, or discards them if the reader of the stream has closed. An empty text draws anew what stays below. */
export function write(stream: NodeJS.WriteStream, text: string): void {
  if (unread.has(stream)) return;
  if (stream.isTTY !== true) return void stream.write(text);
  // Standard output and standard error are one terminal, where both are terminals.
  const lines = below();
  const erased = drawnRows === 0 ? '' : `\r\x1b[${drawnRows}A\x1b[J`;
  const columns = stream.columns || 80;
  drawnRows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(cellsOf(line) / columns)), 0);
  stream.write(`${erased}${text}${lines.map((line) => `${line}\n`).join('')}`);
}

/** Cells of a line with colours. */
export const cellsOf = (line: string): number => [...stripVTControlCharacters(line)].length;

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
