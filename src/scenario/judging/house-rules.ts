/** The house rules: invariants that are checked in every run of any scenario. [scenario-language, Values] */

import { canonicalJson } from '../../base/text/canonical-json.ts';
import type { Event } from '../../contract/events.ts';
import type { Notice } from '../../contract/notices.ts';
import { COUNTED_STATUSES } from '../../contract/resources/headcount.ts';
import type { Alert, Muster } from '../../contract/resources.ts';
import type { Received } from '../customer/built-in-receivers.ts';
import type { HttpAnswer } from '../customer/http-client.ts';
import { objectOf } from '../model/references.ts';
import type { HideablePosition, HouseRuleScope } from './looks.ts';

/** Radius of `nearby`, metres. [spec 2 Nearby] */
const NEARBY_M = 100;

/** Words that no key of a body may contain. [spec 1.2] */
const VITAL_SIGN = /pulse|heart|bpm|spo2|oxygen|blood|respirat|vital|body_temp|skin_temp|hrv|ecg/i;

/** The invariants, and what each means where its name does not say it. */
export const HOUSE_RULES = {
  'no vital sign leaves': 'no key of a body names a vital sign',
  'names only with the contract':
    'a name of a worker appears only if the contract includes names when the body is made',
  'an event is what GET answers':
    'the alert or muster in an event equals what GET answers to the client of the company at that instant, through the same contract',
  'ids are unique': 'no two events have the same id',
  'date_last_modified never decreases': '',
  'targets_revision never decreases': '',
  'totals of an active muster add up': 'the statuses together are "expected"',
  'at most two signatures': 'a delivery has one, or two in a rotation',
  'deliveries are signed': 'a built-in receiver finds each signature valid by the wall clock',
  'nothing leaves that the veil hides': 'no body of the API, a webhook or the panel has a position that is hidden',
  'nearby is under 100 m': '',
  'no redirect is followed': 'the sandbox does not follow the redirect of a receiver',
} as const satisfies Readonly<Record<string, string>>;
type HouseRule = keyof typeof HOUSE_RULES;

/** Reports each breach once. */
export class HouseRules {
  readonly #viewScope: HouseRuleScope;
  readonly #onBreach: (rule: HouseRule, why: string) => void;
  readonly noticed = new Set<string>();
  readonly #eventIds = new Set<string>();
  /** `date_last_modified` by alert. */
  readonly #modified = new Map<string, string>();
  /** `targets_revision` by muster. */
  readonly #revisions = new Map<string, number>();
  /** The latest state of alerts and musters by id. */
  readonly #now = new Map<string, Alert | Muster>();
  /** Companies that could see names at some time; events rendered at that time keep the names. [decisions 1] */
  readonly #named = new Set<string>();
  /** Positions that were visible to a client at some time. */
  readonly #shownPlaces = new Set<string>();

  constructor(viewScope: HouseRuleScope, onBreach: (rule: HouseRule, why: string) => void) {
    this.#viewScope = viewScope;
    this.#onBreach = onBreach;
  }

  /** Called with each notice of the sandbox, directly after its commit. */
  onNotice(notice: Notice): void {
    if (notice.kind === 'alert-changed') this.alert(notice.alert, notice.organization_id);
    else if (notice.kind === 'muster-changed') this.muster(notice.muster, notice.organization_id);
    else if (notice.kind === 'event-occurred') this.event(notice.event, notice.listed);
  }

  /** `listed` false: a test event, which no GET returns. */
  event(event: Event, listed: boolean): void {
    const { id, type } = event;
    if (this.#eventIds.has(id)) this.#breach('ids are unique', `two events have the id ${id}`);
    this.#eventIds.add(id);
    if (event.organization_id !== null) this.#rendered(event, event.organization_id, `${type} ${id}`);
    if (listed) this.#sameAsGet(event);
  }

  alert(alert: Alert, organizationId: string): void {
    const what = `the alert ${alert.type} ${alert.id}`;
    const before = this.#modified.get(alert.id);
    if (before !== undefined && alert.date_last_modified < before)
      this.#breach('date_last_modified never decreases', `${what} went from ${before} to ${alert.date_last_modified}`);
    this.#modified.set(alert.id, alert.date_last_modified);
    for (const { distance_m } of alert.nearby)
      if (distance_m >= NEARBY_M) this.#breach('nearby is under 100 m', `${what} has somebody at ${distance_m} m`);
    if (alert.location_withheld && alert.location !== null)
      this.#breach('nothing leaves that the veil hides', `${what} has a location that is withheld`);
    this.#now.set(alert.id, alert);
    this.#rendered(alert, organizationId, what);
  }

  muster(muster: Muster, organizationId: string): void {
    const what = `the muster ${muster.id}`;
    const before = this.#revisions.get(muster.id) ?? 0;
    if (muster.targets_revision < before)
      this.#breach('targets_revision never decreases', `${what} went from ${before} to ${muster.targets_revision}`);
    this.#revisions.set(muster.id, muster.targets_revision);
    const { expected, ...totals } = muster.totals;
    const sum = COUNTED_STATUSES.reduce((all, counter) => all + (totals[counter] ?? 0), 0);
    if (muster.status === 'active' && sum !== expected)
      this.#breach('totals of an active muster add up', `${what} expects ${expected}, and its parts are ${sum}`);
    this.#now.set(muster.id, muster);
    this.#rendered(muster, organizationId, what);
  }

  /** Called when a built-in receiver got a delivery. */
  received({ receiver, signatures, fault, body }: Received, organizationId: string): void {
    if (signatures > 2)
      this.#breach('at most two signatures', `a delivery to ${receiver} carries ${signatures} signatures`);
    if (fault !== null) this.#breach('deliveries are signed', `the delivery to ${receiver} is not sound: ${fault}`);
    this.#text(body, organizationId, `a delivery to ${receiver}`);
  }

  /** Called when the service followed a redirect. */
  followed(receiver: string): void {
    this.#breach('no redirect is followed', `the redirect of ${receiver} was followed`);
  }

  /** Called when a client of the company got a reply. */
  answered({ body }: HttpAnswer, organizationId: string, what: string): void {
    if (typeof body === 'object' && body !== null)
      this.#text(JSON.stringify(body), organizationId, `the answer to ${what}`);
  }

  /** Checks a body that is rendered now, so the current contract applies. */
  #rendered(body: object, organizationId: string, what: string): void {
    const text = JSON.stringify(body);
    if (!this.#viewScope.mayName(organizationId)) this.#nameless(text, organizationId, what);
    this.#text(text, organizationId, what);
  }

  /** Checks a body that was sent to a company, rendered now or earlier. */
  #text(text: string, organizationId: string, what: string): void {
    for (const [, key = ''] of text.matchAll(/"([A-Za-z0-9_]+)":/g))
      if (VITAL_SIGN.test(key)) this.#breach('no vital sign leaves', `${what} has the key ${key}`);
    if (this.#viewScope.mayName(organizationId)) this.#named.add(organizationId);
    if (!this.#named.has(organizationId)) this.#nameless(text, organizationId, what);
    this.#veiled(text, what);
  }

  #nameless(text: string, organizationId: string, what: string): void {
    const name = this.#viewScope.namesOf(organizationId).find((one) => text.includes(JSON.stringify(one).slice(1, -1)));
    if (name !== undefined)
      this.#breach('names only with the contract', `${what} has the name ${name}, which the contract does not include`);
  }

  #veiled(text: string, what: string): void {
    if (!text.includes('"latitude":')) return;
    const places = this.#viewScope.places();
    for (const place of places) if (place.shown) this.#shownPlaces.add(keyOf(place));
    for (const place of places) {
      const { latitude, longitude, workerId } = place;
      if (place.shown || this.#shownPlaces.has(keyOf(place))) continue;
      if (!text.includes(`:${latitude}`) || !text.includes(`:${longitude}`)) continue;
      this.#breach('nothing leaves that the veil hides', `${what} has the place of the hidden worker ${workerId}`);
    }
  }

  /** The body of an event must equal the reply of GET at that instant. [spec 2 Event] */
  #sameAsGet(event: Event): void {
    const object = objectOf(event) as Alert | Muster;
    const noticed = this.#now.get(object.id);
    const isAlert = noticed !== undefined && 'severity' in noticed;
    const seen = isAlert ? this.#viewScope.asSeen(event.organization_id ?? '', noticed) : noticed;
    if (seen === undefined || seen === null || canonicalJson(seen) === canonicalJson(object)) return;
    const got = seen as unknown as Record<string, unknown>;
    const noticedBody = object as unknown as Record<string, unknown>;
    const keys = [...new Set([...Object.keys(got), ...Object.keys(noticedBody)])];
    const key = keys.find((one) => canonicalJson(noticedBody[one] ?? null) !== canonicalJson(got[one] ?? null));
    this.#breach('an event is what GET answers', `${event.type} ${event.id} differs from GET in ${key ?? 'its keys'}`);
  }

  #breach(rule: HouseRule, why: string): void {
    if (this.noticed.has(`${rule} ${why}`)) return;
    this.noticed.add(`${rule} ${why}`);
    this.#onBreach(rule, why);
  }
}

const keyOf = ({ latitude, longitude }: HideablePosition): string => `${latitude} ${longitude}`;
