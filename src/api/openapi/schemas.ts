/** From the contract's schemas to published ones: names become references, and what is ours alone stays here. */
import type { TSchema } from 'typebox';
import { Bug } from '../../base/assert.ts';
import { NAMED_SCHEMAS } from '../../contract/registry.ts';
import type { PublishedSchema } from './document.ts';

/** A title that is the name of a component; others are words for people. */
const NAME = /^[A-Z][A-Za-z0-9]*$/;

type SchemaSource = Readonly<Record<string, unknown>>;

/** One schema by itself, without references. */
export const standalone = (schema: TSchema): PublishedSchema => new Components({ names: false }).publish(schema);

/** The components that a document has asked for so far. */
export class Components {
  readonly #schemas = new Map<string, { source: SchemaSource; published: PublishedSchema }>();
  readonly #names: boolean;

  constructor({ names = true }: { names?: boolean } = {}) {
    this.#names = names;
  }

  /** A reference where the schema has a name; else the schema itself. */
  publish(schema: TSchema): PublishedSchema {
    return this.#publish(schema as unknown as SchemaSource);
  }

  /** In the order of their names. */
  all(): Record<string, PublishedSchema> {
    const entries = [...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([name, { published }]) => [name, published]));
  }

  #publish(source: SchemaSource): PublishedSchema {
    const { title } = source;
    if (!this.#names || typeof title !== 'string' || !NAME.test(title)) return this.#written(source);
    const named = this.#named(title, source);
    const $ref = `#/components/schemas/${title}`;
    const own = plainWords(source['description']);
    // A place may say in its own words what the schema means there.
    return own === undefined || own === named.description ? { $ref } : { $ref, description: own };
  }

  #named(title: string, source: SchemaSource): PublishedSchema {
    let known = this.#schemas.get(title);
    if (known === undefined) {
      // The place that asks first may have words of its own; the registry has those of the schema.
      const registered = (NAMED_SCHEMAS[title] ?? source) as unknown as SchemaSource;
      known = { source: registered, published: this.#written(registered) };
      this.#schemas.set(title, known);
    }
    if (known.source !== source && !sameBut(known.published, this.#written(source)))
      throw new Bug(`Two different schemas are named ${title}.`);
    return known.published;
  }

  #written(source: SchemaSource): PublishedSchema {
    const alternatives = source['anyOf'] as readonly SchemaSource[] | undefined;
    const [only, nothing] = alternatives ?? [];
    if (alternatives?.length === 2 && only !== undefined && nothing?.['type'] === 'null')
      return this.#nullable(this.#publish(only), plainWords(source['description']));
    const written: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(source)) {
      if (isOurs(key, value)) continue;
      written[key] = this.#keyword(key, value);
    }
    const description = plainWords(source['description']) ?? ruleOf(source);
    if (description !== undefined) written['description'] = description;
    return written;
  }

  /** `T | null`, as one type where that says it all. */
  #nullable(schema: PublishedSchema, description: string | undefined): PublishedSchema {
    const words = description ?? schema.description;
    const said = words === undefined ? {} : { description: words };
    if (typeof schema.type === 'string' && schema.enum === undefined && schema.const === undefined)
      return { ...schema, ...said, type: [schema.type, 'null'] };
    if (schema.$ref === undefined) return { anyOf: [schema, { type: 'null' }], ...said };
    return { anyOf: [{ $ref: schema.$ref }, { type: 'null' }], ...said };
  }

  #keyword(key: string, value: unknown): unknown {
    switch (key) {
      case 'format':
        return value === 'any-uuid' ? 'uuid' : value;
      case 'properties':
      case 'patternProperties':
        return Object.fromEntries(Object.entries(value as object).map(([name, part]) => [name, this.#publish(part)]));
      case 'items':
      case 'if':
      case 'then':
      case 'contentSchema':
        return this.#publish(value as SchemaSource);
      case 'additionalProperties':
        return typeof value === 'object' ? this.#publish(value as SchemaSource) : value;
      case 'anyOf':
      case 'allOf':
        return (value as readonly SchemaSource[]).map((part) => this.#publish(part));
      default:
        return value;
    }
  }
}

/** Our own extensions and format mean nothing to others; names stand in the reference. */
const isOurs = (key: string, value: unknown): boolean =>
  key.startsWith('x-') || key.startsWith('~') || key === 'title' || (key === 'format' && value === 'text');

/** The rule in words, where neither a format nor a description says it. */
function ruleOf(source: SchemaSource): string | undefined {
  const rule = source['x-rule'];
  if (typeof rule !== 'string' || source['format'] !== undefined) return undefined;
  return `${rule.charAt(0).toUpperCase()}${rule.slice(1)}.`;
}

/** Without the clauses in brackets, which are for those who write this code. */
export function plainWords(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  return text.replace(/\s*\[(?:spec|decisions|watch-protocol|cli|design)\b[^\]]*\]/g, '').trim();
}

const sameBut = (a: PublishedSchema, b: PublishedSchema): boolean => {
  const bare = ({ description: _, ...rest }: PublishedSchema) => JSON.stringify(rest);
  return bare(a) === bare(b);
};
