/**
 * What a body shows, as facts by its schema: a nullable field with and without a value (`Alert.zone` null or not), a word of an
 * enumeration, a flag. The schemas are those of the contract, so a new field or word is a new fact. [spec 2]
 */
import { isMap, type JsonMap, type SchemaNode } from '../../../contract/schema.ts';

/** Whether a field had a value: `Alert.zone null`, `Alert.zone value`. */
export const valueFact = (field: string, hasValue: boolean): string => `${field} ${hasValue ? 'value' : 'null'}`;

/** A word of an enumeration, or a flag: `Alert.type=sos`, `Location.masked=true`. */
export const wordFact = (field: string, word: unknown): string => `${field}=${String(word)}`;

type FactSink = (fact: string) => void;

/** Calls the sink with each fact of the value. The schema describes the value. */
export function factsOf(schema: SchemaNode, value: unknown, sink: FactSink): void {
  walk(schema, value, schema.title ?? '', sink);
}

/** All facts that values of the schema can show. */
export function possibleFacts(schema: SchemaNode): Set<string> {
  const facts = new Set<string>();
  collect(schema, schema.title ?? '', facts);
  return facts;
}

const isNull = ({ type }: SchemaNode): boolean => type === 'null';

interface BareSchema {
  readonly node: SchemaNode;
  readonly isNullable: boolean;
}

const inners = new WeakMap<SchemaNode, BareSchema>();

/** The schema without null, and whether null is allowed. */
function innerOf(node: SchemaNode): BareSchema {
  const known = inners.get(node);
  if (known !== undefined) return known;
  const others = node.anyOf?.filter((one) => !isNull(one)) ?? [];
  const isNullable = node.anyOf?.some(isNull) === true;
  const inner: BareSchema =
    isNullable && others.length === 1 ? { node: others[0] as SchemaNode, isNullable } : { node, isNullable };
  inners.set(node, inner);
  return inner;
}

/** A part without a title is named by its place. */
const nameOf = (node: SchemaNode, place: string): string => node.title ?? place;

function walk(schema: SchemaNode, value: unknown, place: string, sink: FactSink): void {
  const { node } = innerOf(schema);
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    if (node.items !== undefined) for (const item of value) walk(node.items, item, place, sink);
    return;
  }
  if (isMap(value)) return object(node, value, place, sink);
  if (node.enum !== undefined || typeof value === 'boolean') sink(wordFact(place, value));
}

function object(schema: SchemaNode, value: JsonMap, place: string, sink: FactSink): void {
  const node = schema.anyOf === undefined ? schema : variantOf(schema.anyOf, value);
  if (node?.properties === undefined) return;
  const name = nameOf(node, place);
  for (const [key, field] of Object.entries(node.properties)) {
    const inner = innerOf(field);
    const at = `${name}.${key}`;
    const one = value[key];
    if (inner.isNullable) sink(valueFact(at, one !== null && one !== undefined));
    else if (isOptional(node, key)) sink(valueFact(at, one !== undefined));
    walk(field, one, at, sink);
  }
}

const isOptional = ({ required }: SchemaNode, key: string): boolean => required?.includes(key) !== true;

/** The variant whose keys the value has. */
const variantOf = (variants: readonly SchemaNode[], value: JsonMap): SchemaNode | undefined =>
  variants.find(
    ({ properties = {} }) => Object.keys(value).every((key) => key in properties) && fits(properties, value),
  );

/** Nested keys decide between envelopes that differ in their data. */
const fits = (properties: Readonly<Record<string, SchemaNode>>, value: JsonMap): boolean =>
  Object.entries(properties).every(([key, { properties: inner }]) => {
    const part = value[key];
    return inner === undefined || !isMap(part) || Object.keys(part).every((name) => name in inner);
  });

function collect(schema: SchemaNode, place: string, facts: Set<string>): void {
  const { node } = innerOf(schema);
  for (const variant of node.anyOf ?? [node]) {
    if (variant.items !== undefined) collect(variant.items, place, facts);
    else if (variant.properties !== undefined) collectFields(variant, nameOf(variant, place), facts);
    else
      for (const word of variant.type === 'boolean' ? [true, false] : (variant.enum ?? []))
        facts.add(wordFact(place, word));
  }
}

function collectFields(node: SchemaNode, name: string, facts: Set<string>): void {
  for (const [key, field] of Object.entries(node.properties ?? {})) {
    const at = `${name}.${key}`;
    if (innerOf(field).isNullable || isOptional(node, key))
      for (const hasValue of [true, false]) facts.add(valueFact(at, hasValue));
    collect(field, at, facts);
  }
}
