/** Small schemas from which the rest of the contract is built. */

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

/** A closed object. Unknown keys are refused, so that no vital sign can enter or leave [spec 1, decisions 2]. */
export function closed<P extends TProperties>(title: string, description: string, properties: P): TObject<P> {
  return Type.Object(properties, { title, description, additionalProperties: false });
}

/** A closed object without a title, inlined where it is used. */
export function inline<P extends TProperties>(properties: P): TObject<P> {
  return Type.Object(properties, { additionalProperties: false });
}

/** One flat `enum`, so that a wrong word gives one error. */
export function words<V extends string[]>(title: string, description: string, values: readonly [...V]): TEnum<V> {
  return Type.Enum(values, { type: 'string', title, description });
}

/**
 * An enumeration to which values may be added. The service sends only `values`, but a published schema must not close
 * the list [decisions 2]. `sandboxOnly` are the values that only the document of the sandbox-only operations contains.
 */
export function openWords<V extends string[]>(
  title: string,
  description: string,
  values: readonly [...V],
  sandboxOnly: readonly V[number][],
): TEnum<V> {
  return Type.Enum(values, { type: 'string', title, description, 'x-open': { sandboxOnly } });
}

/** The value of a required key, which may be null [spec 2]. */
export function nullable<T extends TSchema>(schema: T, description?: string): TUnion<[T, TNull]> {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}

/** A copy of the schema with another description. */
export function described<T extends TSchema>(schema: T, description: string): T {
  // TypeBox uses non-enumerable properties, which a spread would lose.
  const copy = Object.create(Object.getPrototypeOf(schema), Object.getOwnPropertyDescriptors(schema)) as T;
  return Object.defineProperty(copy, 'description', { value: description, enumerable: true, configurable: true });
}

/** An id that the service made [spec 2, decisions 1]. */
export const Uuid = Type.String({ format: 'uuid' });

/** An id from a client, of any UUID version. */
export const AnyUuid = Type.String({ format: 'any-uuid' });

/** A time as the service writes it: UTC with milliseconds [decisions 1]. */
export const Time = Type.String({
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  'x-rule': 'must be a time in UTC with milliseconds, like 2026-10-05T06:00:00.000Z',
});

/** A time from a client: RFC 3339 with any offset. Its seconds may be missing (`withSeconds`). */
export const AnyTime = Type.String({ format: 'any-date-time' });

/** An integer; the default maximum is the largest that JSON represents exactly. */
export function whole(minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) {
  return Type.Integer({ minimum, maximum });
}

/** Untrusted text: well-formed Unicode without NUL. Its length is counted in code points. */
export function text(maxLength: number, minLength = 0) {
  return Type.String({ format: 'text', ...(minLength > 0 ? { minLength } : {}), maxLength });
}

/** Untrusted text that is not blank. */
export function name(maxLength: number) {
  return Type.String({ format: 'text', minLength: 1, maxLength, pattern: '\\S', 'x-rule': 'must not be blank' });
}

/** The seed of a run or of a world, in the form of `--seed`. */
export const Seed = Type.String({ pattern: '^\\d{1,15}$', 'x-rule': 'must be a whole number, such as 7' });

/** Degrees, WGS84 [spec 2 Location]. */
export const Latitude = Type.Number({ minimum: -90, maximum: 90 });

/** Degrees, WGS84 [spec 2 Location]. */
export const Longitude = Type.Number({ minimum: -180, maximum: 180 });

/** Percent [spec 2 DeviceRef]. */
export const BatteryPct = Type.Integer({ minimum: 0, maximum: 100 });

/**
 * The direction of a duration from now, as `x-time` in its schema. The resulting time must be writable [decisions 1].
 */
export type TimeDirection = 'ahead' | 'behind' | 'either';

/** The grammar of scenarios: `500ms 45s 2m 1h30m 24h 1d`, the largest unit first [decisions 9]. */
export const Duration = Type.String({
  'x-time': 'ahead' satisfies TimeDirection,
  pattern: '^(?=\\d)(\\d{1,6}d)?(\\d{1,9}h)?(\\d{1,9}m)?(\\d{1,9}s)?(\\d{1,9}ms)?$',
  'x-rule': 'must be a duration like 500ms, 45s, 2m, 1h30m, 24h or 1d',
});
export type Duration = Static<typeof Duration>;

/** A duration that ends now. */
export const PastDuration = Type.String({ ...Duration, 'x-time': 'behind' satisfies TimeDirection });
