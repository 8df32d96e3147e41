/** Refuses durations that lead to times outside of the years 0 to 9999, because such times cannot be written. [decisions 1] */
import type { TSchema } from 'typebox';
import type { Instant } from '../../../base/time/clock.ts';
import { parseDuration } from '../../../base/time/durations.ts';
import { isWritable } from '../../../base/time/instants.ts';
import type { CheckError } from '../../../contract/check.ts';
import { partsOf, type SchemaNode, variantsOf } from '../../../contract/schema.ts';

/** Errors for the durations of a checked value that lead too far from `now`. The schema's `x-time` marks durations. */
export function outOfReach(schema: TSchema, value: unknown, now: Instant): CheckError[] {
  return walk(schema as SchemaNode, value, '', now);
}

function walk(rules: SchemaNode, value: unknown, at: string, now: Instant): CheckError[] {
  if (typeof value === 'string') return leadsOut(rules, value, now) ? [{ pointer: at, detail: LEADS_OUT }] : [];
  // A list may match one of several schemas. An object has one schema.
  const nodes = Array.isArray(value) ? variantsOf(rules) : [rules];
  return partsOf(nodes, value).flatMap(([key, part, [node]]) =>
    node === undefined ? [] : walk(node, part, `${at}/${key}`, now),
  );
}

const LEADS_OUT = 'must not lead out of the years 0 to 9999';

function leadsOut(rules: SchemaNode, text: string, now: Instant): boolean {
  const direction = rules['x-time'] ?? rules.anyOf?.find((variant) => variant['x-time'] !== undefined)?.['x-time'];
  if (direction === undefined) return false;
  const [, minus, duration = ''] = /^(-?)(.*)$/s.exec(text) ?? [];
  const ms = parseDuration(duration);
  if (ms === null) return !isTime(text);
  return !isWritable(direction === 'behind' || minus === '-' ? now - ms : now + ms);
}

/** A time contains a T, but a duration that is too large to parse does not. The schema has validated the time. */
const isTime = (text: string): boolean => text.includes('T');
