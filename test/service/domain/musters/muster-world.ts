/** The small world with assembly points, and the words of a control room in an evacuation. */
import type { MusterKind } from '../../../../src/contract/enumerations.ts';
import type { Muster as MusterResource } from '../../../../src/contract/resources.ts';
import { isRejection } from '../../../../src/service/domain/changes.ts';
import type { Command, CommandOf } from '../../../../src/service/domain/commands.ts';
import type { Decision } from '../../../../src/service/domain/decide.ts';
import { musterView } from '../../../../src/service/domain/views/muster.ts';
import type { Expected, Muster, Zone } from '../../../../src/service/domain/world/documents.ts';
import { type Options, SITE, SmallWorld, START_MUSTER } from '../small-world.ts';

export const BY = 'Shift lead';

/** Where people are at each point, metres. */
export const AT = { gate: [320, 20], hill: [620, 420], tower: [425, 25], nowhere: [100, 60] } as const;
export type Place = keyof typeof AT;

type Start = Partial<Omit<CommandOf<'start-muster'>, 'type'>>;

export class MusterWorld extends SmallWorld {
  constructor(options: Options = {}) {
    super(options);
    const tower = { vertical: true, minHeightM: 10 };
    this.point('Gate A', [300, 0, 340, 40], ['general', 'earthquake']);
    this.point('Hill North', [600, 400, 650, 450], ['general', 'tsunami', 'earthquake']);
    this.point('Tower', [410, 10, 440, 40], ['tsunami'], tower);
    this.at(2, 25, 25);
    this.at(3, 30, 25);
    this.world.commit();
  }

  point(
    name: string,
    box: readonly [number, number, number, number],
    serves: readonly MusterKind[],
    part: Partial<NonNullable<Zone['assemblyPoint']>> = {},
  ): void {
    this.zone(name, 'assembly_point', box);
    const zone = this.zoneOf(name);
    const rest = { elevationM: null, elevationSource: null, vertical: false, capacity: null, minHeightM: null };
    this.world.put('zone', { ...zone, assemblyPoint: { serves, ...rest, ...part } });
  }

  zoneOf(name: string): Zone {
    for (const zone of this.world.all('zone')) if (zone.name === name) return zone;
    throw new Error(`no zone ${name}`);
  }

  pointId = (name: string): string => this.zoneOf(name).id;

  /** Lets `seconds` pass, with every count that is due. */
  wait(seconds: number): void {
    const until = this.now + seconds * 1_000;
    for (;;) {
      const active = this.world.indexes.activeMuster(SITE);
      const due = active === undefined ? Infinity : this.#nextCount(active);
      if (due > until) break;
      this.now = due;
      if (active !== undefined) this.do({ type: 'count-muster', musterId: active.id });
    }
    this.now = until;
  }

  #nextCount({ startedAt }: Muster): number {
    return startedAt + (Math.floor((this.now - startedAt) / 5_000) + 1) * 5_000;
  }

  start(part: Start = {}): Muster {
    this.must({
      ...START_MUSTER,
      by: BY,
      ...part,
    });
    return this.muster();
  }

  /** The newest one. */
  muster(): Muster {
    const found = [...this.world.all('muster')].at(-1);
    if (found === undefined) throw new Error('there is no muster');
    return found;
  }

  /** As GET shows it. */
  shown(): MusterResource {
    return musterView(this.muster());
  }

  begin(kind: MusterKind, deadline: CommandOf<'start-muster'>['deadline'] = null): Decision {
    return this.do({ type: 'change-muster-kind', musterId: this.muster().id, kind, deadline, by: BY });
  }

  exclude(name: string, reason = 'Smoke'): Decision {
    return this.do({
      type: 'exclude-point',
      musterId: this.muster().id,
      pointId: this.pointId(name),
      reason,
      by: BY,
    });
  }

  reinstate(name: string): Decision {
    return this.do({ type: 'reinstate-point', musterId: this.muster().id, pointId: this.pointId(name), by: BY });
  }

  mark(n: number, point: string | null = null): Decision {
    const pointId = point === null ? null : this.pointId(point);
    return this.do({ type: 'mark-safe', musterId: this.muster().id, workerId: this.workerId(n), pointId, by: BY });
  }

  inspect(): Decision {
    return this.do({ type: 'inspect-plant', musterId: this.muster().id, by: BY });
  }

  end(outcome: 'completed' | 'cancelled' = 'completed'): Decision {
    return this.do({ type: 'end-muster', musterId: this.muster().id, outcome, by: BY });
  }

  help(n: number, reason: 'trapped' | 'injured' | 'helping' | null = null): Decision {
    return this.do({ type: 'report-help', reason, ...this.uplink(n) });
  }

  declare(n: number, point: string): Decision {
    return this.do({ type: 'declare-at-point', pointId: this.pointId(point), ...this.uplink(n) });
  }

  goes(n: number, place: Place, part: Parameters<SmallWorld['at']>[3] = {}): void {
    const [x, y] = AT[place];
    this.at(n, x, y, part);
  }

  person(n: number): Expected {
    const found = this.world.indexes.expectedIn(this.muster().id).get(this.workerId(n));
    if (found === undefined) throw new Error(`worker ${n} is not expected`);
    return found;
  }

  /** The totals that are not 0. */
  figures(): Record<string, number | null> {
    const { totals } = this.muster();
    return Object.fromEntries(Object.entries(totals).filter(([, people]) => people !== 0));
  }

  musterEvents(): string[] {
    return this.eventTypes().filter((type) => type.startsWith('muster.'));
  }

  /** Of the last event. */
  lastEvent() {
    return JSON.parse(this.events.at(-1)?.body ?? '{}') as { type: string; created_at: string; data: object };
  }

  must(command: Command): void {
    const decision = this.do(command);
    if (isRejection(decision)) throw new Error(decision.detail);
  }
}
