/** What a check can be about, and what looking at it can show. */

import type { NoticeKind } from '../../../contract/notices.ts';
import type { JsonMap } from '../../../contract/schema.ts';
import type { RunRecord } from '../../log/run-record.ts';
import type { MatchContext, Mismatch } from '../../story/matchers.ts';
import type { StoryReading } from '../../story/read-matcher.ts';
import type { GivenKind, NamedThing, Reference } from '../../story/references.ts';
import type { Looks } from '../looks.ts';

/** What a look may see. */
export interface CheckSight extends MatchContext {
  readonly record: RunRecord;
  /** What the service would answer now, where the notices do not tell it. */
  readonly look: Looks;
  /** Only what came after this place of the record; a name is looked at whenever it changed. */
  readonly since: number;
  /** An event or delivery satisfies one expectation only: these have. */
  readonly taken: ReadonlySet<string>;
  /**
   * For `never`: up to which place of the record an alert or muster was found by an expectation; what happened to it until
   * then was expected.
   */
  readonly expectedUntil?: ((objectId: string) => number) | undefined;
}

/** Whether this was found by an expectation already, as it stood at that place of the record. */
export const wasExpected = ({ expectedUntil }: CheckSight, objectId: string | undefined, seq: number): boolean =>
  expectedUntil !== undefined && objectId !== undefined && seq <= expectedUntil(objectId);

/** One thing that could be what the check is about. */
export interface Candidate {
  /** What is taken when an expectation is satisfied by it. */
  readonly key: string;
  /** Simulated ms since the Unix epoch. */
  readonly at: number;
  /** In a few words: `alert sos of ana`. */
  readonly label: string;
  readonly mismatches: readonly Mismatch[];
  readonly named: NamedThing;
}

/** A thing of which a notice came, and which GET does not find. */
export const absentCandidate = (kind: 'alert' | 'muster', { id }: { id: string }, at: number): Candidate => ({
  ...{ key: `${kind} ${id}`, at, label: `${kind} ${id}`, named: { kind, id, body: null } },
  mismatches: [{ path: kind, expected: 'any', got: '(absent)' }],
});

/** What a look showed. */
export type LookResult =
  | {
      readonly matched: true;
      readonly found: readonly Candidate[];
      /** When it became so, where the record tells; else it became so now. */
      readonly at: number | null;
    }
  | {
      readonly matched: false;
      readonly mismatches: readonly Mismatch[];
      /** How many things were compared; the mismatches are those of the nearest. */
      readonly candidates: number;
    };

/** A subject after reading. */
export interface Subject {
  readonly word: string;
  /** In a few words: `alert sos of ana`. */
  readonly text: string;
  /** A state lasts and is looked at as it is; what happens is taken by one expectation. */
  readonly lasts: boolean;
  /** The notices after which another look may show something else. */
  readonly hears: ReadonlySet<NoticeKind>;
  /** How often it is looked at besides, where no notice tells of all that it shows; simulated ms. */
  readonly everyMs?: number;
  /** Names that must have been found. */
  readonly needs: readonly Reference[];
  /** What `as` would name; null where there is nothing to name. */
  readonly names: GivenKind | null;
  look(sight: CheckSight): LookResult;
  /** All that fit, for `every` in rules and `when`; null where the subject is a state of many things at once. */
  readonly all: ((sight: CheckSight) => readonly Candidate[]) | null;
}

/** Reads the keys of a check; null where a mistake was reported. */
export type ReadSubject = (
  fields: JsonMap,
  path: readonly (string | number)[],
  reading: StoryReading,
) => Subject | null;

/** Those of the candidates that fit. */
export function fittingOf(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(({ mismatches }) => mismatches.length === 0);
}

/** The look at candidates of which one must fit: the first that does, or the mismatches of the nearest. */
export function lookForOne(candidates: readonly Candidate[]): LookResult {
  const found = candidates.find(({ mismatches }) => mismatches.length === 0);
  if (found !== undefined) return { matched: true, found: [found], at: found.at };
  const nearest = nearestOf(candidates);
  return { matched: false, mismatches: nearest?.mismatches ?? [], candidates: candidates.length };
}

/** The candidate that misses by least; of equals the last. */
export function nearestOf(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.reduce<Candidate | undefined>(
    (best, one) => (best !== undefined && best.mismatches.length < one.mismatches.length ? best : one),
    undefined,
  );
}
