/** One emulated watch with its wearer: what it senses, when it reports, and what the person can do with it. */
import { type Instant, LANE } from '../base/clock.ts';
import type { Frame, Point } from '../base/geometry.ts';
import { formatInstant } from '../base/instants.ts';
import type { Stream } from '../base/streams.ts';
import type { UplinkEventKind } from '../contract/watch.ts';
import type { Charge } from './charge.ts';
import { Conversation, type Speaker } from './conversation.ts';
import type { AnswerPlan, Intent, WatchMachine } from './machine.ts';
import type { Person } from './person.ts';
import { sense } from './sensing.ts';
import type { Acted, Surroundings } from './surroundings.ts';
import type { Fix, OnFloor, Place, ToldFix, ToldMove, ToldStand, WatchView } from './watch-view.ts';

export interface EmulatedWatchParts {
  readonly key: string;
  readonly siteId: string;
  readonly frame: Frame;
  readonly person: Person;
  readonly charge: Charge;
  /** Errors of its fixes; null: exact ones. */
  readonly fixes: Stream | null;
  readonly machine: WatchMachine;
}

/** How long a person thinks before they answer, where nobody says; milliseconds. */
const THINKING_MS = { min: 3_000, max: 12_000 } as const;

const TOLD_UNCERTAINTY_M = 3;

/** Metres per second of a vehicle of which nothing is said. */
const DRIVING_PACE = 5;

/** What a barometer beside a reference is off by, one sigma; metres. [realism 3.2] */
const HEIGHT_UNCERTAINTY_M = 0.7;

export class EmulatedWatch implements Speaker {
  readonly machine: WatchMachine;
  readonly key: string;
  readonly siteId: string;
  readonly #around: Surroundings;
  readonly #frame: Frame;
  readonly #person: Person;
  readonly #charge: Charge;
  readonly #fixes: Stream | null;
  readonly #conversation: Conversation;
  #gps = true;
  #network = true;
  #yielded = false;
  #vehicleAckMs: number | null = null;
  #inVehicle = false;
  #floor: OnFloor | null = null;
  /** Where the watch was taken off; null: it is with its wearer. */
  #laidDown: Point | null = null;
  #nextBatteryAt: Instant = Number.POSITIVE_INFINITY;
  #thinking: Stream | null = null;

  constructor(around: Surroundings, parts: EmulatedWatchParts) {
    this.#around = around;
    this.machine = parts.machine;
    this.key = parts.key;
    this.siteId = parts.siteId;
    this.#frame = parts.frame;
    this.#person = parts.person;
    this.#charge = parts.charge;
    this.#fixes = parts.fixes;
    this.#conversation = new Conversation(around, this);
  }

  get serial(): string {
    return this.machine.serial;
  }

  /** Another client has taken the watch over. */
  get yielded(): boolean {
    return this.#yielded;
  }

  get connected(): boolean {
    return this.#conversation.connected;
  }

  /** When the watch next has to look at itself. */
  get dueAt(): Instant {
    if (this.#yielded) return Number.POSITIVE_INFINITY;
    return Math.min(this.machine.nextReportAt, this.#nextBatteryAt, this.#conversation.nextPingAt);
  }

  // --- its life

  open(): void {
    this.#conversation.open();
  }

  /** Resolves when the watch is connected and its birth, first position and charge are heard; tries until then. */
  async ready(): Promise<void> {
    while (!this.#yielded && this.#network && (await this.#conversation.caughtUp()) !== null);
  }

  /** Reports what is due. */
  look(now: Instant): void {
    const pingDue = now >= this.#conversation.nextPingAt;
    if (now >= this.machine.nextReportAt) {
      const fix = this.#fix(now);
      if (fix !== null) this.machine.reportPosition(fix);
      this.machine.reported(now);
    }
    if (now >= this.#nextBatteryAt) this.#reportBattery(now);
    this.#conversation.speak();
    if (pingDue) this.#conversation.ping();
  }

  /** Another client took the watch over: this one is silent from now on. */
  yield(): void {
    this.#yielded = true;
    void this.#conversation.abandon();
  }

  leave(): Promise<void> {
    return this.#conversation.leave();
  }

  view(): WatchView {
    const now = this.#now();
    return {
      serial: this.serial,
      connected: this.#conversation.connected,
      session: this.machine.session,
      at: this.#person.at(now),
      batteryPct: this.#charge.pct(now),
      network: this.#network,
      gps: this.#gps,
      yielded: this.#yielded,
      worn: this.machine.worn,
      charging: false,
      inVehicle: this.#inVehicle,
      shown: this.machine.shown(now),
    };
  }

  // --- what its wearer does [decisions 9]

  sos(button: 'watch_button' | 'watch_hardware_button'): Promise<Acted> {
    return this.#conversation.say(this.machine.report('sos', { with: button }, this.#now()));
  }

  /** The watch reports the fall at once; the wearer answers the service's prompt later, or never. */
  fall(answers: 'ok' | 'help' | 'never', answersAfterMs: number | undefined): Promise<Acted> {
    this.#thinking ??= this.#around.streams.stream(this.serial, 'thinking');
    const drawnMs = this.#thinking.int(THINKING_MS.min, THINKING_MS.max);
    const plan: AnswerPlan | null =
      answers === 'never' ? null : { answer: answers, afterMs: Math.max(1, answersAfterMs ?? drawnMs) };
    return this.#conversation.say(this.machine.fall(plan, this.#now()));
  }

  answer(answer: 'ok' | 'help'): Promise<Acted> {
    const said = this.machine.answer(answer, this.#now());
    return said === null
      ? refused(`The watch ${this.serial} shows no prompt to answer.`)
      : this.#conversation.say(said);
  }

  pressAck(alertId: string | undefined): Promise<Acted> {
    const said = this.machine.acknowledge(alertId, this.#now());
    return said === null
      ? refused(`The watch ${this.serial} shows no alert that is still to be acknowledged.`)
      : this.#conversation.say(said);
  }

  /** An event of a kind that needs nothing but its fields. */
  say(kind: UplinkEventKind, fields: Readonly<Record<string, unknown>>): Promise<Acted> {
    return this.#conversation.say(this.machine.report(kind, fields, this.#now()));
  }

  expectVehicle(acknowledgeAfterMs: number): void {
    this.#vehicleAckMs = acknowledgeAfterMs;
  }

  /** The wearers of two watches exchange them: each watch is where the other was. */
  async exchangePlaces(other: EmulatedWatch): Promise<Acted> {
    const [here, there] = [this.whereIs(), other.whereIs()];
    await other.put({ at: { point: here } });
    return this.put({ at: { point: there } });
  }

  battery(set: { pct?: number | undefined; drain?: number | undefined }): Promise<Acted> {
    const now = this.#now();
    this.#charge.set(set, now);
    const said = this.#reportBattery(now);
    this.#around.replan(this.dueAt);
    return this.#conversation.say(said);
  }

  async loseSignal(kind: 'network' | 'gps' | 'both'): Promise<Acted> {
    if (kind !== 'network') this.#gps = false;
    if (kind !== 'gps') {
      this.#network = false;
      await this.#conversation.lose();
    }
    return { done: 'sent', at: this.#now() };
  }

  /** Resolves when the watch is connected again and what it kept is heard. */
  async regainSignal(kind: 'network' | 'gps' | 'both'): Promise<Acted> {
    if (kind !== 'network') this.#gps = true;
    if (kind !== 'gps') {
      this.#network = true;
      this.#conversation.open();
      const failure = await this.#conversation.caughtUp();
      if (failure !== null) return refused(`The watch ${this.serial} cannot connect yet: ${failure}.`);
    }
    return { done: 'sent', at: this.#now() };
  }

  /** The person is there from now on, and the watch reports exactly that fix at once. */
  position(told: ToldFix): Promise<Acted> {
    const now = this.#now();
    const point = this.#pointOf(told);
    this.#stand(point, null, now);
    const { uncertaintyM = TOLD_UNCERTAINTY_M, source = 'gps', heightM, building, floor, inVehicle = false } = told;
    this.#inVehicle = inVehicle;
    const measured = { uncertainty_m: uncertaintyM, source, in_vehicle: inVehicle };
    const height = heightM === undefined ? {} : { height: heightOf({ heightM, building, floor }) };
    return this.#conversation.say(this.machine.reportPosition(this.#fixOf(point, now, { ...measured, ...height })));
  }

  /** The person stands there now; the watch says so at once, and again within a second. */
  put({ at, floor }: ToldStand): Promise<Acted> {
    const now = this.#now();
    this.#stand(this.#pointOf(at), floor ?? null, now);
    this.#inVehicle = false;
    this.machine.reportSoon(now);
    this.#around.replan(this.dueAt);
    return this.#reportNow(now);
  }

  /** The person sets out. */
  moveTo({ to, via = [], pace, inVehicle = false }: ToldMove): Promise<Acted> {
    const now = this.#now();
    this.#inVehicle = inVehicle;
    this.#floor = null;
    const points = [...via, to].map((place) => this.#pointOf(place));
    this.#person.moveTo(points, now, pace ?? (inVehicle ? DRIVING_PACE : undefined));
    return Promise.resolve({ done: 'sent', at: now });
  }

  /** `off`: the watch stays where it is while the person walks on; `on`: it is with them again. */
  wear(is: 'on' | 'off' | 'unknown'): Promise<Acted> {
    const now = this.#now();
    this.machine.worn = is === 'unknown' ? null : is === 'on';
    this.#laidDown = is === 'off' ? (this.#laidDown ?? this.#person.at(now)) : null;
    return this.#reportNow(now);
  }

  /** The watch's own clock is ahead of the true time by so much from now on. */
  clockSkew(ms: number): Promise<Acted> {
    this.machine.skewMs = ms;
    return Promise.resolve({ done: 'sent', at: this.#now() });
  }

  /** Where the person truly is. */
  whereIs(): Point {
    return this.#person.at(this.#now());
  }

  // --- what the conversation calls

  subscribed(now: Instant): void {
    const fix = this.#fix(now);
    if (fix !== null) this.machine.reportPosition(fix);
    this.#reportBattery(now);
    this.#around.replan(this.dueAt);
  }

  intend(intents: readonly Intent[]): void {
    for (const intent of intents) {
      if (intent.do === 'replan') this.#around.replan(this.dueAt);
      else if (intent.do === 'answer-later') this.#answerLater(intent.fallId, intent.plan);
      else this.#acknowledgeVehicle(intent.warningId);
    }
  }

  #answerLater(fallId: string, { answer, afterMs }: AnswerPlan): void {
    const { clock } = this.#around;
    clock.at(clock.now() + afterMs, { lane: LANE.uplink, actor: this.serial }, () => {
      if (!this.#yielded && this.machine.prompt(clock.now())?.fallId === fallId) void this.answer(answer);
    });
  }

  /** Once, and only where somebody said that the wearer would. */
  #acknowledgeVehicle(warningId: string): void {
    const afterMs = this.#vehicleAckMs;
    this.#vehicleAckMs = null;
    if (afterMs === null) return;
    const { clock } = this.#around;
    clock.at(clock.now() + Math.max(1, afterMs), { lane: LANE.uplink, actor: this.serial }, () => {
      if (!this.#yielded) void this.say('vehicle_ack', { warning_id: warningId });
    });
  }

  #stand(point: Point, floor: OnFloor | null, now: Instant): void {
    this.#person.put(point, now);
    this.#floor = floor;
  }

  // Without GPS there is no fix to report, and nothing to wait for.
  #reportNow(now: Instant): Promise<Acted> {
    const fix = this.#fix(now);
    if (fix === null) return Promise.resolve({ done: 'sent', at: now });
    return this.#conversation.say(this.machine.reportPosition(fix));
  }

  #fix(now: Instant): Fix | null {
    if (!this.#gps) return null;
    const { point, uncertaintyM } = sense(this.#laidDown ?? this.#person.at(now), this.#fixes);
    const measured = { uncertainty_m: uncertaintyM, source: 'gps', in_vehicle: this.#inVehicle } as const;
    return this.#fixOf(point, now, this.#floor === null ? measured : { ...measured, height: heightOf(this.#floor) });
  }

  #fixOf(point: Point, now: Instant, measured: Omit<Fix, 't' | 'latitude' | 'longitude' | 'worn'>): Fix {
    const t = formatInstant(now + this.machine.skewMs);
    return { t, ...this.#frame.toDegrees(point), ...measured, worn: this.machine.worn };
  }

  #reportBattery(now: Instant) {
    this.#nextBatteryAt = this.#charge.nextChangeAt(now);
    return this.machine.reportBattery(this.#charge.pct(now), now);
  }

  #pointOf(place: Place): Point {
    return 'point' in place ? place.point : this.#frame.toMetres(place.coordinates);
  }

  #now(): Instant {
    return this.#around.clock.now();
  }
}

function heightOf({
  heightM,
  building,
  floor,
}: {
  heightM: number;
  building?: string | null | undefined;
  floor?: string | null | undefined;
}): NonNullable<Fix['height']> {
  return {
    height_m: heightM,
    uncertainty_m: HEIGHT_UNCERTAINTY_M,
    building: building ?? null,
    floor: floor ?? null,
  };
}

const refused = (why: string): Promise<Acted> => Promise.resolve({ refused: why });
