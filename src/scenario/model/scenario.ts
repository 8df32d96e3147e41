/** A validated scenario, in types that the player can use without further checks; and the runs to which a file expands, by its parameters, matrix and cases. */

import { isPrintable, printable } from '../../base/text/printable.ts';
import type { Instant } from '../../base/time/clock.ts';
import type { ActionName } from '../../contract/actions.ts';
import type { EventSelector, Scope, Severity } from '../../contract/enumerations.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { didYouMean, type FilePlace, shown } from '../../plant/mistakes.ts';
import type { Plan } from '../../plant/plan.ts';
import type { CheckSubject } from '../judging/subject.ts';
import { flowCases, flowItems } from './flow.ts';
import type { Matcher } from './matchers.ts';
import type { PlannedProbe, PlannedSystem } from './own-system.ts';
import type { MsSpan, PlacedDraw } from './planned-draws.ts';
import type { ReceiverBehaviour } from './receiver-behaviour.ts';
import { type GivenKind, isName, NAME_FORM, type Reference, type SearchStart, type SourceLine } from './references.ts';

export const RUN_MODES = ['fast', 'scaled', 'real'] as const;
export type RunMode = (typeof RUN_MODES)[number];

/** The token of a call of the step `api`. [scenario-language, fine print] */
export const TOKEN_HELP = {
  valid: 'A valid token of the client. A new token is requested when needed. This is the default.',
  none: 'The call has no token.',
  expired: 'A token that is created for this call and has expired.',
  revoked: 'A token that is created for this call and is revoked.',
  narrow: 'A token without the scope that the route needs.',
} as const;
export type TokenKind = keyof typeof TOKEN_HELP;
export const TOKEN_KINDS = Object.keys(TOKEN_HELP) as readonly TokenKind[];

/** The operations of the step `webhook`. */
export const WEBHOOK_TURNS = ['create', 'delete', 'rotate_secret', 'test'] as const;
export type WebhookTurn = (typeof WEBHOOK_TURNS)[number];

export interface Scenario {
  /** The path as given by the user. */
  readonly file: string;
  /** The values of this case; null without a matrix or cases. */
  readonly values: Values | null;
  readonly title: string;
  readonly about: string | null;
  /** The reasons of the file why it is not run, why its failures do not count, and why its orders may differ. */
  readonly skip: string | null;
  readonly knownFailure: string | null;
  readonly ordersMayDiffer: string | null;
  readonly tags: readonly string[];
  readonly seed: string | null;
  readonly start: Instant | null;
  readonly speed: number | null;
  readonly modes: readonly RunMode[];
  readonly plan: Plan;
  readonly cast: ScenarioCast;
  readonly receivers: readonly PlannedReceiver[];
  readonly system: PlannedSystem | null;
  readonly probes: readonly PlannedProbe[];
  readonly steps: readonly ScenarioStep[];
  readonly whens: readonly ScenarioWhen[];
  readonly rules: readonly ScenarioRule[];
  readonly finally: readonly ScenarioStep[];
}

/** Short name -> external ids, which the API and the actions use; several for a crowd. */
export type ScenarioCast = ReadonlyMap<string, readonly string[]>;

/** A receiver and its subscription. */
export interface PlannedReceiver {
  readonly name: string;
  readonly company: string;
  /** The URL of a receiver run by the user; null: a built-in receiver. */
  readonly url: string | null;
  /**
   * The path of the user's own system to which this built-in receiver forwards deliveries; null: the receiver replies
   * itself.
   */
  readonly systemPath: string | null;
  /** True if its client calls the API after a delivery, so that simulated time waits for the call. */
  readonly callsBack: boolean;
  readonly events: readonly EventSelector[];
  readonly minSeverity: Severity | null;
  readonly contractors: readonly string[] | null;
  /** Names of sites. */
  readonly sites: readonly string[] | null;
}

/** ms from the start of the step: not before `min`, not after `max`. */
export interface Limit {
  readonly min: number;
  readonly max: number;
}

/** The common part of every step: its place in the file, and the modifiers next to its word. */
export interface StepFrame extends SourceLine {
  /** The steps `do` that led to a step of a macro, the outermost first; absent outside of macros. */
  readonly calls?: readonly SourceLine[] | undefined;
  readonly text: string;
  readonly afterMs: MsSpan;
  /** The step begins not before this time from the start. */
  readonly atMs: MsSpan | null;
  /** Binds what the step finds to this name. */
  readonly as: string | null;
  /** False if later lines only use the beginning of the step. Absent: its object may be used. */
  readonly nameUse?: { readonly isObjectUsed: boolean } | undefined;
  /** The step is expected to be rejected. */
  readonly refused: boolean;
}

export type StepBody =
  | { readonly kind: 'wait'; readonly ms: MsSpan }
  | { readonly kind: 'mark'; readonly words: string }
  | {
      readonly kind: 'action';
      readonly action: ActionName;
      readonly fields: Readonly<Record<string, FieldValue>>;
      /** The kind of object that `as` names. */
      readonly names: 'alert' | 'muster' | 'permit' | null;
      /** The action is undone after this time. Null: never. */
      readonly forMs: MsSpan | null;
    }
  | { readonly kind: 'together'; readonly steps: readonly ScenarioStep[] }
  | {
      readonly kind: 'repeat';
      readonly times: RepeatCount;
      /** Interval between the starts of two repetitions. */
      readonly everyMs: MsSpan | null;
      readonly steps: readonly ScenarioStep[];
    }
  | DoBody
  | ApiBody
  | { readonly kind: 'webhook'; readonly turn: WebhookTurn; readonly receiver: string; readonly isAnnounced: boolean }
  | ReceiverBody
  | { readonly kind: 'clock'; readonly turn: 'speed' | 'pause' | 'advance'; readonly to: MsSpan }
  | UpdateBody
  | CheckBody;

export type ScenarioStep = StepFrame & StepBody & { readonly permission: Permission };

/** What a client needs to run a step in a running sandbox. [decisions 9] */
export type Permission =
  | { readonly kind: 'free' }
  | { readonly kind: 'scopes'; readonly scopes: readonly Scope[] }
  /** `what`: the part of the step that needs the control token, such as "via panel". */
  | { readonly kind: 'control'; readonly what: string }
  /** Checked with the action catalogue, and for the people whom the client's contract shows. */
  | { readonly kind: 'action'; readonly action: ActionName; readonly fields: Readonly<Record<string, FieldValue>> }
  /** A call, which needs a scope of the client; a narrow token lacks the scope of its route. */
  | { readonly kind: 'call'; readonly call: ApiBody };

/** A condition on the whole run. */
export interface ScenarioRule extends StepFrame {
  readonly verb: 'every' | 'always' | 'never';
  readonly subject: CheckSubject;
  /** Deadline of `deliveredTo` and `followed_by`, and the time that the user's system has to follow a change; ms. */
  readonly withinMs: number | null;
  readonly apartMs: number | null;
  readonly deliveredTo: string | null;
  readonly signed: boolean;
  /** The condition that must follow each match of `every` within `withinMs`; `as` names the match in it. */
  readonly follower: CheckSubject | null;
  /** True if a rule without `count` may match nothing, because the scenarios are generated. */
  readonly mayBeNone: boolean;
  /** The required number of matches. Null: at least one match. */
  readonly count: Matcher | null;
}

/** Steps that run in parallel to the scenario each time, or the first time, a condition becomes true. */
export interface ScenarioWhen extends Omit<StepFrame, 'atMs' | 'refused'> {
  readonly verb: 'every' | 'first';
  readonly subject: CheckSubject;
  readonly steps: readonly ScenarioStep[];
}

/** `do`: the steps of a macro, with a separate scope of names. */
export interface DoBody {
  readonly kind: 'do';
  readonly steps: readonly ScenarioStep[];
  /** Arguments that are references, by the macro's parameter names. */
  readonly handed: readonly { readonly name: string; readonly reference: Reference }[];
  /** Names bound inside the macro. */
  readonly own: readonly string[];
  /** The inner name that `as` next to the `do` exports: the last found object; null if there is none. */
  readonly last: { readonly name: string; readonly kind: GivenKind } | null;
}

/** `api`: a call by the customer's own system. */
export interface ApiBody {
  readonly kind: 'api';
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** May contain `$name`s. */
  readonly path: string;
  /** Values that may contain `$name`s. */
  readonly query: JsonMap;
  readonly body: unknown;
  /** Null: the file's own company. */
  readonly company: string | null;
  readonly token: TokenKind;
  readonly scope: string | null;
  readonly times: RepeatCount;
  /** Expected reply of the last call: `{status, code, body, headers}`; null: any reply. */
  readonly answers: Matcher | null;
}

/** `receiver`: sets how a built-in receiver behaves. */
export interface ReceiverBody {
  readonly kind: 'receiver';
  readonly receiver: string;
  readonly does: readonly ReceiverBehaviour[];
  readonly delayMs: MsSpan | null;
  /** Null: until the next change. */
  readonly forMs: MsSpan | null;
}

export interface UpdateBody {
  readonly kind: 'update';
  readonly status: 'acknowledged' | 'resolved';
  readonly alerts: readonly Reference[];
  readonly via: 'api' | 'panel';
  readonly by: string;
  readonly externalId: string | null;
  readonly reason: string | null;
  readonly note: string | null;
}

/** `expect`, `wait_for`, `check` and `never`. */
export interface CheckBody {
  readonly kind: 'check';
  readonly verb: 'expect' | 'wait_for' | 'check' | 'never';
  readonly subject: CheckSubject;
  readonly limit: Limit;
  /** How long a state must hold, or how long `never` observes; ms. */
  readonly forMs: number;
  /** Where its search starts; null: at the last action. */
  readonly since: SearchStart | null;
}

/** The number of repetitions, or a range from which it is drawn. */
export type RepeatCount = number | { readonly min: number; readonly max: number };

/** A field of an action: a literal, a reference, a value with ranges, a receiver, or people. */
export type FieldValue =
  | { readonly kind: 'plain'; readonly value: unknown }
  | { readonly kind: 'reference'; readonly reference: Reference }
  | { readonly kind: 'drawn'; readonly value: unknown; readonly draws: readonly PlacedDraw[] }
  | { readonly kind: 'receiver'; readonly receiver: string }
  | { readonly kind: 'people'; readonly who: readonly CastGroup[]; readonly listed: boolean };

/** A short name, or `count` people of a crowd drawn by the seed. */
export interface CastGroup {
  readonly name: string;
  readonly count: number | null;
  /** Number of people with that short name. */
  readonly of: number;
}

/** Values by parameter name; `$name` refers to a value. */
export type Values = JsonMap;

/** Numbers of runs per file: above the first it is a mistake, above the second there is a warning. */
export const MOST_CASES = 500;
const MANY_CASES = 50;

const REFERENCE = /^\$([A-Za-z][A-Za-z0-9_-]*)$/;

interface Bindings {
  /** Defaults, overridden by `--set`. */
  readonly params: Values;
  /** One entry per run; empty for a file without a matrix or cases. */
  readonly cases: readonly Values[];
}

/** Reads `params`, `matrix` and `cases`; `set` overrides the defaults. */
export function readBindings(value: JsonMap, root: FilePlace, set: Values = {}): Bindings {
  const params = readParams(value, root);
  for (const name of Object.keys(set)) {
    if (Object.hasOwn(params, name)) continue;
    const known = Object.keys(params);
    const what = known.length === 0 ? ' The file has no params.' : didYouMean(name, known);
    root.mistake(`${quoted(name)} is set, but is not a parameter.${what}`);
  }
  if (Object.hasOwn(value, 'matrix') && Object.hasOwn(value, 'cases')) {
    root.of('cases').mistake('A file has matrix (every combination) or cases (a list), not both. Delete one.', 'key');
  }
  const cases = Object.hasOwn(value, 'matrix') ? readMatrix(value, root) : readCases(value, root);
  for (const name of new Set(cases.flatMap((one) => Object.keys(one)))) {
    if (!Object.hasOwn(params, name)) continue;
    const key = Object.hasOwn(value, 'matrix') ? ['matrix', name] : ['params', name];
    root.of(...key).mistake(`${quoted(name)} is a parameter already. Write another name.`, 'key');
  }
  const from = Object.hasOwn(value, 'matrix') ? 'matrix' : 'cases';
  if (cases.length > MOST_CASES) root.of(from).mistake(tooManyRuns(cases.length), 'key');
  else if (cases.length > MANY_CASES) root.of(from).warning(`These are ${cases.length} runs.`, 'key');
  return { params: { ...params, ...set }, cases: cases.length > MOST_CASES ? [] : cases };
}

function readParams({ params }: JsonMap, root: FilePlace): Values {
  if (params === undefined) return {};
  if (!isMap(params)) {
    root.of('params').mistake(`${shown(params)} is not a map of parameters. Write params: {silence: 30s}.`);
    return {};
  }
  return namedValues(params, root.of('params'));
}

/** The cartesian product; the last name varies fastest. */
function readMatrix({ matrix }: JsonMap, root: FilePlace): Values[] {
  if (!isMap(matrix) || Object.keys(matrix).length === 0) {
    if (matrix !== undefined)
      root.of('matrix').mistake(`${shown(matrix)} is not a map of lists. Write matrix: {fault: [503, reset]}.`);
    return [];
  }
  const lists = Object.entries(namedValues(matrix, root.of('matrix'))).flatMap(([name, list]) => {
    if (Array.isArray(list) && list.length > 0) return [{ name, list: list as readonly unknown[] }];
    root.of('matrix', name).mistake(`${shown(list)} is not a list of values. Write ${name}: ${flowItems(list)}.`);
    return [];
  });
  // The number of runs is checked before the product is computed.
  const runs = lists.reduce((product, { list }) => Math.min(product * list.length, Number.MAX_SAFE_INTEGER), 1);
  if (runs > MOST_CASES) {
    root.of('matrix').mistake(tooManyRuns(runs), 'key');
    return [];
  }
  if (runs * lists.length > MOST_CASE_VALUES) {
    root.of('matrix').mistake(`${lists.length} names are too many for ${runs} runs. Write fewer.`, 'key');
    return [];
  }
  let cases: (readonly (readonly [string, unknown])[])[] = [[]];
  for (const { name, list } of lists)
    if (list.length > 1) cases = cases.flatMap((one) => list.map((item) => [...one, [name, item] as const]));
  return cases.map((one) => {
    const several = new Map(one);
    return Object.fromEntries(lists.map(({ name, list }) => [name, several.has(name) ? several.get(name) : list[0]]));
  });
}

const tooManyRuns = (runs: number): string => `These are ${runs} runs. Write at most ${MOST_CASES}.`;

/** Maximum number of values of all cases of a matrix together. */
const MOST_CASE_VALUES = 100_000;

/** Maximum number of names that a message lists. */
const MOST_NAMED = 5;

function readCases({ cases }: JsonMap, root: FilePlace): Values[] {
  if (cases === undefined) return [];
  if (!Array.isArray(cases) || cases.length === 0 || !cases.every(isMap)) {
    root.of('cases').mistake(`${shown(cases)} is not a list of cases. Write cases: ${flowCases(cases)}.`);
    return [];
  }
  const names = [...new Set(cases.flatMap((one) => Object.keys(one)))];
  return cases.map((one, i) => {
    const missing = names.length - Object.keys(one).length;
    if (missing > 0)
      root.of('cases', i).mistake(`This case does not say ${missingIn(one, names, missing)}, as others do.`);
    return namedValues(one, root.of('cases', i));
  });
}

/** Lists the first names that a case lacks; there may be tens of thousands. */
function missingIn(one: JsonMap, names: readonly string[], count: number): string {
  const listed: string[] = [];
  for (const name of names) {
    if (listed.length === MOST_NAMED) break;
    if (!Object.hasOwn(one, name)) listed.push(quoted(name));
  }
  return `${listed.join(' or ')}${count > listed.length ? ` or ${count - listed.length} more` : ''}`;
}

function namedValues(values: JsonMap, at: FilePlace): JsonMap {
  for (const name of Object.keys(values)) {
    if (!isName(name)) at.of(name).mistake(`${quoted(name)} is not a name. ${NAME_FORM}`, 'key');
  }
  return values;
}

/** Returns the name in a value that is exactly `$name`. */
export const parameterIn = (text: string): string | null => REFERENCE.exec(text)?.[1] ?? null;

/** Substitutes every value that is exactly `$name`. */
export function withValues(value: unknown, values: Values): unknown {
  if (typeof value === 'string') {
    const name = parameterIn(value);
    return name !== null && Object.hasOwn(values, name) ? values[name] : value;
  }
  if (Array.isArray(value)) return value.map((item) => withValues(item, values));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withValues(item, values)]));
}

/** Returns a case in the form of the command line: `fault=slow,side=left`. */
export function shownCase(values: Values): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${shownValue(value)}`)
    .join(',');
}

/** A text that cannot be printed is written as JSON, which `--set` and `--case` also read. */
const shownValue = (value: Values[string]): string =>
  typeof value === 'object' || !isPrintable(String(value)) ? printable(JSON.stringify(value)) : String(value);
