/** The connection of a store to the other nodes that write to its database. */
import type { SharedTransactions } from '../../engine/shared-transactions.ts';
import { Membership, type MembershipParts } from './membership.ts';

export class NodesOfStore {
  readonly name: string;
  readonly #parts: Pick<MembershipParts, 'url' | 'named' | 'name'>;
  /** The last commit that was in the world when it was loaded. */
  loadedAt = 0;
  transactions!: SharedTransactions;
  #membership: Membership | null = null;

  constructor(parts: Pick<MembershipParts, 'url' | 'named' | 'name'>) {
    this.#parts = parts;
    this.name = parts.name;
  }

  /** The epoch of the present membership; 0: none. */
  get epoch(): number {
    return this.#membership?.epoch ?? 0;
  }

  get membership(): Membership | null {
    return this.#membership;
  }

  /**
   * Called before the world is loaded, so that the other nodes know this node from then on; called again after the node
   * was removed.
   */
  async join(answers: Pick<MembershipParts, 'onOutdated' | 'onUnsteady' | 'say'>): Promise<Membership> {
    this.#membership = await Membership.join({ ...this.#parts, ...answers });
    return this.#membership;
  }
}
