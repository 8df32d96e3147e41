/** Later actions that end an effect of background activity, such as the return of a lost signal; they survive a restart. [cli `--ambient`] */
import { type Static, Type } from 'typebox';
import { type Cancel, type Clock, type Instant, LANE } from '../../base/time/clock.ts';
import { checkAction } from '../../contract/action-check.ts';
import type { ActionBody } from '../../contract/actions.ts';
import { check } from '../../contract/check.ts';
import { inline, whole } from '../../contract/shapes.ts';
import type { KeptTexts } from '../../service/store/sqlite/kept.ts';

/** The key of the follow-ups in the store, next to what the fleet keeps. */
export const FOLLOW_UPS_KEY = 'ambient';

const KeptFollowUps = inline({
  /** How often background activity was started in this data folder, so that each start draws other random values. */
  starts: whole(0),
  due: Type.Array(inline({ at: Type.Number(), body: Type.Unknown() })),
});

interface FollowUp {
  readonly at: Instant;
  readonly body: ActionBody;
}

export interface FollowUpParts {
  readonly clock: Clock;
  /** Performs an action as the control token. Refusals are ignored. */
  readonly act: (body: ActionBody) => Promise<unknown>;
  /** Returns true if the worker can be sent to a place now: not during a muster, and only while at work. */
  readonly isFree: (workerId: string) => boolean;
  /** Null: follow-ups are not persisted. */
  readonly kept: KeptTexts | null;
  /** The follow-ups that an earlier start persisted. */
  readonly recalled: string | undefined;
}

export class FollowUps {
  readonly #of: FollowUpParts;
  readonly #due = new Map<FollowUp, Cancel>();
  #starts = 0;

  constructor(parts: FollowUpParts) {
    this.#of = parts;
    const recalled = read(parts.recalled);
    if (recalled === null) return;
    this.#starts = recalled.starts;
    for (const { at, body } of recalled.due) {
      const checked = checkAction(body);
      if (checked.ok) this.#set({ at, body: checked.value });
    }
  }

  /** Counts a start of background activity; returns the number of earlier starts. */
  begin(): number {
    this.#starts += 1;
    this.#keep();
    return this.#starts - 1;
  }

  /** Performs the action after `ms`. */
  add(ms: number, body: ActionBody): void {
    this.#set({ at: this.#of.clock.now() + Math.max(1, Math.round(ms)), body });
    this.#keep();
  }

  /** Cancels the timers. Follow-ups that are still due stay persisted for the next start. */
  stop(): void {
    for (const cancel of this.#due.values()) cancel();
    this.#due.clear();
  }

  #set(followUp: FollowUp): void {
    const { clock, act, isFree } = this.#of;
    const cancel = clock.at(followUp.at, { lane: LANE.step, actor: followUp.body.action }, () => {
      this.#due.delete(followUp);
      const { body } = followUp;
      if (body.action === 'move' && !isFree(String(body.who))) return this.#keep();
      // The action is performed before it is removed from the store: performing it twice changes nothing.
      void act(body).then(() => this.#keep());
    });
    this.#due.set(followUp, cancel);
  }

  #keep(): void {
    const due = [...this.#due.keys()];
    const body = JSON.stringify({ starts: this.#starts, due } satisfies Static<typeof KeptFollowUps>);
    // If the disk refuses the write, the engine stops, or the disk has space again later.
    this.#of.kept?.keep({ puts: [{ key: FOLLOW_UPS_KEY, body }], removals: [] }).catch(() => {});
  }
}

function read(text: string | undefined): Static<typeof KeptFollowUps> | null {
  try {
    const checked = check(KeptFollowUps, JSON.parse(text ?? 'null'));
    return checked.ok ? checked.value : null;
  } catch {
    return null;
  }
}
