/** Details of an alert beyond the common fields: nine variants. */
import { type Static, type TSchema, Type } from 'typebox';
import { ALERT_TYPES, type AlertType, HelpReason, SosTrigger } from '../enumerations.ts';
import { BatteryPct, closed, nullable, Time, Uuid, whole, words } from '../shapes.ts';

/** [spec 2 AlertDetails] */
export const SosDetails = closed('SosDetails', 'The trigger of the SOS [spec 2].', { trigger: SosTrigger });
export type SosDetails = Static<typeof SosDetails>;

/** [spec 2 AlertDetails] */
export const FallDetails = closed('FallDetails', 'Whether the unanswered fall became an SOS [spec 2].', {
  escalated_to_sos: Type.Boolean({ description: 'True if the worker did not answer the are-you-ok prompt [spec 2].' }),
});
export type FallDetails = Static<typeof FallDetails>;

/** [spec 2 AlertDetails] */
export const ZoneDetails = closed('ZoneDetails', 'The kind of zone and the work permit in force, if any [spec 2].', {
  zone_type: words('GuardedZoneType', 'The two kinds of zone that raise alerts [spec 2].', ['restricted', 'forbidden']),
  permit_reference: nullable(
    Type.String(),
    'The reference of the work permit in force; null if there is none [spec 2].',
  ),
});
export type ZoneDetails = Static<typeof ZoneDetails>;

/** [spec 2 AlertDetails] */
export const HeatStressDetails = closed(
  'HeatStressDetails',
  'The worker must stop and rest. No value is derived from the pulse [spec 2].',
  {
    action: Type.Literal('stop_and_rest'),
    heat_index_c: nullable(Type.Number(), 'The plant’s heat index in °C [spec 2].'),
    sun_exposure_minutes: nullable(Type.Integer()),
  },
);
export type HeatStressDetails = Static<typeof HeatStressDetails>;

/** [spec 2 AlertDetails] */
export const EvacuationHelpDetails = closed(
  'EvacuationHelpDetails',
  'The reason why the worker cannot evacuate [spec 2].',
  {
    reason: nullable(HelpReason),
    muster_id: Uuid,
  },
);
export type EvacuationHelpDetails = Static<typeof EvacuationHelpDetails>;

/** [spec 2 AlertDetails] */
export const WorkerCallDetails = closed('WorkerCallDetails', 'Whether a voice note was recorded [spec 2].', {
  voice_note: Type.Boolean({
    description: 'Whether the watch recorded a voice note, because it had no coverage [spec 2].',
  }),
});
export type WorkerCallDetails = Static<typeof WorkerCallDetails>;

/** [spec 2 AlertDetails] */
export const DeviceOfflineDetails = closed(
  'DeviceOfflineDetails',
  'The time for which the watch has sent nothing [spec 2].',
  {
    minutes_silent: whole(0),
  },
);
export type DeviceOfflineDetails = Static<typeof DeviceOfflineDetails>;

/** [spec 2 AlertDetails] */
export const LowBatteryDetails = closed('LowBatteryDetails', 'The charge that was reported [spec 2].', {
  battery_pct: BatteryPct,
});
export type LowBatteryDetails = Static<typeof LowBatteryDetails>;

/** [spec 2 AlertDetails] */
export const HazardDetails = closed('HazardDetails', 'An earthquake or a tsunami risk for the whole site [spec 2].', {
  magnitude: nullable(Type.Number()),
  distance_km: nullable(Type.Number()),
  official: Type.Boolean({ description: 'Whether it is an official bulletin that a person confirmed [spec 2].' }),
  felt_at_site: Type.Boolean(),
  eta: nullable(Time, 'The time at which the wave is expected [spec 2].'),
});
export type HazardDetails = Static<typeof HazardDetails>;

/** The variant of each alert type [decisions 5]. */
export const DETAILS_BY_TYPE = {
  sos: SosDetails,
  fall_detected: FallDetails,
  restricted_zone_entry: ZoneDetails,
  forbidden_zone_entry: ZoneDetails,
  permit_expired_inside: ZoneDetails,
  permit_closed_inside: ZoneDetails,
  heat_stress: HeatStressDetails,
  evacuation_help: EvacuationHelpDetails,
  worker_call_request: WorkerCallDetails,
  device_offline: DeviceOfflineDetails,
  low_battery: LowBatteryDetails,
  earthquake: HazardDetails,
  tsunami_risk: HazardDetails,
} as const satisfies { [K in AlertType]: TSchema };

export type DetailsOf<K extends AlertType> = Static<(typeof DETAILS_BY_TYPE)[K]>;

/** The variants in the order of the table, each once. A type without a variant does not compile. */
const VARIANTS = [...new Set<(typeof DETAILS_BY_TYPE)[AlertType]>(Object.values(DETAILS_BY_TYPE))];

/** [spec 2 AlertDetails] */
export const AlertDetails = Type.Unsafe<DetailsOf<AlertType>>(
  Type.Union(VARIANTS, {
    title: 'AlertDetails',
    description: 'The details. The type of the alert determines the variant [spec 2, decisions 5].',
  }),
);
export type AlertDetails = DetailsOf<AlertType>;

/** Each variant with its alert types. */
export const typesByDetails = (): (readonly [details: (typeof VARIANTS)[number], types: AlertType[]])[] =>
  VARIANTS.map((variant) => [variant, ALERT_TYPES.filter((type) => DETAILS_BY_TYPE[type] === variant)]);

/** The rule "this type, this variant" in JSON Schema, with one condition for each variant. */
export function detailsByType(): TSchema[] {
  return typesByDetails().map(([variant, types]) => ({
    if: {
      required: ['type'],
      properties: { type: { enum: types } },
    },
    // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword, never awaited.
    then: { properties: { details: variant } },
  }));
}
