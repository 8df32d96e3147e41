/** The address in a printed document: that of `--url`, else of the running sandbox, else the default. [cli] */
import { Outage } from '../../base/assert.ts';
import { API_PORT, MQTT_PORT } from '../../base/network/standard-ports.ts';
import { LOOPBACK } from '../../sandbox/listeners/host-rule.ts';
import { talkLine } from '../output.ts';
import { readyIn } from '../running.ts';

/** The addresses of a sandbox that is started without flags. */
export const DEFAULTS = { api: `http://${LOOPBACK}:${API_PORT}`, broker: `mqtt://${LOOPBACK}:${MQTT_PORT}` } as const;

interface AddressFlags {
  readonly url?: string;
  readonly dataDir: string;
}

/**
 * Reports on stderr if the address is that of a running sandbox, because the same command may print another one later.
 */
export function documentAddress(whose: keyof typeof DEFAULTS, { url, dataDir }: AddressFlags): string {
  if (url !== undefined) return url;
  const running = runningAddresses(dataDir)[whose];
  if (running === undefined) return DEFAULTS[whose];
  talkLine(`The document has the address of the running sandbox, ${running}. Use --url for another address.`);
  return running;
}

/** Finds the sandbox as `findRunning` does. The token is not needed here, only the address. */
function runningAddresses(dataDir: string): { readonly api?: string; readonly broker?: string } {
  const address = process.env['SANDBOX_URL']?.replace(/\/+$/, '');
  const ready = readyOrNull(dataDir);
  if (ready !== null && (address === undefined || address === ready.api_url))
    return { api: ready.api_url, broker: ready.mqtt_url };
  return address === undefined ? {} : { api: address };
}

/** If the data folder cannot be read, the document is printed anyway. */
function readyOrNull(dataDir: string): ReturnType<typeof readyIn> {
  try {
    return readyIn(dataDir);
  } catch (error) {
    if (error instanceof Outage) return null;
    throw error;
  }
}
