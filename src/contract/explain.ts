/** Explains why a value does not match a schema. It runs only after the compiled check refused the value. */
import { FORMATS } from './formats.ts';
import { isMap, type JsonMap, kindOf, kindOfValue, partsOf, type SchemaNode } from './schema.ts';
import { closest, list, plural, pointerTo, quoted } from './sentences.ts';

/** One violated rule: a JSON pointer and a sentence [decisions 2]. */
export interface CheckError {
  pointer: string;
  detail: string;
}

/** The most errors, so that readers are not overwhelmed: a body of 64 KiB can violate thousands of rules. */
export const MAX_ERRORS = 20;

/** The errors, the outermost first, at most twenty; empty if the value matches. */
export function explain(rules: SchemaNode, value: unknown): CheckError[] {
  const errors: CheckError[] = [];
  walk(rules, value, '', '', errors);
  return errors.slice(0, MAX_ERRORS);
}

/** `or` is appended to sentences about the type, if null is also allowed. */
function walk(rules: SchemaNode, value: unknown, at: string, or: string, errors: CheckError[]): void {
  if (errors.length >= MAX_ERRORS) return;
  const found = ofAlternatives(rules, value, at, or) ?? ofWords(rules, value, at, or) ?? ofType(rules, value, at, or);
  if (found !== undefined) errors.push(...found);
  else if (typeof value === 'string') walkString(rules, value, at, errors);
  else if (typeof value === 'number') walkNumber(rules, value, at, errors);
  else if (Array.isArray(value)) walkItems(rules, value, at, errors);
  else if (isMap(value)) walkFields(rules, value, at, errors);
}

function ofAlternatives(rules: SchemaNode, value: unknown, at: string, or: string): CheckError[] | undefined {
  if (rules.anyOf === undefined) return undefined;
  if (rules.anyOf.some((variant) => attempt(variant, value, at).length === 0)) return undefined;
  const variants = rules.anyOf.filter((variant) => variant.type !== 'null');
  const orNull = variants.length < rules.anyOf.length ? ' or null' : or;
  const fitting = variants.filter((variant) => kindOf(variant) === kindOfValue(value));
  const [only] = variants.length === 1 ? variants : fitting;
  if (only === undefined) {
    const all = variants.flatMap((variant) => variant.anyOf ?? [variant]);
    const kinds = [...new Set(all.map(kindOf))].map((kind) => KIND_WORDS[kind] ?? kind);
    return [{ pointer: at, detail: `must be ${list(kinds)}${orNull}` }];
  }
  if (variants.length === 1 || fitting.length === 1) return attempt(only, value, at, orNull);
  return isMap(value) ? ofVariants(rules, fitting, value, at) : nearest(rules, fitting, value, at);
}

/** Variants of an object are discriminated by a key with disjoint words (`type`, `kind`, `online`). */
function ofVariants(rules: SchemaNode, variants: readonly SchemaNode[], value: JsonMap, at: string): CheckError[] {
  const key = discriminator(variants);
  if (key === undefined) return nearest(rules, variants, value, at);
  const pointer = pointerTo(at, key);
  if (!Object.hasOwn(value, key)) return [{ pointer, detail: 'is required' }];
  const meant = variants.find((variant) => wordsOf(variant.properties?.[key])?.includes(value[key]));
  if (meant !== undefined) return attempt(meant, value, at);
  const all = variants.flatMap((variant) => wordsOf(variant.properties?.[key]) ?? []);
  return [{ pointer, detail: oneOf(all, value[key], '') }];
}

function discriminator(variants: readonly SchemaNode[]): string | undefined {
  const keys = Object.keys(variants[0]?.properties ?? {});
  return keys.find((key) => {
    const sets = variants.map((variant) => wordsOf(variant.properties?.[key]));
    const all = sets.flatMap((set) => set ?? []);
    return sets.every((set) => set !== undefined) && new Set(all).size === all.length;
  });
}

function wordsOf(rules: SchemaNode | undefined): readonly unknown[] | undefined {
  return rules?.const === undefined ? rules?.enum : [rules.const];
}

/** The errors of the variant with the fewest errors. If several have the same number, a sentence about all variants. */
function nearest(rules: SchemaNode, variants: readonly SchemaNode[], value: unknown, at: string): CheckError[] {
  const attempts = variants.map((variant) => attempt(variant, value, at)).sort((a, b) => a.length - b.length);
  const [best, second] = attempts;
  if (best !== undefined && (second === undefined || best.length < second.length)) return best;
  const titles = variants.map((variant) => variant.title).filter((title) => title !== undefined);
  const forms = titles.length === variants.length ? list(titles) : `one of its ${variants.length} forms`;
  return [{ pointer: at, detail: `must have the fields of ${rules.title ?? 'a known form'}: ${forms}` }];
}

function attempt(rules: SchemaNode, value: unknown, at: string, or = ''): CheckError[] {
  const errors: CheckError[] = [];
  walk(rules, value, at, or, errors);
  return errors;
}

function ofWords(rules: SchemaNode, value: unknown, at: string, or: string): CheckError[] | undefined {
  const words = wordsOf(rules);
  if (words === undefined || words.includes(value)) return undefined;
  return [{ pointer: at, detail: oneOf(words, value, or) }];
}

function oneOf(words: readonly unknown[], value: unknown, or: string): string {
  const [first] = words;
  const must = words.length === 1 ? `must be ${quoted(first)}` : `must be one of ${words.map(quoted).join(', ')}`;
  const strings = words.filter((word) => typeof word === 'string');
  return must + or + (words.length > 1 && typeof value === 'string' ? suggestion(value, strings) : '');
}

function suggestion(wrong: string, known: readonly string[]): string {
  const meant = closest(wrong, known);
  return meant === undefined ? '' : `; did you mean ${quoted(meant)}?`;
}

const KIND_WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

function ofType(rules: SchemaNode, value: unknown, at: string, or: string): CheckError[] | undefined {
  const { type } = rules;
  if (type === undefined || type === kindOfValue(value)) return undefined;
  if (type === 'integer' && Number.isInteger(value)) return undefined;
  return [{ pointer: at, detail: `must be ${KIND_WORDS[type] ?? type}${or}` }];
}

function walkString(rules: SchemaNode, value: string, at: string, errors: CheckError[]): void {
  const detail = brokenText(rules, value);
  if (detail !== undefined) errors.push({ pointer: at, detail });
}

function brokenText(rules: SchemaNode, value: string): string | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format, pattern } = rules;
  // There are never more code points than code units, so the costly count is made only if it decides.
  const length = value.length <= maxLength && value.length >= minLength * 2 ? value.length : [...value].length;
  if (length > maxLength) return `must be at most ${plural(maxLength, 'character')}`;
  if (length < minLength) return minLength === 1 ? 'must not be empty' : `must be at least ${minLength} characters`;
  const known = format === undefined ? undefined : FORMATS[format];
  if (known !== undefined && !known.admits(value)) return rules['x-rule'] ?? known.rule;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return rules['x-rule'] ?? `must match ${pattern}`;
  return undefined;
}

function walkNumber(rules: SchemaNode, value: number, at: string, errors: CheckError[]): void {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, exclusiveMinimum } = rules;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    errors.push({ pointer: at, detail: `must be more than ${exclusiveMinimum}` });
  } else if (value < minimum || value > maximum) {
    const bounded = Number.isFinite(minimum) && maximum < Number.MAX_SAFE_INTEGER;
    const between = bounded ? `between ${minimum} and ${maximum}` : '';
    const oneSided = value < minimum ? `at least ${minimum}` : `at most ${maximum}`;
    errors.push({ pointer: at, detail: `must be ${between || oneSided}` });
  }
}

function walkItems(rules: SchemaNode, value: readonly unknown[], at: string, errors: CheckError[]): void {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = rules;
  const must = (detail: string) => errors.push({ pointer: at, detail });
  if (minItems === maxItems && value.length !== minItems) must(`must have exactly ${plural(minItems, 'item')}`);
  else if (value.length < minItems) {
    must(minItems === 1 ? 'must not be empty' : `must have at least ${minItems} items`);
  } else if (value.length > maxItems) must(`must have at most ${plural(maxItems, 'item')}`);
  else walkParts(rules, value, at, errors);
}

function walkParts(
  rules: SchemaNode,
  value: unknown,
  at: string,
  errors: CheckError[],
  done: ReadonlySet<string | number> = new Set(),
): void {
  for (const [key, part, [node]] of partsOf([rules], value)) {
    if (errors.length >= MAX_ERRORS) return;
    if (node === undefined || done.has(key)) continue;
    walkField(node, part, pointerTo(at, String(key)), isOptional(rules, key), errors);
  }
}

const isOptional = ({ properties, required = [] }: SchemaNode, key: string | number): boolean =>
  properties !== undefined && Object.hasOwn(properties, key) && !required.includes(String(key));

/** Many serializers write null for a field without a value. Here an optional field without a value must be absent. */
function walkField(rules: SchemaNode, value: unknown, at: string, isOptional: boolean, errors: CheckError[]): void {
  const begin = errors.length;
  walk(rules, value, at, '', errors);
  const found = errors[begin];
  if (value === null && isOptional && found !== undefined) found.detail += '; leave the key out instead of null';
}

function walkFields(rules: SchemaNode, value: JsonMap, at: string, errors: CheckError[]): void {
  const { properties = {}, required = [], additionalProperties } = rules;
  const explained = explainConditions(rules, value, at, errors);
  for (const key of required) {
    if (!Object.hasOwn(value, key)) errors.push({ pointer: pointerTo(at, key), detail: 'is required' });
  }
  walkParts(rules, value, at, errors, explained);
  if (additionalProperties !== false) return;
  for (const key of Object.keys(value)) {
    if (errors.length >= MAX_ERRORS) return;
    if (Object.hasOwn(properties, key)) continue;
    const free = Object.keys(properties).filter((known) => !Object.hasOwn(value, known));
    errors.push({ pointer: pointerTo(at, key), detail: `is not a known field${suggestion(key, free)}` });
  }
}

/** A condition "this type, this variant" gives a more exact error than the union of all variants. */
function explainConditions(rules: SchemaNode, value: JsonMap, at: string, errors: CheckError[]): Set<string> {
  const explained = new Set<string>();
  for (const rule of rules.allOf ?? []) {
    if (rule.if === undefined || rule.then === undefined || attempt(rule.if, value, at).length > 0) continue;
    for (const [key, property] of Object.entries(rule.then.properties ?? {})) {
      if (!Object.hasOwn(value, key)) continue;
      explained.add(key);
      walkField(property, value[key], pointerTo(at, key), isOptional(rules, key), errors);
    }
  }
  return explained;
}
