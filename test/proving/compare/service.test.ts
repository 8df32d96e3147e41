/** A compared service that does not answer: a request that changes nothing is sent again if this process was late itself. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { MachineTime } from '../../../src/base/time/timers.ts';
import type { ComparedService } from '../../../src/proving/compare/checks.ts';
import { serviceAt } from '../../../src/proving/compare/service.ts';
import { lateMachine, PUNCTUAL } from '../../helpers/manual-machine.ts';

/** Answers nothing; the time of each request is over when it has arrived. */
async function silent(lateness: MachineTime): Promise<{ service: ComparedService; requests: string[] }> {
  const requests: string[] = [];
  let expire = (): void => {};
  const machine: MachineTime = {
    ...lateness,
    later: (delayMs, task) => {
      if (delayMs < 1_000) return lateness.later(delayMs, task);
      expire = task;
      return () => {};
    },
  };
  const server = createServer((request) => {
    requests.push(`${request.method} ${request.url}`);
    expire();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const secret = { client_id: 'c', client_secret: 's' };
  const service = serviceAt('service', url, secret, async () => {}, machine);
  return { service, requests };
}

test('a request is sent once where this process was in time', async () => {
  const { service, requests } = await silent(PUNCTUAL);
  const called = service.call({ method: 'GET', path: '/v1/sites', token: 'none' });
  await expect(called).rejects.toThrow(/does not answer: .*timeout\.$/);
  expect(requests).toEqual(['GET /v1/sites']);
});

test('a GET is sent again where it was late, and after a second lateness the outcome is inconclusive', async () => {
  const { service, requests } = await silent(lateMachine());
  const called = service.call({ method: 'GET', path: '/v1/sites', token: 'none' });
  await expect(called).rejects.toThrow('This is inconclusive: this machine was busy');
  expect(requests).toEqual(['GET /v1/sites', 'GET /v1/sites']);
});

test('a request that changes something is not sent again', async () => {
  const { service, requests } = await silent(lateMachine());
  await expect(service.call({ method: 'POST', path: '/v1/webhooks', token: 'none', json: '{}' })).rejects.toThrow();
  expect(requests).toEqual(['POST /v1/webhooks']);
});
