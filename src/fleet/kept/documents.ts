/** The documents that a fleet stores: one for each person, one for the musters of each site, and one for each watch. */

import { type Static, Type } from 'typebox';
import { HelpReason } from '../../contract/enumerations.ts';
import { Height } from '../../contract/resources.ts';
import { inline, nullable, whole } from '../../contract/shapes.ts';
import { DownAlertState, DownVehicle, MusterNotice } from '../../contract/watch.ts';
import { BEHAVIOURS } from '../people/muster/muster-knobs.ts';
import { STAGES } from '../people/muster/muster-part.ts';
import { NEVER, PHASES, STUCK_BY } from '../people/people.ts';

// Shapes that several documents share. Instants are simulated milliseconds; null stands for `NEVER`.
export const Moment = Type.Number();

/** An instant, or null for never, since JSON has no infinity. */
const MaybeNever = nullable(Moment);

const Metres = Type.Tuple([Type.Number(), Type.Number()]);

/** The state of a random stream. */
const ChanceState = Type.Tuple([Type.Integer(), Type.Integer(), Type.Integer(), Type.Integer()]);

const FloorShape = inline({
  building: Type.String(),
  floor: nullable(Type.String()),
  heightM: Type.Number(),
});

export const keptInstant = (at: number): number | null => (at === NEVER ? null : at);

/** Due instants are postponed by the downtime, during which people stood still. */
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
  /** The id of the assembly point, and whether it served when the person set out for it. */
  point: nullable(inline({ id: Type.String(), serves: Type.Boolean() })),
  /** The person whom they help; null for none. */
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

/** A person's part in a muster, and what the muster does with their watch. */
export const KeptMusterSide = inline({
  part: nullable(KeptPart),
  perceivesAt: MaybeNever,
  deeds: Type.Array(KeptMusterAct),
  outage: nullable(inline({ lostAt: MaybeNever, backAt: Moment })),
  left: nullable(inline({ at: Metres, heightM: Type.Number() })),
  chance: nullable(ChanceState),
});
export type KeptMusterSide = Static<typeof KeptMusterSide>;

/** One person's row of the columns in `People`. */
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
  phase: word(PHASES),
  aboard: Type.Boolean(),
  lowBattery: Type.Boolean(),
  stuck: nullable(inline({ by: Type.Array(word(STUCK_BY), { minItems: 1 }), since: Moment })),
  /** The remaining corners of the route, as x, y, x, y ...; null if the person stands. */
  way: nullable(Type.Array(Type.Number())),
  floor: nullable(FloorShape),
});
export type KeptRow = Static<typeof KeptRow>;

/** The errors of the fixes of the person's watch; `at` is null if it has made none. */
export const KeptSenses = inline({
  east: Type.Number(),
  north: Type.Number(),
  up: Type.Number(),
  sky: Type.Number(),
  sigmaM: Type.Number(),
  at: nullable(Moment),
  chance: ChanceState,
});
export type KeptSenses = Static<typeof KeptSenses>;

/** The person's state at the next door or stair of their way. */
const KeptCrossing = inline({
  /** The index in `way` of the corner before the door or stair; null if the person may pass everything ahead. */
  gate: nullable(whole(0)),
  /** The index in `way` of the corner up to which the person passes a door; null if they pass none. */
  passing: nullable(whole(0)),
  gapM: Type.Number(),
  /** The person's number in the order of the queue; 0 if they do not wait. */
  ticket: whole(0),
  freeSpeed: Type.Number(),
});

/** One person: position, activity, part in a muster, and the state of their random streams. */
export const KeptPerson = inline({
  /** The second up to which their life was simulated. */
  asOf: Moment,
  row: KeptRow,
  /** Null or absent: no doors are regulated, or the document is older than this field. */
  crossing: Type.Optional(nullable(KeptCrossing)),
  /** The index of their work area among the site's zones; -1 if it is no zone, or still the configured area. */
  zone: whole(-1),
  /** The position of their vehicle. */
  vehicle: nullable(Metres),
  chance: ChanceState,
  /** Null if no muster has affected them. */
  muster: nullable(KeptMusterSide),
  /** Null if their fixes are exact. */
  senses: nullable(KeptSenses),
});
export type KeptPerson = Static<typeof KeptPerson>;

/** The musters of a site, as its people know them. */
export const KeptSite = inline({
  /** The last notice that people took up, also of a muster that has ended; null if there was none. */
  told: nullable(MusterNotice),
  /** Ids of musters that have ended. */
  ended: Type.Array(Type.String()),
  /** Doors and stairs that people have just passed: their index, and the number of people who may pass at once. */
  doors: Type.Optional(Type.Array(inline({ passage: whole(0), tokens: Type.Number() }))),
  /** The notices that screens show, each once. */
  shown: Type.Array(MusterNotice),
});
export type KeptSite = Static<typeof KeptSite>;

const Answer = Type.Enum(['ok', 'help'], { type: 'string' });
const Worn = nullable(Type.Boolean());

export const KeptScreen = inline({
  prompt: nullable(inline({ fallId: Type.String(), until: Moment })),
  alerts: Type.Array(DownAlertState),
  /** Alerts that the wearer has acknowledged. */
  acknowledged: Type.Array(Type.String()),
  /** The notice that the screen shows, by `noticeKey`; null if it shows no muster. */
  muster: nullable(Type.String()),
  rest: nullable(Type.String()),
  vehicle: nullable(DownVehicle),
});
export type KeptScreen = Static<typeof KeptScreen>;

export const KeptMachine = inline({
  /** The number of the last session; stored before the watch connects with it. */
  session: whole(0),
  /** The number of event messages made so far. */
  events: whole(0),
  worn: Worn,
  skewMs: Type.Number(),
  positionEveryMs: Type.Number(),
  alarmEveryMs: Type.Number(),
  nextReportAt: MaybeNever,
  /** The planned answers to falls, for the time when their prompts are shown. */
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

/** A fix that was given instead of measured, and that holds until the wearer moves. */
const KeptGivenFix = inline({
  point: Metres,
  measured: inline({
    uncertainty_m: nullable(Type.Number()),
    source: Type.Enum(['gps', 'network'], { type: 'string' }),
    in_vehicle: Type.Boolean(),
    height: Type.Optional(Height),
  }),
});

/**
 * One emulated watch as it is stored: its state machine, its battery, how it is worn, and what its wearer will do with
 * it.
 */
export const KeptWatch = inline({
  /** The identity of the wearer: the serial of their first watch. */
  person: Type.String(),
  machine: KeptMachine,
  power: KeptPower,
  network: Type.Boolean(),
  gps: Type.Boolean(),
  docked: Type.Boolean(),
  /** Whether the watch is worn when it is not on the charger; null if it has no sensor. */
  wornAs: Worn,
  /** Changes made by a muster that have not been undone. */
  deeds: inline({ tookOff: Type.Boolean(), lost: Type.Boolean() }),
  told: nullable(KeptGivenFix),
  /** The position where the watch was taken off; null if it is with its wearer. */
  laidDown: nullable(Metres),
  /** The delay between the next vehicle notice and its acknowledgement by the wearer. */
  vehicleAckMs: nullable(Type.Number()),
  vehicleAcks: Type.Array(inline({ warningId: Type.String(), at: Moment })),
  /** How many reaction times its wearer has drawn. */
  thoughts: whole(0),
});
export type KeptWatch = Static<typeof KeptWatch>;
