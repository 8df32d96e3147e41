/** Gathers the after-action record of one muster from a running service: what is committed, at one instant. */
import type { Engine } from '../../engine/engine.ts';
import { afterAction } from './after-action.ts';
import type { AfterAction } from './record.ts';

export interface ReportParts {
  readonly engine: Engine;
}

/** Null: there is no such muster. All that a report needs is in the world, so the store's logs and their pruning are not asked. */
export function readReport({ engine }: ReportParts, musterId: string): Promise<AfterAction | null> {
  return engine.read((world, now) => {
    const muster = world.get('muster', musterId.toLowerCase());
    if (muster === undefined) return null;
    return afterAction(world, muster, world.indexes.courseOfMuster.of(muster.id).values(), now);
  });
}
