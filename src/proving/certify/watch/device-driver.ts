/** Actions that only the wearer of a device can do: done by a person at the terminal, or by the started command, which gets lines of JSON. */
import type { HelpReason, MusterKind } from '../../../contract/enumerations.ts';

/** A line to the device, without its `id`. `look` requests what the device shows; `end` switches it off cleanly. */
export type DeviceCommand =
  | { readonly do: 'hello' | 'sos' | 'fall' | 'ack' | 'call' | 'look' | 'end' }
  | { readonly do: 'answer'; readonly answer: 'ok' | 'help' }
  | { readonly do: 'help'; readonly reason: HelpReason | null }
  | { readonly do: 'declare'; readonly point_id: string }
  | { readonly do: 'wear'; readonly worn: boolean }
  /** Sets the clock of the device this number of seconds ahead of the real time. */
  | { readonly do: 'clock'; readonly ahead_s: number };

/** The answer to `look`. */
export interface DeviceShows {
  readonly prompt: boolean;
  /** `stay_out`: do not return until further notice. Null if there is no muster. */
  readonly muster: 'evacuate' | 'stay_out' | null;
  readonly kind: MusterKind | null;
  /** Ids of the assembly points that it sends its wearer to. */
  readonly points: readonly string[];
}

export type DeviceReply =
  | { readonly isDone: true; readonly shows: DeviceShows | null }
  /** A sentence without its full stop. */
  | { readonly isDone: false; readonly why: string };

export interface DeviceDriver {
  /** How long the effect of a command may take; wall milliseconds. */
  readonly patienceMs: number;
  /** `words` is the request to a person, or null if no person can do that. */
  ask(command: DeviceCommand, words: string | null): Promise<DeviceReply>;
  /**
   * Determines whether the device shows something: `isShown` evaluates the reply of the device, or a person answers the
   * question. Resolves with null if it is not known. The device may take a moment until it shows what is `expected`, so
   * the driver asks the device repeatedly until then.
   */
  looks(question: string, isShown: (shows: DeviceShows) => boolean, expected: boolean): Promise<boolean | null>;
}
