/** Plays an action without doing it, so that a list of people is done whole or refused whole. [decisions 9] */
import { isRejection, type Rejection } from '../../domain/changes.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Acted, Fleet } from '../../fleet/fleet.ts';
import type { ActionContext, Performed } from './acting.ts';

/** The fleet's methods that make a person act; a new one does not compile until it is listed here. */
type PersonMethod = {
  [K in keyof Fleet]: Fleet[K] extends (...given: never[]) => Promise<Acted> ? K : never;
}[keyof Fleet];

/** Why the action would be refused now, beyond the checks common to all; null: no objection. */
type Obstacle = (fleet: Fleet, serial: string, how: never) => string | null;

const NONE: Obstacle = () => null;
const HELD: Obstacle = (fleet, serial) => fleet.heldBack(serial);

const OBSTACLES: { readonly [K in PersonMethod]: Obstacle } = {
  sos: NONE,
  fall: NONE,
  answer: (fleet, serial) => fleet.unanswerable(serial),
  pressAck: NONE,
  cannotEvacuate: NONE,
  free: NONE,
  callRequest: NONE,
  declare: NONE,
  expectVehicle: NONE,
  swap: NONE,
  battery: NONE,
  signal: NONE,
  position: NONE,
  moveTo: HELD,
  put: HELD,
  wear: NONE,
  clockSkew: NONE,
};

/**
 * The first refusal among those that `perform` would meet for each of the list, in their order; null: none.
 * A dry run: commands are decided and rolled back, and the fleet does nothing.
 */
export async function firstRefusal<A>(
  asked: ActionContext,
  actors: readonly A[],
  perform: (asked: ActionContext, actor: A) => Promise<Performed>,
): Promise<Rejection | null> {
  const dry: ActionContext = {
    ...asked,
    engine: deciding(asked.engine),
    fleet: asked.fleet === null ? null : idle(asked.fleet),
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

/** A fleet port whose acting methods only check. */
function idle(fleet: Fleet): Fleet {
  return new Proxy(fleet, {
    get: (real, name) => {
      if (name === 'radioHoles') return () => {};
      if (typeof name === 'string' && name in OBSTACLES) {
        return async (serial: string, how: unknown): Promise<Acted> => {
          const why = real.unable(serial) ?? OBSTACLES[name as PersonMethod](real, serial, how as never);
          return why === null ? { done: 'sent', at: 0 } : { refused: why };
        };
      }
      const value = Reflect.get(real, name, real) as unknown;
      return typeof value === 'function' ? value.bind(real) : value;
    },
  });
}
