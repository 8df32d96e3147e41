/** Published schemas from the contract's: named ones become references, internal keywords are dropped. */
import type { TSchema } from 'typebox';
import { Bug } from '../../../base/assert.ts';
import { AlertEvent, MusterEvent } from '../../../contract/events.ts';
import { NAMED_SCHEMAS } from '../../../contract/registry.ts';
import { ALERT_VARIANTS } from '../../../contract/resources/alert.ts';
import { withoutCitations } from '../../../contract/sentences.ts';
import { nameOfRef, type PublishedSchema } from './document.ts';

/** A title of this form is a component's name; others are prose. */
const NAME = /^[A-Z][A-Za-z0-9]*$/;

/**
 * Named schemas that are published as variants with a discriminator. `base`: the name of a schema with the fields that
 * all variants share. Generators make one type of it, which the types of the variants extend.
 */
const VARIANTS: Readonly<Record<string, { readonly variants: readonly TSchema[]; readonly base?: string }>> = {
  Alert: { variants: ALERT_VARIANTS, base: 'AlertBase' },
  Event: { variants: [AlertEvent, MusterEvent] },
};

/** The values of `type` that a variant has. */
function typesOf(variant: TSchema): readonly string[] {
  const { type } = (variant as unknown as { properties: Record<string, { const?: string; enum?: string[] }> })
    .properties;
  return type?.enum ?? (type?.const === undefined ? [] : [type.const]);
}

type SchemaSource = Readonly<Record<string, unknown>>;

/**
 * `closed`: unknown fields are forbidden, as in the contract. `open`: unknown fields are allowed, because the service
 * may add fields to what it sends. The service's own checks use the contract's schemas, never the published ones.
 * [decisions 2]
 */
type UnknownFields = 'closed' | 'open';

interface Component {
  readonly source: SchemaSource;
  readonly unknownFields: UnknownFields;
  published: PublishedSchema;
}

interface ComponentsOptions {
  /** If false, every schema is written in full. */
  readonly names?: boolean;
  /** If false, sets of words that may grow (`openWords`) leave out the words that only the sandbox has. */
  readonly sandbox?: boolean;
}

/** A schema without references. */
export const standalone = (schema: TSchema): PublishedSchema =>
  new Components({ names: false }).publish(schema, 'closed');

/** Components collected while a document is made. */
export class Components {
  readonly #schemas = new Map<string, Component>();
  readonly #names: boolean;
  readonly #sandbox: boolean;

  constructor({ names = true, sandbox = true }: ComponentsOptions = {}) {
    this.#names = names;
    this.#sandbox = sandbox;
  }

  /** A reference if the schema is named; else the schema. A name that is used both closed and open is a bug. */
  publish(schema: TSchema, unknownFields: UnknownFields): PublishedSchema {
    return this.#publish(schema as unknown as SchemaSource, unknownFields);
  }

  /** All components, sorted by name. */
  all(): Record<string, PublishedSchema> {
    const entries = [...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([name, { published }]) => [name, published]));
  }

  #publish(source: SchemaSource, unknownFields: UnknownFields): PublishedSchema {
    const { title } = source;
    if (!this.#names || typeof title !== 'string' || !NAME.test(title)) return this.#written(source, unknownFields);
    const named = this.#named(title, source, unknownFields);
    const $ref = `#/components/schemas/${title}`;
    const own = plainWords(source['description']);
    // The place of use may override the description.
    return own === undefined || own === named.description ? { $ref } : { $ref, description: own };
  }

  #named(title: string, source: SchemaSource, unknownFields: UnknownFields): PublishedSchema {
    let known = this.#schemas.get(title);
    if (known === undefined) {
      // The first use may override the description; the registry has the schema's own.
      const registered = (NAMED_SCHEMAS[title] ?? source) as unknown as SchemaSource;
      const published = this.#discriminated(title, unknownFields) ?? this.#written(registered, unknownFields);
      known = { source: registered, unknownFields, published };
      this.#schemas.set(title, known);
    }
    const { published } = known;
    const isSame = () =>
      title in VARIANTS
        ? known.unknownFields === unknownFields
        : sameBut(published, this.#written(source, unknownFields));
    if ((known.source !== source || known.unknownFields !== unknownFields) && !isSame())
      throw new Bug(`Two different schemas are named ${title}.`);
    return published;
  }

  /** The schema as one of its variants, by the value of `type`, which generated clients use to narrow the type. */
  #discriminated(title: string, unknownFields: UnknownFields): PublishedSchema | undefined {
    const found = VARIANTS[title];
    if (found === undefined) return undefined;
    const { variants, base } = found;
    const oneOf = variants.map((variant) => this.publish(variant, unknownFields));
    if (base !== undefined) this.#shareBase(base, oneOf);
    const mapping = variants.flatMap((variant, n) =>
      typesOf(variant).map((type) => [type, oneOf[n]?.$ref ?? ''] as const),
    );
    const description = plainWords((NAMED_SCHEMAS[title] as { description?: string } | undefined)?.description);
    return {
      ...(description === undefined ? {} : { description }),
      oneOf,
      discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
    };
  }

  /** Moves the fields that are the same in all variants to a schema of their own, which the variants refer to. */
  #shareBase(base: string, variants: readonly PublishedSchema[]): void {
    const named = variants.map(({ $ref = '' }) => this.#schemas.get(nameOfRef($ref)) as Component);
    const all = named.map(({ published }) => published);
    const [first, ...others] = all as [PublishedSchema, ...PublishedSchema[]];
    const isShared = (key: string): boolean =>
      others.every((one) => JSON.stringify(one.properties?.[key]) === JSON.stringify(first.properties?.[key]));
    const shared = Object.keys(first.properties ?? {}).filter(isShared);
    const part = ({ properties = {}, required = [] }: PublishedSchema, wanted: (key: string) => boolean) => ({
      type: 'object',
      required: required.filter(wanted),
      properties: Object.fromEntries(Object.entries(properties).filter(([key]) => wanted(key))),
    });
    const { unknownFields } = named[0] as Component;
    const published = {
      ...part(first, (key) => shared.includes(key)),
      description: 'The fields of every alert.',
    };
    this.#schemas.set(base, { source: published, unknownFields, published });
    named.forEach((component, n) => {
      const { description, ...variant } = all[n] as PublishedSchema;
      const own = part(variant, (key) => !shared.includes(key));
      component.published = {
        ...(description === undefined ? {} : { description }),
        allOf: [{ $ref: `#/components/schemas/${base}` }, own],
      };
    });
  }

  #written(source: SchemaSource, unknownFields: UnknownFields): PublishedSchema {
    const alternatives = source['anyOf'] as readonly SchemaSource[] | undefined;
    const [only, nothing] = alternatives ?? [];
    if (alternatives?.length === 2 && only !== undefined && nothing?.['type'] === 'null')
      return this.#nullable(this.#publish(only, unknownFields), plainWords(source['description']));
    const written: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(source)) {
      if (isInternalKeyword(key, value)) continue;
      if (key === 'additionalProperties' && value === false && unknownFields === 'open') continue;
      if (key === 'enum' && source['x-open'] !== undefined) written['x-extensible-enum'] = this.#openWords(source);
      else written[key] = this.#keyword(key, value, unknownFields);
    }
    if (source['type'] === 'integer') written['format'] = isShort(source) ? 'int32' : 'int64';
    const description = plainWords(source['description']) ?? ruleOf(source);
    if (description !== undefined) written['description'] = description;
    return written;
  }

  /**
   * The known words of a set that may grow. They are published as a string with an annotation: an `anyOf` of the
   * enumeration and a string is a plain string in TypeScript too, and a wrapper class without use in Java, C# and Go.
   */
  #openWords({ enum: words, 'x-open': open }: SchemaSource): readonly unknown[] {
    const { sandboxOnly } = open as { sandboxOnly: readonly unknown[] };
    return (words as readonly unknown[]).filter((word) => this.#sandbox || !sandboxOnly.includes(word));
  }

  /** `T | null`, as a type list if possible. */
  #nullable(schema: PublishedSchema, description: string | undefined): PublishedSchema {
    const words = description ?? schema.description;
    const withDescription = words === undefined ? {} : { description: words };
    if (typeof schema.type === 'string' && schema.enum === undefined && schema.const === undefined)
      return { ...schema, ...withDescription, type: [schema.type, 'null'] };
    if (schema.$ref === undefined) return { anyOf: [schema, { type: 'null' }], ...withDescription };
    return { anyOf: [{ $ref: schema.$ref }, { type: 'null' }], ...withDescription };
  }

  #keyword(key: string, value: unknown, unknownFields: UnknownFields): unknown {
    switch (key) {
      case 'format':
        return typeof value === 'string' ? value.replace(/^any-/, '') : value;
      case 'properties':
      case 'patternProperties':
        return Object.fromEntries(
          Object.entries(value as object).map(([name, part]) => [name, this.#publish(part, unknownFields)]),
        );
      case 'items':
      case 'if':
      case 'then':
      case 'contentSchema':
        return this.#publish(value as SchemaSource, unknownFields);
      case 'additionalProperties':
        return typeof value === 'object' ? this.#publish(value as SchemaSource, unknownFields) : value;
      case 'anyOf':
      case 'allOf':
        return (value as readonly SchemaSource[]).map((part) => this.#publish(part, unknownFields));
      default:
        return value;
    }
  }
}

/** True if 32 bits suffice for the integer. Without a format, some generators take 32 bits for all. */
const isShort = ({ minimum, maximum, enum: words }: SchemaSource): boolean => {
  const bounds = Array.isArray(words) ? words : [minimum, maximum];
  return bounds.every((bound) => typeof bound === 'number' && Math.abs(bound) < 2 ** 31);
};

/** True for internal keywords and formats. `title` is internal, because the reference contains the name. */
export const isInternalKeyword = (key: string, value: unknown): boolean =>
  key.startsWith('x-') || key.startsWith('~') || key === 'title' || (key === 'format' && value === 'text');

/** The sentence of `x-rule`, or undefined if there is none or if a format states it. A description takes precedence. */
function ruleOf(source: SchemaSource): string | undefined {
  const rule = source['x-rule'];
  if (typeof rule !== 'string' || source['format'] !== undefined) return undefined;
  return `${rule.charAt(0).toUpperCase()}${rule.slice(1)}.`;
}

/** The text without citations; undefined if it is not a text. */
export function plainWords(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  return withoutCitations(text).trim();
}

const sameBut = (a: PublishedSchema, b: PublishedSchema): boolean => {
  const bare = ({ description: _, ...rest }: PublishedSchema) => JSON.stringify(rest);
  return bare(a) === bare(b);
};
