/** The API against bare Fastify sending the same bytes: a page of alerts, one alert, the first page against a deep one, and 10,000 positions. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import Fastify from 'fastify';
import { idFrom } from '../src/base/ids.ts';
import { type Sandbox, startSandbox } from '../src/sandbox/start.ts';
import { besideStringify, tokenOf } from './client.ts';
import { figures } from './figures.ts';
import { measured } from './table.ts';

const ALERTS = 10_200;
const ROUNDS = 3;

/** How many a second, and µs of this process's CPU for each: who has few cores waits for its turn, but spends no more. */
interface Load {
  readonly perSecond: number;
  readonly cpuUs: number;
}

export async function load(url: string, token: string): Promise<Load> {
  const before = process.cpuUsage();
  const child = spawn(process.execPath, [join(import.meta.dirname, 'load.mjs'), url, token, '16', '2'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (bytes) => {
    text += bytes;
  });
  await new Promise((done) => child.once('close', done));
  const { user, system } = process.cpuUsage(before);
  const { perSecond, done, failed } = JSON.parse(text) as { perSecond: number; done: number; failed: number };
  if (failed > 0) throw new Error(`${failed} requests failed at ${url}`);
  return { perSecond, cpuUs: (user + system) / done };
}

/** Alerts of one worker after another, each resolved before the next, through the engine. */
export async function fill(sandbox: Sandbox, alerts: number): Promise<void> {
  const { engine } = sandbox;
  const [organization] = [...engine.world.all('organization')];
  const devices = [...engine.world.all('device')].filter(({ organizationId }) => organizationId === organization?.id);
  for (let n = 0; n < alerts; n += devices.length) {
    const raised = await Promise.all(
      devices.map(({ id }) =>
        engine.submit({
          type: 'report-sos',
          trigger: 'watch_button',
          deviceId: id,
          uplinkId: idFrom('bench', n, id),
          watchTime: engine.clock.now(),
        }),
      ),
    );
    await Promise.all(
      raised.map((outcome) =>
        engine.submit({
          type: 'update-alert',
          alertId: outcome.rejected ? '' : (outcome.done.alertId ?? ''),
          status: 'resolved',
          by: 'bench',
          actor: 'bench',
          reason: null,
          note: null,
        }),
      ),
    );
  }
}

export async function benchApi(): Promise<void> {
  const sandbox = await startSandbox({ memory: true, dataDir: '.bench', port: 0, mqttPort: 0, fleet: false });
  await fill(sandbox, ALERTS);
  // The limit of 600 a minute is the contract's; here it would end the measurement.
  sandbox.limiter.setLimits(sandbox.ready.clients[0]?.client_id ?? '', {
    requestsPerMinute: 1e9,
    querySecondsPerMinute: 1e9,
  });
  const token = await tokenOf(sandbox);
  const { api_url } = sandbox.ready;
  const read = async (path: string) =>
    (await fetch(`${api_url}${path}`, { headers: { authorization: `Bearer ${token}` } })).text();
  const page = await read('/v1/alerts?limit=50');
  const one = JSON.parse(page).data[0].id as string;
  const bare = Fastify();
  const bodies: Record<string, string> = { '/page': page, '/one': await read(`/v1/alerts/${one}`) };
  for (const [path, body] of Object.entries(bodies))
    bare.get(path, (_request, reply) => reply.type('application/json; charset=utf-8').send(body));
  await bare.listen({ port: 0, host: '127.0.0.1' });
  const { port } = bare.server.address() as { port: number };
  for (const [what, path, same] of [
    ['GET /v1/alerts?limit=50', '/v1/alerts?limit=50', '/page'],
    ['GET /v1/alerts/{id}', `/v1/alerts/${one}`, '/one'],
  ] as const) {
    const [ours, theirs]: [Load[], Load[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      theirs.push(await load(`http://127.0.0.1:${port}${same}`, token));
      ours.push(await load(`${api_url}${path}`, token));
    }
    const [our, their] = [ours, theirs].map((loads) => ({
      perSecond: figures(loads.map(({ perSecond }) => perSecond)).median,
      cpuUs: figures(loads.map(({ cpuUs }) => cpuUs)).median,
    })) as [Load, Load];
    measured({ what, value: our.perSecond, unit: '/s', bare: their.perSecond, aim: { of: 'times', least: 0.6 } });
    const share = our.perSecond / their.perSecond;
    console.log(
      `${what}: ${our.perSecond.toFixed(0)}/s against ${their.perSecond.toFixed(0)}/s bare = ${(share * 100).toFixed(0)} % (${share >= 0.6 ? 'at least' : 'UNDER'} 60 %); CPU each ${our.cpuUs.toFixed(0)} against ${their.cpuUs.toFixed(0)} µs = ${((their.cpuUs / our.cpuUs) * 100).toFixed(0)} %`,
    );
  }
  await deepPages(read);
  await bare.close();
  await sandbox.stop();
  await positions();
}

/** The cost of a page does not grow with the depth of the walk: page 1 against page 200. */
async function deepPages(get: (path: string) => Promise<string>): Promise<void> {
  let path = '/v1/alerts?limit=50';
  const paths: string[] = [];
  for (let page = 1; page <= 200; page++) {
    paths.push(path);
    const { next_cursor } = JSON.parse(await get(path)) as { next_cursor: string };
    path = `/v1/alerts?limit=50&cursor=${next_cursor}`;
  }
  const [first, last]: [number[], number[]] = [[], []];
  for (let round = 0; round < 200; round++)
    for (const [times, which] of [
      [first, paths[0]],
      [last, paths[199]],
    ] as const) {
      const begun = performance.now();
      await get(which as string);
      times.push(performance.now() - begun);
    }
  measured({
    what: 'page 200 of a walk, against page 1',
    value: figures(last).median,
    unit: 'ms',
    bare: figures(first).median,
  });
  console.log(
    `page 200 takes ${(figures(last).median / figures(first).median).toFixed(2)} times page 1 (${figures(first).median.toFixed(2)} ms)`,
  );
}

/** 10,000 workers: the list of positions against JSON.stringify of its own answer. */
async function positions(): Promise<void> {
  const sandbox = await startSandbox({
    memory: true,
    dataDir: '.bench',
    port: 0,
    mqttPort: 0,
    fleet: false,
    watches: 10_000,
  });
  const { engine, ready } = sandbox;
  for (const { id, siteId } of engine.world.all('device')) {
    const { origin } = engine.world.need('site', siteId);
    const fix = {
      ...origin,
      uncertaintyM: 4,
      source: 'gps',
      height: null,
      inVehicle: false,
      at: engine.clock.now(),
      worn: true,
    } as const;
    void engine.submit({ type: 'report-position', deviceId: id, fixes: [fix] });
  }
  await engine.submit({ type: 'regain-contact', deviceId: [...engine.world.all('device')][0]?.id ?? '' });
  const token = await tokenOf(sandbox);
  const { items, servedMs, ratio } = await besideStringify(`${ready.api_url}/v1/positions`, token, 40);
  measured({
    what: `GET /v1/positions of ${items}, against its JSON.stringify`,
    value: servedMs,
    unit: 'ms',
    bare: servedMs / ratio,
    aim: { of: 'times', most: 5 },
  });
  console.log(
    `GET /v1/positions of ${items}: ${servedMs.toFixed(1)} ms = ${ratio.toFixed(1)} times its JSON.stringify (${ratio < 5 ? 'under' : 'OVER'} 5)`,
  );
  await sandbox.stop();
}
