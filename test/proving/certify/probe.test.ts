/** A probe that is slow to answer is not taken for a system that did not act. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { ReceiverProbe } from '../../../src/proving/certify/probe.ts';
import { EagerMachine } from '../../helpers/manual-machine.ts';

test('the time that a system has counts from the first answer of its probe', async () => {
  const machine = new EagerMachine();
  let answers = 0;
  const state = createServer((_request, response) => {
    const acted = answers++ === 0 ? [] : ['an event'];
    // Longer than the 100 ms that the system has, as the first answer of a runtime that compiles it.
    if (answers === 1) machine.nowMs += 300;
    response.end(JSON.stringify({ alerts: [], acted }));
  });
  await new Promise<void>((resolve) => state.listen(0, '127.0.0.1', resolve));
  const { port } = state.address() as AddressInfo;
  const probe = new ReceiverProbe(new URL(`http://127.0.0.1:${port}/state`), 100, machine);
  expect(await probe.until(({ acted = [] }) => acted.length > 0)).toEqual({ alerts: [], acted: ['an event'] });
  state.close();
});
