/**
 * Ground truth in the stream: first of all people, then of those for whom it changed. On request, with the control
 * token only. [decisions 4]
 */
import type { StreamTruth } from '../../../contract/stream.ts';
import type { Principal } from '../access/principal.ts';
import type { PersonTruth } from '../answers/person-truth.ts';
import { ProblemAnswer } from '../answers/problem-answer.ts';

/** Throws 403 `insufficient_scope` for any other token. */
export function requireControl({ kind }: Principal): void {
  if (kind === 'control') return;
  throw new ProblemAnswer('insufficient_scope', 'Ground truth needs the control token.', {
    headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' },
  });
}

/** The differences of ground truth since they were last sent to one reader. */
export class TruthDiff {
  readonly #truth: () => readonly PersonTruth[];
  #sent: ReadonlyMap<string, StreamTruth> = new Map();

  constructor(truth: () => readonly PersonTruth[]) {
    this.#truth = truth;
  }

  /** Changed positions, and ids of people who are no longer known; everything at the first call. */
  next(): { readonly truth: StreamTruth[]; readonly gone: readonly string[] } {
    const before = this.#sent;
    const now = new Map(this.#truth().map((person) => [person.workerId, truthView(person)]));
    this.#sent = now;
    return {
      truth: [...now.values()].filter((truth) => !isSame(before.get(truth.worker_id), truth)),
      gone: [...before.keys()].filter((id) => !now.has(id)),
    };
  }
}

/** 7 decimals of a degree are about a centimetre. */
const degrees = (value: number): number => Math.round(value * 1e7) / 1e7;
const decimetres = (metres: number): number => Math.round(metres * 10) / 10;

const truthView = (person: PersonTruth): StreamTruth => ({
  worker_id: person.workerId,
  latitude: degrees(person.latitude),
  longitude: degrees(person.longitude),
  height_m: person.heightM === null ? null : decimetres(person.heightM),
  floor: person.floor,
  zone: person.zone,
  in_vehicle: person.inVehicle,
  worn: person.worn,
  activity: person.activity,
});

const isSame = (a: StreamTruth | undefined, b: StreamTruth): boolean =>
  a !== undefined && (Object.keys(b) as (keyof StreamTruth)[]).every((key) => a[key] === b[key]);
