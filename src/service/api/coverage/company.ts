/** What one company has met: items, facts of bodies, and mistakes. Bodies are never kept. */
import type { Instant } from '../../../base/time/clock.ts';
import type { SchemaNode } from '../../../contract/schema.ts';
import type { Raw } from '../answers/raw.ts';
import { BODY_SCHEMAS, COVERAGE_ITEMS, type CoverageItem } from './catalogue.ts';
import { type FactPlan, factsOf, itemsPlan, openPlan, planOf } from './facts.ts';

/** When an item was met first, and by which answer. */
export interface Met {
  readonly at: Instant;
  /** For example `GET /v1/alerts 200` or `alert.created, try 2`. */
  readonly by: string;
}

const ITEMS_OF_FACT = new Map<string, CoverageItem[]>();
for (const item of COVERAGE_ITEMS)
  for (const fact of item.facts?.flat() ?? []) ITEMS_OF_FACT.set(fact, [...(ITEMS_OF_FACT.get(fact) ?? []), item]);

const PLANS = new Map<SchemaNode, FactPlan>(BODY_SCHEMAS.map((schema) => [schema, planOf(schema)]));

/** Most events that are remembered as read. */
const MOST_EVENTS = 2_000;

export class CompanyCoverage {
  readonly #met = new Map<string, Met>();
  /** Refusals that were met, and not handled yet. */
  readonly #unhandled = new Map<string, Met>();
  readonly #facts = new Map<string, Met>();
  /** What bodies of a schema can still show, as of `#plannedAt` facts; null: nothing. */
  readonly #plans = new Map<SchemaNode, FactPlan | null>();
  #plannedAt = 0;
  /** Texts that are kept for many answers, and events by id: what was read shows nothing new. */
  readonly #readTexts = new WeakSet<Buffer>();
  readonly #readEvents = new Set<string>();
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

  /** The facts of items that need two and have one. */
  partly(): { readonly fact: string; readonly met: Met }[] {
    const partial = COVERAGE_ITEMS.filter(({ id, facts = [] }) => facts.length > 1 && !this.#met.has(id));
    return [...new Set(partial.flatMap(({ facts = [] }) => facts.flat()))].flatMap((fact) => {
      const met = this.#facts.get(fact);
      return met === undefined ? [] : [{ fact, met }];
    });
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
    return this.#open(schema) !== null;
  }

  read(schema: SchemaNode, value: unknown, met: Met): void {
    const plan = this.#open(schema);
    if (plan !== null) this.#read(plan, value, met);
  }

  /** Reads an answer, or those of its items that were not read before. */
  readRaw(schema: SchemaNode, { text, page }: Raw, met: Met): void {
    const whole = this.#open(schema);
    const plan = whole !== null && page !== null ? itemsPlan(whole) : whole;
    if (plan === null) return;
    const items = page === null ? [text] : page.items;
    for (let n = 0; n < items.length; n++) {
      const item = items[n] as string | Buffer;
      const id = page?.ids?.[n];
      if (id === undefined ? this.#isNewText(item) : this.isNewEvent(id))
        this.#read(plan, JSON.parse(item.toString()), met);
    }
  }

  #isNewText(text: string | Buffer): boolean {
    if (typeof text === 'string') return true;
    if (this.#readTexts.has(text)) return false;
    this.#readTexts.add(text);
    return true;
  }

  /** True if the event was not read yet; from now on it is. */
  isNewEvent(id: string): boolean {
    if (this.#readEvents.has(id)) return false;
    this.#readEvents.add(id);
    if (this.#readEvents.size > MOST_EVENTS) this.#readEvents.delete(this.#readEvents.keys().next().value as string);
    return true;
  }

  #open(schema: SchemaNode): FactPlan | null {
    if (this.#plannedAt !== this.#facts.size) this.#plans.clear();
    this.#plannedAt = this.#facts.size;
    let plan = this.#plans.get(schema);
    if (plan === undefined) {
      const isOpen = (fact: string) => ITEMS_OF_FACT.has(fact) && !this.#facts.has(fact);
      plan = openPlan(PLANS.get(schema) as FactPlan, isOpen);
      this.#plans.set(schema, plan);
    }
    return plan;
  }

  #read(plan: FactPlan, value: unknown, met: Met): void {
    factsOf(plan, value, (fact) => this.#fact(fact, met));
  }

  #fact(fact: string, met: Met): void {
    if (this.#facts.has(fact)) return;
    const items = ITEMS_OF_FACT.get(fact);
    if (items === undefined) return;
    this.#facts.set(fact, met);
    for (const { id, facts = [] } of items)
      if (facts.every((some) => some.some((one) => this.#facts.has(one)))) this.meet(id, met);
  }
}
