/** The state machine of a watch, pure: its state, its screen, and its timed messages. It uses no clock and no socket. */

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

/** The wearer's planned answer to the prompt of a fall. */
export interface AnswerPlan {
  readonly answer: 'ok' | 'help';
  readonly afterMs: number;
}

/** What the watch or its wearer does after a message from the service. */
export type Intent =
  | { readonly do: 'answer-later'; readonly fallId: string; readonly plan: AnswerPlan }
  /** A vehicle is near, and the wearer may acknowledge the notice. */
  | { readonly do: 'see-vehicle'; readonly warningId: string }
  /** The site has a muster, other serving points, or no muster any more: the wearer notices it. */
  | { readonly do: 'hear-muster'; readonly notice: MusterNotice }
  /** The control room has resolved an alert of the wearer. */
  | { readonly do: 'be-rescued'; readonly alertType: AlertType }
  /** The next report is due at another time. */
  | { readonly do: 'replan' };

/** A queued message, and the message that was dropped to make room for it. */
export interface QueuedItem<I extends Item> {
  readonly item: I;
  readonly lost: Item | undefined;
}

interface MachineParts extends Pick<FleetWatch, 'lastSession' | 'positionEveryMs' | 'alarmEveryMs'> {
  readonly serial: string;
  /** The seed of the ids of event messages. */
  readonly salt: string;
  readonly worn: boolean | null;
  /** The point in the interval at which this watch reports, above 0 up to 1, so that not all watches report at once. */
  readonly stagger: number;
}

const NOTHING: readonly Intent[] = [];
const REPLAN: readonly Intent[] = [{ do: 'replan' }];

export class WatchMachine {
  readonly serial: string;
  /** Null if the watch has no wrist sensor. */
  worn: boolean | null;
  /**
   * How far the watch's own clock is ahead of the true time, in milliseconds. This clock stamps every `t`.
   * [watch-protocol]
   */
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

  /**
   * True while there is an alert or a muster: the watch then reports more often, and with QoS 1.
   * [watch-protocol `up/position`]
   */
  get alarmed(): boolean {
    return this.#screen.alarmed;
  }

  // --- the connection

  /** A new session begins with CONNECT, which carries the last will. */
  beginSession(): WatchDeath {
    this.#places.nextSession();
    return this.death();
  }

  /**
   * The watch is subscribed: its birth is published first. The service then sends everything open again.
   * [watch-protocol]
   */
  connected(now: Instant): void {
    this.#screen.clear();
    this.#outbox.beBorn();
    if (this.#nextReportAt === Number.POSITIVE_INFINITY) this.#staggerFrom(now);
  }

  /** The payload of the last will, and of the status before a disconnect. */
  death(): WatchDeath {
    return { online: false, session: this.session };
  }

  /** The next message to send, with its position in the session. `assured`: every message is sent with QoS 1. */
  next(now: Instant, assured: boolean): { readonly parcel: Parcel; readonly message: Message } | null {
    const parcel = this.#outbox.next();
    if (parcel === null) return null;
    return { parcel, message: messageOf(parcel, this.#places, now, assured || this.alarmed, this.skewMs) };
  }

  /** The parcel was acknowledged, or sent with QoS 0. */
  delivered(parcel: Parcel): void {
    this.#outbox.delivered(parcel);
  }

  // --- what the watch reports

  reportPosition(fix: PositionItem['fix']): QueuedItem<PositionItem> {
    const item: PositionItem = { is: 'position', fix };
    return { item, lost: this.#outbox.add(item) };
  }

  reportBattery(pct: number, now: Instant, charging = false): QueuedItem<BatteryItem> {
    const item: BatteryItem = { is: 'battery', at: now, pct, charging };
    return { item, lost: this.#outbox.add(item) };
  }

  /** A regular position was reported: the next one is due one interval later. */
  reported(now: Instant): void {
    const next = this.#nextReportAt + this.#everyMs;
    this.#nextReportAt = next > now ? next : now + this.#everyMs;
  }

  /**
   * The next regular position is due at the next look: the service accepts two consecutive fixes sooner than one.
   * [decisions 5]
   */
  reportSoon(now: Instant): void {
    this.#nextReportAt = Math.min(this.#nextReportAt, now + 1);
  }

  report(kind: UplinkEventKind, fields: EventItem['fields'], now: Instant): QueuedItem<EventItem> {
    // The time is part of the id: a crash may lose the last session number, and an id must never repeat.
    const id = idFrom(this.#salt, this.serial, this.session, ++this.#events, now);
    const item: EventItem = { is: 'event', kind, id, at: now, fields };
    return { item, lost: this.#outbox.add(item) };
  }

  /** A fall, and the wearer's planned answer to the prompt; null if they will not answer. */
  fall(plan: AnswerPlan | null, now: Instant): QueuedItem<EventItem> {
    const queued = this.report('fall', {}, now);
    if (plan !== null) remember(this.#plans, queued.item.id, plan);
    return queued;
  }

  /** The wearer answers the prompt. Returns null if none is shown. */
  answer(answer: 'ok' | 'help', now: Instant): QueuedItem<EventItem> | null {
    const prompt = this.#screen.takePrompt(now);
    return prompt === null ? null : this.report('prompt', { fall_id: prompt.fallId, answer }, now);
  }

  /**
   * The wearer acknowledges an alert; without an id, the newest one that is not acknowledged. Returns null if there is
   * none.
   */
  acknowledge(alertId: string | undefined, now: Instant): QueuedItem<EventItem> | null {
    const meant = alertId ?? this.#screen.newestToAcknowledge();
    if (meant === undefined) return null;
    this.#screen.acknowledged(meant);
    return this.report('ack', { alert_id: meant }, now);
  }

  // --- what the service sends

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

  /**
   * The final status ends the muster; the empty message that follows has no further effect.
   * [watch-protocol, fine print]
   */
  onMuster(notice: MusterNotice, now: Instant): readonly Intent[] {
    this.#screen.muster(notice);
    return [...this.#hasten(now), { do: 'hear-muster', notice }];
  }

  // --- what is stored

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

  /** `muster`: the notice that was on its screen. Must be called before the watch reports anything. */
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

  /** Restores the messages that were not yet delivered. */
  resumeOutbox(items: readonly (readonly [number, KeptItem])[]): void {
    this.#outbox.resume(items);
  }

  /** Plans the answer to a fall, for the time when its prompt is shown, again or for the first time. */
  plan(fallId: string, plan: AnswerPlan): void {
    remember(this.#plans, fallId, plan);
  }

  /** The undelivered messages, for the code that stores them. */
  get outbox(): Pick<Outbox, 'hasKept' | 'hasNews' | 'keep' | 'forget'> {
    return this.#outbox;
  }

  // --- what the screen shows

  /** The prompt, as long as it has not expired. */
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
    // The plan was deleted when the prompt was first shown. So a prompt that is repeated after a reconnect starts no
    // second answer.
    if (plan === undefined || !this.#plans.delete(fallId)) return NOTHING;
    return [{ do: 'answer-later', fallId, plan }];
  }

  get #everyMs(): number {
    return this.alarmed ? Math.min(this.#alarmEveryMs, this.#positionEveryMs) : this.#positionEveryMs;
  }

  // A first report is never due at the instant of its cause: in lock-step, no message may answer another in the same
  // instant.
  #staggerFrom(now: Instant): void {
    this.#nextReportAt = now + Math.max(1, Math.ceil(this.#stagger * this.#everyMs));
  }

  #hasten(now: Instant): readonly Intent[] {
    if (this.#nextReportAt === Number.POSITIVE_INFINITY || this.#nextReportAt <= now + this.#everyMs) return NOTHING;
    this.#staggerFrom(now);
    return REPLAN;
  }
}
