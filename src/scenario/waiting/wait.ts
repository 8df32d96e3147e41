/** A blocking wait for test code in any language, as a request and its execution: a check of the scenario language on the view of one viewer. [decisions 9] */

import { declaredName } from '../../base/text/same-name.ts';
import type { Clock, Instant } from '../../base/time/clock.ts';
import { formatDuration, parseDuration } from '../../base/time/durations.ts';
import { formatInstant, parseInstantUp } from '../../base/time/instants.ts';
import { withSeconds } from '../../contract/formats.ts';
import type { JsonMap } from '../../contract/schema.ts';
import { type Path, placeIn, type Report } from '../../plant/mistakes.ts';
import { judge } from '../judging/judge.ts';
import type { Looks } from '../judging/looks.ts';
import type { Candidate, CheckSubject, LookResult, ViewScope } from '../judging/subject.ts';
import { readSubject } from '../language/read-condition.ts';
import { DEFAULT_LIMIT_MS } from '../language/steps/check.ts';
import type { RunRecord } from '../log/run-record.ts';
import { NO_PLANTS } from '../model/plants.ts';
import { noSteps, type ScenarioReading } from '../model/read-matcher.ts';
import { type NamedKind, type NamedThing, ScenarioNames } from '../model/references.ts';
import type { CheckBody, ScenarioCast } from '../model/scenario.ts';

interface WaitParts {
  readonly clock: Clock;
  /** The history as the viewer sees it. */
  readonly record: RunRecord;
  readonly look: Looks;
  readonly words: WaitWords;
  /** Default sequence number from which the search starts. */
  readonly since: number;
  /** Tolerance added to the limit, simulated ms: where time is live replies take time. */
  readonly slackMs: number;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface WaitFound {
  readonly kind: NamedKind;
  readonly id: string;
  /** The time at which the condition became true. */
  readonly at: Instant;
  readonly waitedMs: number;
  /** Ids of all matches, for a `count`. */
  readonly ids: readonly string[];
  /** The alert, muster or event in the form of the API, or the log entry of a delivery or request. */
  readonly found: unknown;
}

type Waited =
  | { readonly kind: 'found'; readonly found: WaitFound }
  /** A message, and the mismatches of the nearest candidate by path. */
  | { readonly kind: 'not-found'; readonly detail: string; readonly mistakes: readonly WaitMistake[] }
  | { readonly kind: 'invalid'; readonly mistakes: readonly WaitMistake[] };

/** Resolves when the condition is true, the limit is over, or the client has disconnected. */
export async function waitFor(body: WaitBody, parts: WaitParts): Promise<Waited> {
  const { clock, record, look, words, slackMs, signal } = parts;
  const read = readWait(body, words);
  if (!read.ok) return { kind: 'invalid', mistakes: read.mistakes };
  const { subject, named, restoreIds } = read;
  const since =
    body.since === undefined ? parts.since : record.positionAt(parseInstantUp(withSeconds(body.since)) as Instant);
  const workerIds = (who: string) => words.cast.get(who) ?? [];
  const viewScope: ViewScope = { record, look, since, taken: new Set(), named, workerIds };
  const withinMs = body.within === undefined ? DEFAULT_LIMIT_MS : (parseDuration(body.within) as number);
  const check: CheckBody = {
    kind: 'check',
    verb: 'wait_for',
    subject,
    limit: { min: 0, max: withinMs },
    forMs: 0,
    since: null,
  };
  const begin = clock.now();
  const judged = await judge(check, begin, { clock, record, viewScope, slackMs, onJudgement: () => {}, signal });
  if (judged.fault === null && judged.look.matched)
    return { kind: 'found', found: foundIn(judged.look.found, judged.look.at ?? judged.at, judged.waitedMs) };
  const missed = notFound(subject, judged.look, viewScope, withinMs, insteadOf(body, words, viewScope));
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
  subject: CheckSubject,
  look: LookResult,
  viewScope: ViewScope,
  withinMs: number,
  came: string,
): Extract<Waited, { kind: 'not-found' }> {
  const missed = look.matched ? [] : look.mismatches;
  const candidates = look.matched ? 0 : look.candidates;
  const differences = missed.map(({ path, expected, got }) => ({ path, why: `expected ${expected}, got ${got}` }));
  const nearest = differences.map(({ path, why }) => (path === '' ? why : `${path}: ${why}`)).join('; ');
  const among = candidates > 1 ? ` of ${candidates} candidates` : '';
  const why = nearest === '' ? came : `The nearest${among}: ${nearest}.`;
  const detail = `${subject.text} did not come within ${formatDuration(withinMs)}. ${why}${cameBefore(subject, viewScope)}`;
  const parts = (path: string) => (path === '' ? [] : path.replace(/\[(\d+)\]/g, '.$1').split('.'));
  const mistakes = differences.map(({ path, why: wrong }) => ({
    pointer: pointerOf(subject.word, parts(path)),
    detail: wrong,
  }));
  return { kind: 'not-found', detail, mistakes };
}

/** What came while nothing was like the object of the wait: an alert, or an event, of another type. */
function insteadOf({ alert, event, match }: WaitBody, words: WaitWords, viewScope: ViewScope): string {
  const none = 'There was nothing that it could have been.';
  if (alert === undefined && event === undefined) return none;
  const of = match?.['of'] === undefined ? {} : { match: { of: match['of'] } };
  const read = readWait({ ...(alert === undefined ? { event: 'any' } : { alert: 'any' }), ...of }, words);
  const look = read.ok ? read.subject.look(viewScope) : null;
  const found = look?.matched === true ? look.found : [];
  return found.length === 0 ? none : `What came instead: ${[...new Set(found.map(({ label }) => label))].join(', ')}.`;
}

/** Mentions a match before the start of the search, because a late start is a frequent mistake. */
function cameBefore(subject: CheckSubject, viewScope: ViewScope): string {
  const look = subject.look({ ...viewScope, since: 0 });
  const [found] = look.matched ? look.found : [];
  if (found === undefined) return '';
  const at = formatInstant(found.at);
  return ` One that fits came before the search began (${found.label}, ${at}); "since": "${at}" would find it.`;
}

// Reads the body of a wait request: a check of the scenario language in JSON. [decisions 9]

const WAIT_SUBJECTS = ['event', 'alert', 'muster', 'request', 'delivery'] as const;
type WaitSubject = (typeof WAIT_SUBJECTS)[number];

/** The body of the request, validated by its schema. */
export type WaitBody = { readonly [K in WaitSubject]?: string } & {
  readonly match?: JsonMap;
  /** A duration of simulated time. */
  readonly within?: string;
  /** Time from which matches count. */
  readonly since?: string;
};

/** The names that a wait may use: those that the viewer may see. */
export interface WaitWords {
  /** External ids, ids and serials of the people. */
  readonly cast: ScenarioCast;
  /** Urls of destinations. */
  readonly receivers: readonly string[];
  readonly companies: readonly string[];
}

interface WaitMistake {
  readonly pointer: string;
  readonly detail: string;
}

type ReadWait =
  | {
      readonly ok: true;
      readonly subject: CheckSubject;
      readonly named: (name: string) => NamedThing | undefined;
      /** Replaces generated names in a text by the ids of the request. */
      readonly restoreIds: (text: string) => string;
    }
  | { readonly ok: false; readonly mistakes: readonly WaitMistake[] };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Keys that accept an id, in the way that a scenario accepts `$name`. */
const NAMED: Readonly<Record<string, NamedKind>> = { alert: 'alert', muster: 'muster', event: 'event', about: 'alert' };

/** Reads a subject, and in `match` its other keys: `of`, `about`, `object`, or fields of the object. */
function readWait(body: WaitBody, words: WaitWords): ReadWait {
  const about = WAIT_SUBJECTS.filter((word) => body[word] !== undefined);
  const [word] = about;
  if (word === undefined || about.length > 1) {
    const detail = `must have one of ${WAIT_SUBJECTS.slice(0, -1).join(', ')} and ${WAIT_SUBJECTS.at(-1)}`;
    return { ok: false, mistakes: [{ pointer: '', detail }] };
  }
  const mistakes: WaitMistake[] = [];
  const mistake: Report['mistake'] = (path, detail) => mistakes.push({ pointer: pointerOf(word, path), detail });
  const { match = {} } = body;
  if (Object.hasOwn(match, word))
    mistake(['match', word], `${word} stands outside of match already; leave it out here`, 'key');
  const report: Report = { mistake, warning: () => {} };
  const known = [...words.cast.keys(), ...words.companies];
  const spelled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(spelled);
    return typeof value === 'string' ? declaredName(known, value) : value;
  };
  const given = Object.entries({ ...match, [word]: body[word] }).map(([key, value]) => [key, spelled(value)]);
  const { fields, named } = withIds(Object.fromEntries(given));
  const names = new ScenarioNames();
  for (const [name, { kind }] of named) names.give(name, kind, 0, placeIn(report));
  const subject = readSubject('wait', fields, readingOf(words, names, report));
  if (subject === null || mistakes.length > 0) return { ok: false, mistakes };
  const restoreIds = (text: string) =>
    text.replace(/\$([a-z]+)/g, (whole, name: string) => named.get(name)?.id ?? whole);
  return { ok: true, subject, named: (name) => named.get(name), restoreIds };
}

/** Returns the JSON pointer of a path in the check: everything except the subject is below `match`. */
function pointerOf(word: string, path: Path): string {
  if (path.length === 0) return `/${word}`;
  // Before, an id was replaced by `$alert` or a similar name.
  const plain = path.map((part) => String(part).replace(/^\$/, ''));
  const whole = plain[0] === word || plain[0] === 'match' ? plain : ['match', ...plain];
  return `/${whole.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
}

/** Replaces ids by names bound to the objects. */
function withIds(fields: JsonMap): { fields: JsonMap; named: Map<string, NamedThing> } {
  const named = new Map<string, NamedThing>();
  const entries = Object.entries(fields).map(([key, value]): [string, unknown] => {
    const kind = NAMED[key];
    if (kind === undefined || typeof value !== 'string' || !UUID.test(value)) return [key, value];
    const id = value.toLowerCase();
    named.set(key, { kind, id, body: { id } });
    return [key, `$${key}`];
  });
  return { fields: Object.fromEntries(entries), named };
}

function readingOf(words: WaitWords, names: ScenarioNames, report: Report): ScenarioReading {
  return placeIn(report, [], {
    ...words,
    names,
    plants: NO_PLANTS,
    values: {},
    macros: new Map(),
    doing: [],
    readSteps: noSteps,
    placeOf: () => ({ file: '', line: 0 }),
  });
}
