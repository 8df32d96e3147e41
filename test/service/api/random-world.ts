/** A random plant in motion, with a ledger of true positions and visibility. */

import type { Stream } from '../../../src/base/random/streams.ts';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import { SEVERITIES } from '../../../src/contract/enumerations.ts';
import type { Command } from '../../../src/service/domain/commands.ts';
import type { Alert } from '../../../src/service/domain/world/documents.ts';
import type { Fix } from '../../../src/service/domain/world/embedded.ts';
import { chance, ORG, SITE, T0 } from '../domain/small-world.ts';
import { ApiHarness } from './harness.ts';
import { addQuarry, QUARRY } from './second-company.ts';

type Rectangle = readonly [x1: number, y1: number, x2: number, y2: number];

export interface Person {
  readonly n: number;
  readonly name: string;
  readonly contractor: string | null;
  readonly workerId: string;
  readonly deviceId: string;
}

/** `hidden`: a privacy zone is within its uncertainty. */
export interface Truth {
  readonly person: Person;
  readonly x: number;
  readonly y: number;
  readonly fix: Fix;
  readonly hidden: boolean;
}

/** Where the person and the others were when an alert was raised. */
export interface Raised {
  readonly alert: Alert;
  readonly person: Person;
  readonly truth: Truth | null;
  readonly others: readonly Truth[];
}

const CONTRACTORS = [null, 'Norte SL', 'Sur SL'] as const;
const FIRST = 10;
/** Small enough for people to be near each other, and near a place that hides them; metres. */
const SIZE = 260;

export class RandomWorld {
  readonly harness: ApiHarness;
  readonly random: Stream;
  readonly names: boolean;
  readonly scope: readonly string[] | null;
  readonly people: Person[] = [];
  readonly truths: Truth[] = [];
  readonly raised: Raised[] = [];
  readonly #last = new Map<Person, Truth>();
  readonly #private: Rectangle[] = [[270, 150, 300, 180]];

  private constructor(harness: ApiHarness, random: Stream, names: boolean, scope: readonly string[] | null) {
    this.harness = harness;
    this.random = random;
    this.names = names;
    this.scope = scope;
  }

  static async make(seed: string): Promise<RandomWorld> {
    const random = chance(seed);
    const names = random.chance(0.5);
    const scope = random.pick([null, ['Norte SL'], ['Norte SL', 'Sur SL']]);
    const clock = lockstepClock({ start: T0 });
    clock.pause();
    const harness = await ApiHarness.start({
      clock,
      client: { includeWorkerNames: names, contractors: scope },
      site: {
        privacyMode: random.pick(['continuous', 'on_demand', 'on_demand']),
        unveilMinSeverity: random.pick(SEVERITIES),
      },
    });
    const made = new RandomWorld(harness, random, names, scope);
    addQuarry(harness.small);
    made.#furnish();
    await made.#subscribe();
    return made;
  }

  /** Plays the given number of random moments. */
  async play(moments: number): Promise<void> {
    for (let n = 0; n < moments; n++) {
      if (this.random.chance(0.2)) await this.harness.clock.advance(this.random.int(1, 40_000));
      this.#note();
      this.harness.small.now = this.harness.clock.now();
      await this.#moment();
      this.#note();
    }
  }

  /** Whether a person exists for the client. */
  exists({ contractor }: Person): boolean {
    return this.scope === null || (contractor !== null && this.scope.includes(contractor));
  }

  unveils(severity: Alert['severity']): boolean {
    const site = this.harness.small.world.need('site', SITE);
    return (
      site.privacyMode === 'continuous' || SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(site.unveilMinSeverity)
    );
  }

  /** The fixes whose true point the client may read anywhere now. */
  shown(): Set<Truth> {
    const shown = new Set<Truth>();
    for (const { alert, truth, person } of this.raised)
      if (truth !== null && this.unveils(alert.severity) && this.exists(person)) shown.add(truth);
    for (const [person, truth] of this.#last) if (this.exists(person) && this.isUnveiled(person)) shown.add(truth);
    for (const truth of shown) if (truth.hidden) shown.delete(truth);
    return shown;
  }

  isUnveiled({ workerId }: Person): boolean {
    const { world } = this.harness.small;
    if (world.need('site', SITE).privacyMode === 'continuous') return true;
    const open = [...world.all('alert')].filter(
      (alert) => alert.worker?.id === workerId && alert.status !== 'resolved',
    );
    return open.some(({ severity }) => this.unveils(severity));
  }

  #furnish(): void {
    const { small } = this.harness;
    for (let n = this.random.int(1, 3); n > 0; n--) {
      const [x, y] = [this.random.int(0, SIZE - 60), this.random.int(0, SIZE - 60)];
      const rectangle = [x, y, x + this.random.int(20, 60), y + this.random.int(20, 60)] as const;
      small.zone(`Private ${n}`, 'privacy', rectangle);
      this.#private.push(rectangle);
    }
    small.zone('Tank', 'restricted', [100, 100, 180, 180]);
    for (let n = FIRST; n < FIRST + 12; n++) small.worker(n, `Given${n} Family${n}`, this.random.pick(CONTRACTORS));
    for (const { id, name, contractor, externalId, deviceId } of small.world.all('worker'))
      if (id !== QUARRY.worker)
        this.people.push({ n: Number(externalId?.slice(2)), name, contractor, workerId: id, deviceId: deviceId ?? '' });
    // Ana has been somewhere since the small world began.
    const [ana] = this.people;
    const { fix } = small.world.telemetry(small.device(1));
    if (ana !== undefined && fix !== null)
      this.#saw({ person: ana, x: 20, y: 20, fix, hidden: this.#hides(20, 20, 3) });
    const driver = this.random.pick(this.people);
    small.world.put('vehicle', { id: 'v1', siteId: SITE, type: 'forklift', driverId: driver.workerId });
    small.world.commit();
  }

  async #subscribe(): Promise<void> {
    const destination = { url: 'https://receiver.example.com/', eventTypes: ['alert.*'] as const, filters: {} };
    const [secret, nonce] = ['whsec_all', 'all'];
    const whose = { organizationId: ORG, clientId: 'harbour_co' };
    await this.#do({ type: 'create-destination', ...whose, ...destination, secret, nonce } as Command);
  }

  async #moment(): Promise<void> {
    const { random } = this;
    const { small } = this.harness;
    const person = random.pick(this.people);
    const uplink = { ...small.uplink(person.n) };
    const all = [...small.world.all('alert')];
    switch (random.pick(['moves', 'moves', 'moves', 'sos', 'fall', 'battery', 'call', 'acts', 'acts', 'quarry'])) {
      case 'moves':
        return this.#moves(person);
      case 'sos':
        return this.#do({ type: 'report-sos', trigger: 'watch_button', ...uplink });
      case 'fall':
        return this.#do({ type: 'report-fall', ...uplink });
      case 'battery':
        return this.#do({
          type: 'report-battery',
          deviceId: person.deviceId,
          pct: random.pick([5, 90]),
          charging: false,
        });
      case 'call':
        return this.#do({ type: 'request-call', voiceNote: false, ...uplink });
      case 'acts': {
        if (all.length === 0) return;
        const [alertId, status] = [random.pick(all).id, random.pick(['acknowledged', 'resolved'] as const)];
        return this.#do({ type: 'update-alert', alertId, status, by: 'Desk', actor: 'Desk', reason: null, note: null });
      }
      case 'quarry': {
        const fixes = [{ ...small.fix(random.float() * 40, random.float() * 40), worn: true }];
        await this.#do({ type: 'report-position', deviceId: QUARRY.device, fixes });
        return this.#do({ type: 'report-sos', trigger: 'watch_button', ...uplink, deviceId: QUARRY.device });
      }
    }
  }

  async #moves(person: Person): Promise<void> {
    const { random } = this;
    const [x, y] = [random.float() * SIZE, random.float() * SIZE];
    const uncertaintyM = random.pick([null, 0, 3, 15, 40]);
    const fix = this.harness.small.fix(x, y, { uncertaintyM, inVehicle: random.chance(0.2) });
    await this.#do({ type: 'report-position', deviceId: person.deviceId, fixes: [{ ...fix, worn: true }] });
    this.#saw({ person, x, y, fix, hidden: this.#hides(x, y, uncertaintyM ?? 0) });
  }

  #saw(truth: Truth): void {
    this.truths.push(truth);
    this.#last.set(truth.person, truth);
  }

  #hides(x: number, y: number, reachM: number): boolean {
    return this.#private.some((zone) => distanceTo(zone, x, y) <= reachM);
  }

  async #do(command: Command): Promise<void> {
    const outcome = await this.harness.engine.submit(command);
    if (outcome.rejected && command.type !== 'update-alert') throw new Error(outcome.detail);
  }

  /** Who was where when an alert was raised; nobody moves while time passes. */
  #note(): void {
    for (const alert of this.harness.small.world.all('alert')) {
      const person = this.people.find(({ workerId }) => workerId === alert.worker?.id);
      if (person === undefined || this.raised.some((one) => one.alert.id === alert.id)) continue;
      const others = [...this.#last.values()].filter((truth) => truth.person !== person);
      this.raised.push({ alert, person, truth: this.#last.get(person) ?? null, others });
    }
  }
}

function distanceTo([x1, y1, x2, y2]: Rectangle, x: number, y: number): number {
  return Math.hypot(Math.max(x1 - x, 0, x - x2), Math.max(y1 - y, 0, y - y2));
}
