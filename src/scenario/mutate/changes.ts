/** Enumerates the mutations of a story: every cause left out, and every detail of its checks made wrong. */

import { isDeepStrictEqual } from 'node:util';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import type { Path } from '../../plant/mistakes.ts';
import type { StorySource } from '../reading/load.ts';
import { STEP_KINDS } from '../reading/step-kinds.ts';
import type { StoryChange } from '../story/change.ts';
import { type Detail, detailsOf, type KnownNames, limitDetails, neverDetails, versionOf } from './check-changes.ts';

/** Steps without an observable effect in lock-step. */
const NO_CAUSES = ['wait', 'mark', 'clock speed', 'clock pause'];
const CHECKS = ['expect', 'wait_for', 'check'];
/** Modifiers that stay when a step is left out, since they affect time. */
const OF_TIME = ['after', 'at', 'only', 'note'];

/** An `equivalent` whose name matches no mutation of its step. */
export interface StrayReason extends Pick<StoryChange, 'key' | 'file' | 'line' | 'word' | 'detail'> {
  /** The names of the step's mutations. */
  readonly known: readonly string[];
}

export interface FoundChanges {
  readonly changes: readonly StoryChange[];
  readonly stray: readonly StrayReason[];
}

/** In the order of the file, without steps of other cases. */
export function changesOf(source: StorySource, names: Omit<KnownNames, 'given'>): FoundChanges {
  const { macros, steps, when, rules } = source.value;
  const finder = new ChangeFinder(source, { ...names, given: givenIn([steps, macros]) });
  if (isMap(macros)) {
    for (const [name, macro] of Object.entries(macros))
      if (isMap(macro)) finder.steps(macro['steps'], ['macros', name, 'steps']);
  }
  finder.steps(steps, ['steps']);
  if (Array.isArray(when)) {
    for (const [i, one] of when.entries()) if (isMap(one)) finder.steps(one['steps'], ['when', i, 'steps']);
  }
  if (Array.isArray(rules)) for (const [i, rule] of rules.entries()) finder.rule(rule, ['rules', i]);
  return { changes: finder.found, stray: finder.stray };
}

/** Every name bound by `as`, except for events, whose alert or muster has another name. */
function givenIn(value: unknown): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap(givenIn))];
  if (!isMap(value)) return [];
  const isEvent = CHECKS.some((word) => isMap(value[word]) && Object.hasOwn(value[word], 'event'));
  const own = typeof value['as'] === 'string' && !isEvent ? [value['as']] : [];
  return [...new Set([...own, ...Object.values(value).flatMap(givenIn)])];
}

class ChangeFinder {
  readonly found: StoryChange[] = [];
  readonly stray: StrayReason[] = [];
  readonly #source: StorySource;
  readonly #names: KnownNames;

  constructor(source: StorySource, names: KnownNames) {
    this.#source = source;
    this.#names = names;
  }

  steps(value: unknown, path: Path): void {
    if (!Array.isArray(value)) return;
    for (const [i, step] of value.entries()) if (isMap(step)) this.#step(step, [...path, i]);
  }

  #step(step: JsonMap, path: Path): void {
    const word = Object.keys(step).find((key) => STEP_KINDS.has(key));
    if (word === undefined || !this.#isOfThisCase(step)) return;
    const before = this.found.length;
    this.#changesOf(step, word, path);
    this.reportStray(step, word, path, before);
  }

  #changesOf(step: JsonMap, word: string, path: Path): void {
    const value = step[word];
    const at = [...path, word];
    if (word === 'together') this.steps(value, at);
    else if (word === 'repeat') this.steps(isMap(value) ? value['steps'] : undefined, [...at, 'steps']);
    // The steps of a macro are mutated in its definition.
    else if (word === 'do') return;
    else if (CHECKS.includes(word)) {
      this.#add(step, word, path, detailsOf(word, value, at, this.#names));
      this.#add(step, word, path, limitDetails(step, path));
    } else if (word === 'never') this.#add(step, word, path, neverDetails(step, path));
    else this.#cause(step, word, value, path);
  }

  #cause(step: JsonMap, word: string, value: unknown, path: Path): void {
    const fields = isMap(value) ? value : {};
    if (word === 'api') this.#add(step, word, path, answerDetails(fields, [...path, word]));
    if (step['refused'] === true) {
      const turned = { ...versionOf(true, false, [...path, 'refused']), text: 'refused: true -> done' };
      this.#add(step, word, path, [
        { detail: 'refused', versions: [turned], anyVersion: false, path: [...path, 'refused'] },
      ]);
      return;
    }
    const turn = word === 'clock' ? `clock ${Object.keys(fields)[0]}` : word;
    if (NO_CAUSES.includes(turn) || (word === 'api' && !isWriting(fields))) return;
    const kept = Object.fromEntries(Object.entries(step).filter(([key]) => OF_TIME.includes(key)));
    const versions = [{ text: 'left out', edits: [{ path, value: { ...kept, wait: '0s' } }] }];
    this.#add(step, word, path, [{ detail: 'step', versions, anyVersion: false, path: [...path, word] }], 'left-out');
    if (step['for'] === undefined) return;
    const lasting = [
      { text: `for ${String(step['for'])} -> for good`, edits: [{ path: [...path, 'for'], value: undefined }] },
    ];
    this.#add(step, word, path, [{ detail: 'for', versions: lasting, anyVersion: false, path: [...path, 'for'] }]);
  }

  rule(rule: unknown, path: Path): void {
    if (!isMap(rule)) return;
    const verb = ['every', 'always', 'never'].find((word) => Object.hasOwn(rule, word));
    if (verb === undefined) return;
    const before = this.found.length;
    this.#rule(rule, verb, path);
    this.reportStray(rule, verb, path, before);
  }

  #rule(rule: JsonMap, verb: string, path: Path): void {
    const { [verb]: check, count } = rule;
    const at = [...path, verb];
    if (verb === 'never') {
      const turned = { text: 'never -> always', edits: [{ path, value: { always: check } }] };
      this.#add(rule, verb, path, [{ detail: verb, versions: [turned], anyVersion: false, path: at }]);
      return;
    }
    // With a count that allows 0, a wrong detail passes vacuously.
    const mayBeNone = typeof count === 'string' && /^(?:0\.\.|>= *0)/.test(count);
    if (mayBeNone) return;
    // A rule may hold for other values too, so only values that never match are tried.
    const details = [check, ...(count === undefined ? [] : [{ rule: null, count }])].flatMap((one, i) =>
      detailsOf(verb, one, i === 0 ? at : path, this.#names),
    );
    this.#add(
      rule,
      verb,
      path,
      details.map((detail) => ({ ...detail, anyVersion: true })),
    );
  }

  #add(
    step: JsonMap,
    word: string,
    path: Path,
    details: readonly Detail[],
    kind: StoryChange['kind'] = 'broken',
  ): void {
    for (const { path: at, ...detail } of details) {
      const { file, line } = this.#source.placeOf(at);
      const key = JSON.stringify([path, detail.detail]);
      this.found.push({ key, file, line, word, kind, ...detail, equivalent: equivalentOf(step, detail.detail) });
    }
  }

  /** Reports reasons without a mutation, such as a misspelt detail. `before`: number of mutations found before this step. */
  reportStray({ equivalent }: JsonMap, word: string, path: Path, before: number): void {
    if (!isMap(equivalent)) return;
    const known = this.found.slice(before).map(({ detail }) => detail);
    for (const detail of Object.keys(equivalent).filter((name) => !known.includes(name))) {
      const { file, line } = this.#source.placeOf([...path, 'equivalent', detail]);
      this.stray.push({ key: JSON.stringify([path, detail]), file, line, word, detail, known: [...new Set(known)] });
    }
  }

  #isOfThisCase({ only }: JsonMap): boolean {
    const { bound } = this.#source;
    if (!isMap(only)) return true;
    return Object.entries(only).every(([name, wanted]) =>
      [wanted].flat().some((one) => isDeepStrictEqual(one, bound[name])),
    );
  }
}

/** The reason given with `equivalent` for this detail; null without one. */
function equivalentOf({ equivalent }: JsonMap, detail: string): string | null {
  const reason = isMap(equivalent) ? equivalent[detail] : undefined;
  return typeof reason === 'string' ? reason : null;
}

function answerDetails({ answers }: JsonMap, path: Path): Detail[] {
  if (!isMap(answers)) return [];
  return detailsOf('check', { answer: null, ...answers }, [...path, 'answers'], NO_NAMES).map((detail) => ({
    ...detail,
    detail: `answers.${detail.detail}`,
  }));
}

const NO_NAMES: KnownNames = { people: [], receivers: [], companies: [], given: [] };

/** Whether a call has an effect, as far as its expected answer shows; calls without one are made for their effect. */
function isWriting(call: JsonMap): boolean {
  const { answers } = call;
  if (!isMap(answers)) return true;
  const { status } = answers;
  return !Object.hasOwn(call, 'get') && !(typeof status === 'number' && status >= 400);
}
