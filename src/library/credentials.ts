/** The secrets that a sandbox can be started with; `types.ts` and the generated `option-types.ts` need them. */

/** Secrets, each with at least 16 characters of [A-Za-z0-9_]. */
export interface Credentials {
  /** The token that opens `/v1/sandbox/`. */
  control_token?: string;
  /** Secrets of clients, by client_id. */
  clients?: Readonly<Record<string, string>>;
  /** Passwords of watches at the broker, by serial. */
  watches?: Readonly<Record<string, string>>;
}
