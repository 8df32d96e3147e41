/** The sandbox of a command: in memory, without a fleet, in its own folder, so that other commands do not find it and the data folder stays free. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert } from '../base/assert.ts';
import type { ActionBody } from '../contract/actions.ts';
import { isRejection } from '../domain/changes.ts';
import type { SandboxOptions } from '../sandbox/options/options.ts';
import { type Sandbox, startSandbox } from '../sandbox/start.ts';

interface OwnSandbox {
  readonly sandbox: Sandbox;
  /** Stops it and removes its folder. */
  readonly stop: () => Promise<void>;
}

/** Boots it at free ports. Rejects with an `Outage` where the machine does not allow it, and leaves nothing behind. */
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

/** Does an action that cannot be refused there. Answers the alert that it raised; undefined: none. */
export async function performIn(sandbox: Sandbox, body: ActionBody): Promise<string | undefined> {
  const outcome = await sandbox.act(body);
  assert(!isRejection(outcome), () => `${body.action} was refused: ${JSON.stringify(outcome)}`);
  return 'result' in outcome.answer ? outcome.answer.result.alert_id : undefined;
}
