/** What the checks of a watch can use: the recorded messages, the plant, and the driver of the device. */

import { assert } from '../../../base/assert.ts';
import { parseInstant } from '../../../base/time/instants.ts';
import { later, wallMs } from '../../../base/time/timers.ts';
import type { ActionBody } from '../../../contract/actions.ts';
import type { MusterKind } from '../../../contract/enumerations.ts';
import { type MusterNotice, musterTopic, type UplinkEventKind, type WatchPosition } from '../../../contract/watch.ts';
import type { DeviceCommand, DeviceDriver, DeviceReply, DeviceShows } from './device-driver.ts';
import type { JudgedBroker } from './raw-client.ts';
import type { TracedPublish, WatchTap } from './tap.ts';

/** A device waits up to 30 s, and half as much again by its jitter, before it tries to connect again. Wall ms. */
export const RECONNECT_MS = 45_000;

/** The interval of positions. */
export interface ReportPace {
  /** Null if fewer than two positions came. */
  readonly medianMs: number | null;
  readonly positions: readonly TracedPublish[];
}

/** One fix of a position message. */
interface ReportedFix extends WatchPosition {
  readonly message: TracedPublish;
  /** Ms since the Unix epoch; NaN if unreadable. */
  readonly tMs: number;
}

/** What happened during the outage that certify makes, and after it. */
interface OutageTrial {
  /** Ms since the Unix epoch. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Number of attempts to connect during the outage. */
  readonly attempts: number;
  /** How far the device's clock was ahead before the outage. */
  readonly aheadMs: number;
  /** The connection after the outage; null if the device did not connect again. */
  readonly connection: number | null;
  /** The reply to the request to press SOS; null if there was no request. */
  readonly pressed: DeviceReply | null;
}

/** The fields of all kinds of `down/alert`. */
type DownAlertFields = { readonly [K in 'kind' | 'fall_id' | 'until' | 'alert_id' | 'type' | 'status']?: string };

export class WatchBench {
  readonly tap: WatchTap;
  readonly service: WatchService;
  readonly hand: DeviceDriver | null;
  #state: PlantState = 'calm';
  /** Id of the active muster. */
  #muster = '';
  #outage: Promise<OutageTrial> | null = null;

  constructor(tap: WatchTap, service: WatchService, hand: DeviceDriver | null) {
    this.tap = tap;
    this.service = service;
    this.hand = hand;
  }

  /**
   * Brings the plant into the state, and waits until the device has received the notice. Returns false if the plant
   * does not allow the state.
   */
  async reach(state: PlantState): Promise<boolean> {
    if (state === 'any') return true;
    if (this.#state === 'muster' && state !== 'muster') await this.endMuster();
    if (state !== 'alert' || this.#state !== 'alert') await this.resolveAlerts();
    if (state === 'alert' && this.#state !== 'alert') {
      const raised = await this.service.act({ action: 'panel_sos', who: this.service.serial, by: 'certify' });
      await this.downAlert(({ kind, alert_id }) => kind === 'alert' && alert_id === raised?.alert_id);
    }
    if (state === 'muster' && this.#state !== 'muster') {
      const { siteId } = this.service;
      const start = {
        action: 'start_muster',
        kind: 'general',
        site: siteId,
        reason: 'certify',
        by: 'certify',
      } as const;
      const started = await this.service.act(start);
      if (started === null) return false;
      this.#muster = started.muster_id ?? '';
      await this.#notice(({ status }) => status === 'active');
    }
    this.#state = state;
    return true;
  }

  /** Ends the muster and resolves the alerts, without waiting for the device. */
  async tidy(): Promise<void> {
    if (this.#state === 'muster') await this.#endMuster();
    for (const alert of await this.service.openAlerts()) await this.#resolve(alert);
  }

  #endMuster(): ReturnType<WatchService['act']> {
    return this.service.act({ action: 'end_muster', muster: this.#muster, outcome: 'completed', by: 'certify' });
  }

  #resolve(alert: string): ReturnType<WatchService['act']> {
    return this.service.act({ action: 'resolve', alert, by: 'certify', via: 'panel' });
  }

  async endMuster(): Promise<void> {
    await this.#endMuster();
    await this.#notice(({ status }) => status !== 'active');
    this.#state = 'calm';
  }

  async resolveAlerts(): Promise<void> {
    for (const alert of await this.service.openAlerts()) {
      await this.#resolve(alert);
      await this.downAlert(({ alert_id, status }) => alert_id === alert && status === 'resolved');
    }
  }

  /**
   * Resolves with true when the device is connected and has published on the connection, or with false after the time
   * of a reconnection.
   */
  async connected(): Promise<boolean> {
    const { tap } = this;
    const isThere = () => tap.uplinks.some(({ connection }) => connection === tap.current?.number);
    return (await tap.until(isThere, RECONNECT_MS)) === true;
  }

  ask(command: DeviceCommand, words: string | null): Promise<DeviceReply> {
    assert(this.hand !== null, 'A check that asks for a command needs a device driver.');
    return this.hand.ask(command, words);
  }

  looks(question: string, isShown: (shows: DeviceShows) => boolean, { expected = true } = {}): Promise<boolean | null> {
    return this.hand === null ? Promise.resolve(null) : this.hand.looks(question, isShown, expected);
  }

  /** The current end of the record. What comes later is found with `since`. */
  get mark(): number {
    return this.tap.uplinks.length;
  }

  since(mark: number): readonly TracedPublish[] {
    return this.tap.uplinks.slice(mark);
  }

  /** Events of a kind after a mark. */
  events(kind: UplinkEventKind, mark = 0): readonly TracedPublish[] {
    return this.since(mark).filter(({ known }) => known?.way === 'up' && known.leaf === 'event' && known.kind === kind);
  }

  /** The first event of a kind after a mark, or null if none comes within the time that a command may take. */
  event(kind: UplinkEventKind, mark: number, limitMs = this.hand?.patienceMs ?? 0): Promise<TracedPublish | null> {
    return this.tap.until(() => this.events(kind, mark)[0], limitMs);
  }

  positions(mark = 0): readonly TracedPublish[] {
    return this.since(mark).filter(({ known }) => known?.way === 'up' && known.leaf === 'position');
  }

  fixes(mark = 0): readonly ReportedFix[] {
    return this.positions(mark).flatMap((message) => {
      const all = (Array.isArray(message.payload) ? message.payload : [message.payload]) as WatchPosition[];
      return all.map((fix) => ({ ...fix, message, tMs: parseInstant(String(fix?.t)) ?? Number.NaN }));
    });
  }

  /**
   * Measures the next positions. The first one ends an interval that began earlier, so it only starts the measurement.
   */
  async pace(everyMs: number): Promise<ReportPace> {
    const { mark } = this;
    const started = () => this.positions(mark).length > 0;
    const longMs = 2 * this.service.positionEveryMs + 2_000;
    await this.tap.until(started, longMs);
    const from = this.mark - 1;
    await this.tap.until(() => this.positions(from).length > MEASURED, MEASURED * everyMs + longMs);
    const positions = this.positions(from);
    const gaps = positions.slice(1).map(({ atMs }, i) => atMs - (positions[i]?.atMs ?? 0));
    return { medianMs: median(gaps), positions };
  }

  /** Waits for a message on `down/alert` that fits. An earlier message counts too. */
  async downAlert(fits: (payload: DownAlertFields) => boolean): Promise<TracedPublish | null> {
    return this.tap.until(
      () =>
        this.tap.downlinks.find(({ known, payload }) => {
          return known?.way === 'down' && known.leaf === 'alert' && fits((payload ?? {}) as DownAlertFields);
        }),
      NOTICE_MS,
    );
  }

  /** Changes the kind of the muster. */
  async changeKind(to: MusterKind): Promise<void> {
    await this.service.act({ action: 'change_kind', muster: this.#muster, to, by: 'certify' });
    await this.#notice(({ kind }) => kind === to);
  }

  /**
   * Begins the inspection, in which all are counted and nobody may return. Returns false if others are still missing.
   */
  async inspect(): Promise<boolean> {
    await this.service.act({ action: 'mark_safe', muster: this.#muster, who: this.service.serial, by: 'certify' });
    if ((await this.service.act({ action: 'inspect', muster: this.#muster, by: 'certify' })) === null) return false;
    await this.#notice(({ phase }) => phase === 'inspecting');
    return true;
  }

  /** The muster as the device has received it, or null if no notice of a muster has come. */
  get muster(): MusterNotice | null {
    const topic = musterTopic(this.service.siteId);
    const newest = this.tap.downlinks.findLast(({ topic: one, bytes }) => one === topic && bytes > 0);
    return (newest?.payload as MusterNotice | undefined) ?? null;
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => void later(ms, resolve));
  }

  /**
   * Breaks the connection for some reports, has the wearer press SOS meanwhile, and waits for what the device kept. The
   * outage is made only once.
   */
  outage(): Promise<OutageTrial> {
    this.#outage ??= this.#runOutageTrial();
    return this.#outage;
  }

  /** The next check that needs an outage makes its own: certify was too late to observe this one. */
  forgetOutage(): void {
    this.#outage = null;
  }

  async #runOutageTrial(): Promise<OutageTrial> {
    const { tap, service } = this;
    const before = tap.connections.length;
    // A judgement that is repeated has another outage before this one.
    const refused = tap.refusedAt.length;
    const known = this.fixes().at(-1);
    const aheadMs = known === undefined || Number.isNaN(known.tMs) ? 0 : known.tMs - known.message.wallMs;
    const fromMs = wallMs();
    tap.goOut();
    const lastsMs = Math.max(OUTAGE_REPORTS * service.positionEveryMs, 2_000);
    await this.pause(lastsMs / 2);
    const pressed =
      this.hand === null ? null : await this.ask({ do: 'sos' }, 'The network is gone. Press SOS on the watch.');
    await this.pause(lastsMs / 2);
    const toMs = wallMs();
    const attempts = tap.refusedAt.length - refused;
    tap.comeBack();
    const isBack = () => tap.current !== null && tap.current.number > before && tap.current.number;
    const connection = await tap.until(isBack, RECONNECT_MS);
    // A fix from after the outage shows that all fixes before it were sent, if the oldest is sent first.
    const isFresh = ({ message, tMs }: ReportedFix) =>
      message.connection === connection && tMs - aheadMs > toMs + service.positionEveryMs;
    if (connection !== null) await tap.until(() => this.fixes().some(isFresh), 4 * service.positionEveryMs + 3_000);
    return { fromMs, toMs, aheadMs, attempts, connection, pressed };
  }

  async #notice(fits: (notice: MusterNotice) => boolean): Promise<void> {
    await this.tap.until(() => this.muster !== null && fits(this.muster), NOTICE_MS);
  }
}

const median = (numbers: readonly number[]): number | null =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? null;

/** Number of gaps between positions that are measured. */
const MEASURED = 3;
/** Duration of the outage in report intervals. */
const OUTAGE_REPORTS = 4;
/** The service's own notices are prompt; wall ms. */
export const NOTICE_MS = 2_000;

/** What the checks need of the sandbox behind the broker. */
export interface WatchService {
  readonly serial: string;
  readonly key: string;
  readonly siteId: string;
  /** The values of `down/config`, in wall milliseconds. */
  readonly positionEveryMs: number;
  readonly alarmEveryMs: number;
  readonly promptMs: number;
  readonly broker: JudgedBroker;
  /** Performs an action of the catalogue. Resolves with null if the state of the plant does not allow it. */
  act(body: ActionBody): Promise<{ readonly alert_id?: string; readonly muster_id?: string } | null>;
  /** Ids of the open alerts of the wearer, oldest first. */
  openAlerts(): Promise<readonly string[]>;
  /** The input of this watch that the service noted or refused, as `sandbox logs watches` shows it. */
  noted(): Promise<readonly string[]>;
}

/** `calm`: no alert and no muster. `alert`: the control room has raised an SOS for the wearer. */
export type PlantState = 'calm' | 'alert' | 'muster' | 'any';
