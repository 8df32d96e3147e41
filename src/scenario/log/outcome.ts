/** The outcome of a run, as lines that can be compared with those of a run with another order or seed. */

import type { DeliveryCounts } from './run-notices.ts';
import type { RunRecord } from './run-record.ts';

/**
 * Returns sorted lines: the last state of each alert and muster, and the number of events and of deliveries by their
 * result. Equal states are merged into one line with their number.
 */
export function outcomeOf(
  { alerts, musters, events, attempts }: Pick<RunRecord, 'alerts' | 'musters' | 'events' | 'attempts'>,
  personOf: (workerId: string) => string | undefined,
): string[] {
  const ends = [
    ...[...alerts.values()].map(({ alert: { type, worker, status, acknowledged, resolved } }) => {
      const who = worker === null ? '' : ` of ${personOf(worker.id) ?? worker.external_id ?? worker.id}`;
      return `alert ${type}${who}: ${[status, acknowledged && `acknowledged by ${acknowledged.by}`, resolved && `resolved by ${resolved.by}`].filter((word) => word).join(', ')}`;
    }),
    ...[...musters.values()].map(({ muster: { kind, status, totals } }) => {
      const counts = Object.entries(totals).map(([name, count]) => `${name} ${count}`);
      return `muster ${kind}: ${[status, ...counts].join(', ')}`;
    }),
  ];
  const deliveries = new Map(attempts.map(({ receiver, attempt }) => [attempt.delivery_id, { receiver, attempt }]));
  const counted = [
    ...events.map(({ event }) => `event ${event.type}`),
    ...[...deliveries.values()].flatMap(({ receiver, attempt }) =>
      receiver === null ? [] : [`delivery ${attempt.event_type} to ${receiver}: ${attempt.result}`],
    ),
  ];
  const states = [...tally(ends)].map(([state, count]) => (count === 1 ? state : `${state} (${count} of them)`));
  return [...states, ...[...tally(counted)].map(([what, count]) => `${what}: ${count}`)].toSorted();
}

function tally(items: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of items) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

/** Counts deliveries to the destinations that the scenario created. */
export function deliveryCounts({ attempts }: Pick<RunRecord, 'attempts'>): DeliveryCounts {
  const own = attempts.filter(({ receiver, attempt }) => receiver !== null && !attempt.copy);
  const delivered = own.filter(({ attempt }) => attempt.result === 'delivered');
  // The result of the last attempt is the state of a delivery.
  const states = new Map(own.map(({ attempt }) => [attempt.delivery_id, attempt.result]));
  return {
    delivered: delivered.length,
    retried: delivered.filter(({ attempt }) => attempt.try > 1).length,
    lost: own.filter(({ attempt }) => attempt.result === 'lost').length,
    failing: [...states.values()].filter((result) => result === 'waiting').length,
  };
}
