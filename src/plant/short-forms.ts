/** Replaces the short forms of a document by their long forms directly after YAML, and keeps the position of each value. [scenario-language, Short forms] */

import { nameForm } from '../base/text/same-name.ts';
import { isMap, type JsonMap, kindOfValue } from '../contract/schema.ts';
import { quoted } from '../contract/sentences.ts';
import { collected, type Mistake, type Path, TooManyMistakes } from './mistakes.ts';
import type { YamlSource } from './yaml-source.ts';

/** The long form of a value. */
export interface LongForm {
  readonly value: JsonMap | readonly unknown[];
  /** The keys or indexes that the short form does not have, each with the path of its value below the short value. */
  readonly added: ReadonlyMap<string | number, Path>;
}

/** What a reader of short forms knows of the text. */
interface ShortPlace {
  /** The text of the value at this path below the short value. */
  textOf(below: Path): string | undefined;
  mistake(below: Path, message: string): void;
}

/** The form of a value: how it may be written shorter, and the forms of the values in it. */
export interface ValueForm {
  /** Returns null if the value is not a short form. */
  longOf?(value: unknown, place: ShortPlace): LongForm | null;
  /** The form of the value of a key or of an item; undefined if there are no short forms in it. */
  below?(key: string | number): ValueForm | undefined;
}

/** Returns the document with all its values in their long forms. Its paths are those of the long forms. */
export function inLongForm(source: YamlSource, form: ValueForm): YamlSource {
  const lengthening = new Lengthening(source);
  const value = lengthening.long(source.value, form, [], []);
  const { mistakes } = lengthening;
  if (value === source.value && mistakes.length === 0) return source;
  const ownPath = (path: Path): Path => lengthening.ownPath(path);
  return {
    ...source,
    value,
    mistakes: [...source.mistakes, ...mistakes],
    // A key that only the long form has is at its value.
    placeOf: (path, spot) => source.placeOf(ownPath(path), lengthening.isAdded(path) ? 'value' : spot),
    lineOf: (path) => source.lineOf(ownPath(path)),
    textOf: (path) => source.textOf(ownPath(path)),
  };
}

class Lengthening {
  readonly mistakes: Mistake[] = [];
  readonly #source: YamlSource;
  /** The paths in the text of the values whose key or index only the long form has. */
  readonly #added = new Map<string, Path>();

  constructor(source: YamlSource) {
    this.#source = source;
  }

  isAdded(path: Path): boolean {
    return this.#added.has(keyOf(path));
  }

  ownPath(path: Path): Path {
    if (this.#added.size === 0) return path;
    for (let depth = path.length; depth > 0; depth--) {
      const own = this.#added.get(keyOf(path.slice(0, depth)));
      if (own !== undefined) return [...own, ...path.slice(depth)];
    }
    return path;
  }

  /** `path`: the path of the value in its long form; `own`: its path in the text. */
  long(value: unknown, form: ValueForm, path: Path, own: Path): unknown {
    const longer = form.longOf?.(value, this.#placeOf(own)) ?? null;
    const whole = longer === null ? value : longer.value;
    for (const [key, below] of longer?.added ?? []) this.#added.set(keyOf([...path, key]), [...own, ...below]);
    const ownOf = (key: string | number): Path => [...own, ...(longer?.added.get(key) ?? [key])];
    const longPart = (part: unknown, key: string | number): unknown => {
      const below = form.below?.(key);
      return below === undefined ? part : this.long(part, below, [...path, key], ownOf(key));
    };
    if (Array.isArray(whole)) return unlessEqual(whole, whole.map(longPart));
    if (!isMap(whole)) return whole;
    const entries = Object.entries(whole);
    const parts = entries.map(([key, part]) => longPart(part, key));
    if (parts.every((part, i) => part === entries[i]?.[1])) return whole;
    return Object.fromEntries(entries.map(([key], i) => [key, parts[i]]));
  }

  #placeOf(own: Path): ShortPlace {
    const { file } = this.#source;
    return {
      textOf: (below) => this.#source.textOf([...own, ...below]),
      mistake: (below, message) => {
        try {
          collected(this.mistakes, { file, ...this.#source.placeOf([...own, ...below]), message });
        } catch (error) {
          if (!(error instanceof TooManyMistakes)) throw error;
        }
      },
    };
  }
}

const keyOf = (path: Path): string => nameForm(JSON.stringify(path));

const unlessEqual = (before: readonly unknown[], after: readonly unknown[]): readonly unknown[] =>
  after.every((one, i) => one === before[i]) ? before : after;

/** `{who: ana}` for `ana`. */
export const underKey = (key: string, value: unknown): LongForm => ({
  value: { [key]: value },
  added: new Map([[key, []]]),
});

/** `[smoke]` for `smoke`. */
const asList = (value: unknown): LongForm => ({ value: [value], added: new Map([[0, []]]) });

/** `{ana: {}, ben: {}}` for `[ana, ben]`; null for a list of other values. */
function asNames(given: readonly unknown[], place: ShortPlace): LongForm | null {
  if (!given.every(isWord)) return null;
  const names = new Map<string, Path>();
  for (const [i, one] of given.entries()) {
    // A name is a key here, and a key is a text as it is written: 007.
    const name = typeof one === 'string' ? one : (place.textOf([i]) ?? String(one));
    if (names.has(name)) place.mistake([i], `${quoted(name)} is repeated. Delete one.`);
    else names.set(name, [i]);
  }
  return { value: Object.fromEntries([...names.keys()].map((name) => [name, {}])), added: names };
}

const isWord = (value: unknown): boolean =>
  (typeof value === 'string' && !isParameter(value)) || typeof value === 'number' || typeof value === 'boolean';

/** A parameter has its value only later: it can be a list or a map. */
const isParameter = (value: string): boolean => value.startsWith('$');

/** The keywords of a schema that the short forms follow from. */
interface FormNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly FormNode[];
  readonly items?: FormNode;
  readonly properties?: Readonly<Record<string, FormNode>>;
  readonly patternProperties?: Readonly<Record<string, FormNode>>;
  readonly additionalProperties?: unknown;
  /** The key for which a number alone stands. */
  readonly 'x-alone'?: string;
  /** True for an entry of a map that may be empty, so that its name alone is sufficient. */
  readonly 'x-bare'?: boolean;
  /** True for a list that one item alone cannot replace. */
  readonly 'x-whole'?: boolean;
}

/**
 * The forms that a schema has: one item for a list, names for a map whose entries may be empty, and a number for the key
 * that `x-alone` names. `refs`: the forms of the definitions to which the schema refers.
 */
export function formOfSchema(schema: object, refs: Readonly<Record<string, ValueForm>> = {}): ValueForm {
  const node = schema as FormNode;
  if (node.$ref !== undefined) return refs[node.$ref.replace('#/definitions/', '')] ?? {};
  const variants = variantsOf(node);
  const list = variants.find((one) => has(one, 'array') && one['x-whole'] !== true);
  const fields = variants.find((one) => has(one, 'object'));
  const entry = fields === undefined ? undefined : entryOf(fields);
  const inner = new Map<string | number, ValueForm>();
  const formAt = (key: string | number): ValueForm | undefined => {
    const known = inner.get(key);
    const below = list?.items ?? fields?.properties?.[key];
    if (known !== undefined || below === undefined) return known;
    const found = formOfSchema(below, refs);
    inner.set(key, found);
    return found;
  };
  const ofEntry = entry === undefined ? undefined : formOfSchema(entry, refs);
  return {
    longOf: (value, place) => {
      if (value === undefined) return null;
      if (value === null) return fields?.['x-bare'] === true ? { value: {}, added: new Map() } : null;
      if (list?.items !== undefined && isOneItem(value, list.items) && !variants.some((one) => fits(value, one)))
        return asList(value);
      if (entry?.['x-bare'] === true && Array.isArray(value)) return asNames(value, place);
      const alone = fields?.['x-alone'];
      const isAlone = alone !== undefined && (typeof value === 'number' || (isText(value) && isParameter(value)));
      return isAlone ? underKey(alone, value) : null;
    },
    below: (key) => (list === undefined ? (formAt(key) ?? ofEntry) : formAt(0)),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';

const variantsOf = (node: FormNode): readonly FormNode[] => node.anyOf?.flatMap(variantsOf) ?? [node];

const has = ({ type }: FormNode, kind: string): boolean => [type].flat().includes(kind);

/** The schema of each entry of a map whose keys are names. */
function entryOf({ patternProperties, additionalProperties }: FormNode): FormNode | undefined {
  const [pattern] = Object.values(patternProperties ?? {});
  return pattern ?? (isMap(additionalProperties) ? additionalProperties : undefined);
}

/** True for one item of the list. A number or a truth value in a list of texts is reported by the reader of the list. */
function isOneItem(value: unknown, items: FormNode): boolean {
  if (isMap(value)) return items.$ref !== undefined || variantsOf(items).some((one) => has(one, 'object'));
  if (!isWord(value) || items.$ref !== undefined) return false;
  return variantsOf(items).some((one) => has(one, 'string') || one.enum !== undefined);
}

/** True if the value is a correct value of a schema that is not a list. */
function fits(value: unknown, node: FormNode): boolean {
  if (node.const !== undefined) return node.const === value;
  if (node.enum !== undefined) return node.enum.includes(value);
  return !has(node, 'array') && has(node, kindOfValue(value));
}
