/** The report about the open points: one row for each point of the table. [cli, compare] */
import { type NumberedPoint, type ObservableId, OPEN_POINTS } from '../../../contract/gaps.ts';
import { ALERT_OBSERVERS } from './alerts.ts';
import { MUSTER_OBSERVERS } from './musters.ts';
import type { Observation, ObservedParts, Observers } from './observation.ts';
import { READING_OBSERVERS } from './reading.ts';
import { REQUEST_OBSERVERS } from './requests.ts';
import { UPDATE_OBSERVERS } from './updates.ts';

/** The observer of each observable point. A point without an observer does not compile. */
const OBSERVERS: Observers<ObservableId> = {
  ...ALERT_OBSERVERS,
  ...MUSTER_OBSERVERS,
  ...UPDATE_OBSERVERS,
  ...READING_OBSERVERS,
  ...REQUEST_OBSERVERS,
};

/** An open point, and which reading the service has. */
export interface PointRow {
  readonly number: number;
  readonly id: string;
  readonly clause: string;
  readonly question: string;
  readonly result: 'as here' | 'otherwise' | 'not known' | 'not observable';
  /** The service's reading; null if not known. */
  readonly observed: string | null;
  /**
   * The clause of the sandbox's reading, such as `[decisions 1, Cursor]`. Absent: only the table of open points has the reading.
   */
  readonly decision?: string;
  /** The readings in the table of open points. */
  readonly readings: readonly string[];
  /** The reading of the sandbox in this comparison. */
  readonly ours: string;
  /** The SWITCH of `--assume SWITCH=READING`; null if the point is not switchable. */
  readonly switch: string | null;
  /** Why the reading is not known, or why the point has no switch; otherwise null. */
  readonly why: string | null;
}

/** `assumed`: readings of the sandbox that differ from the default. Requests are sent one after another. */
export async function observePoints(
  parts: ObservedParts,
  assumed: Readonly<Record<string, string>>,
): Promise<PointRow[]> {
  const observed = new Map<string, Observation>();
  // The observers of the codes and headers of all answers run last.
  const ids = [...(Object.keys(OBSERVERS) as ObservableId[])].sort((a, b) => Number(isOfAll(a)) - Number(isOfAll(b)));
  for (const id of ids) observed.set(id, await OBSERVERS[id](parts));
  return OPEN_POINTS.map((point) => rowOf(point, observed.get(point.id), assumed));
}

const isOfAll = (id: ObservableId): boolean => id === 'codes' || id === 'deprecation';

function rowOf(
  point: NumberedPoint,
  observation: Observation | undefined,
  assumed: Readonly<Record<string, string>>,
): PointRow {
  const { number, id, clause, question } = point;
  const turn = 'switch' in point ? point.switch : null;
  const ours = (turn === null ? undefined : assumed[turn]) ?? ('readings' in point ? point.readings[0] : point.here);
  const readings: readonly string[] = 'readings' in point ? point.readings : [];
  const row = { number, id, clause, question, ours, switch: turn, readings };
  if (observation === undefined)
    return {
      ...row,
      result: 'not observable',
      observed: null,
      why: 'unobserved' in point ? point.unobserved : null,
    };
  if ('unknown' in observation) return { ...row, result: 'not known', observed: null, why: observation.unknown };
  const reading = 'reading' in observation ? observation.reading : observation.other;
  const why = 'fixed' in point ? `not switchable: ${point.fixed}` : null;
  return { ...row, result: reading === ours ? 'as here' : 'otherwise', observed: reading, why };
}
