/** What a wearer does some time after their watch shows something: they answer a prompt, or say that they saw a vehicle. */
import { type Clock, LANE } from '../base/clock.ts';
import type { AnswerPlan } from './machine.ts';

export interface ReactionParts {
  readonly clock: Clock;
  readonly serial: string;
  contain(serial: string, task: () => void): void;
  answer(fallId: string, answer: AnswerPlan['answer']): void;
  acknowledgeVehicle(warningId: string): void;
}

export class Reactions {
  readonly #of: ReactionParts;
  #vehicleAckMs: number | null = null;

  constructor(parts: ReactionParts) {
    this.#of = parts;
  }

  /** They think so long about the prompt of a fall, from when it is shown. */
  answer(fallId: string, { answer, afterMs }: AnswerPlan): void {
    this.#after(afterMs, () => this.#of.answer(fallId, answer));
  }

  /** They will acknowledge the next vehicle so long after it is shown; milliseconds. */
  expectVehicle(acknowledgeAfterMs: number): void {
    this.#vehicleAckMs = acknowledgeAfterMs;
  }

  /** Once, and only where somebody said that they would. */
  seeVehicle(warningId: string): void {
    const afterMs = this.#vehicleAckMs;
    this.#vehicleAckMs = null;
    if (afterMs !== null) this.#after(Math.max(1, afterMs), () => this.#of.acknowledgeVehicle(warningId));
  }

  #after(ms: number, then: () => void): void {
    const { clock, serial } = this.#of;
    clock.at(clock.now() + ms, { lane: LANE.uplink, actor: serial }, () => this.#of.contain(serial, then));
  }
}
