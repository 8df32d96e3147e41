/**
 * The pictures of the README: a sandbox of its own, in lock-step, in which an earthquake becomes a tsunami; the dashboard's
 * frame of a good moment as SVG, and the muster's page in a browser. Equal runs give an equal frame: `npm run picture`.
 */
import { statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { Clock } from '../src/base/time/clock.ts';
import { lockstepClock } from '../src/base/time/clocks.ts';
import { formatInstant, parseInstant } from '../src/base/time/instants.ts';
import type { ActionBody } from '../src/contract/actions.ts';
import type { StreamChange, StreamSnapshot } from '../src/contract/stream.ts';
import { EventReader } from '../src/dashboard/stream.ts';
import { theme } from '../src/dashboard/terminal/theme.ts';
import { firstView } from '../src/dashboard/view.ts';
import { type Sandbox, startSandbox } from '../src/sandbox/start.ts';
import { ChangeLog } from '../src/service/api/stream/change-log.ts';
import { StreamProjection } from '../src/service/api/stream/stream-projection.ts';
import { Subscriber } from '../src/service/api/stream/subscriber.ts';
import { afterChange, afterSnapshot, EMPTY_STATE, type StreamState } from '../src/watching/state/state.ts';
import { glassOf } from '../test/dashboard/drawn.ts';
import type { Glass } from '../test/dashboard/glass.ts';
import { CHROMIUM, launch, open } from '../test/service/panel/chromium.ts';
import { svgOf } from './picture-svg.ts';

const FILE = resolve(import.meta.dirname, '../docs/dashboard.svg');
const PANEL_FILE = resolve(import.meta.dirname, '../docs/panel.png');
const START = parseInstant('2026-10-05T06:00:00.000Z') as number;
const SIZE = { columns: 120, rows: 40 };
/** On three sites; some 210 on the first. */
const WATCHES = 388;
const SITE = 'Terminal Puerto Alerce';
const BY = 'M. Vidal';

/** Minutes and seconds of the scenario, and what is done then. */
const SCENARIO: readonly (readonly [at: string, body: ActionBody])[] = [
  ['0:20', { action: 'battery', who: 'W-021', pct: 9 }],
  ['0:30', { action: 'hazard', kind: 'earthquake', site: SITE, magnitude: 7.1, distance_km: 80, felt_at_site: true }],
  ['0:40', { action: 'start_muster', kind: 'general', site: SITE, reason: 'Strong shaking', by: BY }],
  ['1:40', { action: 'hazard', kind: 'tsunami_risk', site: SITE, official: true, eta: '25m' }],
  ['1:45', { action: 'change_kind', to: 'tsunami', deadline: '20m', deadline_source: 'official', by: BY }],
  ['2:10', { action: 'signal', who: ['W-088', 'W-150', 'W-151'], is: 'lost' }],
  ['3:05', { action: 'cannot_evacuate', who: 'W-042', reason: 'trapped' }],
  ['4:30', { action: 'sos', who: 'W-117' }],
  ['5:20', { action: 'exclude_point', point: 'Control Tower', reason: 'Cracks in the stairs', by: BY }],
  ['14:20', { action: 'acknowledge', alert: '$help', by: BY, via: 'panel' }],
];
/** Most are on their way, and more than half are safe; simulated. */
const UNTIL_S = 15 * 60;

/** Nothing flashes any more; monotonic ms. */
const SEEN_AT = 60_000;

/** From then on one of the two receivers is down. */
const DOWN_S = 14 * 60;

/** Receivers as integrators have them. */
async function receiver(status: () => number): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status()).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Messages of a stream, delivered when the picture asks for them and not by the wall clock. */
class Watching {
  world: StreamState = EMPTY_STATE;
  readonly #reader = new EventReader();
  #due: (() => void)[] = [];

  constructor({ engine, clock, ready }: Sandbox) {
    const log = new ChangeLog(engine, clock);
    const look = () => ({ viewer: null, scopes: [] });
    const projection = new StreamProjection(engine.world, { panelUrl: ready.panel_url }, look, { log });
    const afterWall = (_ms: number, task: () => void) => {
      this.#due.push(task);
      return () => {
        this.#due = this.#due.filter((one) => one !== task);
      };
    };
    const byHand = { now: () => clock.now(), state: () => ({ ...clock.state(), speed: 1, paused: false }), afterWall };
    const sink = { write: (text: string) => this.#take(text), onDrain: () => {} };
    new Subscriber(log, projection, byHand as unknown as Clock, sink).begin(null);
  }

  /** All that is new. */
  look(): void {
    for (const task of this.#due.splice(0)) task();
  }

  #take(text: string): true {
    for (const { event, data } of this.#reader.take(text)) {
      if (event === 'snapshot') this.world = afterSnapshot(this.world, JSON.parse(data) as StreamSnapshot, 0);
      else this.world = afterChange(this.world, timeless(JSON.parse(data) as StreamChange), 0);
    }
    return true;
  }
}

/** How long an answer took is wall time, and another one at each run. */
const timeless = (change: StreamChange): StreamChange =>
  'delivery' in change ? { ...change, delivery: { ...change.delivery, took_ms: null } } : change;

async function play(sandbox: Sandbox): Promise<StreamState> {
  const { clock } = sandbox;
  const watching = new Watching(sandbox);
  const steps = [...SCENARIO];
  const due = ([at]: (typeof SCENARIO)[number]): number => {
    const [minutes = 0, seconds = 0] = at.split(':').map(Number);
    return minutes * 60 + seconds;
  };
  for (let second = 0; second <= UNTIL_S; second += 1) {
    for (let next = steps[0]; next !== undefined && due(next) <= second; next = steps[0]) {
      steps.shift();
      await perform(sandbox, next[1], watching.world);
    }
    await clock.advance(1_000);
    watching.look();
  }
  const { now } = clock.state();
  return { ...watching.world, clock: { now: formatInstant(now), speed: 1, paused: false }, clockReceivedAt: SEEN_AT };
}

async function perform(sandbox: Sandbox, body: ActionBody, { alerts }: StreamState): Promise<void> {
  const help = [...alerts.values()].find(({ type }) => type === 'evacuation_help')?.id;
  const outcome = await sandbox.act(JSON.parse(JSON.stringify(body).replace('$help', help ?? '')) as ActionBody);
  if (!('answer' in outcome)) throw new Error(`${body.action}: ${JSON.stringify(outcome)}`);
}

async function register(sandbox: Sandbox, url: string): Promise<void> {
  const [client] = sandbox.ready.clients;
  const form = { grant_type: 'client_credentials', client_id: client!.client_id, client_secret: client!.client_secret };
  const issued = await fetch(`${sandbox.ready.api_url}/v1/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  const { access_token } = (await issued.json()) as { access_token: string };
  const made = await fetch(`${sandbox.ready.api_url}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, event_types: ['alert.*', 'muster.*'] }),
  });
  if (!made.ok) throw new Error(await made.text());
}

/** The muster's page at the same moment, as a browser shows it. */
async function panelPicture({ ready, engine }: Sandbox): Promise<void> {
  if (CHROMIUM === '') return console.log('no Chromium here: the picture of the panel stays as it is');
  const [muster] = [...engine.world.all('muster')];
  const browser = await launch();
  const look = { token: ready.control_token, viewport: { width: 1280, height: 960 }, colorScheme: 'light' as const };
  const { page } = await open(browser, ready.api_url, `/panel/musters/${muster?.id}`, look);
  await page.screenshot({ path: PANEL_FILE });
  await browser.close();
  console.log(`${PANEL_FILE}: ${(statSync(PANEL_FILE).size / 1024).toFixed(0)} KB`);
}

async function picture(): Promise<Glass> {
  const clock = lockstepClock({ start: START });
  const receiving = await receiver(() => 204);
  const fails = await receiver(() => (clock.now() < START + DOWN_S * 1_000 ? 204 : 503));
  const sandbox = await startSandbox({
    memory: true,
    port: 0,
    mqttPort: 0,
    seed: '7',
    watches: WATCHES,
    clock,
    forwards: new Map([
      ['erp.example', addressOf(receiving)],
      ['pager.example', addressOf(fails)],
    ]),
  });
  await register(sandbox, 'https://erp.example/hook');
  await register(sandbox, 'https://pager.example/alarms');
  const world = await play(sandbox);
  const view = { ...firstView({ theme: 'dark', ascii: false, operator: BY }), pane: 'people' as const };
  await panelPicture(sandbox);
  const sheet = await glassOf({ world, view, connection: { is: 'open' }, at: SEEN_AT }, SIZE, theme('dark'));
  await sandbox.stop();
  for (const server of [receiving, fails]) server.close();
  return sheet;
}

const glass = await picture();
console.log(glass.text);
const svg = svgOf(glass, 'The dashboard in a tsunami muster: map, counters, who is missing, alerts and webhooks');
writeFileSync(FILE, svg);
console.log(`${FILE}: ${(svg.length / 1024).toFixed(0)} KB`);
process.exit(0);
