/** A schema of OpenAPI 3.0, from one of 3.1. */
import { Bug } from '../../../base/assert.ts';
import type { PublishedSchema } from './document.ts';

/** In 3.0, `null` and an exclusive bound are flags, and a constant is an enumeration of one value. */
export interface Schema30 {
  readonly $ref?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema30>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema30;
  readonly items?: Schema30;
  readonly anyOf?: readonly Schema30[];
  readonly oneOf?: readonly Schema30[];
  readonly allOf?: readonly Schema30[];
  readonly discriminator?: PublishedSchema['discriminator'];
  readonly enum?: readonly unknown[];
  readonly 'x-extensible-enum'?: readonly unknown[];
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

type Keywords = Required<PublishedSchema>;

/** Converts each keyword of 3.1. A keyword that is missing here is a compile error. */
const IN_30: { readonly [K in keyof Keywords]: (value: Keywords[K]) => Schema30 } = {
  $ref: ($ref) => ({ $ref }),
  type: (type) => (typeof type === 'string' ? { type } : typeOrNull(type)),
  description: (description) => ({ description }),
  properties: (properties) => ({ properties: mapped(properties, schema30) }),
  required: (required) => ({ required }),
  additionalProperties: (value) => ({
    additionalProperties: typeof value === 'boolean' ? value : schema30(value),
  }),
  items: (items) => ({ items: schema30(items) }),
  anyOf: (alternatives) => ({ anyOf: alternatives.map(schema30) }),
  oneOf: (alternatives) => ({ oneOf: alternatives.map(schema30) }),
  allOf: (parts) => ({ allOf: parts.map(schema30) }),
  discriminator: (discriminator) => ({ discriminator }),
  enum: (values) => ({ enum: values }),
  'x-extensible-enum': (values) => ({ 'x-extensible-enum': values }),
  const: (value) => ({ enum: [value] }),
  default: (value) => ({ default: value }),
  format: (format) => ({ format }),
  pattern: (pattern) => ({ pattern }),
  minimum: (minimum) => ({ minimum }),
  maximum: (maximum) => ({ maximum }),
  exclusiveMinimum: (minimum) => ({ minimum, exclusiveMinimum: true }),
  minLength: (minLength) => ({ minLength }),
  maxLength: (maxLength) => ({ maxLength }),
  minItems: (minItems) => ({ minItems }),
  maxItems: (maxItems) => ({ maxItems }),
  // 3.0 cannot express the content of a text. The description of the text names its schema.
  contentMediaType: () => ({}),
  contentSchema: () => ({}),
};

export function schema30(schema: PublishedSchema): Schema30 {
  const { $ref, description, anyOf, ...rest } = schema;
  // 3.0 ignores keywords next to a reference.
  if ($ref !== undefined) return description === undefined ? { $ref } : { allOf: [{ $ref }], description };
  const present = anyOf?.filter(({ type }) => type !== 'null');
  if (anyOf === undefined || present === undefined || present.length === anyOf.length) return byKeyword(schema);
  const [only, second] = present;
  if (only === undefined) return withoutForm('null alone');
  const inner = second === undefined ? schema30(only) : byKeyword({ anyOf: present });
  return merged([byKeyword(rest), orNull(inner), description === undefined ? {} : { description }]);
}

/**
 * The schema, or null. A reference is wrapped in `allOf`, because 3.0 ignores `nullable` next to a reference. According
 * to 3.0.3 the flag also needs a `type`, and `allOf` still refuses null. But generators turn this form into an optional
 * reference to the named type. With a `type`, NSwag generates an anonymous class. The literal form, `oneOf` with an
 * enumeration of null, becomes a union without a name in Go and Java.
 */
function orNull(schema: Schema30): Schema30 {
  if (schema.$ref !== undefined) return { nullable: true, allOf: [{ $ref: schema.$ref }] };
  // An enumeration must contain null itself.
  const values = schema.enum === undefined ? {} : { enum: [...schema.enum, null] };
  return merged([schema, values, { nullable: true }]);
}

function typeOrNull(types: readonly string[]): Schema30 {
  const [type, other] = types.filter((one) => one !== 'null');
  if (type === undefined || other !== undefined) return withoutForm(`type ${JSON.stringify(types)}`);
  return types.includes('null') ? { type, nullable: true } : { type };
}

function byKeyword(schema: PublishedSchema): Schema30 {
  const parts = Object.entries(schema).map(([keyword, value]) => {
    const convert = IN_30[keyword as keyof Keywords] as ((value: unknown) => Schema30) | undefined;
    return convert === undefined ? withoutForm(keyword) : convert(value);
  });
  return merged(parts);
}

/** Thrown at run time: the compiler checks only schemas that are written here, and most come from the contract. */
function withoutForm(what: string): never {
  throw new Bug(`A published schema has ${what}, which has no form in OpenAPI 3.0: give it one in schema30.ts.`);
}

const merged = (parts: readonly Schema30[]): Schema30 => Object.assign({}, ...parts);

/** The same keys, with each value converted. */
export const mapped = <From, To>(
  values: Readonly<Record<string, From>>,
  convert: (value: From) => To,
): Record<string, To> => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, convert(value)]));
