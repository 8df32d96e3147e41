/** What keeps a wearer from moving: falls, the answer to the prompt, a call that they cannot evacuate, and being trapped until freed. [decisions 6] */

import type { Stream, Streams } from '../../base/random/streams.ts';
import type { Clock, Instant } from '../../base/time/clock.ts';
import type { AlertType, HelpReason } from '../../contract/enumerations.ts';
import type { EventItem } from '../connection/outbox.ts';
import type { StuckBy } from '../people/people.ts';
import type { Acted } from '../surroundings.ts';
import type { AnswerPlan, QueuedItem, WatchMachine } from '../watch/machine.ts';
import type { WatchWhereabouts } from './whereabouts.ts';

/**
 * Default reaction time of a person to the prompt; milliseconds. Around the median of 8 s [realism 3.4]. The action
 * `fall` can set another.
 */
const THINKING_MS = { min: 3_000, max: 12_000 } as const;

/** The causes that end when an alert is resolved, by the alert's type. */
const FREED_BY: { readonly [T in AlertType]?: readonly StuckBy[] } = {
  evacuation_help: ['trapped', 'injured'],
  fall_detected: ['fallen'],
  sos: ['fallen'],
};

interface PlightParts {
  readonly clock: Clock;
  readonly streams: Streams;
  readonly machine: WatchMachine;
  /** The whereabouts of the current wearer. */
  readonly whereabouts: () => WatchWhereabouts;
  say(queued: QueuedItem<EventItem>): Promise<Acted>;
  /** The person may do something sooner than planned. */
  replan(due: Instant): void;
}

export class Incapacitation {
  readonly #of: PlightParts;
  #thinking: Stream | null = null;
  #thoughts = 0;

  constructor(parts: PlightParts) {
    this.#of = parts;
  }

  /**
   * The reason why the wearer cannot be moved now; null if they can. Never set for a scripted worker: a step that moves
   * one also frees them.
   */
  get heldBack(): string | null {
    const { stuckBy: cause, isScripted } = this.#of.whereabouts();
    if (cause === null || isScripted) return null;
    const why = cause === 'fallen' ? 'lies where they fell' : `is ${cause}`;
    return `The wearer of ${this.#of.machine.serial} ${why}, and stays there until freed: use the action free first, or resolve their alert.`;
  }

  /** The watch reports the fall at once; the wearer answers the service's prompt later, or never. */
  fall(answers: 'ok' | 'help' | 'never', answersAfterMs: number | undefined): Promise<Acted> {
    const { machine, say } = this.#of;
    const drawnMs = this.#think();
    const plan: AnswerPlan | null =
      answers === 'never' ? null : { answer: answers, afterMs: Math.max(1, answersAfterMs ?? drawnMs) };
    // An answer "ok" means that they stumbled; all others stay on the ground.
    if (answers !== 'ok') this.#hold('fallen');
    return say(machine.fall(plan, this.#now));
  }

  /** The reason why no prompt can be answered; null if one is shown. */
  get unanswerable(): string | null {
    const { machine } = this.#of;
    return machine.prompt(this.#now) === null ? `The watch ${machine.serial} shows no prompt to answer.` : null;
  }

  /** Refused if no prompt is shown. */
  answer(answer: 'ok' | 'help'): Promise<Acted> {
    const { machine, say } = this.#of;
    const queued = machine.answer(answer, this.#now);
    if (queued === null) return Promise.resolve({ refused: this.unanswerable ?? 'The prompt is over.' });
    if (answer === 'ok') this.#free(['fallen']);
    else this.#hold('fallen');
    return say(queued);
  }

  /** Helpers can walk; all others who cannot evacuate stay where they are. */
  cannotEvacuate(reason: HelpReason | null): Promise<Acted> {
    const { machine, say } = this.#of;
    if (reason !== 'helping') this.#hold(reason ?? 'trapped');
    return say(machine.report('help', { reason }, this.#now));
  }

  free(): Promise<Acted> {
    this.#free();
    return Promise.resolve({ done: 'sent', at: this.#now });
  }

  /** The control room has resolved an alert of that type. */
  rescued(alertType: AlertType): void {
    const causes = FREED_BY[alertType];
    if (causes !== undefined) this.#free(causes);
  }

  /** The number of reaction times that the wearer has drawn, which is the state of their random stream. */
  get thoughts(): number {
    return this.#thoughts;
  }

  resume(thoughts: number): void {
    while (this.#thoughts < thoughts) this.#think();
  }

  #hold(cause: StuckBy): void {
    this.#of.whereabouts().hold(cause, this.#now);
  }

  #free(causes?: readonly StuckBy[]): void {
    this.#of.whereabouts().free(this.#now, causes);
    this.#of.replan(this.#now + 1);
  }

  #think(): number {
    this.#thoughts += 1;
    this.#thinking ??= this.#of.streams.stream(this.#of.machine.serial, 'thinking');
    return this.#thinking.int(THINKING_MS.min, THINKING_MS.max);
  }

  get #now(): Instant {
    return this.#of.clock.now();
  }
}
