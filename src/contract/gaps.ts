/** Every point that the API specification leaves open, declared once: the readings, the switch, and how `compare` observes it. [decisions] */
import { ACCESS_POINTS } from './gaps/access.ts';
import { ALERT_POINTS } from './gaps/alerts.ts';
import { DELIVERY_POINTS } from './gaps/deliveries.ts';
import type { OpenPoint, Switchable } from './gaps/gap.ts';
import { MUSTER_POINTS } from './gaps/musters.ts';
import { READING_POINTS } from './gaps/reading.ts';
import { REQUEST_POINTS } from './gaps/requests.ts';
import { UPDATE_POINTS } from './gaps/updates.ts';

/** First alerts and evacuations, then the others in the order of the clauses of the specification. */
const POINTS = [
  ...ALERT_POINTS,
  ...MUSTER_POINTS,
  ...UPDATE_POINTS,
  ...READING_POINTS,
  ...ACCESS_POINTS,
  ...DELIVERY_POINTS,
  ...REQUEST_POINTS,
] as const;
type Declared = (typeof POINTS)[number];

/** An open point with its number, which is its position in the table. */
export type NumberedPoint = OpenPoint & { readonly number: number };
export const OPEN_POINTS: readonly NumberedPoint[] = POINTS.map((point, place) => ({ ...point, number: place + 1 }));

type Observable = Extract<Declared, { readonly observed: string }>;
export type ObservableId = Observable['id'];
/** The readings of a point that `compare --to` can observe. */
export type ReadingOf<I extends ObservableId> = Extract<Observable, { readonly id: I }>['readings'][number];

type Switched = Extract<Declared, { readonly switch: string }>;
type SwitchName = Switched['switch'];

/** The switches of `sandbox up --assume NAME=VALUE`. */
export type Assumptions = { readonly [N in SwitchName]: Extract<Switched, { readonly switch: N }>['readings'][number] };

const isSwitched = (point: NumberedPoint): point is NumberedPoint & Switchable => 'switch' in point;

type Switches = { readonly [N in SwitchName]: readonly [Assumptions[N], Assumptions[N], ...Assumptions[N][]] };

/** The values of each switch; the first one is the default. */
export const SWITCHES: Switches = fromEntries(
  OPEN_POINTS.filter(isSwitched).map((point) => [point.switch, point.readings] as const),
);

export const DEFAULT_ASSUMPTIONS: Assumptions = fromEntries(
  Object.entries(SWITCHES).map(([name, [first]]) => [name, first] as const),
);

export const isSwitch = (name: string): name is SwitchName => Object.hasOwn(SWITCHES, name);

/** The keys and values come from the same table as the type. */
function fromEntries<T>(all: readonly (readonly [string, unknown])[]): T {
  return Object.fromEntries(all) as T;
}

/** An open point in the form that `sandbox gaps` and the API return. */
export interface Gap {
  readonly id: string;
  readonly clause: string;
  readonly question: string;
  readonly here: string;
  /** `name=default|other`; null if there is no switch. */
  readonly switch: string | null;
}

export const GAPS: readonly Gap[] = OPEN_POINTS.map((point) => {
  const { id, clause, question, here } = point;
  const turn = isSwitched(point) ? `${point.switch}=${point.readings.join('|')}` : null;
  return { id, clause, question, here, switch: turn };
});
