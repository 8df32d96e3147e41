/** Where a run stops for a person to look at its sandbox: at the line of `--until`, or at the first failure. [scenario-language, Command line] */
import { type Clock, LANE } from '../../base/clock.ts';
import type { RunNotice, RunSink } from '../log/run-notices.ts';
import type { Player } from './player.ts';

/** Where a run that is held stands. */
export interface HeldAt {
  /** Of the step that was begun last; null: none was. */
  readonly line: number | null;
  /** Simulated ms from the start. */
  readonly atMs: number;
}

/** The failing step is known by its verdict; the failure's text may come later, or from a `when` beside the story. */
const FAILURES: ReadonlySet<RunNotice['kind']> = new Set(['expectation-failed', 'step-refused', 'failure']);

export interface PauseParts {
  readonly clock: Clock;
  readonly sink: RunSink;
  /** Null: at the first failure. */
  readonly until: number | null;
}

export class Pause {
  readonly sink: RunSink;
  readonly #until: number | null;
  readonly #failed: Promise<true>;
  #player: Player | null = null;

  constructor({ clock, sink, until }: PauseParts) {
    this.#until = until;
    let stop = () => {};
    this.#failed = new Promise((resolve) => {
      stop = () => {
        stop = () => {};
        this.#player?.halt();
        // Whatever else belongs to this instant happens, and then nothing more.
        clock.at(clock.now(), { lane: LANE.expectation, actor: 'pause' }, () => {
          clock.pause();
          resolve(true);
        });
      };
    });
    this.sink = (notice) => {
      sink(notice);
      if (until === null && FAILURES.has(notice.kind)) stop();
    };
  }

  /** Plays; true where the run has come to its pause, false where it has ended without. */
  async play(player: Player, begin: () => void): Promise<boolean> {
    this.#player = player;
    const playing = this.#until === null ? player.play() : player.playToLine();
    begin();
    if (this.#until !== null) return playing.then(() => true);
    return Promise.race([this.#failed, playing.then(() => (player.isHalted ? this.#failed : false))]);
  }
}
