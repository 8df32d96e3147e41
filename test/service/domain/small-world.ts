/** A small world by hand, and a way to play commands on it without an engine: decide, apply, follow. */

import { frame } from '../../../src/base/geometry/shapes.ts';
import { streams } from '../../../src/base/random/streams.ts';
import { DEFAULT_ASSUMPTIONS } from '../../../src/contract/gaps.ts';
import { DEFAULT_THRESHOLDS } from '../../../src/plant/thresholds.ts';
import { apply } from '../../../src/service/domain/apply.ts';
import { type Change, isRejection, stampAt } from '../../../src/service/domain/changes.ts';
import { type Command, uplinkKey } from '../../../src/service/domain/commands.ts';
import { consequences } from '../../../src/service/domain/consequences.ts';
import { type Decision, decide } from '../../../src/service/domain/decide.ts';
import type { Effect } from '../../../src/service/domain/effects.ts';
import type {
  Alert,
  Client,
  Device,
  EventRecord,
  Site,
  Worker,
  Zone,
} from '../../../src/service/domain/world/documents.ts';
import type { Fix } from '../../../src/service/domain/world/embedded.ts';
import { World } from '../../../src/service/domain/world/world.ts';

export const T0 = Date.UTC(2026, 9, 5, 6);
export const ORIGIN = { latitude: 43.361, longitude: -8.412 };
export const ADDRESSES = { panelUrl: 'http://127.0.0.1:4600/panel' };

export const ORG = '00000000-0000-4000-8000-000000000001';
export const SITE = '00000000-0000-4000-8000-000000000010';

/** A general evacuation of the site, without an origin or a deadline of its own. */
export const START_MUSTER: Extract<Command, { type: 'start-muster' }> = {
  type: 'start-muster',
  siteId: SITE,
  kind: 'general',
  reason: null,
  origin: null,
  deadline: null,
  by: 'Lead',
};

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

export interface Options {
  readonly site?: Partial<Site>;
  readonly client?: Partial<Client>;
}

/** A rectangle as a ring; metres from the origin of the site. */
export const ringOf = ([x1, y1, x2, y2]: readonly [number, number, number, number]) =>
  [
    [x1, y1],
    [x2, y1],
    [x2, y2],
    [x1, y2],
  ] as const;

export class SmallWorld {
  readonly world = new World();
  readonly events: EventRecord[] = [];
  readonly effects: Effect[] = [];
  now = T0;
  /** Silence counts from then at the earliest. */
  serviceStartedAt = 0;
  #uplinks = 0;

  constructor({ site = {}, client = {} }: Options = {}) {
    const { world } = this;
    world.put('organization', { id: ORG, name: 'Harbour Co', technicalContact: 'safety@harbour.example' });
    world.put('client', {
      id: 'harbour_co',
      organizationId: ORG,
      secretHash: '',
      scopes: ['alerts:read', 'alerts:write', 'positions:read', 'musters:read', 'workers:read', 'webhooks:manage'],
      includeWorkerNames: true,
      contractors: null,
      ...client,
    });
    world.put('site', {
      id: SITE,
      organizationId: ORG,
      name: 'Harbour plant',
      location: null,
      privacyMode: 'continuous',
      unveilMinSeverity: 'high',
      origin: ORIGIN,
      boundary: [
        [-500, -500],
        [1000, -500],
        [1000, 1000],
        [-500, 1000],
      ],
      plan: {},
      wind: null,
      thresholds: DEFAULT_THRESHOLDS,
      heatIndexC: null,
      ...site,
    });
    this.zone('Dock', 'work_area', [0, 0, 200, 120]);
    this.zone('Canteen', 'privacy', [270, 150, 300, 180]);
    this.worker(1, 'Ana Ruiz');
    this.worker(2, 'Luis Paz', 'Norte SL');
    this.worker(3, 'Eva Mar');
    this.at(1, 20, 20);
    world.commit();
  }

  zone(name: string, type: Zone['type'], box: readonly [number, number, number, number]): void {
    const ring = ringOf(box);
    const id = uuid(100 + this.world.count('zone'));
    this.world.put('zone', { id, siteId: SITE, name, type, ring, assemblyPoint: null, floors: [] });
  }

  worker(n: number, name: string, contractor: string | null = null): void {
    const [workerId, deviceId] = [uuid(1_000 + n), uuid(2_000 + n)];
    const worker: Worker = {
      id: workerId,
      organizationId: ORG,
      siteId: SITE,
      externalId: `E-${n}`,
      name,
      contractor,
      role: null,
      isActive: true,
      deviceId,
    };
    const device: Device = {
      id: deviceId,
      organizationId: ORG,
      siteId: SITE,
      serial: `SIM-${n}`,
      keyHash: '',
      model: null,
      status: 'active',
      workerId,
      emulated: true,
      batteryLow: false,
      silenceReported: false,
      heatIndexC: null,
      heatAlertedAt: null,
    };
    this.world.put('worker', worker);
    this.world.put('device', device);
  }

  device = (n: number): string => uuid(2_000 + n);
  workerId = (n: number): string => uuid(1_000 + n);

  /** A fix in metres, just reported. */
  fix(x: number, y: number, part: Partial<Fix> = {}): Fix {
    const point = frame(ORIGIN).toDegrees([x, y]);
    return { ...point, uncertaintyM: 3, source: 'gps', height: null, inVehicle: false, at: this.now, ...part };
  }

  at(n: number, x: number, y: number, part: Partial<Fix> = {}): void {
    this.do({ type: 'report-position', deviceId: this.device(n), fixes: [{ ...this.fix(x, y, part), worn: true }] });
  }

  uplink(n: number): { deviceId: string; uplinkId: string; watchTime: number } {
    this.#uplinks += 1;
    return { deviceId: this.device(n), uplinkId: uuid(9_000 + this.#uplinks), watchTime: this.now };
  }

  /** Plays one command as a transaction of its own. */
  do(command: Command): Decision {
    const decision = decide(this.world, command, this.#stamp());
    if (!isRejection(decision)) for (const change of decision.changes) this.#happen(change);
    this.world.commit();
    return decision;
  }

  #stamp() {
    return stampAt(this.now, 'test', DEFAULT_ASSUMPTIONS, this.serviceStartedAt);
  }

  #happen(change: Change): void {
    apply(this.world, change);
    if (change.kind === 'event-occurred') this.events.push(change.record);
    const { changes, effects } = consequences(this.world, change, this.#stamp(), ADDRESSES);
    this.effects.push(...effects);
    for (const further of changes) this.#happen(further);
  }

  alerts(type?: Alert['type']): Alert[] {
    return [...this.world.all('alert')].filter((alert) => type === undefined || alert.type === type);
  }

  /** The one alert of the type. */
  alert(type: Alert['type']): Alert {
    const found = this.alerts(type);
    if (found.length !== 1) throw new Error(`${found.length} alerts of type ${type}`);
    return found[0] as Alert;
  }

  eventTypes(): string[] {
    return this.events.map(({ type }) => type);
  }

  sos(n: number): void {
    this.do({ type: 'report-sos', trigger: 'watch_button', ...this.uplink(n) });
  }

  /** The id of the fall's message, which names its prompt. */
  fall(n: number): string {
    const uplink = this.uplink(n);
    this.do({ type: 'report-fall', ...uplink });
    return uplink.uplinkId;
  }

  /** The prompt of a fall. */
  promptOf(n: number, fallId: string): string {
    return uplinkKey({ deviceId: this.device(n), uplinkId: fallId });
  }

  update(alert: Alert, status: 'acknowledged' | 'resolved', part: { note?: string; reason?: string } = {}): Decision {
    return this.do({
      type: 'update-alert',
      alertId: alert.id,
      status,
      by: 'Customer operator (via integration)',
      actor: 'Desk 2',
      reason: part.reason ?? null,
      note: part.note ?? null,
    });
  }

  subscribe(part: { eventTypes?: readonly string[]; filters?: object } = {}): string {
    const decision = this.do({
      type: 'create-destination',
      organizationId: ORG,
      clientId: 'harbour_co',
      url: 'https://receiver.example/h',
      eventTypes: (part.eventTypes ?? ['alert.*']) as never,
      filters: part.filters ?? {},
      secret: 'whsec_test',
    });
    if (isRejection(decision)) throw new Error(decision.detail);
    return decision.destination?.id as string;
  }
}

export const chance = (seed: string) => streams(seed).stream('test', 'chance');
