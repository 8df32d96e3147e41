/** A blocking wait for test code in any language: a check of the scenario language on what one viewer sees. [decisions 9] */

import type { Clock, Instant } from '../../base/clock.ts';
import { formatDuration, parseDuration } from '../../base/durations.ts';
import { formatInstant, parseInstantUp } from '../../base/instants.ts';
import { judge } from '../judging/judge.ts';
import type { Looks } from '../judging/looks.ts';
import type { Candidate, CheckSight, LookResult, Subject } from '../judging/subjects/subject.ts';
import type { RunRecord } from '../log/run-record.ts';
import { DEFAULT_LIMIT_MS } from '../reading/read-check.ts';
import type { NamedKind } from '../story/references.ts';
import type { CheckBody } from '../story/story.ts';
import { pointerOf, readWait, type WaitBody, type WaitMistake, type WaitWords } from './asked-wait.ts';

export interface WaitParts {
  readonly clock: Clock;
  /** The history as the viewer sees it. */
  readonly record: RunRecord;
  readonly look: Looks;
  readonly words: WaitWords;
  /** Default sequence number at which the search begins. */
  readonly since: number;
  /** Tolerance added to the limit, simulated ms: in real and scaled time answers take time. */
  readonly slackMs: number;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface WaitFound {
  readonly kind: NamedKind;
  readonly id: string;
  /** When it became so. */
  readonly at: Instant;
  readonly waitedMs: number;
  /** Ids of all matches, for a `count`. */
  readonly ids: readonly string[];
  /** The alert, muster or event as in the API, or the log entry of a delivery or request. */
  readonly found: unknown;
}

export type Waited =
  | { readonly kind: 'found'; readonly found: WaitFound }
  /** As text, and the mismatches of the nearest candidate by place. */
  | { readonly kind: 'not-found'; readonly detail: string; readonly mistakes: readonly WaitMistake[] }
  | { readonly kind: 'invalid'; readonly mistakes: readonly WaitMistake[] };

/** Resolves when the condition is true, the limit is over, or the client is gone. */
export async function waitFor(body: WaitBody, parts: WaitParts): Promise<Waited> {
  const { clock, record, look, words, slackMs, signal } = parts;
  const read = readWait(body, words);
  if (!read.ok) return { kind: 'invalid', mistakes: read.mistakes };
  const { subject, named, restoreIds } = read;
  const since = body.since === undefined ? parts.since : record.positionAt(parseInstantUp(body.since) as Instant);
  const workerIds = (who: string) => words.cast.get(who) ?? [];
  const sight: CheckSight = { record, look, since, taken: new Set(), named, workerIds };
  const withinMs = body.within === undefined ? DEFAULT_LIMIT_MS : (parseDuration(body.within) as number);
  const check: CheckBody = { kind: 'check', verb: 'wait_for', subject, limit: { min: 0, max: withinMs }, forMs: 0 };
  const begin = clock.now();
  const judged = await judge(check, begin, { clock, record, sight, slackMs, onVerdict: () => {}, signal });
  if (judged.fault === null && judged.look.matched)
    return { kind: 'found', found: foundIn(judged.look.found, judged.look.at ?? judged.at, judged.waitedMs) };
  const missed = notFound(subject, judged.look, sight, withinMs);
  const mistakes = missed.mistakes.map(({ pointer, detail }) => ({ pointer, detail: restoreIds(detail) }));
  return { ...missed, detail: restoreIds(missed.detail), mistakes };
}

function foundIn(found: readonly Candidate[], at: Instant, waitedMs: number): WaitFound {
  const [first] = found;
  const { kind, id, body } = first?.named ?? { kind: 'event', id: '', body: null };
  const ids = found.map(({ named }) => named.id);
  return { kind, id, at, waitedMs, ids, found: body ?? (first === undefined ? null : { label: first.label }) };
}

function notFound(
  subject: Subject,
  look: LookResult,
  sight: CheckSight,
  withinMs: number,
): Extract<Waited, { kind: 'not-found' }> {
  const missed = look.matched ? [] : look.mismatches;
  const candidates = look.matched ? 0 : look.candidates;
  const differences = missed.map(({ path, expected, got }) => ({ path, why: `expected ${expected}, got ${got}` }));
  const nearest = differences.map(({ path, why }) => (path === '' ? why : `${path}: ${why}`)).join('; ');
  const among = candidates > 1 ? ` of ${candidates} candidates` : '';
  const why = nearest === '' ? 'There was nothing that it could have been.' : `The nearest${among}: ${nearest}.`;
  const detail = `${subject.text} did not come within ${formatDuration(withinMs)}. ${why}${cameBefore(subject, sight)}`;
  const parts = (path: string) => (path === '' ? [] : path.replace(/\[(\d+)\]/g, '.$1').split('.'));
  const mistakes = differences.map(({ path, why: wrong }) => ({
    pointer: pointerOf(subject.word, parts(path)),
    detail: wrong,
  }));
  return { kind: 'not-found', detail, mistakes };
}

/** Mentions a match before the start of the search, a frequent mistake. */
function cameBefore(subject: Subject, sight: CheckSight): string {
  const look = subject.look({ ...sight, since: 0 });
  const [found] = look.matched ? look.found : [];
  if (found === undefined) return '';
  const at = formatInstant(found.at);
  return ` One that fits came before the search began (${found.label}, ${at}); "since": "${at}" would find it.`;
}
