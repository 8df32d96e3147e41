/** `--keep` and `--pause`: prints what a person needs to inspect the sandbox, and waits for Ctrl-C. */
import { CLI } from '../../base/text/command-form.ts';
import { formatClockTime } from '../../base/time/instants.ts';
import type { HeldAt } from '../../scenario/playing/pause.ts';
import type { RunStage } from '../../scenario/playing/ports.ts';
import { colourOf, out, talk, talkLine } from '../output.ts';
import type { UntilSignal } from '../signals.ts';

/**
 * Returns a function that prints the position of the run, and resolves on a signal. With `json`, it also prints one
 * line on stdout.
 */
export function heldPrinter(how: 'kept' | 'paused', running: UntilSignal, json: boolean) {
  return async (stage: RunStage, at: HeldAt): Promise<void> => {
    if (json) out(JSON.stringify(objectOf(how, stage, at)));
    tell(how, stage, at);
    await running.ended;
  };
}

function tell(how: 'kept' | 'paused', { apiUrl, mqttUrl, dataDir, controlToken, clients }: RunStage, at: HeldAt): void {
  const paint = colourOf(process.stderr);
  const where = at.line === null ? '' : ` at line ${at.line}, ${formatClockTime(at.atMs)} from the start`;
  const why =
    how === 'kept' ? 'the sandbox stays as the scenario left it' : `the scenario stops${where}; the sandbox stays`;
  talk(`\n${paint('bold', how)}  ${why}. Simulated time stands still. Ctrl-C ends it.`);
  talk(`  API      ${apiUrl}\n  panel    ${apiUrl}/panel\n  MQTT     ${mqttUrl}\n  control  ${controlToken}`);
  for (const { organization, clientId, clientSecret } of clients)
    talkLine(`  client   ${organization}  ${clientId}  ${clientSecret}`);
  talk(`\nIn another terminal:
  export SANDBOX_URL=${apiUrl}
  export SANDBOX_CONTROL_TOKEN=${controlToken}
  ${CLI} dashboard
  ${CLI} clock advance 10s        a step of time; ${CLI} clock resume lets it pass by the wall clock`);
  if (dataDir !== null) talkLine(`  or, by its folder: --data-dir ${dataDir}`);
}

const objectOf = (how: string, { apiUrl, mqttUrl, dataDir, controlToken, clients }: RunStage, at: HeldAt) => ({
  event: how,
  line: at.line,
  at_s: at.atMs / 1000,
  api_url: apiUrl,
  panel_url: `${apiUrl}/panel`,
  mqtt_url: mqttUrl,
  data_dir: dataDir,
  control_token: controlToken,
  clients: clients.map(({ organization, clientId: client_id, clientSecret: client_secret }) => ({
    organization,
    client_id,
    client_secret,
  })),
});
