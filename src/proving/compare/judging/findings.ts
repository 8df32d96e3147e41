/** Collects the deviations of one exchange or delivery. [spec 2] */
import type { TSchema } from 'typebox';
import { check } from '../../../contract/check.ts';
import { isMap, withoutKeywords } from '../../../contract/schema.ts';
import type { ContractFinding, Deviation, Traffic } from '../exchange.ts';

const opened = new WeakMap<TSchema, TSchema>();

/** Returns the schema without the keywords that forbid unknown fields and new values of open sets. [decisions 2] */
function openSchema(schema: TSchema): TSchema {
  let open = opened.get(schema);
  if (open === undefined) {
    const growing = JSON.stringify(schema, (key, value: unknown) => {
      if (!isMap(value)) return value;
      if (value['x-open'] !== undefined) return { type: 'string', description: value['description'] };
      // The rule `revision` judges the lowest value, which depends on the exclusions.
      return key === 'targets_revision' ? { ...value, minimum: undefined } : value;
    });
    open = withoutKeywords(
      JSON.parse(growing),
      (keyword, value) => keyword === 'additionalProperties' && value === false,
    ) as TSchema;
    opened.set(schema, open);
  }
  return open;
}

/** Replaces list indexes with `*`. */
const placeOf = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*');

/** The deviations of one exchange or delivery. */
export class Findings {
  readonly all: Deviation[] = [];
  readonly #operation: string;
  readonly #traffic: Traffic;

  constructor(operation: string, traffic: Traffic) {
    this.#operation = operation;
    this.#traffic = traffic;
  }

  add(rule: string, clause: string, pointer: string, detail: string): void {
    this.addAll([{ rule, clause, pointer, detail }]);
  }

  addAll(found: readonly ContractFinding[]): void {
    for (const one of found)
      this.all.push({
        ...one,
        pointer: placeOf(one.pointer),
        operation: one.operation ?? this.#operation,
        traffic: this.#traffic,
      });
  }
}

/** Returns the parsed body; undefined if it is empty or not JSON. */
export function parsed({ body, headers }: Traffic, found: Findings): unknown {
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    found.add('json', '[spec 7]', '', `the body is not JSON (${headers['content-type'] ?? 'no Content-Type'})`);
    return undefined;
  }
}

export const schemaErrors = (schema: TSchema, body: unknown) => {
  const checked = check(openSchema(schema), body);
  return checked.ok ? [] : checked.errors;
};
