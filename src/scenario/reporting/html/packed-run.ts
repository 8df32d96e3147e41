/** The data of a run inside its page, as compact JSON. */

import type { PackedSeen } from '../seen/seen.ts';
import type { ReportPerson, ReportTruth } from '../seen/truth.ts';

/** Times are simulated ms from the start. */
export interface PackedRun {
  /** The time of instant 0, ISO 8601. */
  readonly start: string;
  readonly end: number;
  /** Each distinct body once. */
  readonly bodies: readonly unknown[];
  readonly people: readonly ReportPerson[];
  readonly seen: PackedSeen;
  /** Null if the report has none. */
  readonly truth: ReportTruth | null;
  readonly alerts: readonly PackedAlert[];
  readonly receivers: readonly string[];
  /** Ids of alerts and musters. */
  readonly objects: readonly string[];
  readonly happenings: readonly PackedHappening[];
  readonly steps: readonly PackedStep[];
  /** For each failure: start of the step, result, line. */
  readonly failures: readonly (readonly [beganMs: number, atMs: number, line: number])[];
}

/** `person`: -1 for a site-wide alert. */
export type PackedAlert = readonly [object: number, person: number, t: number, type: string];

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
