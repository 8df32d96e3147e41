/** The parts of an engine. */
import type { Clock } from '../../base/time/clock.ts';
import type { Assumptions } from '../../contract/gaps.ts';
import type { Addresses } from '../domain/views/alert.ts';
import type { World } from '../domain/world/world.ts';
import type { FailureRecord } from './failures.ts';
import type { Outdated, SharedTransactions } from './shared-transactions.ts';
import type { Store } from './store-port.ts';

export interface EngineParts {
  readonly clock: Clock;
  readonly store: Store;
  readonly world: World;
  /** The salt of ids. */
  readonly salt: string;
  readonly addresses: Addresses;
  readonly assumptions?: Assumptions;
  /** Called if the disk cannot be trusted any more: the engine has stopped and accepts nothing. */
  readonly onBroken: (error: Error) => void;
  /** Set if other engines write to the store too. Default: this is the only engine. */
  readonly shared?: {
    readonly transactions: SharedTransactions;
    /** True if this engine does the due work of a site. */
    readonly isMine: (siteId: string) => boolean;
    /** Called if the world must be loaded again; the engine accepts nothing any more. */
    readonly onOutdated: (error: Outdated) => void;
  };
  /**
   * Stores what is needed to replay a command that threw. Default: it is not stored. The notice is published in both
   * cases.
   */
  readonly recordFailure?: (record: FailureRecord) => void;
}
