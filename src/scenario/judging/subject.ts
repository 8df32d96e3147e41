/** Subjects of checks: the view on which they are evaluated, and the result of an evaluation. */

import type { Scope } from '../../contract/enumerations.ts';
import type { NoticeKind } from '../../contract/notices.ts';
import type { RunRecord } from '../log/run-record.ts';
import type { MatchContext, Mismatch } from '../model/matchers.ts';
import { type GivenKind, idOf, type NamedThing, objectOf, type Reference } from '../model/references.ts';
import type { Looks } from './looks.ts';
import type { UnboundCause } from './track.ts';

/** The data that a condition may use. */
export interface ViewScope extends MatchContext {
  readonly record: RunRecord;
  /** Queries for the API's present replies. */
  readonly look: Looks;
  /** Only data after this sequence number counts; a named object counts at any time. */
  readonly since: number;
  /** Events and deliveries that have already satisfied an expectation. */
  readonly taken: ReadonlySet<string>;
  /**
   * For `never`: the sequence number up to which an expectation found this alert or muster; earlier changes of the
   * object are exempt.
   */
  readonly expectedUntil?: ((objectId: string) => number) | undefined;
  /** Tolerance for the offsets of deliveries, as for limits; simulated ms. Absent: none. */
  readonly slackMs?: number;
  /** Returns why a name has no value; null if no step failed to bind it. Absent if nothing can be skipped. */
  readonly causeOf?: (name: string) => UnboundCause | null;
}

/** Returns true if an expectation has already found this state. */
export const wasExpected = ({ expectedUntil }: ViewScope, objectId: string | undefined, seq: number): boolean =>
  expectedUntil !== undefined && objectId !== undefined && seq <= expectedUntil(objectId);

/** An object to which the check may refer. */
export interface Candidate {
  /** Marked as taken when it satisfies an expectation. */
  readonly key: string;
  /** Simulated ms since the Unix epoch. */
  readonly at: number;
  /** For example `alert sos of ana`. */
  readonly label: string;
  readonly mismatches: readonly Mismatch[];
  readonly named: NamedThing;
  /** True if it was there before, and only changed at this time. */
  readonly isChange?: boolean;
}

/** Returns the id of the alert or muster that a match is or is about; undefined if there is none. */
export function objectIdOfMatch({ named: { kind, id, body } }: Candidate): string | undefined {
  if (kind === 'event') return idOf(objectOf(body));
  return kind === 'alert' || kind === 'muster' ? id : undefined;
}

/** A candidate that a notice announced but that GET does not find. */
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
      /** The time at which the condition became true, if the record has it; null: now. */
      readonly at: number | null;
      /** What `as` binds for a state of one worker, of which there are no candidates. */
      readonly named?: NamedThing | undefined;
    }
  | {
      readonly matched: false;
      readonly mismatches: readonly Mismatch[];
      /** Number of compared candidates; the mismatches are those of the nearest one. */
      readonly candidates: number;
    };

/** Returns true if the system has had enough time to process the last change of this object; null: of all objects. */
export type IsSettled = (objectId: string | null) => boolean;

/** Judges an answer of the user's system. */
export interface ProbeCheck {
  readonly name: string;
  judge(value: unknown, viewScope: ViewScope, isSettled: IsSettled): readonly Mismatch[];
}

/** A subject as read from a check. */
export interface CheckSubject {
  readonly word: string;
  /** For example `alert sos of ana`. */
  readonly text: string;
  /** True for a state; false for an occurrence, which only one expectation can take. */
  readonly lasts: boolean;
  /** True if only what came since the start of the search counts. */
  readonly searches: boolean;
  /** The notices after which the result may change. */
  readonly triggers: ReadonlySet<NoticeKind>;
  /** Polling interval, for data whose changes no notice announces; simulated ms. */
  readonly everyMs?: number;
  /** A client without these scopes cannot see the subject of the check. */
  readonly scopes: readonly Scope[];
  /** Names that must be bound. */
  readonly needs: readonly Reference[];
  /** The kind of object that `as` binds; null: the subject binds nothing. */
  readonly names: GivenKind | null;
  look(viewScope: ViewScope): LookResult;
  /** Judges an answer of the user's system, which must be requested first; rules only. */
  readonly probe?: ProbeCheck;
  /** Returns all matches, for `every` in rules and `when`; null if the subject is a state of several objects. */
  readonly all: ((viewScope: ViewScope) => readonly Candidate[]) | null;
}

export function fittingOf(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(({ mismatches }) => mismatches.length === 0);
}

/** One candidate must match: returns the first match, or the mismatches of the nearest candidate. */
export function lookForOne(candidates: readonly Candidate[]): LookResult {
  const found = candidates.find(({ mismatches }) => mismatches.length === 0);
  if (found !== undefined) return { matched: true, found: [found], at: found.at };
  const nearest = nearestOf(candidates);
  return { matched: false, mismatches: nearest?.mismatches ?? [], candidates: candidates.length };
}

/** True for the mismatches of an object that is not what the check is about: it concerns other people, or another object. */
export const isOfAnother = (mismatches: readonly Mismatch[]): boolean =>
  mismatches.some(({ path }) => path === 'of' || path === 'about');

/**
 * Returns the candidate with the fewest mismatches; the last one if several are equal. An object that the check is not
 * about is the nearest only where there is no other.
 */
function nearestOf(candidates: readonly Candidate[]): Candidate | undefined {
  const own = candidates.filter(({ mismatches }) => !isOfAnother(mismatches));
  return (own.length > 0 ? own : candidates).reduce<Candidate | undefined>(
    (best, one) => (best !== undefined && best.mismatches.length < one.mismatches.length ? best : one),
    undefined,
  );
}
