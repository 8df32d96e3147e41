/**
 * A system with `url:` runs before and after the search. Each scenario resets it to the sandbox of that scenario, so after
 * the search it calls an address at which nothing listens. [cli, explore]
 */
import { asError } from '../../base/assert.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { OwnSystem } from '../../scenario/customer/own-system.ts';
import { pairsOf } from '../control/env.ts';
import { talkLine } from '../output.ts';
import { readyIn } from '../running.ts';

/** The parts of a system that runs already and is only reset. */
const NOT_STARTED = {
  file: '',
  line: 0,
  start: null,
  folder: '',
  ready: null,
  wake: null,
  secretTo: null,
  timeZone: null,
  patienceMs: 0,
};

interface RunningSystem {
  /** Without a slash at its end. */
  readonly url: string;
  readonly reset: string;
}

/** Returns the system of a file that the sandbox does not start; null if it starts the system, or there is none. */
export function runningSystemOf({ system }: JsonMap): RunningSystem | null {
  if (!isMap(system) || system['start'] !== undefined) return null;
  const { url, reset } = system;
  return typeof url === 'string' && typeof reset === 'string' ? { url: url.replace(/\/$/, ''), reset } : null;
}

/** Says before the search what happens to the system. */
export function announceResets({ url, reset }: RunningSystem): void {
  talkLine(
    `notice   ${url} gets the address and the credentials of a search sandbox by POST ${reset}. That sandbox ends with the search.`,
  );
}

/** Resets the system to the sandbox that runs on the data folder. Returns what its user has to do, as a sentence. */
export async function resetToRunning({ url, reset }: RunningSystem, dataDir: string): Promise<string> {
  const left = `${url} has the address and the credentials of a search sandbox, which has ended. Restart it`;
  const ready = readyIn(dataDir);
  if (ready === null) return `${left}.`;
  const system = new OwnSystem({ ...NOT_STARTED, url, reset });
  try {
    const { status } = await system.call(reset, pairsOf(ready));
    if (status >= 300) return `${left}: its reset to ${ready.api_url} answered ${status}.`;
  } catch (error) {
    return `${left}: its reset to ${ready.api_url} failed: ${asError(error).message}.`;
  }
  return `${url} was reset to the sandbox at ${ready.api_url}. It has no secret of a receiver: restart it if it takes deliveries.`;
}
