/** All details of the chosen row (person, alert, assembly point or destination) as label and text. */
import { CLI } from '../../base/text/command-form.ts';
import type { Alert, AssemblyPoint, WebhookDestination } from '../../contract/resources.ts';
import type { StreamTruth } from '../../contract/stream.ts';
import type { NotSafeRow } from '../../watching/state/not-safe.ts';
import type { PersonRow } from '../../watching/state/people.ts';
import { NO_TALLY, quantile } from '../../watching/state/tallies.ts';
import { dayTime, plainWords, spanText } from '../../watching/state/words.ts';
import { chosenOf, type DashboardScene, type DashboardView } from '../view.ts';
import { offBy } from './truth.ts';

export interface Details {
  readonly title: string;
  readonly lines: readonly (readonly [label: string, text: string])[];
}

/** Returns null if no row is chosen. */
export function detailsOf(scene: DashboardScene, view: DashboardView): Details | null {
  const pane = view.pane === 'map' ? 'people' : view.pane;
  const id = chosenOf(scene, view, pane);
  const chosen = <T extends { readonly id: string }>(
    items: readonly T[],
    describe: (item: T) => Details,
  ): Details | null => {
    const item = items.find((one) => one.id === id);
    return item === undefined ? null : describe(item);
  };
  switch (pane) {
    case 'people': {
      const then = scene.notSafe.find((row) => row.id === id);
      if (then === undefined) return chosen(scene.people, (row) => ofPerson(row, scene, view));
      const row = scene.siteRows.find((one) => one.id === then.workerId);
      return ofNotSafe(then, row === undefined ? null : ofPerson(row, scene, view));
    }
    case 'alerts':
      return chosen(scene.alerts, ofAlert);
    case 'points':
      return chosen(scene.points, (point) => ofPoint(point, scene));
    case 'webhooks':
      return chosen(scene.destinations, (destination) => ofDestination(destination, scene));
  }
}

/** The state at the end of the muster, followed by the present state of the person, if known. */
function ofNotSafe(row: NotSafeRow, now: Details | null): Details {
  const { workerId, worker, word } = row;
  return {
    title: worker?.external_id ?? workerId,
    lines: [
      ['then', `not safe when the muster ended: ${plainWords(word)}`],
      ['last place', row.placeWords],
      ...(now?.lines ?? [['name', worker?.name ?? 'not known any more']]),
    ],
  };
}

function ofPerson(row: PersonRow, { site, now, world }: DashboardScene, view: DashboardView): Details {
  const { code, worker, person, status, rescue, alert } = row;
  const truth = view.truth ? world.truth.get(row.id) : undefined;
  const { location } = person;
  const point = site?.zones.find(({ id }) => id === person.muster?.assembly_point?.id);
  const height = location?.height;
  const place =
    location === null
      ? person.location_withheld
        ? 'withheld'
        : 'not known'
      : `${location.latitude.toFixed(6)}, ${location.longitude.toFixed(6)} ± ${location.uncertainty_m ?? '?'} m by ${location.source}`;
  return {
    title: code,
    lines: [
      ['name', worker.name ?? 'not in the contract'],
      ['role', [worker.role, worker.contractor].filter((word) => word !== null).join(', ') || '-'],
      ['status', `${status === 'person' ? 'no muster' : status}${rescue ? ', needs rescue' : ''}`],
      ...(person.muster?.help_reason == null ? [] : [['help', person.muster.help_reason] as const]),
      ...(point === undefined ? [] : [['said', `at ${point.name}`] as const]),
      ['alert', alert === null ? 'none is open' : `${alert.severity} ${alert.type}, ${alert.status}`],
      ['place', row.placeWords],
      ['position', place],
      ...(truth === undefined ? [] : [['TRUTH', truthOf(row, truth)] as const]),
      ...(height == null
        ? []
        : [
            [
              'height',
              `${height.height_m} m${height.building === null ? '' : `, ${height.building} ${height.floor ?? ''}`}`,
            ] as const,
          ]),
      [
        'watch',
        `${person.worn === false ? 'not worn' : 'worn'}, battery ${person.battery ?? '?'} %${person.in_vehicle ? ', in a vehicle' : ''}`,
      ],
      [
        'last seen',
        person.date_last_seen === null
          ? 'never'
          : `${dayTime(person.date_last_seen)}, ${spanText(now - Date.parse(person.date_last_seen))} ago`,
      ],
    ],
  };
}

function truthOf(row: PersonRow, truth: StreamTruth): string {
  const off = offBy(row, truth);
  return [
    `${truth.latitude.toFixed(6)}, ${truth.longitude.toFixed(6)}`,
    truth.zone,
    truth.floor === null ? null : `floor ${truth.floor}`,
    plainWords(truth.activity),
    off === null ? 'not seen' : `seen ${Math.round(off)} m off`,
  ]
    .filter((word) => word !== null)
    .join(', ');
}

function ofAlert(alert: Alert): Details {
  const by = (done: { at: string; by: string } | null): string =>
    done === null ? 'no' : `${dayTime(done.at)} by ${done.by}`;
  return {
    title: alert.type,
    lines: [
      ['title', alert.title],
      ['severity', alert.severity],
      ['status', alert.status],
      ['raised', dayTime(alert.date_created)],
      ['worker', alert.worker === null ? 'the whole site' : (alert.worker.external_id ?? alert.worker.id)],
      ['zone', alert.zone?.name ?? '-'],
      [
        'on watch',
        alert.worker_acknowledged_at === null
          ? 'not acknowledged'
          : `acknowledged ${dayTime(alert.worker_acknowledged_at)}`,
      ],
      ['ack', by(alert.acknowledged)],
      ['resolved', by(alert.resolved)],
      ...(alert.resolved?.note == null ? [] : [['note', alert.resolved.note] as const]),
      ...(alert.assigned_to === null ? [] : [['assigned', alert.assigned_to] as const]),
      ...alert.nearby
        .slice(0, 4)
        .map(({ worker, kind, distance_m }) => ['nearby', `${worker.external_id ?? kind} ${distance_m} m`] as const),
      ['id', alert.id],
      ['panel', alert.panel_url],
    ],
  };
}

function ofPoint({ id, name, status, count, excluded }: AssemblyPoint, { site }: DashboardScene): Details {
  const serves = site?.zones.find((zone) => zone.id === id)?.assembly_point;
  return {
    title: name,
    lines: [
      ['status', status],
      ['safe here', String(count ?? 0)],
      ['capacity', capacityText(count ?? 0, serves?.capacity ?? null)],
      ['serves', serves?.serves.join(', ') ?? '-'],
      [
        'elevation',
        serves?.elevation_m == null
          ? '-'
          : `${serves.elevation_m} m (${serves.elevation_source ?? 'unknown'})${serves.vertical ? ', vertical' : ''}`,
      ],
      ...(excluded === null
        ? []
        : [['excluded', `${dayTime(excluded.at)} by ${excluded.by}: ${excluded.reason}`] as const]),
      ['id', id],
    ],
  };
}

const capacityText = (count: number, capacity: number | null): string =>
  capacity === null ? '-' : `${capacity}${count > capacity ? `, ${count - capacity} too many are here` : ''}`;

function ofDestination(
  { id, url, event_types, is_active, failing_since }: WebhookDestination,
  { deliveries, world }: DashboardScene,
): Details {
  const tally = world.tallies.get(id) ?? NO_TALLY;
  const own = deliveries.filter(({ destination_id }) => destination_id === id);
  const many = (state: string): string => String(own.filter((delivery) => delivery.state === state).length);
  return {
    title: 'Webhook destination',
    lines: [
      ['url', url],
      ['events', event_types.join(', ')],
      ['active', is_active ? 'yes' : 'no'],
      ['failing', failing_since === null ? 'no' : `since ${dayTime(failing_since)}`],
      ['waiting', many('waiting')],
      ['delivered', String(tally.delivered)],
      ['failed', `${tally.failed} attempts`],
      ['lost', String(tally.lost)],
      ['took', tally.tookMs.length === 0 ? '-' : `p95 ${Math.round(quantile(tally.tookMs, 0.95) ?? 0)} ms`],
      ['id', id],
      ['attempts', `${CLI} logs deliveries shows each with its answer`],
    ],
  };
}
