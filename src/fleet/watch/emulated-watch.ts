/** One emulated watch with its wearer: what it measures, when it reports, and what the person can do with it. */

import type { Point } from '../../base/geometry/shapes.ts';
import type { Instant } from '../../base/time/clock.ts';
import type { MusterNotice } from '../../contract/watch.ts';
import { Conversation, type Speaker } from '../connection/conversation.ts';
import { Cover } from '../connection/cover.ts';
import { HolesSwitch } from '../connection/radio-holes.ts';
import type { KeptWatch } from '../kept/documents.ts';
import { keptWatch, type Resumption, resumeWatch } from '../kept/emulated.ts';
import type { Acted, WatchSurroundings } from '../surroundings.ts';
import type { OtherWatch, WatchAction } from '../watch-action.ts';
import { Incapacitation } from '../wearer/incapacitation.ts';
import { MusterActions } from '../wearer/muster-actions.ts';
import { Reactions } from '../wearer/reactions.ts';
import type { WatchWhereabouts } from '../wearer/whereabouts.ts';
import { Battery } from './battery.ts';
import type { Intent, WatchMachine } from './machine.ts';
import { type ActingWatch, objectionOf, perform } from './performing.ts';
import type { Power } from './power.ts';
import { truthOf, viewOf, type WatchBody } from './watch-body.ts';
import type { WatchTruth, WatchView } from './watch-view.ts';
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
  /** The changes that a muster made to the watch. */
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
      lose: () => void this.#attend(this.#cover.lose('network')),
      regain: () => void this.#attend(this.#cover.regain('network')),
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
        if (!this.#yielded) void this.#attend(this.#acknowledgeVehicle(warningId));
      },
    });
    this.plight = new Incapacitation({
      clock: around.clock,
      streams: around.streams,
      machine: parts.machine,
      whereabouts: () => this.#whereabouts,
      say: (queued) => this.#conversation.say(queued),
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
      regain: () => this.#attend(this.#cover.regain('network')),
    });
  }

  get serial(): string {
    return this.machine.serial;
  }

  /** Another client has taken the watch over. */
  get yielded(): boolean {
    return this.#yielded;
  }

  /** The position and state of its wearer. The wearer of another watch may take this watch over. */
  get whereabouts(): WatchWhereabouts {
    return this.#whereabouts;
  }

  get connected(): boolean {
    return this.#conversation.connected;
  }

  /** The instant at which `look` must be called next. */
  get dueAt(): Instant {
    if (this.#yielded) return Number.POSITIVE_INFINITY;
    if (this.#whereabouts.hasDone) return Number.NEGATIVE_INFINITY;
    return Math.min(this.machine.nextReportAt, this.#power.dueAt, this.#conversation.nextPingAt);
  }

  // --- its life cycle

  /** Connects, unless it has no network or no power. */
  open(): void {
    if (this.#cover.network && !this.#power.dead) this.#conversation.open();
    else this.#around.replan(this.dueAt);
  }

  /** Resolves when the watch is connected and its birth, first position and charge are acknowledged. It retries until then, or until the connection is no longer wanted. */
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

  /** Disconnects without a death message. */
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

  /** The real state now, whatever the service knows. */
  truth(now: Instant): WatchTruth {
    return truthOf(this.#body, now);
  }

  // --- what is stored of the watch

  kept(): KeptWatch {
    return keptWatch(this.#body);
  }

  /** Must be called before `open()`. */
  resume(resumption: Resumption): void {
    resumeWatch(this.#body, resumption);
  }

  // --- what its wearer does [decisions 9]

  /** `swap`: carried out by the fleet if the action is to put on another watch. */
  perform(action: WatchAction, swap: (other: OtherWatch) => Promise<Acted>): Promise<Acted> {
    const now = this.#now();
    const acting: ActingWatch = {
      ...this.#body,
      now,
      conversation: this.#conversation,
      holes: this.#holes,
      revive: () => this.#revive(),
      replan: () => this.#around.replan(this.dueAt),
      reportNow: () => this.#reportNow(now),
      reportTwice: () => this.#begin(now),
      swap,
    };
    return perform(acting, action);
  }

  /** The reason why `perform` would refuse the action now; null if there is none. */
  objection(action: WatchAction): string | null {
    return objectionOf(this, action);
  }

  /** The wearers of two watches exchange them: each watch reports its position now, and again within a second. */
  async exchangeWearers(other: EmulatedWatch): Promise<Acted> {
    const now = this.#now();
    [this.#whereabouts, other.#whereabouts] = [other.#whereabouts, this.#whereabouts];
    this.#around.keeping.changed(other.serial);
    await other.#begin(now);
    return this.#begin(now);
  }

  /** The person's real position. */
  whereIs(): Point {
    return this.#whereabouts.at(this.#now());
  }

  // --- called by the conversation

  subscribed(now: Instant): void {
    this.#battery.seeCharger(now);
    if (!this.#battery.docked) this.#keepFix(now);
    this.#battery.report(now);
    this.#around.replan(this.dueAt);
  }

  intend(intents: readonly Intent[]): void {
    for (const intent of intents) {
      if (intent.do === 'replan') this.#around.replan(this.dueAt);
      else if (intent.do === 'hear-muster') this.#onMuster(intent.notice);
      else if (intent.do === 'be-rescued') this.plight.rescued(intent.alertType);
      else if (intent.do === 'answer-later') this.#reactions.answer(intent.fallId, intent.plan);
      else this.#reactions.seeVehicle(intent.warningId);
    }
  }

  #acknowledgeVehicle(warningId: string): Promise<Acted> {
    return this.#conversation.say(this.machine.report('vehicle_ack', { warning_id: warningId }, this.#now()));
  }

  #onMuster(notice: MusterNotice): void {
    this.#around.keeping.noticeShown(this.siteId, notice);
    this.#whereabouts.onMuster(notice, this.#now());
    this.#around.replan(this.#now() + 1);
  }

  // After a jump to another position: the service accepts two consecutive fixes sooner than one. [decisions 5]
  #begin(now: Instant): Promise<Acted> {
    this.#battery.seeCharger(now);
    this.machine.reportSoon(now);
    this.#around.replan(this.dueAt);
    return this.#reportNow(now);
  }

  // Without GPS there is no fix to report, and nothing to await.
  #reportNow(now: Instant): Promise<Acted> {
    if (!this.#cover.gps) return Promise.resolve({ done: 'sent', at: now });
    return this.#conversation.say(this.machine.reportPosition(this.#whereabouts.fix(now, this.machine)));
  }

  #keepFix(now: Instant): void {
    if (this.#cover.gps) this.machine.reportPosition(this.#whereabouts.fix(now, this.machine));
  }

  // The battery is empty, so there is no death message. To the service, the watch looks like one in a radio outage.
  // [realism 8]
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

/** The parts of an emulated watch. */
interface EmulatedWatchParts extends Pick<WatchBody, 'siteId' | 'whereabouts' | 'power' | 'machine'> {
  readonly key: string;
}
