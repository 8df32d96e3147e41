/** The one table of what an emulated watch does for each action of its wearer, and when it refuses. [decisions 9] */
import type { Instant } from '../../base/time/clock.ts';
import type { UplinkEventKind } from '../../contract/watch.ts';
import type { Conversation } from '../connection/conversation.ts';
import type { HolesSwitch } from '../connection/radio-holes.ts';
import type { Acted } from '../surroundings.ts';
import type { OtherWatch, WatchAction } from '../watch-action.ts';
import type { WatchBody } from './watch-body.ts';

/** A watch at the moment of an action. */
export interface ActingWatch extends WatchBody {
  readonly now: Instant;
  readonly conversation: Conversation;
  readonly holes: HolesSwitch;
  /** The battery has a charge again: the watch connects if it has the network. */
  revive(): void;
  /** The watch has something due at another time than before. */
  replan(): void;
  /** Reports the position of the watch, unless it has no GPS. */
  reportNow(): Promise<Acted>;
  /** The wearer is at another position now: the watch reports it at once, and again within a second. */
  reportTwice(): Promise<Acted>;
  /** The wearer puts on another watch, which only the fleet can find or create. */
  swap(other: OtherWatch): Promise<Acted>;
}

type ActionOf<K extends WatchAction['do']> = Extract<WatchAction, { readonly do: K }>;

type Perform<K extends WatchAction['do']> = (watch: ActingWatch, action: ActionOf<K>) => Promise<Acted>;

/**
 * The reason why an action would be refused now, beyond the reasons common to all actions; null if there is none. If it
 * refuses one person of a list, the whole action is refused.
 */
type Objection = (watch: Pick<WatchBody, 'plight'>) => string | null;

interface Performance<K extends WatchAction['do']> {
  readonly objection: Objection;
  readonly perform: Perform<K>;
}

const unless = <K extends WatchAction['do']>(objection: Objection, perform: Perform<K>): Performance<K> => ({
  objection,
  perform,
});
const always = <K extends WatchAction['do']>(perform: Perform<K>): Performance<K> => unless(() => null, perform);
const unlessHeld = <K extends WatchAction['do']>(perform: Perform<K>): Performance<K> =>
  unless(({ plight }) => plight.heldBack, perform);

const PERFORMANCES: { readonly [K in WatchAction['do']]: Performance<K> } = {
  sos: always((watch, { with: button }) => report(watch, 'sos', { with: button })),
  fall: always(({ plight }, { answers, answersAfterMs }) => plight.fall(answers, answersAfterMs)),
  answer: unless(
    ({ plight }) => plight.unanswerable,
    ({ plight }, { with: answer }) => plight.answer(answer),
  ),
  // Only the press itself shows whether the watch has an alert to acknowledge.
  'press-ack': always(({ machine, conversation, now }, { alertId }) => {
    const queued = machine.acknowledge(alertId, now);
    return queued === null
      ? refused(`The watch ${machine.serial} shows no alert that is still to be acknowledged.`)
      : conversation.say(queued);
  }),
  'cannot-evacuate': always(({ plight }, { reason }) => plight.cannotEvacuate(reason)),
  free: always(({ plight }) => plight.free()),
  'call-request': always((watch, { voiceNote }) =>
    report(watch, 'call', { voice_note: voiceNote ?? !watch.conversation.connected }),
  ),
  declare: always((watch, { pointId }) => report(watch, 'declare', { point_id: pointId })),
  'expect-vehicle': always(({ reactions, now }, { acknowledgeAfterMs }) => {
    reactions.expectVehicle(acknowledgeAfterMs);
    return done(now);
  }),
  swap: always((watch, { other }) => watch.swap(other)),
  battery: always((watch, { pct, drain }) => {
    if (watch.power.set({ pct, drain }, watch.now)) watch.revive();
    const queued = watch.battery.report(watch.now);
    watch.replan();
    return watch.conversation.say(queued);
  }),
  signal: always(({ cover }, { is, kind }) => (is === 'lost' ? cover.lose(kind) : cover.regain(kind))),
  position: always(({ whereabouts, battery, machine, conversation, now }, given) => {
    const fix = whereabouts.tell(given, now, machine);
    battery.seeCharger(now);
    return conversation.say(machine.reportPosition(fix));
  }),
  move: unlessHeld(({ whereabouts, battery, now }, move) => {
    whereabouts.free(now);
    whereabouts.move(move, now);
    battery.seeCharger(now);
    return done(now);
  }),
  put: unlessHeld((watch, stand) => {
    watch.whereabouts.free(watch.now);
    watch.whereabouts.put(stand, watch.now);
    return watch.reportTwice();
  }),
  wear: always((watch, { is }) => {
    watch.musterActions.orderedWear();
    watch.wrist.wear(is, watch.now);
    return watch.reportNow();
  }),
  'clock-skew': always(({ machine, now }, { ms }) => {
    machine.skewMs = ms;
    return done(now);
  }),
  'radio-holes': always(({ holes, now }, { is, everyMs }) => {
    holes.set(is, everyMs);
    return done(now);
  }),
};

export function perform(watch: ActingWatch, action: WatchAction): Promise<Acted> {
  const performance = PERFORMANCES[action.do] as Performance<WatchAction['do']>;
  const why = performance.objection(watch);
  return why === null ? performance.perform(watch, action) : refused(why);
}

/** The reason why the watch would refuse the action now; null if there is none. */
export function objectionOf(watch: Pick<WatchBody, 'plight'>, action: WatchAction): string | null {
  return PERFORMANCES[action.do].objection(watch);
}

/** Reports an event that needs nothing but its fields. */
function report(
  { machine, conversation, now }: ActingWatch,
  kind: UplinkEventKind,
  fields: Readonly<Record<string, unknown>>,
): Promise<Acted> {
  return conversation.say(machine.report(kind, fields, now));
}

const done = (now: Instant): Promise<Acted> => Promise.resolve({ done: 'sent', at: now });

const refused = (why: string): Promise<Acted> => Promise.resolve({ refused: why });
