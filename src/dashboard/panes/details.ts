/** All details of the chosen row (person, alert, assembly point, destination or delivery) as label and text, and its keys. */

import { CLI } from '../../base/text/command-form.ts';
import {
  DELIVERY_TERMS,
  HELP_REASON_WORDS,
  PERSON_TERMS,
  SEVERITY_TERMS,
} from '../../contract/resources/vocabulary.ts';
import type { Alert, AssemblyPoint, WebhookDestination } from '../../contract/resources.ts';
import type { StreamTruth } from '../../contract/stream.ts';
import { eventText } from '../../watching/state/events.ts';
import { whatText, whereNow } from '../../watching/state/happened.ts';
import type { NotSafeRow } from '../../watching/state/not-safe.ts';
import type { PersonRow } from '../../watching/state/people.ts';
import type { DatedDelivery } from '../../watching/state/state.ts';
import { NO_TALLY, quantile } from '../../watching/state/tallies.ts';
import { dayTime, plainWords, spanText } from '../../watching/state/words.ts';
import { KEYS, type KeyEffect, shownKeys } from '../keys.ts';
import { cellsOf, charactersOf, clean } from '../terminal/cells.ts';
import type { Area } from '../terminal/layout.ts';
import { cell, row, span, type TextLine } from '../terminal/lines.ts';
import type { Theme } from '../terminal/theme.ts';
import { chosenOf, type DashboardScene, type DashboardView } from '../view.ts';
import { offBy } from './truth.ts';

export interface Details {
  readonly title: string;
  readonly lines: readonly (readonly [label: string, text: string])[];
  /** What can be done with it. */
  readonly keys: readonly KeyEffect[];
}

/** Width of the labels, including the blanks around them. */
const LABEL = 12;

/** Words for keys that have none in the hint line. */
const SHORT: { readonly [E in KeyEffect]?: string } = { open: 'page', copy: 'copy id' };

/** The details in at most `height` rows; the last one has the keys. */
export function detailLines({ lines, keys }: Details, { width, height }: Area, theme: Theme): TextLine[] {
  const room = Math.max(1, width - LABEL - 1);
  const url = theme.isAscii ? undefined : lines.find(([label]) => label === 'panel')?.[1];
  const rows = lines.flatMap(([label, text], place) =>
    wrapped(clean(text), room).map((piece, n): TextLine => {
      const link = url?.includes(piece) === true ? { url } : {};
      const shown = { ...cell(piece, room, place === 0 && n === 0 ? 'bold' : 'plain', theme.glyphs.dots), ...link };
      return [cell(` ${n === 0 ? label : ''}`, LABEL, 'dim', theme.glyphs.dots), shown];
    }),
  );
  const keyLine = keys.flatMap((effect, place): TextLine => {
    const row = KEYS.find((one) => one.effect === effect);
    if (row === undefined) return [];
    return [
      span(`${place === 0 ? ' ' : '  '}${shownKeys(row)} `, 'key'),
      span(SHORT[effect] ?? row.hint ?? row.help, 'dim'),
    ];
  });
  if (keyLine.length === 0) return rows.slice(0, height);
  return [...rows.slice(0, Math.max(0, height - 1)), row(width, keyLine)];
}

/** Splits a text into pieces of at most `width` cells, between words where that leaves more than half of a piece. */
function wrapped(text: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const character of charactersOf(text)) {
    if (cellsOf(piece + character) > width) {
      const end = character === ' ' ? piece.length : piece.lastIndexOf(' ') + 1;
      const [whole, rest] = end > width / 2 ? [piece.slice(0, end), piece.slice(end)] : [piece, ''];
      pieces.push(whole.trimEnd());
      piece = rest;
      if (character === ' ') continue;
    }
    piece += character;
  }
  return [...pieces, piece];
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
      return chosen(scene.alerts, (alert) => ofAlert(alert, scene));
    case 'points':
      return chosen(scene.points, (point) => ofPoint(point, scene));
    case 'webhooks':
      return (
        chosen(scene.destinations, (destination) => ofDestination(destination, scene)) ??
        chosen(scene.deliveries, (delivery) => ofDelivery(delivery, scene))
      );
  }
}

/** The state at the end of the muster, followed by the present state of the person, if known. */
function ofNotSafe(row: NotSafeRow, now: Details | null): Details {
  const { workerId, worker, word } = row;
  return {
    title: worker?.external_id ?? workerId,
    lines: [
      ['then', `not safe when the muster ended: ${word}`],
      ['last place', row.placeWords],
      ...(now?.lines ?? [['name', worker?.name ?? 'not known any more']]),
    ],
    keys: ['copy'],
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
      [
        'status',
        `${status === 'person' ? 'no muster' : PERSON_TERMS[status].word}${rescue ? `, ${PERSON_TERMS.rescue.spoken}` : ''}`,
      ],
      ...(person.muster?.help_reason == null ? [] : [['help', HELP_REASON_WORDS[person.muster.help_reason]] as const]),
      ...(point === undefined ? [] : [['said', `at ${point.name}`] as const]),
      [
        'alert',
        alert === null ? 'none is open' : `${SEVERITY_TERMS[alert.severity].word}: ${whatText(alert)}, ${alert.status}`,
      ],
      ['place', row.placeWords],
      ...(truth === undefined ? [] : [['TRUTH', truthOf(row, truth)] as const]),
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
      ['position', place],
      ...(height == null
        ? []
        : [
            [
              'height',
              `${height.height_m} m${height.building === null ? '' : `, ${height.building} ${height.floor ?? ''}`}`,
            ] as const,
          ]),
      ['role', [worker.role, worker.contractor].filter((word) => word !== null).join(', ') || '-'],
    ],
    keys: [
      ...(person.muster === null || status === 'safe' ? [] : (['safe'] as const)),
      ...(alert === null ? [] : alertKeys(alert)),
      'copy',
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

const alertKeys = ({ status }: Alert): readonly KeyEffect[] =>
  status === 'unacknowledged' ? ['acknowledge', 'resolve', 'open'] : ['resolve', 'open'];

function ofAlert(alert: Alert, { world }: DashboardScene): Details {
  const by = (done: { at: string; by: string } | null): string =>
    done === null ? 'no' : `${dayTime(done.at)} by ${done.by}`;
  return {
    title: whatText(alert),
    lines: [
      ['title', alert.title],
      ['severity', SEVERITY_TERMS[alert.severity].word],
      ['status', alert.status],
      ['raised', [dayTime(alert.date_created), ...(alert.zone === null ? [] : [alert.zone.name])].join(' in ')],
      ['worker', alert.worker === null ? 'the whole site' : (alert.worker.external_id ?? alert.worker.id)],
      ...(alert.worker === null ? [] : [['place', whereNow(world, alert) || '-'] as const]),
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
    keys: [...alertKeys(alert), 'copy'],
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
    keys: [excluded === null ? 'exclude' : 'reinstate', 'copy'],
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
    keys: ['copy'],
  };
}

function ofDelivery(delivery: DatedDelivery, { world, destinations }: DashboardScene): Details {
  const { id, event_id, event_type, destination_id, state, tries, last_status, last_error, took_ms } = delivery;
  const { next_attempt_at, ended_at } = delivery;
  return {
    title: 'Delivery',
    lines: [
      ['event', [event_type, ...world.events.filter(({ id: one }) => one === event_id).map(eventText)].join(': ')],
      ['to', destinations.find((one) => one.id === destination_id)?.url ?? destination_id],
      ['state', DELIVERY_TERMS[state].word],
      ['attempts', String(tries)],
      ['answer', last_status === null ? (last_error ?? '-') : String(last_status)],
      ['took', took_ms === null ? '-' : `${Math.round(took_ms)} ms`],
      ...(next_attempt_at === null ? [] : [['next', dayTime(next_attempt_at)] as const]),
      ...(ended_at === null ? [] : [['ended', dayTime(ended_at)] as const]),
      ['event id', event_id],
      ['id', id],
    ],
    keys: ['resend', 'copy'],
  };
}
