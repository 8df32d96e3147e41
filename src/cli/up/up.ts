/** `sandbox up`: boots a sandbox, prints its addresses and credentials, and runs until Ctrl-C. [cli, up] */
import type { Command } from 'commander';
import { Outage } from '../../base/assert.ts';
import { CLI } from '../../base/text/command-form.ts';
import type { Ready } from '../../contract/banner.ts';
import type { Notice } from '../../contract/notices.ts';
import { startSandbox } from '../../sandbox/start.ts';
import { StorageBroken } from '../../service/engine/store-port.ts';
import { FolderChanged } from '../../service/store/folder/guard.ts';
import { isTerminal, open } from '../dashboard/dashboard.ts';
import { EXIT, out, outLine, talk } from '../output.ts';
import { foundBy } from '../running.ts';
import { type UpFlags, upFlags } from '../sandbox-flags.ts';
import { runUntilSignal, type StopReason, type UntilSignal } from '../signals.ts';
import { switchIn } from '../switches.ts';
import { banner } from './banner.ts';
import { collectWhenIdle } from './idle-collection.ts';
import { lastResort } from './last-resort.ts';
import { liveObject, UpLines } from './live.ts';
import { playScenario, soundScenario } from './opening-scenario.ts';
import { sandboxOptions, sourcesOf } from './options.ts';
import { removeReady, writeReady } from './ready-file.ts';

const HELP = `
Starts the REST API, an MQTT broker and a fleet of emulated watches on this machine. The sandbox needs no
account and no network, and sends no telemetry. The startup banner goes to stdout; later messages go to stderr.
With --json, the first line of stdout is one JSON object, and each later line is an event.

Examples:
  ${CLI} up                                    stores the state in .sandbox
  ${CLI} up --memory --port 0 --mqtt-port 0    stores nothing, and uses free ports
  ${CLI} up --forward receiver.example=http://127.0.0.1:3000
  ${CLI} up --forward receiver.example=https://localhost:8443 --skip-verify
  ${CLI} up --tls                              https and mqtts, for clients that require them
  ${CLI} up --dashboard                        opens the dashboard in this terminal; q stops both
  ${CLI} up --seed 7 --json                    the same world and the same secrets every time
  ${CLI} up --site my-plant.yaml               your own plant instead of the first site
  ${CLI} up --speed 20 --scenario fall-to-sos
  ${CLI} up --broker mqtt://127.0.0.1:1883     uses your own MQTT broker
  ${CLI} up --accept-loss                      starts although the data folder is damaged
  ${CLI} up --truth truth.ndjson               writes the real positions of the workers

With --tls, the API uses only https, and the broker of the sandbox uses only mqtts (port 8883). The data folder
stores the certificate authority, so each client has to trust it only once. The startup banner shows its file,
and "${CLI} env" prints it as SANDBOX_CA_FILE, NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, CURL_CA_BUNDLE and
REQUESTS_CA_BUNDLE. The certificate is valid for localhost, 127.0.0.1, ::1, --host, and the host of
--public-url. The commands of this program trust the authority automatically.

The first line of the file of --truth is {format, version, seed, started_at}. After that, the sandbox writes one
line per watch every 10 s of simulated time. A later start with the same data folder appends to the file. The
fields of a line are:

at, site_id, serial, latitude, longitude, x_m, y_m, zone, height_m, floor, in_vehicle, worn, activity,
battery_pct, charging, network, gps.

The position is that of the worker, also when the worker does not wear the watch. The values of activity are:
  at work                  standing, walking, driving, climbing, working, parked, on_break, charging, off_shift
  during a muster          evacuating, helping, at_point
  when unable to leave     trapped, injured, fallen`;

export function defineUp(program: Command, ended: (code: number) => void): void {
  const up = program
    .command('up')
    .description('start the API, an MQTT broker and emulated watches; runs until Ctrl-C')
    .addHelpText('after', HELP);
  for (const option of upFlags('up')) up.addOption(option);
  up.action(async (_flags, command: Command) => {
    collectWhenIdle();
    const flags = command.opts<UpFlags>();
    ended(await runUp(flags, command));
  });
}

async function runUp(flags: UpFlags, command: Command): Promise<number> {
  const json = flags.json === true;
  const options = sandboxOptions(flags, sourcesOf(command));
  if (flags.scenario !== undefined) soundScenario(flags.scenario, command);
  // A stale ready file would mislead a script that waits for it.
  if (flags.readyFile !== undefined) removeReady(flags.readyFile);
  const running = runUntilSignal();
  const broken: { error: Error | null } = { error: null };
  // Notices during the start are not printed, because the banner comes first.
  let announced = false;
  const lines = json ? null : new UpLines(process.stderr);
  const tell = (notice: Notice): void => {
    if (!announced) return;
    if (lines !== null) return lines.tell(notice);
    const object = liveObject(notice);
    if (object !== null) outLine(JSON.stringify(object));
  };
  let lastWhy = '';
  const onNotBegun = ({ message }: Error): void => {
    // Printed once for each reason, because loading is tried twice a second.
    if (message !== lastWhy) talk(`the world cannot be loaded again yet: ${message}`);
    lastWhy = message;
  };
  const onBroken = (error: Error): void => {
    broken.error = error;
    running.end('broken');
  };
  const onTruthFailed = (error: Error): void =>
    talk(`The truth file cannot be written, so it ends here: ${error.message}`);
  const ending = new AbortController();
  const callbacks = { onNotice: tell, onBroken, onTruthFailed, onNotBegun, onWaiting: talk, signal: ending.signal };
  void running.ended.then(() => ending.abort());
  const starting = startSandbox({ ...options, ...callbacks });
  const first = await Promise.race([starting, running.ended]);
  // A signal during the start has priority: the command stops cleanly even if the start failed.
  const sandbox =
    first === 'SIGTERM' || first === 'SIGHUP' || first === 'SIGINT' ? await settled(starting) : await starting;
  if (sandbox === null) {
    running.done();
    return first === 'SIGINT' ? EXIT.interrupted : EXIT.done;
  }
  const endLastResort = lastResort({
    // Uses the current engine, because a reset creates a new one.
    report: (error) => sandbox.engine.failures.report({ part: 'task', what: 'nobody contained it', error }),
    giveUp: (error) => {
      broken.error = error;
      running.end('broken');
    },
  });
  try {
    if (typeof first === 'object') {
      announced = true;
      // Written before the ready line is printed, so that a reader of the line finds the file.
      if (flags.readyFile !== undefined) writeReady(flags.readyFile, sandbox.readyLine);
      if (json) out(JSON.stringify(sandbox.readyLine));
      else out(banner(sandbox, process.stdout, flags));
      if (flags.scenario !== undefined) playScenario(sandbox, flags.scenario);
    }
    const why = await watched(flags, sandbox.ready, running, (isWatched) => {
      announced = !isWatched;
    });
    if (!json) talk('stopping …');
    if (why === 'broken')
      throw broken.error instanceof StorageBroken ? storageBroken(broken.error) : (broken.error ?? new Error(why));
    return why === 'SIGINT' ? EXIT.interrupted : EXIT.done;
  } finally {
    if (flags.readyFile !== undefined) removeReady(flags.readyFile);
    await sandbox.stop();
    endLastResort();
    running.done();
  }
}

const settled = <T>(work: Promise<T>): Promise<T | null> =>
  work.then(
    (done) => done,
    () => null,
  );

/**
 * Runs until a signal; with `--dashboard` on a terminal, until the viewer quits. Other output is suppressed, since it
 * would corrupt the screen.
 */
async function watched(
  flags: UpFlags,
  ready: Ready,
  running: UntilSignal,
  announce: (isWatched: boolean) => void,
): Promise<StopReason> {
  if (flags.dashboard !== true) return await running.ended;
  if (!isTerminal()) {
    talk('--dashboard needs a terminal; events are printed line by line instead.');
    return await running.ended;
  }
  announce(true);
  const dashboard = await open(() => foundBy(ready), {
    screenReader: switchIn(process.env['SANDBOX_SCREEN_READER'] ?? '') === true,
    // A failing dashboard must not end the sandbox.
    crashes: false,
  });
  try {
    const quit = dashboard.quit.then((by): StopReason => (by === 'ctrl-c' ? 'SIGINT' : 'SIGTERM'));
    return await Promise.race([running.ended, quit]);
  } finally {
    dashboard.close();
    announce(false);
  }
}

const storageBroken = (error: StorageBroken): Outage =>
  error instanceof FolderChanged
    ? new Outage({
        code: 'data_folder_changed',
        message: error.message,
        fix: 'Nothing was acknowledged after that. Restore the data folder and start again; the start lists what is lost.',
      })
    : new Outage({
        code: 'storage_broken',
        message: `The storage failed, so the sandbox stopped: ${error.message}`,
        fix: 'Check the disk or the database, and start again. Everything that was acknowledged before is stored. A change that was refused with 503 at that moment may also be stored.',
      });
