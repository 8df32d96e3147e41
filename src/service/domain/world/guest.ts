/** A scenario that runs in the running sandbox: the objects that leave with it, and the previous state of what it may change. [decisions 9] */
import type { Scope } from '../../../contract/enumerations.ts';

/**
 * Written in the transaction in which the scenario joins. If the sandbox is killed meanwhile, it restores everything at
 * its next start.
 */
export interface GuestScenario {
  /** The id of the run. */
  readonly id: string;
  readonly organizationId: string;
  readonly clientId: string;
  /** The sites that the scenario added. */
  readonly siteIds: readonly string[];
  /** Addresses of its receivers: a new destination that leads to them belongs to the scenario. */
  readonly receivers: { readonly domain: string; readonly urls: readonly string[] };
  /** Destinations of the company that existed before. */
  readonly destinationIds: readonly string[];
  /** The previous states of the contract [spec 5], the client's limits [spec 8], the simulated outage and the broker; null for what no step of the scenario changes. */
  readonly before: {
    readonly contract: {
      readonly includeWorkerNames: boolean;
      readonly scopes: readonly Scope[];
      readonly contractors: readonly string[] | null;
    } | null;
    readonly limits: {
      readonly requestsPerMinute: number;
      readonly querySecondsPerMinute: number;
      readonly queryTimeFactor: number;
    } | null;
    readonly apiFault: {
      /** Null if no outage was simulated. */
      readonly fault: {
        readonly status: 500 | 502 | 503 | 504 | null;
        readonly slowMs: number;
        readonly path: string | null;
        readonly share: number;
      } | null;
    } | null;
    /** A scenario can join only while the broker accepts watches. */
    readonly broker: 'open' | null;
  };
}
