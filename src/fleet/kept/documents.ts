/** The documents that a fleet keeps: of each person, of the musters of a site, and of each watch. */

import { type Static, Type } from 'typebox';
import { HelpReason } from '../../contract/enumerations.ts';
import { Height } from '../../contract/resources.ts';
import { inline, nullable, whole } from '../../contract/shapes.ts';
import { DownAlertState, DownVehicle, MusterNotice } from '../../contract/watch.ts';
import { BEHAVIOURS } from '../people/muster/muster-knobs.ts';
import { STAGES } from '../people/muster/muster-part.ts';
import { NEVER, PHASES, STUCK_BY } from '../people/people.ts';

// Shapes that several documents share. Instants are simulated milliseconds; `null` where code says never.
export const Moment = Type.Number();

/** JSON has no infinity. */
const MaybeNever = nullable(Moment);

const Metres = Type.Tuple([Type.Number(), Type.Number()]);

/** Where a stream of chance stands. */
const ChanceState = Type.Tuple([Type.Integer(), Type.Integer(), Type.Integer(), Type.Integer()]);

const FloorShape = inline({
  building: Type.String(),
  floor: nullable(Type.String()),
  heightM: Type.Number(),
});

export const keptInstant = (at: number): number | null => (at === NEVER ? null : at);

/** Due instants are postponed by the downtime, in which people stood still. */
export const resumedInstant = (at: number | null, gapMs: number): number => (at === null ? NEVER : at + gapMs);

const word = <V extends string>(values: readonly V[]) => Type.Enum([...values] as [V, ...V[]], { type: 'string' });

const KeptTemper = inline({
  behaviour: word(BEHAVIOURS),
  startMs: Type.Number(),
  callMs: Type.Number(),
  helpMs: Type.Number(),
  correctedMs: nullable(Type.Number()),
  leavesMs: Type.Number(),
  fetchesMs: Type.Number(),
  declaresMs: Type.Number(),
  declares: inline({ ground: Type.Boolean(), vertical: Type.Boolean() }),
  watch: inline({
    off: Type.Boolean(),
    takenAlong: Type.Boolean(),
    coverLostMs: nullable(Type.Number()),
    outageMs: Type.Number(),
  }),
  habit: Type.Optional(nullable(Type.Number())),
});

const KeptPart = inline({
  temper: KeptTemper,
  from: Metres,
  fromHeightM: Type.Number(),
  stage: word(STAGES),
  /** The id of the point, and whether it served when they set out for it. */
  point: nullable(inline({ id: Type.String(), serves: Type.Boolean() })),
  /** The person whom they help. */
  helped: nullable(Type.String()),
  pace: Type.Number(),
  declareAt: MaybeNever,
  leaveAt: MaybeNever,
  corrected: Type.Boolean(),
});
export type KeptPart = Static<typeof KeptPart>;

const KeptMusterAct = Type.Union([
  inline({ kind: Type.Literal('help'), reason: HelpReason }),
  inline({ kind: Type.Literal('declare'), pointId: Type.String(), ifUnseen: Type.Boolean() }),
  inline({ kind: word(['takes-off', 'puts-on', 'cover-lost', 'cover-back'] as const) }),
]);

/** What a muster made of them, and of their watch. */
export const KeptMusterSide = inline({
  part: nullable(KeptPart),
  perceivesAt: MaybeNever,
  deeds: Type.Array(KeptMusterAct),
  outage: nullable(inline({ lostAt: MaybeNever, backAt: Moment })),
  left: nullable(inline({ at: Metres, heightM: Type.Number() })),
  chance: nullable(ChanceState),
});
export type KeptMusterSide = Static<typeof KeptMusterSide>;

/** The row of the people's columns. */
export const KeptRow = inline({
  x: Type.Number(),
  y: Type.Number(),
  height: Type.Number(),
  climbTo: Type.Number(),
  goalHeight: Type.Number(),
  pace: Type.Number(),
  speed: Type.Number(),
  since: Moment,
  until: MaybeNever,
  shiftEndsAt: Moment,
  nextBreakAt: Moment,
  shiftMs: Type.Number(),
  dockMs: Type.Number(),
  onFootUntil: Moment,
  drives: whole(0, 255),
  /** `puppet` is what older data folders have for `scripted`. */
  phase: word([...PHASES, 'puppet']),
  aboard: Type.Boolean(),
  lowBattery: Type.Boolean(),
  stuck: nullable(inline({ by: Type.Array(word(STUCK_BY), { minItems: 1 }), since: Moment })),
  /** Corners x, y ... that are still to be passed. */
  way: nullable(Type.Array(Type.Number())),
  floor: nullable(FloorShape),
});
export type KeptRow = Static<typeof KeptRow>;

/** The errors of their watch's fixes; `at` null: it has made none. */
export const KeptSenses = inline({
  east: Type.Number(),
  north: Type.Number(),
  up: Type.Number(),
  /** Absent: kept by an older version. */
  sky: Type.Optional(Type.Number()),
  sigmaM: Type.Number(),
  at: nullable(Moment),
  chance: ChanceState,
});
export type KeptSenses = Static<typeof KeptSenses>;

/** Where they stand at the next door or stair of their way. */
const KeptCrossing = inline({
  /** Twice the number of corners before it; null: they may pass what is ahead. */
  gate: nullable(whole(0)),
  /** The same of the corner up to which they pass a door; null: they pass none. */
  passing: Type.Optional(nullable(whole(0))),
  gapM: Type.Number(),
  /** Their number in the order of the queue; 0: they do not wait. */
  ticket: whole(0),
  freeSpeed: Type.Number(),
});

/** One person: where they are, what they are at, their part in a muster, and where their streams of chance stand. */
export const KeptPerson = inline({
  /** The second up to which their life was played. */
  asOf: Moment,
  row: KeptRow,
  /** Null or absent: no doors are regulated, or the memory is older than that. */
  crossing: Type.Optional(nullable(KeptCrossing)),
  /** The place of their work area among the site's zones; -1: no zone, or the one that they began with. */
  zone: whole(-1),
  /** Where their vehicle stands. */
  vehicle: nullable(Metres),
  chance: ChanceState,
  /** Null: no muster has touched them. */
  muster: nullable(KeptMusterSide),
  /** Null: their fixes are exact. */
  senses: nullable(KeptSenses),
});
export type KeptPerson = Static<typeof KeptPerson>;

/** The kept musters of a site, as its people know them. */
export const KeptSite = inline({
  /** The last that people took up, also of a muster that is over; null: there was none. */
  told: nullable(MusterNotice),
  /** Musters that are past. */
  ended: Type.Array(Type.String()),
  /** Doors and stairs that were passed just now: their index, and how many people may pass at once. */
  doors: Type.Optional(Type.Array(inline({ passage: whole(0), tokens: Type.Number() }))),
  /** What stands on watches' screens, each once. */
  shown: Type.Array(MusterNotice),
});
export type KeptSite = Static<typeof KeptSite>;

const Answer = Type.Enum(['ok', 'help'], { type: 'string' });
const Worn = nullable(Type.Boolean());

export const KeptScreen = inline({
  prompt: nullable(inline({ fallId: Type.String(), until: Moment })),
  alerts: Type.Array(DownAlertState),
  /** Alerts that the wearer has pressed away. */
  acknowledged: Type.Array(Type.String()),
  /** Which of the site's notices, by `noticeKey`; null: it shows no muster. */
  muster: nullable(Type.String()),
  rest: nullable(Type.String()),
  vehicle: nullable(DownVehicle),
});
export type KeptScreen = Static<typeof KeptScreen>;

export const KeptMachine = inline({
  /** The number of the last session; kept before the watch connects with it. */
  session: whole(0),
  /** Event messages made so far. */
  events: whole(0),
  worn: Worn,
  skewMs: Type.Number(),
  positionEveryMs: Type.Number(),
  alarmEveryMs: Type.Number(),
  nextReportAt: MaybeNever,
  /** How falls are to be answered once their prompts are shown. */
  plans: Type.Array(inline({ fallId: Type.String(), answer: Answer, afterMs: Type.Number() })),
  screen: KeptScreen,
});
export type KeptMachine = Static<typeof KeptMachine>;

export const KeptPower = inline({
  level: Type.Number(),
  since: Moment,
  drains: inline({ normal: Type.Number(), alarm: Type.Number() }),
  mode: Type.Enum(['normal', 'alarm', 'charging'], { type: 'string' }),
  told: Type.Boolean(),
  dead: Type.Boolean(),
  reportAt: MaybeNever,
  diesAt: MaybeNever,
});
export type KeptPower = Static<typeof KeptPower>;

/** A fix that was given instead of sensed, and holds until the wearer moves. */
const KeptGivenFix = inline({
  point: Metres,
  measured: inline({
    uncertainty_m: nullable(Type.Number()),
    source: Type.Enum(['gps', 'network'], { type: 'string' }),
    in_vehicle: Type.Boolean(),
    height: Type.Optional(Height),
  }),
});

/** One emulated watch as a fleet keeps it: its machine, its battery, how it is worn, and what its wearer is about to do with it. */
export const KeptWatch = inline({
  /** The identity of the wearer: the serial of their first watch. */
  person: Type.String(),
  machine: KeptMachine,
  power: KeptPower,
  network: Type.Boolean(),
  gps: Type.Boolean(),
  docked: Type.Boolean(),
  /** How it is worn off the charger. */
  wornAs: Worn,
  /** Changes made by a muster that were not undone. */
  deeds: inline({ tookOff: Type.Boolean(), lost: Type.Boolean() }),
  told: nullable(KeptGivenFix),
  /** Where it lies. */
  laidDown: nullable(Metres),
  /** How long after the next vehicle notice its wearer acknowledges it. */
  vehicleAckMs: nullable(Type.Number()),
  vehicleAcks: Type.Array(inline({ warningId: Type.String(), at: Moment })),
  /** How often its wearer has thought about an answer. */
  thoughts: whole(0),
});
export type KeptWatch = Static<typeof KeptWatch>;
