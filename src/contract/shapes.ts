/** The small schema shapes that every other file of the contract is built from. */
import {
  type Static,
  type TEnum,
  type TNull,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnion,
  Type,
} from 'typebox';

/** A closed object: unknown keys are refused, so no vital sign can slip in or out [spec 1, decisions 2]. */
export function closed<P extends TProperties>(title: string, description: string, properties: P): TObject<P> {
  return Type.Object(properties, { title, description, additionalProperties: false });
}

/** A closed object without a name of its own, written where it is used. */
export function inline<P extends TProperties>(properties: P): TObject<P> {
  return Type.Object(properties, { additionalProperties: false });
}

/** An enumeration of words: one flat `enum`, so that a wrong word gets one error. */
export function words<V extends string[]>(title: string, description: string, values: readonly [...V]): TEnum<V> {
  return Type.Enum(values, { type: 'string', title, description });
}

/** `T | null`: the key is present and may be null [spec 2]. */
export function nullable<T extends TSchema>(schema: T, description?: string): TUnion<[T, TNull]> {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}

/** The same schema with words of its own for the place where it stands. */
export function described<T extends TSchema>(schema: T, description: string): T {
  // TypeBox keeps marks in properties that do not enumerate, so a spread would lose them.
  const copy = Object.create(Object.getPrototypeOf(schema), Object.getOwnPropertyDescriptors(schema)) as T;
  return Object.defineProperty(copy, 'description', { value: description, enumerable: true, configurable: true });
}

/** An id that we made [spec 2, decisions 1]. */
export const Uuid = Type.String({ format: 'uuid' });

/** An id from the client, of any UUID version; whether it exists is for the world to decide. */
export const AnyUuid = Type.String({ format: 'any-uuid' });

/** A moment as the service writes it: UTC with milliseconds, always [decisions 1]. */
export const Time = Type.String({
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  'x-rule': 'must be a time in UTC with milliseconds, like 2026-10-05T06:00:00.000Z',
});

/** A moment as a client may write it: RFC 3339 with any offset. */
export const AnyTime = Type.String({ format: 'date-time' });

/** A JSON number that is a whole one, from `minimum` up to what JSON carries exactly. */
export function whole(minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) {
  return Type.Integer({ minimum, maximum });
}

/** Text that somebody outside wrote: well-formed Unicode without NUL, its length counted in code points. */
export function text(maxLength: number, minLength = 0) {
  return Type.String({ format: 'text', ...(minLength > 0 ? { minLength } : {}), maxLength });
}

/** A name that somebody outside wrote: text that is not blank. */
export function name(maxLength: number) {
  return Type.String({ format: 'text', minLength: 1, maxLength, pattern: '\\S', 'x-rule': 'must not be blank' });
}

/** WGS84 latitude in degrees [spec 2 Location]. */
export const Latitude = Type.Number({ minimum: -90, maximum: 90 });

/** WGS84 longitude in degrees [spec 2 Location]. */
export const Longitude = Type.Number({ minimum: -180, maximum: 180 });

/** Battery charge in percent [spec 2 DeviceRef]. */
export const BatteryPct = Type.Integer({ minimum: 0, maximum: 100 });

/** Which way a duration leads from now, as `x-time` of its schema: what it leads to must be writable [decisions 1]. */
export type TimeDirection = 'ahead' | 'behind' | 'either';

/** A duration in the grammar of scenarios: `500ms 45s 2m 1h30m 24h 1d`, biggest unit first [decisions 9]. */
export const Duration = Type.String({
  'x-time': 'ahead' satisfies TimeDirection,
  pattern: '^(?=\\d)(\\d{1,6}d)?(\\d{1,9}h)?(\\d{1,9}m)?(\\d{1,9}s)?(\\d{1,9}ms)?$',
  'x-rule': 'must be a duration like 500ms, 45s, 2m, 1h30m, 24h or 1d',
});
export type Duration = Static<typeof Duration>;

/** How long something has lasted until now. */
export const PastDuration = Type.String({ ...Duration, 'x-time': 'behind' satisfies TimeDirection });
