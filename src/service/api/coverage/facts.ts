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

/** What to look at in a value, made once from a schema: looking at the schema for each value takes ten times as long. */
export interface FactPlan {
  /** The facts of words and flags. */
  readonly words: ReadonlyMap<unknown, string>;
  readonly variants: readonly VariantPlan[];
}

interface VariantPlan {
  readonly schema: SchemaNode;
  readonly fields: readonly FieldPlan[];
}

interface FieldPlan {
  readonly key: string;
  /** The facts of its absence and of its presence; none for a field that is always there. */
  readonly absent: string | null;
  readonly present: string | null;
  readonly plan: FactPlan | null;
}

/** The plan of a schema; of a list, that of its items. */
export const planOf = (schema: SchemaNode): FactPlan => compile(schema, schema.title ?? '');

/** Calls the sink with each fact of the value. */
export function factsOf({ words, variants }: FactPlan, value: unknown, sink: FactSink): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    for (const item of value) factsOf({ words, variants }, item, sink);
    return;
  }
  if (!isMap(value)) {
    const fact = words.get(value);
    if (fact !== undefined) sink(fact);
    return;
  }
  const variant = variants.length > 1 ? variants.find(({ schema }) => describes(schema, value)) : variants[0];
  for (const { key, absent, present, plan } of variant?.fields ?? []) {
    const one = value[key];
    const fact = one === null || one === undefined ? absent : present;
    if (fact !== null) sink(fact);
    if (plan !== null) factsOf(plan, one, sink);
  }
}

/** The part of the plan with open facts; null if there is none. */
export function openPlan(plan: FactPlan, isOpen: (fact: string) => boolean): FactPlan | null {
  const words = new Map([...plan.words].filter(([, fact]) => isOpen(fact)));
  const open = (fact: string | null) => (fact !== null && isOpen(fact) ? fact : null);
  const variants = plan.variants.map(({ schema, fields }) => ({
    schema,
    fields: fields
      .map(({ key, absent, present, plan: inner }) => ({
        key,
        absent: open(absent),
        present: open(present),
        plan: inner && openPlan(inner, isOpen),
      }))
      .filter(({ absent, present, plan: inner }) => absent !== null || present !== null || inner !== null),
  }));
  return words.size > 0 || variants.some(({ fields }) => fields.length > 0) ? { words, variants } : null;
}

/** The part of a plan of a list that looks at its items. */
export const itemsPlan = ({ variants }: FactPlan): FactPlan | null =>
  variants[0]?.fields.find(({ key }) => key === 'data')?.plan ?? null;

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

/** The schema without null, and whether null is allowed. */
function innerOf(node: SchemaNode): BareSchema {
  const others = node.anyOf?.filter((one) => !isNull(one)) ?? [];
  const isNullable = node.anyOf?.some(isNull) === true;
  return isNullable && others.length === 1 ? { node: others[0] as SchemaNode, isNullable } : { node, isNullable };
}

/** A part without a title is named by its place. */
const nameOf = (node: SchemaNode, place: string): string => node.title ?? place;

function compile(schema: SchemaNode, place: string): FactPlan {
  const { node } = innerOf(schema);
  if (node.items !== undefined) return compile(node.items, place);
  const words = node.type === 'boolean' ? [true, false] : (node.enum ?? []);
  const objects = (node.anyOf ?? [node]).filter(({ properties }) => properties !== undefined);
  return {
    words: new Map(words.map((word) => [word, wordFact(place, word)])),
    variants: objects.map((one) => ({ schema: one, fields: fieldsOf(one, nameOf(one, place)) })),
  };
}

const fieldsOf = (node: SchemaNode, name: string): FieldPlan[] =>
  Object.entries(node.properties ?? {}).map(([key, field]) => {
    const at = `${name}.${key}`;
    const canMiss = innerOf(field).isNullable || isOptional(node, key);
    return {
      key,
      absent: canMiss ? valueFact(at, false) : null,
      present: canMiss ? valueFact(at, true) : null,
      plan: compile(field, at),
    };
  });

const isOptional = ({ required }: SchemaNode, key: string): boolean => required?.includes(key) !== true;

/** True if the variant has the keys of the value. */
const describes = ({ properties = {} }: SchemaNode, value: JsonMap): boolean =>
  Object.keys(value).every((key) => key in properties) && fits(properties, value);

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
