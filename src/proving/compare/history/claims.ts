/**
 * Compares what several lists show of the same object. A contradiction is certain only if one list shows the same value before
 * and after another list shows a different value. Otherwise the object may have changed in between. [spec 2]
 */

import { canonicalJson } from '../../../base/text/canonical-json.ts';
import { COUNTED_STATUSES } from '../../../contract/resources/headcount.ts';
import { isMap, type JsonMap } from '../../../contract/schema.ts';
import { type ContractFinding, isBeforeSpan, isClose, type ReadSpan } from '../exchange.ts';
import { BoundedMap } from './bounded-map.ts';

interface Claim {
  /** Contradictions of one kind have one cause, and are reported once. */
  readonly kind: string;
  /** Object and field: `worker ID external_id`. */
  readonly subject: string;
  readonly value: string;
  readonly clause: string;
  /** Place of the field in an item. */
  readonly pointer: string;
  /** The value can change and change back: that of a muster that is active. */
  readonly isPassing?: true;
}

interface KeptClaim extends Claim {
  /** The first and the last reading in which the source showed this value. */
  readonly first: ReadSpan;
  readonly last: ReadSpan;
  /** `sentAt` of the first reading. */
  readonly firstMs: number | null;
}

/** Two claims of one subject that cannot both be true. */
interface ClaimConflict {
  readonly own: KeptClaim;
  readonly other: KeptClaim;
  /** The source of `other`. */
  readonly source: string;
  /** Number of sources that agree with `other`, minus the number that agree with `own`. */
  readonly score: number;
}

/** By source: the sources that showed another value, even if the object may have changed in between. */
type Disagreements = ReadonlyMap<string, ReadonlySet<string>>;

export class Claims {
  readonly #kept = new BoundedMap<string, Map<string, KeptClaim>>();
  /** Disagreements by kind of claim. */
  readonly #disagreements = new Map<string, Map<string, Set<string>>>();

  /** Adds the claims of one answer, and returns the contradictions. `source`: the operation of the answer. */
  add(source: string, claims: readonly Claim[], now: ReadSpan, nowMs: number | null): ContractFinding[] {
    const found = new Map<string, ClaimConflict[]>();
    for (const claim of claims) {
      const one = this.#contradicted(source, claim, now, nowMs);
      if (one === null) continue;
      const key = `${claim.kind} ${one.source}`;
      found.set(key, [...(found.get(key) ?? []), one]);
    }
    return [...found.values()].map((all) =>
      blamed(source, all, this.#disagreements.get(all[0]?.own.kind ?? '') ?? new Map()),
    );
  }

  #disagree(kind: string, one: string, other: string): void {
    const all = this.#disagreements.get(kind) ?? new Map<string, Set<string>>();
    this.#disagreements.set(kind, all);
    for (const [a, b] of [
      [one, other],
      [other, one],
    ] as const)
      all.set(a, (all.get(a) ?? new Set()).add(b));
  }

  #contradicted(source: string, claim: Claim, now: ReadSpan, nowMs: number | null): ClaimConflict | null {
    const { subject, value, isPassing } = claim;
    const all = this.#kept.get(subject) ?? new Map<string, KeptClaim>();
    this.#kept.set(subject, all);
    const before = all.get(source);
    const isSame = before?.value === value && (isPassing !== true || isClose(before.firstMs, nowMs));
    const { first, firstMs } = isSame ? before : { first: now, firstMs: nowMs };
    const own = { ...claim, first, firstMs, last: now };
    all.set(source, own);
    for (const [name, one] of all) if (one.value !== value) this.#disagree(claim.kind, source, name);
    const other = [...all].find(
      ([, one]) => one.value !== value && isBeforeSpan(first, one.last) && isBeforeSpan(one.last, now),
    );
    if (other === undefined) return null;
    const supporters = (wanted: string) => [...all.values()].filter((one) => one.value === wanted).length;
    return { own, other: other[1], source: other[0], score: supporters(other[1].value) - supporters(value) };
  }
}

/**
 * Reports the source that fewer sources agree with, or else the one with more disagreements. The names break a tie, so that the
 * result is stable.
 */
function blamed(source: string, all: readonly ClaimConflict[], disagreements: Disagreements): ContractFinding {
  const [first] = all as readonly [ClaimConflict, ...ClaimConflict[]];
  const strength = (name: string) => disagreements.get(name)?.size ?? 0;
  const score = all.reduce((sum, one) => sum + one.score, 0) || strength(source) - strength(first.source);
  const isOwn = score > 0 || (score === 0 && source < first.source);
  const { clause, pointer } = isOwn ? first.own : first.other;
  const [operation, right] = isOwn ? [source, first.source] : [first.source, source];
  const detail = `differs from ${right}, which had the same value before and after`;
  return { rule: 'contradiction', clause, pointer, detail, operation };
}

const idOf = (value: unknown): string | null =>
  isMap(value) && typeof value['id'] === 'string' ? (value['id'] as string) : null;

/** Returns a claim for each of the named fields that the reference has. */
function fieldsOf(kind: string, ref: unknown, names: readonly string[], clause: string, pointer: string): Claim[] {
  const id = idOf(ref);
  if (id === null || !isMap(ref)) return [];
  return names
    .filter((name) => name in ref)
    .map((name) => ({
      kind: `${kind} ${name}`,
      subject: `${kind} ${id} ${name}`,
      value: canonicalJson(ref[name]),
      clause,
      pointer: `${pointer}/${name}`,
    }));
}

const WORKER_FIELDS = ['external_id', 'contractor', 'name'];
const DEVICE_FIELDS = ['serial', 'battery', 'date_last_seen'];
const workerRef = (ref: unknown, at: string): Claim[] =>
  fieldsOf('worker', ref, WORKER_FIELDS, '[spec 2 WorkerRef]', at);
const deviceRef = (ref: unknown, at: string): Claim[] =>
  fieldsOf('device', ref, DEVICE_FIELDS, '[spec 2 DeviceRef]', at);

/** A worker and the watch refer to each other. */
function pairOf(worker: string | null, device: string | null, clause: string, pointer: string): Claim[] {
  const claim = (kind: string, id: string, name: string, value: string | null): Claim => ({
    kind: 'pair',
    subject: `${kind} ${id} ${name}`,
    value: String(value),
    clause,
    pointer,
  });
  return [
    ...(worker === null ? [] : [claim('worker', worker, 'device', device)]),
    ...(device === null ? [] : [claim('device', device, 'worker', worker)]),
  ];
}

/** Whether the contract includes the names of workers. [spec 2 WorkerRef] */
const namesOf = (ref: unknown, pointer: string): Claim[] =>
  isMap(ref)
    ? [
        {
          kind: 'names',
          subject: 'names',
          value: String('name' in ref),
          clause: '[spec 2 WorkerRef]',
          pointer: `${pointer}/name`,
        },
      ]
    : [];

/** Every list that shows a position shows the same one. [decisions 4, One answer on every surface] */
function placeOf(device: string, location: unknown, clause: string): Claim[] {
  const pointer = '/location';
  const shown = { kind: 'shown', subject: `device ${device} shown`, value: String(isMap(location)), clause, pointer };
  if (!isMap(location)) return [shown];
  const subject = `device ${device} at ${String(location['position_date_utc'])}`;
  return [shown, { kind: 'place', subject, value: canonicalJson(location), clause, pointer }];
}

type ClaimsOf = (item: JsonMap) => Claim[];
const OF_MUSTERS: ClaimsOf = (item) =>
  fieldsOf('muster', item, Object.keys(item), '[spec 2 Muster]', '').map((claim) =>
    item['status'] === 'active' ? { ...claim, isPassing: true } : claim,
  );

/** By path: the claims of an item about objects that other lists show too. */
const CLAIMS: Readonly<Record<string, ClaimsOf>> = {
  '/v1/sites': (item) => fieldsOf('site', item, ['name'], '[spec 2 SiteRef]', ''),
  '/v1/sites/:site_id/zones': (item) => fieldsOf('zone', item, ['name'], '[spec 2 Zone]', ''),
  '/v1/workers': (item) => [
    ...workerRef(item, ''),
    ...namesOf(item, ''),
    ...deviceRef(item['device'], '/device'),
    ...pairOf(idOf(item), idOf(item['device']), '[spec 2 Worker]', '/device'),
  ],
  '/v1/devices': (item) => [
    ...deviceRef(item, ''),
    ...workerRef(item['worker'], '/worker'),
    ...namesOf(item['worker'], '/worker'),
    ...pairOf(idOf(item['worker']), idOf(item), '[spec 2 Device]', '/worker'),
  ],
  '/v1/positions': (item) => [
    ...workerRef(item['worker'], '/worker'),
    ...namesOf(item['worker'], '/worker'),
    ...pairOf(idOf(item['worker']), String(item['device_id']), '[spec 2 Position]', '/worker'),
    ...placeOf(String(item['device_id']), item['location'], '[spec 2 Position]'),
  ],
  '/v1/musters': (item) => [...OF_MUSTERS(item), ...ofActiveMuster(item)],
  '/v1/musters/:muster_id': (item) => [...OF_MUSTERS(item), ...ofActiveMuster(item)],
  '/v1/musters/:muster_id/missing': (item) => [
    ...workerRef(item['worker'], '/worker'),
    ...namesOf(item['worker'], '/worker'),
    ...deviceRef(item['device'], '/device'),
    ...pairOf(idOf(item['worker']), idOf(item['device']), '[spec 2 MissingWorker]', '/device'),
    // The rule `veil` judges withheld positions.
    ...(idOf(item['device']) === null || item['location_withheld'] === true
      ? []
      : placeOf(String(idOf(item['device'])), item['location'], '[spec 2 MissingWorker]')),
  ],
  '/v1/alerts': (item) => namesOf(item['worker'], '/worker'),
  '/v1/alerts/:alert_id': (item) => namesOf(item['worker'], '/worker'),
};

function ofActiveMuster({ status, site, assembly_points: points }: JsonMap): Claim[] {
  if (status !== 'active') return [];
  return [
    ...fieldsOf('site', site, ['name'], '[spec 2 SiteRef]', '/site'),
    ...(Array.isArray(points) ? points : []).flatMap((point) =>
      fieldsOf('zone', point, ['name'], '[spec 2 AssemblyPoint]', '/assembly_points/*'),
    ),
  ];
}

/** `path`: the path of the route. */
export const claimsOf = (path: string, item: JsonMap): Claim[] => CLAIMS[path]?.(item) ?? [];

/** Returns the claims of a `muster.ended` event. A muster does not change after its end. */
export function claimsOfEvent({ type, data }: JsonMap): Claim[] {
  const muster = type === 'muster.ended' && isMap(data) ? data['muster'] : null;
  return isMap(muster) ? OF_MUSTERS(muster).map((one) => ({ ...one, pointer: `/data/muster${one.pointer}` })) : [];
}

export const sumOf = (totals: JsonMap): number =>
  COUNTED_STATUSES.reduce((all, counter) => all + Number(totals[counter] ?? 0), 0);
