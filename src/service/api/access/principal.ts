/** The caller: a client by its token, the control token, a page of the panel, or anonymous. [decisions 3, 9] */
import { sha256Hex } from '../../../base/ids.ts';
import type { Scope } from '../../../contract/enumerations.ts';
import { isTicket } from '../../domain/access/ticket.ts';
import { type TokenViewer, tokenViewerOf } from '../../domain/access/viewer.ts';
import type { Client } from '../../domain/world/documents.ts';
import type { World } from '../../domain/world/world.ts';

export interface ClientPrincipal {
  readonly kind: 'client';
  /** Id of the token document. */
  readonly tokenId: string;
  readonly client: Client;
  readonly viewer: TokenViewer;
  readonly scopes: readonly Scope[];
}

export type Principal =
  | ClientPrincipal
  | { readonly kind: 'control' }
  /** A page of the panel: it may read the stream with a panel user's view. [decisions 4, 10] */
  | { readonly kind: 'panel' }
  /** Of an `ended` token, `client` and `tokenId` are owner and id, for the log only. */
  | {
      readonly kind: 'anonymous';
      readonly why: string;
      readonly ended?: EndedToken;
      readonly client?: Client;
      readonly tokenId?: string;
    };

/** How a token ended that was valid before. */
export type EndedToken = 'expired' | 'revoked';

const hashes = new Map<string, string>();

/** Memoised: one control token per sandbox. */
function controlHash(token: string): string {
  let hash = hashes.get(token);
  if (hash === undefined) {
    hash = sha256Hex(token);
    hashes.set(token, hash);
  }
  return hash;
}

/** The hash of the token in an Authorization header; null if the header has another form. */
export interface BearerHash {
  readonly header: string;
  readonly hash: string | null;
}

export function bearerHash(header: string): BearerHash {
  // One or more spaces, and the scheme in any case (RFC 6750 section 2.1, RFC 9110 section 11.4).
  const [, token] = /^bearer +(\S+)$/i.exec(header) ?? [];
  return { header, hash: token === undefined ? null : sha256Hex(token) };
}

/** `bearer` is null without an Authorization header. `now` is the clock of token lifetimes. */
export function principalOf(world: World, bearer: BearerHash | null, controlToken: string, now: number): Principal {
  if (bearer === null) return { kind: 'anonymous', why: 'The request carries no access token.' };
  const { hash } = bearer;
  if (hash === null) return { kind: 'anonymous', why: 'The Authorization header is not of the form "Bearer <token>".' };
  // Compares hashes, so the time taken discloses nothing about the token.
  if (hash === controlHash(controlToken)) return { kind: 'control' };
  const issued = world.get('token', hash);
  if (issued === undefined) return { kind: 'anonymous', why: 'The access token is not known.' };
  const client = world.get('client', issued.clientId);
  if (client === undefined) return { kind: 'anonymous', why: 'The client of this access token no longer exists.' };
  const refused = { kind: 'anonymous', client, tokenId: hash } as const;
  if (issued.revoked) return { ...refused, why: 'The access token was revoked.', ended: 'revoked' };
  if (issued.expiresAt <= now) return { ...refused, why: 'The access token has expired.', ended: 'expired' };
  const known = principals.get(issued);
  if (known?.client === client) return known;
  // A contract that loses a scope removes it from existing tokens. [decisions 1: a contract change holds from then on]
  const viewer = tokenViewerOf(client, issued.scopes);
  const principal: ClientPrincipal = { kind: 'client', tokenId: hash, client, viewer, scopes: viewer.scopes };
  principals.set(issued, principal);
  return principal;
}

/**
 * Memoised by the token's document. Documents are replaced and never edited, so the same client document means the same
 * contract.
 */
const principals = new WeakMap<object, ClientPrincipal>();

/** Whether a client's token is still valid; the control token and tickets were already checked at authentication. */
export function isStillGood(world: World, principal: Principal, now: number): boolean {
  if (principal.kind !== 'client') return true;
  const issued = world.get('token', principal.tokenId);
  return (
    issued !== undefined &&
    !issued.revoked &&
    issued.expiresAt > now &&
    world.get('client', issued.clientId) !== undefined
  );
}

/**
 * Reads the ticket in the address, since a browser's EventSource cannot send headers. Returns null if there is no
 * ticket. `wallNow` is in milliseconds.
 */
export function bearerOfTicket(query: string, controlToken: string, wallNow: number): Principal | null {
  const ticket = new URLSearchParams(query).get('ticket');
  if (ticket === null) return null;
  if (isTicket(controlToken, ticket, wallNow)) return { kind: 'panel' };
  return { kind: 'anonymous', why: 'The ticket is unknown or has expired. Load the page again.' };
}
