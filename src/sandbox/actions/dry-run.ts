/** Checks an action for a list of people without performing it, so that it is performed for all of them or refused for all. [decisions 9] */
import { isRejection, type Rejection } from '../../domain/changes.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { ActionContext, Performed } from './acting.ts';

/**
 * The first refusal among those that `perform` would meet for each of the list, in their order; null: none.
 * A dry run: commands are decided and rolled back, and the fleet does nothing.
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

/** The engine, but that its commands change nothing. */
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

/** A fleet port whose people do nothing: an action is only checked. */
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
