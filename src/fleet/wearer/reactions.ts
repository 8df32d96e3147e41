/** What a wearer does some time after the watch shows something: answer a prompt, or acknowledge a vehicle notice. */
import { type Clock, type Instant, LANE } from '../../base/time/clock.ts';
import type { KeptMachine, KeptWatch } from '../kept/documents.ts';
import type { AnswerPlan } from '../watch/machine.ts';

interface ReactionParts {
  readonly clock: Clock;
  readonly serial: string;
  contain(serial: string, task: () => void): void;
  answer(fallId: string, answer: AnswerPlan['answer']): void;
  acknowledgeVehicle(warningId: string): void;
}

export class Reactions {
  readonly #of: ReactionParts;
  #vehicleAckMs: number | null = null;
  /** Pending answers and acknowledgements, with the instants at which they are due. */
  readonly #answers = new Map<string, { readonly answer: AnswerPlan['answer']; readonly at: Instant }>();
  readonly #vehicleAcks = new Map<string, Instant>();

  constructor(parts: ReactionParts) {
    this.#of = parts;
  }

  /** Answers a fall prompt after a delay, from its display. */
  answer(fallId: string, { answer, afterMs }: AnswerPlan): void {
    this.#answers.set(fallId, { answer, at: this.#of.clock.now() + afterMs });
    this.#after(afterMs, () => {
      this.#answers.delete(fallId);
      this.#of.answer(fallId, answer);
    });
  }

  /** A pending answer is stored as a plan again, since the service shows its prompt once more after a restart. */
  kept(): Pick<KeptWatch, 'vehicleAckMs' | 'vehicleAcks'> & { readonly plans: KeptMachine['plans'] } {
    const now = this.#of.clock.now();
    const plans = Array.from(this.#answers, ([fallId, { answer, at }]) => ({
      fallId,
      answer,
      afterMs: Math.max(1, at - now),
    }));
    const vehicleAcks = Array.from(this.#vehicleAcks, ([warningId, at]) => ({ warningId, at }));
    return { plans, vehicleAckMs: this.#vehicleAckMs, vehicleAcks };
  }

  resume({ vehicleAckMs, vehicleAcks }: Pick<KeptWatch, 'vehicleAckMs' | 'vehicleAcks'>, gapMs: number): void {
    this.#vehicleAckMs = vehicleAckMs;
    const now = this.#of.clock.now();
    for (const { warningId, at } of vehicleAcks) this.#acknowledge(warningId, at + gapMs - now);
  }

  /** The delay between the display of the next vehicle notice and its acknowledgement; milliseconds. */
  expectVehicle(acknowledgeAfterMs: number): void {
    this.#vehicleAckMs = acknowledgeAfterMs;
  }

  /** Acknowledges one vehicle notice, and only if an action requested it. */
  seeVehicle(warningId: string): void {
    const afterMs = this.#vehicleAckMs;
    this.#vehicleAckMs = null;
    if (afterMs !== null) this.#acknowledge(warningId, afterMs);
  }

  #acknowledge(warningId: string, afterMs: number): void {
    const waitMs = Math.max(1, afterMs);
    this.#vehicleAcks.set(warningId, this.#of.clock.now() + waitMs);
    this.#after(waitMs, () => {
      this.#vehicleAcks.delete(warningId);
      this.#of.acknowledgeVehicle(warningId);
    });
  }

  #after(ms: number, then: () => void): void {
    const { clock, serial } = this.#of;
    clock.at(clock.now() + ms, { lane: LANE.uplink, actor: serial }, () => this.#of.contain(serial, then));
  }
}
