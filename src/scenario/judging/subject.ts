/** Subjects of checks: what they may see, and the result of evaluating one. */

import type { Scope } from '../../contract/enumerations.ts';
import type { NoticeKind } from '../../contract/notices.ts';
import type { RunRecord } from '../log/run-record.ts';
import type { MatchContext, Mismatch } from '../model/matchers.ts';
import type { GivenKind, NamedThing, Reference } from '../model/references.ts';
import type { Looks } from './looks.ts';
import type { UnboundCause } from './track.ts';

/** What a condition may see. */
export interface ViewScope extends MatchContext {
  readonly record: RunRecord;
  /** The API's answers now. */
  readonly look: Looks;
  /** Only what came after this sequence number counts; a named object counts whenever it changed. */
  readonly since: number;
  /** Events and deliveries that satisfied an expectation already. */
  readonly taken: ReadonlySet<string>;
  /**
   * For `never`: the sequence number up to which an expectation found this alert or muster; what happened to it before
   * is exempt.
   */
  readonly expectedUntil?: ((objectId: string) => number) | undefined;
  /** Tolerance of the offsets of deliveries, as of limits; simulated ms. Absent: none. */
  readonly slackMs?: number;
  /** Why a name has no value; null if no step failed to bind it. Absent where nothing is skipped. */
  readonly causeOf?: (name: string) => UnboundCause | null;
}

/** Whether an expectation found this state already. */
export const wasExpected = ({ expectedUntil }: ViewScope, objectId: string | undefined, seq: number): boolean =>
  expectedUntil !== undefined && objectId !== undefined && seq <= expectedUntil(objectId);

/** One thing that the check could be about. */
export interface Candidate {
  /** Marked as taken when it satisfies an expectation. */
  readonly key: string;
  /** Simulated ms since the Unix epoch. */
  readonly at: number;
  /** `alert sos of ana`. */
  readonly label: string;
  readonly mismatches: readonly Mismatch[];
  readonly named: NamedThing;
}

/** A candidate that was noticed but that GET does not find. */
export const absentCandidate = (kind: 'alert' | 'muster', { id }: { id: string }, at: number): Candidate => ({
  key: `${kind} ${id}`,
  at,
  label: `${kind} ${id}`,
  named: { kind, id, body: null },
  mismatches: [{ path: kind, expected: 'any', got: '(absent)' }],
});

export type LookResult =
  | {
      readonly matched: true;
      readonly found: readonly Candidate[];
      /** When it became true, if the record has it; null: now. */
      readonly at: number | null;
    }
  | {
      readonly matched: false;
      readonly mismatches: readonly Mismatch[];
      /** How many were compared; the mismatches are those of the nearest. */
      readonly candidates: number;
    };

/** Whether the system had its time to take up the last change of this object; null: of everything. */
export type IsSettled = (objectId: string | null) => boolean;

/** Judges an answer of the user's system. */
export interface ProbeCheck {
  readonly name: string;
  judge(value: unknown, viewScope: ViewScope, isSettled: IsSettled): readonly Mismatch[];
}

/** A subject as read from a check. */
export interface CheckSubject {
  readonly word: string;
  /** `alert sos of ana`. */
  readonly text: string;
  /** True for a state; false for an occurrence, which one expectation takes. */
  readonly lasts: boolean;
  /** The notices after which the result may change. */
  readonly triggers: ReadonlySet<NoticeKind>;
  /** Polling interval, for what no notice announces; simulated ms. */
  readonly everyMs?: number;
  /** Without these scopes a client cannot see what the check is about. */
  readonly scopes: readonly Scope[];
  /** Names that must be bound. */
  readonly needs: readonly Reference[];
  /** The kind that `as` binds; null: nothing to bind. */
  readonly names: GivenKind | null;
  look(viewScope: ViewScope): LookResult;
  /** Judges an answer of the user's system, which must be requested first; rules only. */
  readonly probe?: ProbeCheck;
  /** All matches, for `every` in rules and `when`; null if the subject is a state of many things at once. */
  readonly all: ((viewScope: ViewScope) => readonly Candidate[]) | null;
}

export function fittingOf(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(({ mismatches }) => mismatches.length === 0);
}

/** One candidate must match: the first match, or the mismatches of the nearest. */
export function lookForOne(candidates: readonly Candidate[]): LookResult {
  const found = candidates.find(({ mismatches }) => mismatches.length === 0);
  if (found !== undefined) return { matched: true, found: [found], at: found.at };
  const nearest = nearestOf(candidates);
  return { matched: false, mismatches: nearest?.mismatches ?? [], candidates: candidates.length };
}

/** The candidate with the fewest mismatches; the last of equals. */
function nearestOf(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.reduce<Candidate | undefined>(
    (best, one) => (best !== undefined && best.mismatches.length < one.mismatches.length ? best : one),
    undefined,
  );
}
