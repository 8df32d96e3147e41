/** Collects the deviations of one exchange or delivery. [spec 2] */
import type { TSchema } from 'typebox';
import { check } from '../../../contract/check.ts';
import { isMap, withoutKeywords } from '../../../contract/schema.ts';
import type { ApiExchange, ContractFinding, Deviation, Traffic } from '../exchange.ts';

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
export function parsed(traffic: Traffic, found: Findings): unknown {
  const { body, headers } = traffic;
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    // The page of a gateway in front of the service, which knows no problem+json. A page of the service itself is a 500.
    if (traffic.kind === 'call' && isOfGateway(traffic)) return undefined;
    found.add('json', '[spec 7]', '', `the body is not JSON (${headers['content-type'] ?? 'no Content-Type'})`);
    return undefined;
  }
}

/** Statuses that a gateway may answer instead of the service. A 500 is the service's own. */
export const OF_GATEWAYS: readonly number[] = [408, 431, 502, 503, 504];

const isOfGateway = ({ status, headers }: ApiExchange): boolean =>
  OF_GATEWAYS.includes(status) && !/json/i.test(headers['content-type'] ?? '');

export const schemaErrors = (schema: TSchema, body: unknown) => {
  const checked = check(openSchema(schema), body);
  return checked.ok ? [] : checked.errors;
};
