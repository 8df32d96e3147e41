/** Boots a sandbox for one run of a scenario: in memory, on free ports, with the runner's own world and clock. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCENARIO_AGENT } from '../base/network/program-agent.ts';
import type { Boot } from '../scenario/playing/ports.ts';
import { isRejection } from '../service/domain/changes.ts';
import { Finder } from './actions/find.ts';
import { followFixes } from './follow-fixes.ts';
import { followStream, truePositions } from './follow-stream.ts';
import { looksInto } from './stage-looks.ts';
import { startSandbox } from './start.ts';

/** True for a call of the user's own programs, and not one of a step of the scenario. */
const isOfSystem = (target: string, agent: string | undefined): boolean =>
  target.startsWith('/v1/') && !target.startsWith('/v1/sandbox/') && agent !== SCENARIO_AGENT;

export const bootStage: Boot = async ({ plan, clock, seed, forwards, ownReceiverSecret, isOwnReceiver }) => {
  // Runs can be active at the same time as other runs and another sandbox, so each has its own folder.
  const folder = mkdtempSync(join(tmpdir(), 'muster-run-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const sandbox = await startSandbox({
      plan,
      clock,
      seed,
      forwards,
      ownReceiverSecret,
      isOwnReceiver,
      memory: true,
      dataDir: folder,
      port: 0,
      mqttPort: 0,
    });
    return {
      apiUrl: sandbox.ready.api_url,
      mqttUrl: sandbox.ready.mqtt_url,
      dataDir: sandbox.ready.data_dir,
      controlToken: sandbox.ready.control_token,
      clients: sandbox.ready.clients.map(({ organization, client_id, client_secret }) => ({
        organization,
        organizationId: sandbox.engine.world.need('client', client_id).organizationId,
        clientId: client_id,
        clientSecret: client_secret,
      })),
      onNotice: sandbox.onNotice,
      onFix: (listener) => followFixes(sandbox.engine, listener),
      onSeen: (listener) => followStream(sandbox.engine, listener),
      truth: () => truePositions(sandbox.engine, sandbox.fleet),
      coverage: () => sandbox.coverage(),
      look: looksInto(sandbox),
      orderRequests: (gate) => {
        sandbox.arrivals.gate = gate;
      },
      changeRequests: (traffic) => {
        sandbox.arrivals.changeOf = ({ method, target, headers }) =>
          isOfSystem(target, headers['user-agent']) ? traffic.changeOf({ method, target }) : null;
      },
      park: (url, eventId) => sandbox.webhooks.park(url, eventId),
      workerId: (externalId) => {
        const actor = new Finder(sandbox.engine.world, null).actor(externalId);
        if (isRejection(actor)) throw new Error(actor.detail);
        return actor.worker.id;
      },
      stop: async () => {
        await sandbox.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
};
