/** What the wearer of an emulated watch can be made to do with it. [decisions 9] */
import type { SignalKind } from './connection/cover.ts';
import type { GivenFix, OrderedMove, OrderedStand } from './watch/watch-view.ts';

/** One member for each action. `src/fleet/watch/performing.ts` says what the watch then does, and what would stand against it. */
export type WatchAction =
  | { readonly do: 'sos'; readonly with: 'watch_button' | 'watch_hardware_button' }
  /** `answersAfterMs` counts from the prompt; without it the person thinks for 3 to 12 seconds. */
  | { readonly do: 'fall'; readonly answers: 'ok' | 'help' | 'never'; readonly answersAfterMs?: number }
  /** Refused when no prompt is shown. */
  | { readonly do: 'answer'; readonly with: 'ok' | 'help' }
  /** Without an alert the newest open one that the wearer has not acknowledged; refused when there is none. */
  | { readonly do: 'press-ack'; readonly alertId?: string }
  /** The wearer cannot evacuate, and says why if they can. Unless they help another person, they stay where they are. [decisions 6] */
  | { readonly do: 'cannot-evacuate'; readonly reason: 'trapped' | 'injured' | 'helping' | null }
  /** Lets a trapped, injured or fallen wearer leave their place; no effect on others. [decisions 6] */
  | { readonly do: 'free' }
  /** Out of coverage the watch records a voice note by default. */
  | { readonly do: 'call-request'; readonly voiceNote?: boolean }
  /** The wearer says at which assembly point they are. */
  | { readonly do: 'declare'; readonly pointId: string }
  /** Sets the delay between the display of the next vehicle notice and the wearer's acknowledgement. */
  | { readonly do: 'expect-vehicle'; readonly acknowledgeAfterMs: number }
  /** The wearer puts on another watch: one of the fleet's, whose wearer gets this one, or one that is new to it. */
  | { readonly do: 'swap'; readonly other: OtherWatch }
  /** `drain`: percentage points an hour from now on. */
  | { readonly do: 'battery'; readonly pct?: number; readonly drain?: number }
  | { readonly do: 'signal'; readonly is: 'lost' | 'back'; readonly kind: SignalKind }
  /** The person is there from now on, and the watch reports exactly that fix, at once and until they move. */
  | ({ readonly do: 'position' } & GivenFix)
  /** The person sets out, round buildings; it does not wait for the arrival. Refused for an `auto` person who is stuck; a scripted worker is freed. */
  | ({ readonly do: 'move' } & OrderedMove)
  /** The person stands there now; who is stuck as in `move`. Resolves when the first fix is acknowledged; a second follows within a second. [decisions 5] */
  | ({ readonly do: 'put' } & OrderedStand)
  /** `off`: the watch stays where it is while the person walks on; `on`: it is with them again. Resolves when it is acknowledged. */
  | { readonly do: 'wear'; readonly is: 'on' | 'off' | 'unknown' }
  /** Sets the clock skew of the watch, in milliseconds; its clock stamps every `t`. [watch-protocol] */
  | { readonly do: 'clock-skew'; readonly ms: number }
  /** Holes in the radio cover from now on, as often as `everyMs` on average (default: 20 min), or none any more. */
  | { readonly do: 'radio-holes'; readonly is: 'on' | 'off'; readonly everyMs?: number };

/** A watch, and the key that it has if the fleet does not know it yet. */
export interface OtherWatch {
  readonly serial: string;
  readonly key: string;
}
