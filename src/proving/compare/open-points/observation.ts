/** The result of an observer of an open point, and the lists that observers read. [cli, compare] */
import type { ObservableId, ReadingOf } from '../../../contract/gaps.ts';
import { isMap, type JsonMap } from '../../../contract/schema.ts';
import { jsonOf } from '../compared-check.ts';
import type { ApiExchange } from '../exchange.ts';
import type { JudgedService } from '../judged-service.ts';
import type { WriteExchange } from '../writes.ts';

/** A reading of the table; a description of another reading; or the reason why none could be observed. */
export type Observation<R extends string = string> =
  | { readonly reading: R }
  | { readonly other: string }
  | { readonly unknown: string };

export interface ObservedParts {
  readonly service: JudgedService;
  /** The answers to the permitted checks that write. */
  readonly writes: readonly WriteExchange[];
}

export type Observer<I extends ObservableId> = (parts: ObservedParts) => Promise<Observation<ReadingOf<I>>>;
export type Observers<I extends ObservableId> = { readonly [P in I]: Observer<P> };

const LONG_LIST = 'limit=200';
export const alertsOf = ({ service }: ObservedParts): Promise<JsonMap[]> => service.list('/v1/alerts', LONG_LIST);
export const mustersOf = ({ service }: ObservedParts): Promise<JsonMap[]> => service.list('/v1/musters', LONG_LIST);
export const eventsOf = ({ service }: ObservedParts): Promise<JsonMap[]> => service.list('/v1/events', LONG_LIST);

export const missingOf = ({ service }: ObservedParts, muster: JsonMap, scope?: string): Promise<JsonMap[]> =>
  service.list(`/v1/musters/${encodeURIComponent(String(muster['id']))}/missing`, undefined, scope);

export const map = (value: unknown): JsonMap => (isMap(value) ? value : {});
export const maps = (value: unknown): JsonMap[] => (Array.isArray(value) ? value.filter(isMap) : []);
export const bodyOf = (answer: ApiExchange): JsonMap => map(jsonOf(answer.body));
export const timeOf = (value: unknown): number => Date.parse(String(value));

/**
 * Returns the reading that all examples have; `other` if they differ; `unknown` with the reason `none` if there is no example.
 */
export function agreed<R extends string>(readings: readonly R[], none: string): Observation<R> {
  const [first, ...others] = [...new Set(readings)];
  if (first === undefined) return { unknown: none };
  return others.length === 0 ? { reading: first } : { other: `both: ${[first, ...others].join(', ')}` };
}

/** Returns the reading for the status of an answer. */
export function byStatus<R extends string>(
  answer: ApiExchange | null,
  readings: Readonly<Record<number, R>>,
): Observation<R> {
  if (answer === null) return { unknown: 'the service did not answer' };
  const reading = readings[answer.status];
  if (reading !== undefined) return { reading };
  return answer.status === 403
    ? { unknown: `the service answers ${answer.status}` }
    : { other: `it answers ${answer.status}` };
}
