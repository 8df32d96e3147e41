/** Adds a scenario's plant and people to the running sandbox, in the company that started it, and removes them again. [decisions 9] */
import { idFrom } from '../../base/ids.ts';
import { checkAction } from '../../contract/action-check.ts';
import { type ActionName, fieldsHolding, holdingOf } from '../../contract/actions.ts';
import { audienceOf, isOfCompany } from '../../contract/notice-audiences.ts';
import type { Notice } from '../../contract/notices.ts';
import { startFleet } from '../../fleet/fleet.ts';
import type { Plan, PlannedSite } from '../../plant/plan.ts';
import { CUSTOMER } from '../../scenario/model/own-system.ts';
import type { PerformedAction } from '../../scenario/playing/performer.ts';
import type { Boot, BootRequest, RunStage } from '../../scenario/playing/ports.ts';
import type { TokenViewer } from '../../service/domain/access/viewer.ts';
import { isRejection } from '../../service/domain/changes.ts';
import type { Client, GuestScenario } from '../../service/domain/world/documents.ts';
import { act } from '../actions/act.ts';
import { Finder } from '../actions/find.ts';
import { fleetSites, fleetWatches, reportWatch } from '../fleet/watches.ts';
import { followFixes } from '../follow-fixes.ts';
import { looksInto } from '../stage-looks.ts';
import { plantDocuments } from '../world/world-from-plan.ts';
import { endGuest } from './before.ts';
import { InView } from './in-view.ts';
import type { RunHost } from './run-host.ts';

/** Who starts the scenario, and the saved previous state. */
interface GuestParts {
  readonly client: Client;
  /** Null: the control token. */
  readonly viewer: TokenViewer | null;
  readonly runId: string;
  readonly before: GuestScenario['before'];
  readonly receivers: GuestScenario['receivers'];
}

/**
 * Starts no new sandbox: adds the scenario's plant to `host`, with ids derived from the run's id. `onJoining` returns a
 * callback, which is called once the plant has joined.
 */
export function guestStage(host: RunHost, parts: GuestParts, onJoining: (guest: Guest) => () => void): Boot {
  return async (request) => {
    const guest = new Guest(host, parts, request);
    const onJoined = onJoining(guest);
    try {
      const stage = await guest.join();
      onJoined();
      return stage;
    } catch (error) {
      await guest.leave();
      throw error;
    }
  };
}

export class Guest {
  readonly #host: RunHost;
  readonly #parts: GuestParts;
  readonly #client: Client;
  readonly #request: BootRequest;
  readonly #plan: Plan;
  readonly #siteIds: ReadonlySet<string>;
  readonly #seed: string;
  readonly #view: InView | null;
  readonly #leaving: (() => Promise<unknown> | unknown)[] = [];
  readonly #destinations = new Set<string>();
  #left: Promise<void> | null = null;

  constructor(host: RunHost, parts: GuestParts, request: BootRequest) {
    const { client, runId, viewer } = parts;
    this.#host = host;
    this.#parts = parts;
    this.#client = client;
    this.#request = request;
    this.#seed = `run/${runId}`;
    this.#view = viewer === null ? null : new InView(host.engine.world, viewer, host.addresses);
    const sites = request.plan.organizations[0]?.sites ?? [];
    const { name } = host.engine.world.need('organization', client.organizationId);
    const { contract } = request.plan.organizations[0] as Plan['organizations'][0];
    const fresh = sites.map((site) => withFreshSerials(site, runId));
    this.#plan = { organizations: [{ name, contract, sites: fresh }] };
    const documents = fresh.map((site) => this.#documentsOf(site));
    this.#siteIds = new Set(documents.flatMap((own) => own.flatMap(({ kind, id }) => (kind === 'site' ? [id] : []))));
  }

  #documentsOf(site: PlannedSite) {
    const { engine, secrets } = this.#host;
    return plantDocuments(site, this.#client.organizationId, this.#seed, secrets, engine.clock.now());
  }

  async join(): Promise<RunStage> {
    const { engine, forwards, fleets, secrets } = this.#host;
    const { world, clock } = engine;
    const documents = (this.#plan.organizations[0]?.sites ?? []).flatMap((site) => this.#documentsOf(site));
    const joined = await engine.submit({ type: 'join-plant', guest: this.#scenario(), documents });
    if (isRejection(joined)) throw new Error(joined.detail);
    this.#leaving.push(() => endGuest(engine, this.#host.acting(), this.#parts.runId));
    for (const [host, address] of this.#request.forwards) forwards.set(host.toLowerCase(), new URL(address));
    this.#leaving.push(() => {
      for (const host of this.#request.forwards.keys()) forwards.delete(host.toLowerCase());
    });
    const fleet = startFleet({
      clock,
      ...this.#host.toBroker(),
      seed: this.#seed,
      watches: fleetWatches(this.#plan, world, secrets),
      sites: fleetSites(this.#plan, world),
      onNotice: (notice) => reportWatch(engine, notice),
    });
    const forget = fleets.add(fleet);
    // The last telemetry is written behind; flushing it here prevents that it recreates a removed watch.
    this.#leaving.push(async () => {
      await fleet.stop();
      forget();
      await engine.flush();
    });
    await fleet.ready();
    return this.#stage();
  }

  /** Undoes the joining, in the reverse order. Rejects if the disk refuses the write. Idempotent. */
  leave(): Promise<void> {
    this.#left ??= this.#leave();
    return this.#left;
  }

  async #leave(): Promise<void> {
    for (let one = this.#leaving.pop(); one !== undefined; one = this.#leaving.pop()) await one();
  }

  #scenario(): GuestScenario {
    const { world } = this.#host.engine;
    const { id: clientId, organizationId } = this.#client;
    const { runId: id, before, receivers } = this.#parts;
    const there = [...world.all('destination')].filter((one) => one.organizationId === organizationId);
    const destinationIds = there.map((one) => one.id);
    return { id, organizationId, clientId, before, receivers, destinationIds, siteIds: [...this.#siteIds] };
  }

  #stage(): RunStage {
    const { engine, apiUrl, controlToken, secrets, webhooks, tls } = this.#host;
    const { id: clientId, organizationId } = this.#client;
    const clientSecret = secrets.client(clientId);
    const { viewer } = this.#parts;
    return {
      apiUrl: apiUrl(),
      mqttUrl: this.#host.mqttUrl(),
      ...(tls === null ? {} : { trust: tls }),
      dataDir: null,
      controlToken,
      clients: [
        {
          organization: CUSTOMER,
          organizationId,
          clientId,
          clientSecret,
          ...(viewer === null ? {} : { scopes: viewer.scopes }),
        },
      ],
      onNotice: (listener) =>
        engine.listen({
          notice: (notice) => {
            const seen = this.#view === null ? notice : this.#view.of(notice);
            if (seen !== null && this.#isOwn(seen)) listener(seen);
          },
        }),
      onFix: (listener) => followFixes(engine, listener, this.#siteIds),
      // These runs have no witness, so the stream is not followed.
      onSeen: () => () => {},
      truth: () => [],
      coverage: () => null,
      look: looksInto({ engine, fleet: this.#host.fleets, get: this.#host.get }, viewer),
      park: (url, eventId) => webhooks()?.park(url, eventId) ?? null,
      workerId: (externalId) => {
        const actor = new Finder(engine.world, null, this.#siteIds).actor(externalId);
        if (isRejection(actor)) throw new Error(actor.detail);
        return actor.worker.id;
      },
      act: (action, fields) => this.#act(action, fields),
      stop: () => this.leave(),
    };
  }

  /** Performs an action only on the scenario's own sites, even if other objects have the same names. */
  async #act(action: ActionName, fields: object): Promise<PerformedAction> {
    const translated = Object.fromEntries(
      Object.entries(fields).map(([key, value]) => {
        const kind = holdingOf(action, key)?.kind;
        if (kind === 'company' && value === CUSTOMER) return [key, this.#client.id];
        return [key, kind === 'watch' ? this.#serialOf(value) : value];
      }),
    );
    const companies = fieldsHolding(action, 'company');
    // The sandbox may have other companies, which the file does not know.
    const leftOut = companies.filter(
      (key) => holdingOf(action, key)?.inferredFrom !== undefined && !Object.hasOwn(translated, key),
    );
    const whose = Object.fromEntries(leftOut.map((key) => [key, this.#client.id]));
    const checked = checkAction({ action, ...translated, ...whose });
    if (!checked.ok)
      return {
        refused: checked.errors.map(({ pointer, detail }) => `${pointer} ${detail}`.trim()).join('; '),
        code: 'validation_failed',
      };
    // The scenario must not change the contract, the limits or the tokens of another company.
    const other = Object.entries(checked.value).find(
      ([key, value]) => companies.includes(key) && !this.#isClient(value),
    );
    if (other !== undefined) return { refused: `There is no company "${other[1]}".`, code: 'not_found' };
    const outcome = await act(this.#host.acting(), checked.value, this.#parts.viewer, this.#siteIds);
    if (isRejection(outcome)) return { refused: outcome.detail, code: outcome.code };
    const { answer } = outcome;
    return { results: 'results' in answer ? answer.results : [answer.result] };
  }

  /**
   * Returns true for notices about the scenario's sites, its receivers and its company: the scenario sees no others.
   */
  #isOwn(notice: Notice): boolean {
    if (!isOfCompany(notice)) return audienceOf(notice).of === 'everybody';
    switch (notice.kind) {
      case 'alert-changed':
        return this.#siteIds.has(notice.alert.site.id);
      case 'muster-changed':
        return this.#siteIds.has(notice.muster.site.id);
      case 'event-occurred':
        return this.#siteIds.has(notice.event.site_id);
      case 'destination-changed':
        if (!this.#isOwnUrl(notice.destination.url)) return false;
        this.#destinations.add(notice.destination.id);
        return true;
      case 'destination-deleted':
        return this.#destinations.has(notice.destination_id);
      case 'delivery-attempted':
        return this.#isOwnUrl(notice.url) && this.#isOwnObject(notice.object_id);
      case 'mail-sent':
      case 'request-answered':
        return notice.organization_id === this.#client.organizationId;
    }
  }

  /**
   * Its receivers also get the company's other events, which are excluded here. A test event concerns no existing
   * object, so it is included.
   */
  #isOwnObject(id: string): boolean {
    const { world } = this.#host.engine;
    const object = world.get('muster', id) ?? world.known('alert', id);
    return object === undefined || this.#siteIds.has(object.site.id);
  }

  #isOwnUrl(url: string): boolean {
    return this.#request.forwards.has(new URL(url).host);
  }

  /** Replaces a serial of the file by the serial that the watch got in this sandbox. */
  #serialOf(given: unknown): unknown {
    const ofFile = (this.#request.plan.organizations[0]?.sites ?? []).flatMap(({ workers }) => workers);
    const here = (this.#plan.organizations[0]?.sites ?? []).flatMap(({ workers }) => workers);
    const place = ofFile.findIndex(({ watch }) => watch.serial === given);
    return here[place]?.watch.serial ?? given;
  }

  #isClient(named: unknown): boolean {
    const { id, organizationId } = this.#client;
    return named === id || named === this.#host.engine.world.need('organization', organizationId).name;
  }
}

/** Serials are unique in the whole broker, so a second run with a watch `SIM-ana` needs a different serial. */
function withFreshSerials(site: PlannedSite, runId: string): PlannedSite {
  const mark = idFrom(runId, 'serials').slice(0, 8);
  const workers = site.workers.map((worker) => {
    const serial = `${worker.watch.serial.slice(0, 55)}-${mark}`;
    return { ...worker, watch: { ...worker.watch, serial } };
  });
  return { ...site, workers };
}
