/** The notice of an answered request: its row in the audit log, and the circumstances that the log does not store. */
import { formatInstant } from '../../base/time/instants.ts';
import type { Notice } from '../../contract/notices.ts';
import type { RequestRecord } from './store-port.ts';

/** The circumstances of a request that the audit log does not store. */
export interface RequestCircumstances {
  /** The SHA-256 of the access token, valid or expired. */
  readonly tokenId: string | null;
  /** The `Retry-After` of a 429, seconds; null if the client is within its limits. */
  readonly retryAfterS: number | null;
}

/** Enough characters to distinguish the tokens of one run. */
const SHOWN_HASH_CHARS = 12;

/** Returns null if the client is unknown. */
export function requestNotice(
  { at, organizationId, method, path, query, status, code }: RequestRecord,
  { tokenId, retryAfterS }: RequestCircumstances = { tokenId: null, retryAfterS: null },
): Notice | null {
  if (organizationId === null) return null;
  return {
    kind: 'request-answered',
    at: formatInstant(at),
    organization_id: organizationId,
    method,
    path,
    query,
    status,
    code,
    token_hash: tokenId?.slice(0, SHOWN_HASH_CHARS) ?? null,
    retry_after_s: retryAfterS,
  };
}
