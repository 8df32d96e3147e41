/** The data of a run inside its page, in a compact JSON form, because a muster of a hundred people has tens of thousands of positions. */
import { NOT_SAFE_STATUSES } from '../../../contract/resources/vocabulary.ts';
import type { PersonStatus } from './person-status.ts';

/** Times are simulated ms from the start; lists of times hold differences. Positions are whole decimetres from the site's origin. */
export interface PackedRun {
  /** The time of instant 0, ISO 8601. */
  readonly start: string;
  readonly end: number;
  readonly hasTruth: boolean;
  /** Each distinct body once. */
  readonly bodies: readonly PackedBody[];
  /** Each distinct state of a person once. */
  readonly states: readonly PersonSeen[];
  readonly people: readonly PackedPerson[];
  readonly sites: readonly PackedSite[];
  readonly alerts: readonly PackedAlert[];
  readonly musters: readonly PackedMuster[];
  readonly receivers: readonly string[];
  /** Ids of alerts and musters. */
  readonly objects: readonly string[];
  readonly happenings: readonly PackedHappening[];
  readonly steps: readonly PackedStep[];
  /** For each failure: start of the step, result, line. */
  readonly failures: readonly (readonly [beganMs: number, atMs: number, line: number])[];
}

/** A JSON value, or the envelope of an event with the index of the body of its object. */
export type PackedBody = readonly [json: unknown] | readonly [envelope: unknown, key: string, body: number];

/** What is seen of a person, except the position. */
export interface PersonSeen {
  readonly status: PersonStatus;
  /** A position is shown only for `located` and `last_known`. */
  readonly place: string;
  readonly masked: boolean;
  readonly reason: string | null;
  readonly rescue: boolean;
  readonly floor: string | null;
  readonly worn: boolean | null;
}

export interface PackedPerson {
  readonly who: string;
  readonly code: string | null;
  readonly contractor: string | null;
  readonly site: string;
  readonly names: readonly (readonly [t: number, name: string | null])[];
  /** Flattened differences of t, state. */
  readonly states: readonly number[];
  /** Flattened differences of t, x, y. */
  readonly track: readonly number[];
  /** Ground truth, in the form of `track`; null: the report has none. */
  readonly truth: readonly number[] | null;
}

/** Zones from the smallest to the largest; `ring` is flattened x, y. */
interface PackedSite {
  readonly name: string;
  readonly zones: readonly (readonly [name: string, ring: readonly number[]])[];
}

/** `person`: -1 for a site-wide alert. */
export interface PackedAlert {
  readonly object: number;
  readonly person: number;
  readonly site: string;
  readonly states: readonly (readonly [t: number, body: number])[];
}

export interface PackedMuster {
  readonly object: number;
  readonly site: string;
  readonly counts: readonly PackedCount[];
}

/** `totals` are in the order of `TOTAL_NAMES`; null for totals that the phase does not have. */
export type PackedCount = readonly [
  t: number,
  kind: string,
  phase: string,
  totals: readonly (number | null)[],
  points: readonly (readonly [name: string, count: number | null, isExcluded: 0 | 1])[],
];

export const TOTAL_NAMES = ['expected', 'safe', ...NOT_SAFE_STATUSES] as const;

export const HAPPENING_KINDS = ['event', 'delivery', 'request', 'mail', 'watch'] as const;
export type HappeningKind = (typeof HAPPENING_KINDS)[number];

/** Stands for a body that was omitted to limit the size of the page. */
export const LEFT_OUT = -2;

/** Values are indexes; -1: none. `kind` is an index of `HAPPENING_KINDS`. */
export type PackedHappening = readonly [
  dt: number,
  kind: number,
  text: string,
  body: number,
  person: number,
  object: number,
  receiver: number,
  facts: readonly (readonly [name: string, value: string])[],
];

/** `end`: the result of a check, or, for an action, the start of the next step. */
export type PackedStep = readonly [t: number, end: number, line: number, isCheck: 0 | 1];

/** Id of the element that holds the data. */
export const DATA_ID = 'run-data';
