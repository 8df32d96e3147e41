/** A random world of one company with a continuous and an on-demand site, and random moments in it: reports, alerts, musters, requests, contracts, time. */

import type { Stream } from '../../src/base/random/streams.ts';
import type { Clock } from '../../src/base/time/clock.ts';
import { lockstepClock } from '../../src/base/time/clocks.ts';
import { SCOPES, type Scope, SEVERITIES } from '../../src/contract/enumerations.ts';
import type { Command } from '../../src/service/domain/commands.ts';
import { KINDS, type Site } from '../../src/service/domain/world/documents.ts';
import { World } from '../../src/service/domain/world/world.ts';
import { openSqliteStore } from '../../src/service/store/sqlite/store.ts';
import { ApiHarness } from '../service/api/harness.ts';
import { chance, ORG, ringOf, SITE, T0 } from '../service/domain/small-world.ts';

/** The on-demand site. */
export const VEILED = '00000000-0000-4000-8000-000000000011';
const SITES = [SITE, VEILED] as const;
const CONTRACTORS = [null, 'Norte SL', 'Sur SL'] as const;
const PEOPLE = 14;
const MINUTE = 60_000;

/** Ids of the assembly points, by site. */
const POINTS: Readonly<Record<string, string>> = {
  [SITE]: '00000000-0000-4000-8000-00000000a001',
  [VEILED]: '00000000-0000-4000-8000-00000000a002',
};

export class SurfaceWorld {
  harness: ApiHarness;
  readonly random: Stream;
  clock: Clock;
  #uplinks = 0;
  /** When the contract changed last; simulated ms since the epoch. */
  contractAt = 0;
  /** When the newest unveil request ends, if time is to pass until then. */
  #until: number | null = null;

  private constructor(harness: ApiHarness, random: Stream, clock: Clock) {
    this.harness = harness;
    this.random = random;
    this.clock = clock;
  }

  static async make(seed: string): Promise<SurfaceWorld> {
    const random = chance(seed);
    const clock = lockstepClock({ start: T0 });
    clock.pause();
    const store = await openSqliteStore({ file: ':memory:' });
    const contractors = random.pick([null, ['Norte SL'], ['Norte SL', 'Sur SL']]);
    const harness = await ApiHarness.start({
      clock,
      store,
      client: { includeWorkerNames: random.chance(0.5), contractors },
      site: { plan: { general: 10 * MINUTE } },
    });
    const made = new SurfaceWorld(harness, random, clock);
    made.#furnish();
    for (let count = 0; count < 6; count++) await made.moves();
    await harness.engine.flush();
    return made;
  }

  get world() {
    return this.harness.engine.world;
  }

  /** A new engine with the documents as they are stored, as after a restart; open streams are gone. */
  async restart(): Promise<void> {
    const { store } = this.harness;
    const world = new World();
    for (const kind of KINDS)
      for (const document of this.world.all(kind)) world.load(kind, JSON.parse(JSON.stringify(document)));
    await this.harness.stop();
    const now = this.clock.now();
    const clock = lockstepClock({ start: now });
    clock.pause();
    this.clock = clock;
    this.harness = await ApiHarness.start({ clock, store, world });
    this.harness.small.now = now;
  }

  async stop(): Promise<void> {
    await this.harness.stop();
    await this.harness.store.close();
  }

  #furnish(): void {
    const { small } = this.harness;
    const { world } = small;
    const site = world.need('site', SITE);
    world.put('site', {
      ...site,
      ...({ id: VEILED, name: 'Veiled plant', privacyMode: 'on_demand' } satisfies Partial<Site>),
      unveilMinSeverity: this.random.pick(SEVERITIES),
    });
    for (const siteId of SITES) {
      const ring = ringOf([300, 0, 360, 60]);
      const serves = ['general', 'tsunami', 'earthquake'] as const;
      const assemblyPoint = {
        serves,
        elevationM: null,
        elevationSource: null,
        vertical: false,
        capacity: null,
        minHeightM: null,
      };
      const name = `Point of ${siteId === SITE ? 'Harbour' : 'Veiled'}`;
      const id = POINTS[siteId] as string;
      world.put('zone', { id, siteId, name, type: 'assembly_point', ring, assemblyPoint, floors: [] });
    }
    for (let n = 10; n < 10 + PEOPLE; n++) {
      small.worker(n, `Given${n} Family${n}`, this.random.pick(CONTRACTORS));
      if (n % 2 === 0) continue;
      world.put('worker', { ...world.need('worker', small.workerId(n)), siteId: VEILED });
      world.put('device', { ...world.need('device', small.device(n)), siteId: VEILED });
    }
    world.commit();
  }

  /** One random thing happens, or time passes. True: time alone may have changed what is visible. */
  async moment(): Promise<boolean> {
    const before = this.clock.now();
    await this.#moment();
    return this.clock.now() - before >= MINUTE;
  }

  /** Somebody reports, a millisecond later. */
  async touch(): Promise<void> {
    await this.clock.advance(1);
    this.harness.small.now = this.clock.now();
    return this.moves();
  }

  async #moment(): Promise<void> {
    const { random } = this;
    const until = this.#until;
    this.#until = null;
    if (until !== null) return this.clock.advance(Math.max(1, until - this.clock.now() + random.int(-1, 2)));
    this.harness.small.now = this.clock.now();
    const what = random.pick([
      ...(['moves', 'moves', 'moves', 'moves', 'alarms', 'alarms', 'helps', 'helps', 'acts', 'acts'] as const),
      ...(['musters', 'musters', 'steers', 'unveils', 'unveils', 'contract', 'privacy', 'worker'] as const),
      ...(['moment', 'minutes', 'minutes', 'quarter', 'quarter', 'hour'] as const),
    ]);
    switch (what) {
      case 'moves':
        return this.moves();
      case 'alarms':
        return this.#alarms();
      case 'helps': {
        const reason = random.pick(['trapped', 'injured', 'helping', null] as const);
        return this.#do({ type: 'report-help', reason, ...this.#uplink(this.#person()) });
      }
      case 'acts':
        return this.acts();
      case 'musters':
        return this.#musters();
      case 'steers':
        return this.#steers();
      case 'unveils': {
        const until = this.clock.now() + random.int(1, 5) * MINUTE;
        // With a new position: one that is too old would hide first.
        const { workerId, deviceId } = this.#veiledPerson();
        const fix = { ...this.harness.small.fix(100, 100), worn: true };
        await this.#do({ type: 'report-position', deviceId, fixes: [fix] } as Command);
        // The next moment is often the one in which the request ends.
        if (random.chance(0.6)) this.#until = until;
        return this.#do({ type: 'unveil', workerId, by: 'Desk', until });
      }
      case 'contract':
        return this.#contract();
      case 'privacy': {
        const mode = random.pick(['continuous', 'on_demand'] as const);
        const [siteId, unveilMinSeverity] = [random.pick(SITES), random.pick(SEVERITIES)];
        return this.#do({ type: 'change-privacy', siteId, mode, unveilMinSeverity } as Command);
      }
      case 'worker': {
        const contractor = random.pick(CONTRACTORS);
        return this.#do({ type: 'change-worker', workerId: this.#person().workerId, contractor } as Command);
      }
      case 'moment':
        return this.clock.advance(random.int(1, 5_000));
      case 'minutes':
        return this.clock.advance(random.int(1, 4) * MINUTE);
      // Positions become too old in between.
      case 'quarter':
        return this.clock.advance(15 * MINUTE + random.int(-1, 2));
      case 'hour':
        return random.chance(0.3) ? this.clock.advance(random.int(20, 60) * MINUTE) : undefined;
    }
  }

  /** Many need help at once; with a muster of each site, in some worlds of one site. */
  async emergency(): Promise<void> {
    const { random } = this;
    this.harness.small.now = this.clock.now();
    for (const _ of SITES) if (random.chance(0.9)) await this.#musters();
    for (let count = 0; count < 24; count++) {
      const reason = random.pick(['trapped', 'injured', 'helping', null] as const);
      if (random.chance(0.5)) await this.#alarms();
      else await this.#do({ type: 'report-help', reason, ...this.#uplink(this.#person()) });
      await this.clock.advance(random.int(0, 20_000));
      if (random.chance(0.3)) await this.acts();
    }
    await this.clock.advance(5_000);
  }

  async endMusters(): Promise<void> {
    for (const { id: musterId } of [...this.world.indexes.activeMusters()])
      await this.#do({ type: 'end-muster', musterId, outcome: 'completed', by: 'Lead' } as Command);
  }

  #person() {
    const n = this.random.int(10, 9 + PEOPLE);
    const { small } = this.harness;
    return { n, workerId: small.workerId(n), deviceId: small.device(n) };
  }

  /** Of a site where there is a veil to lift, if one has it. */
  #veiledPerson(): { readonly workerId: string; readonly deviceId: string } {
    const { world } = this;
    const isVeiled = (siteId: string): boolean =>
      world.need('site', siteId).privacyMode === 'on_demand' && world.indexes.activeMuster(siteId) === undefined;
    const people = [...world.all('worker')].filter(({ siteId, deviceId }) => deviceId !== null && isVeiled(siteId));
    if (people.length === 0) return this.#person();
    const { id, deviceId } = this.random.pick(people);
    return { workerId: id, deviceId: deviceId ?? '' };
  }

  #uplink({ deviceId }: { deviceId: string }) {
    this.#uplinks += 1;
    const uplinkId = `00000000-0000-4000-8000-${String(500_000 + this.#uplinks).padStart(12, '0')}`;
    return { deviceId, uplinkId, watchTime: this.clock.now() };
  }

  /** Watches report positions. */
  async moves(): Promise<void> {
    const { random } = this;
    const { small } = this.harness;
    for (let count = random.int(1, 6); count > 0; count--) {
      const { deviceId } = this.#person();
      // One in three is at the assembly point, one in five outside of the site.
      const place = random.float();
      const [x, y] =
        place < 0.3 ? [330, 30] : place < 0.5 ? [1_200, 900] : [random.float() * 400, random.float() * 300];
      const at = this.clock.now() - (random.chance(0.2) ? random.int(0, 4) * MINUTE : 0);
      const fix = small.fix(x, y, { uncertaintyM: random.pick([null, 3, 15]), inVehicle: random.chance(0.2), at });
      const worn = random.pick([true, true, true, false, null]);
      await this.#do({ type: 'report-position', deviceId, fixes: [{ ...fix, worn }] } as Command);
    }
  }

  #alarms(): Promise<void> {
    const { random } = this;
    const person = this.#person();
    const uplink = this.#uplink(person);
    switch (random.pick(['sos', 'fall', 'battery', 'call', 'panel'])) {
      case 'sos':
        return this.#do({ type: 'report-sos', trigger: 'watch_button', ...uplink });
      case 'fall':
        return this.#do({ type: 'report-fall', ...uplink });
      case 'battery': {
        const { deviceId } = person;
        return this.#do({ type: 'report-battery', deviceId, pct: random.pick([5, 90]), charging: false });
      }
      case 'call':
        return this.#do({ type: 'request-call', voiceNote: false, ...uplink });
      default:
        return this.#do({ type: 'panel-sos', workerId: person.workerId, by: 'Desk' });
    }
  }

  /** The control room acknowledges, resolves or reopens an alert. */
  acts(): Promise<void> {
    const all = [...this.world.all('alert')];
    if (all.length === 0) return Promise.resolve();
    const { id: alertId } = this.random.pick(all);
    if (this.random.chance(0.1)) return this.#do({ type: 'reopen-alert', alertId, by: 'Desk' });
    const status = this.random.pick(['acknowledged', 'resolved', 'resolved'] as const);
    return this.#do({ type: 'update-alert', alertId, status, by: 'Desk', actor: 'Desk', reason: null, note: null });
  }

  #musters(): Promise<void> {
    const siteId = this.random.pick(SITES);
    const active = this.world.indexes.activeMuster(siteId);
    if (active === undefined) {
      const kind = this.random.pick(['general', 'tsunami'] as const);
      return this.#do({ type: 'start-muster', siteId, kind, reason: null, origin: null, deadline: null, by: 'Lead' });
    }
    const outcome = this.random.pick(['completed', 'cancelled'] as const);
    return this.#do({ type: 'end-muster', musterId: active.id, outcome, by: 'Lead' } as Command);
  }

  #steers(): Promise<void> {
    const [active] = [...this.world.indexes.activeMusters()];
    if (active === undefined) return this.#musters();
    const of = { musterId: active.id, by: 'Lead' };
    const pointId = POINTS[active.site.id] as string;
    switch (this.random.pick(['mark', 'exclude', 'reinstate', 'declare'])) {
      case 'mark':
        return this.#do({ type: 'mark-safe', workerId: this.#person().workerId, pointId: null, ...of } as Command);
      case 'exclude':
        return this.#do({ type: 'exclude-point', pointId, reason: 'Smoke', ...of } as Command);
      case 'reinstate':
        return this.#do({ type: 'reinstate-point', pointId, ...of } as Command);
      default:
        return this.#do({ type: 'declare-at-point', pointId, ...this.#uplink(this.#person()) });
    }
  }

  #contract(): Promise<void> {
    const { random } = this;
    const scopes: readonly Scope[] = random.chance(0.6) ? SCOPES : SCOPES.filter(() => random.chance(0.7));
    const contractors = random.pick([null, ['Norte SL'], ['Norte SL', 'Sur SL'], []]);
    const includeWorkerNames = random.chance(0.5);
    this.contractAt = this.clock.now();
    return this.#do({
      type: 'change-contract',
      clientId: 'harbour_co',
      scopes,
      contractors,
      includeWorkerNames,
    } as Command);
  }

  /** What the state refuses does not happen. */
  async #do(command: Command): Promise<void> {
    await this.harness.engine.submit(command);
  }
}

export const COMPANY = ORG;
