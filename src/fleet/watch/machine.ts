/** The state machine of a watch, pure: its state, its screen, and its messages with their times. It uses no clock and no socket. */

import { unreachable } from '../../base/assert.ts';
import { idFrom } from '../../base/ids.ts';
import type { Instant } from '../../base/time/clock.ts';
import { parseInstant } from '../../base/time/instants.ts';
import type { AlertType } from '../../contract/enumerations.ts';
import type { DownAlert, DownConfig, MusterNotice, UplinkEventKind, WatchDeath } from '../../contract/watch.ts';
import { type Message, MessagePositions, messageOf } from '../connection/messages.ts';
import {
  type BatteryItem,
  type EventItem,
  type Item,
  type KeptItem,
  Outbox,
  type Parcel,
  type PositionItem,
} from '../connection/outbox.ts';
import { type KeptMachine, keptInstant, resumedInstant } from '../kept/documents.ts';
import type { FleetWatch } from './fleet-watch.ts';
import { remember, Screen, type Shown, type ShownPrompt } from './screen.ts';

/** How the wearer means to answer the prompt of a fall. */
export interface AnswerPlan {
  readonly answer: 'ok' | 'help';
  readonly afterMs: number;
}

/** What a message from the service makes the watch or its wearer do. */
export type Intent =
  | { readonly do: 'answer-later'; readonly fallId: string; readonly plan: AnswerPlan }
  /** A vehicle is near, and the wearer may say that they saw it. */
  | { readonly do: 'see-vehicle'; readonly warningId: string }
  /** The site has a muster, or other targets, or none any more: the wearer notices it. */
  | { readonly do: 'hear-muster'; readonly notice: MusterNotice }
  /** The control room has resolved an alert of the wearer. */
  | { readonly do: 'be-rescued'; readonly alertType: AlertType }
  /** The next report is due at another time. */
  | { readonly do: 'replan' };

/** Something new to say, and what was lost to make room for it. */
export interface QueuedItem<I extends Item> {
  readonly item: I;
  readonly lost: Item | undefined;
}

interface MachineParts extends Pick<FleetWatch, 'lastSession' | 'positionEveryMs' | 'alarmEveryMs'> {
  readonly serial: string;
  /** Ids of event messages are made from it. */
  readonly salt: string;
  readonly worn: boolean | null;
  /** Where in the interval this watch reports, above 0 up to 1: not all at once. */
  readonly stagger: number;
}

const NOTHING: readonly Intent[] = [];
const REPLAN: readonly Intent[] = [{ do: 'replan' }];

export class WatchMachine {
  readonly serial: string;
  /** Null: the watch has no wrist sensor. */
  worn: boolean | null;
  /** How far the watch's own clock is ahead of the true time; it stamps every `t`. [watch-protocol] */
  skewMs = 0;
  readonly #salt: string;
  readonly #stagger: number;
  readonly #outbox = new Outbox();
  readonly #screen = new Screen();
  readonly #plans = new Map<string, AnswerPlan>();
  readonly #places: MessagePositions;
  #events = 0;
  #positionEveryMs: number;
  #alarmEveryMs: number;
  #nextReportAt: Instant = Number.POSITIVE_INFINITY;

  constructor(parts: MachineParts) {
    this.serial = parts.serial;
    this.worn = parts.worn;
    this.#salt = parts.salt;
    this.#stagger = parts.stagger;
    this.#places = new MessagePositions(parts.lastSession);
    this.#positionEveryMs = parts.positionEveryMs;
    this.#alarmEveryMs = parts.alarmEveryMs;
  }

  get session(): number {
    return this.#places.session;
  }

  /** When the next regular position is due. */
  get nextReportAt(): Instant {
    return this.#nextReportAt;
  }

  /** There is an alert or a muster: the watch reports more often, and with QoS 1. [watch-protocol `up/position`] */
  get alarmed(): boolean {
    return this.#screen.alarmed;
  }

  // --- the connection

  /** A new session begins with CONNECT, where its last will is given away. */
  beginSession(): WatchDeath {
    this.#places.nextSession();
    return this.death();
  }

  /** Subscribed: the birth is published first. The service then repeats all that is open. [watch-protocol] */
  connected(now: Instant): void {
    this.#screen.clear();
    this.#outbox.beBorn();
    if (this.#nextReportAt === Number.POSITIVE_INFINITY) this.#staggerFrom(now);
  }

  /** The last will, and the goodbye. */
  death(): WatchDeath {
    return { online: false, session: this.session };
  }

  /** What is to be sent next, with its place in the session; `assured`: with QoS 1 whatever it is. */
  next(now: Instant, assured: boolean): { readonly parcel: Parcel; readonly message: Message } | null {
    const parcel = this.#outbox.next();
    if (parcel === null) return null;
    return { parcel, message: messageOf(parcel, this.#places, now, assured || this.alarmed, this.skewMs) };
  }

  /** It was acknowledged, or sent as well as it could be. */
  delivered(parcel: Parcel): void {
    this.#outbox.delivered(parcel);
  }

  // --- what there is to say

  reportPosition(fix: PositionItem['fix']): QueuedItem<PositionItem> {
    const item: PositionItem = { is: 'position', fix };
    return { item, lost: this.#outbox.add(item) };
  }

  reportBattery(pct: number, now: Instant, charging = false): QueuedItem<BatteryItem> {
    const item: BatteryItem = { is: 'battery', at: now, pct, charging };
    return { item, lost: this.#outbox.add(item) };
  }

  /** A regular position was due: the next is one interval later. */
  reported(now: Instant): void {
    const next = this.#nextReportAt + this.#everyMs;
    this.#nextReportAt = next > now ? next : now + this.#everyMs;
  }

  /** The next regular position comes at the next look: two fixes running are believed sooner than one. [decisions 5] */
  reportSoon(now: Instant): void {
    this.#nextReportAt = Math.min(this.#nextReportAt, now + 1);
  }

  report(kind: UplinkEventKind, fields: EventItem['fields'], now: Instant): QueuedItem<EventItem> {
    // The time is in it: a session's number may be lost with the service's last second, and an id must not come back.
    const id = idFrom(this.#salt, this.serial, this.session, ++this.#events, now);
    const item: EventItem = { is: 'event', kind, id, at: now, fields };
    return { item, lost: this.#outbox.add(item) };
  }

  /** A fall, and how its wearer will answer the prompt; null: not at all. */
  fall(plan: AnswerPlan | null, now: Instant): QueuedItem<EventItem> {
    const queued = this.report('fall', {}, now);
    if (plan !== null) remember(this.#plans, queued.item.id, plan);
    return queued;
  }

  /** The wearer answers what is shown; null where nothing is. */
  answer(answer: 'ok' | 'help', now: Instant): QueuedItem<EventItem> | null {
    const prompt = this.#screen.takePrompt(now);
    return prompt === null ? null : this.report('prompt', { fall_id: prompt.fallId, answer }, now);
  }

  /** The wearer acknowledges an alert; without one the newest that they have not; null where there is none. */
  acknowledge(alertId: string | undefined, now: Instant): QueuedItem<EventItem> | null {
    const meant = alertId ?? this.#screen.newestToAcknowledge();
    if (meant === undefined) return null;
    this.#screen.acknowledged(meant);
    return this.report('ack', { alert_id: meant }, now);
  }

  // --- what the service says

  onAlert(alert: DownAlert, now: Instant): readonly Intent[] {
    switch (alert.kind) {
      case 'prompt':
        return this.#onPrompt(alert.fall_id, parseInstant(alert.until) ?? now, now);
      case 'alert':
        this.#screen.alert(alert);
        return alert.status === 'resolved'
          ? [...this.#hasten(now), { do: 'be-rescued', alertType: alert.type }]
          : this.#hasten(now);
      case 'rest':
        this.#screen.rest(alert.alert_id);
        return NOTHING;
      case 'vehicle':
        this.#screen.vehicle(alert);
        return [{ do: 'see-vehicle', warningId: alert.warning_id }];
      default:
        return unreachable(alert);
    }
  }

  onConfig({ position_every_s, alarm_every_s }: DownConfig, now: Instant): readonly Intent[] {
    const before = this.#everyMs;
    this.#positionEveryMs = Math.ceil(position_every_s * 1000);
    this.#alarmEveryMs = Math.ceil(alarm_every_s * 1000);
    if (this.#everyMs === before || this.#nextReportAt === Number.POSITIVE_INFINITY) return NOTHING;
    this.#staggerFrom(now);
    return REPLAN;
  }

  /** The final status ends it; the empty message that follows says nothing more. [watch-protocol, fine print] */
  onMuster(notice: MusterNotice, now: Instant): readonly Intent[] {
    this.#screen.muster(notice);
    return [...this.#hasten(now), { do: 'hear-muster', notice }];
  }

  // --- what is kept

  kept(): KeptMachine {
    return {
      session: this.session,
      events: this.#events,
      worn: this.worn,
      skewMs: this.skewMs,
      positionEveryMs: this.#positionEveryMs,
      alarmEveryMs: this.#alarmEveryMs,
      nextReportAt: keptInstant(this.#nextReportAt),
      plans: Array.from(this.#plans, ([fallId, { answer, afterMs }]) => ({ fallId, answer, afterMs })),
      screen: this.#screen.kept(),
    };
  }

  /** `muster`: the notice that was on its screen. Only before it says anything. */
  resume(kept: KeptMachine, muster: MusterNotice | null, gapMs: number): void {
    this.#places.resume(kept.session);
    this.#events = kept.events;
    this.worn = kept.worn;
    this.skewMs = kept.skewMs;
    this.#positionEveryMs = kept.positionEveryMs;
    this.#alarmEveryMs = kept.alarmEveryMs;
    this.#nextReportAt = resumedInstant(kept.nextReportAt, gapMs);
    for (const { fallId, answer, afterMs } of kept.plans) this.#plans.set(fallId, { answer, afterMs });
    this.#screen.resume(kept.screen, muster);
  }

  /** What it had still to say. */
  resumeOutbox(items: readonly (readonly [number, KeptItem])[]): void {
    this.#outbox.resume(items);
  }

  /** How a fall is to be answered once its prompt is shown, again or for the first time. */
  plan(fallId: string, plan: AnswerPlan): void {
    remember(this.#plans, fallId, plan);
  }

  /** What it has to say, for who keeps it. */
  get outbox(): Pick<Outbox, 'hasKept' | 'hasNews' | 'keep' | 'forget'> {
    return this.#outbox;
  }

  // --- what is shown

  /** The prompt while its time lasts. */
  prompt(now: Instant): ShownPrompt | null {
    return this.#screen.prompt(now);
  }

  shown(now: Instant): Shown {
    return this.#screen.shown(now);
  }

  #onPrompt(fallId: string, until: Instant, now: Instant): readonly Intent[] {
    if (until <= now) return NOTHING;
    this.#screen.show({ fallId, until });
    const plan = this.#plans.get(fallId);
    // Repeated after a reconnect, the prompt finds its wearer thinking already.
    if (plan === undefined || !this.#plans.delete(fallId)) return NOTHING;
    return [{ do: 'answer-later', fallId, plan }];
  }

  get #everyMs(): number {
    return this.alarmed ? Math.min(this.#alarmEveryMs, this.#positionEveryMs) : this.#positionEveryMs;
  }

  // A first report never comes in the instant of what called for it, so that no message answers another in lock-step.
  #staggerFrom(now: Instant): void {
    this.#nextReportAt = now + Math.max(1, Math.ceil(this.#stagger * this.#everyMs));
  }

  #hasten(now: Instant): readonly Intent[] {
    if (this.#nextReportAt === Number.POSITIVE_INFINITY || this.#nextReportAt <= now + this.#everyMs) return NOTHING;
    this.#staggerFrom(now);
    return REPLAN;
  }
}
