/** Whether an emulated watch has a network connection, and whether it has a position fix. [scenario-language, signal] */
import type { Clock } from '../../base/time/clock.ts';
import type { Acted } from '../surroundings.ts';
import type { Power } from '../watch/power.ts';
import type { Conversation } from './conversation.ts';

export type SignalKind = 'network' | 'gps' | 'both';

interface CoverParts {
  readonly clock: Clock;
  readonly serial: string;
  readonly conversation: Conversation;
  readonly power: Power;
  /** Called when an action sets the network. */
  onOrderedNetwork(): void;
}

export class Cover {
  readonly #of: CoverParts;
  #gps = true;
  #network = true;

  constructor(parts: CoverParts) {
    this.#of = parts;
  }

  get gps(): boolean {
    return this.#gps;
  }

  get network(): boolean {
    return this.#network;
  }

  resume({ gps, network }: { readonly gps: boolean; readonly network: boolean }): void {
    this.#gps = gps;
    this.#network = network;
  }

  async lose(kind: SignalKind): Promise<Acted> {
    if (kind !== 'network') this.#gps = false;
    if (kind !== 'gps') {
      this.#of.onOrderedNetwork();
      await this.loseNetwork();
    }
    return { done: 'sent', at: this.#of.clock.now() };
  }

  /** Resolves when the connection has ended. */
  loseNetwork(): Promise<void> {
    this.#network = false;
    return this.#of.conversation.lose();
  }

  /** Resolves when the watch is connected again and the messages that it kept are acknowledged. */
  async regain(kind: SignalKind): Promise<Acted> {
    const { clock, serial, conversation, power } = this.#of;
    if (kind !== 'gps') this.#of.onOrderedNetwork();
    if (power.dead) {
      this.#network ||= kind !== 'gps';
      this.#gps ||= kind !== 'network';
      return { refused: `The battery of the watch ${serial} is empty.` };
    }
    if (kind !== 'network') this.#gps = true;
    if (kind !== 'gps') {
      this.#network = true;
      conversation.open();
      const failure = await conversation.caughtUp();
      if (failure !== null) return { refused: `The watch ${serial} cannot connect yet: ${failure}.` };
    }
    return { done: 'sent', at: clock.now() };
  }
}
