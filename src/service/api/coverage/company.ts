/** What one company has met: items, facts of bodies, and mistakes. Bodies are never kept. */
import type { Instant } from '../../../base/time/clock.ts';
import type { SchemaNode } from '../../../contract/schema.ts';
import { BODY_SCHEMAS, COVERAGE_ITEMS, type CoverageItem } from './catalogue.ts';
import { factsOf, possibleFacts } from './facts.ts';

/** When an item was met first, and by which answer. */
export interface Met {
  readonly at: Instant;
  /** For example `GET /v1/alerts 200` or `alert.created, try 2`. */
  readonly by: string;
}

const ITEMS_OF_FACT = new Map<string, CoverageItem[]>();
for (const item of COVERAGE_ITEMS)
  for (const fact of item.facts?.flat() ?? []) ITEMS_OF_FACT.set(fact, [...(ITEMS_OF_FACT.get(fact) ?? []), item]);

/** The facts that count, by the schema of a body. */
const FACTS_OF_SCHEMA = new Map<SchemaNode, readonly string[]>(
  BODY_SCHEMAS.map((schema) => [schema, [...possibleFacts(schema)].filter((fact) => ITEMS_OF_FACT.has(fact))]),
);

export class CompanyCoverage {
  readonly #met = new Map<string, Met>();
  /** Refusals that were met, and not handled yet. */
  readonly #unhandled = new Map<string, Met>();
  readonly #facts = new Set<string>();
  /** Schemas of which every fact was seen. */
  readonly #complete = new Set<SchemaNode>();
  readonly mistakes = new Map<string, number>();
  readonly filters = new Set<string>();
  requests = 0;
  deliveries = 0;

  get met(): ReadonlyMap<string, Met> {
    return this.#met;
  }

  get unhandled(): ReadonlyMap<string, Met> {
    return this.#unhandled;
  }

  meet(id: string, met: Met): void {
    this.#unhandled.delete(id);
    if (!this.#met.has(id)) this.#met.set(id, met);
  }

  /** A refusal that the client has to handle before it counts. */
  refuse(id: string, met: Met): void {
    if (!this.#met.has(id) && !this.#unhandled.has(id)) this.#unhandled.set(id, met);
  }

  /** False if no body of the schema can show anything new. */
  isCurious(schema: SchemaNode): boolean {
    if (this.#complete.has(schema)) return false;
    const isOpen = (FACTS_OF_SCHEMA.get(schema) ?? []).some((fact) => !this.#facts.has(fact));
    if (!isOpen) this.#complete.add(schema);
    return isOpen;
  }

  /** Looks at a body, or at a part of it with its own schema. */
  read(schema: SchemaNode, value: unknown, met: Met): void {
    factsOf(schema, value, (fact) => this.#fact(fact, met));
  }

  #fact(fact: string, met: Met): void {
    if (this.#facts.has(fact)) return;
    const items = ITEMS_OF_FACT.get(fact);
    if (items === undefined) return;
    this.#facts.add(fact);
    for (const { id, facts = [] } of items)
      if (facts.every((some) => some.some((one) => this.#facts.has(one)))) this.meet(id, met);
  }
}
