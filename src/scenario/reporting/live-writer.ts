/** Writes a run on a terminal: plain lines that scroll, and below them a status block of two lines. */

import { printable } from '../../base/text/printable.ts';
import { formatClockTime } from '../../base/time/instants.ts';
import type { Paint } from '../../contract/resources/terminal-colours.ts';
import { CHECK_TERMS } from '../../contract/resources/vocabulary.ts';
import type { RunNotice, RunSink } from '../log/run-notices.ts';
import { plainWriter, type WriterEnd } from './plain-writer.ts';

/** Minimum interval between redraws of the block; wall ms. */
const DRAW_EVERY_MS = 100;

const BAR = 24;

interface LiveParts {
  /** As of `plainWriter`. */
  readonly end?: WriterEnd;
  write(text: string): void;
  /** Erases the last lines. */
  erase(lines: number): void;
  readonly paint: Paint;
  columns(): number;
  /** Monotonic ms. */
  monotonic(): number;
}

interface LiveStatus {
  readonly file: string;
  readonly mode: string;
  readonly seed: string;
  readonly steps: number;
  begun: number;
  passed: number;
  failed: number;
  atMs: number;
  /** How far the run is behind its pace; wall ms. */
  behindMs: number;
  now: string;
}

/** Lines of the plain writer scroll; the block is redrawn in place. */
export function liveWriter({
  write,
  erase: eraseLines,
  paint,
  columns,
  monotonic,
  end = 'counts',
}: LiveParts): RunSink {
  let standing: LiveStatus | null = null;
  let drawn = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  const erase = () => {
    if (drawn > 0) eraseLines(drawn);
    drawn = 0;
  };
  const draw = () => {
    if (standing === null) return;
    const lines = block(standing, paint, columns());
    write(`${lines.join('\n')}\n`);
    drawn = lines.length;
    drawnAt = monotonic();
  };
  const plain = plainWriter(
    (text) => {
      erase();
      write(text);
    },
    paint,
    end,
  );
  return (notice) => {
    standing = follow(standing, notice);
    const before = drawn;
    plain(notice);
    // A scrolled line erased the block; otherwise redraws are throttled.
    if (drawn < before || before === 0) draw();
    else if (monotonic() - drawnAt >= DRAW_EVERY_MS) {
      erase();
      draw();
    }
  };
}

function follow(standing: LiveStatus | null, notice: RunNotice): LiveStatus | null {
  if (notice.kind === 'run-began') {
    const { file, mode, speed, seed, steps } = notice;
    const how = mode === 'scaled' ? `x${speed}` : mode;
    return { file, mode: how, seed, steps, begun: 0, passed: 0, failed: 0, atMs: 0, behindMs: 0, now: '' };
  }
  if (standing === null || notice.kind === 'run-ended') return null;
  if ('atMs' in notice) standing.atMs = Math.max(standing.atMs, notice.atMs);
  if (notice.kind === 'behind') standing.behindMs = notice.behindMs;
  if (notice.kind === 'expectation-passed') standing.passed++;
  if (notice.kind === 'expectation-failed') standing.failed++;
  if (notice.kind === 'step-began' || notice.kind === 'mark') {
    standing.begun++;
    standing.now = notice.text;
  }
  return standing;
}

function block(
  { file, mode, seed, steps, begun, passed, failed, atMs, behindMs, now }: LiveStatus,
  paint: Paint,
  columns: number,
): string[] {
  const name =
    file
      .split('/')
      .at(-1)
      ?.replace(/\.scenario\.yaml$/, '') ?? file;
  const done = steps === 0 ? 0 : Math.min(BAR, Math.round((begun / steps) * BAR));
  const bar = `${'█'.repeat(done)}${'░'.repeat(BAR - done)}`;
  const cut = (text: string): string =>
    text.length > columns - 1 ? `${text.slice(0, Math.max(0, columns - 2))}…` : text;
  const late = behindMs === 0 ? '' : `, ${(behindMs / 1_000).toFixed(1)} s behind`;
  const first = ` ${printable(name)}  ${bar}  T+${formatClockTime(atMs)}  ${mode}${late}  seed ${seed}`;
  const counts = ` ${CHECK_TERMS.passed.glyph} ${passed}  ${CHECK_TERMS.failed.glyph} ${failed}   ${printable(now)}`;
  return [paint('bold', cut(first)), paint(failed > 0 ? CHECK_TERMS.failed.token : 'dim', cut(counts))];
}
