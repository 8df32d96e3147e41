/** Sets up the parts of one run, plays the scenario and tears the parts down. */

import type { Clock } from '../../base/time/clock.ts';
import type { Player } from './player.ts';
import type { StageParts, StagePieces } from './stage-parts.ts';
import { STAGE_PIECES } from './stage-pieces.ts';
import { startParts } from './stage-start.ts';

/** Time limit for stopping one part; wall ms. */
const STOP_WITHIN_MS = 10_000;

/** Resolves at the end of the scenario; rejects with the reason for an abort. */
export async function playOnStage(parts: StageParts): Promise<void> {
  const { clock, aborted, played } = parts;
  // Called before the teardown, so that no due entry runs during it, and the log ends with the scenario.
  const end = () => {
    clock.pause();
    played.log?.close();
  };
  const pieces = STAGE_PIECES.map((piece) => ({
    ...piece,
    start: async (all: StagePieces) => {
      try {
        return await Promise.race([piece.start(all), aborted]);
      } catch (error) {
        end();
        throw error;
      }
    },
    stop: (started: unknown, all: StagePieces) =>
      withinLimit(clock, async () => void (await piece.stop?.(started, all))),
  }));
  const stage = await startParts<StagePieces>(pieces, { run: parts });
  try {
    await Promise.race([play(stage.parts), aborted]);
  } finally {
    end();
    await stage.stop();
  }
}

async function play({ run: { clock, options, played }, stage, log, pause, player }: StagePieces): Promise<void> {
  options.witness?.onBegin(clock.now());
  const begin = () => clock.start();
  const isPaused = pause === null ? await playAll(player, begin) : await pause.play(player, begin);
  const hold = isPaused ? options.pause : options.keep;
  played.over = true;
  played.overMs = clock.monotonic();
  if (hold === undefined) return;
  player.rest();
  // The result is final; the log must not record what a person does now.
  log.close();
  clock.handOver();
  await hold(stage, { line: player.playing?.line ?? null, atMs: player.lastMs });
}

async function playAll(player: Player, begin: () => void): Promise<false> {
  const playing = player.play();
  begin();
  await playing;
  return false;
}

/** Waits for a stop, at most up to the limit. */
function withinLimit(clock: Clock, stop: () => Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.afterWall(STOP_WITHIN_MS, () => resolve(), { unref: true });
    const done = () => {
      cancel();
      resolve();
    };
    stop().then(done, done);
  });
}
