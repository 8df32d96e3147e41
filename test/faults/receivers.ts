/** Receivers that hang, drip, flood, break off and stay away: none delays another, none is given more than its time, and nothing is lost. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import Stripe from 'stripe';
import { RETRY_SCHEDULE_MS } from '../../src/contract/resources/retry-schedule.ts';
import { drip, hang, ok, Receiver, reset, status } from '../service/webhooks/receiver.ts';
import { startTlsServer } from '../service/webhooks/tls.ts';
import { type Extent, type Fault, FaultPlant, type FaultReport, Findings, ms, pause, percentile } from './harness.ts';

interface Attempt {
  readonly event_id: string;
  readonly destination_id: string;
  readonly try: number;
  readonly offset_ms: number;
  readonly took_ms: number;
  readonly result: 'delivered' | 'failed' | 'lost';
}

/** A destination at any address, through the sandbox's own door. */
async function session(
  plant: FaultPlant,
  forward_to: string,
  skip_verify = false,
): Promise<{ id: string; secret: string }> {
  const { status: code, body } = await plant.control('POST', '/v1/sandbox/destinations', { forward_to, skip_verify });
  if (code !== 201) throw new Error(`${forward_to} was refused: ${JSON.stringify(body)}`);
  return body;
}

const attemptsAt = async (plant: FaultPlant, id: string): Promise<Attempt[]> =>
  (await plant.control('GET', `/v1/sandbox/deliveries?limit=1000&destination_id=${id}`)).body.data;

/** From the event to the request at the receiver, for first attempts; wall milliseconds. */
function lags(receiver: Receiver): number[] {
  const seen = new Set<string>();
  return receiver.received.flatMap(({ eventId, path, body, wallAt }) => {
    const key = `${eventId} ${path}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [wallAt - Date.parse((JSON.parse(body) as { created_at: string }).created_at)];
  });
}

/** Ten destinations at 50 events a second; of one of them the answers never come. */
async function underLoad(seconds: number, isHanging: boolean) {
  const plant = await FaultPlant.make();
  const hanging = await Receiver.start(hang);
  try {
    await plant.up();
    for (let n = 0; n < 9; n++) await session(plant, new URL(`/${n}`, plant.receiver.url).href);
    const { id } = isHanging ? await session(plant, hanging.url.href) : { id: '' };
    const alerts = await plant.openAlerts();
    // Two events in each transaction of each of four writers.
    const written = plant.write(alerts, (2 * alerts.length * 1_000) / 50);
    await pause(seconds * 1_000);
    plant.stopWriting();
    await written;
    const events = plant.log().length;
    const end = performance.now() + 10_000;
    while (plant.receiver.received.length < events * 9 && performance.now() < end) await pause(50);
    const attempts = isHanging ? await attemptsAt(plant, id) : [];
    return { events, lags: lags(plant.receiver), got: plant.receiver.received.length, attempts, peak: hanging.peak };
  } finally {
    await plant.end();
    await hanging.close();
  }
}

async function oneHangs(extent: Extent): Promise<FaultReport> {
  const seconds = extent === 'whole' ? 60 : 8;
  const findings = new Findings();
  const [without, withOne] = [await underLoad(seconds, false), await underLoad(seconds, true)];
  const [before, after] = [percentile(without.lags, 0.99), percentile(withOne.lags, 0.99)];
  const took = withOne.attempts.map(({ took_ms }) => took_ms);
  findings.must(withOne.got === withOne.events * 9, `${withOne.events * 9 - withOne.got} deliveries did not arrive`);
  // An absolute floor beside the tenth: both are a few milliseconds.
  findings.should(after <= Math.max(before * 1.1, 250), `the others' p99 went from ${ms(before)} to ${ms(after)}`);
  findings.must(withOne.peak <= 4, `${withOne.peak} were in flight to the one that hangs`);
  findings.should(
    took.every((one) => one >= 4_900 && one <= 5_100),
    `attempts ended after ${ms(Math.min(...took))} to ${ms(Math.max(...took))}`,
  );
  findings.must(took.length > 0, 'no attempt to the one that hangs ended');
  const figures = { events: withOne.events, 'p99 without': ms(before), 'p99 with': ms(after), attempts: took.length };
  const range = `${ms(Math.min(...took))} to ${ms(Math.max(...took))}`;
  return findings.report({ ...figures, 'they took': range, 'in flight': withOne.peak });
}

const rssKb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);

async function badAnswers(extent: Extent): Promise<FaultReport> {
  const plant = await FaultPlant.make();
  const findings = new Findings();
  const flood = await Receiver.start(({ response }) => {
    const chunk = Buffer.alloc(1 << 20, 'x');
    let left = 1_000;
    const more = () => {
      while (left > 0 && !response.destroyed) {
        left -= 1;
        if (!response.write(chunk)) return void response.once('drain', more);
      }
      response.end();
    };
    response.writeHead(200);
    more();
  });
  const dripping = await Receiver.start(drip('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n', 'x', 300));
  const slowHead = await Receiver.start(drip('', 'HTTP/1.1 200 OK\r\n', 300));
  const headers = await Receiver.start(status(200, { 'x-long': 'y'.repeat(100_000) }));
  // Takes the client's hello, and closes.
  const midTls = createServer((socket) => void socket.once('data', () => socket.destroy()));
  await new Promise<void>((listening) => midTls.listen(0, '127.0.0.1', listening));
  const port = (midTls.address() as { port: number }).port;
  const receivers = [flood, dripping, slowHead, headers];
  try {
    await plant.up();
    const names = ['1 GB', 'drip', 'slow head', '100 kB headers', 'mid TLS'];
    const ids: string[] = [];
    for (const { url } of receivers) ids.push((await session(plant, url.href)).id);
    ids.push((await session(plant, `https://127.0.0.1:${port}/`, true)).id);
    const alerts = await plant.openAlerts();
    const pid = plant.sandbox.child.pid as number;
    // A process that has just begun grows by what it compiles and caches.
    const warmedUp = plant.write(alerts, 100);
    await pause(4_000);
    plant.stopWriting();
    await warmedUp;
    const before = rssKb(pid);
    const written = plant.write(alerts, 500);
    await pause(extent === 'whole' ? 60_000 : 8_000);
    plant.stopWriting();
    await written;
    await pause(5_500);
    const grownMb = (rssKb(pid) - before) / 1_024;
    const slowest: string[] = [];
    for (const [n, id] of ids.entries()) {
      const attempts = await attemptsAt(plant, id);
      const most = Math.max(...attempts.map(({ took_ms }) => took_ms));
      findings.must(attempts.length > 0, `${names[n]}: no attempt`);
      findings.should(most <= 5_100, `${names[n]}: an attempt took ${ms(most)}`);
      slowest.push(`${names[n]} ${ms(most)} (${attempts.length} attempts, ${attempts[0]?.result})`);
    }
    findings.should(grownMb <= 50, `the process grew by ${grownMb.toFixed(0)} MB`);
    findings.must(plant.sandbox.child.exitCode === null, 'the process ended');
    const { stderr } = await plant.sandbox.stop();
    findings.must(!/rejection|Error/i.test(stderr), `it said: ${stderr.slice(0, 300)}`);
    return findings.report({ slowest: slowest.join(', '), grown: `${grownMb.toFixed(0)} MB` });
  } finally {
    await plant.end();
    for (const receiver of receivers) await receiver.close();
    midTls.close();
  }
}

async function aDayOfFailures(): Promise<FaultReport> {
  const plant = await FaultPlant.make();
  const findings = new Findings();
  const kinds: [string, Receiver][] = [
    ['500', await Receiver.start(status(500))],
    ['301', await Receiver.start(status(301, { location: 'http://127.0.0.1:9/' }))],
    ['reset', await Receiver.start(reset)],
  ];
  const tls = await startTlsServer();
  try {
    await plant.up();
    const sessions = new Map<string, { id: string; secret: string }>();
    for (const [name, { url }] of kinds) sessions.set(name, await session(plant, url.href));
    sessions.set('bad certificate', await session(plant, `https://127.0.0.1:${tls.port}/`));
    await plant.openAlerts();
    const log = plant.log();
    for (let hour = 0; hour < 25; hour++) await plant.control('POST', '/v1/sandbox/clock', { advance: '1h' });
    let worstMs = 0;
    for (const [name, { id }] of sessions) {
      const attempts = await attemptsAt(plant, id);
      for (const { id: eventId } of log) {
        const own = attempts.filter(({ event_id }) => event_id === eventId).sort((a, b) => a.try - b.try);
        findings.must(own.length === RETRY_SCHEDULE_MS.length, `${name}: ${own.length} attempts`);
        own.forEach(({ offset_ms }, index) => {
          worstMs = Math.max(worstMs, Math.abs(offset_ms - (RETRY_SCHEDULE_MS[index] ?? 0)));
        });
        findings.must(own.at(-1)?.result === 'lost', `${name}: the last attempt is not "lost"`);
      }
    }
    findings.should(worstMs <= 100, `an attempt was ${ms(worstMs)} off its due time`);
    for (const [name, { received }] of kinds) {
      const { secret } = sessions.get(name) as { secret: string };
      const bodies = new Map(log.map(({ id, body }) => [id, body]));
      findings.must(
        received.every(({ eventId, body }) => bodies.get(eventId) === body),
        `${name}: other bytes`,
      );
      for (const { headers, body, wallAt } of received) {
        const header = `t=${headers['x-service-timestamp']},${headers['x-service-signature']}`;
        Stripe.webhooks.constructEvent(body, header, secret, 300);
        const late = Math.abs(wallAt / 1_000 - Number(headers['x-service-timestamp']));
        findings.must(late <= 60, `${name}: a timestamp ${late} s old`);
      }
    }
    const { body: mail } = await plant.control('GET', '/v1/sandbox/mail?limit=1000');
    const mails = (mail.data as { text: string }[]).map(({ text }) => text).join('\n');
    findings.must(
      log.every(({ id }) => mails.split(id).length - 1 === sessions.size),
      'not every lost event is in one e-mail of each destination',
    );
    const { body: list } = await plant.control('GET', '/v1/sandbox/destinations');
    const since = (list.data as { failing_since: string | null }[]).map(({ failing_since }) => failing_since);
    const firstAt = Math.min(...log.map(({ body }) => Date.parse(JSON.parse(body).created_at)));
    findings.must(
      since.every((at) => at !== null && Math.abs(Date.parse(at) - firstAt) <= 1_000),
      `failing_since is ${since.join(', ')}`,
    );
    findings.must(tls.requests === 0, 'a request went to the receiver with the bad certificate');
    const token = await plant.sandbox.token();
    const { body: events } = await plant.sandbox.call('GET', '/v1/events?limit=200', token);
    findings.must(events.data.length === log.length, 'the lost events are not in GET /v1/events');
    const figures = { destinations: sessions.size, events: log.length, 'attempts each': RETRY_SCHEDULE_MS.length };
    return findings.report({ ...figures, 'off the due time': ms(worstMs), 'e-mails': mail.data.length });
  } finally {
    await plant.end();
    for (const [, receiver] of kinds) await receiver.close();
    await tls.close();
  }
}

async function twoHoursAway(extent: Extent): Promise<FaultReport> {
  const plant = await FaultPlant.make();
  const findings = new Findings();
  try {
    await plant.up();
    await plant.destination();
    plant.receiver.behave = () => reset;
    const alerts = await plant.openAlerts();
    const written = plant.write(alerts);
    const wanted = extent === 'whole' ? 5_000 : 300;
    while (plant.answered < wanted) await pause(20);
    plant.stopWriting();
    await written;
    for (let n = 0; n < 12; n++) await plant.control('POST', '/v1/sandbox/clock', { advance: '10m' });
    const token = await plant.sandbox.token();
    const health = async () => (await plant.sandbox.call('GET', '/v1/webhooks', token)).body.data[0].failing_since;
    findings.must((await health()) !== null, 'failing_since was not set');
    const failed = plant.receiver.received.length;
    plant.receiver.received.length = 0;
    plant.receiver.peak = 0;
    plant.receiver.behave = () => ok;
    const startedAt = performance.now();
    for (let n = 0; n < 7; n++) await plant.control('POST', '/v1/sandbox/clock', { advance: '10m' });
    await plant.drained(10_000);
    const { acknowledged, lost, events, undelivered, otherBytes, duplicates } = plant.compare();
    findings.must(lost === 0, `${lost} acknowledged changes have no event`);
    findings.must(undelivered === 0, `${undelivered} events were never delivered`);
    findings.must(otherBytes + duplicates === 0, `${otherBytes} with other bytes, ${duplicates} twice`);
    findings.must(plant.receiver.peak <= 4, `${plant.receiver.peak} were in flight`);
    findings.must((await health()) === null, 'failing_since was not cleared');
    const figures = { acknowledged, events, 'failed attempts': failed, lost, undelivered, duplicates };
    return findings.report({ ...figures, 'drained in': ms(performance.now() - startedAt) });
  } finally {
    await plant.end();
  }
}

export const RECEIVERS: readonly Fault[] = [
  { id: 'F6', title: '1 of 10 receivers hangs, 50 events a second', run: oneHangs },
  { id: 'F7', title: 'receivers that drip, flood, and break off in the handshake', run: badAnswers },
  { id: 'F8', title: '24 h of 500, 301, reset and a bad certificate', run: aDayOfFailures },
  { id: 'F9', title: 'a receiver that is away for 2 h, and back', run: twoHoursAway },
];
