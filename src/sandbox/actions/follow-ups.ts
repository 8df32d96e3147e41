/** Effects of background activity that must end later, such as the return of a lost signal, also after a restart. [cli `--ambient`] */
import { type Static, Type } from 'typebox';
import { type Cancel, type Clock, type Instant, LANE } from '../../base/time/clock.ts';
import { checkAction } from '../../contract/action-check.ts';
import type { ActionBody } from '../../contract/actions.ts';
import { check } from '../../contract/check.ts';
import { inline, whole } from '../../contract/shapes.ts';
import type { KeptTexts } from '../../store/sqlite/kept.ts';

/** Beside what the fleet keeps. */
export const FOLLOW_UPS_KEY = 'ambient';

const KeptFollowUps = inline({
  /** How often background life was begun in this data folder, so that its chance is not the same each time. */
  starts: whole(0),
  due: Type.Array(inline({ at: Type.Number(), body: Type.Unknown() })),
});

interface FollowUp {
  readonly at: Instant;
  readonly body: ActionBody;
}

export interface FollowUpParts {
  readonly clock: Clock;
  /** As the control token; what is refused did not happen. */
  readonly act: (body: ActionBody) => Promise<unknown>;
  /** Whether that worker can be sent somewhere now. Nobody is in a muster, or away from work. */
  readonly isFree: (workerId: string) => boolean;
  /** Null: nothing is kept. */
  readonly kept: KeptTexts | null;
  /** What was kept by an earlier start. */
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
      if (checked.ok) this.#set({ at, body: onFoot(checked.value) });
    }
  }

  /** Background life begins: how often it did so before. */
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

  /** What is still due is due after the next start. */
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
      // It is done and kept before it is forgotten: done twice it changes nothing.
      void act(body).then(() => this.#keep());
    });
    this.#due.set(followUp, cancel);
  }

  #keep(): void {
    const due = [...this.#due.keys()];
    const body = JSON.stringify({ starts: this.#starts, due } satisfies Static<typeof KeptFollowUps>);
    // A disk that refuses it stops the engine, or has room again later.
    this.#of.kept?.keep({ puts: [{ key: FOLLOW_UPS_KEY, body }], removals: [] }).catch(() => {});
  }
}

/** An older version kept `enter`, which places its worker in the zone at once. */
const onFoot = (body: ActionBody): ActionBody =>
  body.action === 'enter' ? { action: 'move', who: body.who, to: body.zone } : body;

function read(text: string | undefined): Static<typeof KeptFollowUps> | null {
  try {
    const checked = check(KeptFollowUps, JSON.parse(text ?? 'null'));
    return checked.ok ? checked.value : null;
  } catch {
    return null;
  }
}
