/** The run at one instant, computed from the packed data, for the script of the page. */
import { type Point, pointInPolygon } from '../../../base/geometry/shapes.ts';
import type { Alert } from '../../../contract/resources.ts';
import { type PackedCount, type PackedPerson, type PackedRun, type PersonSeen, TOTAL_NAMES } from './packed-run.ts';
import type { PersonStatus } from './person-status.ts';

export interface PersonAt extends PersonSeen {
  readonly index: number;
  readonly who: string;
  readonly code: string | null;
  readonly name: string | null;
  readonly site: string;
  /** Metres from the site's origin; null if no position is shown. */
  readonly at: readonly [x: number, y: number] | null;
  /** Ground truth; null if the report has none. */
  readonly truth: readonly [x: number, y: number] | null;
}

export interface AlertAt {
  readonly object: number;
  readonly person: number;
  readonly alert: Alert;
}

export interface CountAt {
  readonly site: string;
  readonly kind: string;
  readonly phase: string;
  readonly isActive: boolean;
  readonly totals: readonly { readonly name: string; readonly count: number }[];
  readonly points: PackedCount[4];
}

export interface HappeningAt {
  readonly place: number;
  readonly t: number;
  readonly kind: number;
  readonly text: string;
  readonly body: number;
  readonly person: number;
  readonly object: number;
  readonly receiver: number;
  readonly facts: readonly (readonly [name: string, value: string])[];
}

/** The state of a person before the first reading. */
const UNSEEN: PersonSeen = {
  status: 'calm' satisfies PersonStatus,
  place: 'unknown',
  masked: false,
  reason: null,
  rescue: false,
  floor: null,
  worn: null,
};

/** Values that are valid from the given times. */
interface Timed {
  readonly times: readonly number[];
  readonly values: readonly number[];
}

interface UnpackedPerson {
  readonly packed: PackedPerson;
  readonly states: Timed;
  readonly track: Timed;
  readonly truth: Timed | null;
}

export class RunAt {
  readonly run: PackedRun;
  readonly happenings: readonly HappeningAt[];
  readonly #people: readonly UnpackedPerson[];
  readonly #zones: ReadonlyMap<string, readonly { readonly name: string; readonly ring: readonly Point[] }[]>;

  constructor(run: PackedRun) {
    this.run = run;
    this.#people = run.people.map((packed) => ({
      packed,
      states: unpacked(packed.states, 1, false),
      track: unpacked(packed.track, 2, true),
      truth: packed.truth === null ? null : unpacked(packed.truth, 2, true),
    }));
    this.#zones = new Map(
      run.sites.map(({ name: site, zones }) => [site, zones.map(([name, ring]) => ({ name, ring: pointsOf(ring) }))]),
    );
    let t = 0;
    this.happenings = run.happenings.map(([dt, kind, text, body, person, object, receiver, facts], place) => {
      t += dt;
      return { place, t, kind, text, body, person, object, receiver, facts };
    });
  }

  people(t: number): PersonAt[] {
    return this.#people.map((person, index) => personAt(person, index, this.run.states, t));
  }

  /** Open alerts, the newest first. */
  openAlerts(t: number): AlertAt[] {
    return this.run.alerts
      .flatMap(({ object, person, states }): AlertAt[] => {
        const body = lastUpTo(states, t)?.[1];
        const alert = body === undefined ? null : (this.body(body) as Alert);
        return alert === null || alert.status === 'resolved' ? [] : [{ object, person, alert }];
      })
      .reverse();
  }

  /** The musters that have begun, the newest first. */
  headcounts(t: number): CountAt[] {
    return this.run.musters
      .flatMap(({ site, counts }): CountAt[] => {
        const count = lastUpTo(counts, t);
        if (count === undefined) return [];
        const [, kind, phase, totals, points] = count;
        const isActive = phase !== 'completed' && phase !== 'cancelled';
        const named = TOTAL_NAMES.map((name, place) => ({ name, count: totals[place] ?? 0 }));
        return [{ site, kind, phase, isActive, totals: named, points }];
      })
      .reverse();
  }

  /** Returns the index of the running step, which is the last one that has begun; -1: none. */
  stepAt(t: number): number {
    return this.run.steps.findLastIndex(([began]) => began <= t);
  }

  /** Number of happenings up to the instant. */
  happenedBy(t: number): number {
    let [low, high] = [0, this.happenings.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.happenings[middle] as HappeningAt).t <= t) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the name of the smallest zone around a point of the site; null if there is none. */
  zoneAt(site: string, at: readonly [x: number, y: number]): string | null {
    return this.#zones.get(site)?.find(({ ring }) => pointInPolygon(at, ring))?.name ?? null;
  }

  /** Returns null for an unknown body. */
  body(index: number): unknown {
    const packed = this.run.bodies[index];
    if (packed === undefined) return null;
    if (packed.length === 1) return packed[0];
    const [envelope, key, body] = packed;
    return { ...(envelope as object), data: { [key]: this.body(body) } };
  }
}

function personAt(
  { packed, states, track, truth }: UnpackedPerson,
  index: number,
  known: readonly PersonSeen[],
  t: number,
) {
  const seen = known[states.values[placeAt(states, t)] ?? -1] ?? UNSEEN;
  const isShown = seen.place === 'located' || seen.place === 'last_known';
  return {
    ...seen,
    index,
    who: packed.who,
    code: packed.code,
    name: lastUpTo(packed.names, t)?.[1] ?? null,
    site: packed.site,
    at: isShown ? pointAt(track, t) : null,
    truth: truth === null ? null : pointAt(truth, t),
  };
}

function lastUpTo<T extends readonly [t: number, ...rest: readonly unknown[]]>(entries: readonly T[], t: number) {
  return entries.findLast(([from]) => from <= t);
}

/** Index of the last time up to `t`; -1: none. */
function placeAt({ times }: Timed, t: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Converts flattened decimetres to points in metres. */
const pointsOf = (ring: readonly number[]): Point[] =>
  ring.flatMap((x, place) => (place % 2 === 0 ? [[x / 10, (ring[place + 1] ?? 0) / 10] as const] : []));

/** Returns a point in metres. */
function pointAt(track: Timed, t: number): readonly [number, number] | null {
  const place = placeAt(track, t);
  const [x, y] = [track.values[place * 2], track.values[place * 2 + 1]];
  return x === undefined || y === undefined ? null : [x / 10, y / 10];
}

/**
 * Unpacks flattened differences of a time and `width` values; `areDifferences`: true if the values are differences too.
 */
function unpacked(flat: readonly number[], width: number, areDifferences: boolean): Timed {
  const [times, values]: [number[], number[]] = [[], []];
  for (let place = 0; place < flat.length; place += width + 1) {
    times.push((times.at(-1) ?? 0) + (flat[place] ?? 0));
    for (let one = 1; one <= width; one++) {
      const before = areDifferences ? (values[values.length - width] ?? 0) : 0;
      values.push(before + (flat[place + one] ?? 0));
    }
  }
  return { times, values };
}
