/** Actions at the plant: permits, heat, wind, hazards. [scenario-language, Plant] */
import { Type } from 'typebox';
import type { JsonMap } from '../schema.ts';
import { name, nullable, PastDuration } from '../shapes.ts';
import { type Misfit, required } from './combinations.ts';
import { DEFAULT_WORDS as WORDS } from './example-words.ts';
import { plain } from './field-kinds.ts';
import { type ActionRow, MomentField, rowOf, SiteReference, siteFrom, Who, ZoneField } from './row.ts';

const row = rowOf('plant');

/** Degrees C; hotter air and a higher index do not occur in reality [decisions 5 `heat_stress`]. */
const AirTemperature = Type.Number({ minimum: -50, maximum: 60 });
const HeatIndex = Type.Number({ minimum: -50, maximum: 80 });

function misfitOfHeat({ index_c, temperature_c, humidity_pct, sun }: JsonMap): Misfit | null {
  if ((temperature_c === undefined) !== (humidity_pct === undefined))
    return required(
      'Temperature and humidity make the heat index together.',
      temperature_c === undefined ? 'temperature_c' : 'humidity_pct',
    );
  if (index_c !== undefined && temperature_c !== undefined)
    return {
      message: 'Write the heat index, or temperature and humidity, not both.',
      errors: [{ pointer: '/index_c', detail: 'must not be combined with temperature_c' }],
    };
  const isEmpty = index_c === undefined && temperature_c === undefined && sun === undefined;
  return isEmpty ? required('heat needs index_c, temperature_c and humidity_pct, or sun.', 'index_c') : null;
}

export const PLANT_ACTIONS = {
  permit: row({
    title: 'Open, expire or close a work permit',
    help: 'Opens, expires or closes a work permit, which allows the worker to enter the zone. If it ends while the worker is inside, an alert is raised. Without coverage, the last known position counts.',
    example: { who: WORDS.worker, zone: WORDS.restricted, is: 'open', reference: 'WP-118', until: '2h' },
    gives: ['worker_id', 'device_id', 'permit_id', 'alert_id?'],
    binds: 'permit',
    fields: {
      who: Who,
      zone: ZoneField,
      is: plain(Type.Enum(['open', 'expired', 'closed'], { type: 'string' })),
      reference: plain(Type.Optional(name(100))),
      until: Type.Optional(MomentField),
    },
  }),
  heat: row({
    title: 'Set the heat',
    help: 'Sets the heat index and the minutes of sun of one worker, or of all workers outdoors. Set either the index, or temperature and humidity (the dew point must be at most 35 degrees C). Outdoors is every zone but a building. While an alert of heat of the worker is open, no other is raised.',
    example: { site: WORDS.site, index_c: 42 },
    misfit: misfitOfHeat,
    gives: ['site_id?', 'worker_id?', 'device_id?', 'alert_id?'],
    binds: 'alert',
    fields: {
      who: Type.Optional(Who),
      site: siteFrom(SiteReference, 'who'),
      index_c: plain(Type.Optional(nullable(HeatIndex, 'The heat index in degrees C; null: not measured.'))),
      temperature_c: plain(Type.Optional(AirTemperature)),
      humidity_pct: plain(Type.Optional(Type.Number({ minimum: 0, maximum: 100 }))),
      sun: plain(Type.Optional(PastDuration)),
    },
  }),
  wind: row({
    title: 'Set the wind',
    help: 'Sets the direction that the wind comes from, and its speed. The system recommends to exclude assembly points downwind of the origin of a muster.',
    example: { site: WORDS.site, from_deg: 225, speed: 6 },
    gives: ['site_id'],
    fields: {
      site: siteFrom(SiteReference),
      from_deg: plain(
        Type.Number({
          minimum: 0,
          maximum: 360,
          description: 'The direction that the wind comes from, in degrees clockwise from north.',
        }),
      ),
      speed: plain(
        Type.Optional(Type.Number({ minimum: 0, maximum: 120, description: 'The speed in metres per second.' })),
      ),
    },
  }),
  hazard: row({
    title: 'Report an earthquake or a tsunami',
    help: 'Reports an official bulletin that a person confirmed, or the service’s own estimate. It raises the alert of the site.',
    example: { kind: 'earthquake', site: WORDS.site, magnitude: 7.1, distance_km: 80 },
    alone: 'kind',
    gives: ['site_id', 'alert_id?'],
    binds: 'alert',
    fields: {
      kind: plain(Type.Enum(['earthquake', 'tsunami_risk'], { type: 'string' })),
      site: siteFrom(SiteReference),
      magnitude: plain(Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 10 })))),
      distance_km: plain(Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 20_100 })))),
      official: plain(Type.Optional(Type.Boolean({ default: false }))),
      felt_at_site: plain(
        Type.Optional(
          Type.Boolean({
            description: 'Whether the event was felt at the site. Default: estimated from magnitude and distance.',
          }),
        ),
      ),
      eta: Type.Optional(MomentField),
    },
  }),
} as const satisfies Record<string, ActionRow>;
