/** The schema of the people and vehicles of the scenario language: `workers`, `crowd`, `vehicles`. */
import { type Static, Type } from 'typebox';
import { DurationText, explained, FARTHEST_M, Name, noun, optional, Percent, PointXY } from './section-words.ts';

/** The smallest crew: two spare watches and one emulated worker. [cli, up] */
export const FEWEST_IN_CREW = 3;

const METRES_PATTERN = '^\\d+(?:\\.\\d+)? ?(?:m|km)$';
const PACE_PATTERN = '^\\d+(?:\\.\\d+)?\\.\\.\\d+(?:\\.\\d+)?$';

const Pace = Type.Union(
  [
    Type.Number({ exclusiveMinimum: 0, maximum: 10 }),
    Type.String({
      pattern: PACE_PATTERN,
      ...noun('a pace', 'Write 1.3, or 1.2..1.6 for a draw, in metres per second.'),
    }),
  ],
  noun('a pace', 'Write 1.3, or 1.2..1.6 for a draw, in metres per second.'),
);

/** The last word is the former name of `scripted`. */
const Behave = Type.Enum(['auto', 'scripted', 'puppet'], { type: 'string', ...noun('a way to behave') });

/** One entry of `workers`. */
export const WorkerSection = explained(
  Type.Object(
    {
      name: optional(Name),
      external_id: optional(
        Type.String({ pattern: '^\\S(?:[^\\p{Cc}]*\\S)?$', maxLength: 64, ...noun('a staff number', 'Write a text.') }),
      ),
      role: optional(Type.Union([Name, Type.Null()])),
      contractor: optional(Type.Union([Name, Type.Null()])),
      site: optional(Name),
      in: optional(Name),
      at: optional(PointXY),
      near: optional(Name),
      distance: optional(
        Type.Union(
          [
            Type.Number({ minimum: 0, maximum: FARTHEST_M }),
            Type.String({ pattern: METRES_PATTERN, ...noun('a distance', 'Write 40m.') }),
          ],
          noun('a distance', 'Write 40m.'),
        ),
      ),
      floor: optional(Name),
      permit: optional(Name),
      worn: optional(Type.Enum(['on', 'off', 'unknown'], { type: 'string', ...noun('a state of the watch') })),
      battery: optional(Percent),
      pace: optional(Pace),
      behave: optional(Behave),
    },
    {
      additionalProperties: false,
      'x-bare': true,
      ...noun('a worker', 'Write {in: Hall}.', {
        string: '$key: {in: $value}',
        array: '$key: {at: $value}',
        number: '$key: {battery: $value}',
      }),
    },
  ),
  {
    name: 'The full name. Default: a name that the seed selects.',
    external_id: 'The code of the worker in the company, such as W-014.',
    role: 'The role, such as Welder.',
    contractor: 'The contractor that employs the worker; null: none.',
    site: 'The site, if the file has several sites.',
    in: 'The zone in which the worker is at the start.',
    at: 'The point at which the worker is at the start.',
    near: 'The short name of another worker, next to whom this worker is at the start.',
    distance: 'The distance from the worker of "near", in metres or such as 12m.',
    floor: 'The floor of the building in which the worker is.',
    permit: 'The reference of a work permit for the zone of "in".',
    worn: 'Whether the watch is worn at the start. Default: on.',
    battery: 'The charge of the watch at the start, in percent.',
    pace: 'The walking speed in metres per second.',
    behave:
      'auto: the worker acts without steps. scripted: only steps move the worker; `puppet` is its former name. Default: scripted in a scenario, auto in a site file.',
  },
);
export type WorkerSection = Static<typeof WorkerSection>;

/** One entry of `crowd`. */
export const CrowdSection = explained(
  Type.Object(
    {
      count: Type.Integer({ minimum: 1, maximum: 10_000 }),
      site: optional(Name),
      in: optional(Name),
      contractor: optional(Type.Union([Name, Type.Null()])),
      pace: optional(Pace),
      behave: optional(Behave),
    },
    {
      additionalProperties: false,
      'x-alone': 'count',
      ...noun('a crowd', 'Write 12, or {count: 12, in: Hall}.', {
        string: '$key: {count: 12, in: $value}',
        null: '$key: 12',
      }),
    },
  ),
  {
    count: 'The number of workers.',
    site: 'The site, if the file has several sites.',
    in: 'The zone in which they are at the start.',
    contractor: 'The contractor that employs them; null: none.',
    pace: 'Their walking speed in metres per second.',
    behave: 'auto: they act without steps. scripted: only steps move them; `puppet` is its former name.',
  },
);
export type CrowdSection = Static<typeof CrowdSection>;

/** One entry of `vehicles`. */
export const VehicleSection = explained(
  Type.Object(
    {
      type: optional(Name),
      driver: optional(Name),
      at: optional(PointXY),
      in: optional(Name),
      pace: optional(Type.Number({ exclusiveMinimum: 0, maximum: 50 })),
    },
    {
      additionalProperties: false,
      ...noun('a vehicle', 'Write {type: forklift}.', {
        string: '$key: {type: $value}',
        array: '$key: {at: $value}',
        null: '$key: {type: $key}',
      }),
    },
  ),
  {
    type: 'The type, such as forklift.',
    driver: 'The short name of the worker who drives it.',
    at: 'The point at which it is at the start.',
    in: 'The zone in which it is at the start.',
    pace: 'Its speed in metres per second.',
  },
);
export type VehicleSection = Static<typeof VehicleSection>;

/** `workers:`, by short name. */
export const WorkersSection = Type.Record(
  Type.String(),
  WorkerSection,
  noun('a map of workers', 'Write [ana, ben], or ana: {in: Hall} for each.', { string: '$key: [$value]' }),
);
/** `crowd:`, by short name. */
export const CrowdsSection = Type.Record(
  Type.String(),
  CrowdSection,
  noun('a map of crowds', 'Write crew: 12, or crew: {count: 12, in: Hall}.', {
    number: '$key: {crew: $value}',
    string: '$key: {$value: 12}',
  }),
);
/** `vehicles:`, by short name. */
export const VehiclesSection = Type.Record(
  Type.String(),
  VehicleSection,
  noun('a map of vehicles', 'Write lift: {type: forklift}.', { string: '$key: {$value: {type: forklift}}' }),
);

/** `crew:` of a plant that `sandbox up` populates: generated people instead of named ones. */
export const CrewSection = explained(
  Type.Object(
    {
      count: Type.Integer({ minimum: FEWEST_IN_CREW, maximum: 10_000 }),
      contractors: optional(Type.Array(Name, { maxItems: 100, ...noun('a list of contractors') })),
      roles: optional(Type.Array(Name, { minItems: 1, maxItems: 100, ...noun('a list of roles') })),
      permits: optional(
        Type.Record(
          Type.String(),
          Type.Object(
            {
              zone: Name,
              holders: Type.Integer({ minimum: 1, maximum: 10_000 }),
              inside: optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
              for: optional(DurationText),
            },
            {
              additionalProperties: false,
              ...noun('a permit', 'Write {zone: Tank farm, holders: 2}.', {
                string: '$key: {zone: $value, holders: 1}',
              }),
            },
          ),
          noun('a map of permits', 'Write WP-1: {zone: Tank farm, holders: 2}.'),
        ),
      ),
      vehicles: optional(
        Type.Record(
          Type.String(),
          Type.Object(
            { type: Name, role: Name },
            {
              additionalProperties: false,
              ...noun('a vehicle', 'Write {type: forklift, role: Forklift driver}.', {
                string: '$key: {type: $value, role: Forklift driver}',
              }),
            },
          ),
          noun('a map of vehicles', 'Write Forklift 1: {type: forklift, role: Forklift driver}.'),
        ),
      ),
    },
    { additionalProperties: false, ...noun('a crew', 'Write {count: 20}.', { number: '$key: {count: $value}' }) },
  ),
  {
    count: 'The number of workers.',
    contractors: 'The contractors to which the seed assigns a part of the workers.',
    roles: 'The roles that the seed assigns to the workers.',
    permits: 'Work permits by their reference.',
    vehicles: 'Vehicles by their name.',
  },
);
export type CrewSection = Static<typeof CrewSection>;
