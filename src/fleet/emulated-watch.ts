/** One emulated watch with its wearer: what it senses, when it reports, and what the person can do with it. */
import type { Instant } from '../base/clock.ts';
import type { Point } from '../base/geometry.ts';
import type { Stream } from '../base/streams.ts';
import type { MusterNotice, UplinkEventKind } from '../contract/watch.ts';
import type { ChargeMode } from './charge.ts';
import { Conversation, type Speaker } from './conversation.ts';
import type { AnswerPlan, Intent, WatchMachine } from './machine.ts';
import { MusterDeeds } from './muster-deeds.ts';
import type { Power } from './power.ts';
import { HolesSwitch } from './radio-holes.ts';
import { Reactions } from './reactions.ts';
import type { Acted, EmulatedWatchParts, Surroundings } from './surroundings.ts';
import type { ToldFix, ToldMove, ToldStand, WatchTruth, WatchView } from './watch-view.ts';
import type { Whereabouts } from './whereabouts.ts';
import { Wrist } from './wrist.ts';

/** How long a person thinks before they answer, where nobody says; milliseconds. */
const THINKING_MS = { min: 3_000, max: 12_000 } as const;

export class EmulatedWatch implements Speaker {
  readonly machine: WatchMachine;
  readonly key: string;
  readonly siteId: string;
  readonly #around: Surroundings;
  /** What nobody waits for must not fail unseen either. */
  readonly #attend: <T>(deed: Promise<T>) => Promise<T>;
  #whereabouts: Whereabouts;
  readonly #power: Power;
  readonly #conversation: Conversation;
  #gps = true;
  #network = true;
  #yielded = false;
  readonly #wrist: Wrist;
  #docked = false;
  readonly #holes: HolesSwitch;
  /** What a muster did with the watch. */
  readonly deeds: MusterDeeds;
  readonly #reactions: Reactions;
  #thinking: Stream | null = null;

  constructor(around: Surroundings, parts: EmulatedWatchParts) {
    this.#around = around;
    this.machine = parts.machine;
    this.key = parts.key;
    this.siteId = parts.siteId;
    this.#whereabouts = parts.whereabouts;
    this.#power = parts.power;
    this.#wrist = new Wrist(parts.machine, () => this.#whereabouts);
    this.#conversation = new Conversation(around, this);
    const { contain } = around;
    this.#attend = (deed) => around.attend(this.serial, deed);
    this.#holes = new HolesSwitch({
      clock: around.clock,
      contain,
      serial: parts.machine.serial,
      streams: around.streams,
      lose: () => void this.#attend(this.loseSignal('network')),
      regain: () => void this.#attend(this.regainSignal('network')),
    });
    this.#reactions = new Reactions({
      clock: around.clock,
      contain,
      serial: parts.machine.serial,
      answer: (fallId, answer) => {
        if (!this.#yielded && this.machine.prompt(this.#now())?.fallId === fallId)
          void this.#attend(this.answer(answer));
      },
      acknowledgeVehicle: (warningId) => {
        if (!this.#yielded) void this.#attend(this.say('vehicle_ack', { warning_id: warningId }));
      },
    });
    this.deeds = new MusterDeeds({
      machine: parts.machine,
      worn: () => this.#wrist.has && !this.#power.dead,
      covered: () => this.#network,
      seen: () => this.#gps && this.connected,
      wear: (is, now) => {
        this.#wrist.take(is, now);
        this.#keepFix(now);
      },
      lose: () => void this.#attend(this.#lose()),
      regain: () => this.#attend(this.regainSignal('network')),
    });
  }

  get serial(): string {
    return this.machine.serial;
  }

  /** Another client has taken the watch over. */
  get yielded(): boolean {
    return this.#yielded;
  }

  /** Where its wearer is; the wearer of another watch may take it over. */
  get whereabouts(): Whereabouts {
    return this.#whereabouts;
  }

  get connected(): boolean {
    return this.#conversation.connected;
  }

  /** When the watch next has to look at itself. */
  get dueAt(): Instant {
    if (this.#yielded) return Number.POSITIVE_INFINITY;
    if (this.#whereabouts.hasDone) return Number.NEGATIVE_INFINITY;
    return Math.min(this.machine.nextReportAt, this.#power.dueAt, this.#conversation.nextPingAt);
  }

  // --- its life

  open(): void {
    this.#conversation.open();
  }

  /** Resolves when the watch is connected and its birth, first position and charge are heard; tries until then, or until it is not wanted any more. */
  async ready(): Promise<void> {
    while (this.#conversation.wanted && this.#network && (await this.#conversation.caughtUp()) !== null);
  }

  /** Reports what is due. */
  look(now: Instant): void {
    const pingDue = now >= this.#conversation.nextPingAt;
    if (now >= this.#power.diesAt) this.#die();
    if (now >= this.machine.nextReportAt) {
      this.#seeCharger(now);
      if (!this.#docked && !this.#power.dead) this.#keepFix(now);
      this.machine.reported(now);
    }
    for (const deed of this.#whereabouts.takeDeeds()) this.deeds.do(deed, now);
    this.#use(now);
    if (now >= this.#power.reportAt) this.#reportBattery(now);
    this.#conversation.speak();
    if (pingDue) this.#conversation.ping();
  }

  /** Another client took the watch over: this one is silent from now on. */
  yield(): void {
    this.#yielded = true;
    void this.#attend(this.abandon());
  }

  /** Goes without a goodbye. */
  abandon(): Promise<void> {
    this.#holes.set('off');
    return this.#conversation.abandon();
  }

  leave(): Promise<void> {
    this.#holes.set('off');
    return this.#conversation.leave();
  }

  view(): WatchView {
    const now = this.#now();
    return {
      serial: this.serial,
      connected: this.#conversation.connected,
      session: this.machine.session,
      at: this.#whereabouts.at(now),
      batteryPct: this.#power.pct(now),
      network: this.#network,
      gps: this.#gps,
      yielded: this.#yielded,
      worn: this.machine.worn,
      charging: this.#power.charging,
      inVehicle: this.#whereabouts.inVehicle,
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
    this.#reactions.expectVehicle(acknowledgeAfterMs);
  }

  /** The wearers of two watches exchange them: each watch says where it is now, and again within a second. */
  async exchangeWearers(other: EmulatedWatch): Promise<Acted> {
    const now = this.#now();
    [this.#whereabouts, other.#whereabouts] = [other.#whereabouts, this.#whereabouts];
    await other.#begin(now);
    return this.#begin(now);
  }

  battery(set: { pct?: number | undefined; drain?: number | undefined }): Promise<Acted> {
    const now = this.#now();
    if (this.#power.set(set, now)) this.#revive();
    const said = this.#reportBattery(now);
    this.#around.replan(this.dueAt);
    return this.#conversation.say(said);
  }

  async loseSignal(kind: 'network' | 'gps' | 'both'): Promise<Acted> {
    if (kind !== 'network') this.#gps = false;
    if (kind !== 'gps') {
      this.deeds.toldCover();
      await this.#lose();
    }
    return { done: 'sent', at: this.#now() };
  }

  /** Resolves when the watch is connected again and what it kept is heard. */
  async regainSignal(kind: 'network' | 'gps' | 'both'): Promise<Acted> {
    if (kind !== 'gps') this.deeds.toldCover();
    if (this.#power.dead) {
      this.#network ||= kind !== 'gps';
      this.#gps ||= kind !== 'network';
      return refused(`The battery of the watch ${this.serial} is empty.`);
    }
    if (kind !== 'network') this.#gps = true;
    if (kind !== 'gps') {
      this.#network = true;
      this.#conversation.open();
      const failure = await this.#conversation.caughtUp();
      if (failure !== null) return refused(`The watch ${this.serial} cannot connect yet: ${failure}.`);
    }
    return { done: 'sent', at: this.#now() };
  }

  /** The person is there from now on, and the watch reports exactly that fix, at once and until they move. */
  position(told: ToldFix): Promise<Acted> {
    const now = this.#now();
    const fix = this.#whereabouts.tell(told, now, this.machine);
    this.#seeCharger(now);
    return this.#conversation.say(this.machine.reportPosition(fix));
  }

  /** The person stands there now; the watch says so at once, and again within a second. */
  put(stand: ToldStand): Promise<Acted> {
    const now = this.#now();
    this.#whereabouts.put(stand, now);
    return this.#begin(now);
  }

  /** The person sets out. */
  moveTo(move: ToldMove): Promise<Acted> {
    const now = this.#now();
    this.#whereabouts.move(move, now);
    this.#seeCharger(now);
    return Promise.resolve({ done: 'sent', at: now });
  }

  /** `off`: the watch stays where it is while the person walks on; `on`: it is with them again. */
  wear(is: 'on' | 'off' | 'unknown'): Promise<Acted> {
    this.deeds.toldWear();
    this.#wrist.wear(is, this.#now());
    return this.#reportNow(this.#now());
  }

  /** The watch's own clock is ahead of the true time by so much from now on. */
  clockSkew(ms: number): Promise<Acted> {
    this.machine.skewMs = ms;
    return Promise.resolve({ done: 'sent', at: this.#now() });
  }

  /** Holes in its radio cover from now on, or none any more. */
  radioHoles(is: 'on' | 'off', gapMeanMs: number | undefined): void {
    this.#holes.set(is, gapMeanMs);
  }

  /** Where the person truly is. */
  whereIs(): Point {
    return this.#whereabouts.at(this.#now());
  }

  /** What is true now, whatever the service knows. */
  truth(now: Instant): WatchTruth {
    return {
      serial: this.serial,
      siteId: this.siteId,
      ...this.#whereabouts.truth(now),
      worn: this.machine.worn,
      batteryPct: this.#power.pct(now),
      charging: this.#power.charging,
      network: this.#network && !this.#power.dead,
      gps: this.#gps,
    };
  }

  // --- what the conversation calls

  subscribed(now: Instant): void {
    this.#seeCharger(now);
    if (!this.#docked) this.#keepFix(now);
    this.#reportBattery(now);
    this.#around.replan(this.dueAt);
  }

  intend(intents: readonly Intent[]): void {
    for (const intent of intents) {
      if (intent.do === 'replan') this.#around.replan(this.dueAt);
      else if (intent.do === 'hear-muster') this.#hearMuster(intent.told);
      else if (intent.do === 'answer-later') this.#reactions.answer(intent.fallId, intent.plan);
      else this.#reactions.seeVehicle(intent.warningId);
    }
  }

  #hearMuster(told: MusterNotice): void {
    this.#whereabouts.hearMuster(told, this.#now());
    this.#around.replan(this.#now() + 1);
  }

  // Somewhere else: two fixes running are believed sooner than one. [decisions 5]
  #begin(now: Instant): Promise<Acted> {
    this.#seeCharger(now);
    this.machine.reportSoon(now);
    this.#around.replan(this.dueAt);
    return this.#reportNow(now);
  }

  // Without GPS there is no fix to report, and nothing to wait for.
  #reportNow(now: Instant): Promise<Acted> {
    if (!this.#gps) return Promise.resolve({ done: 'sent', at: now });
    return this.#conversation.say(this.machine.reportPosition(this.#whereabouts.fix(now, this.machine)));
  }

  #keepFix(now: Instant): void {
    if (this.#gps) this.machine.reportPosition(this.#whereabouts.fix(now, this.machine));
  }

  // On the charger the watch is off the wrist: one last fix says so, and the next one comes when it is worn again.
  #seeCharger(now: Instant): void {
    const docked = this.#whereabouts.docked(now);
    if (docked === this.#docked) return;
    this.#docked = docked;
    this.#wrist.onCharger(docked);
    if (docked && !this.#power.dead) this.#keepFix(now);
    this.#use(now);
    this.#reportBattery(now);
  }

  // What the watch does, and so what it draws.
  #use(now: Instant): void {
    const mode: ChargeMode = this.#docked ? 'charging' : this.machine.alarmed ? 'alarm' : 'normal';
    this.#power.use(mode, now);
  }

  #reportBattery(now: Instant) {
    if (this.#power.reported(now)) this.#revive();
    if (this.#power.isLow(now)) this.#whereabouts.seeLowBattery();
    return this.machine.reportBattery(this.#power.pct(now), now, this.#power.charging);
  }

  // Empty: no goodbye. For the service it is a watch in a radio hole. [realism 8]
  #die(): void {
    this.#power.die();
    void this.#attend(this.#conversation.lose());
  }

  #revive(): void {
    if (this.#network) this.#conversation.open();
  }

  #lose(): Promise<void> {
    this.#network = false;
    return this.#conversation.lose();
  }

  #now(): Instant {
    return this.#around.clock.now();
  }
}

const refused = (why: string): Promise<Acted> => Promise.resolve({ refused: why });
