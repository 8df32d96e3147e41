/** The count of 10,000 people, the list of 2,000 who are missing against JSON.stringify of its own answer, and the end with its report. */
import { idFrom } from '../src/base/ids.ts';
import { type Sandbox, startSandbox } from '../src/sandbox/start.ts';
import { stampAt } from '../src/service/domain/changes.ts';
import { count } from '../src/service/domain/musters/count.ts';
import { readReport } from '../src/service/panel/after-action/after-action.ts';
import { reportPage } from '../src/service/panel/after-action/page.ts';
import { besideStringify, tokenOf } from './client.ts';
import { figures } from './figures.ts';
import { measured } from './table.ts';

const ROUNDS = 60;

/** A sandbox whose people have all been seen on their site, some in a point; and a muster on the largest one. */
async function evacuated(watches: number): Promise<{ sandbox: Sandbox; musterId: string }> {
  const sandbox = await startSandbox({ memory: true, dataDir: '.bench', port: 0, mqttPort: 0, fleet: false, watches });
  const { engine } = sandbox;
  const { world, clock } = engine;
  const site = [...world.all('site')].sort(
    (a, b) => world.indexes.workersOfSite.of(b.id).length - world.indexes.workersOfSite.of(a.id).length,
  )[0];
  if (site === undefined) throw new Error('the default world has no site');
  // Everybody works on that site: one muster for all.
  const { organizationId } = site;
  for (const worker of [...world.all('worker')]) world.load('worker', { ...worker, organizationId, siteId: site.id });
  for (const device of [...world.all('device')]) world.load('device', { ...device, organizationId, siteId: site.id });
  let n = 0;
  const reported: Promise<unknown>[] = [];
  for (const { id, siteId } of world.all('device')) {
    const { origin } = world.need('site', siteId);
    const place = { latitude: origin.latitude + (n % 50) * 1e-5, longitude: origin.longitude + (n % 40) * 1e-5 };
    const fix = { ...place, uncertaintyM: 4, source: 'gps', height: null, inVehicle: false } as const;
    const fixes = [{ ...fix, at: clock.now(), worn: n % 20 !== 0 }];
    reported.push(engine.submit({ type: 'report-position', deviceId: id, fixes }));
    n += 1;
  }
  await Promise.all(reported);
  const started = await engine.submit({
    type: 'start-muster',
    siteId: site.id,
    kind: 'general',
    reason: 'bench',
    origin: null,
    deadline: null,
    by: 'bench',
  });
  if (started.rejected) throw new Error(started.detail);
  const musterId = started.done.musterId ?? '';
  const people = [...world.indexes.expectedIn(musterId).values()];
  const [point] = world.need('muster', musterId).targets;
  for (const [place, { workerId }] of people.entries()) {
    const deviceId = world.need('worker', workerId).deviceId ?? '';
    const uplink = { deviceId, uplinkId: idFrom('bench', workerId), watchTime: clock.now() };
    if (place % 3 === 0 && point !== undefined)
      await engine.submit({ type: 'declare-at-point', pointId: point.id, ...uplink });
    if (place % 100 === 1) await engine.submit({ type: 'report-help', reason: null, ...uplink });
  }
  return { sandbox, musterId };
}

export async function benchMusters(): Promise<void> {
  await counts();
  await missing();
  await report();
}

async function counts(): Promise<void> {
  const { sandbox, musterId } = await evacuated(10_000);
  const { world, clock } = sandbox.engine;
  const muster = world.need('muster', musterId);
  const stamp = stampAt(clock.now(), 'bench');
  const people = world.indexes.expectedIn(musterId);
  const ids = [...people.values()].map(({ workerId }) => world.need('worker', workerId).deviceId ?? '');
  const [counted, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    // What any count must do at least: look at everybody's last contact.
    let begun = performance.now();
    let latest = 0;
    for (const id of ids) latest = Math.max(latest, world.telemetry(id).lastContactAt ?? 0);
    bare.push(performance.now() - begun);
    begun = performance.now();
    count(world, muster, stamp, { at: clock.now(), tellsMissing: true });
    counted.push(performance.now() - begun);
  }
  const { median, p99 } = figures(counted);
  measured({
    what: `count of a muster of ${people.size} people, against looking at each`,
    value: median,
    unit: 'ms',
    bare: figures(bare).median,
    aim: { of: 'value', most: 15 },
  });
  console.log(
    `count of ${people.size} people: ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms = ${(median / figures(bare).median).toFixed(1)} times looking at each (${median < 15 ? 'under' : 'OVER'} 15 ms)`,
  );
  await sandbox.stop();
}

async function missing(): Promise<void> {
  const { sandbox, musterId } = await evacuated(3_000);
  const { engine, ready } = sandbox;
  await engine.submit({ type: 'count-muster', musterId });
  const token = await tokenOf(sandbox);
  const url = `${ready.api_url}/v1/musters/${musterId}/missing`;
  // Who reads each 5 s what is reported each 10 s finds half of it new.
  for (const reporting of ['nobody', 'every second', 'everybody'] as const)
    await missingList(engine, url, token, reporting);
  await sandbox.stop();
}

type Reporting = 'nobody' | 'every second' | 'everybody';
const EACH = { nobody: Number.POSITIVE_INFINITY, 'every second': 2, everybody: 1 } as const;

async function missingList(engine: Sandbox['engine'], url: string, token: string, reporting: Reporting): Promise<void> {
  const { items, servedMs, ratio } = await besideStringify(url, token, ROUNDS, (round) => {
    let n = round;
    for (const { id } of engine.world.all('device'))
      if (n++ % EACH[reporting] === 0 && reporting !== 'nobody') engine.contact(id);
  });
  measured({
    what: `GET missing of ${items}, against its JSON.stringify`,
    value: servedMs,
    unit: 'ms',
    bare: servedMs / ratio,
    aim: { of: 'times', most: 5 },
  });
  console.log(
    `GET missing of ${items}, ${reporting} heard since: ${servedMs.toFixed(1)} ms = ${ratio.toFixed(1)} times its JSON.stringify (${ratio < 5 ? 'under' : 'OVER'} 5)`,
  );
}

/** The end of a muster of 10,000 people, and the report of it, each beside the JSON.stringify of what it makes. */
async function report(): Promise<void> {
  const { sandbox, musterId } = await evacuated(10_000);
  const { engine } = sandbox;
  await engine.submit({ type: 'count-muster', musterId });
  let begun = performance.now();
  await engine.submit({ type: 'end-muster', musterId, outcome: 'completed', by: 'bench' });
  const endMs = performance.now() - begun;
  const roll = engine.world.need('roll', musterId);
  begun = performance.now();
  const bytes = JSON.stringify(roll).length;
  console.log(
    `end of a muster of ${roll.rows.length} people: ${endMs.toFixed(0)} ms = ${(endMs / (performance.now() - begun)).toFixed(1)} times the JSON.stringify of its roll (${Math.round(bytes / 1024)} KiB)`,
  );
  const [drawn, written, bare]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS / 4; round++) {
    begun = performance.now();
    const record = await readReport(sandbox, musterId);
    if (record === null) throw new Error('the muster has no record');
    drawn.push(performance.now() - begun);
    begun = performance.now();
    reportPage(record);
    written.push(performance.now() - begun);
    begun = performance.now();
    JSON.stringify(record);
    bare.push(performance.now() - begun);
  }
  const [recordMs, pageMs, bareMs] = [figures(drawn).median, figures(written).median, figures(bare).median];
  measured({
    what: 'after-action report, against the JSON.stringify of its record',
    value: recordMs + pageMs,
    unit: 'ms',
    bare: bareMs,
  });
  console.log(
    `after-action report of it: record ${recordMs.toFixed(0)} ms, page ${pageMs.toFixed(0)} ms = ${((recordMs + pageMs) / bareMs).toFixed(1)} times the JSON.stringify of the record`,
  );
  await sandbox.stop();
}
