/** The thresholds of a site's service: key in files, unit, default and meaning. Schema, defaults, reading and drafts use this table. [decisions 5, 6] */
import { type TSchema, Type } from 'typebox';
import { formatDuration, parseDuration } from '../base/time/durations.ts';
import { isMap, type JsonMap } from '../contract/schema.ts';
import { DurationText, noun, optional, Percent } from './section-words.ts';

/** The thresholds of a heat alert. [decisions 5 `heat_stress`] */
export interface HeatThresholds {
  readonly indexC: number;
  readonly sunIndexC: number;
  readonly sunMs: number;
  readonly windowMs: number;
  readonly againAfterMs: number;
}

/** Durations in milliseconds, charges in percent. */
export interface Thresholds {
  readonly fallPromptMs: number;
  readonly noSignalAfterMs: number;
  readonly offlineAfterMs: number;
  readonly positionEveryMs: number;
  readonly alarmEveryMs: number;
  readonly lowBatteryPct: number;
  readonly lowBatteryClearPct: number;
  readonly missingAfterMs: number;
  readonly heat: HeatThresholds;
}

/** The thresholds that a file defines; an absent one has the service's default. */
export type PlannedService = Partial<Omit<Thresholds, 'heat'>> & { readonly heat?: Partial<HeatThresholds> };

/** How the values of a unit are written, checked and read. */
interface Unit {
  readonly schema: TSchema;
  readonly read: (value: unknown) => number | undefined;
  readonly write: (value: number) => unknown;
}

const asIs = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

const DURATION: Unit = {
  schema: DurationText,
  read: (value) => (typeof value === 'string' ? (parseDuration(value) ?? undefined) : undefined),
  write: (ms) => formatDuration(ms),
};
const PERCENT: Unit = { schema: Percent, read: asIs, write: (value) => value };
const CELSIUS: Unit = { schema: Type.Number({ minimum: -20, maximum: 80 }), read: asIs, write: (value) => value };

interface Threshold {
  /** The key in files. */
  readonly key: string;
  readonly unit: Unit;
  readonly standard: number;
  readonly help: string;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const OF_SERVICE: { readonly [K in Exclude<keyof Thresholds, 'heat'>]: Threshold } = {
  fallPromptMs: {
    key: 'fall_prompt',
    unit: DURATION,
    standard: 30 * SECOND,
    help: 'The time that the watch shows the prompt after a fall. A fall without an answer then becomes an SOS.',
  },
  noSignalAfterMs: {
    key: 'no_signal_after',
    unit: DURATION,
    standard: 90 * SECOND,
    help: 'The time without a message of the watch after which its worker counts as without signal in a muster.',
  },
  offlineAfterMs: {
    key: 'offline_after',
    unit: DURATION,
    standard: 10 * MINUTE,
    help: 'The time without a message of the watch after which a watch-offline alert is raised.',
  },
  positionEveryMs: {
    key: 'position_every',
    unit: DURATION,
    standard: 10 * SECOND,
    help: 'The interval at which a watch reports its position.',
  },
  alarmEveryMs: {
    key: 'alarm_every',
    unit: DURATION,
    standard: 5 * SECOND,
    help: 'The interval at which a watch reports its position during an SOS, a fall or a muster.',
  },
  lowBatteryPct: {
    key: 'low_battery_pct',
    unit: PERCENT,
    standard: 20,
    help: 'The charge in percent at or below which a low-battery alert is raised.',
  },
  lowBatteryClearPct: {
    key: 'low_battery_clear_pct',
    unit: PERCENT,
    standard: 25,
    help: 'The charge in percent above which a low-battery alert can be raised again.',
  },
  missingAfterMs: {
    key: 'missing_after',
    unit: DURATION,
    standard: 15 * MINUTE,
    help: 'In a muster without a deadline, a worker who is not safe after this time is reported as missing.',
  },
};

const OF_HEAT: { readonly [K in keyof HeatThresholds]: Threshold } = {
  indexC: {
    key: 'index_c',
    unit: CELSIUS,
    standard: 41,
    help: 'The heat index in degrees C at or above which an alert is raised at once.',
  },
  sunIndexC: {
    key: 'sun_index_c',
    unit: CELSIUS,
    standard: 32,
    help: 'The heat index in degrees C at or above which an alert is raised after the time "sun" within the last "window".',
  },
  sunMs: {
    key: 'sun',
    unit: DURATION,
    standard: 60 * MINUTE,
    help: 'The time in the sun after which an alert is raised.',
  },
  windowMs: {
    key: 'window',
    unit: DURATION,
    standard: 90 * MINUTE,
    help: 'The period over which the time in the sun is summed.',
  },
  againAfterMs: {
    key: 'again_after',
    unit: DURATION,
    standard: 60 * MINUTE,
    help: 'The minimum time between two alerts for the same worker.',
  },
};

type Rows<K extends string> = Readonly<Record<K, Threshold>>;

/** The rows in the order of the table. */
const rowsOf = <K extends string>(table: Rows<K>): [K, Threshold][] => Object.entries(table) as [K, Threshold][];

const valuesOf = <K extends string>(
  table: Rows<K>,
  numberOf: (row: Threshold) => number | undefined,
): { readonly [N in K]?: number } =>
  Object.fromEntries(
    rowsOf(table).flatMap(([name, row]) => {
      const value = numberOf(row);
      return value === undefined ? [] : [[name, value]];
    }),
  ) as { readonly [N in K]?: number };

const standardOf = ({ standard }: Threshold): number => standard;

/** The thresholds that apply if a file defines none. */
export const DEFAULT_THRESHOLDS: Thresholds = {
  ...(valuesOf(OF_SERVICE, standardOf) as Omit<Thresholds, 'heat'>),
  heat: valuesOf(OF_HEAT, standardOf) as HeatThresholds,
};

const sectionOf = (table: Rows<string>): Record<string, TSchema> =>
  Object.fromEntries(
    rowsOf(table).map(([, { key, unit, standard, help }]) => {
      const description = `${help} Default: ${String(unit.write(standard))}.`;
      return [key, optional({ ...unit.schema, description })];
    }),
  );

/** `service:`. */
export const ServiceSection = Type.Object(
  {
    ...sectionOf(OF_SERVICE),
    heat: optional(
      Type.Object(sectionOf(OF_HEAT), {
        additionalProperties: false,
        ...noun('the heat thresholds', undefined, { number: '$key: {index_c: $value}' }),
      }),
    ),
    equivalent: optional(
      Type.Record(Type.String(), Type.String({ minLength: 1, ...noun('a reason') }), {
        ...noun('a map of reasons'),
        description:
          'Thresholds whose change a mutation test of the scenario ("run --mutate") need not detect, each with its reason: fall_prompt, heat.index_c.',
      }),
    ),
  },
  { additionalProperties: false, ...noun('the service', undefined, { string: '$key: {fall_prompt: $value}' }) },
);

/** The thresholds that a checked `service:` defines. */
export function serviceOf(section: JsonMap): PlannedService {
  const { heat } = section;
  const read = valuesOf(OF_SERVICE, ({ key, unit }) => unit.read(section[key]));
  return isMap(heat) ? { ...read, heat: valuesOf(OF_HEAT, ({ key, unit }) => unit.read(heat[key])) } : read;
}

/** The section `service:` for these thresholds: the inverse of `serviceOf`. */
export function serviceSection(service: PlannedService): JsonMap {
  const heat = written(OF_HEAT, service.heat ?? {});
  const { heat: _heat, ...plain } = service;
  const section = written(OF_SERVICE, plain);
  return Object.keys(heat).length === 0 ? section : { ...section, heat };
}

const written = <K extends string>(table: Rows<K>, values: { readonly [N in K]?: number }): JsonMap =>
  Object.fromEntries(
    rowsOf(table).flatMap(([name, { key, unit }]) => {
      const value = values[name];
      return value === undefined ? [] : [[key, unit.write(value)]];
    }),
  );
