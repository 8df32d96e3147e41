/** A stage as small as a scenario needs: a real HTTP server that answers the runner, and notices that a test sets on the clock. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, LANE } from '../../src/base/time/clock.ts';
import { scaledClock } from '../../src/base/time/clocks.ts';
import { formatInstant } from '../../src/base/time/instants.ts';
import { type AlertType, type EventType, SCOPES } from '../../src/contract/enumerations.ts';
import type { Event } from '../../src/contract/events.ts';
import type { AttemptNotice, Notice } from '../../src/contract/notices.ts';
import type { Alert, Muster } from '../../src/contract/resources.ts';
import type { Looks } from '../../src/scenario/judging/looks.ts';
import type { RunNotice } from '../../src/scenario/log/run-notices.ts';
import type { Boot, BootRequest } from '../../src/scenario/playing/ports.ts';
import { FAST_START, type RunResult, runFile } from '../../src/scenario/playing/run-file.ts';
import type { RunOptions } from '../../src/scenario/playing/run-options.ts';
import { loadScenario } from '../../src/scenario/reading/load.ts';
import { SAMPLES } from '../contract/samples.ts';

export const SITE = `part: Small plant
site:
  name: Small plant
  origin: [43.3, -8.4]
  zones:
    Dock: {type: work_area, box: [0, 0, 200, 120]}
    Gate: {type: assembly_point, box: [-40, 0, -20, 20], serves: [general]}
`;

const HEAD = `scenario: A small scenario
use: [site.yaml]
seed: 7
workers: {ana: {in: Dock}, luis: {in: Dock}}
receivers: {erp: {events: [alert.*]}}
steps:`;

/** The text of a scenario with these steps, each entry a line or several. */
export const scenarioOf = (steps: readonly string[], rest: readonly string[] = []): string =>
  [HEAD, ...steps.map((step) => `  - ${step}`), ...rest].join('\n');

/** Files of a test by name. */
export const filesOf =
  (files: Readonly<Record<string, string>>) =>
  (path: string): string | undefined =>
    ({ 'site.yaml': SITE, ...files })[path];

/** The mistakes of a file as text. */
export function mistakesTextOf(text: string, files: Readonly<Record<string, string>> = {}): string {
  const loaded = loadScenario('x.scenario.yaml', { read: filesOf({ 'x.scenario.yaml': text, ...files }) });
  return loaded.ok ? '' : loaded.text;
}

export interface ActionCall {
  readonly action: string;
  readonly [field: string]: unknown;
}

/** The scripted world in which a scenario plays. */
export class SmallWorld {
  readonly actions: ActionCall[] = [];
  readonly destinations: unknown[] = [];
  readonly updates: { id: string; body: unknown }[] = [];
  /** Status and body for an action or update; what it does to the world happens before the answer. */
  onAction: (call: ActionCall) => { status: number; body?: unknown } = () => ({ status: 200, body: {} });
  /** Answers to the queries of checks. */
  readonly look: { -readonly [K in keyof Looks]: Looks[K] } = {
    undelivered: () => new Set(),
    house: { mayName: () => true, asSeen: (_company, noticed) => noticed, namesOf: () => [], places: () => [] },
    alert: (noticed) => noticed,
    muster: (noticed) => noticed,
    destination: (noticed) => noticed,
    missing: () => [],
    worker: () => null,
    device: () => null,
    position: () => null,
    watch: () => null,
  };
  /** Alters events, as a broken service would. */
  doctor: (event: Event) => Event = (event) => event;
  onDestination: () => { status: number; body: unknown } = () => ({ status: 201, body: { secret: 'whsec_small' } });
  readonly clock: Clock;
  readonly #start: number;
  readonly #listeners = new Set<(notice: Notice) => void>();
  readonly #alerts = new Map<string, Alert>();
  readonly #musters = new Map<string, Muster>();
  #events = 0;

  constructor(clock: Clock) {
    this.clock = clock;
    this.#start = clock.now();
  }

  /** Schedules a task, ms after the start. */
  at(ms: number, task: () => void): void {
    this.clock.at(this.#start + ms, { lane: LANE.event, actor: 'world' }, task);
  }

  /** An alert is raised or changes; an event goes with it where one is named. */
  alert(id: string, fields: Partial<Alert> & { of?: string }, event?: EventType): void {
    const { of = 'ana', ...own } = fields;
    const before = this.#alerts.get(id) ?? (fresh(id, own.type ?? 'sos', of) as unknown as Alert);
    const alert = { ...before, ...own } as Alert;
    this.#alerts.set(id, alert);
    this.emit({ kind: 'alert-changed', at: this.#now(), organization_id: 'o', alert });
    if (event !== undefined) this.event(event, id);
  }

  event(type: EventType, alertId: string): string {
    const id = `event-${++this.#events}`;
    const alert = this.#alerts.get(alertId) as Alert;
    const event = { ...SAMPLES['AlertEvent'], id, type, data: { alert }, created_at: this.#now() } as never;
    this.emit({ kind: 'event-occurred', at: this.#now(), listed: true, event: this.doctor(event) });
    return id;
  }

  /** A muster begins or changes; an event goes with it where one is named. */
  muster(id: string, fields: Partial<Muster> = {}, event?: EventType): void {
    const before = this.#musters.get(id) ?? ({ ...SAMPLES['Muster'], id, status: 'active' } as unknown as Muster);
    const muster = { ...before, ...fields } as Muster;
    this.#musters.set(id, muster);
    this.emit({ kind: 'muster-changed', at: this.#now(), organization_id: 'o', muster });
    if (event === undefined) return;
    const reported = { ...SAMPLES['MusterEvent'], id: `event-${++this.#events}`, type: event, data: { muster } };
    this.emit({
      kind: 'event-occurred',
      at: this.#now(),
      listed: true,
      event: { ...reported, created_at: this.#now() } as never,
    });
  }

  /** An attempt to deliver the event to the receiver. */
  attempt(receiver: string, eventId: string, alertId: string, fields: Partial<AttemptNotice> = {}): void {
    this.emit({
      kind: 'delivery-attempted',
      at: this.#now(),
      delivery_id: `${receiver}/${eventId}`,
      event_id: eventId,
      event_type: 'alert.created',
      object_id: alertId,
      destination_id: 'd',
      url: `https://${receiver}.receiver.example/`,
      try: 1,
      offset_ms: 0,
      result: 'delivered',
      status: 204,
      error: null,
      signatures: 1,
      took_ms: 3,
      ...fields,
    });
  }

  onNotice(listener: (notice: Notice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #now(): string {
    return formatInstant(this.clock.now());
  }

  emit(notice: Notice): void {
    for (const listener of [...this.#listeners]) listener(notice);
  }
}

export const workerIdOf = (externalId: string): string => `worker-${externalId}`;

const fresh = (id: string, type: AlertType, of: string) => ({
  ...SAMPLES['Alert'],
  id,
  type,
  status: 'unacknowledged',
  resolved: null,
  acknowledged: null,
  worker_acknowledged_at: null,
  nearby: [],
  worker: { id: workerIdOf(of), external_id: of, contractor: null },
});

/** Boots the small stage with a scripted world. */
export const bootSmall =
  (script: (world: SmallWorld, request: BootRequest) => void): Boot =>
  async (request) => {
    const world = new SmallWorld(request.clock);
    script(world, request);
    const server = createServer((request, answer) => void answerOf(world, request, answer));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      mqttUrl: 'mqtt://127.0.0.1:1',
      dataDir: null,
      controlToken: 'control',
      clients: [{ organization: 'customer', organizationId: 'o', clientId: 'customer', clientSecret: 'secret' }],
      onNotice: (listener) => world.onNotice(listener),
      onFix: () => () => {},
      onSeen: () => () => {},
      truth: () => [],
      coverage: () => null,
      look: world.look,
      park: () => null,
      workerId: workerIdOf,
      stop: () => closed(server),
    };
  };

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function answerOf(world: SmallWorld, request: IncomingMessage, answer: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const { status, body } = routed(world, request.method ?? '', request.url ?? '', text);
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
}

function routed(world: SmallWorld, method: string, url: string, text: string): { status: number; body?: unknown } {
  if (url === '/v1/oauth/token') return { status: 200, body: { access_token: 'token', scope: SCOPES.join(' ') } };
  if (url === '/v1/sites') return { status: 200, body: { data: [{ id: 'site-1', name: 'Small plant' }] } };
  if (url === '/v1/webhooks') {
    world.destinations.push(JSON.parse(text));
    return world.onDestination();
  }
  if (url === '/v1/sandbox/actions') {
    const call = JSON.parse(text) as ActionCall;
    world.actions.push(call);
    return world.onAction(call);
  }
  const [, id] = /^\/v1\/alerts\/(.+)$/.exec(url) ?? [];
  if (method !== 'PATCH' || id === undefined) return { status: 404, body: { detail: `${method} ${url}` } };
  const body = JSON.parse(text) as { status: string };
  world.updates.push({ id, body });
  return world.onAction({ action: body.status, id });
}

export interface SmallRun {
  readonly result: RunResult;
  readonly world: SmallWorld;
  readonly notices: readonly RunNotice[];
  /** `line result at waited`, one for each check. */
  readonly results: readonly string[];
}

type Script = (world: SmallWorld, request: BootRequest) => void;

/** Plays a scenario in a small world. */
export async function playSmall(
  text: string,
  script: Script = () => {},
  options: Partial<RunOptions> = {},
): Promise<SmallRun> {
  let world: SmallWorld | null = null;
  const notices: RunNotice[] = [];
  const boot = bootSmall((made, request) => {
    world = made;
    script(made, request);
  });
  const read = filesOf({ 'small.scenario.yaml': text });
  const sink = (notice: RunNotice) => void notices.push(notice);
  const result = await runFile('small.scenario.yaml', { mode: 'fast', boot, sink, read, ...options });
  if (result.exitCode === 2) throw new Error(result.mistakes ?? result.error?.message);
  const results = notices.flatMap((notice) => {
    if (notice.kind !== 'expectation-passed' && notice.kind !== 'expectation-failed') return [];
    const { line, atMs, waitedMs } = notice;
    return [`${line} ${notice.kind === 'expectation-passed' ? 'passed' : 'failed'} at ${atMs} waited ${waitedMs}`];
  });
  return { result, world: world as unknown as SmallWorld, notices, results };
}

/** Options of a run in a running sandbox, whose time is live. */
export const live = (speed: number) => ({
  mode: 'scaled' as const,
  speed,
  clock: scaledClock({ speed, start: FAST_START }),
});

/** Plays steps, the first of them on line 7. */
export const playSteps = (
  steps: readonly string[],
  script?: Script,
  options?: Partial<RunOptions>,
): Promise<SmallRun> => playSmall(scenarioOf(steps), script, options);
