/** A random plant of two companies in a real sandbox, and the hand that makes hidden things happen in it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boxRing, type Point } from '../../../src/base/geometry/shapes.ts';
import { type Stream, streams } from '../../../src/base/random/streams.ts';
import type { ActionBody } from '../../../src/contract/actions.ts';
import { SCOPES, type Scope, type ZoneType } from '../../../src/contract/enumerations.ts';
import type { Plan, PlannedSite, PlannedWorker, PlannedZone } from '../../../src/plant/plan.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/start.ts';
import { isRejection } from '../../../src/service/domain/changes.ts';
import { Receiver } from '../../service/webhooks/receiver.ts';

/** `scoped`: no names, one contractor, all scopes. `narrow`: few scopes, and the veil of an on-demand site. */
export const VIEWERS = ['scoped', 'narrow'] as const;
export type ViewerKind = (typeof VIEWERS)[number];

export interface WorldWish {
  readonly seed: number;
  readonly kind: ViewerKind;
  /** The viewer's company stands first in the plan: the control token's scenarios play in it. */
  readonly first: boolean;
}

/** The contractor that the scoped client may see: a name with a comma, as real ones have. */
export const SEEN = 'Acme, Inc.';
export const UNSEEN = ['Hidden & Sons Ltd', 'Ferrallas Ocultas, S.L.'];

/** Words that mark whose a thing is: `Vx` the viewer's, `Fx` another company's; a worker's own say more. */
const MARKS = { own: 'Vx', foreign: 'Fx' } as const;
type Whose = keyof typeof MARKS;

export const COMPANIES = { own: 'Vx Works', foreign: 'Fx Foundry' } as const;
export const RECEIVER_HOST = 'viewer.receiver.example';
const FOREIGN_HOST = 'fx-secret.receiver.example';

export class World {
  readonly sandbox: Sandbox;
  readonly wish: WorldWish;
  readonly scopes: readonly Scope[];
  readonly stream: Stream;
  /** Where the viewer's deliveries arrive. */
  readonly receiver: Receiver;
  /** Where the other company's do. */
  readonly foreignReceiver: Receiver;
  /** For scenario files of a test's own. */
  readonly folder: string;

  private constructor(parts: Pick<World, 'sandbox' | 'wish' | 'scopes' | 'stream' | 'receiver' | 'foreignReceiver'>) {
    this.sandbox = parts.sandbox;
    this.wish = parts.wish;
    this.scopes = parts.scopes;
    this.stream = parts.stream;
    this.receiver = parts.receiver;
    this.foreignReceiver = parts.foreignReceiver;
    this.folder = mkdtempSync(join(tmpdir(), 'one-eye-'));
  }

  static async make(wish: WorldWish): Promise<World> {
    const stream = streams(`one eye ${wish.seed}`).stream('world', wish.kind);
    const scopes = wish.kind === 'scoped' ? SCOPES : fewScopes(stream);
    const [receiver, foreignReceiver] = await Promise.all([Receiver.start(), Receiver.start()]);
    const plan = planOf(wish, stream, scopes);
    const sandbox = await startSandbox({
      plan,
      memory: true,
      port: 0,
      mqttPort: 0,
      dataDir: join(tmpdir(), `one-eye-none-${wish.kind}-${wish.seed}-${process.pid}`),
      seed: `one eye ${wish.seed}`,
      forwards: new Map([
        [RECEIVER_HOST, receiver.url.href],
        [FOREIGN_HOST, foreignReceiver.url.href],
      ]),
    });
    const world = new World({ sandbox, wish, scopes, stream, receiver, foreignReceiver });
    for (const { id } of [...sandbox.engine.world.all('client')])
      sandbox.limiter.setLimits(id, { requestsPerMinute: 1e9, querySecondsPerMinute: 1e9 });
    return world;
  }

  get ownClient() {
    return this.sandbox.ready.clients.find(({ organization }) => organization === COMPANIES.own)!;
  }

  get foreignClient() {
    return this.sandbox.ready.clients.find(({ organization }) => organization === COMPANIES.foreign)!;
  }

  async stop(): Promise<void> {
    await this.sandbox.stop();
    await Promise.all([this.receiver.close(), this.foreignReceiver.close()]);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** As the control token does it; what the state refuses did not happen. */
  async control(body: ActionBody): Promise<void> {
    await this.sandbox.act(body);
  }

  async token(client: { client_id: string; client_secret: string }): Promise<string> {
    const { client_id, client_secret } = client;
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    const answer = await fetch(`${this.sandbox.ready.api_url}/v1/oauth/token`, { method: 'POST', body });
    return ((await answer.json()) as { access_token: string }).access_token;
  }

  /** The other company has alerts, a muster and a destination; hidden people of the viewer's own company have alerts. */
  async makeHiddenThings(): Promise<void> {
    const { sandbox, stream } = this;
    const foreign = await this.token(this.foreignClient);
    await fetch(`${sandbox.ready.api_url}/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${foreign}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: `https://${FOREIGN_HOST}/fx-hook`, event_types: ['alert.*', 'muster.*'] }),
    });
    for (const { serial } of stream.shuffle(this.#watches('foreign')).slice(0, 3))
      await this.control({ action: 'sos', who: serial });
    await this.control({ action: 'start_muster', site: 'Fx site', kind: 'general', by: 'Fx lead', reason: 'Fx smoke' });
    await this.hiddenTurn();
  }

  /** Something happens to people of the viewer's company whom it may not see, or not name, or not place. */
  async hiddenTurn(): Promise<void> {
    const { stream } = this;
    const watches = stream.shuffle(this.#watches('own')).slice(0, 4);
    for (const { serial } of watches) {
      const action = stream.pick(['sos', 'fall', 'call_request', 'enter', 'position'] as const);
      if (action === 'enter')
        await this.control({ action, who: serial, zone: stream.pick(['Vx canteen', 'Vx tanks', 'Vx pit']) });
      else if (action === 'position')
        await this.control({ action, who: serial, at: somewhere(stream) as [number, number] });
      else await this.control({ action, who: serial });
    }
  }

  /** A scenario of the control token in the first company, whose failure tells of people by name. */
  async playHiddenScenario(): Promise<void> {
    const file = join(this.folder, 'hidden.scenario.yaml');
    writeFileSync(file, HIDDEN_SCENARIO);
    const [client] = this.sandbox.engine.world.all('client');
    const started = this.sandbox.runs.start('hidden', file, client!, { viewer: null });
    if (isRejection(started)) throw new Error(started.detail);
    await started.joined;
    await this.sandbox.clock.advance(20_000);
    await started.over;
  }

  #watches(whose: Whose) {
    return [...this.sandbox.engine.world.all('device')].filter(({ serial }) => serial.startsWith(`${MARKS[whose]}-SN`));
  }
}

const HIDDEN_SCENARIO = `scenario: Reported to the control token only
modes: [real, scaled]
site:
  name: Guest plant
  origin: [43.3, -8.4]
  zones: {Dock: {type: work_area, box: [0, 0, 200, 120]}}
workers: {ana: {in: Dock, name: Xenia Oculta Gx, external_id: GX-OCULTA, contractor: "${UNSEEN[0]}"}}
steps:
  - sos: {who: ana}
  - expect: {alert: sos, of: ana, status: resolved, title: nothing like it, worker: {external_id: nobody}}
    within: 1s
`;

function fewScopes(stream: Stream): Scope[] {
  const kept = new Set(stream.shuffle(SCOPES).slice(0, stream.int(1, 3)));
  return SCOPES.filter((scope) => kept.has(scope));
}

function planOf({ kind, first }: WorldWish, stream: Stream, scopes: readonly Scope[]): Plan {
  const contract = {
    includeWorkerNames: kind === 'scoped' ? false : stream.chance(0.5),
    scopes,
    contractors: kind === 'scoped' ? [SEEN] : null,
    technicalContact: 'ops@vx.example',
  };
  const mode = kind === 'narrow' || stream.chance(0.5) ? 'on_demand' : 'continuous';
  const own = { name: COMPANIES.own, contract, sites: [siteOf('own', mode, stream, 12)] };
  const foreign = {
    name: COMPANIES.foreign,
    contract: { includeWorkerNames: true, scopes: SCOPES, contractors: null, technicalContact: 'ops@fx.example' },
    sites: [siteOf('foreign', 'continuous', stream, 5)],
  };
  return { organizations: first ? [own, foreign] : [foreign, own] };
}

/** Metres with many digits, so that a place is distinct from all others. */
const somewhere = (stream: Stream): Point => [round(stream.float() * 380 + 10), round(stream.float() * 280 + 10)];
const round = (metres: number): number => Math.round(metres * 1e4) / 1e4;

function siteOf(whose: Whose, privacyMode: PlannedSite['privacyMode'], stream: Stream, people: number): PlannedSite {
  const mark = MARKS[whose];
  const zone = (
    name: string,
    type: ZoneType,
    ring: readonly Point[],
    extra: Partial<PlannedZone> = {},
  ): PlannedZone => ({ name: `${mark} ${name}`, type, ring, assemblyPoint: null, floors: [], doors: [], ...extra });
  const point = {
    serves: ['general', 'tsunami', 'earthquake'],
    elevationM: 10,
    elevationSource: 'dem',
    vertical: false,
  } as const;
  const uneven = stream.float();
  return {
    name: `${mark} site`,
    location: null,
    privacyMode,
    unveilMinSeverity: whose === 'own' ? stream.pick(['high', 'critical']) : 'high',
    origin: { latitude: 43 + stream.float() / 10, longitude: -8 - stream.float() / 10 },
    boundary: null,
    plan: { general: 900_000 },
    service: {},
    zones: [
      zone('yard', 'work_area', boxRing(0, 0, 400, 300)),
      zone('tanks', 'restricted', boxRing(300, 200, 380, 280)),
      zone('pit', 'forbidden', boxRing(20, 200, 100, 280)),
      zone('canteen', 'privacy', boxRing(150.5 + uneven, 100.5 + uneven, 250.5 + uneven, 180.5 + uneven)),
      zone('gate', 'assembly_point', boxRing(-60, 0, -20, 40), {
        assemblyPoint: { ...point, capacity: null, minHeightM: null },
      }),
    ],
    workers: Array.from({ length: people }, (_, n) => workerOf(whose, n, stream)),
    vehicles: [],
    permits: [],
  };
}

function workerOf(whose: Whose, n: number, stream: Stream): PlannedWorker {
  const mark = MARKS[whose];
  const contractor = whose === 'foreign' ? UNSEEN[1]! : ([SEEN, UNSEEN[0]!, null] as const)[n % 3]!;
  return {
    // A person without a staff number must not be named instead.
    externalId: n === 3 ? null : `${mark}-EXT-${n}`,
    name: `Josep Núñez ${mark}${'abcdefghijklmnop'[n]} Dávila`,
    contractor: contractor ?? null,
    role: null,
    watch: { serial: `${mark}-SN-${n}`, model: null, emulated: n !== 5 },
    at: somewhere(stream),
    zone: `${mark} yard`,
    worn: 'on',
    batteryPct: 90,
    pace: 1.4,
    behave: 'scripted',
  };
}
