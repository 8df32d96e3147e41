/** A story after its file was read and found right: what is to be played, in types that leave nothing to check. */

import type { Instant } from '../../base/clock.ts';
import type { ActionName } from '../../contract/actions.ts';
import type { EventSelector, Severity } from '../../contract/enumerations.ts';
import type { JsonMap } from '../../contract/schema.ts';
import type { Plan } from '../../plant/plan.ts';
import type { Subject } from '../judging/subjects/subject.ts';
import type { Values } from './bindings.ts';
import type { MsSpan, PlacedDraw } from './draws.ts';
import type { Matcher } from './matchers.ts';
import type { ReceiverBehaviour } from './receiver-behaviour.ts';
import type { GivenKind, Reference } from './references.ts';

/** How simulated time passes in a run. */
export const RUN_MODES = ['fast', 'scaled', 'real'] as const;
export type RunMode = (typeof RUN_MODES)[number];

/** What a call of the step `api` carries. [scenario-language, fine print] */
export const TOKEN_KINDS = ['valid', 'none', 'expired', 'revoked', 'narrow'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** What the step `webhook` does. */
export const WEBHOOK_TURNS = ['create', 'delete', 'rotate_secret', 'test'] as const;
export type WebhookTurn = (typeof WEBHOOK_TURNS)[number];

/** A whole story. */
export interface Story {
  /** The path as the person wrote it. */
  readonly file: string;
  /** The values of this case of a matrix or list; null where there is one run only. */
  readonly values: Values | null;
  readonly title: string;
  readonly about: string | null;
  readonly tags: readonly string[];
  readonly seed: string | null;
  readonly start: Instant | null;
  readonly speed: number | null;
  readonly modes: readonly RunMode[];
  readonly plan: Plan;
  readonly cast: StoryCast;
  readonly receivers: readonly PlannedReceiver[];
  readonly steps: readonly StoryStep[];
  readonly whens: readonly StoryWhen[];
  readonly rules: readonly StoryRule[];
  readonly finally: readonly StoryStep[];
}

/** The people of a story: short name -> external ids, by which the API and the actions know them; several of a crowd. */
export type StoryCast = ReadonlyMap<string, readonly string[]>;

/** A receiver and what it subscribes to. */
export interface PlannedReceiver {
  readonly name: string;
  /** Whose it is. */
  readonly company: string;
  /** The user's own; null: a built-in one. */
  readonly url: string | null;
  /** After a delivery its client calls the API, and time waits for that. */
  readonly callsBack: boolean;
  readonly events: readonly EventSelector[];
  readonly minSeverity: Severity | null;
  readonly contractors: readonly string[] | null;
  /** Names of sites. */
  readonly sites: readonly string[] | null;
}

/** A limit in ms: not before `min`, not after `max`, both from the step's beginning. */
export interface Limit {
  readonly min: number;
  readonly max: number;
}

/** What stands beside the word of any step. */
export interface StepFrame {
  readonly file: string;
  readonly line: number;
  /** The step in one line, as progress and failures name it. */
  readonly text: string;
  /** A pause before it. */
  readonly afterMs: MsSpan;
  /** Not before this time from the start. */
  readonly atMs: MsSpan | null;
  /** The name under which what it finds is known from here on. */
  readonly as: string | null;
  /** The state refuses it, and that is right. */
  readonly refused: boolean;
}

/** Steps by kind. */
export type StepBody =
  | { readonly kind: 'wait'; readonly ms: MsSpan }
  | { readonly kind: 'mark'; readonly words: string }
  | {
      readonly kind: 'action';
      readonly action: ActionName;
      readonly fields: Readonly<Record<string, FieldValue>>;
      /** What `as` names. */
      readonly names: 'alert' | 'muster' | 'permit' | null;
      /** How long it lasts; then it is undone. Null: until it is told otherwise. */
      readonly forMs: MsSpan | null;
    }
  | { readonly kind: 'together'; readonly steps: readonly StoryStep[] }
  | {
      readonly kind: 'repeat';
      readonly times: RepeatCount;
      /** From beginning to beginning. */
      readonly everyMs: MsSpan | null;
      readonly steps: readonly StoryStep[];
    }
  | DoBody
  | ApiBody
  | { readonly kind: 'webhook'; readonly turn: WebhookTurn; readonly receiver: string }
  | ReceiverBody
  | { readonly kind: 'clock'; readonly turn: 'speed' | 'pause' | 'advance'; readonly to: MsSpan }
  | UpdateBody
  | CheckBody;

export type StoryStep = StepFrame & StepBody;

/** What holds over the whole run. */
export interface StoryRule extends StepFrame {
  readonly verb: 'every' | 'always' | 'never';
  readonly subject: Subject;
  /** The limit of `deliveredTo`, ms. */
  readonly withinMs: number | null;
  readonly apartMs: number | null;
  readonly deliveredTo: string | null;
  readonly signed: boolean;
  /** How many there must be; null: at least one. */
  readonly count: Matcher | null;
}

/** Steps that run beside the story each time, or the first time, that something comes true. */
export interface StoryWhen {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly verb: 'every' | 'first';
  readonly subject: Subject;
  readonly as: string | null;
  /** A pause before the steps. */
  readonly afterMs: MsSpan;
  readonly steps: readonly StoryStep[];
}

/** `do`: the steps of a macro, with names of their own. */
export interface DoBody {
  readonly kind: 'do';
  readonly steps: readonly StoryStep[];
  /** Names that were handed in, and by which names the macro knows them. */
  readonly handed: readonly { readonly name: string; readonly reference: Reference }[];
  /** All names that the macro gives itself; nothing outside is meant by them. */
  readonly own: readonly string[];
  /** The name inside of the last thing that it finds, which `as` beside the `do` names; null where it finds none. */
  readonly last: { readonly name: string; readonly kind: GivenKind } | null;
}

/** `api`: a call of the customer's own system. */
export interface ApiBody {
  readonly kind: 'api';
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `$name`s in it. */
  readonly path: string;
  /** Values with `$name`s in them. */
  readonly query: JsonMap;
  readonly body: unknown;
  /** Null: the file's own. */
  readonly company: string | null;
  readonly token: TokenKind;
  readonly scope: string | null;
  readonly times: RepeatCount;
  /** What the last of them must answer: `{status, code, body, headers}`; null where any will do. */
  readonly answers: Matcher | null;
}

/** `receiver`: how a built-in receiver behaves from now on. */
export interface ReceiverBody {
  readonly kind: 'receiver';
  readonly receiver: string;
  readonly does: readonly ReceiverBehaviour[];
  readonly delayMs: MsSpan | null;
  /** How long it does so; null: until it is told otherwise. */
  readonly forMs: MsSpan | null;
}

/** `acknowledge` and `resolve`, as the customer's system does it. */
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
  readonly subject: Subject;
  readonly limit: Limit;
  /** How long a state has to hold, or how long `never` looks; ms. */
  readonly forMs: number;
}

/** How often: a number, or a range of which one is drawn. */
export type RepeatCount = number | { readonly min: number; readonly max: number };

/** A field of an action: as it stands, a name for something found before, or a value with ranges that the seed draws from. */
export type FieldValue =
  | { readonly kind: 'plain'; readonly value: unknown }
  | { readonly kind: 'reference'; readonly reference: Reference }
  | { readonly kind: 'drawn'; readonly value: unknown; readonly draws: readonly PlacedDraw[] }
  | { readonly kind: 'receiver'; readonly receiver: string }
  | { readonly kind: 'people'; readonly who: readonly CastGroup[]; readonly listed: boolean };

/** A short name, or so many of a crowd, drawn by the seed. */
export interface CastGroup {
  readonly name: string;
  readonly count: number | null;
  /** How many people the name stands for. */
  readonly of: number;
}
