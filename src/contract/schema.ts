/** The part of JSON Schema that this project uses, and the functions that walk over a schema, or over a value and its schema. */
import type { Static, TObject } from 'typebox';
import type { FieldHolding } from './actions/field-kinds.ts';
import type { TimeDirection } from './shapes.ts';

/** A schema of the contract, of a section of a file, or of an action's field. `x-` keywords are used in messages. */
export interface SchemaNode {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly anyOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
  readonly if?: SchemaNode;
  readonly then?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  /** For a map whose keys are names: one entry that applies to all of them. */
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: SchemaNode;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  /** The rule in words. */
  readonly 'x-rule'?: string;
  /** The noun for a value, and how to write the value. */
  readonly 'x-noun'?: string;
  readonly 'x-write'?: string;
  /** The line to write instead of a value alone, by the kind of the value. `$key` and `$value` are those of the file. */
  readonly 'x-line'?: Readonly<Partial<Record<AloneKind, string>>>;
  /** The key for which a number alone stands, in a short form of a map. */
  readonly 'x-alone'?: string;
  /** True for an entry of a map of names that may be empty, so that the name alone is a short form. */
  readonly 'x-bare'?: boolean;
  readonly 'x-time'?: TimeDirection;
  /** Set for a field of an action. */
  readonly 'x-holds'?: FieldHolding;
  /** Set for an `enum` to which values may be added; see `openWords`. */
  readonly 'x-open'?: { readonly sandboxOnly: readonly unknown[] };
}

/** The kinds of values that stand alone where a map is needed. An address begins with a slash or with http. */
export type AloneKind = 'string' | 'address' | 'number' | 'array' | 'null';

/** A JSON object, or a map of YAML. */
export type JsonMap = Readonly<Record<string, unknown>>;

export const isMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields that say nothing yet: those that may be null, and lists. */
type BlankField<T> = { [K in keyof T]: null extends T[K] ? K : T[K] extends readonly unknown[] ? K : never }[keyof T];

/** An object of which nothing optional is known: null where the contract allows it, and empty lists. */
export function blank<T extends TObject>(schema: T): Pick<Static<T>, BlankField<Static<T>>> {
  const isNull = ({ type }: SchemaNode) => type === 'null';
  const blankOf = ({ type, anyOf = [] }: SchemaNode) => (type === 'array' ? [] : anyOf.some(isNull) ? null : undefined);
  const fields = Object.entries(schema.properties).map(([name, field]) => [name, blankOf(field as SchemaNode)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as ReturnType<typeof blank<T>>;
}

/** The JSON type that the schema requires; `integer` counts as `number`. */
export function kindOf(node: SchemaNode): string {
  if (node.type !== undefined) return node.type === 'integer' ? 'number' : node.type;
  const words = node.const === undefined ? node.enum : [node.const];
  return words === undefined ? 'any' : kindOfValue(words[0]);
}

/**
 * Returns `unbounded` for an infinite number. JSON cannot express infinity, but its parser reads 1e999 as infinity, and
 * YAML has `.inf`.
 */
export function kindOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && !Number.isFinite(value) ? 'unbounded' : typeof value;
}

/** The schema itself, or its alternatives and their nested alternatives. */
export const variantsOf = (node: SchemaNode): readonly SchemaNode[] =>
  node.anyOf === undefined ? [node] : node.anyOf.flatMap(variantsOf);

/** The schemas of one key, one for each alternative that has the key. */
export const keyOf = (nodes: readonly SchemaNode[], key: string): readonly SchemaNode[] =>
  nodes.flatMap(({ properties = {}, patternProperties = {} }) =>
    Object.hasOwn(properties, key) ? (properties[key] as SchemaNode) : Object.values(patternProperties).slice(0, 1),
  );

/** The schemas of the items of a list, one for each alternative that is a list. */
export const itemOf = (nodes: readonly SchemaNode[]): readonly SchemaNode[] =>
  nodes.flatMap(({ items }) => items ?? []);

/** The items of a list or the values of a map, each with its schemas; no schemas for an unknown key. */
export function partsOf(
  nodes: readonly SchemaNode[],
  value: unknown,
): readonly (readonly [key: string | number, part: unknown, nodes: readonly SchemaNode[]])[] {
  if (Array.isArray(value)) {
    const items = itemOf(nodes);
    return value.map((item: unknown, i) => [i, item, items] as const);
  }
  if (!isMap(value)) return [];
  return Object.entries(value).map(([key, item]) => [key, item, keyOf(nodes, key)] as const);
}

/** A schema and all its subschemas. */
export function* nodesIn(node: SchemaNode): Generator<SchemaNode> {
  yield node;
  const { properties = {}, patternProperties = {}, anyOf = [], items = [] } = node;
  for (const part of [properties, patternProperties, anyOf, [items].flat()].flatMap((parts) => Object.values(parts)))
    yield* nodesIn(part);
}

/** One key of a map, or of a map inside it. */
export interface SchemaKey {
  /** `plan.general`, `zones.*.type`, `zones.*.floors[].name`. */
  readonly name: string;
  readonly required: boolean;
  readonly node: SchemaNode;
}

/** The keys of a map, each followed by the keys below it. */
export function keysIn({ properties = {}, required = [] }: SchemaNode, prefix = ''): SchemaKey[] {
  return Object.entries(properties).flatMap(([key, node]) => {
    const name = `${prefix}${key}`;
    const below = [
      [node, '.'],
      [Object.values(node.patternProperties ?? {})[0] ?? {}, '.*.'],
      [node.items ?? {}, '[].'],
    ] as const;
    return [
      { name, required: required.includes(key), node },
      ...below.flatMap(([inner, way]) => keysIn(inner, `${name}${way}`)),
    ];
  });
}

/** A copy without some of the keywords, at any depth. */
export function withoutKeywords(schema: unknown, isLeftOut: (keyword: string, value: unknown) => boolean): unknown {
  if (Array.isArray(schema)) return schema.map((part) => withoutKeywords(part, isLeftOut));
  if (!isMap(schema)) return schema;
  const entries = Object.entries(schema).filter(([keyword, value]) => !isLeftOut(keyword, value));
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, withoutKeywords(value, isLeftOut)]));
}
