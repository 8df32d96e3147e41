/** What the actions of the catalogue have in common: what they act on, and how they answer. */

import type { RateLimiter } from '../../api/access/limits.ts';
import type { ApiFaults } from '../../api/requests/faults.ts';
import { given } from '../../base/given.ts';
import type { EmbeddedBroker } from '../../broker/broker.ts';
import type { ActionFields, ActionName, ActionResult } from '../../contract/actions.ts';
import type { Assumptions } from '../../contract/gaps.ts';
import { isRejection, type Rejection, reject } from '../../domain/changes.ts';
import type { CommandOutcome, Engine } from '../../engine/engine.ts';
import type { Store } from '../../engine/store-port.ts';
import type { Acted, Fleet } from '../../fleet/fleet.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import type { Actor, Finder } from './find.ts';

/** The running sandbox, as far as actions reach. */
export interface Acting {
  readonly engine: Engine;
  readonly store: Pick<Store, 'event' | 'events'>;
  readonly limiter: RateLimiter;
  /** Null with `--no-fleet`. */
  readonly fleet: Fleet | null;
  /** Simulated outages of the API. */
  readonly faults: ApiFaults;
  /** What stands between the service and the outside; null until it is started. */
  readonly listeners: { readonly broker: EmbeddedBroker | null; readonly webhooks: Webhooks | null };
  readonly assumptions: Assumptions;
  /** Background life acts: an alarm ends what it began. */
  readonly isBackground?: boolean;
  /** The key that the watch of a serial has. */
  readonly watchKey: (serial: string) => string;
}

/** One asking: who asks decides what is there. */
export interface ActionContext extends Acting {
  readonly find: Finder;
}

export type Performed = ActionResult | Rejection;

/** How an action is done for one person. */
export type ForEach<K extends ActionName> = (
  context: ActionContext,
  actor: Actor,
  fields: ActionFields<K>,
) => Promise<Performed>;

/** Every person action's result names both. [decisions 9] */
export const idsOf = ({ worker, device }: Actor) => ({ worker_id: worker.id, device_id: device.id });

/** The fleet, where it has this watch in its hand. */
export function fleetOf({ fleet }: Acting, { device }: Actor): Fleet | Rejection {
  if (fleet?.emulates(device.serial)) return fleet;
  const why = fleet?.failure(device.serial) ?? null;
  if (why !== null)
    return reject('action_refused', `The watch ${device.serial} failed and was taken out of the fleet: ${why}.`);
  return reject('action_refused', `The watch ${device.serial} is not emulated: it is for your own client.`);
}

/** The outcome of what a watch did. `isJoined`: the alert was open before, so the report added a line to its timeline and no more. */
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

/** The ids, with those that the command made or touched. */
export function committed(outcome: CommandOutcome<unknown>, ids: ActionResult): Performed {
  if (isRejection(outcome)) return outcome;
  const { alertId, joined, permitId } = outcome.done;
  return {
    ...ids,
    ...given({ alert_id: alertId, joined: joined === true ? (true as const) : undefined, permit_id: permitId }),
  };
}

/** A field that cannot be left out here. */
export const required = (detail: string, ...pointers: string[]): Rejection =>
  reject(
    'validation_failed',
    detail,
    pointers.map((pointer) => ({ pointer, detail: 'is required' })),
  );
