/** Parses the messages of the service by the schema of their topic, and passes them to the watch. [watch-protocol] */
import type { Static, TSchema } from 'typebox';
import type { Instant } from '../../base/time/clock.ts';
import { check } from '../../contract/check.ts';
import {
  DownAlert,
  DownConfig,
  downAlertTopic,
  downConfigTopic,
  MusterNotice,
  musterTopic,
} from '../../contract/watch.ts';
import type { Intent, WatchMachine } from '../watch/machine.ts';

/** The result of reading a message: what the watch does with it, or why it cannot be read. */
type DownlinkReading =
  | { readonly readable: true; readonly intents: readonly Intent[] }
  | { readonly readable: false; readonly why: string };

const NOTHING: DownlinkReading = { readable: true, intents: [] };

export function readDownlink(
  machine: WatchMachine,
  siteId: string,
  topic: string,
  payload: Buffer,
  now: Instant,
): DownlinkReading {
  switch (topic) {
    case downAlertTopic(siteId, machine.serial):
      return read(DownAlert, payload, (message) => machine.onAlert(message, now));
    case downConfigTopic(siteId, machine.serial):
      return read(DownConfig, payload, (message) => machine.onConfig(message, now));
    case musterTopic(siteId):
      // An empty retained message marks the end of a muster. Connected watches ignore it. [watch-protocol, fine print]
      return payload.length === 0 ? NOTHING : read(MusterNotice, payload, (message) => machine.onMuster(message, now));
    default:
      return NOTHING;
  }
}

function read<S extends TSchema>(
  schema: S,
  payload: Buffer,
  apply: (message: Static<S>) => readonly Intent[],
): DownlinkReading {
  const checked = check(schema, parseJson(payload));
  if (checked.ok) return { readable: true, intents: apply(checked.value) };
  return { readable: false, why: checked.errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ') };
}

function parseJson(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString());
  } catch {
    return undefined;
  }
}
