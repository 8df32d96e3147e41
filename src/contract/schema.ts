/** The part of JSON Schema that this project writes, and the one walk over it: from a schema, or from a value and its schema, to the parts. */
import type { FieldHolding } from './actions/field-kinds.ts';
import type { TimeDirection } from './shapes.ts';

/** A schema of the contract, of a section of a file, or of an action's field; `x-` keywords are for our own sentences. */
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
  /** Of a map whose keys are names: one entry, for all of them. */
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
  /** What the thing is called, and how it is written. */
  readonly 'x-noun'?: string;
  readonly 'x-write'?: string;
  readonly 'x-time'?: TimeDirection;
  /** Of a field of an action. */
  readonly 'x-holds'?: FieldHolding;
  /** Of an `enum` to which values may be added; see `openWords`. */
  readonly 'x-open'?: { readonly sandboxOnly: readonly unknown[] };
}

/** A JSON object, or a map of YAML. */
export type JsonMap = Readonly<Record<string, unknown>>;

export const isMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The type of JSON that the schema asks for; a whole number is a number. */
export function kindOf(node: SchemaNode): string {
  if (node.type !== undefined) return node.type === 'integer' ? 'number' : node.type;
  const words = node.const === undefined ? node.enum : [node.const];
  return words === undefined ? 'any' : kindOfValue(words[0]);
}

/** `unbounded`: JSON has no word for a number beyond all bounds, but its parser makes one of 1e999, and YAML has `.inf`. */
export function kindOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && !Number.isFinite(value) ? 'unbounded' : typeof value;
}

/** The schema itself, or its alternatives with those of each. */
export const variantsOf = (node: SchemaNode): readonly SchemaNode[] =>
  node.anyOf === undefined ? [node] : node.anyOf.flatMap(variantsOf);

/** The schemas of one key, by each of the alternatives that has it. */
export const keyOf = (nodes: readonly SchemaNode[], key: string): readonly SchemaNode[] =>
  nodes.flatMap(({ properties = {}, patternProperties = {} }) =>
    Object.hasOwn(properties, key) ? (properties[key] as SchemaNode) : Object.values(patternProperties).slice(0, 1),
  );

/** The schemas of the items of a list, by each of the alternatives that is one. */
export const itemOf = (nodes: readonly SchemaNode[]): readonly SchemaNode[] =>
  nodes.flatMap(({ items }) => items ?? []);

/** The items of a list and the values of a map, each with its schemas: none where it is not known. */
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

/** A schema and everything below it. */
export function* nodesIn(node: SchemaNode): Generator<SchemaNode> {
  yield node;
  const { properties = {}, patternProperties = {}, anyOf = [], items = [] } = node;
  for (const part of [properties, patternProperties, anyOf, [items].flat()].flatMap((parts) => Object.values(parts)))
    yield* nodesIn(part);
}

/** One key of a map, or of a map in it. */
export interface SchemaKey {
  /** `plan.general`, `zones.*.type`, `zones.*.floors[].name`. */
  readonly name: string;
  readonly required: boolean;
  readonly node: SchemaNode;
}

/** The keys of a map, each followed by those below it. */
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
