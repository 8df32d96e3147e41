/** What every fault needs: a sandbox as a child process, a receiver that keeps all that it got, writers that count what was acknowledged, and the comparison of the two. */
import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import type { Lack } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { RunningSandbox } from '../product/sandbox-process.ts';
import { Receiver } from '../service/webhooks/receiver.ts';

/** `brief` is for CI, `whole` for `npm run faults`. */
export type Extent = 'brief' | 'whole';

export interface FaultReport {
  readonly figures: Readonly<Record<string, string | number>>;
  /** What must hold and does not. */
  readonly broken: readonly string[];
  /** Over a limit of time or memory. */
  readonly slow: readonly string[];
}

export interface Fault {
  readonly id: string;
  readonly title: string;
  /** Left out by `--brief`. */
  readonly wholeOnly?: boolean;
  /** Null: it can be tried here; else what is missing. */
  readonly missing?: () => Lack | null;
  readonly run: (extent: Extent) => Promise<FaultReport>;
}

/** Collects sentences that do not hold. */
export class Findings {
  readonly broken: string[] = [];
  /** Figures of time and memory beyond their limit: a busy machine can be the reason, so they are printed and break nothing. */
  readonly slow: string[] = [];

  must(holds: boolean, sentence: string): void {
    if (!holds) this.broken.push(sentence);
  }

  should(holds: boolean, sentence: string): void {
    if (!holds) this.slow.push(sentence);
  }

  report(figures: FaultReport['figures']): FaultReport {
    return { figures, broken: this.broken, slow: this.slow };
  }
}

interface LoggedEvent {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

export interface Compared {
  readonly acknowledged: number;
  /** Acknowledged changes without an event in the log. */
  readonly lost: number;
  readonly events: number;
  /** Events of the log that the receiver never got. */
  readonly undelivered: number;
  /** Deliveries whose bytes differ from those of the first, or from the log. */
  readonly otherBytes: number;
  readonly duplicates: number;
  /** Changes that were written, and not acknowledged when the process died. */
  readonly unknown: number;
}

const HOST = 'receiver.example';

/** One data folder, over as many processes as it takes. */
export class FaultPlant {
  readonly receiver: Receiver;
  readonly dataDir: string;
  readonly #remove: () => void;
  readonly #args: readonly string[];
  sandbox!: RunningSandbox;
  /** Acknowledged changes, by alert and type of event. */
  readonly #acknowledged = new Map<string, number>();
  #answered = 0;
  #writing = false;
  readonly refused = new Map<number, number>();

  private constructor(receiver: Receiver, folder: { readonly path: string; remove(): void }, args: readonly string[]) {
    this.receiver = receiver;
    this.dataDir = folder.path;
    this.#remove = () => folder.remove();
    this.#args = args;
  }

  static async make(args: readonly string[] = [], dataDir?: string): Promise<FaultPlant> {
    const folder = dataDir === undefined ? ownFolder() : { path: dataDir, remove: () => {} };
    return new FaultPlant(await Receiver.start(), folder, ['--seed', '7', '--watches', '6', '--no-fleet', ...args]);
  }

  /** Boots it; `preload`: a file of `preload/` with its environment. */
  async up(preload?: string, env: Record<string, string> = {}): Promise<RunningSandbox> {
    const file =
      preload === undefined ? '' : pathToFileURL(new URL(`preload/${preload}`, import.meta.url).pathname).href;
    this.sandbox = await RunningSandbox.up(
      ['--data-dir', this.dataDir, '--forward', `${HOST}=${this.receiver.url.origin}`, ...this.#args],
      { env: { ...env, ...(preload === undefined ? {} : { NODE_OPTIONS: `--import=${file}` }) } },
    );
    return this.sandbox;
  }

  control(method: string, path: string, body?: unknown) {
    return this.sandbox.call(method, path, this.sandbox.ready.control_token, body);
  }

  async destination(url = `https://${HOST}/hook`, types: readonly string[] = ['alert.*']): Promise<string> {
    const token = await this.sandbox.token();
    const { status, body } = await this.sandbox.call('POST', '/v1/webhooks', token, { url, event_types: types });
    if (status !== 201) throw new Error(`the destination ${url} was refused: ${JSON.stringify(body)}`);
    return body.id;
  }

  /** Alerts of the sites of the first company, which can be resolved and opened again for ever. */
  async openAlerts(): Promise<string[]> {
    const token = await this.sandbox.token();
    const { body: sites } = await this.sandbox.call('GET', '/v1/sites', token);
    const alerts: string[] = [];
    const quake = { kind: 'earthquake', magnitude: 6.5, distance_km: 60 };
    const wave = { kind: 'tsunami_risk' };
    for (const { name } of sites.data)
      for (const hazard of [quake, wave]) {
        const { body } = await this.control('POST', '/v1/sandbox/actions', { action: 'hazard', site: name, ...hazard });
        if (body.result === undefined) throw new Error(`the hazard was refused: ${JSON.stringify(body)}`);
        alerts.push(body.result.alert_id);
        this.#count(body.result.alert_id, 'alert.created');
      }
    return alerts;
  }

  #count(alert: string, type: string): void {
    const key = `${alert} ${type}`;
    this.#acknowledged.set(key, (this.#acknowledged.get(key) ?? 0) + 1);
    this.#answered += 1;
  }

  get answered(): number {
    return this.#answered;
  }

  /** One change, acknowledged by 200. Null: the process was gone before it answered. */
  async change(alert: string, to: 'resolve' | 'reopen'): Promise<number | null> {
    const body =
      to === 'resolve' ? { action: to, alert, by: 'Desk', reason: 'done' } : { action: to, alert, by: 'Desk' };
    try {
      const { status } = await this.control('POST', '/v1/sandbox/actions', body);
      if (status === 200) this.#count(alert, to === 'resolve' ? 'alert.resolved' : 'alert.reopened');
      else this.refused.set(status, (this.refused.get(status) ?? 0) + 1);
      return status;
    } catch {
      return null;
    }
  }

  /** A writer for each alert, until `stopWriting` or the end of the process. `everyMs` 0: as fast as it is answered. */
  async write(alerts: readonly string[], everyMs = 0): Promise<void> {
    this.#writing = true;
    const { child } = this.sandbox;
    const lives = () => child.exitCode === null && child.signalCode === null;
    await Promise.all(
      alerts.map(async (alert) => {
        while (this.#writing && lives()) {
          const startedAt = performance.now();
          // An open alert refuses it with 409. To resolve twice would be answered like once, with one event.
          const reopened = await this.change(alert, 'reopen');
          if (reopened === 200 || reopened === 409) await this.change(alert, 'resolve');
          else await pause(5);
          const leftMs = everyMs - (performance.now() - startedAt);
          if (leftMs > 0) await pause(leftMs);
        }
      }),
    );
  }

  stopWriting(): void {
    this.#writing = false;
  }

  /** Every event of the log as its bytes are; the client's own way would be limited to 600 requests a minute. */
  log(): LoggedEvent[] {
    const database = new Database(`${this.dataDir}/world.db`, { readonly: true });
    const rows = database
      .prepare('SELECT id, type, body FROM events WHERE listed = 1 ORDER BY seq')
      .all() as LoggedEvent[];
    database.close();
    return rows;
  }

  integrity(): boolean {
    const database = new Database(`${this.dataDir}/world.db`, { readonly: true });
    const found = database.pragma('integrity_check') as { integrity_check: string }[];
    database.close();
    return found.length === 1 && found[0]?.integrity_check === 'ok';
  }

  /** Resolves when the receiver has every event of the log, or after `withinMs` of wall time. */
  async drained(withinMs = 300_000): Promise<void> {
    const end = performance.now() + withinMs;
    for (;;) {
      const got = new Set(this.receiver.received.map(({ eventId }) => eventId));
      if (this.#ids().every(({ id }) => got.has(id)) || performance.now() > end) return;
      await pause(250);
    }
  }

  #ids(): { readonly id: string }[] {
    const database = new Database(`${this.dataDir}/world.db`, { readonly: true });
    const rows = database.prepare('SELECT id FROM events WHERE listed = 1').all() as { readonly id: string }[];
    database.close();
    return rows;
  }

  /** Deliveries beyond the first of each event. */
  get duplicates(): number {
    const { received } = this.receiver;
    return received.length - new Set(received.map(({ eventId }) => eventId)).size;
  }

  compare(): Compared {
    const log = this.log();
    const written = new Map<string, number>();
    for (const { type, body } of log) {
      const { data } = JSON.parse(body) as { data: { alert?: { id: string } } };
      if (data.alert === undefined) continue;
      const key = `${data.alert.id} ${type}`;
      written.set(key, (written.get(key) ?? 0) + 1);
    }
    let [lost, unknown] = [0, 0];
    for (const [key, count] of this.#acknowledged) lost += Math.max(0, count - (written.get(key) ?? 0));
    for (const [key, count] of written) unknown += Math.max(0, count - (this.#acknowledged.get(key) ?? 0));
    const bodies = new Map(log.map(({ id, body }) => [id, digest(body)]));
    const got = new Map<string, number>();
    let otherBytes = 0;
    for (const { eventId, body } of this.receiver.received) {
      got.set(eventId, (got.get(eventId) ?? 0) + 1);
      if (bodies.get(eventId) !== digest(body)) otherBytes += 1;
    }
    const undelivered = log.filter(({ id }) => !got.has(id)).length;
    const duplicates = [...got.values()].reduce((sum, count) => sum + count - 1, 0);
    return { acknowledged: this.#answered, lost, events: log.length, undelivered, otherBytes, duplicates, unknown };
  }

  async end(): Promise<void> {
    if (this.sandbox.child.exitCode === null && this.sandbox.child.signalCode === null) await this.sandbox.stop();
    await this.receiver.close();
    this.#remove();
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64');

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The value at a share of the sorted ones. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

export const ms = (value: number): string => `${Math.round(value)} ms`;
