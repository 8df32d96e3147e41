/** One emulated watch as a fleet keeps it: its machine, its battery, how it is worn, and what its wearer is about to do with it. */
import { type Static, Type } from 'typebox';
import { Height } from '../../contract/resources.ts';
import { inline, nullable, whole } from '../../contract/shapes.ts';
import { DownAlertState, DownVehicle } from '../../contract/watch.ts';
import { MaybeNever, Metres, Moment } from './shapes.ts';

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
  pinned: Type.Boolean(),
  dead: Type.Boolean(),
  reportAt: MaybeNever,
  diesAt: MaybeNever,
});
export type KeptPower = Static<typeof KeptPower>;

/** A fix that was given instead of sensed; it holds until the wearer moves. */
const KeptPinnedFix = inline({
  point: Metres,
  measured: inline({
    uncertainty_m: nullable(Type.Number()),
    source: Type.Enum(['gps', 'network'], { type: 'string' }),
    in_vehicle: Type.Boolean(),
    height: Type.Optional(Height),
  }),
});

export const KeptWatch = inline({
  /** Who wears it: the serial of the watch with which they began. */
  person: Type.String(),
  machine: KeptMachine,
  power: KeptPower,
  network: Type.Boolean(),
  gps: Type.Boolean(),
  docked: Type.Boolean(),
  /** How it is worn off the charger. */
  wornAs: Worn,
  /** What a muster did with it, and nobody has undone. */
  deeds: inline({ tookOff: Type.Boolean(), lost: Type.Boolean() }),
  pinned: nullable(KeptPinnedFix),
  /** Where it lies. */
  laidDown: nullable(Metres),
  /** How long after the next vehicle notice its wearer acknowledges it. */
  vehicleAckMs: nullable(Type.Number()),
  vehicleAcks: Type.Array(inline({ warningId: Type.String(), at: Moment })),
  /** How often its wearer has thought about an answer. */
  thoughts: whole(0),
});
export type KeptWatch = Static<typeof KeptWatch>;
