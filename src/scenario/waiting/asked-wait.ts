/** Reads the body of a wait request: a check of the scenario language in JSON. [decisions 9] */
import type { JsonMap } from '../../contract/schema.ts';
import type { Path, Report } from '../../plant/mistakes.ts';
import type { Subject } from '../judging/subjects/subject.ts';
import { readSubject } from '../reading/read-check.ts';
import { NO_PLANTS } from '../story/plants.ts';
import type { StoryReading } from '../story/read-matcher.ts';
import { type NamedKind, type NamedThing, StoryNames } from '../story/references.ts';
import type { StoryCast } from '../story/story.ts';

export const WAIT_SUBJECTS = ['event', 'alert', 'muster', 'request', 'delivery'] as const;
export type WaitSubject = (typeof WAIT_SUBJECTS)[number];

/** The body, validated by its schema. */
export type WaitBody = { readonly [K in WaitSubject]?: string } & {
  readonly match?: JsonMap;
  /** A duration of simulated time. */
  readonly within?: string;
  /** Time from which on matches count. */
  readonly since?: string;
};

/** The names usable in a wait: what the viewer may see. */
export interface WaitWords {
  /** External ids, ids and serials of the people. */
  readonly cast: StoryCast;
  /** Urls of destinations. */
  readonly receivers: readonly string[];
  readonly companies: readonly string[];
}

export interface WaitMistake {
  readonly pointer: string;
  readonly detail: string;
}

export type ReadWait =
  | {
      readonly ok: true;
      readonly subject: Subject;
      readonly named: (name: string) => NamedThing | undefined;
      /** Replaces generated names in a text by the ids of the request. */
      readonly restoreIds: (text: string) => string;
    }
  | { readonly ok: false; readonly mistakes: readonly WaitMistake[] };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Keys that accept an id, as a story has `$name`. */
const NAMED: Readonly<Record<string, NamedKind>> = { alert: 'alert', muster: 'muster', event: 'event', about: 'alert' };

/** A subject, and in `match` its other keys: `of`, `about`, `object`, or fields of the object. */
export function readWait(body: WaitBody, words: WaitWords): ReadWait {
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
  const { fields, named } = withIds({ ...match, [word]: body[word] });
  const names = new StoryNames();
  for (const [name, { kind }] of named) names.give(name, kind, 0, [], report);
  const subject = readSubject('wait', fields, [], readingOf(words, names, report));
  if (subject === null || mistakes.length > 0) return { ok: false, mistakes };
  const restoreIds = (text: string) =>
    text.replace(/\$([a-z]+)/g, (whole, name: string) => named.get(name)?.id ?? whole);
  return { ok: true, subject, named: (name) => named.get(name), restoreIds };
}

/** The JSON pointer of a path in the check: everything but the subject is below `match`. */
export function pointerOf(word: string, path: Path): string {
  if (path.length === 0) return `/${word}`;
  // An id was replaced by `$alert` and the like.
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

function readingOf(words: WaitWords, names: StoryNames, report: Report): StoryReading {
  return {
    ...words,
    ...{ report, names, plants: NO_PLANTS, values: {}, macros: new Map(), doing: [] },
    readSteps: () => [],
    placeOf: () => ({ file: '', line: 0 }),
  };
}
