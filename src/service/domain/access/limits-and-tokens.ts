/**
 * Actions on a client or a site that only a sandbox has: change the contract, end tokens, set the veil. With them a
 * client can be tested against each change. [decisions 3, 4, 9]
 */
import { type Change, type Rejection, reject, type Stamp } from '../changes.ts';
import type { CommandOf } from '../commands.ts';
import type { World } from '../world/world.ts';

type LimitsDecision = { readonly changes: readonly Change[] } | Rejection;

/** A contract change applies to everything that is rendered after it. [decisions 1] */
export function changeContract(world: World, _stamp: Stamp, command: CommandOf<'change-contract'>): LimitsDecision {
  const client = world.get('client', command.clientId);
  if (client === undefined) return reject('not_found', `There is no client ${command.clientId}.`);
  const { includeWorkerNames = client.includeWorkerNames, scopes = client.scopes } = command;
  const contractors = command.contractors === undefined ? client.contractors : command.contractors;
  return { changes: [{ kind: 'contract-changed', client: { ...client, includeWorkerNames, scopes, contractors } }] };
}

/** Ends every valid token of the client, so that its next request gets a 401. */
export function endTokens(world: World, _stamp: Stamp, command: CommandOf<'end-tokens'>): LimitsDecision {
  const { clientId, how, at } = command;
  if (world.get('client', clientId) === undefined) return reject('not_found', `There is no client ${clientId}.`);
  const changes: Change[] = [];
  for (const token of world.all('token')) {
    if (token.clientId !== clientId || token.revoked || token.expiresAt <= at) continue;
    changes.push({
      kind: 'token-ended',
      token: how === 'revoke' ? { ...token, revoked: true } : { ...token, expiresAt: at },
    });
  }
  return { changes };
}

/**
 * How long an expired token is kept before a new token of the same client removes it, so that a request with it gets
 * the right error; ms.
 */
const KNOWN_MS = 24 * 60 * 60_000;

/**
 * Removes the client's tokens that expired long ago: a client that requests a token each hour must not fill the memory.
 * [decisions 3]
 */
export function issueToken(world: World, _stamp: Stamp, command: CommandOf<'issue-token'>): LimitsDecision {
  const { hash, clientId, scopes, expiresAt } = command;
  const old = [...world.all('token')].filter(
    (token) => token.clientId === clientId && token.expiresAt + KNOWN_MS < expiresAt,
  );
  const token = { id: hash, clientId, scopes, expiresAt, revoked: false };
  return { changes: [{ kind: 'token-issued', token, forgotten: old.map(({ id }) => id) }] };
}

/** Applies to what comes after it; an alert keeps the position with which it was raised. [decisions 4] */
export function changePrivacy(world: World, _stamp: Stamp, command: CommandOf<'change-privacy'>): LimitsDecision {
  const site = world.get('site', command.siteId);
  if (site === undefined) return reject('not_found', `There is no site ${command.siteId}.`);
  const { mode: privacyMode = site.privacyMode, unveilMinSeverity = site.unveilMinSeverity } = command;
  return { changes: [{ kind: 'site-changed', site: { ...site, privacyMode, unveilMinSeverity } }] };
}
