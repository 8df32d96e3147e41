/** A recording for `asciinema play`: version 2 of its format, one line for each write. */
import { monotonicMs, wallMs } from '../../base/time/timers.ts';
import type { ScreenSize } from './lines.ts';
import type { TextSink } from './terminal.ts';

export interface AsciinemaCast {
  output(text: string): void;
  resized(size: ScreenSize): void;
}

/** `seconds` since the start; `startedAt` is Unix seconds. */
export function cast(sink: TextSink, size: ScreenSize, startedAt: number, seconds: () => number): AsciinemaCast {
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

/** Returns null without a sink. Times are measured from this call. */
export function recordingOf(sink: TextSink | undefined, size: ScreenSize): AsciinemaCast | null {
  const startedAt = monotonicMs();
  return sink === undefined ? null : cast(sink, size, wallMs() / 1_000, () => (monotonicMs() - startedAt) / 1_000);
}
