/** The table of steps: every word that a step can begin with, and its reader. */
import type { Slices } from '../../base/slices.ts';
import { ACTION_NAMES, ACTIONS, type ActionName } from '../../contract/actions.ts';
import type { MsSpan } from '../story/draws.ts';
import type { StoryReading } from '../story/read-matcher.ts';
import type { GivenKind } from '../story/references.ts';
import type { Limit, StepBody } from '../story/story.ts';
import { readAction } from './read-action.ts';
import { readCheck, readNever } from './read-check.ts';
import { readDo } from './read-do.ts';
import {
  readApi,
  readClock,
  readMark,
  readReceiver,
  readRepeat,
  readTogether,
  readUpdate,
  readWait,
  readWebhook,
} from './read-own-steps.ts';

/** The keys beside the word of a step. */
export const MODIFIERS = ['after', 'at', 'within', 'for', 'as', 'note', 'refused', 'only', 'equivalent'] as const;
export type Modifier = (typeof MODIFIERS)[number];

/** Modifiers that readers need. */
export interface Beside {
  readonly within: Limit | null;
  /** A range is allowed for actions only. */
  readonly forMs: MsSpan | null;
}

/** A step as read: its body, its one-line text, and the kind that `as` binds. */
export interface ReadStep {
  readonly body: StepBody;
  readonly text: string;
  readonly names: GivenKind | null;
}

/** How a step is read, and its modifiers beyond those of every step. */
export interface StepKind {
  readonly help: string;
  readonly beside: readonly ('within' | 'for' | 'as' | 'refused')[];
  /** Reads the value of the word; null after reporting a mistake. In slices where it has steps in it. */
  read(value: unknown, at: StoryReading, beside: Beside): ReadStep | null | Slices<ReadStep | null>;
}

/** Actions that `for` undoes when their time is over. */
const LASTING = ['signal', 'deliveries', 'broker', 'api_fault', 'limits'] as const satisfies readonly ActionName[];
export type LastingAction = (typeof LASTING)[number];

export const isLasting = (action: ActionName): action is LastingAction =>
  (LASTING as readonly ActionName[]).includes(action);

const CHECK = ['within', 'for', 'as'] as const;

/** Steps that are not actions, or are read differently from their action. */
const OWN_KINDS = {
  acknowledge: {
    help: 'The customer’s operator takes charge, by the API or at the panel.',
    beside: ['refused'],
    read: readUpdate('acknowledged'),
  },
  resolve: {
    help: 'The customer’s operator closes the alert, by the API or at the panel.',
    beside: ['refused'],
    read: readUpdate('resolved'),
  },
  api: { help: 'The customer’s own system calls the API, and its answer is judged.', beside: ['as'], read: readApi },
  webhook: {
    help: 'The customer’s own system makes, deletes or tests the destination of a receiver, or rotates its secret.',
    beside: ['refused'],
    read: readWebhook,
  },
  receiver: { help: 'From now on, or for so long, a receiver answers like this.', beside: ['for'], read: readReceiver },
  together: { help: 'Steps side by side, all beginning at once.', beside: [], read: readTogether },
  repeat: { help: 'The same steps again and again.', beside: [], read: readRepeat },
  do: { help: 'The steps of a macro, with its words filled in.', beside: ['as'], read: readDo },
  clock: { help: 'Time runs faster, stands still for a while, or jumps.', beside: [], read: readClock },
  wait: { help: 'Nothing is done for so long.', beside: [], read: readWait },
  mark: { help: 'A heading in the log and the report.', beside: [], read: readMark },
  expect: {
    help: 'It comes true within the limit, or the run has failed and goes on.',
    beside: CHECK,
    read: readCheck('expect'),
  },
  wait_for: { help: 'It comes true within the limit, or the run stops.', beside: CHECK, read: readCheck('wait_for') },
  check: { help: 'It is true now.', beside: ['for', 'as'], read: readCheck('check') },
  never: { help: 'It does not come true for so long.', beside: ['for'], read: readNever },
} as const satisfies Readonly<Record<string, StepKind>>;
export type OwnStep = keyof typeof OWN_KINDS;

export const STEP_KINDS: ReadonlyMap<string, StepKind> = new Map<string, StepKind>([
  ...ACTION_NAMES.map((name): [string, StepKind] => [
    name,
    {
      help: ACTIONS[name].help,
      beside: isLasting(name) ? ['as', 'refused', 'for'] : ['as', 'refused'],
      read: (value, at, beside) => readAction(name, value, at, beside),
    },
  ]),
  ...Object.entries(OWN_KINDS),
]);
