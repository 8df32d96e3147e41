/** Reads the after-action record of a muster from a running service, at one instant. */
import type { Engine } from '../../engine/engine.ts';
import { afterAction } from './after-action.ts';
import type { AfterAction } from './record.ts';

export interface ReportParts {
  readonly engine: Engine;
}

/** Null: no such muster. Everything is in the world, so the logs of the store and their pruning do not matter. */
export function readReport({ engine }: ReportParts, musterId: string): Promise<AfterAction | null> {
  return engine.read((world, now) => {
    const muster = world.get('muster', musterId.toLowerCase());
    if (muster === undefined) return null;
    return afterAction(world, muster, world.indexes.courseOfMuster.of(muster.id).values(), now);
  });
}
