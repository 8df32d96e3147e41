/** Background activity: calls, stumbles, zone entries, radio outages and low batteries at seeded rates; only with --ambient. [cli `--ambient`] */

import { ln } from '../../base/random/portable-math.ts';
import { type Stream, streams } from '../../base/random/streams.ts';
import { type Cancel, type Clock, type Instant, LANE } from '../../base/time/clock.ts';
import { formatDuration } from '../../base/time/durations.ts';
import type { ActionBody } from '../../contract/actions.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { Site, Worker } from '../../service/domain/world/documents.ts';
import type { World } from '../../service/domain/world/world.ts';
import { isGuarded, permitInForce } from '../../service/domain/zones/permits.ts';
import type { FollowUps } from './follow-ups.ts';

export type Ambient = 'calm' | 'busy';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Events per hour among 100 people on a calm day. The rates are invented: they only have to produce regular activity. */
const RATES = {
  outage: 1.5,
  call: 0.5,
  low_battery: 0.35,
  entry: 0.35,
  stumble: 0.25,
  permit: 0.2,
  sos: 0.06,
} as const;
type Happening = keyof typeof RATES;

/** Factor of all rates on a busy day. */
const BUSY = 8;

/** Most outages are short: lognormal around 45 s (`mu` is its logarithm), limited to 5 s to 15 min. [realism 3.3] */
const OUTAGE = { mu: ln(45_000), sigma: 1.2, minMs: 5_000, maxMs: 15 * MINUTE_MS } as const;

/** Minutes before the end of the permit at which a worker with unfinished work still leaves for the zone. */
const BACK_BEFORE = 5;

interface AmbientParts {
  readonly clock: Clock;
  readonly world: World;
  readonly fleet: Fleet;
  readonly seed: string;
  readonly mood: Ambient;
  /** Performs an action as the control token. The caller ignores refusals. */
  readonly act: (body: ActionBody) => Promise<unknown>;
  /** Later actions that end what background activity started. */
  readonly followUps: FollowUps;
}

/** Starts the background activity; the returned function stops it. */
export function startAmbient(parts: AmbientParts): () => void {
  const life = new AmbientLife(parts);
  life.start();
  return () => life.stop();
}

class AmbientLife {
  readonly #parts: AmbientParts;
  readonly #pending = new Set<Cancel>();
  #stopped = false;

  constructor(parts: AmbientParts) {
    this.#parts = parts;
  }

  start(): void {
    // Each start has its own streams: otherwise a restart would repeat the same hours.
    const before = this.#parts.followUps.begin();
    const again = before === 0 ? '' : `/${before}`;
    for (const site of this.#parts.world.all('site'))
      for (const happening of Object.keys(RATES) as Happening[]) {
        const stream = streams(this.#parts.seed).stream(`ambient/${site.id}${again}`, happening);
        this.#next(site, happening, stream);
      }
  }

  stop(): void {
    this.#stopped = true;
    for (const cancel of this.#pending) cancel();
    this.#pending.clear();
  }

  /**
   * There is one stream per kind and site, so that an additional site or kind does not change the random values of the
   * others.
   */
  #next(site: Site, happening: Happening, stream: Stream): void {
    const people = this.#parts.world.indexes.workersOfSite.of(site.id).length;
    if (people === 0) return;
    const perHour = (RATES[happening] * people * (this.#parts.mood === 'busy' ? BUSY : 1)) / 100;
    this.#after(stream.exponential(HOUR_MS / perHour), happening, () => {
      try {
        this.#happens(site, happening, stream);
      } finally {
        this.#next(site, happening, stream);
      }
    });
  }

  #after(ms: number, actor: string, task: () => void): void {
    if (this.#stopped) return;
    const { clock } = this.#parts;
    const cancel = clock.at(clock.now() + Math.max(1, Math.round(ms)), { lane: LANE.step, actor }, () => {
      this.#pending.delete(cancel);
      task();
    });
    this.#pending.add(cancel);
  }

  #do(body: ActionBody): void {
    void this.#parts.act(body);
  }

  #happens(site: Site, happening: Happening, stream: Stream): void {
    const at = this.#atWork(site);
    const who = at.length === 0 ? undefined : stream.pick(at);
    if (who === undefined) return;
    HAPPENINGS[happening]({
      world: this.#parts.world,
      now: this.#parts.clock.now(),
      site,
      who,
      stream,
      do: (body) => this.#do(body),
      later: (ms, body) => this.#parts.followUps.add(ms, body),
    });
  }

  #atWork(site: Site): readonly Worker[] {
    const { world, fleet } = this.#parts;
    return world.indexes.workersOfSite.of(site.id).values().filter(atWork(world, fleet));
  }
}

/**
 * Returns a predicate that is true for a worker on shift whose watch is worn, connected and not charging, while no
 * muster is active on the site.
 */
export function atWork(world: World, fleet: Fleet): (worker: Worker) => boolean {
  const views = new Map(fleet.views().map((view) => [view.serial, view]));
  return ({ deviceId, isActive, siteId }) => {
    const device = deviceId === null ? undefined : world.get('device', deviceId);
    const view = device === undefined ? undefined : views.get(device.serial);
    if (!isActive || view?.connected !== true || view.charging || view.worn === false || view.yielded) return false;
    return world.indexes.activeMuster(siteId) === undefined;
  };
}

interface Chance {
  readonly world: World;
  readonly now: Instant;
  readonly site: Site;
  readonly who: Worker;
  readonly stream: Stream;
  do(body: ActionBody): void;
  later(ms: number, body: ActionBody): void;
}

/** The effect of each kind; each takes its random values in order from the stream of its kind. */
const HAPPENINGS: { readonly [H in Happening]: (chance: Chance) => void } = {
  outage: ({ who, stream, ...then }) => {
    const { mu, sigma, minMs, maxMs } = OUTAGE;
    const ms = Math.min(maxMs, Math.max(minMs, stream.lognormal(mu, sigma)));
    then.do({ action: 'signal', who: who.id, is: 'lost', kind: 'network' });
    then.later(ms, { action: 'signal', who: who.id, is: 'back', kind: 'network' });
  },
  call: ({ who, ...then }) => then.do({ action: 'call_request', who: who.id }),
  // A radio that searches all the time empties the battery. The wearer notices it, and charges the watch.
  low_battery: ({ who, stream, ...then }) => {
    then.do({ action: 'battery', who: who.id, drain: stream.int(60, 80) });
    then.later(stream.int(60, 90) * MINUTE_MS, { action: 'battery', who: who.id, drain: 5 });
  },
  entry: ({ world, site, who, stream, ...then }) => {
    const zones = world.indexes.zonesOfSite.of(site.id).values().filter(isGuarded);
    const zone = zones.length === 0 ? undefined : stream.pick(zones);
    if (zone !== undefined) then.do({ action: 'move', who: who.id, to: zone.id });
  },
  // Most falls that a watch detects are false alarms, and the wearer confirms that all is well.
  stumble: ({ who, stream, ...then }) => {
    const after = formatDuration(stream.int(4, 20) * 1_000);
    const answers = stream.chance(0.96) ? 'ok' : stream.chance(0.5) ? 'help' : 'never';
    then.do({ action: 'fall', who: who.id, answers, answers_after: after });
  },
  // Work under a permit. Some of the work is not finished when the permit ends.
  permit: ({ world, now, site, who, stream, ...then }) => {
    const zones = world.indexes.zonesOfSite
      .of(site.id)
      .values()
      .filter((zone) => zone.type === 'restricted');
    const zone = zones.length === 0 ? undefined : stream.pick(zones);
    const minutes = stream.int(10, 40);
    if (zone === undefined || permitInForce(world, who.id, zone.id, now) !== null) return;
    const permit = { action: 'permit', who: who.id, zone: zone.id, is: 'open', until: `${minutes}m` } as const;
    then.do(permit);
    then.later(MINUTE_MS, { action: 'move', who: who.id, to: zone.id });
    if (stream.chance(0.3))
      then.later((minutes - BACK_BEFORE) * MINUTE_MS, { action: 'move', who: who.id, to: zone.id });
  },
  sos: ({ who, stream, ...then }) =>
    then.do({ action: 'sos', who: who.id, with: stream.chance(0.7) ? 'watch_button' : 'watch_hardware_button' }),
};
