/** Pauses a run for inspection of its sandbox: at the line of `--until`, or at the first failure. [scenario-language, Command line] */
import { type Clock, LANE } from '../../base/time/clock.ts';
import type { RunNotice, RunSink } from '../log/run-notices.ts';
import type { Player } from './player.ts';

/** The position of a paused run. */
export interface HeldAt {
  /** Line of the last step that began; null: no step has begun. */
  readonly line: number | null;
  /** Simulated ms from the start. */
  readonly atMs: number;
}

/** Each of these notices is a failure: the text may follow the result later, or come from a `when`. */
const FAILURES: ReadonlySet<RunNotice['kind']> = new Set(['expectation-failed', 'step-refused', 'failure']);

interface PauseParts {
  readonly clock: Clock;
  readonly sink: RunSink;
  /** Null: pause at the first failure. */
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
        // The pause comes after all work that is due at this instant.
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

  /** Plays until the pause (true) or the end of the scenario (false). */
  async play(player: Player, begin: () => void): Promise<boolean> {
    this.#player = player;
    const playing = this.#until === null ? player.play() : player.playToLine();
    begin();
    if (this.#until !== null) return playing.then(() => true);
    return Promise.race([this.#failed, playing.then(() => (player.isHalted ? this.#failed : false))]);
  }
}
