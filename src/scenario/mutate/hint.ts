/** Suggests a check that would detect a mutation: something that happens in the original run but not in the mutated one. */

import { formatClockTime } from '../../base/time/instants.ts';
import type { JsonMap } from '../../contract/schema.ts';
import type { ReadRecord } from '../log/canonical-log.ts';
import { isOfCause, type ScenarioChange } from '../model/change.ts';
import { flowText } from './check-changes.ts';

/** An occurrence that a check can detect. */
interface Trace {
  readonly t: number;
  /** The check as YAML; occurrences with equal texts are indistinguishable. */
  readonly check: string;
}

/**
 * The checks for each kind of record, the most specific kind first. The second map of an entry is compared if the first
 * one is equal.
 */
const LOOKS: Readonly<Record<string, (line: ReadRecord) => readonly [JsonMap, JsonMap]>> = {
  event: ({ who, d }) => {
    const object = bodyOf(d['object']);
    const keys = d['about'] === 'muster' ? ['phase', 'kind', 'status'] : ['type', 'severity'];
    const more = d['about'] === 'muster' ? ['totals'] : ['status', 'assigned_to', 'title', 'details'];
    const event = { event: d['type'], ...of(who) };
    return [event, { ...event, object: pick(object, [...keys, ...more]) }];
  },
  alert: ({ who, d }) => {
    const alert = { alert: d['type'], ...of(who), ...pick(d, ['status']) };
    return [alert, { ...alert, ...pick(d, ['severity', 'assigned_to', 'title', 'details']) }];
  },
  muster: ({ d }) => {
    const muster = { muster: 'active', ...pick(d, ['kind', 'phase', 'status']) };
    return [muster, { ...muster, ...pick(d, ['totals', 'assembly_points']) }];
  },
  dlv: ({ who, d }) => {
    const delivery = { delivery: who ?? 'any', event: d['type'], ...pick(d, ['result']) };
    return [delivery, { ...delivery, tries: d['try'], ...pick(d, ['signatures', 'status']) }];
  },
  dest: ({ who, d }) => {
    const failing = d['failing_since'] === null ? null : 'any';
    const destination = { destination: who ?? 'any', failing_since: failing };
    return [destination, { ...destination, ...pick(d, ['is_active']) }];
  },
  mail: ({ d }) => [{ mail: 'any' }, { mail: d['to'], subject: d['subject'] }],
};

/** Returns one or two sentences; `log` is the log of the original run, `changed` that of the mutated run. */
export function hintOf(change: ScenarioChange, log: readonly string[], changed: readonly string[]): string {
  if (!isOfCause(change)) return hintOfDetail(change);
  const [as, without] = [comparedIn(log), comparedIn(changed)];
  const { kind, detail } = change;
  for (const level of [0, 1] as const) {
    for (const record of Object.keys(LOOKS)) {
      const lost = firstLost(tracesOf(as, record, level), tracesOf(without, record, level));
      if (lost === null) continue;
      const what = kind === 'left-out' ? 'what it causes' : 'what differs';
      return `No check looks at ${what}, at ${formatClockTime(lost.t)}. Write below it: - expect: ${lost.check}`;
    }
  }
  if (timesOf(as) !== timesOf(without))
    return `The same things happen ${kind === 'left-out' ? 'without it' : 'with that'}, at other times. Give a check after it the limit that it is meant to prove, like within: 29s..31s.`;
  if (kind === 'threshold')
    return `Nothing in the log depends on it. Delete it, or say in "service" why it is there: ${equivalent(detail)}`;
  return `It has no effect in the log. Check what it does (watch, position, device, worker or api), delete it, or say beside it why it is there: ${equivalent(detail)}`;
}

function hintOfDetail({ word, anyVersion, detail }: ScenarioChange): string {
  const say = `Or say beside it why that is right: ${equivalent(detail)}`;
  if (word === 'every') return `The rule holds of all of these. ${say}`;
  if (anyVersion) return `The check passes for all others, too. Say more of what is expected. ${say}`;
  return `Something else fits the changed check. Say more of what is expected: of, about, or another field. ${say}`;
}

const equivalent = (detail: string): string =>
  `equivalent: {${/^[\w-]+$/.test(detail) ? detail : JSON.stringify(detail)}: "..."}`;

/** Returns the first trace that occurs more often in the first run than in the second. */
function firstLost(as: readonly Trace[], without: readonly Trace[]): Trace | null {
  const left = new Map<string, number>();
  for (const { check } of without) left.set(check, (left.get(check) ?? 0) + 1);
  for (const trace of as) {
    const count = left.get(trace.check) ?? 0;
    if (count === 0) return trace;
    left.set(trace.check, count - 1);
  }
  return null;
}

const comparedIn = (log: readonly string[]): ReadRecord[] =>
  log.map((line) => JSON.parse(line) as ReadRecord).filter(({ k }) => Object.hasOwn(LOOKS, k));

const timesOf = (lines: readonly ReadRecord[]): string => lines.map(({ k, t }) => `${k} ${t}`).join();

const tracesOf = (lines: readonly ReadRecord[], kind: string, level: 0 | 1): Trace[] =>
  lines.filter(({ k }) => k === kind).map((line) => ({ t: line.t, check: flowText(LOOKS[kind]!(line)[level]) }));

const of = (who: string | undefined): JsonMap => (who === undefined ? {} : { of: who });

const bodyOf = (value: unknown): JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonMap) : {};

/** Removes ids and times, which differ between runs. */
function pick(from: JsonMap, keys: readonly string[]): JsonMap {
  const kept = keys.filter((key) => Object.hasOwn(from, key)).map((key) => [key, lasting(from[key])] as const);
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined));
}

function lasting(value: unknown): unknown {
  if (typeof value === 'string') return /^[0-9a-f]{8}-[0-9a-f-]{27}$|^\d{4}-\d\d-\d\dT/.test(value) ? undefined : value;
  if (Array.isArray(value)) return value.map(lasting).filter((item) => item !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, lasting(item)] as const)
      .filter(([, item]) => item !== undefined),
  );
}
