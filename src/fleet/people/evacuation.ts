/** An evacuation as the people of a site live it: hear, delay, go to the nearest point that serves, turn round, stay, go back to work. [realism 7.2] */
import type { Instant } from '../../base/clock.ts';
import { Draws } from '../../base/draws.ts';
import { distance, type Frame } from '../../base/geometry.ts';
import type { MusterKind } from '../../contract/enumerations.ts';
import { type GatheringPoint, gatheringsOf, spotIn } from './gatherings.ts';
import type { Ground } from './ground.ts';
import type { Life } from './life.ts';
import { backToWorkMs, ESCORTED, HELP_WITHIN_M, perceiveMs, type Temper, temperOf } from './muster-knobs.ts';
import type { Deed, Part } from './muster-part.ts';
import { MusterWatches } from './muster-watches.ts';
import { MusterWays } from './muster-ways.ts';
import { NEVER, type People } from './people.ts';
import type { Routes } from './routes.ts';
import { type News, Siren } from './siren.ts';

/** Where there was no way, another is tried after so long. */
const TRY_AGAIN_MS = 20_000;

export interface EvacuationParts {
  readonly people: People;
  readonly ground: Ground;
  readonly frame: Frame;
  readonly routes: Routes;
  readonly life: Life;
  readonly seed: string;
  /** Of the watches; chance goes by them. */
  readonly serials: readonly string[];
}

export class Evacuation {
  readonly #of: EvacuationParts;
  readonly #siren = new Siren();
  readonly #ways: MusterWays;
  readonly #parts: (Part | null)[];
  readonly #watches = new MusterWatches();
  /** When they understand that other points serve now. */
  readonly #perceivesAt: Float64Array;
  #draws: Draws | null = null;
  #points: readonly GatheringPoint[] = [];
  #kind: MusterKind = 'general';
  #active = false;
  #inspecting = false;
  #taking = 0;

  constructor(parts: EvacuationParts) {
    this.#of = parts;
    this.#ways = new MusterWays(parts);
    this.#parts = parts.serials.map(() => null);
    this.#perceivesAt = new Float64Array(parts.serials.length).fill(NEVER);
  }

  /** A muster is on, or people are still on their way back from it: somebody may press something at any second. */
  get on(): boolean {
    return this.#active || this.#taking > 0 || this.#watches.waits || this.#siren.sounds;
  }

  /** While it lasts a shift begins at an assembly point. */
  get active(): boolean {
    return this.#active;
  }

  /** Whether the evacuation says what they do next. */
  takes(i: number): boolean {
    return this.#parts[i] !== null;
  }

  /** A watch of the site has heard of it, at a time up to which everybody's life was played. */
  hear(told: News['told'], now: Instant): void {
    this.#siren.hear(told, now);
  }

  /** What they have done with their watch since. */
  takeDeeds(i: number): readonly Deed[] {
    return this.#watches.take(i);
  }

  hasDone(i: number): boolean {
    return this.#watches.has(i);
  }

  /** Their shift begins while the muster is on: they hear of it as they put on their watch, and go where the others go. */
  join(i: number, now: Instant): void {
    const temper = temperOf(this.#chance, i, this.#kind);
    this.#takePart(i, { ...temper, behaviour: 'goes' });
    this.#ways.halt(i);
    this.#of.people.until[i] = now + temper.startMs;
  }

  /** What they stand and do; null: they have no part in it. */
  activityOf(i: number): 'evacuating' | 'helping' | 'trapped' | 'injured' | 'at_point' | null {
    const part = this.#parts[i];
    if (part == null) return null;
    if (part.stage === 'helps') return 'helping';
    if (part.stage === 'there') return 'at_point';
    return this.#isStuck(i) ? (part.temper.behaviour === 'trapped' ? 'trapped' : 'injured') : 'evacuating';
  }

  /** At the end of a tick: the news are taken, and whoever understands them by now acts. */
  tick(now: Instant): void {
    for (const news of this.#siren.take()) this.#take(news, now);
    this.#watches.tick(now);
    if (!this.#active) return;
    for (let i = 0; i < this.#perceivesAt.length; i++) if (this.#perceivesAt[i]! <= now) this.#perceive(i, now);
  }

  /** They have come to the end of their way. */
  arrived(i: number, now: Instant): void {
    const { people, life } = this.#of;
    const part = this.#parts[i]!;
    people.climbTo[i] = people.goalHeight[i]!;
    switch (part.stage) {
      case 'drives':
        life.getOut(i);
        return this.#go(i, part, now);
      case 'to-help':
        part.stage = 'helps';
        people.until[i] = this.#isStuck(part.helped) ? NEVER : now;
        return;
      case 'fetches':
        this.#watches.putOn(i);
        people.until[i] = now + part.temper.fetchesMs;
        return;
      case 'to-watch':
        return this.#leaveOff(i, now);
      default:
        return this.#arriveAtPoint(i, part, now);
    }
  }

  /** They have stood long enough: what next? */
  decide(i: number, now: Instant): void {
    const { people } = this.#of;
    const part = this.#parts[i]!;
    // Who was sent somewhere meanwhile has been there long enough.
    const stage = people.phaseOf(i) === 'told' && this.#active ? 'lost' : part.stage;
    people.be(i, 'muster');
    people.until[i] = NEVER;
    switch (stage) {
      case 'starts':
        if (part.temper.watch.takenAlong) this.#watches.putOn(i);
        return part.temper.behaviour === 'helps' ? this.#help(i, part, now) : this.#go(i, part, now);
      case 'calls':
        this.#watches.add(i, {
          kind: 'help',
          reason: part.temper.behaviour === 'trapped' ? 'trapped' : 'injured',
        });
        part.stage = 'stuck';
        people.until[i] = now + part.temper.rescueMs;
        return;
      case 'stuck':
        this.#release(i, now);
        return this.#go(i, part, now);
      case 'there':
        return this.#atPoint(i, part, now);
      case 'over':
        return this.#goBack(i, part, now);
      case 'to-watch':
        return this.#leaveOff(i, now);
      default:
        return this.#go(i, part, now);
    }
  }

  #take({ told, at, before }: News, now: Instant): void {
    this.#points = gatheringsOf(told, this.#of.ground, this.#of.frame);
    this.#inspecting = told.phase === 'inspecting';
    if (told.status !== 'active') return this.#end(now);
    this.#active = true;
    this.#kind = told.kind;
    if (before === null) return this.#alarm(at, now);
    if (told.revision === before.revision) return;
    for (const [i, part] of this.#parts.entries())
      if (part !== null) this.#perceivesAt[i] = at + perceiveMs(this.#chance, i);
  }

  // Everybody on site who lives a life of their own; who is off shift is not there.
  #alarm(at: Instant, now: Instant): void {
    const { people } = this.#of;
    this.#perceivesAt.fill(NEVER);
    this.#taking = 0;
    for (let i = 0; i < people.count; i++) {
      this.#parts[i] = null;
      const docked = people.phaseOf(i) === 'docked';
      if (people.auto[i] === 0 || (docked && now >= people.shiftEndsAt[i]!)) continue;
      const temper = temperOf(this.#chance, i, this.#kind);
      const part = this.#takePart(i, temper);
      // Whoever has it on the charger has it at hand.
      const watch = docked ? { ...temper.watch, off: false } : temper.watch;
      this.#watches.begin(i, watch, { at: part.from, heightM: part.fromHeightM }, at);
      // Whoever was sent somewhere goes there first.
      if (people.phaseOf(i) === 'told' && people.routes[i] !== null) continue;
      this.#ways.halt(i);
      people.until[i] = at + (part.stage === 'calls' ? temper.callMs : temper.startMs);
    }
  }

  #takePart(i: number, temper: Temper): Part {
    const { people } = this.#of;
    const { behaviour } = temper;
    const part: Part = {
      temper,
      from: people.at(i),
      fromHeightM: people.height[i]!,
      stage: behaviour === 'trapped' || behaviour === 'injured' ? 'calls' : 'starts',
      point: null,
      helped: -1,
      pace: behaviour === 'injured' ? ESCORTED : 1,
      declareAt: NEVER,
      leaveAt: NEVER,
      corrected: false,
    };
    this.#parts[i] = part;
    this.#taking += 1;
    return part;
  }

  #end(now: Instant): void {
    const { people } = this.#of;
    this.#active = false;
    this.#perceivesAt.fill(NEVER);
    for (const [i, part] of this.#parts.entries()) {
      if (part === null) continue;
      const backAt = now + backToWorkMs(this.#chance, i);
      // Who cannot move is still to be freed.
      const freeAt = part.stage === 'stuck' ? people.until[i]! : now;
      part.stage = 'over';
      if (people.phaseOf(i) === 'told') continue;
      this.#ways.halt(i);
      people.until[i] = Math.max(backAt, freeAt);
    }
  }

  // Whoever left their watch behind puts it on before anything else.
  #goBack(i: number, part: Part, now: Instant): void {
    const lies = this.#watches.leftOf(i);
    const route = lies === undefined ? null : this.#ways.onFoot(i, lies.at, now);
    if (lies === undefined || route === null) return this.#leaveOff(i, now);
    part.stage = 'to-watch';
    this.#ways.walk(i, part, route, lies.at, lies.heightM, now);
  }

  #leaveOff(i: number, now: Instant): void {
    const { people } = this.#of;
    this.#watches.putOn(i);
    this.#parts[i] = null;
    this.#taking -= 1;
    people.be(i, 'work');
    people.until[i] = now;
  }

  #perceive(i: number, now: Instant): void {
    const { people } = this.#of;
    this.#perceivesAt[i] = NEVER;
    const part = this.#parts[i];
    if (part == null || people.phaseOf(i) !== 'muster') return;
    const asBefore = part.point === null ? undefined : this.#points.find(({ id }) => id === part.point?.id);
    part.point = asBefore ?? null;
    switch (part.stage) {
      case 'goes':
      case 'drives':
        if (!this.#goesWrong(part)) this.#go(i, part, now);
        return;
      case 'lost':
        return this.#go(i, part, now);
      case 'there':
        if (asBefore?.serves === true) return;
        if (!this.#goesWrong(part)) return this.#go(i, part, now);
        part.leaveAt = part.temper.correctedMs === null ? NEVER : now + part.temper.correctedMs;
        people.until[i] = Math.min(part.declareAt, part.leaveAt);
        return;
      default:
    }
  }

  #goesWrong({ temper, corrected }: Part): boolean {
    return temper.behaviour === 'wrong' && !corrected;
  }

  #arriveAtPoint(i: number, part: Part, now: Instant): void {
    const { temper, point } = part;
    part.stage = 'there';
    // Up there first, where there are stairs to climb.
    part.declareAt = now + temper.declaresMs;
    part.leaveAt = NEVER;
    if (this.#goesWrong(part) && point?.serves !== true && temper.correctedMs !== null)
      part.leaveAt = now + temper.correctedMs;
    if (temper.behaviour === 'returns' && !part.corrected) part.leaveAt = now + temper.leavesMs;
    this.#of.people.until[i] = Math.min(part.declareAt, part.leaveAt);
  }

  #atPoint(i: number, part: Part, now: Instant): void {
    if (part.declareAt <= now) {
      part.declareAt = NEVER;
      if (part.point !== null) this.#declare(i, part.temper, part.point);
    }
    if (part.leaveAt > now) {
      this.#of.people.until[i] = Math.min(part.declareAt, part.leaveAt);
      return;
    }
    part.leaveAt = NEVER;
    const wrong = this.#goesWrong(part);
    part.corrected = true;
    if (wrong) return this.#go(i, part, now);
    // "Do not return until further notice" [watch-protocol `all/muster`]
    if (!this.#inspecting) this.#fetch(i, part, now);
  }

  #declare(i: number, { declares }: Temper, { id: pointId, heightM }: GatheringPoint): void {
    const ifUnseen = !declares[heightM > 0 ? 'vertical' : 'ground'];
    this.#watches.add(i, { kind: 'declare', pointId, ifUnseen });
  }

  #fetch(i: number, part: Part, now: Instant): void {
    const route = this.#ways.onFoot(i, part.from, now);
    if (route === null) return;
    part.stage = 'fetches';
    part.point = null;
    this.#ways.walk(i, part, route, part.from, part.fromHeightM, now);
  }

  // Whoever called and is near; else somebody who has not.
  #help(i: number, part: Part, now: Instant): void {
    const { people } = this.#of;
    this.#watches.add(i, { kind: 'help', reason: 'helping' });
    const at = people.at(i);
    let nearest = HELP_WITHIN_M;
    for (let other = 0; other < people.count; other++) {
      if (!this.#isStuck(other)) continue;
      const metres = distance(at, people.at(other));
      if (metres <= nearest) [part.helped, nearest] = [other, metres];
    }
    const to = part.helped < 0 ? null : people.at(part.helped);
    const route = to === null ? null : this.#ways.onFoot(i, to, now);
    if (route === null || to === null) {
      part.helped = -1;
      part.stage = 'helps';
      people.until[i] = now + part.temper.helpMs;
      return;
    }
    part.stage = 'to-help';
    this.#of.life.getOut(i);
    this.#ways.walk(i, part, route, to, people.height[part.helped]!, now);
  }

  #isStuck(i: number): boolean {
    const stage = this.#parts[i]?.stage;
    return stage === 'calls' || stage === 'stuck';
  }

  // Helpers go with whom they helped, as slowly.
  #release(i: number, now: Instant): void {
    const freed = this.#parts[i]!;
    for (const [helper, part] of this.#parts.entries()) {
      if (part?.helped !== i) continue;
      part.helped = -1;
      part.pace = freed.pace;
      if (part.stage === 'helps') this.#of.people.until[helper] = now;
    }
  }

  /** To the nearest point that serves, or to the one that they take for it. */
  #go(i: number, part: Part, now: Instant): void {
    const { people } = this.#of;
    const wrong = this.#goesWrong(part) ? this.#points.filter(({ serves }) => !serves) : [];
    const among = wrong.length > 0 ? wrong : this.#points.filter(({ serves }) => serves);
    const found = this.#ways.nearest(i, among, now);
    if (found === null) {
      this.#ways.halt(i);
      part.stage = 'lost';
      people.until[i] = among.length > 0 ? now + TRY_AGAIN_MS : NEVER;
      return;
    }
    const same = part.point?.id === found.point.id && people.routes[i] !== null;
    part.point = found.point;
    if (same && (part.stage === 'goes' || part.stage === 'drives')) return;
    part.stage = this.#ways.setOut(i, part, found, spotIn(found.point, this.#chance, i), now);
  }

  get #chance(): Draws {
    this.#draws ??= new Draws(this.#of.seed, 'muster', this.#of.serials);
    return this.#draws;
  }
}
