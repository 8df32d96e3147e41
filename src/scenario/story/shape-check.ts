/** Validates the matcher of a check against the schema of the body: a misspelt field could never match. */
import { itemOf, keyOf, type SchemaNode, variantsOf } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import type { Path, Report } from '../../plant/mistakes.ts';
import { didYouMean } from '../../plant/section-check.ts';
import type { Matcher } from './matchers.ts';

/** Reports fields that the body does not have, and enum words that a field never takes. `noun`: "an alert". */
export function reportMisshapen(matcher: Matcher, schema: object, noun: string, path: Path, report: Report): void {
  walk(matcher, variantsOf(schema as SchemaNode), noun, path, report);
}

function walk(matcher: Matcher, shapes: readonly SchemaNode[], noun: string, path: Path, report: Report): void {
  switch (matcher.kind) {
    case 'fields':
      return walkFields(matcher.fields, shapes, noun, path, report);
    case 'contains':
    case 'list': {
      const items = itemOf(shapes).flatMap(variantsOf);
      const at = matcher.kind === 'contains' ? [...path, 'contains'] : path;
      for (const item of matcher.items) if (items.length > 0) walk(item, items, `an item of ${noun}`, at, report);
      return;
    }
    case 'not':
      return walk(matcher.matcher, shapes, noun, path, report);
    case 'one-of':
      for (const one of matcher.matchers) walk(one, shapes, noun, path, report);
      return;
    case 'equal':
      return reportWord(matcher.value, shapes, noun, path, report);
    default:
  }
}

function walkFields(
  fields: ReadonlyMap<string, Matcher>,
  shapes: readonly SchemaNode[],
  noun: string,
  path: Path,
  report: Report,
): void {
  const bodies = shapes.filter(({ properties }) => properties !== undefined);
  if (bodies.length === 0) return;
  for (const [key, matcher] of fields) {
    const known = keyOf(bodies, key).flatMap(variantsOf);
    if (known.length > 0) {
      walk(matcher, known, quoted(key), [...path, key], report);
      continue;
    }
    const names = [...new Set(bodies.flatMap(({ properties }) => Object.keys(properties!)))];
    const free = names.filter((name) => !fields.has(name));
    report.mistake([...path, key], `${quoted(key)} is not a field of ${noun}.${didYouMean(key, free)}`, 'key');
  }
}

function reportWord(value: unknown, shapes: readonly SchemaNode[], noun: string, path: Path, report: Report): void {
  if (typeof value !== 'string') return;
  const words = shapes.flatMap((shape) => shape.enum ?? []);
  // If a variant is free text, any word is possible.
  const open = shapes.some((shape) => shape.type === 'string' && shape.enum === undefined);
  if (words.length === 0 || open || words.includes(value)) return;
  const meant = didYouMean(value, words.map(String));
  report.mistake(path, `${noun} is never ${quoted(value)}.${meant}`);
}
