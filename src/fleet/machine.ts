/** The watch itself, pure: what it knows, what it shows, what it has to say and when; it reads no clock and touches no socket. */
import { unreachable } from '../base/assert.ts';
import type { Instant } from '../base/clock.ts';
import { idFrom } from '../base/ids.ts';
import { formatInstant, parseInstant } from '../base/instants.ts';
import type {
  DownAlert,
  DownAlertState,
  DownConfig,
  MusterNotice,
  UplinkEventKind,
  WatchDeath,
} from '../contract/watch.ts';
import { type BatteryItem, type EventItem, type Item, Outbox, type Parcel, type PositionItem } from './outbox.ts';

export const FIRMWARE = 'sandbox-watch 1.0';

/** An uplink as it goes on the wire; `leaf` stands after `up/`. */
export interface Message {
  readonly leaf: string;
  readonly payload: unknown;
  readonly qos: 0 | 1;
  readonly retain: boolean;
}

/** How the wearer means to answer the prompt of a fall. */
export interface AnswerPlan {
  readonly answer: 'ok' | 'help';
  readonly afterMs: number;
}

/** What a message from the service makes the watch or its wearer do. */
export type Intent =
  | { readonly do: 'answer-later'; readonly fallId: string; readonly plan: AnswerPlan }
  /** The next report is due at another time. */
  | { readonly do: 'replan' };

/** An are-you-ok prompt on the screen. */
export interface ShownPrompt {
  readonly fallId: string;
  readonly until: Instant;
}

/** What stands on the watch's screen. */
export interface Shown {
  readonly prompt: ShownPrompt | null;
  /** Open alerts, the newest last. */
  readonly alerts: readonly DownAlertState[];
  readonly muster: MusterNotice | null;
  /** The heat alert that asks the wearer to stop and rest. */
  readonly rest: string | null;
  readonly vehicle: Extract<DownAlert, { kind: 'vehicle' }> | null;
}

/** Something new to say, and what was lost to make room for it. */
export interface Said<I extends Item> {
  readonly item: I;
  readonly lost: Item | undefined;
}

export interface MachineParts {
  readonly serial: string;
  /** Ids of event messages are made from it. */
  readonly salt: string;
  /** The number of the last session that the service heard of. */
  readonly lastSession: number;
  readonly worn: boolean | null;
  readonly positionEveryMs: number;
  readonly alarmEveryMs: number;
  /** Where in the interval this watch reports, above 0 up to 1: not all at once. */
  readonly stagger: number;
}

/** Alerts, acknowledgements and plans that a watch remembers. */
const MAX_REMEMBERED = 50;

const NOTHING: readonly Intent[] = [];
const REPLAN: readonly Intent[] = [{ do: 'replan' }];

export class WatchMachine {
  readonly serial: string;
  readonly worn: boolean | null;
  readonly #salt: string;
  readonly #stagger: number;
  readonly #outbox = new Outbox();
  readonly #alerts = new Map<string, DownAlertState>();
  readonly #acknowledged = new Set<string>();
  readonly #plans = new Map<string, AnswerPlan>();
  #session: number;
  #seq = 0;
  #events = 0;
  #positionEveryMs: number;
  #alarmEveryMs: number;
  #nextReportAt: Instant = Number.POSITIVE_INFINITY;
  #prompt: ShownPrompt | null = null;
  #muster: MusterNotice | null = null;
  #rest: string | null = null;
  #vehicle: Shown['vehicle'] = null;

  constructor(parts: MachineParts) {
    this.serial = parts.serial;
    this.worn = parts.worn;
    this.#salt = parts.salt;
    this.#stagger = parts.stagger;
    this.#session = parts.lastSession;
    this.#positionEveryMs = parts.positionEveryMs;
    this.#alarmEveryMs = parts.alarmEveryMs;
  }

  get session(): number {
    return this.#session;
  }

  /** When the next regular position is due. */
  get nextReportAt(): Instant {
    return this.#nextReportAt;
  }

  /** There is an alert or a muster: the watch reports more often, and with QoS 1. [watch-protocol `up/position`] */
  get alarmed(): boolean {
    return this.#alerts.size > 0 || this.#muster !== null;
  }

  // --- the connection

  /** A new session begins with CONNECT, where its last will is given away. */
  beginSession(): WatchDeath {
    this.#session++;
    this.#seq = 0;
    return this.death();
  }

  /** Subscribed: the birth is said first. The service will say again all that is open. [watch-protocol] */
  connected(now: Instant): void {
    this.#alerts.clear();
    this.#prompt = null;
    this.#muster = null;
    this.#outbox.beBorn();
    if (this.#nextReportAt === Number.POSITIVE_INFINITY) this.#staggerFrom(now);
  }

  /** The last will, and the goodbye. */
  death(): WatchDeath {
    return { online: false, session: this.#session };
  }

  /** What is to be sent next, with its place in the session; `assured`: with QoS 1 whatever it is. */
  next(now: Instant, assured: boolean): { readonly parcel: Parcel; readonly message: Message } | null {
    const parcel = this.#outbox.next();
    return parcel === null ? null : { parcel, message: this.#messageOf(parcel, now, assured) };
  }

  /** It was heard for certain, or sent as well as it could be. */
  delivered(parcel: Parcel): void {
    this.#outbox.delivered(parcel);
  }

  // --- what there is to say

  reportPosition(fix: PositionItem['fix']): Said<PositionItem> {
    const item: PositionItem = { is: 'position', fix };
    return { item, lost: this.#outbox.add(item) };
  }

  reportBattery(pct: number, now: Instant): Said<BatteryItem> {
    const item: BatteryItem = { is: 'battery', at: now, pct };
    return { item, lost: this.#outbox.add(item) };
  }

  /** A regular position was due: the next is one interval later. */
  reported(now: Instant): void {
    const next = this.#nextReportAt + this.#everyMs;
    this.#nextReportAt = next > now ? next : now + this.#everyMs;
  }

  report(kind: UplinkEventKind, fields: EventItem['fields'], now: Instant): Said<EventItem> {
    // The time is in it: a session's number may be lost with the service's last second, and an id must not come back.
    const id = idFrom(this.#salt, this.serial, this.#session, ++this.#events, now);
    const item: EventItem = { is: 'event', kind, id, at: now, fields };
    return { item, lost: this.#outbox.add(item) };
  }

  /** A fall, and how its wearer will answer the prompt; null: not at all. */
  fall(plan: AnswerPlan | null, now: Instant): Said<EventItem> {
    const said = this.report('fall', {}, now);
    if (plan !== null) remember(this.#plans, said.item.id, plan);
    return said;
  }

  /** The wearer answers what is shown; null where nothing is. */
  answer(answer: 'ok' | 'help', now: Instant): Said<EventItem> | null {
    const prompt = this.prompt(now);
    if (prompt === null) return null;
    this.#prompt = null;
    return this.report('prompt', { fall_id: prompt.fallId, answer }, now);
  }

  /** The wearer acknowledges an alert; without one the newest that they have not; null where there is none. */
  acknowledge(alertId: string | undefined, now: Instant): Said<EventItem> | null {
    const newest = [...this.#alerts.keys()].findLast((id) => !this.#acknowledged.has(id));
    const meant = alertId ?? newest;
    if (meant === undefined) return null;
    this.#acknowledged.add(meant);
    if (this.#acknowledged.size > MAX_REMEMBERED) this.#acknowledged.delete(oldest(this.#acknowledged));
    return this.report('ack', { alert_id: meant }, now);
  }

  // --- what the service says

  heardAlert(told: DownAlert, now: Instant): readonly Intent[] {
    switch (told.kind) {
      case 'prompt':
        return this.#heardPrompt(told.fall_id, parseInstant(told.until) ?? now, now);
      case 'alert':
        if (told.status === 'resolved') this.#alerts.delete(told.alert_id);
        else remember(this.#alerts, told.alert_id, told);
        if (told.status === 'resolved' && this.#rest === told.alert_id) this.#rest = null;
        return this.#hasten(now);
      case 'rest':
        this.#rest = told.alert_id;
        return NOTHING;
      case 'vehicle':
        this.#vehicle = told;
        return NOTHING;
      default:
        return unreachable(told);
    }
  }

  heardConfig({ position_every_s, alarm_every_s }: DownConfig, now: Instant): readonly Intent[] {
    const before = this.#everyMs;
    this.#positionEveryMs = Math.ceil(position_every_s * 1000);
    this.#alarmEveryMs = Math.ceil(alarm_every_s * 1000);
    if (this.#everyMs === before || this.#nextReportAt === Number.POSITIVE_INFINITY) return NOTHING;
    this.#staggerFrom(now);
    return REPLAN;
  }

  /** The final status ends it; the empty message that follows says nothing more. [watch-protocol, fine print] */
  heardMuster(told: MusterNotice, now: Instant): readonly Intent[] {
    this.#muster = told.status === 'active' ? told : null;
    return this.#hasten(now);
  }

  // --- what is shown

  /** The prompt while its time lasts: it belongs to the service, the watch only shows it. [watch-protocol] */
  prompt(now: Instant): ShownPrompt | null {
    return this.#prompt !== null && now < this.#prompt.until ? this.#prompt : null;
  }

  shown(now: Instant): Shown {
    return {
      prompt: this.prompt(now),
      alerts: [...this.#alerts.values()],
      muster: this.#muster,
      rest: this.#rest,
      vehicle: this.#vehicle,
    };
  }

  #heardPrompt(fallId: string, until: Instant, now: Instant): readonly Intent[] {
    if (until <= now) return NOTHING;
    this.#prompt = { fallId, until };
    const plan = this.#plans.get(fallId);
    // Told again after a reconnect, the prompt finds its wearer thinking already.
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

  #messageOf(parcel: Parcel, now: Instant, assured: boolean): Message {
    const telemetryQos = assured || this.alarmed ? 1 : 0;
    switch (parcel.is) {
      case 'birth': {
        const birth = { online: true, session: this.#session, firmware: FIRMWARE, t: formatInstant(now) };
        return { leaf: 'status', payload: birth, qos: 1, retain: true };
      }
      case 'event': {
        const { kind, id, at, fields } = parcel.item;
        return { leaf: `event/${kind}`, payload: { id, ...this.#stamp(at), ...fields }, qos: 1, retain: false };
      }
      case 'positions': {
        const fixes = parcel.items.map(({ fix }) => ({ session: this.#session, seq: ++this.#seq, ...fix }));
        return { leaf: 'position', payload: fixes.length === 1 ? fixes[0] : fixes, qos: telemetryQos, retain: false };
      }
      case 'battery': {
        const { pct, at } = parcel.item;
        const payload = { ...this.#stamp(at), pct, charging: false };
        return { leaf: 'battery', payload, qos: telemetryQos, retain: false };
      }
    }
  }

  #stamp(at: Instant) {
    return { session: this.#session, seq: ++this.#seq, t: formatInstant(at) };
  }
}

function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value);
  if (map.size > MAX_REMEMBERED) map.delete(oldest(map));
}

const oldest = (of: Map<string, unknown> | Set<string>): string => of.keys().next().value as string;
