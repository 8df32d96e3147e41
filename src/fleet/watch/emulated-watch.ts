/** One emulated watch with its wearer: what it senses, when it reports, and what the person can do with it. */

import type { Point } from '../../base/geometry/shapes.ts';
import type { Instant } from '../../base/time/clock.ts';
import type { MusterNotice, UplinkEventKind } from '../../contract/watch.ts';
import { Conversation, type Speaker } from '../connection/conversation.ts';
import { Cover, type SignalKind } from '../connection/cover.ts';
import { HolesSwitch } from '../connection/radio-holes.ts';
import type { KeptWatch } from '../kept/documents.ts';
import { keptWatch, type Resumption, resumeWatch } from '../kept/emulated.ts';
import type { Acted, WatchSurroundings } from '../surroundings.ts';
import { Incapacitation } from '../wearer/incapacitation.ts';
import { MusterActions } from '../wearer/muster-actions.ts';
import { Reactions } from '../wearer/reactions.ts';
import type { WatchWhereabouts } from '../wearer/whereabouts.ts';
import { Battery } from './battery.ts';
import type { Intent, WatchMachine } from './machine.ts';
import type { Power } from './power.ts';
import { truthOf, viewOf, type WatchBody } from './watch-body.ts';
import type { GivenFix, OrderedMove, OrderedStand, WatchTruth, WatchView } from './watch-view.ts';
import { Wrist } from './wrist.ts';

export class EmulatedWatch implements Speaker {
  readonly machine: WatchMachine;
  readonly key: string;
  readonly siteId: string;
  readonly #around: WatchSurroundings;
  /** Reports the rejection of a promise that its caller may not await. */
  readonly #attend: <T>(work: Promise<T>) => Promise<T>;
  #whereabouts: WatchWhereabouts;
  readonly #power: Power;
  readonly #conversation: Conversation;
  readonly #cover: Cover;
  #yielded = false;
  readonly #wrist: Wrist;
  readonly #battery: Battery;
  readonly #holes: HolesSwitch;
  /** What a muster did with the watch. */
  readonly musterActions: MusterActions;
  readonly #reactions: Reactions;
  /** Whether its wearer can leave their place. */
  readonly plight: Incapacitation;

  constructor(around: WatchSurroundings, parts: EmulatedWatchParts) {
    this.#around = around;
    this.machine = parts.machine;
    this.key = parts.key;
    this.siteId = parts.siteId;
    this.#whereabouts = parts.whereabouts;
    this.#power = parts.power;
    this.#wrist = new Wrist(parts.machine, () => this.#whereabouts);
    this.#battery = new Battery({
      machine: parts.machine,
      power: parts.power,
      wrist: this.#wrist,
      whereabouts: () => this.#whereabouts,
      keepFix: (now) => this.#keepFix(now),
      revive: () => this.#revive(),
      changed: () => around.keeping.changed(this.serial),
    });
    this.#conversation = new Conversation(around, this);
    const { contain } = around;
    this.#attend = (work) => around.attend(this.serial, work);
    this.#cover = new Cover({
      clock: around.clock,
      serial: parts.machine.serial,
      conversation: this.#conversation,
      power: parts.power,
      onOrderedNetwork: () => this.musterActions.orderedCover(),
    });
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
          void this.#attend(this.plight.answer(answer));
      },
      acknowledgeVehicle: (warningId) => {
        if (!this.#yielded) void this.#attend(this.say('vehicle_ack', { warning_id: warningId }));
      },
    });
    this.plight = new Incapacitation({
      clock: around.clock,
      streams: around.streams,
      machine: parts.machine,
      whereabouts: () => this.#whereabouts,
      say: (said) => this.#conversation.say(said),
      replan: (due) => around.replan(due),
    });
    this.musterActions = new MusterActions({
      machine: parts.machine,
      worn: () => this.#wrist.has && !this.#power.dead,
      covered: () => this.#cover.network,
      seen: () => this.#cover.gps && this.connected,
      wear: (is, now) => {
        this.#wrist.take(is, now);
        this.#keepFix(now);
      },
      lose: () => void this.#attend(this.#cover.loseNetwork()),
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
  get whereabouts(): WatchWhereabouts {
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

  /** Connects, unless it has no network or no power. */
  open(): void {
    if (this.#cover.network && !this.#power.dead) this.#conversation.open();
    else this.#around.replan(this.dueAt);
  }

  /** Resolves when the watch is connected and its birth, first position and charge are heard; tries until then, or until it is not wanted any more. */
  async ready(): Promise<void> {
    const reachable = () => !this.#yielded && this.#cover.network && !this.#power.dead;
    while (this.#conversation.wanted && reachable() && (await this.#conversation.caughtUp()) !== null);
  }

  /** Reports what is due. */
  look(now: Instant): void {
    const pingDue = now >= this.#conversation.nextPingAt;
    if (now >= this.#power.diesAt) this.#die();
    if (now >= this.machine.nextReportAt) {
      this.#battery.seeCharger(now);
      if (!this.#battery.docked && !this.#power.dead) this.#keepFix(now);
      this.machine.reported(now);
    }
    for (const act of this.#whereabouts.takeActs()) {
      this.musterActions.do(act, now);
      this.#around.keeping.changed(this.serial);
    }
    this.#battery.use(now);
    if (now >= this.#power.reportAt) this.#battery.report(now);
    this.#conversation.speak();
    if (!this.connected && this.machine.outbox.hasNews) this.#around.keeping.boxChanged(this.serial);
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
    return viewOf(this.#body, { connected: this.connected, yielded: this.#yielded }, this.#now());
  }

  /** What is true now, whatever the service knows. */
  truth(now: Instant): WatchTruth {
    return truthOf(this.#body, now);
  }

  // --- what is kept of it

  kept(): KeptWatch {
    return keptWatch(this.#body);
  }

  /** Before it opens. */
  resume(resumption: Resumption): void {
    resumeWatch(this.#body, resumption);
  }

  // --- what its wearer does [decisions 9]

  sos(button: 'watch_button' | 'watch_hardware_button'): Promise<Acted> {
    return this.#conversation.say(this.machine.report('sos', { with: button }, this.#now()));
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

  expectVehicle(acknowledgeAfterMs: number): Promise<Acted> {
    this.#reactions.expectVehicle(acknowledgeAfterMs);
    return Promise.resolve({ done: 'sent', at: this.#now() });
  }

  /** The wearers of two watches exchange them: each watch says where it is now, and again within a second. */
  async exchangeWearers(other: EmulatedWatch): Promise<Acted> {
    const now = this.#now();
    [this.#whereabouts, other.#whereabouts] = [other.#whereabouts, this.#whereabouts];
    this.#around.keeping.changed(other.serial);
    await other.#begin(now);
    return this.#begin(now);
  }

  battery(set: { pct?: number | undefined; drain?: number | undefined }): Promise<Acted> {
    const now = this.#now();
    if (this.#power.set(set, now)) this.#revive();
    const said = this.#battery.report(now);
    this.#around.replan(this.dueAt);
    return this.#conversation.say(said);
  }

  loseSignal(kind: SignalKind): Promise<Acted> {
    return this.#cover.lose(kind);
  }

  /** Resolves when the watch is connected again and what it kept is heard. */
  regainSignal(kind: SignalKind): Promise<Acted> {
    return this.#cover.regain(kind);
  }

  /** The person is there from now on, and the watch reports exactly that fix, at once and until they move. */
  position(given: GivenFix): Promise<Acted> {
    const now = this.#now();
    const fix = this.#whereabouts.tell(given, now, this.machine);
    this.#battery.seeCharger(now);
    return this.#conversation.say(this.machine.reportPosition(fix));
  }

  /** The person stands there now; the watch says so at once, and again within a second. */
  put(stand: OrderedStand): Promise<Acted> {
    const now = this.#now();
    if (this.plight.heldBack !== null) return refused(this.plight.heldBack);
    this.#whereabouts.free(now);
    this.#whereabouts.put(stand, now);
    return this.#begin(now);
  }

  /** The person sets out. */
  moveTo(move: OrderedMove): Promise<Acted> {
    const now = this.#now();
    if (this.plight.heldBack !== null) return refused(this.plight.heldBack);
    this.#whereabouts.free(now);
    this.#whereabouts.move(move, now);
    this.#battery.seeCharger(now);
    return Promise.resolve({ done: 'sent', at: now });
  }

  /** `off`: the watch stays where it is while the person walks on; `on`: it is with them again. */
  wear(is: 'on' | 'off' | 'unknown'): Promise<Acted> {
    this.musterActions.orderedWear();
    this.#wrist.wear(is, this.#now());
    return this.#reportNow(this.#now());
  }

  /** Sets how far the watch's own clock is ahead of the true time. */
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

  // --- what the conversation calls

  subscribed(now: Instant): void {
    this.#battery.seeCharger(now);
    if (!this.#battery.docked) this.#keepFix(now);
    this.#battery.report(now);
    this.#around.replan(this.dueAt);
  }

  intend(intents: readonly Intent[]): void {
    for (const intent of intents) {
      if (intent.do === 'replan') this.#around.replan(this.dueAt);
      else if (intent.do === 'hear-muster') this.#hearMuster(intent.notice);
      else if (intent.do === 'be-rescued') this.plight.rescued(intent.alertType);
      else if (intent.do === 'answer-later') this.#reactions.answer(intent.fallId, intent.plan);
      else this.#reactions.seeVehicle(intent.warningId);
    }
  }

  #hearMuster(notice: MusterNotice): void {
    this.#around.keeping.heard(this.siteId, notice);
    this.#whereabouts.hearMuster(notice, this.#now());
    this.#around.replan(this.#now() + 1);
  }

  // Somewhere else: two fixes running are believed sooner than one. [decisions 5]
  #begin(now: Instant): Promise<Acted> {
    this.#battery.seeCharger(now);
    this.machine.reportSoon(now);
    this.#around.replan(this.dueAt);
    return this.#reportNow(now);
  }

  // Without GPS there is no fix to report, and nothing to wait for.
  #reportNow(now: Instant): Promise<Acted> {
    if (!this.#cover.gps) return Promise.resolve({ done: 'sent', at: now });
    return this.#conversation.say(this.machine.reportPosition(this.#whereabouts.fix(now, this.machine)));
  }

  #keepFix(now: Instant): void {
    if (this.#cover.gps) this.machine.reportPosition(this.#whereabouts.fix(now, this.machine));
  }

  // Empty: no goodbye. For the service it is a watch in a radio hole. [realism 8]
  #die(): void {
    this.#power.die();
    this.#around.keeping.changed(this.serial);
    void this.#attend(this.#conversation.lose());
  }

  #revive(): void {
    if (this.#cover.network) this.#conversation.open();
  }

  get #body(): WatchBody {
    return {
      siteId: this.siteId,
      machine: this.machine,
      power: this.#power,
      battery: this.#battery,
      cover: this.#cover,
      wrist: this.#wrist,
      musterActions: this.musterActions,
      reactions: this.#reactions,
      plight: this.plight,
      whereabouts: this.#whereabouts,
    };
  }

  #now(): Instant {
    return this.#around.clock.now();
  }
}

const refused = (why: string): Promise<Acted> => Promise.resolve({ refused: why });

/** What an emulated watch is made of. */
interface EmulatedWatchParts extends Pick<WatchBody, 'siteId' | 'whereabouts' | 'power' | 'machine'> {
  readonly key: string;
}
