/** Blocking waits of test code: a record of recent events per viewer, and a waiting search in it. [decisions 9] */

import { asError } from '../../base/assert.ts';
import type { ActionResult } from '../../contract/actions.ts';
import { EVENT_SELECTORS, type Scope } from '../../contract/enumerations.ts';
import { NOTICE_AUDIENCES } from '../../contract/notice-audiences.ts';
import type { Notice } from '../../contract/notices.ts';
import type { Looks } from '../../scenario/judging/looks.ts';
import { RunRecord } from '../../scenario/log/run-record.ts';
import { SLACK_WALL_MS } from '../../scenario/playing/tolerances.ts';
import { type WaitBody, type WaitFound, type WaitWords, waitFor } from '../../scenario/waiting/wait.ts';
import type { ActionOutcome } from '../../service/api/route.ts';
import {
  mayRead,
  scopeOfEvent,
  seesWorker,
  type TokenViewer,
  tokenViewerOf,
} from '../../service/domain/access/viewer.ts';
import { isRejection, type Rejection, reject } from '../../service/domain/changes.ts';
import type { Addresses } from '../../service/domain/views/alert.ts';
import type { Engine } from '../../service/engine/engine.ts';
import { InView } from './in-view.ts';

/**
 * Number of the latest entries, by kind, that are always kept. A search rarely starts before the last action, and each
 * entry holds an object of several KB.
 */
const MOST_SEEN = 500;

/** Maximum number of open waits: each holds a connection. */
const MOST_WAITS = 1_000;

interface WaitsParts {
  readonly engine: Engine;
  readonly addresses: Addresses;
  /** Returns the queries with which a viewer reads the present state. */
  readonly lookOf: (viewer: TokenViewer | null) => Looks;
}

/** What one viewer has seen, and where the viewer's search starts. */
interface Eyes {
  /** Null: the control token. */
  readonly organizationId: string | null;
  readonly contract: string;
  readonly record: RunRecord;
  readonly view: InView;
  since: number;
}

/**
 * Maximum number of cached sets of scopes per company; the newest are kept. Tokens of a company may have fewer scopes
 * than its contract.
 */
const MOST_KINDS = 8;

export class Waits {
  readonly #parts: WaitsParts;
  /** By company and scopes. */
  readonly #eyes = new Map<string, Eyes>();
  readonly #ending = new AbortController();
  #open = 0;
  readonly #unlisten: () => void;

  constructor(parts: WaitsParts) {
    this.#parts = parts;
    for (const viewer of [null, ...viewersIn(parts.engine)]) this.#eyesOf(viewer);
    this.#unlisten = parts.engine.listen({ notice: (notice) => this.#onNotice(notice) });
  }

  /** Ends all open waits. Idempotent. */
  stop(): void {
    this.#unlisten();
    this.#ending.abort();
  }

  /**
   * Waits until the condition is met and returns the match. On timeout, returns a rejection with `request_timeout` that
   * names the nearest candidate. `viewer` null: the control token.
   */
  async wait(body: WaitBody, viewer: TokenViewer | null, signal: AbortSignal): Promise<WaitFound | Rejection> {
    if (this.#open >= MOST_WAITS)
      return reject('rate_limited', `${MOST_WAITS} waits are already open. Wait until some of them end.`);
    const lacks = scopeLackingFor(body, viewer);
    if (lacks !== null)
      return reject('insufficient_scope', `The token does not have the scope ${lacks}, so the wait could never end.`);
    const { engine, lookOf } = this.#parts;
    const { clock } = engine;
    const { record, since } = this.#eyesOf(viewer);
    const words = wordsOf(engine, viewer, record, namesPeople(body));
    const slackMs = clock.mode === 'lockstep' ? 0 : SLACK_WALL_MS * clock.state().speed;
    this.#open++;
    try {
      const request = withReceiver(body, words, engine, viewer);
      const either = AbortSignal.any([signal, this.#ending.signal]);
      const look = lookOf(viewer);
      const waited = await waitFor(request, { clock, record, look, words, since, slackMs, signal: either });
      if (waited.kind === 'found') return waited.found;
      const { mistakes } = waited;
      if (waited.kind === 'not-found') return reject('request_timeout', waited.detail, mistakes);
      const [first] = mistakes;
      const where = first === undefined ? '' : ` ${first.pointer === '' ? 'It' : first.pointer} ${first.detail}`;
      return reject('validation_failed', `The wait is not valid.${where}`, mistakes);
    } finally {
      this.#open--;
    }
  }

  /** Saves every viewer's position in the record before an action; call the returned function with the outcome. */
  begin(asking: TokenViewer | null): (outcome: ActionOutcome) => void {
    this.#eyesOf(asking);
    const places = new Map([...this.#eyes.values()].map((eyes) => [eyes, eyes.record.position]));
    return (outcome) => {
      if (isRejection(outcome)) return;
      const { answer } = outcome;
      const [result] = 'results' in answer ? answer.results : [answer.result];
      const touched = asking?.organizationId ?? ownerOf(this.#parts.engine, result ?? {});
      for (const [eyes, place] of places)
        if (eyes.organizationId === null || eyes.organizationId === touched) eyes.since = place;
    };
  }

  /** A company starts something that continues by itself: its search, and that of the control token, starts here. */
  began(organizationId: string): void {
    for (const eyes of this.#eyes.values())
      if (eyes.organizationId === null || eyes.organizationId === organizationId) eyes.since = eyes.record.position;
  }

  /** A changed contract changes what the viewer sees, so its record is created again. */
  #eyesOf(viewer: TokenViewer | null): Eyes {
    const organizationId = viewer?.organizationId ?? null;
    const owner = `${organizationId} ${viewer?.scopes.join(' ')}`;
    const contract = JSON.stringify(viewer);
    const known = this.#eyes.get(owner);
    if (known?.contract === contract) return known;
    const { engine, addresses } = this.#parts;
    const { world, clock } = engine;
    const companyOf = (id: string) => world.get('organization', id)?.name ?? id;
    const record = new RunRecord(clock, { receiverOf: (url) => url, companyOf }, MOST_SEEN);
    const view = new InView(world, viewer, addresses);
    // In order of time, because `since` is a position in this order.
    const present = [...view.present()].sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
    for (const notice of present) record.add(notice);
    const eyes = { organizationId, contract, record, view, since: 0 };
    this.#eyes.delete(owner);
    this.#eyes.set(owner, eyes);
    this.#forget(organizationId);
    return eyes;
  }

  #forget(organizationId: string | null): void {
    const own = [...this.#eyes].filter(([, eyes]) => eyes.organizationId === organizationId);
    // The first entry is that of the whole contract, which is always kept.
    for (const [owner] of own.slice(1, 1 + Math.max(0, own.length - MOST_KINDS))) this.#eyes.delete(owner);
  }

  #onNotice(notice: Notice): void {
    for (const [owner, { record, view }] of this.#eyes)
      try {
        const seen = view.of(notice);
        if (seen !== null) record.add(seen);
      } catch (error) {
        // An error in one company's view must not affect the other companies.
        this.#parts.engine.failures.report({ part: 'listener', what: `waits of ${owner}`, error: asError(error) });
      }
  }
}

/** Returns one viewer per company, with all scopes of its contract. */
const viewersIn = ({ world }: Engine): TokenViewer[] =>
  [...world.all('client')].map((client) => tokenViewerOf(client, client.scopes));

/**
 * Returns the scope that the token lacks and without which the wait could never match; null if the token has all it
 * needs.
 */
function scopeLackingFor({ alert, muster, event, delivery }: WaitBody, viewer: TokenViewer | null): Scope | null {
  if (viewer === null) return null;
  const needed: Scope[] = [];
  if (alert !== undefined) needed.push(NOTICE_AUDIENCES['alert-changed'].scope);
  if (muster !== undefined) needed.push(NOTICE_AUDIENCES['muster-changed'].scope);
  if (delivery !== undefined) needed.push(NOTICE_AUDIENCES['delivery-attempted'].scope);
  // An event given by its id has no type to derive the scope from; one that the token may not see never matches.
  const type = EVENT_SELECTORS.find((one) => one === event);
  if (type !== undefined) needed.push(scopeOfEvent(type));
  return needed.find((scope) => !mayRead(viewer, scope)) ?? null;
}

/** Returns true if the wait may name people: only then are the names of up to ten thousand people collected. */
const namesPeople = ({ match }: WaitBody): boolean => /"(?:of|worker)":/.test(JSON.stringify(match ?? {}));

/** Collects the names that the viewer may see: people by external id, id and serial; destinations by url. */
function wordsOf({ world }: Engine, viewer: TokenViewer | null, record: RunRecord, people: boolean): WaitWords {
  const cast = new Map<string, string[]>();
  const add = (name: string | null | undefined, id: string) => {
    if (name != null) cast.set(name, [...(cast.get(name) ?? []), id]);
  };
  for (const worker of people ? world.all('worker') : []) {
    if (!seesWorker(viewer, worker)) continue;
    const { id, externalId, deviceId } = worker;
    add(externalId, id);
    add(id, id);
    if (deviceId !== null) add(world.get('device', deviceId)?.serial, id);
  }
  const companies = [...world.all('organization')].filter(({ id }) => viewer === null || id === viewer.organizationId);
  return { cast, receivers: [...record.destinations.keys()], companies: companies.map(({ name }) => name) };
}

/** A destination may be named by its id or its host too. */
function withReceiver(
  body: WaitBody,
  { receivers }: WaitWords,
  { world }: Engine,
  viewer: TokenViewer | null,
): WaitBody {
  const { delivery } = body;
  if (delivery === undefined || receivers.includes(delivery)) return body;
  for (const { id, url, organizationId } of world.all('destination')) {
    if (viewer !== null && organizationId !== viewer.organizationId) continue;
    if (id === delivery.toLowerCase() || new URL(url).host === delivery) return { ...body, delivery: url };
  }
  return body;
}

/** Returns the organization that owns the object that an action touched or created. */
function ownerOf({ world }: Engine, result: ActionResult): string | null {
  const { worker_id = '', device_id = '', alert_id = '', muster_id = '', site_id = '', client_id = '' } = result;
  const owner =
    world.get('worker', worker_id) ??
    world.get('device', device_id) ??
    world.known('alert', alert_id) ??
    world.get('muster', muster_id) ??
    world.get('site', site_id) ??
    world.get('client', client_id);
  return owner?.organizationId ?? null;
}
