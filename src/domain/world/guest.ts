/** A scenario that plays in the running sandbox: the objects that leave with it, and the previous state of what it may change. [decisions 9] */
import type { Scope } from '../../contract/enumerations.ts';

/** Written in the transaction in which the scenario joins, so that a sandbox that is killed meanwhile restores all of it at its next start. */
export interface GuestScenario {
  /** Of the run. */
  readonly id: string;
  readonly organizationId: string;
  readonly clientId: string;
  /** The sites that it brought. */
  readonly siteIds: readonly string[];
  /** Addresses of its receivers: destinations there that were made since are its own. */
  readonly receivers: { readonly domain: string; readonly urls: readonly string[] };
  /** Destinations of the company that were there already. */
  readonly destinationIds: readonly string[];
  /** Null where no step of the scenario changes it. */
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
      /** Null: no outage was simulated. */
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
