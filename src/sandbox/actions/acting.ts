/** What the actions of the catalogue share: the objects that they act on, and the form of their results. */

import { given } from '../../base/given.ts';
import type { ActionFields, ActionName, ActionResult } from '../../contract/actions.ts';
import type { Assumptions } from '../../contract/gaps.ts';
import type { Acted, Fleet } from '../../fleet/fleet.ts';
import type { RateLimiter } from '../../service/api/access/limits.ts';
import type { ApiFaults } from '../../service/api/requests/faults.ts';
import type { EmbeddedBroker } from '../../service/broker/broker.ts';
import { isRejection, type Rejection, reject } from '../../service/domain/changes.ts';
import type { CommandOutcome, Engine } from '../../service/engine/engine.ts';
import type { Store } from '../../service/engine/store-port.ts';
import type { Webhooks } from '../../service/webhooks/webhooks.ts';
import type { Actor, Finder } from './find.ts';

/** The parts of the running sandbox that actions use. */
export interface Acting {
  readonly engine: Engine;
  readonly store: Pick<Store, 'event' | 'events'>;
  readonly limiter: RateLimiter;
  /** Null with `--no-fleet`. */
  readonly fleet: Fleet | null;
  /** Simulated outages of the API. */
  readonly faults: ApiFaults;
  /**
   * The parts that accept connections or send requests. Each is null until it is started; `broker` is also null with an
   * external broker.
   */
  readonly listeners: { readonly broker: EmbeddedBroker | null; readonly webhooks: Webhooks | null };
  readonly assumptions: Assumptions;
  /** True for actions of background activity: an alarm ends what they started. */
  readonly isBackground?: boolean;
  /** Returns the key of the watch with this serial. */
  readonly watchKey: (serial: string) => string;
}

/** The context of one request. The viewer who sends it decides which objects exist. */
export interface ActionContext extends Acting {
  readonly find: Finder;
}

export type Performed = ActionResult | Rejection;

/** Performs an action for one person. */
export type ForEach<K extends ActionName> = (
  context: ActionContext,
  actor: Actor,
  fields: ActionFields<K>,
) => Promise<Performed>;

/** The result of every action of a person contains both ids. [decisions 9] */
export const idsOf = ({ worker, device }: Actor) => ({ worker_id: worker.id, device_id: device.id });

/** Returns the fleet if it emulates this watch; otherwise the refusal. */
export function fleetOf({ fleet }: Acting, { device }: Actor): Fleet | Rejection {
  if (fleet?.emulates(device.serial)) return fleet;
  const why = fleet?.failure(device.serial) ?? null;
  if (why !== null)
    return reject('action_refused', `The watch ${device.serial} failed and was taken out of the fleet: ${why}.`);
  return reject('action_refused', `The watch ${device.serial} is not emulated: it is for your own client.`);
}

/**
 * Converts the outcome of a watch. `isJoined`: true if the alert was already open, so that the report only added an
 * entry to its timeline.
 */
export function acted(
  actor: Actor,
  done: Acted,
  alertId: () => string | undefined = () => undefined,
  isJoined: (alertId: string) => boolean = () => false,
): Performed {
  if ('refused' in done) return reject(done.unkept === true ? 'storage_unavailable' : 'action_refused', done.refused);
  if (done.done === 'buffered') return { ...idsOf(actor), buffered: true };
  const alert = alertId();
  if (alert === undefined) return idsOf(actor);
  return { ...idsOf(actor), alert_id: alert, ...given({ joined: isJoined(alert) ? (true as const) : undefined }) };
}

/** Adds to `ids` those that the command created or touched. */
export function committed(outcome: CommandOutcome<unknown>, ids: ActionResult): Performed {
  if (isRejection(outcome)) return outcome;
  const { alertId, joined, permitId } = outcome.done;
  return {
    ...ids,
    ...given({ alert_id: alertId, joined: joined === true ? (true as const) : undefined, permit_id: permitId }),
  };
}
