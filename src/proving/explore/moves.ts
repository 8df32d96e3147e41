/**
 * The moves from which scenarios are generated: actions of people, watches, the control room and the network, drawn by the seed.
 */
import type { Stream } from '../../base/random/streams.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { type GeneratedStep, joined, nameOf } from './generated-scenario.ts';
import { CREW, type GeneratedScenarioPlant } from './plant.ts';

/** Draws the parts of a move. A getter that finds nothing throws `NoMove`, and another move is drawn. */
export class Drawing {
  readonly stream: Stream;
  readonly plant: GeneratedScenarioPlant;
  readonly #before: readonly GeneratedStep[];
  readonly #taken: Set<string>;
  readonly #drawn = new Set<string>();

  /** `before`: the steps that the move follows. `taken`: names in use anywhere in the scenario. */
  constructor(
    stream: Stream,
    plant: GeneratedScenarioPlant,
    before: readonly GeneratedStep[],
    taken: ReadonlySet<string>,
  ) {
    this.stream = stream;
    this.plant = plant;
    this.#before = before;
    this.#taken = new Set(taken);
  }

  one<T>(items: readonly T[]): T {
    if (items.length === 0) throw new NoMove();
    return this.stream.pick(items);
  }

  /** Draws a person whom it has not drawn before, as long as there is one: a second SOS of the same person is not a second alert. */
  who(): string {
    const others = this.plant.people.filter((name) => !this.#drawn.has(name));
    const who = this.one(others.length > 0 ? others : this.plant.people);
    this.#drawn.add(who);
    return who;
  }

  /** A number of workers at once: of a group of the file, or of a group that the scenario brings. */
  crew(count: number): string {
    const { groups } = this.plant;
    const group = groups.find((one) => one.count >= count);
    if (group === undefined && groups.some(({ name }) => name === CREW)) throw new NoMove();
    return `${count} of ${group?.name ?? CREW}`;
  }

  receiver = (): string => this.one(this.plant.receivers);
  /** A receiver whose new secrets are sent to the user's system. */
  informedReceiver = (): string => this.one(this.plant.tellsSecrets ? this.plant.receivers : []);
  pointsOf = (site: string): readonly string[] =>
    this.plant.zones.filter((zone) => zone.site === site && zone.type === 'assembly_point').map(({ name }) => name);
  /** Returns the people of a site, at least one. */
  peopleAt(site: string): readonly string[] {
    const there = this.plant.people.filter((who) => this.plant.siteOf[who] === site);
    return [this.one(there), ...there].filter((who, place, all) => all.indexOf(who) === place);
  }

  /** Draws a zone of the person's site that is no assembly point. */
  zoneNear(who: string): string {
    const site = this.plant.siteOf[who];
    const near = this.plant.zones.filter((zone) => zone.site === site && zone.type !== 'assembly_point');
    return this.one(near.map(({ name }) => name));
  }

  /** Draws the name of an alert of an earlier step. The latest one is more likely. */
  alert = (): string => this.#named((name) => name.startsWith('a'));
  muster = (): string => this.#named((name) => name.startsWith('m'));

  site(): JsonMap {
    return this.plant.sites.length > 1 ? { site: this.one(this.plant.sites) } : {};
  }

  #named(fits: (name: string) => boolean): string {
    const names = this.#before.flatMap((step) => nameOf(step) ?? []).filter(fits);
    if (names.length === 0) throw new NoMove();
    return `$${this.stream.chance(0.5) ? names.at(-1) : this.one(names)}`;
  }

  /** Returns the steps with new names in place of names that are already in use. */
  named(steps: readonly GeneratedStep[]): GeneratedStep[] {
    return joined(
      [...this.#taken].map((as) => ({ as })),
      steps,
    ).slice(this.#taken.size);
  }

  /** Returns an unused name, and reserves it. */
  fresh(letter: 'a' | 'm'): string {
    let n = 1;
    while (this.#taken.has(`${letter}${n}`)) n++;
    this.#taken.add(`${letter}${n}`);
    return `${letter}${n}`;
  }
}

/** The plant or the scenario lacks what the move needs. */
class NoMove extends Error {}

export type ScenePart = 'raises' | 'turns' | 'disturbs';

/** A move of the table, or a scene, by its name. */
export interface WeightedMove extends Move {
  readonly name: string;
}

interface Move {
  /** Relative frequency with which the move is drawn. */
  readonly weight: number;
  /** Its part in a scene: it raises an alert, changes the alert's status, or disturbs deliveries, API or tokens. */
  readonly part?: ScenePart;
  readonly steps: (draw: Drawing) => readonly GeneratedStep[];
}

export const BY = 'Desk';
const SHORT = ['300ms', '2s', '10s', '40s', '2m'];
const LASTING = ['20s', '1m', '5m', '40m'];

/** The part of the API from which a client gets its tokens. */
export const TOKENS = { path: '/v1/oauth/token' };

/** Returns a step that binds a name to its alert. */
const raises = (word: string, fields: (draw: Drawing) => JsonMap) => (draw: Drawing) => [
  { [word]: fields(draw), as: draw.fresh('a') },
];

export const MOVES = {
  sos: { weight: 10, part: 'raises', steps: raises('sos', (draw) => ({ who: draw.who() })) },
  fall: {
    weight: 5,
    part: 'raises',
    steps: raises('fall', (draw) => ({ who: draw.who(), answers: draw.one(['help', 'never', 'ok']) })),
  },
  call: { weight: 3, part: 'raises', steps: raises('call_request', (draw) => ({ who: draw.who() })) },
  crew: { weight: 1, steps: (draw) => [{ call_request: { who: draw.crew(draw.one([3, 25, 60])) } }] },
  battery: { weight: 2, steps: (draw) => [{ battery: { who: draw.who(), pct: draw.one([12, 60]) } }] },
  zone: {
    weight: 3,
    steps: (draw) => {
      const who = draw.who();
      return [{ enter: { who, zone: draw.zoneNear(who) } }];
    },
  },
  hazard: {
    weight: 4,
    part: 'raises',
    steps: raises('hazard', (draw) => ({
      kind: draw.one(['earthquake', 'tsunami_risk']),
      ...draw.site(),
      official: draw.one([true, false]),
    })),
  },
  panelSos: { weight: 2, part: 'raises', steps: raises('panel_sos', (draw) => ({ who: draw.who(), by: BY })) },
  acknowledge: {
    weight: 4,
    part: 'turns',
    steps: (draw) => [{ acknowledge: { alert: draw.alert(), by: BY, via: 'panel' } }],
  },
  resolve: { weight: 9, part: 'turns', steps: (draw) => [{ resolve: { alert: draw.alert(), by: BY, via: 'panel' } }] },
  reopen: {
    weight: 5,
    part: 'turns',
    steps: (draw) => {
      const alert = draw.alert();
      return [{ resolve: { alert, by: BY, via: 'panel' } }, { reopen: { alert, by: BY }, after: draw.one(SHORT) }];
    },
  },
  pressAck: { weight: 1, steps: (draw) => [{ press_ack: { who: draw.who() } }] },
  signal: {
    weight: 2,
    steps: (draw) => [{ signal: { who: draw.who(), is: 'lost', kind: 'network' }, for: draw.one(LASTING) }],
  },
  wear: { weight: 1, steps: (draw) => [{ wear: { who: draw.who(), is: draw.one(['on', 'off']) } }] },
  unveil: { weight: 1, steps: (draw) => [{ unveil: { who: draw.who(), by: BY, duration: '10m' } }] },
  privacy: {
    weight: 1,
    steps: (draw) => [{ privacy: { site: draw.one(draw.plant.sites), mode: draw.one(['continuous', 'on_demand']) } }],
  },
  contract: {
    weight: 1,
    steps: (draw) => [{ contract: { include_worker_names: draw.one([true, false]) } }],
  },
  muster: {
    weight: 3,
    steps: (draw) => [
      { start_muster: { kind: draw.one(['general', 'tsunami']), by: BY, ...draw.site() }, as: draw.fresh('m') },
    ],
  },
  musterTurns: {
    weight: 3,
    steps: (draw) => [
      draw.one<GeneratedStep>([
        { change_kind: { muster: draw.muster(), to: draw.one(['general', 'tsunami', 'earthquake']), by: BY } },
        { cannot_evacuate: { who: draw.who(), reason: draw.one(['trapped', 'injured']) } },
        { end_muster: { muster: draw.muster(), outcome: draw.one(['completed', 'cancelled']), by: BY } },
      ]),
    ],
  },
  wait: { weight: 6, steps: (draw) => [{ wait: draw.one([...SHORT, '20m']) }] },
  duplicate: {
    weight: 3,
    part: 'disturbs',
    steps: (draw) => [{ deliveries: { to: draw.receiver(), duplicate: draw.one([2, 3]) }, for: draw.one(LASTING) }],
  },
  shuffle: {
    weight: 4,
    part: 'disturbs',
    steps: (draw) => [
      { deliveries: { to: draw.receiver(), shuffle: draw.one(['30s', '5m']) }, for: draw.one(LASTING) },
    ],
  },
  hold: {
    weight: 4,
    part: 'disturbs',
    steps: (draw) => [{ deliveries: { to: draw.receiver(), hold: draw.one(['20s', '2m']) }, for: draw.one(LASTING) }],
  },
  receiverDown: {
    weight: 4,
    part: 'disturbs',
    steps: (draw) => [
      {
        receiver: { name: draw.receiver(), does: draw.one([503, 500, 429, 'reset', 'lost_answer', 'refuse']) },
        for: draw.one(LASTING),
      },
    ],
  },
  resend: {
    weight: 1,
    part: 'disturbs',
    steps: (draw) => [{ resend: { to: draw.receiver(), since: draw.one(['2m', '1h']) } }],
  },
  apiDown: {
    weight: 3,
    part: 'disturbs',
    steps: (draw) => {
      const part = draw.one([{}, {}, TOKENS]);
      return [
        { api_fault: { status: draw.one([500, 503]), share: draw.one([0.5, 1]), ...part }, for: draw.one(SHORT) },
      ];
    },
  },
  tooMany: {
    weight: 3,
    part: 'disturbs',
    steps: (draw) => [
      { limits: { requests_per_minute: 0 }, for: draw.one(['1s', '1s', '2s', '5s']) },
      ...(draw.stream.chance(0.7) ? [{ sos: { who: draw.who() }, as: draw.fresh('a') }] : []),
    ],
  },
  token: {
    weight: 2,
    part: 'disturbs',
    steps: (draw) => [{ token: { [draw.one(['expire', 'revoke'])]: 'customer' } }],
  },
  test: { weight: 2, part: 'disturbs', steps: (draw) => [{ webhook: { test: draw.receiver() } }] },
  rotate: {
    weight: 3,
    part: 'disturbs',
    steps: (draw) => {
      const rotate = { webhook: { rotate_secret: draw.informedReceiver() } };
      // A rotation ends the secret before last at once, and the last secret after a day. [spec 4]
      const kind = draw.stream.float();
      return [rotate, ...(kind < 0.5 ? [rotate] : kind < 0.7 ? [{ clock: { advance: '25h' } }] : [])];
    },
  },
  jump: { weight: 1, part: 'disturbs', steps: (draw) => [{ clock: { advance: draw.one(['2h', '2h', '2h', '25h']) } }] },
} as const satisfies Readonly<Record<string, Move>>;

const TABLE: readonly WeightedMove[] = Object.entries(MOVES as Readonly<Record<string, Move>>).map(([name, move]) => ({
  name,
  ...move,
}));

/** The name and the steps of a drawn move. */
interface DrawnMove {
  readonly name: string;
  readonly steps: readonly GeneratedStep[];
}

/**
 * Draws a move that can follow the earlier steps. `part`: only moves of this part. `factorOf`: factor on the weight of a move.
 */
export function drawMove(draw: Drawing, { part, more = [], factorOf = () => 1 }: MoveChoice = {}): DrawnMove {
  const moves = part === undefined ? [...TABLE, ...more] : TABLE.filter((move) => move.part === part);
  const weightOf = ({ name, weight }: WeightedMove) => weight * factorOf(name);
  const total = moves.reduce((sum, move) => sum + weightOf(move), 0);
  for (;;) {
    let left = draw.stream.float() * total;
    const move = moves.find((one) => {
      left -= weightOf(one);
      return left < 0;
    });
    const steps = move === undefined ? null : stepsOf(move, draw);
    if (move !== undefined && steps !== null) return { name: move.name, steps };
  }
}

export interface MoveChoice {
  readonly part?: ScenePart | undefined;
  /** Moves in addition to those of the table. */
  readonly more?: readonly WeightedMove[];
  readonly factorOf?: (name: string) => number;
}

/** Weight of a user's own move, relative to the moves of the table. */
const OWN_WEIGHT = 6;

/** Returns the moves in the file of rules, whose steps are already validated. */
export function ownMoves(section: unknown): WeightedMove[] {
  return Object.entries(isMap(section) ? section : {}).map(([name, steps]) => ({
    name: `moves.${name}`,
    weight: OWN_WEIGHT,
    steps: (draw) => draw.named((steps as unknown[]).filter(isMap)),
  }));
}

/** Returns null if the plant or the scenario lacks what the move needs. */
export function stepsOf({ steps }: Pick<Move, 'steps'>, draw: Drawing): readonly GeneratedStep[] | null {
  try {
    return steps(draw);
  } catch (error) {
    if (error instanceof NoMove) return null;
    throw error;
  }
}
