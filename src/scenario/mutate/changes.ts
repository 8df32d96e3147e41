/** Enumerates the mutations of a scenario: every step left out or with another value, every threshold that it sets, and every detail of its checks made wrong. It also lists the checks. */

import { isDeepStrictEqual } from 'node:util';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import type { Path } from '../../plant/mistakes.ts';
import { COMMON_MODIFIERS } from '../language/modifiers.ts';
import { RULE_VERBS } from '../language/rules.ts';
import type { Step, StepMutation } from '../language/step.ts';
import { innerSteps, type StepIn, stepIn, stepsOfFile } from '../language/steps.ts';
import type { ScenarioChange, ScenarioCheck } from '../model/change.ts';
import type { Values } from '../model/scenario.ts';
import type { ScenarioSource } from '../reading/load.ts';
import {
  type Detail,
  detailsOf,
  detailsOfBody,
  flowText,
  type KnownNames,
  limitDetails,
  mayBeNone,
  neverDetails,
  versionOf,
} from './check-changes.ts';
import { otherDetails, thresholdDetails } from './step-changes.ts';

/** Modifiers that are kept when a step is left out, because they affect time. */
const KEPT: readonly string[] = COMMON_MODIFIERS;

/** An `equivalent` reason whose name matches no mutation of its step. */
export interface StrayReason extends Pick<ScenarioChange, 'key' | 'file' | 'line' | 'word' | 'detail'> {
  /** The names of the step's mutations. */
  readonly known: readonly string[];
}

export interface FoundChanges {
  readonly changes: readonly ScenarioChange[];
  readonly checks: readonly ScenarioCheck[];
  readonly stray: readonly StrayReason[];
}

/** In the order of the file, without the steps of other cases. */
export function changesOf(source: ScenarioSource, names: Omit<KnownNames, 'given'>): FoundChanges {
  const { macros, steps, rules, service } = source.value;
  const finder = new ChangeFinder(source, { ...names, given: givenIn([steps, macros]) });
  finder.thresholds(service);
  const called = calledMacros(source);
  for (const [list, path] of stepsOfFile(source.value))
    if (path[0] !== 'macros' || called.has(String(path[1]))) finder.steps(list, path);
  if (Array.isArray(rules)) for (const [i, rule] of rules.entries()) finder.rule(rule, ['rules', i]);
  return { changes: finder.found, checks: finder.checks, stray: finder.stray };
}

/** The macros that the steps of this case call, and those that they call in turn. The others have no part in the run. */
function calledMacros({ value: file, bound }: ScenarioSource): ReadonlySet<string> {
  const called = new Set<string>();
  const visit = (list: unknown): void => {
    for (const step of Array.isArray(list) ? list.filter(isMap) : []) {
      const found = isOfCase(step, bound) ? stepIn(step) : undefined;
      if (found === undefined) continue;
      for (const [inner] of innerSteps(found.step, found.value)) visit(inner);
      const name = found.step.word === 'do' && isMap(found.value) ? found.value['macro'] : undefined;
      if (typeof name !== 'string' || called.has(name)) continue;
      called.add(name);
      const { [name]: macro } = isMap(file['macros']) ? file['macros'] : {};
      if (isMap(macro)) visit(macro['steps']);
    }
  };
  for (const [list, path] of stepsOfFile(file)) if (path[0] !== 'macros') visit(list);
  return called;
}

/** True for a step whose `only` includes this case. */
const isOfCase = ({ only }: JsonMap, bound: Values): boolean =>
  !isMap(only) ||
  Object.entries(only).every(([name, wanted]) => [wanted].flat().some((one) => isDeepStrictEqual(one, bound[name])));

/** Returns every name bound by `as`, except names of events, because checks compare the alert or muster of an event. */
function givenIn(value: unknown): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap(givenIn))];
  if (!isMap(value)) return [];
  const found = stepIn(value);
  const isEvent = found?.step.mutation.kind === 'details' && isMap(found.value) && Object.hasOwn(found.value, 'event');
  const own = typeof value['as'] === 'string' && !isEvent ? [value['as']] : [];
  return [...new Set([...own, ...Object.values(value).flatMap(givenIn)])];
}

type LeftOut = Extract<StepMutation, { kind: 'left-out' }>;

/** The name under which `equivalent` gives the reason why a check fails under no change. */
export const IDLE = 'idle';

class ChangeFinder {
  readonly found: ScenarioChange[] = [];
  readonly checks: ScenarioCheck[] = [];
  readonly stray: StrayReason[] = [];
  readonly #source: ScenarioSource;
  readonly #names: KnownNames;

  constructor(source: ScenarioSource, names: KnownNames) {
    this.#source = source;
    this.#names = names;
  }

  /**
   * Only thresholds that the file itself sets: those of its parts are shared with scenarios that do not depend on them.
   */
  thresholds(service: unknown): void {
    if (!isMap(service)) return;
    const { file, placeOf } = this.#source;
    const isOwn = (path: Path): boolean => placeOf(path).file === file;
    const own = thresholdDetails(service, ['service']).filter(({ path }) => isOwn(path));
    this.#add(service, 'service', ['service'], own, 'threshold');
    const reasons = Object.entries(isMap(service['equivalent']) ? service['equivalent'] : {});
    const ownReasons = reasons.filter(([name]) => isOwn(['service', 'equivalent', name]));
    this.reportStray({ equivalent: Object.fromEntries(ownReasons) }, 'service', ['service'], 0);
  }

  steps(value: unknown, path: Path): void {
    if (!Array.isArray(value)) return;
    for (const [i, step] of value.entries()) if (isMap(step)) this.#step(step, [...path, i]);
  }

  #step(step: JsonMap, path: Path): void {
    const found = stepIn(step);
    if (found === undefined || !isOfCase(step, this.#source.bound)) return;
    const before = this.found.length;
    this.#changesOf(step, found, path);
    this.reportStray(step, found.step.word, path, before);
  }

  #changesOf(step: JsonMap, { step: declared, value }: StepIn, path: Path): void {
    const { word, mutation } = declared;
    const at = [...path, word];
    switch (mutation.kind) {
      case 'none':
        return;
      case 'inner':
        for (const [list, below] of innerSteps(declared, value)) this.steps(list, [...at, ...below]);
        return;
      case 'details':
        this.#check(step, word, path, value);
        this.#add(step, word, path, detailsOf(word, value, at, this.#names));
        this.#add(step, word, path, limitDetails(step, path));
        return;
      case 'inverted':
        this.#check(step, word, path, value);
        this.#add(step, word, path, neverDetails(step, path), 'inverted');
        return;
      case 'left-out':
        this.#cause(step, declared, isMap(value) ? value : {}, mutation, path);
    }
  }

  #check(step: JsonMap, word: string, path: Path, value: unknown): void {
    const { file, line } = this.#source.placeOf([...path, word]);
    const idle = equivalentOf(step, IDLE);
    this.checks.push({ key: JSON.stringify(path), file, line, word, text: flowText(value), idle });
  }

  #cause(step: JsonMap, declared: Step, fields: JsonMap, { judged, unless }: LeftOut, path: Path): void {
    const { word } = declared;
    if (judged !== undefined && isMap(fields[judged])) {
      this.#check(step, word, path, fields);
      this.#add(step, word, path, judgedDetails(fields, judged, [...path, word]));
    }
    // Steps of `finally` restore a state that only their own checks see.
    if (path[0] === 'finally') return;
    if (step['refused'] === true) {
      const turned = { ...versionOf(true, false, [...path, 'refused']), text: 'refused: true -> done' };
      this.#add(step, word, path, [
        { detail: 'refused', versions: [turned], anyVersion: false, path: [...path, 'refused'] },
      ]);
      return;
    }
    if (unless !== undefined && unless(fields) !== null) return;
    const kept = Object.fromEntries(Object.entries(step).filter(([key]) => KEPT.includes(key)));
    const versions = [{ text: 'left out', edits: [{ path, value: { ...kept, wait: '0s' } }] }];
    this.#add(step, word, path, [{ detail: 'step', versions, anyVersion: false, path: [...path, word] }], 'left-out');
    this.#add(step, word, path, otherDetails(declared, fields, [...path, word], this.#names), 'other');
    if (step['for'] === undefined) return;
    const lasting = [
      { text: `for ${String(step['for'])} -> for good`, edits: [{ path: [...path, 'for'], value: undefined }] },
    ];
    const detail = { detail: 'for', versions: lasting, anyVersion: false, path: [...path, 'for'] };
    this.#add(step, word, path, [detail], 'other');
  }

  rule(rule: unknown, path: Path): void {
    if (!isMap(rule)) return;
    const verb = RULE_VERBS.find((word) => Object.hasOwn(rule, word));
    if (verb === undefined) return;
    const before = this.found.length;
    this.#rule(rule, verb, path);
    this.reportStray(rule, verb, path, before);
  }

  #rule(rule: JsonMap, verb: string, path: Path): void {
    const { [verb]: check, count } = rule;
    const at = [...path, verb];
    this.#check(rule, verb, path, check);
    if (verb === 'never') {
      const turned = { text: 'never -> always', edits: [{ path, value: { always: check } }] };
      this.#add(rule, verb, path, [{ detail: verb, versions: [turned], anyVersion: false, path: at }], 'inverted');
      return;
    }
    // If the count allows 0, a rule with a wrong detail passes trivially.
    if (mayBeNone(count)) return;
    // A rule may also hold for other values, so only values that never match are used.
    const details = [
      ...detailsOf(verb, check, at, this.#names),
      ...(count === undefined ? [] : detailsOfBody({ count }, path)),
    ];
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
    kind: ScenarioChange['kind'] = 'broken',
  ): void {
    for (const { path: at, ...detail } of details) {
      const { file, line } = this.#source.placeOf(at);
      const key = JSON.stringify([path, detail.detail]);
      const equivalent = equivalentOf(step, detail.detail);
      this.found.push({ key, file, line, path, word, kind, ...detail, equivalent });
    }
  }

  /**
   * Reports reasons in `equivalent` without a mutation, such as those for a misspelt detail. `before`: number of
   * mutations that were found before this step.
   */
  reportStray({ equivalent }: JsonMap, word: string, path: Path, before: number): void {
    if (!isMap(equivalent)) return;
    const isCheck = this.checks.some(({ key }) => key === JSON.stringify(path));
    const known = [...this.found.slice(before).map(({ detail }) => detail), ...(isCheck ? [IDLE] : [])];
    for (const detail of Object.keys(equivalent).filter((name) => !known.includes(name))) {
      const { file, line } = this.#source.placeOf([...path, 'equivalent', detail]);
      this.stray.push({ key: JSON.stringify([path, detail]), file, line, word, detail, known: [...new Set(known)] });
    }
  }
}

/** Returns the reason that `equivalent` gives for this detail; null without one. */
function equivalentOf({ equivalent }: JsonMap, detail: string): string | null {
  const reason = isMap(equivalent) ? equivalent[detail] : undefined;
  return typeof reason === 'string' ? reason : null;
}

/** The details of a body that the step compares, such as the expected answer of a call. */
function judgedDetails(fields: JsonMap, key: string, path: Path): Detail[] {
  const body = fields[key];
  if (!isMap(body)) return [];
  return detailsOfBody(body, [...path, key]).map((detail) => ({ ...detail, detail: `${key}.${detail.detail}` }));
}
