/** Movement of people and vehicles. [scenario-language, Movement] */
import { Type } from 'typebox';
import { Duration, name, nullable } from '../shapes.ts';
import { required } from './combinations.ts';
import { DEFAULT_WORDS as WORDS } from './example-words.ts';
import { holds, plain } from './field-kinds.ts';
import { type ActionRow, DestinationField, rowOf, Who, ZoneField } from './row.ts';

const row = rowOf('movement');

/** Metres per second, on foot or in a vehicle. */
const Pace = Type.Number({
  exclusiveMinimum: 0,
  maximum: 50,
  description: 'The speed in metres per second. Default: the worker’s own walking speed.',
});

/** Metres as a number, or a text such as `40m`. */
const Distance = Type.Union(
  [
    Type.Number({ minimum: 0, maximum: 10_000 }),
    Type.String({ pattern: '^\\d{1,6}(\\.\\d{1,3})?(m|km)$', 'x-rule': 'must be a distance like 12m or 0.5km' }),
  ],
  { description: 'The distance in metres, or with a unit, such as 12m.' },
);

export const MOVEMENT_ACTIONS = {
  move: row({
    title: 'Move a worker',
    help: 'The worker begins to walk or drive to a zone, a point or a colleague, around buildings. The action does not wait for the arrival. An autonomous worker who is trapped, injured or on the ground cannot move: the action is refused until `free`, or until the alert is resolved. For a scripted worker it is not refused: it also frees the worker, and the alert stays open.',
    example: { who: WORDS.worker, to: WORDS.workArea },
    gives: ['worker_id', 'device_id', 'buffered?'],
    fields: {
      who: Who,
      to: DestinationField,
      via: Type.Optional(
        holds(
          'destination',
          Type.Union([DestinationField, Type.Array(DestinationField, { minItems: 1 })], {
            description: 'Places to pass on the way.',
          }),
        ),
      ),
      pace: plain(Type.Optional(Pace)),
      in_vehicle: plain(Type.Optional(Type.Boolean())),
    },
  }),
  enter: row({
    title: 'Enter a zone',
    help: 'Puts the worker inside the zone at once, far enough from the border that the position fix is certainly inside. The action is refused for a worker who cannot move, as in `move`.',
    example: { who: WORDS.worker, zone: WORDS.restricted },
    gives: ['worker_id', 'device_id', 'alert_id?', 'buffered?'],
    binds: 'alert',
    fields: { who: Who, zone: ZoneField },
  }),
  leave: row({
    title: 'Leave a zone',
    help: 'Puts the worker outside the zone at once, far enough from the border that the position fix is certainly outside. The action is refused for a worker who cannot move, as in `move`.',
    example: { who: WORDS.worker, zone: WORDS.restricted },
    gives: ['worker_id', 'device_id', 'buffered?'],
    fields: { who: Who, zone: ZoneField },
  }),
  position: row({
    title: 'Report an exact position',
    help: 'The watch reports exactly this position fix at once, and the worker stays there until the next move. A worker who is trapped, injured or on the ground remains so.',
    example: { who: WORDS.worker, at: [120, 80], uncertainty_m: 4 },
    misfit: ({ height_m, building, floor }) =>
      height_m === undefined && (building !== undefined || floor !== undefined)
        ? required('A building or a floor needs height_m.', 'height_m')
        : null,
    alone: 'who',
    gives: ['worker_id', 'device_id', 'buffered?'],
    fields: {
      who: Who,
      at: Type.Optional(DestinationField),
      source: plain(Type.Optional(Type.Enum(['gps', 'network'], { type: 'string', default: 'gps' }))),
      uncertainty_m: plain(
        Type.Optional(
          nullable(Type.Number({ minimum: 0, maximum: 100_000 }), 'The uncertainty in metres; null: unknown.'),
        ),
      ),
      height_m: plain(Type.Optional(Type.Number({ minimum: -1_000, maximum: 10_000 }))),
      building: plain(Type.Optional(nullable(name(200)))),
      floor: plain(Type.Optional(nullable(name(200)))),
      in_vehicle: plain(Type.Optional(Type.Boolean())),
    },
  }),
  vehicle: row({
    title: 'Bring a vehicle near a worker',
    help: 'A vehicle comes near the worker, and the watch shows a warning. Open SOS and fall alerts of the worker list the warning.',
    example: { near: WORDS.worker, type: 'forklift', distance: '6m' },
    gives: ['worker_id', 'device_id'],
    fields: {
      near: Who,
      type: plain(Type.Optional(nullable(name(100)))),
      distance: plain(Type.Optional(Distance)),
      acknowledged_after: plain(Type.Optional(Duration)),
    },
  }),
} as const satisfies Record<string, ActionRow>;
