/** The notice of an answered request: its row in the audit log, and what the log does not keep. */
import { formatInstant } from '../base/time/instants.ts';
import type { Notice } from '../contract/notices.ts';
import type { RequestRecord } from './store-port.ts';

/** What the audit log does not keep of a request. */
export interface RequestCircumstances {
  /** The SHA-256 of the access token, valid or ended. */
  readonly tokenId: string | null;
  /** Of a client over one of its limits: the `Retry-After` of the 429, seconds. */
  readonly retryAfterS: number | null;
}

/** Enough to tell the tokens of one run apart. */
const SHOWN_HASH_CHARS = 12;

/** Null: the client is not known. */
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
