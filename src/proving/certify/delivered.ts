/**
 * The alerts and musters that certify delivered, as the API of its sandbox returns them: the receiver may read and acknowledge them. [spec 4,
 * decisions 1, 5]
 */

import { idFrom, sha256Hex } from '../../base/ids.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { wallMs } from '../../base/time/timers.ts';
import { SEVERITIES } from '../../contract/enumerations.ts';
import { DEFAULT_ASSUMPTIONS } from '../../contract/gaps.ts';
import { listAlerts } from '../../contract/operations/alerts.ts';
import { listMusters } from '../../contract/operations/musters.ts';
import { type Query, readQuery } from '../../contract/query.ts';
import { AlertsQuery, type AlertUpdate, MustersQuery } from '../../contract/requests.ts';
import { MISSING_STATUSES } from '../../contract/resources/headcount.ts';
import type { Alert, MissingWorker, Muster } from '../../contract/resources.ts';
import { integrationLabel } from '../../service/domain/alerts/integration-label.ts';
import type { CraftedDelivery } from './deliveries.ts';

/** A page of a list before `JSON.stringify`. */
interface ObjectPage {
  readonly data: readonly { readonly id: string }[];
  readonly next_cursor: string | null;
}

/** What the API answers about an object that only certify knows. */
type DeliveredAnswer =
  | { readonly status: 200; readonly body: unknown }
  | { readonly status: 409; readonly detail: string };

interface HeldMuster {
  readonly muster: Muster;
  /** `created_at` of the event, by which musters are ordered. [spec 6.3] */
  readonly at: string;
}

/** Prefix of the cursors of certify's own pages. The cursors of the sandbox never begin with it. */
const CURSOR_HEAD = 'certify-';

export class DeliveredObjects {
  readonly #alerts = new Map<string, Alert>();
  readonly #musters = new Map<string, HeldMuster>();
  readonly #ids = new Set<string>();
  readonly #accepted = new Set<string>();

  /**
   * Records a delivery before it is sent, since the receiver may request its object at once. Of a forged delivery only
   * the id is recorded, because the API does not know its object.
   */
  note({ body, isGenuine }: CraftedDelivery): void {
    const event = parsed(body);
    const { alert, muster } = event?.data ?? {};
    const id = alert?.id ?? muster?.id;
    if (event === null || id === undefined) return;
    this.#ids.add(id);
    // No GET knows the alert of a test event. [decisions 7]
    if (!isGenuine || event.organization_id === null) return;
    if (alert !== undefined) this.#noteAlert(alert);
    if (muster !== undefined) this.#noteMuster(muster, event.created_at);
  }

  /** Excludes refused deliveries. Listing them would fail the receiver a second time for the same mistake. */
  settle({ body }: CraftedDelivery, isAccepted: boolean): void {
    const { alert, muster } = parsed(body)?.data ?? {};
    const id = alert?.id ?? muster?.id;
    if (id === undefined) return;
    if (isAccepted) this.#accepted.add(id);
    else if (!this.#accepted.has(id)) {
      this.#alerts.delete(id);
      this.#musters.delete(id);
    }
  }

  #noteAlert(alert: Alert): void {
    const held = this.#alerts.get(alert.id);
    if (held === undefined || held.date_last_modified < alert.date_last_modified) this.#alerts.set(alert.id, alert);
  }

  #noteMuster(muster: Muster, at: string): void {
    const held = this.#musters.get(muster.id);
    if (held === undefined || held.at < at) this.#musters.set(muster.id, { muster, at });
  }

  /** The alert as the API returns it now, with the updates of the receiver. */
  alert(id: string): Alert | undefined {
    return this.#alerts.get(id);
  }

  /** True if the path names an object that certify sent, including forged ones. */
  isAbout(path: string): boolean {
    return path.split('/').some((part) => this.#ids.has(part));
  }

  /**
   * Returns null if certify delivered no such object. `body` is that of a PATCH, whose format the sandbox has checked.
   */
  answer(method: string, path: string, body: string): DeliveredAnswer | null {
    const [, version, kind, id = '', part, ...rest] = path.split('/');
    if (version !== 'v1' || rest.length > 0) return null;
    const alert = kind === 'alerts' && part === undefined ? this.#alerts.get(id) : undefined;
    if (alert !== undefined)
      return method === 'PATCH' ? this.#update(alert, JSON.parse(body) as AlertUpdate) : { status: 200, body: alert };
    const muster = kind === 'musters' ? this.#musters.get(id)?.muster : undefined;
    if (muster === undefined || (part !== undefined && part !== 'missing')) return null;
    return { status: 200, body: part === undefined ? muster : { data: missingOf(muster) } };
  }

  /** Updates the alert as the service does. [spec 3, decisions 5] */
  #update(alert: Alert, { status, note }: AlertUpdate): DeliveredAnswer {
    if (alert.status === status) return { status: 200, body: alert };
    if (alert.status === 'resolved')
      return { status: 409, detail: `The alert is resolved; it cannot become ${status}.` };
    const by = integrationLabel(DEFAULT_ASSUMPTIONS, '');
    // Versions that certify made may have a time in the future. Each further version must be newer.
    const at = formatInstant(Math.max(wallMs(), Date.parse(alert.date_last_modified) + 1));
    const change: Partial<Alert> =
      status === 'acknowledged'
        ? { acknowledged: { at, by }, assigned_to: alert.assigned_to ?? by }
        : { resolved: { at, by, note: note ?? null } };
    const after = { ...alert, ...change, status, date_last_modified: at };
    this.#alerts.set(alert.id, after);
    return { status: 200, body: after };
  }

  /** True if the cursor is of a page that this class made. */
  isOwnCursor(cursor: string | null): boolean {
    return cursor?.startsWith(CURSOR_HEAD) === true;
  }

  /**
   * The page of a list with the delivered objects. `first`: the first page of the sandbox for the same query.
   * Returns null if the cursor was made for another query.
   */
  page(path: string, query: string, first: ObjectPage): ObjectPage | null {
    const parameters = new URLSearchParams(query);
    const cursor = parameters.get('cursor');
    parameters.delete('cursor');
    const head = `${CURSOR_HEAD}${sha256Hex(`${path}?${parameters}`).slice(0, 16)}-`;
    if (cursor !== null && !cursor.startsWith(head)) return null;
    const { items, limit } = this.#matching(path, String(parameters));
    const from = cursor === null ? 0 : items.findIndex(({ key }) => key > cursor.slice(head.length));
    const left = from < 0 ? [] : items.slice(from);
    if (left.length === 0) return first;
    const objects = left.map(({ object }) => object);
    // Both are on one page if they fit, so that a client that reads only one page gets all of a short list.
    if (first.next_cursor === null && left.length + first.data.length <= limit)
      return { data: [...objects, ...first.data], next_cursor: null };
    return { data: objects.slice(0, limit), next_cursor: `${head}${left.slice(0, limit).at(-1)?.key}` };
  }

  /** The objects that match the query, newest first. `key` increases along the list. */
  #matching(path: string, query: string): { items: { key: string; object: Alert | Muster }[]; limit: number } {
    const keyed = <T extends { id: string }>(objects: readonly T[], timeOf: (object: T) => string) =>
      objects
        .map((object) => ({ key: `${LATEST_MS - Date.parse(timeOf(object))}.${object.id}`, object }))
        .sort((one, other) => (one.key < other.key ? -1 : 1));
    if (path === ALERTS_PATH) {
      const read = readQuery(AlertsQuery, query);
      if (!read.ok) return { items: [], limit: 0 };
      const alerts = [...this.#alerts.values()].filter((alert) => fitsAlerts(read.value, alert));
      return { items: keyed(alerts, ({ date_created }) => date_created), limit: read.value.limit };
    }
    const read = readQuery(MustersQuery, query);
    if (!read.ok) return { items: [], limit: 0 };
    const { site_id: sites, status, kind, limit } = read.value;
    const musters = [...this.#musters.values()]
      .map(({ muster }) => muster)
      .filter((one) => has(sites, one.site.id) && has(status, one.status) && has(kind, one.kind));
    return { items: keyed(musters, ({ started_at }) => started_at), limit };
  }
}

export const ALERTS_PATH = listAlerts.path;
export const MUSTERS_PATH = listMusters.path;

/** A time after all times of a run. The differences between it and these times all have the same number of digits. */
const LATEST_MS = 9_000_000_000_000;

const has = <T>(list: readonly T[] | undefined, value: T | null | undefined): boolean =>
  list === undefined || (value !== null && value !== undefined && list.includes(value));

function fitsAlerts(query: Query<typeof AlertsQuery>, alert: Alert): boolean {
  const { min_severity: least, created_after: after, created_before: before, modified_since: since } = query;
  const isAt = (time: string, bound: string | undefined, fits: (ms: number, boundMs: number) => boolean) =>
    bound === undefined || fits(Date.parse(time), Date.parse(bound));
  const isFrom = (ms: number, boundMs: number) => ms >= boundMs;
  return (
    has(query.site_id, alert.site.id) &&
    has(query.status, alert.status) &&
    has(query.type, alert.type) &&
    has(least && SEVERITIES.slice(SEVERITIES.indexOf(least)), alert.severity) &&
    has(query.worker_id, alert.worker?.id) &&
    has(query.contractor, alert.worker?.contractor) &&
    (query.simulated === undefined || query.simulated === alert.simulated) &&
    isAt(alert.date_created, after, isFrom) &&
    isAt(alert.date_created, before, (ms, boundMs) => ms < boundMs) &&
    isAt(alert.date_last_modified, since, isFrom)
  );
}

/** Makes as many missing workers as the totals contain, and none for an ended muster. [decisions 6] */
function missingOf({ status, totals, started_at: at }: Muster): MissingWorker[] {
  if (status !== 'active') return [];
  return MISSING_STATUSES.flatMap((one) =>
    Array.from({ length: totals[one] ?? 0 }, (_, place) => ({
      worker: { id: idFrom('certify', one, place), external_id: `M-${one}-${place + 1}`, contractor: null },
      device: null,
      status: one,
      needs_rescue: false,
      help_reason: null,
      assembly_point: null,
      declared_at: null,
      last_seen_at: at,
      location: null,
      location_withheld: false,
    })),
  );
}

function parsed(body: string): { created_at: string; organization_id: string | null; data?: EventData } | null {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

interface EventData {
  readonly alert?: Alert;
  readonly muster?: Muster;
}
