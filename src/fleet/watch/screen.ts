/** The content of a watch's screen, and what its wearer has dismissed. */
import type { Instant } from '../../base/time/clock.ts';
import type { DownAlert, DownAlertState, MusterNotice } from '../../contract/watch.ts';
import type { KeptScreen } from '../kept/documents.ts';

/** An are-you-ok prompt on the screen. */
export interface ShownPrompt {
  readonly fallId: string;
  readonly until: Instant;
}

/** What the watch's screen shows. */
export interface Shown {
  readonly prompt: ShownPrompt | null;
  /** Open alerts, the newest last. */
  readonly alerts: readonly DownAlertState[];
  readonly muster: MusterNotice | null;
  /** The muster's text on the screen; null if there is no muster. [watch-protocol `all/muster`] */
  readonly musterText: string | null;
  /** The heat alert that asks the wearer to stop and rest. */
  readonly rest: string | null;
  readonly vehicle: Extract<DownAlert, { kind: 'vehicle' }> | null;
}

/** The most alerts, acknowledgements and plans that a watch remembers. */
const MAX_REMEMBERED = 50;

export class Screen {
  readonly #alerts = new Map<string, DownAlertState>();
  readonly #acknowledged = new Map<string, true>();
  #prompt: ShownPrompt | null = null;
  #muster: MusterNotice | null = null;
  #rest: string | null = null;
  #vehicle: Shown['vehicle'] = null;

  get alarmed(): boolean {
    return this.#alerts.size > 0 || this.#muster !== null;
  }

  /** Empties the screen at each birth, since the service then sends everything open again. [watch-protocol] */
  clear(): void {
    this.#alerts.clear();
    this.#prompt = null;
    this.#muster = null;
  }

  show(prompt: ShownPrompt): void {
    this.#prompt = prompt;
  }

  alert(alert: DownAlertState): void {
    if (alert.status !== 'resolved') return remember(this.#alerts, alert.alert_id, alert);
    this.#alerts.delete(alert.alert_id);
    if (this.#rest === alert.alert_id) this.#rest = null;
  }

  rest(alertId: string): void {
    this.#rest = alertId;
  }

  vehicle(notice: Shown['vehicle']): void {
    this.#vehicle = notice;
  }

  muster(notice: MusterNotice): void {
    this.#muster = notice.status === 'active' ? notice : null;
  }

  /** The prompt, as long as it has not expired. It belongs to the service; the watch only shows it. [watch-protocol] */
  prompt(now: Instant): ShownPrompt | null {
    return this.#prompt !== null && now < this.#prompt.until ? this.#prompt : null;
  }

  /** Returns the prompt that is answered now, and removes it from the screen. */
  takePrompt(now: Instant): ShownPrompt | null {
    const prompt = this.prompt(now);
    this.#prompt = null;
    return prompt;
  }

  newestToAcknowledge(): string | undefined {
    return [...this.#alerts.keys()].findLast((id) => !this.#acknowledged.has(id));
  }

  acknowledged(alertId: string): void {
    remember(this.#acknowledged, alertId, true);
  }

  kept(): KeptScreen {
    return {
      prompt: this.#prompt,
      alerts: [...this.#alerts.values()],
      acknowledged: [...this.#acknowledged.keys()],
      muster: this.#muster === null ? null : noticeKey(this.#muster),
      rest: this.#rest,
      vehicle: this.#vehicle,
    };
  }

  /** `muster`: the notice that the stored key names; null if that notice does not exist any more. */
  resume({ prompt, alerts, acknowledged, rest, vehicle }: KeptScreen, muster: MusterNotice | null): void {
    this.#prompt = prompt;
    for (const alert of alerts) this.#alerts.set(alert.alert_id, alert);
    for (const id of acknowledged) this.#acknowledged.set(id, true);
    this.#muster = muster;
    this.#rest = rest;
    this.#vehicle = vehicle;
  }

  shown(now: Instant): Shown {
    return {
      prompt: this.prompt(now),
      alerts: [...this.#alerts.values()],
      muster: this.#muster,
      musterText: this.#muster === null ? null : textOf(this.#muster),
      rest: this.#rest,
      vehicle: this.#vehicle,
    };
  }
}

/**
 * A key that distinguishes the notices of a site's musters. Thousands of screens show the same notice, so each is
 * stored once.
 */
export const noticeKey = ({ muster_id, revision, phase, status }: MusterNotice): string =>
  `${muster_id}/${revision}/${phase}/${status}`;

function textOf({ kind, phase, points }: MusterNotice): string {
  if (phase === 'inspecting') return 'Do not return until further notice';
  const open = points.filter(({ status, serves }) => status === 'available' && serves.includes(kind));
  return open.length === 0
    ? 'Evacuate, and wait for word where to go'
    : `Evacuate to ${open.map(({ name }) => name).join(' or ')}`;
}

/** Keeps the newest entries; the oldest is dropped when there are too many. */
export function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value);
  if (map.size > MAX_REMEMBERED) map.delete(map.keys().next().value as string);
}
