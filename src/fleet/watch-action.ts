/** The actions of the wearer of an emulated watch. [decisions 9] */
import type { SignalKind } from './connection/cover.ts';
import type { GivenFix, OrderedMove, OrderedStand } from './watch/watch-view.ts';

/** One member for each action. `src/fleet/watch/performing.ts` defines what the watch then does, and when it refuses the action. */
export type WatchAction =
  | { readonly do: 'sos'; readonly with: 'watch_button' | 'watch_hardware_button' }
  /** `answersAfterMs` counts from the prompt. Without it the reaction time is 3 to 12 seconds. */
  | { readonly do: 'fall'; readonly answers: 'ok' | 'help' | 'never'; readonly answersAfterMs?: number }
  /** Refused when no prompt is shown. */
  | { readonly do: 'answer'; readonly with: 'ok' | 'help' }
  /** Without an id, the newest open alert that the wearer has not acknowledged. Refused if there is none. */
  | { readonly do: 'press-ack'; readonly alertId?: string }
  /**
   * The wearer cannot evacuate, and gives the reason if they can. Unless they help another person, they stay in place.
   * [decisions 6]
   */
  | { readonly do: 'cannot-evacuate'; readonly reason: 'trapped' | 'injured' | 'helping' | null }
  /** A trapped, injured or fallen wearer can leave their place again; no effect on others. [decisions 6] */
  | { readonly do: 'free' }
  /** By default the watch records a voice note if it has no coverage. */
  | { readonly do: 'call-request'; readonly voiceNote?: boolean }
  /** The wearer declares the assembly point where they are. */
  | { readonly do: 'declare'; readonly pointId: string }
  /** Sets the delay between the display of the next vehicle notice and the wearer's acknowledgement. */
  | { readonly do: 'expect-vehicle'; readonly acknowledgeAfterMs: number }
  /**
   * The wearer puts on another watch: one of the fleet, whose wearer gets this one, or one that is new to the fleet.
   */
  | { readonly do: 'swap'; readonly other: OtherWatch }
  /** `drain`: percentage points an hour from now on. */
  | { readonly do: 'battery'; readonly pct?: number; readonly drain?: number }
  | { readonly do: 'signal'; readonly is: 'lost' | 'back'; readonly kind: SignalKind }
  /**
   * The person is at the position from now on. The watch reports exactly that fix, at once and until the person moves.
   */
  | ({ readonly do: 'position' } & GivenFix)
  /** The person sets out, round buildings. The action does not wait for the arrival. Refused for an autonomous worker who is stuck; a scripted worker is freed. */
  | ({ readonly do: 'move' } & OrderedMove)
  /** The person stands there now; for stuck people as in `move`. Resolves when the first fix is acknowledged; a second one follows within a second. [decisions 5] */
  | ({ readonly do: 'put' } & OrderedStand)
  /**
   * `off`: the watch stays where it is while the person walks on. `on`: the watch is with the person again. Resolves
   * when the report is acknowledged.
   */
  | { readonly do: 'wear'; readonly is: 'on' | 'off' | 'unknown' }
  /** Sets the clock skew of the watch, in milliseconds; its clock stamps every `t`. [watch-protocol] */
  | { readonly do: 'clock-skew'; readonly ms: number }
  /** Switches radio outages on, with a mean time of `everyMs` between them (default: 20 min), or off. */
  | { readonly do: 'radio-holes'; readonly is: 'on' | 'off'; readonly everyMs?: number };

/** Another watch, and its key, in case the fleet does not know the watch yet. */
export interface OtherWatch {
  readonly serial: string;
  readonly key: string;
}
