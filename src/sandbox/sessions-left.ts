/** Session destinations of commands that ended with the sandbox's last run. [decisions 9] */
import type { Engine } from '../engine/engine.ts';

/** A command that still runs finds the sandbox again in this time; milliseconds of wall time. */
const REJOIN_MS = 60_000;

/** Deletes, a minute after the start, each session that was not taken up again. Returns what cancels it. */
export function endSessionsLeft(engine: Engine, rejoinMs = REJOIN_MS): () => void {
  const { world, clock, failures } = engine;
  const left = [...world.all('destination')].filter(({ session }) => session !== undefined);
  if (left.length === 0) return () => {};
  return clock.afterWall(rejoinMs, () => {
    for (const { id, session } of left) {
      if (world.get('destination', id)?.session?.joinedAt !== session?.joinedAt) continue;
      engine
        .submit({ type: 'delete-destination', destinationId: id })
        .catch((error: Error) => failures.report({ part: 'delivery', what: `the end of the session ${id}`, error }));
    }
  });
}
