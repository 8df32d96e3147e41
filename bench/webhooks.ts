/** Deliveries: how many a second against a bare signing loop, how late under load, with one receiver that hangs, and an SOS behind 10,000 others. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { later } from '../src/base/time/timers.ts';
import { type Sandbox, startSandbox } from '../src/sandbox/start.ts';
import { figures } from './figures.ts';
import { measured } from './table.ts';

/** Ten minutes are the project's own measure: BENCH_LOAD_SECONDS=600. */
const LOAD_SECONDS = Number(process.env['BENCH_LOAD_SECONDS'] ?? 30);
const EVENTS_A_SECOND = 100;
const DESTINATIONS = 5;
const PEAK_EVENTS = 2_000;
/** Of one destination for what is not urgent. [decisions 7] */
const PLAIN_IN_FLIGHT = 3;
const TEN = 10;
const HANG_SECONDS = 15;
const HANG_TURNS = 3;
const QUEUED = 10_000;
const SOS_TRIES = 100;

interface ReceiverFigures {
  readonly count: number;
  readonly distinct: number;
  readonly lags: readonly number[];
  readonly sosLags: readonly number[];
}

export class ReceiverProcess {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  url = '';

  constructor() {
    const file = fileURLToPath(new URL('webhook-receiver.mjs', import.meta.url));
    this.#child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
  }

  async #next(): Promise<string> {
    return (await this.#lines.next()).value as string;
  }

  async ready(): Promise<this> {
    this.url = `http://127.0.0.1:${await this.#next()}`;
    return this;
  }

  async figures(): Promise<ReceiverFigures> {
    this.#child.stdin?.write('figures\n');
    return JSON.parse(await this.#next()) as ReceiverFigures;
  }

  /** What came until `wanted` arrived, or nothing more came for two seconds. */
  async until(wanted: number): Promise<ReceiverFigures> {
    const sum = { count: 0, distinct: 0, lags: [] as number[], sosLags: [] as number[] };
    for (let quiet = 0; sum.count < wanted && quiet < 40; quiet++) {
      await wait(50);
      const { count, distinct, lags, sosLags } = await this.figures();
      if (count > 0) quiet = 0;
      sum.count += count;
      sum.distinct += distinct;
      // Not spread into one call: after ten minutes there are hundreds of thousands.
      sum.lags = sum.lags.concat(lags);
      sum.sosLags = sum.sosLags.concat(sosLags);
    }
    return sum;
  }

  end(): void {
    this.#child.kill();
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => void later(ms, resolve));

/** A sandbox on disk, its alerts for ever resolved and opened again, and destinations at the receiver. */
export class Plant {
  readonly sandbox: Sandbox;
  readonly #alerts: string[] = [];
  #turn = 0;

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
  }

  static async start(folder: string): Promise<Plant> {
    const dataDir = join(mkdtempSync(join(folder, 'plant-')), 'data');
    const options = { dataDir, port: 0, mqttPort: 0, fleet: false, seed: '7' };
    const plant = new Plant(await startSandbox(options));
    const { engine } = plant.sandbox;
    const [client] = [...engine.world.all('client')];
    for (const { id: siteId, organizationId } of engine.world.all('site')) {
      if (organizationId !== client?.organizationId) continue;
      for (const kind of ['earthquake', 'tsunami_risk'] as const) {
        const outcome = await plant.sandbox.act({ action: 'hazard', kind, site: siteId });
        if ('answer' in outcome && 'result' in outcome.answer) plant.#alerts.push(outcome.answer.result.alert_id!);
      }
    }
    return plant;
  }

  async destination(url: string): Promise<string> {
    const { control_token, api_url } = this.sandbox.ready;
    const response = await fetch(`${api_url}/v1/sandbox/destinations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${control_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ forward_to: url, event_types: ['alert.*'] }),
    });
    return ((await response.json()) as { id: string }).id;
  }

  /** The next event: an alert is resolved, or opened again. Committed when it resolves. */
  async event(): Promise<void> {
    const turn = this.#turn++;
    const alertId = this.#alerts[turn % this.#alerts.length] as string;
    const isOpen = Math.floor(turn / this.#alerts.length) % 2 === 0;
    const by = 'bench';
    const outcome = await this.sandbox.engine.submit(
      isOpen
        ? { type: 'update-alert', alertId, status: 'resolved', by, actor: by, reason: null, note: null }
        : { type: 'reopen-alert', alertId, by },
    );
    if (outcome.rejected) throw new Error(outcome.detail);
  }

  /** At an even rate; answers how many events that made. */
  async load(seconds: number, aSecond: number): Promise<number> {
    const startedAt = performance.now();
    for (let made = 0; made < seconds * aSecond; made++) {
      const leftMs = startedAt + (made * 1_000) / aSecond - performance.now();
      if (leftMs > 1) await wait(leftMs);
      await this.event();
    }
    return seconds * aSecond;
  }
}

/** The floor: the same bytes signed and posted by keep-alive agents, as many at a time, to as many addresses. */
async function bareLoop(url: string, body: string, each: number, inFlight: number): Promise<number> {
  const key = `whsec_${'x'.repeat(43)}`;
  const bytes = Buffer.from(body);
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: DESTINATIONS }, async (_, place) => {
      const agent = new Agent({ keepAlive: true });
      let left = each;
      const worker = async () => {
        while (left-- > 0)
          await new Promise<void>((done, failed) => {
            const at = Math.floor(Date.now() / 1_000);
            const signature = createHmac('sha256', key).update(`${at}.`).update(bytes).digest('hex');
            const headers = {
              'content-type': 'application/json',
              'content-length': bytes.length,
              'x-service-timestamp': String(at),
              'x-service-signature': `v1=${signature}`,
            };
            const post = request(`${url}/bare-${place}`, { method: 'POST', agent, headers }, (answer) => {
              answer.resume();
              answer.on('end', done);
            });
            post.on('error', failed);
            post.end(bytes);
          });
      };
      await Promise.all(Array.from({ length: inFlight }, worker));
      agent.destroy();
    }),
  );
  return (DESTINATIONS * each * 1_000) / (performance.now() - startedAt);
}

export async function benchWebhooks(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'));
  const receiver = await new ReceiverProcess().ready();
  try {
    await peak(folder, receiver);
    await underLoad(folder, receiver);
    await oneHangs(folder, receiver);
    await sosBehindOthers(folder, receiver);
  } finally {
    receiver.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function peak(folder: string, receiver: ReceiverProcess): Promise<void> {
  const plant = await Plant.start(folder);
  const { engine, clock } = plant.sandbox;
  // The queue is filled while the destinations' deliveries are held back, and let go at once.
  for (let n = 0; n < DESTINATIONS; n++) {
    const id = await plant.destination(`${receiver.url}/peak-${n}`);
    await plant.sandbox.act({ action: 'deliveries', to: id, hold: '10m' });
  }
  for (let n = 0; n < PEAK_EVENTS; n++) await plant.event();
  const body = [...engine.world.all('alert')].length > 0 ? sampleBody(plant) : '{}';
  await receiver.figures();
  const startedAt = performance.now();
  const advanced = clock.advance(11 * 60_000);
  const { count } = await receiver.until(PEAK_EVENTS * DESTINATIONS);
  const ours = (count * 1_000) / (performance.now() - startedAt);
  await advanced;
  await plant.sandbox.stop();
  const bare = await bareLoop(receiver.url, body, PEAK_EVENTS, PLAIN_IN_FLIGHT);
  await receiver.figures();
  const share = ours / bare;
  measured({
    what: `deliveries to ${DESTINATIONS} destinations, ${PLAIN_IN_FLIGHT} in flight each`,
    value: ours,
    unit: '/s',
    bare,
    aim: { of: 'times', least: 0.5 },
  });
  console.log(
    `deliveries a second to ${DESTINATIONS} destinations, ${PLAIN_IN_FLIGHT} in flight each: ${ours.toFixed(0)} against ${bare.toFixed(0)} of a bare loop = ${(share * 100).toFixed(0)} % (${share >= 0.5 ? 'within' : 'UNDER'} 50 %), ${count} of ${PEAK_EVENTS * DESTINATIONS} arrived`,
  );
}

/** As long as an event is. */
const sampleBody = (plant: Plant): string =>
  JSON.stringify({
    id: 'x',
    type: 'alert.resolved',
    created_at: '2026-01-01T00:00:00.000Z',
    data: { alert: [...plant.sandbox.engine.world.all('alert')][0] },
  });

async function underLoad(folder: string, receiver: ReceiverProcess): Promise<void> {
  const { lags, lost } = await lagsOf(folder, receiver, DESTINATIONS, false, LOAD_SECONDS);
  const { median, p99 } = figures(lags);
  measured({
    what: `lag of ${EVENTS_A_SECOND} events/s to ${DESTINATIONS} for ${LOAD_SECONDS} s, p99`,
    value: p99,
    unit: 'ms',
    aim: { of: 'value', most: 250 },
  });
  measured({ what: 'lost of them', value: lost, unit: 'deliveries', aim: { of: 'value', most: 0 } });
  console.log(
    `${EVENTS_A_SECOND} events a second to ${DESTINATIONS} destinations for ${LOAD_SECONDS} s: lag median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (${p99 < 250 ? 'under' : 'OVER'} 250), lost ${lost}`,
  );
}

/** Ten receivers with and without one of them hanging, in turns, so that what the machine does meanwhile meets both. */
async function oneHangs(folder: string, receiver: ReceiverProcess): Promise<void> {
  const all = { with: [] as number[], without: [] as number[] };
  for (let turn = 0; turn < 2 * HANG_TURNS; turn++) {
    const hangs = turn % 2 === 1;
    const { lags } = await lagsOf(folder, receiver, hangs ? TEN - 1 : TEN, hangs, HANG_SECONDS);
    all[hangs ? 'with' : 'without'].push(...lags);
  }
  const [hanging, alone] = [figures(all.with), figures(all.without)];
  const ratio = hanging.p99 / alone.p99;
  measured({
    what: `p99 of the others while 1 of ${TEN} receivers hangs`,
    value: hanging.p99,
    unit: 'ms',
    bare: alone.p99,
    aim: { of: 'times', most: 1.1 },
  });
  console.log(
    `1 of ${TEN} receivers hangs, ${HANG_TURNS} turns of ${HANG_SECONDS} s each: p99 of the others ${hanging.p99.toFixed(1)} ms against ${alone.p99.toFixed(1)} ms without it = ${ratio.toFixed(2)} (${ratio <= 1.1 ? 'within' : 'OVER'} 1.1)`,
  );
}

async function lagsOf(
  folder: string,
  receiver: ReceiverProcess,
  destinations: number,
  hangs: boolean,
  seconds: number,
): Promise<{ lags: readonly number[]; lost: number }> {
  const plant = await Plant.start(folder);
  for (let n = 0; n < destinations; n++) await plant.destination(`${receiver.url}/load-${n}`);
  if (hangs) await plant.destination(`${receiver.url}/hang`);
  await receiver.figures();
  const made = await plant.load(seconds, EVENTS_A_SECOND);
  const { distinct, lags } = await receiver.until(made * destinations);
  await plant.sandbox.stop();
  return { lags, lost: made * destinations - distinct };
}

async function sosBehindOthers(folder: string, receiver: ReceiverProcess): Promise<void> {
  const plant = await Plant.start(folder);
  const { engine } = plant.sandbox;
  await plant.destination(`${receiver.url}/slow`);
  for (let n = 0; n < QUEUED; n++) await plant.event();
  await receiver.figures();
  const [client] = [...engine.world.all('client')];
  const workers = [...engine.world.all('worker')].filter(
    ({ organizationId }) => organizationId === client?.organizationId,
  );
  for (let n = 0; n < SOS_TRIES; n++) {
    const workerId = workers[n % workers.length]!.id;
    const outcome = await engine.submit({ type: 'panel-sos', workerId, by: 'bench' });
    if (outcome.rejected) throw new Error(outcome.detail);
    const alertId = outcome.done.alertId as string;
    await wait(40);
    const by = 'bench';
    await engine.submit({ type: 'update-alert', alertId, status: 'resolved', by, actor: by, reason: null, note: null });
  }
  const waiting = [...engine.world.all('delivery')].filter(({ priority }) => priority > 0).length;
  await wait(500);
  const { sosLags } = await receiver.figures();
  const { median, p99, count } = figures(sosLags);
  await plant.sandbox.stop();
  measured({
    what: `an SOS behind ${QUEUED} others, p99 of ${count}`,
    value: p99,
    unit: 'ms',
    aim: { of: 'value', most: 1_000 },
  });
  console.log(
    `an SOS behind ${QUEUED} others (${waiting} still waited at the end), ${count} of ${SOS_TRIES} tries: median ${median.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms (${p99 < 1_000 ? 'under' : 'OVER'} 1000)`,
  );
}
