/** The connection of a store to the other nodes that write to its database. */
import type { SharedTransactions } from '../../engine/shared-transactions.ts';
import { Membership, type MembershipParts } from './membership.ts';

export class NodesOfStore {
  readonly name: string;
  readonly #parts: Pick<MembershipParts, 'url' | 'named' | 'name'>;
  /** The commit at which the world was loaded last. */
  loadedAt = 0;
  transactions!: SharedTransactions;
  #membership: Membership | null = null;

  constructor(parts: Pick<MembershipParts, 'url' | 'named' | 'name'>) {
    this.#parts = parts;
    this.name = parts.name;
  }

  /** Of the present membership; 0: none. */
  get epoch(): number {
    return this.#membership?.epoch ?? 0;
  }

  get membership(): Membership | null {
    return this.#membership;
  }

  /** Before the world is loaded: from then on the others know of this node. Again after it was given up. */
  async join(answers: Pick<MembershipParts, 'onOutdated' | 'onUnsteady' | 'say'>): Promise<Membership> {
    this.#membership = await Membership.join({ ...this.#parts, ...answers });
    return this.#membership;
  }
}
