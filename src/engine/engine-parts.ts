/** What an engine is made of. */
import type { Clock } from '../base/time/clock.ts';
import type { Assumptions } from '../contract/gaps.ts';
import type { Addresses } from '../domain/views/alert.ts';
import type { World } from '../domain/world/world.ts';
import type { FailureRecord } from './failures.ts';
import type { Outdated, SharedTransactions } from './shared-transactions.ts';
import type { Store } from './store-port.ts';

export interface EngineParts {
  readonly clock: Clock;
  readonly store: Store;
  readonly world: World;
  /** What ids are made from beside what happened. */
  readonly salt: string;
  readonly addresses: Addresses;
  readonly assumptions?: Assumptions;
  /** A disk that lied: the engine has stopped and takes nothing more. */
  readonly onBroken: (error: Error) => void;
  /** Where other engines write to the store too. Default: this is the only one. */
  readonly shared?: {
    readonly transactions: SharedTransactions;
    /** Whether this engine does what is due on a site. */
    readonly isMine: (siteId: string) => boolean;
    /** The world has to be loaded anew; the engine takes nothing more. */
    readonly onOutdated: (error: Outdated) => void;
  };
  /** Persists what is needed to replay a command that threw. Default: not persisted; the notice is published anyway. */
  readonly recordFailure?: (record: FailureRecord) => void;
}
