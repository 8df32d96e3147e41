/**
 * What a long life costs: memory, the restart and the first pages of a packed sandbox with a data folder, after `LONG_LIFE` alerts
 * (20,000) were raised and resolved through its API. `LONG_LIFE_BASE=FOLDER` is another built clone whose pages are measured in turns
 * with these. Run it by `npm run bench:long-life`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { figures, tellRatio } from './figures.ts';
import { packed } from './packed.ts';
import { BenchProcess } from './processes.ts';
import { beginBench, measured, printBenchTable } from './table.ts';

const ALERTS = Number(process.env['LONG_LIFE'] ?? 20_000);
const SETTLE_MS = Number(process.env['LONG_LIFE_SETTLE'] ?? 30) * 1_000;
/** Requests under way at once, each about a worker of its own. */
const AT_ONCE = 16;
const RESTARTS = 5;
const PAGE_ROUNDS = 300;
const MOST_MB = 200;

interface ReadyData {
  readonly api_url: string;
  readonly control_token: string;
  readonly clients: readonly { readonly client_id: string; readonly client_secret: string; readonly company: string }[];
}

interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the answers of many routes, read once
  readonly body: any;
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

/** Ends at the last byte of the answer. */
function ask(method: string, url: string, token: string, body?: unknown): Promise<Reply> {
  return new Promise((done, failed) => {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (token !== '') headers['authorization'] = `Bearer ${token}`;
    const outgoing = request(url, { method, agent, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (bytes: Buffer) => chunks.push(bytes));
      answer.once('end', () =>
        done({ status: answer.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString() || 'null') }),
      );
    });
    outgoing.once('error', failed);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** One sandbox as a process, with its data folder. */
class Running {
  readonly process: BenchProcess;
  readonly readyMs: number;
  readonly data: ReadyData;
  token = '';

  private constructor(process: BenchProcess, readyMs: number, data: ReadyData) {
    this.process = process;
    this.readyMs = readyMs;
    this.data = data;
  }

  static async start(bin: string, folder: string): Promise<Running> {
    const begun = performance.now();
    const args = [bin, 'up', '--data-dir', folder, '--port', '0', '--mqtt-port', '0', '--json'];
    const process_ = new BenchProcess('sandbox', process.execPath, args);
    const data = await process_.ready<ReadyData>();
    return new Running(process_, performance.now() - begun, data);
  }

  async control(body: object): Promise<Reply> {
    const reply = await ask('POST', `${this.data.api_url}/v1/sandbox/actions`, this.data.control_token, body);
    if (reply.status !== 200) throw new Error(`${JSON.stringify(body)}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply;
  }

  async client(method: string, path: string, body?: object): Promise<Reply> {
    const reply = await ask(method, `${this.data.api_url}${path}`, this.token, body);
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply;
  }

  /** A token of the first company, with limits that a benchmark does not meet. */
  async enter(): Promise<void> {
    const [first] = this.data.clients;
    const credentials = { client_id: first?.client_id, client_secret: first?.client_secret };
    const body = { grant_type: 'client_credentials', ...credentials };
    this.token = (await ask('POST', `${this.data.api_url}/v1/oauth/token`, '', body)).body.access_token;
    await this.unlimited();
  }

  async unlimited(): Promise<void> {
    const company = this.data.clients[0]?.client_id;
    const most = { requests_per_minute: 1_000_000, query_seconds_per_minute: 1_000_000 };
    await this.control({ action: 'limits', company, ...most });
  }

  async workers(): Promise<string[]> {
    const { body } = await this.client('GET', '/v1/workers?is_active=true&limit=200');
    return (body.data as { id: string }[]).map(({ id }) => id);
  }
}

/** The first alert that was raised, and the instant of the middle one. */
interface Life {
  readonly oldest: { readonly id: string; readonly worker: string; readonly at: string };
  readonly middleAt: string;
}

const RESOLVED = { status: 'resolved', actor: { name: 'bench' } };

/** Alerts of one worker after another, each resolved before the next of this worker. */
async function raiseAndResolve(sandbox: Running): Promise<Life> {
  const workers = await sandbox.workers();
  let raised = 0;
  let [oldest, middleAt]: [Life['oldest'] | null, string] = [null, ''];
  const one = async (n: number): Promise<void> => {
    for (let place = n; raised < ALERTS; place = (place + AT_ONCE) % workers.length) {
      raised++;
      const who = workers[place] as string;
      const action = { action: 'panel_sos', who, by: 'bench' };
      const id = (await sandbox.control(action)).body.result.alert_id as string;
      const { body } = await sandbox.client('PATCH', `/v1/alerts/${id}`, RESOLVED);
      oldest ??= { id, worker: who, at: body.date_created };
      if (middleAt === '' && raised >= ALERTS / 2) middleAt = body.date_created;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => one(n)));
  if (oldest === null) throw new Error('No alert was raised.');
  return { oldest, middleAt };
}

/** As many requests as `raiseAndResolve` makes, of which none raises anything. */
async function raiseNothing(sandbox: Running): Promise<void> {
  const [worker] = await sandbox.workers();
  const id = (await sandbox.control({ action: 'panel_sos', who: worker, by: 'bench' })).body.result.alert_id as string;
  let left = ALERTS;
  const one = async (): Promise<void> => {
    while (left-- > 0) {
      await sandbox.unlimited();
      await sandbox.client('PATCH', `/v1/alerts/${id}`, RESOLVED);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

const later = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Each filter alone; the last two match old alerts only. */
function pagesOf({ oldest, middleAt }: Life, site: string, contractor: string): Record<string, string> {
  const day = (ms: number) => new Date(Date.parse(middleAt) + ms).toISOString();
  return {
    'no filter': '',
    site_id: `site_id=${site}`,
    'status=unacknowledged': 'status=unacknowledged',
    'status=resolved': 'status=resolved',
    'type=sos': 'type=sos',
    'type=low_battery': 'type=low_battery',
    'min_severity=critical': 'min_severity=critical',
    worker_id: `worker_id=${oldest.worker}`,
    contractor: `contractor=${encodeURIComponent(contractor)}`,
    simulated: 'simulated=true',
    created_after: `created_after=${day(0)}`,
    created_before: `created_before=${day(0)}`,
    'modified_since, an hour ago': `modified_since=${day(-3_600_000)}`,
    'modified_since, in an hour': `modified_since=${day(3_600_000)}`,
    'the oldest two seconds': `created_before=${new Date(Date.parse(oldest.at) + 2_000).toISOString()}`,
    'type=worker_call_request, old only': 'type=worker_call_request',
  };
}

async function timed(sandbox: Running, path: string): Promise<number> {
  const begun = performance.now();
  await sandbox.client('GET', path);
  return performance.now() - begun;
}

/** A sandbox with a life behind it, in a folder of its own. */
interface Lived {
  readonly bin: string;
  readonly folder: string;
  readonly life: Life;
  readonly rssMb: number;
}

async function live(bin: string, folder: string): Promise<Lived> {
  const sandbox = await Running.start(bin, folder);
  await sandbox.enter();
  await callOnce(sandbox);
  const begun = performance.now();
  const life = await raiseAndResolve(sandbox);
  const took = performance.now() - begun;
  console.log(`${ALERTS} alerts raised and resolved in ${(took / 1_000).toFixed(1)} s`);
  await later(SETTLE_MS);
  const { rssMb } = sandbox.process.use();
  await sandbox.process.stop();
  return { bin, folder, life, rssMb };
}

/** The only alert of its type, and the oldest. */
async function callOnce(sandbox: Running): Promise<void> {
  const [worker] = await sandbox.workers();
  const done = await ask('POST', `${sandbox.data.api_url}/v1/sandbox/actions`, sandbox.data.control_token, {
    action: 'call_request',
    who: worker,
  });
  const id = done.body.result?.alert_id as string | undefined;
  if (id !== undefined) await sandbox.client('PATCH', `/v1/alerts/${id}`, RESOLVED);
}

/** Ready times of fresh folders and of the lived one, in turns. */
async function restarts(bin: string, folder: string, scratch: string): Promise<void> {
  const [fresh, again]: [number[], number[]] = [[], []];
  for (let n = 0; n < RESTARTS; n++) {
    const new_ = await Running.start(bin, join(scratch, `fresh-${n}`));
    fresh.push(new_.readyMs);
    await new_.process.stop();
    const old = await Running.start(bin, folder);
    again.push(old.readyMs);
    await old.process.stop();
  }
  tellRatio(`restart after ${ALERTS} alerts, beside a fresh start`, figures(again), figures(fresh), 1.5);
}

async function pages(lived: Lived, base: Lived): Promise<void> {
  const [ours, theirs] = [await Running.start(lived.bin, lived.folder), await Running.start(base.bin, base.folder)];
  await ours.enter();
  await theirs.enter();
  const pathsOf = async (sandbox: Running, { life }: Lived) => {
    const { body } = await sandbox.client('GET', `/v1/alerts/${life.oldest.id}`);
    const { body: workers } = await sandbox.client('GET', '/v1/workers?limit=200');
    const contractor = (workers.data as { contractor: string | null }[]).find((one) => one.contractor !== null);
    return pagesOf(life, body.site.id, contractor?.contractor ?? '');
  };
  const [own, others] = [await pathsOf(ours, lived), await pathsOf(theirs, base)];
  for (const [name, filter] of Object.entries(own)) {
    const [mine, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round < PAGE_ROUNDS; round++) {
      const turns = [
        async () => mine.push(await timed(ours, `/v1/alerts?${filter}`)),
        async () => bare.push(await timed(theirs, `/v1/alerts?${others[name]}`)),
      ];
      for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
    }
    const [our, their] = [figures(mine), figures(bare)];
    const times = our.median / their.median;
    measured({
      what: `first page: ${name}`,
      value: our.median,
      unit: 'ms',
      bare: their.median,
      aim: { of: 'times', most: 1.2 },
    });
    console.log(
      `first page, ${name}: ${our.median.toFixed(2)} ms against ${their.median.toFixed(2)} = ${times.toFixed(2)}`,
    );
  }
  await ours.process.stop();
  await theirs.process.stop();
}

beginBench('long-life');
const product = packed();
const scratch = mkdtempSync(join(tmpdir(), 'muster-long-life-'));
try {
  const lived = await live(product.bin, join(scratch, 'lived'));
  const idle = await Running.start(product.bin, join(scratch, 'idle'));
  await idle.enter();
  await raiseNothing(idle);
  await later(SETTLE_MS);
  const idleMb = idle.process.use().rssMb;
  await idle.process.stop();
  measured({
    what: `RSS after ${ALERTS} raised and resolved alerts`,
    value: lived.rssMb,
    unit: 'MB',
    aim: { of: 'value', most: MOST_MB },
  });
  measured({
    what: 'the same, beside as many requests that raise nothing',
    value: lived.rssMb,
    unit: 'MB',
    bare: idleMb,
    aim: { of: 'times', most: 1.4 },
  });
  console.log(`RSS ${lived.rssMb.toFixed(0)} MB, after as many requests that raise nothing ${idleMb.toFixed(0)} MB`);
  await restarts(product.bin, lived.folder, scratch);
  const base = process.env['LONG_LIFE_BASE'];
  if (base !== undefined)
    await pages(lived, await live(join(resolve(base), 'bin', 'sandbox.js'), join(scratch, 'base')));
} finally {
  product.remove();
  rmSync(scratch, { recursive: true, force: true });
}
printBenchTable();
process.exit(0);
