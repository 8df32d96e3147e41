/** Records what a client sees of each worker during a run, and ground truth if it was requested. Positions are in whole decimetres. */
import type { Point } from '../../base/geometry/shapes.ts';
import type { SeenPerson, TruePosition } from '../playing/ports.ts';
import { type PersonStatus, statusOfSeen, type TimedStatus } from './html/person-status.ts';
import type { ReportPerson, SeenMoment } from './report-data.ts';

/** Sampling interval of ground truth, simulated ms; it equals the reporting interval of a watch. */
const TRUTH_EVERY_MS = 5_000;

interface RecordedPerson {
  readonly workerId: string;
  readonly who: string;
  readonly code: string | null;
  readonly contractor: string | null;
  readonly site: string;
  readonly names: { readonly t: number; readonly name: string | null }[];
  readonly moments: SeenMoment[];
  readonly statuses: TimedStatus[];
  readonly truth: number[];
}

export class SeenPeople {
  readonly #people = new Map<string, RecordedPerson>();
  #truthAt = Number.NEGATIVE_INFINITY;

  see({ person, worker, site, at }: SeenPerson, who: string, t: number): void {
    let known = this.#people.get(worker.id);
    if (known === undefined) {
      const { id: workerId, external_id: code, contractor } = worker;
      known = { workerId, who, code, contractor, site, names: [], moments: [], statuses: [], truth: [] };
      this.#people.set(worker.id, known);
    }
    const name = worker.name ?? null;
    if (known.names.at(-1)?.name !== name) atInstant(known.names, { t, name });
    const status = statusOfSeen(person);
    if (known.statuses.at(-1)?.status !== status) addStatus(known.statuses, t, status);
    const { reason, rescue, place, location } = person;
    const moment: SeenMoment = {
      t,
      at: at === null ? null : decimetres(at),
      place: place.kind,
      masked: location?.masked ?? false,
      reason,
      rescue,
      floor: location?.height?.floor ?? null,
      worn: person.worn,
    };
    if (!isSame(known.moments.at(-1), moment)) atInstant(known.moments, moment);
  }

  /** `positions` is called only when a sample is due. */
  sampleTruth(t: number, positions: () => readonly TruePosition[]): void {
    if (t - this.#truthAt < TRUTH_EVERY_MS) return;
    this.#truthAt = t;
    for (const { workerId, at } of positions()) {
      const truth = this.#people.get(workerId)?.truth;
      if (truth === undefined) continue;
      const [x, y] = decimetres(at);
      const [lastX, lastY] = truth.slice(-2);
      if (lastX !== x || lastY !== y) truth.push(t, x, y);
    }
  }

  report(): ReportPerson[] {
    return [...this.#people.values()].map(({ truth, ...person }) => ({
      ...person,
      truth: truth.length === 0 ? null : truth,
    }));
  }
}

const decimetres = ([x, y]: Point): Point => [Math.round(x * 10), Math.round(y * 10)];

/** At one instant, the last state replaces earlier ones. */
function atInstant<T extends { readonly t: number }>(entries: T[], entry: T): void {
  if (entries.at(-1)?.t === entry.t) entries.pop();
  entries.push(entry);
}

function addStatus(statuses: TimedStatus[], t: number, status: PersonStatus): void {
  atInstant(statuses, { t, status });
  // A status without duration is not a change.
  if (statuses.length > 1 && statuses.at(-2)?.status === status) statuses.pop();
}

const isSame = (before: SeenMoment | undefined, moment: SeenMoment): boolean =>
  before !== undefined &&
  before.at?.[0] === moment.at?.[0] &&
  before.at?.[1] === moment.at?.[1] &&
  (['place', 'masked', 'reason', 'rescue', 'floor', 'worn'] as const).every((key) => before[key] === moment[key]);
