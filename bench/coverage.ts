/** What coverage costs: processor time of polls and of deliveries, in turns with a coverage that does nothing, and what it keeps of 20,000 alerts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Coverage } from '../src/service/api/coverage/coverage.ts';
import { fill, load } from './api.ts';
import { tokenOf } from './client.ts';
import { figures } from './figures.ts';
import { measured } from './table.ts';
import { Plant, ReceiverProcess } from './webhooks.ts';

const ROUNDS = 7;
const ALERTS = 400;
const EVENTS = 1_500;
const MOST_TIMES = 1.05;
const KEPT_ALERTS = 20_000;

const { ended, attempted } = Coverage.prototype;

/** The median over rounds of µs of CPU for each, in turns: with nothing in the place of the coverage, and with it. */
async function paired(what: string, cpuUs: () => Promise<number>): Promise<void> {
  const [bare, ours]: [number[], number[]] = [[], []];
  await cpuUs();
  for (let round = 0; round < ROUNDS; round++)
    // The first of a round is another one each time.
    for (const counts of round % 2 === 0 ? [false, true] : [true, false]) {
      Object.assign(Coverage.prototype, counts ? { ended, attempted } : { ended: () => {}, attempted: () => {} });
      (counts ? ours : bare).push(await cpuUs());
    }
  Object.assign(Coverage.prototype, { ended, attempted });
  const [value, without] = [figures(ours).median, figures(bare).median];
  measured({ what, value, unit: 'µs', bare: without, aim: { of: 'times', most: MOST_TIMES } });
  const times = value / without;
  console.log(
    `${what}: ${value.toFixed(0)} µs of CPU with coverage against ${without.toFixed(0)} µs = ${times.toFixed(3)} (${times <= MOST_TIMES ? 'within' : 'OVER'} ${MOST_TIMES})`,
  );
}

export async function benchCoverage(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'));
  const receiver = await new ReceiverProcess().ready();
  try {
    const plant = await Plant.start(folder);
    const { sandbox } = plant;
    await fill(sandbox, ALERTS);
    sandbox.limiter.setLimits(sandbox.ready.clients[0]?.client_id ?? '', {
      requestsPerMinute: 1e9,
      querySecondsPerMinute: 1e9,
    });
    const token = await tokenOf(sandbox);
    for (const path of ['/v1/alerts?limit=100', '/v1/events?limit=100', '/v1/workers?limit=100'])
      await paired(`GET ${path}`, async () => (await load(`${sandbox.ready.api_url}${path}`, token)).cpuUs);
    await plant.destination(`${receiver.url}/coverage`);
    await paired('a delivery', async () => {
      await receiver.figures();
      const before = process.cpuUsage();
      for (let n = 0; n < EVENTS; n++) await plant.event();
      const { count } = await receiver.until(EVENTS);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / count;
    });
    await sandbox.stop();
  } finally {
    receiver.end();
    rmSync(folder, { recursive: true, force: true });
  }
  kept();
}

/** Measures the heap of a coverage after the deliveries of `KEPT_ALERTS` alerts to two destinations, of which one gives up. */
function kept(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  gc();
  const before = process.memoryUsage().heapUsed;
  const coverage = new Coverage();
  for (let n = 0; n < KEPT_ALERTS; n++)
    for (const [destinationId, result] of [
      ['one', 'delivered'],
      ['two', 'lost'],
    ] as const) {
      const eventId = `${n}-0000-4000-8000-000000000000`;
      coverage.attempted('company', {
        at: n,
        eventAt: n,
        eventId,
        eventType: 'alert.created',
        destinationId,
        objectId: `alert-${eventId}`,
        tryNumber: 8,
        result,
        signatures: 1,
        isTest: false,
        body: '{"organization_id":"company"}',
      });
    }
  gc();
  const value = (process.memoryUsage().heapUsed - before) / 1024;
  coverage.adopt({ id: 'one' });
  measured({ what: `kept of ${KEPT_ALERTS} alerts`, value, unit: 'KB', aim: { of: 'value', most: 2_048 } });
  console.log(`kept of ${KEPT_ALERTS} alerts: ${value.toFixed(0)} KB`);
}
