/** Checks an action for a list of people without performing it, so that the action is performed for all of them or refused for all. [decisions 9] */

import type { Fleet } from '../../fleet/fleet.ts';
import { isRejection, type Rejection } from '../../service/domain/changes.ts';
import type { Engine } from '../../service/engine/engine.ts';
import type { ActionContext, Performed } from './acting.ts';

/**
 * Returns the first refusal that `perform` would meet for the people of the list, in their order; null if there is
 * none.
 * This is a dry run: the engine decides commands and rolls them back, and the fleet does nothing.
 */
export async function firstRefusal<A>(
  context: ActionContext,
  actors: readonly A[],
  perform: (context: ActionContext, actor: A) => Promise<Performed>,
): Promise<Rejection | null> {
  const dry: ActionContext = {
    ...context,
    engine: deciding(context.engine),
    fleet: context.fleet === null ? null : idle(context.fleet),
    listeners: { broker: null, webhooks: null },
  };
  for (const actor of actors) {
    const performed = await perform(dry, actor);
    if (isRejection(performed)) return performed;
  }
  return null;
}

/** Wraps the engine so that its commands change nothing. */
function deciding(engine: Engine): Engine {
  const submit: Engine['submit'] = async (command) => {
    const outcome = await engine.dryRun(command);
    return outcome as Awaited<ReturnType<Engine['submit']>> as never;
  };
  return new Proxy(engine, {
    get: (real, name) => {
      if (name === 'submit') return submit;
      const value = Reflect.get(real, name, real) as unknown;
      return typeof value === 'function' ? value.bind(real) : value;
    },
  });
}

/** Wraps the fleet so that its people do nothing: an action is only checked. */
function idle(fleet: Fleet): Fleet {
  const perform: Fleet['perform'] = async (serial, action) => {
    const why = fleet.objection(serial, action);
    return why === null ? { done: 'sent', at: 0 } : { refused: why };
  };
  return new Proxy(fleet, {
    get: (real, name) => {
      if (name === 'perform') return perform;
      const value = Reflect.get(real, name, real) as unknown;
      return typeof value === 'function' ? value.bind(real) : value;
    },
  });
}
