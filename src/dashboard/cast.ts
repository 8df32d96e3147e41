/** A recording that `asciinema play` shows: version 2 of its format, a line for each write. */
import type { Size } from './lines.ts';
import type { Sink } from './terminal.ts';

export interface Cast {
  /** What the terminal got. */
  output(text: string): void;
  resized(size: Size): void;
}

/** `seconds` since its start; `startedAt` are Unix seconds. */
export function cast(sink: Sink, size: Size, startedAt: number, seconds: () => number): Cast {
  const write = (line: unknown): void => sink.write(`${JSON.stringify(line)}\n`);
  write({
    version: 2,
    width: size.columns,
    height: size.rows,
    timestamp: Math.floor(startedAt),
    title: 'sandbox dashboard',
    env: { TERM: 'xterm-256color' },
  });
  const at = (): number => Math.round(seconds() * 1e6) / 1e6;
  return {
    output: (text) => write([at(), 'o', text]),
    resized: ({ columns, rows }) => write([at(), 'r', `${columns}x${rows}`]),
  };
}
