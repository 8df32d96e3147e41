/** The schema of a plant in the scenario language: its site, contract and thresholds, and a whole site file. */
import { type Static, Type } from 'typebox';
import {
  ElevationSource,
  MUSTER_KINDS,
  MusterKind,
  PrivacyMode,
  Scope,
  Severity,
  ZoneType,
} from '../contract/enumerations.ts';
import { CrewSection, CrowdsSection, VehiclesSection, WorkersSection } from './people-schema.ts';
import {
  DurationText,
  explained,
  metres,
  Name,
  noun,
  numbers,
  optional,
  PointXY,
  SMALL_SITE,
} from './section-words.ts';
import { ServiceSection } from './thresholds.ts';

/** Enough for a surveyed outline. The check for crossing edges takes quadratic time. */
const MOST_CORNERS = 1000;

const Box = numbers<readonly [number, number, number, number]>(
  4,
  metres('Metres from the origin.'),
  'a box',
  'Write [x1, y1, x2, y2], metres east and north of the origin.',
);

const Corners = Type.Array(PointXY, {
  minItems: 3,
  maxItems: MOST_CORNERS,
  ...noun('a polygon', `Write [[x, y], [x, y], [x, y]...], 3 to ${MOST_CORNERS} corners.`),
});

const LonLat = Type.Array(Type.Number(), {
  minItems: 2,
  maxItems: 3,
  ...noun('a GeoJSON position', 'Write [longitude, latitude].'),
});

/** A GeoJSON polygon in degrees with exactly one ring. */
export const GeoJsonPolygon = Type.Object(
  {
    type: Type.Literal('Polygon', noun('a GeoJSON type of a zone', 'Write Polygon.')),
    coordinates: Type.Array(Type.Array(LonLat, { minItems: 4, maxItems: MOST_CORNERS + 1, ...noun('a ring') }), {
      minItems: 1,
      maxItems: 1,
      ...noun('a polygon without holes', 'Write one ring: [[[longitude, latitude], ...]].'),
    }),
  },
  // RFC 7946 allows further members everywhere, such as `bbox`.
  { additionalProperties: true, ...noun('a GeoJSON polygon') },
);

/** A polygon, or what contains one. `polygonOf` finds it. */
const GeoJson = Type.Object(
  {
    type: Type.Enum(['Polygon', 'MultiPolygon', 'Feature', 'FeatureCollection'], {
      type: 'string',
      ...noun('a GeoJSON type of a zone'),
    }),
  },
  { additionalProperties: true, ...noun('a GeoJSON polygon') },
);

export type GeoJsonPolygon = Static<typeof GeoJsonPolygon>;

const Door = numbers<readonly [number, number, number]>(
  3,
  metres('Metres from the origin, and the width.'),
  'a door',
  'Write [x, y, width], all in metres.',
);

const Stair = numbers<readonly [number, number, number]>(
  3,
  metres('Metres from the origin, and the width.'),
  'a stair',
  'Write [x, y, width], all in metres, inside the building.',
);

const Floor = Type.Object(
  {
    name: Name,
    height_m: Type.Number({ minimum: -100, maximum: 1000, description: 'Metres above ground.' }),
    refuge: optional(Type.Boolean()),
  },
  {
    additionalProperties: false,
    ...noun('a floor', 'Write {name: Ground floor, height_m: 0}.', { string: '{name: $value, height_m: 0}' }),
  },
);

/** One entry of `zones`. */
export const ZoneSection = explained(
  Type.Object(
    {
      type: ZoneType,
      box: optional(Box),
      polygon: optional(Corners),
      geojson: optional(
        Type.Union([Type.String(), GeoJson], noun('a GeoJSON polygon', 'Write it here, or the name of its file.')),
      ),
      serves: optional(
        Type.Array(MusterKind, {
          minItems: 1,
          ...noun('a list of kinds', `Write [${MUSTER_KINDS.join(', ')}] or some of them.`),
        }),
      ),
      capacity: optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
      elevation_m: optional(Type.Number({ minimum: -500, maximum: 9000 })),
      elevation_source: optional(ElevationSource),
      vertical: optional(Type.Boolean()),
      min_height_m: optional(Type.Number({ minimum: 0, maximum: 1000 })),
      floors: optional(Type.Array(Floor, { maxItems: 200 })),
      doors: optional(
        Type.Array(Door, { maxItems: 200, ...noun('a list of doors', 'Write [[x, y, width]], all in metres.') }),
      ),
      stairs: optional(
        Type.Array(Stair, { maxItems: 200, ...noun('a list of stairs', 'Write [[x, y, width]], all in metres.') }),
      ),
    },
    {
      additionalProperties: false,
      ...noun('a zone', undefined, {
        array: '$key: {type: work_area, box: $value}',
        string: '$key: {type: work_area, box: [0, 0, 80, 60]}',
        number: '$key: {type: work_area, box: [0, 0, 80, 60]}',
        null: '$key: {type: work_area, box: [0, 0, 80, 60]}',
      }),
    },
  ),
  {
    type: 'The type of the zone.',
    box: 'The rectangle [x1, y1, x2, y2], in metres east and north of the origin.',
    polygon: 'The corners [[x, y], ...], in metres.',
    geojson:
      'A GeoJSON polygon in degrees (WGS 84), or the name of its file. A feature, a collection of one feature and a multipolygon of one polygon are allowed too.',
    serves: 'The kinds of muster that an assembly point serves.',
    capacity: 'The number of people that an assembly point can hold.',
    elevation_m: 'The elevation of an assembly point, in metres.',
    vertical: 'true: the assembly point is a shelter in a building, in which only the upper floors are safe.',
    min_height_m: 'The minimum height above ground at which a vertical assembly point is safe, in metres.',
    floors: 'The floors of a building.',
    doors: 'The doors of a building: [[x, y, width], ...].',
    stairs: 'The stairs of a building: [[x, y, width], ...].',
  },
);
export type ZoneSection = Static<typeof ZoneSection>;

/** `site:` (and each entry of `sites:`). */
export const SiteSection = explained(
  Type.Object(
    {
      name: Name,
      location: optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()])),
      privacy_mode: optional(PrivacyMode),
      unveil_min_severity: optional(Severity),
      origin: numbers<readonly [number, number]>(
        2,
        Type.Number(),
        'an origin',
        'Write [latitude, longitude] in degrees.',
      ),
      boundary: optional(
        Type.Union([Box, Corners], noun('a boundary', 'Write [[x, y], [x, y], [x, y]...] or [x1, y1, x2, y2].')),
      ),
      plan: optional(
        Type.Object(
          { general: optional(DurationText), tsunami: optional(DurationText), earthquake: optional(DurationText) },
          {
            additionalProperties: false,
            ...noun('a plan', 'Write {general: 15m}.', { string: '$key: {general: $value}' }),
          },
        ),
      ),
      zones: Type.Record(
        Type.String(),
        ZoneSection,
        noun('a map of zones', 'Write a name, a colon and a zone for each.', {
          string: '$key: {$value: {type: work_area, box: [0, 0, 80, 60]}}',
          array: '$key: {Hall: {type: work_area, box: [0, 0, 80, 60]}}',
        }),
      ),
      water: optional(
        Type.Array(Corners, { maxItems: 100, ...noun('a list of waters', 'Write [[[x, y], [x, y], [x, y]]].') }),
      ),
    },
    {
      additionalProperties: false,
      ...noun('a site', undefined, {
        string: `$key: ${SMALL_SITE.replace('Small plant', '$value')}`,
        array: `$key: ${SMALL_SITE}`,
        null: `$key: ${SMALL_SITE}`,
      }),
    },
  ),
  {
    name: 'The name of the site.',
    location: 'The place of the site, as a text.',
    origin: 'The [latitude, longitude] of the point [0, 0], in degrees.',
    boundary: 'The border of the site. Default: the convex hull of all zones with a margin of 200 m.',
    plan: 'The time allowed for an evacuation, by kind of muster. The deadline of a muster is calculated from it.',
    zones: 'The zones by name.',
    water: 'Areas of water. Workers do not cross them.',
  },
);
export type SiteSection = Static<typeof SiteSection>;

/** An entry of `sites:`, whose key is the name of the site unless it has one. */
export const NamedSiteSection = {
  ...SiteSection,
  required: SiteSection.required.filter((key) => key !== 'name'),
  properties: {
    ...SiteSection.properties,
    name: { ...SiteSection.properties.name, description: 'The name of the site. Default: the key.' },
  },
};

/** `contract:`. */
export const ContractSection = explained(
  Type.Object(
    {
      include_worker_names: optional(Type.Boolean()),
      scopes: optional(
        Type.Union(
          [Type.Literal('all', noun('a list of scopes', 'Write all, or a list.')), Type.Array(Scope, { minItems: 1 })],
          noun('a list of scopes', 'Write all, or a list.'),
        ),
      ),
      contractors: optional(
        Type.Union([Type.Array(Name, { minItems: 1 }), Type.Null()], noun('a list of contractors')),
      ),
      technical_contact: optional(
        Type.String({
          pattern: '^[^\\s@<>,;]+@[^\\s@<>,;]+$',
          maxLength: 254,
          ...noun('an e-mail address', 'Write name@example.com.'),
        }),
      ),
    },
    {
      additionalProperties: false,
      ...noun('a contract', 'Write {scopes: all}.', {
        string: '$key: {scopes: $value}',
        array: '$key: {scopes: $value}',
      }),
    },
  ),
  {
    include_worker_names: 'Whether the client sees names of workers. Default: true.',
    scopes: 'The scopes of the client. Default: all.',
    contractors: 'The contractors that the client may see; null: all.',
    technical_contact: 'The e-mail address that receives the notifications about lost deliveries.',
  },
);
export type ContractSection = Static<typeof ContractSection>;

/** A whole file for `sandbox up --site`: a part that has a plant. [scenario-language] */
export const SiteFileSchema = Type.Object(
  {
    part: Name,
    site: SiteSection,
    contract: optional(ContractSection),
    service: optional(ServiceSection),
    workers: optional(WorkersSection),
    crowd: optional(CrowdsSection),
    vehicles: optional(VehiclesSection),
    crew: optional(CrewSection),
  },
  { additionalProperties: false, ...noun('a site file') },
);
