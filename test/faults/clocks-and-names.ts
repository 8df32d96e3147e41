/** The wall clock jumps, and names resolve to what they must not: nothing is lost, doubled or sent to a private address. */
import { ok, slow } from '../service/webhooks/receiver.ts';
import { type Extent, type Fault, FaultPlant, type FaultReport, Findings, ms, pause, percentile } from './harness.ts';

const HOUR_MS = 3_600_000;

async function clockJumps(extent: Extent): Promise<FaultReport> {
  const plant = await FaultPlant.make();
  const findings = new Findings();
  const jumps = [HOUR_MS, -HOUR_MS, 24 * HOUR_MS];
  let offsetMs = 0;
  let worstS = 0;
  try {
    await plant.up('clock-jump.mjs', { JUMPS: jumps.join() });
    await plant.destination();
    const token = await plant.sandbox.token();
    const alerts = await plant.openAlerts();
    const checked = () => {
      for (const { headers, wallAt } of plant.receiver.received.slice(-1))
        worstS = Math.max(worstS, Math.abs(Number(headers['x-service-timestamp']) - (wallAt + offsetMs) / 1_000));
    };
    for (const jump of jumps) {
      const written = plant.write(alerts, 50);
      await pause(extent === 'whole' ? 5_000 : 600);
      checked();
      // An answer that takes 2 s is under way while the clock jumps: the 5 s are counted by the monotonic clock.
      plant.receiver.behave = () => slow(2_000);
      await pause(300);
      plant.sandbox.child.kill('SIGUSR2');
      offsetMs += jump;
      plant.stopWriting();
      await written;
      await pause(2_500);
      plant.receiver.behave = () => ok;
      await plant.drained(20_000);
      await plant.change(alerts[0] as string, 'reopen');
      await plant.change(alerts[0] as string, 'resolve');
      await plant.drained(20_000);
      checked();
    }
    const { body } = await plant.control('GET', '/v1/sandbox/deliveries?limit=1000');
    const failed = (body.data as { result: string }[]).filter(({ result }) => result !== 'delivered').length;
    findings.must(failed === 0, `${failed} attempts failed`);
    const late = await plant.sandbox.call('GET', '/v1/sites', token);
    findings.must(late.status === 401, `a token of a day ago is answered ${late.status}`);
    const { acknowledged, lost, events, undelivered, duplicates } = plant.compare();
    findings.must(lost === 0, `${lost} acknowledged changes have no event`);
    findings.must(undelivered + duplicates === 0, `${undelivered} were never delivered, ${duplicates} twice`);
    findings.must(worstS <= 60, `a timestamp was ${worstS.toFixed(1)} s off the wall clock`);
    const figures = { jumps: '+1 h, -1 h, +24 h', acknowledged, events, lost, undelivered, duplicates };
    return findings.report({ ...figures, 'timestamp off': `${worstS.toFixed(1)} s` });
  } finally {
    await plant.end();
  }
}

async function badNames(extent: Extent): Promise<FaultReport> {
  // What a name leads to is the receiver's own port, so that a connection that must not be made would be seen.
  const plant = await FaultPlant.make();
  const findings = new Findings();
  try {
    await plant.up('resolver.mjs');
    const { port } = plant.receiver;
    const kinds = ['rebind', 'servfail', ...Array.from({ length: 8 }, () => 'slow')];
    for (const [n, kind] of kinds.entries()) await plant.destination(`https://n${n}.${kind}.example:${port}/hook`);
    await plant.destination();
    const connectionsBefore = plant.receiver.connections;
    const alerts = await plant.openAlerts();
    const written = plant.write(alerts, 200);
    const attempts = async () =>
      (await plant.control('GET', '/v1/sandbox/deliveries?limit=1000')).body.data as {
        result: string;
        error: string | null;
        request: { url: string };
        took_ms: number;
      }[];
    const end = performance.now() + (extent === 'whole' ? 120_000 : 9_000);
    while (performance.now() < end) await pause(200);
    plant.stopWriting();
    await written;
    await plant.drained();
    const all = await attempts();
    const bad = all.filter(({ request }) => !request.url.startsWith('http://127.0.0.1'));
    const good = all.filter(({ request }) => request.url.startsWith('http://127.0.0.1'));
    const rebound = bad.filter(({ request }) => request.url.includes('rebind'));
    findings.must(bad.length > 10 && rebound.length > 0, `only ${bad.length} attempts to bad names`);
    findings.must(
      bad.every(({ result }) => result !== 'delivered'),
      'an attempt to a bad name was delivered',
    );
    findings.must(
      rebound.every(({ error }) => /not a public address/.test(error ?? '')),
      `a name that moved to a private address: ${rebound.find(({ error }) => !/public/.test(error ?? ''))?.error}`,
    );
    findings.must(
      good.every(({ result }) => result === 'delivered'),
      'an attempt to the good receiver failed',
    );
    const slowest = Math.max(...bad.map(({ took_ms }) => took_ms));
    findings.should(slowest <= 5_100, `an attempt took ${ms(slowest)}`);
    // The requested name is private now: a request for it would come here.
    const strayed = plant.receiver.received.filter(({ headers }) => headers['host']?.includes('.example'));
    findings.must(strayed.length === 0, `${strayed.length} requests for ${strayed[0]?.headers['host']}`);
    const lag = percentile(
      plant.receiver.received.map(({ body, wallAt }) => wallAt - Date.parse(JSON.parse(body).created_at)),
      0.99,
    );
    findings.should(lag <= 1_000, `the good receiver waited ${ms(lag)}`);
    const { undelivered, lost } = plant.compare();
    findings.must(undelivered + lost === 0, `${undelivered} never delivered, ${lost} lost`);
    const figures = {
      'attempts to bad names': bad.length,
      'of a rebound name': rebound.length,
      'to private addresses': strayed.length,
    };
    const connections = plant.receiver.connections - connectionsBefore;
    return findings.report({
      ...figures,
      delivered: good.length,
      connections,
      'slowest attempt': ms(slowest),
      'good p99': ms(lag),
    });
  } finally {
    await plant.end();
  }
}

export const CLOCKS_AND_NAMES: readonly Fault[] = [
  { id: 'F10', title: 'the wall clock jumps by +1 h, -1 h, +24 h', run: clockJumps },
  { id: 'F11', title: 'names that are rebound, fail, or are slow', run: badNames },
];
