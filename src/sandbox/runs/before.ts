/** Saves the previous state of what a scenario may change in the sandbox, and restores it. [decisions 9] */

import type { Client, GuestScenario } from '../../service/domain/world/documents.ts';
import type { Engine } from '../../service/engine/engine.ts';
import type { Acting } from '../actions/acting.ts';

/** Saves only what the scenario's actions change: others may change the rest in the meantime. */
export function stateBefore(acting: Acting, client: Client, actions: ReadonlySet<string>): GuestScenario['before'] {
  const { includeWorkerNames, scopes, contractors } = client;
  return {
    contract: actions.has('contract') ? { includeWorkerNames, scopes, contractors } : null,
    limits: actions.has('limits') ? acting.limiter.limitsOf(client.id) : null,
    apiFault: actions.has('api_fault') ? { fault: acting.faults.current } : null,
    broker: actions.has('broker') ? 'open' : null,
  };
}

/**
 * Ends a scenario that has joined: restores limits, outages and broker from the saved state, then the contract, its
 * destinations and its sites in one transaction. Rejects with the reason if the disk refuses the write; the next start
 * tries again.
 */
export async function endGuest(engine: Engine, acting: Acting, guestId: string): Promise<void> {
  const guest = engine.world.get('guest', guestId);
  if (guest === undefined) return;
  const { limits, apiFault, broker } = guest.before;
  if (limits !== null) acting.limiter.setLimits(guest.clientId, limits);
  if (apiFault !== null) acting.faults.set(apiFault.fault);
  if (broker !== null) await acting.listeners.broker?.reopen();
  const left = await engine.submit({ type: 'leave-plant', guestId });
  if (left.rejected) throw new Error(`The scenario could not be cleared away: ${left.detail}`);
}

/** Ends scenarios that were running when the sandbox was killed. */
export async function endGuestsLeft(engine: Engine, acting: Acting): Promise<void> {
  for (const { id } of [...engine.world.all('guest')]) await endGuest(engine, acting, id);
}
