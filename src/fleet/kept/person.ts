/** One person as a fleet keeps them: where they are, what they are at, their part in a muster, and where their streams of chance stand. */
import { type Static, Type } from 'typebox';
import { HelpReason } from '../../contract/enumerations.ts';
import { inline, nullable, whole } from '../../contract/shapes.ts';
import { BEHAVIOURS } from '../people/muster-knobs.ts';
import { STAGES } from '../people/muster-part.ts';
import { PHASES } from '../people/people.ts';
import { STUCK_BY } from '../people/stuck.ts';
import { ChanceState, FloorShape, MaybeNever, Metres, Moment } from './shapes.ts';

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

const KeptDeed = Type.Union([
  inline({ kind: Type.Literal('help'), reason: HelpReason }),
  inline({ kind: Type.Literal('declare'), pointId: Type.String(), ifUnseen: Type.Boolean() }),
  inline({ kind: word(['takes-off', 'puts-on', 'cover-lost', 'cover-back'] as const) }),
]);

/** What a muster made of them, and of their watch. */
export const KeptMusterSide = inline({
  part: nullable(KeptPart),
  perceivesAt: MaybeNever,
  deeds: Type.Array(KeptDeed),
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
  phase: word(PHASES),
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
  sigmaM: Type.Number(),
  at: nullable(Moment),
  chance: ChanceState,
});
export type KeptSenses = Static<typeof KeptSenses>;

export const KeptPerson = inline({
  /** The second up to which their life was played. */
  asOf: Moment,
  row: KeptRow,
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
