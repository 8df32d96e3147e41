/** Events are visible as of when they occurred, and as far as the contract of now goes. [decisions 1, Visibility of events] */
import { afterEach, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../../src/contract/enumerations.ts';
import { clientOf } from '../../../src/service/domain/access/viewer.ts';
import type { Client } from '../../../src/service/domain/world/documents.ts';
import { ORG } from '../domain/small-world.ts';
import { ApiHarness } from './harness.ts';

let harness: ApiHarness;
afterEach(() => harness.stop());

const CONTRACTS = {
  all: { contractors: null },
  /** Of the worker of watch 2. */
  norte: { contractors: ['Norte SL'] },
  nobody: { contractors: [] },
  blind: { contractors: null, scopes: ['musters:read', 'workers:read'] },
} as const satisfies Record<string, Partial<Client>>;
type Contract = keyof typeof CONTRACTS;

async function agree(contract: Contract): Promise<void> {
  const client = clientOf(harness.small.world, ORG);
  const scopes = ['alerts:read', 'alerts:write', 'positions:read', 'musters:read', 'workers:read'] as const;
  const done = harness.engine.submit({ type: 'change-contract', clientId: client.id, scopes, ...CONTRACTS[contract] });
  await done;
}

/** The contract when two workers press SOS, the contract when the client reads the log, and the watches whose events it gets. */
const CASES: readonly (readonly [then: Contract, now: Contract, found: readonly number[]])[] = [
  ['all', 'all', [1, 2]],
  // Narrowed later: older events are hidden as well.
  ['all', 'norte', [2]],
  ['all', 'nobody', []],
  // Widened later: what the client could not GET when it occurred stays hidden.
  ['norte', 'all', [2]],
  ['nobody', 'all', []],
  ['nobody', 'norte', []],
  ['norte', 'nobody', []],
  ['blind', 'all', []],
];

test.each(
  CASES,
)('under the contract "%s", read under "%s", the events of watches %j are found', async (then, now, found) => {
  harness = await ApiHarness.start();
  await agree(then);
  const ids = [await harness.sos(1), await harness.sos(2)];
  await agree(now);
  const { status, body } = await harness.call('GET', '/v1/events', { token: await harness.token() });
  expect(status).toBe(200);
  const seen = (body.data as { data: { alert: { id: string } } }[]).map(({ data }) => ids.indexOf(data.alert.id) + 1);
  expect(seen.sort()).toEqual(found);
});

test('what was visible when it occurred is visible again after the contract was narrowed and widened', async () => {
  harness = await ApiHarness.start();
  await harness.sos(1);
  const count = async () =>
    (await harness.call('GET', '/v1/events', { token: await harness.token() })).body.data.length as number;
  expect(await count()).toBe(1);
  await agree('norte');
  expect(await count()).toBe(0);
  await agree('all');
  expect(await count()).toBe(1);
});

test('events that the client may not see still order those after them', async () => {
  harness = await ApiHarness.start();
  await agree('nobody');
  await harness.sos(1);
  const hidden = await harness.store.events({ organizationId: ORG, types: EVENT_TYPES, limit: 10 });
  expect(hidden.map((one) => [one.listed, one.hidden])).toEqual([[true, true]]);
  expect(await harness.store.events({ organizationId: ORG, seen: true, limit: 10 })).toEqual([]);
});
