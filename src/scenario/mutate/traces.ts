/** What a run leaves behind, as the checks that find it: two runs are compared by these checks. */
import { isMap, type JsonMap } from '../../contract/schema.ts';
import type { ReadRecord } from '../log/canonical-log.ts';
import type { ScenarioCast } from '../model/scenario.ts';
import { flowText } from './check-changes.ts';
import type { ObservedChanges, SeenState } from './observed-changes.ts';

/** Something that a check can find. */
interface Trace {
  readonly t: number;
  readonly check: JsonMap;
  /** The check as YAML on one line; occurrences with equal texts are indistinguishable. */
  readonly text: string;
}

/** A check that finds something different in the two runs. */
export interface Difference {
  /** How often the unchanged run has it, and the mutated one. */
  readonly counts: readonly [unchanged: number, mutated: number];
  /** The first one that only one of the runs has, or that has another time there; ms from the start. */
  readonly t: number;
  /** The time in the mutated run, if only the time differs. */
  readonly otherT: number | null;
  readonly check: JsonMap;
}

/** A plain check of a record, and what else can be compared: each with the name of what is added to the plain check. */
interface Looked {
  readonly plain: JsonMap;
  readonly more: readonly (readonly [name: string, check: JsonMap])[];
}

const looked = (plain: JsonMap, fields: JsonMap, keys: readonly string[], under: string | null = null): Looked => ({
  plain,
  more: single(fields, keys).map(([name, one]) => [name, { ...plain, ...(under === null ? one : { [under]: one }) }]),
});

/** The checks for each kind of record, the most specific kind first. */
const LOOKS: Readonly<Record<string, (line: ReadRecord) => Looked>> = {
  event: ({ who, d }) => {
    const keys = d['about'] === 'muster' ? MUSTER_KEYS : ALERT_KEYS;
    return looked({ event: d['type'], ...of(who) }, bodyOf(d['object']), keys, 'object');
  },
  alert: ({ who, d }) => looked({ alert: d['type'], ...of(who), status: d['status'] }, d, ALERT_KEYS),
  muster: ({ d }) => looked({ muster: 'active', phase: d['phase'] }, d, MUSTER_KEYS),
  dlv: ({ who, d }) =>
    looked({ delivery: who ?? 'any', event: d['type'], result: d['result'] }, { ...d, tries: d['try'] }, DELIVERY_KEYS),
  dest: ({ who, d }) => {
    const failing = d['failing_since'] === null ? null : 'any';
    return looked({ destination: who ?? 'any', failing_since: failing }, d, ['is_active']);
  },
  mail: ({ d }) => looked({ mail: d['to'] }, d, ['subject']),
};

/** The title last: it holds the name of a person. */
const ALERT_KEYS = ['type', 'severity', 'status', 'details', 'assigned_to', 'zone', 'title'];
const MUSTER_KEYS = ['kind', 'phase', 'status', 'totals', 'recommended_points', 'assembly_points'];
const DELIVERY_KEYS = ['tries', 'status', 'signatures'];

/** Both runs, with the short names of the scenario. */
interface RunPair {
  readonly unchanged: ObservedChanges;
  readonly mutated: ObservedChanges;
  readonly cast: ScenarioCast;
}

/** What differs in the events, alerts, musters, deliveries, destinations, mails and calls: the plainest checks first. */
export function differences({ unchanged, mutated, cast }: RunPair): Difference[] {
  const kinds = [...Object.keys(LOOKS).map((kind) => recordsOf(kind, cast)), callsOf, screensOf];
  const pairs = kinds.map((seenIn) => [seenIn(unchanged), seenIn(mutated)] as const);
  return [
    ...pairs.flatMap(([before, after]) => differencesOf(before.map(plainTrace), after.map(plainTrace))),
    ...pairs.flatMap(([before, after]) => {
      const names = new Set(before.flatMap(({ more }) => more.map(([name]) => name)));
      return [...names].flatMap((name) => differencesOf(tracesWith(name, before), tracesWith(name, after)));
    }),
  ];
}

type Seen = Looked & { readonly t: number };

const recordsOf =
  (kind: string, cast: ScenarioCast) =>
  ({ log }: ObservedChanges): Seen[] =>
    log
      .filter(({ k }) => k === kind)
      .map(({ who, ...line }) => ({ t: line.t, ...LOOKS[kind]!({ ...line, ...nameOf(who, kind, cast) }) }));

const callsOf = ({ requests, startMs }: ObservedChanges): Seen[] =>
  requests.map(({ at, method, path, status, code }) => {
    const plain = { request: `${method} ${path.replace(UUIDS, '*')}`, status };
    return { t: at - startMs, ...looked(plain, code === null ? {} : { code }, ['code']) };
  });

const screensOf = ({ screens }: ObservedChanges): Seen[] =>
  screens.map(({ t, check }) => ({ t, plain: check, more: [] }));

const plainTrace = ({ t, plain }: Seen): Trace => traceOf(t, plain);

const tracesWith = (name: string, seen: readonly Seen[]): Trace[] =>
  seen.flatMap(({ t, more }) => more.filter(([one]) => one === name).map(([, check]) => traceOf(t, check)));

const UUIDS = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

const traceOf = (t: number, check: JsonMap): Trace => ({ t, check, text: flowText(check) });

/** A member of a crowd has no name in a check: the crowd has. */
function nameOf(who: string | undefined, kind: string, cast: ScenarioCast): { who?: string } {
  if (who === undefined) return {};
  if (cast.has(who) || kind === 'dlv' || kind === 'dest') return { who };
  const crowd = [...cast].find(([, people]) => people.includes(who));
  return crowd === undefined ? {} : { who: crowd[0] };
}

/** The first difference of each text: those with another number first, then those with another time. */
function differencesOf(unchanged: readonly Trace[], mutated: readonly Trace[]): Difference[] {
  const [before, after] = [byText(unchanged), byText(mutated)];
  const other: Difference[] = [];
  const later: Difference[] = [];
  for (const text of new Set([...before.keys(), ...after.keys()])) {
    const [own, others] = [before.get(text) ?? [], after.get(text) ?? []];
    const { check, t } = (own[0] ?? others[0]) as Trace;
    const counts = [own.length, others.length] as const;
    const at = own.findIndex((trace, i) => trace.t !== others[i]?.t);
    if (own.length !== others.length) other.push({ counts, t: own[at]?.t ?? t, otherT: null, check });
    else if (at >= 0) later.push({ counts, t: own[at]!.t, otherT: others[at]!.t, check });
  }
  // What the mutated run lacks comes first: a check that it is there is plainer than one that nothing else is.
  return [
    ...other.filter(({ counts: [own, less] }) => own > less),
    ...other.filter(({ counts: [own, less] }) => own < less),
    ...later,
  ];
}

function byText(traces: readonly Trace[]): Map<string, Trace[]> {
  const found = new Map<string, Trace[]>();
  for (const trace of traces) found.set(trace.text, [...(found.get(trace.text) ?? []), trace]);
  return found;
}

/** The fields of the workers' watches, data and positions that differ: one check for each. */
export function stateDifferences(unchanged: SeenState | null, mutated: SeenState | null): JsonMap[] {
  return [...(unchanged ?? [])].flatMap(([subject, fields]) => {
    const others = mutated?.get(subject);
    const whole = JSON.parse(subject) as JsonMap;
    if (others === undefined) return [whole];
    const other = new Set(single(others, Object.keys(others)).map(([, one]) => flowText(one)));
    return single(fields, Object.keys(fields))
      .filter(([, one]) => !other.has(flowText(one)))
      .map(([, one]) => ({ ...whole, ...one }));
  });
}

const of = (who: string | undefined): JsonMap => (who === undefined ? {} : { of: who });

const bodyOf = (value: unknown): JsonMap => (isMap(value) ? value : {});

/** Each field alone, and each field of a map alone: `details.battery_pct`. */
function single(from: JsonMap, keys: readonly string[]): [name: string, value: JsonMap][] {
  return keys.flatMap((key): [string, JsonMap][] => {
    const value = lasting(from[key]);
    if (value === undefined) return [];
    if (Array.isArray(value) && value.every(isMap)) return itemsOf(key, value);
    if (!isMap(value)) return [[key, { [key]: value }]];
    return Object.entries(value).map(([name, item]) => [`${key}.${name}`, { [key]: { [name]: item } }]);
  });
}

/** Each field of a named item alone: that the list contains an item with this name and this field. */
const itemsOf = (key: string, items: readonly JsonMap[]): [name: string, value: JsonMap][] =>
  items.flatMap(({ name, ...others }) =>
    Object.entries(others).map(([of, value]): [string, JsonMap] => [
      `${key}.${String(name)}.${of}`,
      { [key]: { contains: { ...(name === undefined ? {} : { name }), [of]: value } } },
    ]),
  );

/** Removes ids and times, which differ between runs. */
function lasting(value: unknown): unknown {
  if (typeof value === 'string') return /^[0-9a-f]{8}-[0-9a-f-]{27}$|^\d{4}-\d\d-\d\dT/.test(value) ? undefined : value;
  if (Array.isArray(value)) return value.map(lasting).filter((item) => item !== undefined);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, lasting(item)] as const)
      .filter(([, item]) => item !== undefined),
  );
}
