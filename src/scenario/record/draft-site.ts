/** Writes a plant of a recorded session as a section of a scenario: metres, names, and settings other than the defaults. */

import { formatDuration } from '../../base/durations.ts';
import type { Point } from '../../base/geometry.ts';
import type { JsonMap } from '../../contract/schema.ts';
import type { PlannedService, PlannedZone } from '../../plant/plan.ts';
import type { TapedSite } from './tape.ts';

/** Decimal places of coordinates: millimetres, so that doors stay on their walls. */
const round = (metres: number): number => Math.round(metres * 1000) / 1000;

/** The section `site`, or an entry of `sites`. */
export function siteSection({ planned }: TapedSite): JsonMap {
  const { name, location, privacyMode, unveilMinSeverity, origin, boundary, plan, zones } = planned;
  const ceilings = Object.entries(plan).map(([kind, ms]) => [kind, formatDuration(ms as number)]);
  return {
    name,
    ...(location === null ? {} : { location }),
    privacy_mode: privacyMode,
    unveil_min_severity: unveilMinSeverity,
    origin: [origin.latitude, origin.longitude],
    ...(boundary === null ? {} : { boundary: corners(boundary) }),
    ...(ceilings.length === 0 ? {} : { plan: Object.fromEntries(ceilings) }),
    zones: Object.fromEntries(zones.map((zone) => [zone.name, zoneSection(zone)])),
  };
}

function zoneSection({ type, ring, assemblyPoint, floors, doors }: PlannedZone): JsonMap {
  return {
    type,
    ...outline(ring),
    ...(assemblyPoint === null ? {} : pointKeys(assemblyPoint)),
    ...(floors.length === 0
      ? {}
      : {
          floors: floors.map(({ name, heightM, refuge }) => ({
            ...{ name, height_m: round(heightM) },
            ...(refuge ? { refuge } : {}),
          })),
        }),
    ...(doors.length === 0
      ? {}
      : { doors: doors.map(({ at: [x, y], widthM }) => [round(x), round(y), round(widthM)]) }),
  };
}

function pointKeys(point: NonNullable<PlannedZone['assemblyPoint']>): JsonMap {
  const { serves, capacity, elevationM, elevationSource, vertical, minHeightM } = point;
  return {
    serves,
    ...(capacity === null ? {} : { capacity }),
    ...(elevationM === null ? {} : { elevation_m: elevationM }),
    ...(elevationSource === null ? {} : { elevation_source: elevationSource }),
    ...(vertical ? { vertical } : {}),
    ...(minHeightM === null ? {} : { min_height_m: minHeightM }),
  };
}

const corners = (ring: readonly Point[]): number[][] => ring.map(([x, y]) => [round(x), round(y)]);

/** Axis-aligned rectangles become a `box`. */
function outline(ring: readonly Point[]): JsonMap {
  const points = corners(ring);
  const [xs, ys] = [points.map(([x]) => x as number), points.map(([, y]) => y as number)];
  const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] as const;
  const isBox =
    points.length === 4 &&
    new Set(points.map(String)).size === 4 &&
    points.every(([x, y]) => (x === box[0] || x === box[2]) && (y === box[1] || y === box[3]));
  return isBox ? { box } : { polygon: points };
}

/** Thresholds that differ from the defaults. */
export function serviceSection(service: PlannedService): JsonMap {
  const { heat = {}, lowBatteryPct, lowBatteryClearPct } = service;
  const durations = {
    fall_prompt: service.fallPromptMs,
    no_signal_after: service.noSignalAfterMs,
    offline_after: service.offlineAfterMs,
    position_every: service.positionEveryMs,
    alarm_every: service.alarmEveryMs,
    missing_after: service.missingAfterMs,
  };
  const { indexC, sunIndexC, sunMs, windowMs, againAfterMs } = heat;
  const warm = {
    ...nonDefault({ index_c: indexC, sun_index_c: sunIndexC }),
    ...lasting({ sun: sunMs, window: windowMs, again_after: againAfterMs }),
  };
  return {
    ...lasting(durations),
    ...nonDefault({ low_battery_pct: lowBatteryPct, low_battery_clear_pct: lowBatteryClearPct }),
    ...(Object.keys(warm).length === 0 ? {} : { heat: warm }),
  };
}

const nonDefault = (values: Readonly<Record<string, number | undefined>>): JsonMap =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

const lasting = (values: Readonly<Record<string, number | undefined>>): JsonMap =>
  Object.fromEntries(Object.entries(nonDefault(values)).map(([key, ms]) => [key, formatDuration(ms as number)]));
