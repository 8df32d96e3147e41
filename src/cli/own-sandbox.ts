/** The sandbox of a command: in memory, without a fleet, in its own folder, so that other commands do not find it and the data folder stays free. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert } from '../base/assert.ts';
import type { ActionBody } from '../contract/actions.ts';
import type { SandboxOptions } from '../sandbox/options/options.ts';
import { type Sandbox, startSandbox } from '../sandbox/start.ts';
import { isRejection } from '../service/domain/changes.ts';

interface OwnSandbox {
  readonly sandbox: Sandbox;
  /** Stops the sandbox and removes its folder. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts the sandbox on free ports. Rejects with an `Outage` if the machine does not allow it, and then removes the
 * folder.
 */
export async function startOwnSandbox(command: string, options: SandboxOptions): Promise<OwnSandbox> {
  const dataDir = mkdtempSync(join(tmpdir(), `sandbox-${command}-`));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  try {
    const sandbox = await startSandbox({ memory: true, fleet: false, port: 0, mqttPort: 0, ...options, dataDir });
    return {
      sandbox,
      stop: async () => {
        await sandbox.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Performs an action that cannot be refused in this sandbox. Returns the id of the alert that it raised, or undefined.
 */
export async function performIn(sandbox: Sandbox, body: ActionBody): Promise<string | undefined> {
  const outcome = await sandbox.act(body);
  assert(!isRejection(outcome), () => `${body.action} was refused: ${JSON.stringify(outcome)}`);
  return 'result' in outcome.answer ? outcome.answer.result.alert_id : undefined;
}
