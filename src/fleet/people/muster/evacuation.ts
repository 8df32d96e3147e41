/** The behaviour of the people of a site in an evacuation: hear the alarm, wait, walk to the nearest point that serves, stay, return to work. [realism 7.2] */
import type { LocalFrame } from '../../../base/geometry/shapes.ts';
import { Draws } from '../../../base/random/draws.ts';
import type { Instant } from '../../../base/time/clock.ts';
import type { MusterKind } from '../../../contract/enumerations.ts';
import type { MusterNotice } from '../../../contract/watch.ts';
import { type KeptMusterSide, type KeptSite, keptInstant, resumedInstant } from '../../kept/documents.ts';
import type { Crowd } from '../crowd.ts';
import type { Ground } from '../ground/ground.ts';
import { NEVER, STUCK_BY } from '../people.ts';
import { DoorChoice } from './door-choice.ts';
import { type GatheringPoint, gatheringsOf, spotIn } from './gatherings.ts';
import { Helping } from './helping.ts';
import { backToWorkMs, ESCORTED, type MusterKnobs, perceiveMs, temperOf } from './muster-knobs.ts';
import type { MusterAct, MusterPart } from './muster-part.ts';
import { MusterParts } from './muster-parts.ts';
import { MusterWatches } from './muster-watches.ts';
import { MusterWays, type MusterWaysParts } from './muster-ways.ts';
import { PointChoice } from './point-choice.ts';
import { type News, Siren } from './siren.ts';

/** Retry interval after no route was found. */
const TRY_AGAIN_MS = 20_000;

interface EvacuationParts extends MusterWaysParts {
  readonly ground: Ground;
  readonly crowd: Crowd | null;
  readonly knobs: MusterKnobs;
  readonly frame: LocalFrame;
  readonly seed: string;
  /** The serials of the people's watches. Random values depend on them. */
  readonly serials: readonly string[];
}

export class Evacuation {
  readonly #of: EvacuationParts;
  readonly #siren = new Siren();
  readonly #ways: MusterWays;
  readonly #parts: MusterParts;
  readonly #watches: MusterWatches;
  readonly #helping: Helping;
  readonly #choice: PointChoice;
  readonly #doors: DoorChoice;
  #draws: Draws | null = null;
  #points: readonly GatheringPoint[] = [];
  #kind: MusterKind = 'general';
  #active = false;
  #inspecting = false;

  constructor(parts: EvacuationParts) {
    this.#of = parts;
    this.#ways = new MusterWays(parts);
    const { people, life, serials } = parts;
    this.#parts = new MusterParts(people, serials);
    this.#watches = new MusterWatches(people.touched);
    this.#helping = new Helping({ people, life, ways: this.#ways, watches: this.#watches, parts: this.#parts.all });
    this.#choice = new PointChoice(this.#parts.all, this.#ways);
    this.#doors = new DoorChoice({ ...parts, parts: this.#parts.all });
  }

  /** A muster is on, or people are still on their way back: someone may press a button at any second. */
  get on(): boolean {
    return this.#active || this.#watches.waits || this.#siren.sounds || this.#parts.anybodyGoes;
  }

  /** True while a muster is active: a shift that begins then begins at an assembly point. */
  get active(): boolean {
    return this.#active;
  }

  /** True if the evacuation decides what the person does next. */
  takes(i: number): boolean {
    return this.#parts.of(i) !== null;
  }

  /** A watch of the site received a notice, at an instant up to which everyone was simulated. */
  onMuster(notice: MusterNotice, now: Instant): void {
    this.#siren.onMuster(notice, now);
  }

  /** What people have done with their watch since the last call. */
  takeActs(i: number): readonly MusterAct[] {
    return this.#watches.take(i);
  }

  hasDone(i: number): boolean {
    return this.#watches.has(i);
  }

  /** A shift begins during the muster: the person learns of it from their watch, and goes where the others go. */
  join(i: number, now: Instant): void {
    const temper = temperOf(this.#chance, i, this.#kind, this.#of.knobs);
    this.#parts.take(i, { ...temper, behaviour: 'goes' });
    this.#ways.halt(i);
    this.#of.people.until[i] = now + temper.startMs;
  }

  /** The person's activity in the muster; null if they have no part in it. */
  activityOf(i: number): 'evacuating' | 'helping' | 'at_point' | null {
    const stage = this.#parts.of(i)?.stage;
    if (stage === undefined) return null;
    return stage === 'helps' ? 'helping' : stage === 'there' ? 'at_point' : 'evacuating';
  }

  /** The person cannot move: their current activity ends. */
  hold(i: number): void {
    const part = this.#parts.of(i);
    // A pending call for help is still made.
    if (part == null || part.stage === 'calls') return;
    if (part.stage !== 'over' && part.stage !== 'to-watch') part.stage = 'stuck';
    else part.stage = 'over';
    this.#of.people.until[i] = NEVER;
  }

  /** The person cannot move, and calls for help if they have not yet done so. */
  call(i: number): void {
    const part = this.#parts.of(i);
    if (part?.stage !== 'calls') return;
    this.#watches.add(i, { kind: 'help', reason: part.temper.behaviour === 'trapped' ? 'trapped' : 'injured' });
    part.stage = 'stuck';
    this.#of.people.until[i] = NEVER;
  }

  /** The person can move again: to a point, or to work after the muster. Injured people and helpers walk slowly. */
  freed(i: number, injured: boolean, now: Instant): void {
    const { people } = this.#of;
    const part = this.#parts.of(i)!;
    if (injured) part.pace = ESCORTED;
    for (const helper of this.#helping.release(i, now)) people.touched.add(helper);
    if (part.stage !== 'over') part.stage = 'lost';
    people.be(i, 'muster');
    people.until[i] = now;
  }

  /** A person's state to store; null: no muster has affected them. */
  kept(i: number): KeptMusterSide | null {
    const part = this.#parts.kept(i);
    const watch = this.#watches.kept(i);
    const chance = this.#draws === null ? null : this.#draws.state(i);
    if (chance === null && part === null) return null;
    return { part, perceivesAt: keptInstant(this.#parts.perceivesAt[i]!), ...watch, chance };
  }

  /** Call it after `resumeSite`. */
  resume(i: number, kept: KeptMusterSide, gapMs: number): void {
    if (kept.part !== null) this.#parts.resume(i, kept.part, this.#points, gapMs);
    this.#parts.perceivesAt[i] = resumedInstant(kept.perceivesAt, gapMs);
    this.#watches.resume(i, kept, gapMs);
    if (kept.chance !== null) this.#chance.goOn(i, kept.chance);
  }

  /** What the people of the site know about its musters. */
  keptSite(): Pick<KeptSite, 'told' | 'ended'> {
    return this.#siren.kept();
  }

  resumeSite(kept: Pick<KeptSite, 'told' | 'ended'>): void {
    this.#siren.resume(kept);
    if (kept.told !== null) this.#know(kept.told);
  }

  /** Runs at the end of a tick: takes new notices, and moves the people whose reaction time is over. */
  tick(now: Instant): void {
    for (const news of this.#siren.take()) this.#take(news, now);
    this.#watches.tick(now);
    if (!this.#active) return;
    for (const i of this.#parts.perceiving(now)) {
      this.#of.people.touched.add(i);
      this.#perceive(i, now);
    }
    this.#doors.tick(this.#chance, now);
  }

  /** The person has reached the end of their way. */
  arrived(i: number, now: Instant): void {
    const { people, life } = this.#of;
    const part = this.#parts.of(i)!;
    people.climbTo[i] = people.goalHeight[i]!;
    switch (part.stage) {
      case 'drives':
        life.getOut(i);
        return this.#go(i, part, now);
      case 'to-help':
        return this.#helping.arrived(i, part, now);
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

  /** The person's stay is over: decides what they do next. */
  decide(i: number, now: Instant): void {
    const { people } = this.#of;
    const part = this.#parts.of(i)!;
    // A person who was sent elsewhere meanwhile has stayed there long enough.
    const stage = people.phaseOf(i) === 'told' && this.#active ? 'lost' : part.stage;
    people.be(i, 'muster');
    people.until[i] = NEVER;
    switch (stage) {
      case 'starts':
        if (part.temper.watch.takenAlong) this.#watches.putOn(i);
        return part.temper.behaviour === 'helps' ? this.#helping.begin(i, part, now) : this.#go(i, part, now);
      case 'helps':
        part.helped = -1;
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

  #take({ notice, at, before }: News, now: Instant): void {
    this.#know(notice);
    for (let i = 0; i < this.#of.people.count; i++) this.#of.people.touched.add(i);
    if (notice.status !== 'active') return this.#end(now);
    if (before === null) return this.#alarm(at, now);
    if (notice.revision === before.revision) return;
    for (const [i, part] of this.#parts.all.entries())
      if (part !== null) this.#parts.perceivesAt[i] = at + perceiveMs(this.#chance, i);
  }

  #know(notice: MusterNotice): void {
    this.#points = gatheringsOf(notice, this.#of.ground, this.#of.frame);
    this.#inspecting = notice.phase === 'inspecting';
    this.#active = notice.status === 'active';
    if (this.#active) this.#kind = notice.kind;
  }

  // All autonomous workers on site, except those off shift.
  #alarm(at: Instant, now: Instant): void {
    const { people } = this.#of;
    this.#parts.clear();
    for (let i = 0; i < people.count; i++) {
      const docked = people.phaseOf(i) === 'docked';
      if (people.auto[i] === 0 || (docked && now >= people.shiftEndsAt[i]!)) continue;
      const temper = temperOf(this.#chance, i, this.#kind, this.#of.knobs);
      const part = this.#parts.take(i, temper);
      // A watch on the charger is within reach.
      const watch = docked ? { ...temper.watch, off: false } : temper.watch;
      this.#watches.begin(i, watch, { at: part.from, heightM: part.fromHeightM }, at);
      // An explicit order has priority over the alarm.
      if (people.phaseOf(i) === 'told' && people.routes[i] !== null && !people.errands.has(i)) continue;
      this.#ways.halt(i);
      this.#begin(i, part, at);
    }
  }

  // People who cannot move call for help after a delay, unless they did before the alarm.
  #begin(i: number, part: MusterPart, at: Instant): void {
    const { people } = this.#of;
    const { behaviour, callMs, startMs } = part.temper;
    if (people.stuck.has(i)) {
      part.stage = 'stuck';
      people.until[i] = NEVER;
    } else if (behaviour === 'trapped' || behaviour === 'injured') {
      people.stuck.hold(i, behaviour, at);
      people.until[i] = at + callMs;
    } else people.until[i] = at + startMs;
  }

  #end(now: Instant): void {
    const { people } = this.#of;
    this.#parts.perceivesAt.fill(NEVER);
    for (const [i, part] of this.#parts.all.entries()) {
      if (part === null) continue;
      const backAt = now + backToWorkMs(this.#chance, i);
      // They never called, so nobody would come to free them: what held them ends with the alarm.
      if (part.stage === 'calls') people.stuck.free(i, STUCK_BY);
      part.stage = 'over';
      if (people.phaseOf(i) === 'told') continue;
      this.#ways.halt(i);
      // People who cannot move must still be freed. [decisions 6]
      people.until[i] = people.stuck.has(i) ? NEVER : backAt;
    }
  }

  // People who left their watch behind fetch it first.
  #goBack(i: number, part: MusterPart, now: Instant): void {
    const lies = this.#watches.leftOf(i);
    const route = lies === undefined ? null : this.#ways.onFoot(i, lies.at, lies.heightM, now);
    if (lies === undefined || route === null) return this.#leaveOff(i, now);
    part.stage = 'to-watch';
    this.#ways.walk(i, part, route, lies.at, lies.heightM, now);
  }

  #leaveOff(i: number, now: Instant): void {
    const { people } = this.#of;
    this.#watches.putOn(i);
    this.#parts.drop(i);
    people.be(i, 'work');
    people.until[i] = now;
  }

  #perceive(i: number, now: Instant): void {
    const { people } = this.#of;
    this.#parts.perceivesAt[i] = NEVER;
    const part = this.#parts.of(i);
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

  #goesWrong({ temper, corrected }: MusterPart): boolean {
    return temper.behaviour === 'wrong' && !corrected;
  }

  #arriveAtPoint(i: number, part: MusterPart, now: Instant): void {
    const { temper, point } = part;
    const full = point !== null && !this.#goesWrong(part) && this.#choice.arrives(point, now) ? point : null;
    // A person at a full point goes on to the next one with room. If none has room, they stay and are counted.
    if (full !== null && this.#goTo(i, part, this.#choice.withRoom(full, this.#points, now), now)) return;
    part.stage = 'there';
    // People declare once they have climbed to their floor, if there are stairs.
    part.declareAt = now + temper.declaresMs;
    part.leaveAt = NEVER;
    if (this.#goesWrong(part) && point?.serves !== true && temper.correctedMs !== null)
      part.leaveAt = now + temper.correctedMs;
    if (temper.behaviour === 'returns' && !part.corrected) part.leaveAt = now + temper.leavesMs;
    this.#of.people.until[i] = Math.min(part.declareAt, part.leaveAt);
  }

  #atPoint(i: number, part: MusterPart, now: Instant): void {
    if (part.declareAt <= now) {
      part.declareAt = NEVER;
      const { point, temper } = part;
      const ifUnseen = !temper.declares[(point?.heightM ?? 0) > 0 ? 'vertical' : 'ground'];
      if (point !== null) this.#watches.add(i, { kind: 'declare', pointId: point.id, ifUnseen });
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

  #fetch(i: number, part: MusterPart, now: Instant): void {
    const route = this.#ways.onFoot(i, part.from, part.fromHeightM, now);
    if (route === null) return;
    part.stage = 'fetches';
    part.point = null;
    this.#ways.walk(i, part, route, part.from, part.fromHeightM, now);
  }

  /** Sends the person to the nearest point that serves, or to one that they wrongly believe to serve. */
  #go(i: number, part: MusterPart, now: Instant): void {
    const among = this.#choice.among(this.#goesWrong(part), this.#points);
    if (this.#goTo(i, part, among, now)) return;
    this.#ways.halt(i);
    part.stage = 'lost';
    this.#of.people.until[i] = among.length > 0 ? now + TRY_AGAIN_MS : NEVER;
  }

  /** Sends the person to one of the points. Returns false if no way leads to any. */
  #goTo(i: number, part: MusterPart, among: readonly GatheringPoint[], now: Instant): boolean {
    const { people } = this.#of;
    const found = this.#choice.of(i, part, among, this.#points, now);
    if (found === null) return false;
    const same = part.point?.id === found.point.id && people.routes[i] !== null;
    part.point = found.point;
    if (same && (part.stage === 'goes' || part.stage === 'drives')) return true;
    part.stage = this.#ways.setOut(i, part, found, spotIn(found.point, this.#chance, i), now);
    return true;
  }

  get #chance(): Draws {
    this.#draws ??= new Draws(this.#of.seed, 'muster', this.#of.serials);
    return this.#draws;
  }
}
