/** How the outcome of an attempt changes a delivery and its destination. [spec 6.4 to 6.7, decisions 7] */
import type { Change, Stamp } from '../changes.ts';
import type { CommandOf } from '../commands.ts';
import type { Destination } from '../world/documents.ts';
import type { World } from '../world/world.ts';
import { nextAttempt, nextDelay } from './retry-schedule.ts';

export function settleDelivery(world: World, stamp: Stamp, command: CommandOf<'settle-delivery'>): Change[] {
  const delivery = world.get('delivery', command.deliveryId);
  // A deleted destination also removes its pending deliveries, including one in flight.
  if (delivery === undefined || delivery.state !== 'waiting') return [];
  const destination = world.get('destination', delivery.destinationId);
  if (destination === undefined) return [];
  const attempted = { ...delivery, tries: delivery.tries + 1, lastStatus: command.status };
  if (command.delivered)
    return [
      { kind: 'delivery-settled', delivery: { ...attempted, state: 'delivered' } },
      ...healthOf(destination, null),
    ];
  const { id, destinationId, eventId, eventType, eventAt, slot, resentAt: from = eventAt } = delivery;
  const next =
    stamp.assumptions.retry === 'delay' ? nextDelay(from, slot, stamp.now) : nextAttempt(from, slot, stamp.now);
  const after = next === null ? ({ ...attempted, state: 'lost' } as const) : { ...attempted, ...next };
  return [
    { kind: 'delivery-settled', delivery: after },
    // In the same transaction, so that a crash before the e-mail does not lose the record.
    ...(next === null
      ? [{ kind: 'delivery-lost', lost: { id, destinationId, eventId, eventType, eventAt } } as const]
      : []),
    ...healthOf(destination, destination.failingSince ?? command.attemptedAt),
  ];
}

/**
 * `failingSince` is null while healthy, else the first failed attempt after a success. A failing destination stays
 * active.
 */
function healthOf(destination: Destination, failingSince: number | null): Change[] {
  if (destination.failingSince === failingSince) return [];
  return [{ kind: 'destination-changed', destination: { ...destination, failingSince } }];
}
