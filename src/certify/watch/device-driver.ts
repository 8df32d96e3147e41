/** Actions that only the wearer of a device can do: done by a person at the terminal, or by the started command, which gets lines of JSON. */
import type { HelpReason, MusterKind } from '../../contract/enumerations.ts';

/** A line to the device, but for its `id`. `look` asks what it shows; `end` switches it off cleanly. */
export type DeviceCommand =
  | { readonly do: 'hello' | 'sos' | 'fall' | 'ack' | 'call' | 'look' | 'end' }
  | { readonly do: 'answer'; readonly answer: 'ok' | 'help' }
  | { readonly do: 'help'; readonly reason: HelpReason | null }
  | { readonly do: 'declare'; readonly point_id: string }
  | { readonly do: 'wear'; readonly worn: boolean }
  /** Its clock is that far ahead of the true time. */
  | { readonly do: 'clock'; readonly ahead_s: number };

/** The answer to `look`. */
export interface DeviceShows {
  readonly prompt: boolean;
  /** `stay_out`: do not return until further notice. Null: no muster. */
  readonly muster: 'evacuate' | 'stay_out' | null;
  readonly kind: MusterKind | null;
  /** Ids of the assembly points that it sends its wearer to. */
  readonly points: readonly string[];
}

export type DeviceReply =
  | { readonly isDone: true; readonly shows: DeviceShows | null }
  /** A sentence without its stop. */
  | { readonly isDone: false; readonly why: string };

export interface DeviceDriver {
  /** How long the effect of a command may take; wall milliseconds. */
  readonly patienceMs: number;
  /** `words`: the request to a person; null: no person can do that. */
  ask(command: DeviceCommand, words: string | null): Promise<DeviceReply>;
  /**
   * Whether the device shows something: `isShown` reads what it says, a person answers the question. Null: not known.
   * What is `expected` may take a moment, so the driver asks the device again until then.
   */
  looks(question: string, isShown: (shows: DeviceShows) => boolean, expected: boolean): Promise<boolean | null>;
}
