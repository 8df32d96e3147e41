/** `sandbox certify --watch SERIAL --data-dir FOLDER`: tests the watch with a running sandbox, whose dashboard and panel show the test. [cli, certify] */

import { fetchTrusting } from '../../base/network/trusting-fetch.ts';
import { CLI } from '../../base/text/command-form.ts';
import { check } from '../../contract/check.ts';
import type { StreamSnapshot } from '../../contract/stream.ts';
import { DownConfig, downConfigTopic } from '../../contract/watch.ts';
import type { WatchService } from '../../proving/certify/watch/bench.ts';
import { readRetained } from '../../proving/certify/watch/raw-client.ts';
import { allWatches } from '../../sandbox/watch-list.ts';
import { CommandError, EXIT, usage } from '../output.ts';
import { callSandbox, type FoundSandbox, findRunning } from '../running.ts';

/** Number of lines of the watch log that are read for one check. */
const NOTED_LINES = 200;

interface WatchLogLine {
  readonly kind: string;
  readonly serial: string | null;
  readonly what: string | null;
  readonly why: string | null;
}

/** Throws if the sandbox is not running, emulates the watch itself, or does not run in real time. */
export async function runningWatchService(dataDir: string, serial: string): Promise<WatchService> {
  const found = findRunning(dataDir);
  const { ready } = found;
  if (ready === null) throw usage('--data-dir needs a sandbox of this machine; leave SANDBOX_URL unset.');
  const watches = allWatches(ready);
  const watch = watches.find((one) => one.serial === serial);
  if (watch === undefined || watch.emulated) {
    const free = watches.filter(({ emulated }) => !emulated).slice(0, 6);
    throw usage(
      `The sandbox ${watch === undefined ? 'has no watch' : 'emulates the watch'} ${serial}.`,
      `Take one that it leaves to you: ${free.map((one) => one.serial).join(', ')}.`,
    );
  }
  const { body: clock } = await callSandbox(found, 'GET', '/v1/sandbox/clock');
  const { speed, paused } = clock as { speed: number; paused: boolean };
  if (speed !== 1 || paused)
    throw new CommandError(
      EXIT.environment,
      'clock_off',
      'A device uses real time, but the clock of the sandbox does not.',
      {
        actions: [`Set it right: ${CLI} clock resume, ${CLI} clock speed 1`],
      },
    );
  const { key, site_id: siteId } = watch;
  const broker = { port: Number(new URL(ready.mqtt_url).port), ca: found.ca };
  const login = { broker, clientId: `${serial}/certify`, serial, key };
  const config = check(DownConfig, JSON.parse((await readRetained(login, downConfigTopic(siteId, serial))) ?? 'null'));
  if (!config.ok)
    throw new CommandError(
      EXIT.environment,
      'no_config',
      `The broker at ${ready.mqtt_url} has no down/config of ${serial}.`,
      {
        actions: [`Check whether another client uses its serial: ${CLI} logs watches lists the connections.`],
      },
    );
  const { position_every_s, alarm_every_s, prompt_s } = config.value;
  return {
    serial,
    key,
    siteId,
    broker,
    positionEveryMs: position_every_s * 1_000,
    alarmEveryMs: alarm_every_s * 1_000,
    promptMs: prompt_s * 1_000,
    act: async (action) => {
      const { status, body } = await callSandbox(found, 'POST', '/v1/sandbox/actions', action);
      return status === 200 ? (body as { result: Awaited<ReturnType<WatchService['act']>> }).result : null;
    },
    openAlerts: async () => {
      const { alerts } = await snapshot(found);
      return alerts.filter(({ device }) => device?.serial === serial).map(({ id }) => id);
    },
    noted: async () => {
      const { body } = await callSandbox(found, 'GET', `/v1/sandbox/watches?limit=${NOTED_LINES}`);
      const own = (body as { data: WatchLogLine[] }).data.filter((line) => line.serial === serial && line.why !== null);
      return own.map(({ what, why }) => `${what?.split('/').slice(-2).join('/')}: ${why}`).reverse();
    },
  };
}

/** Reads the first event of the stream. */
async function snapshot({ apiUrl, ca, controlToken }: FoundSandbox): Promise<StreamSnapshot> {
  const headers = { authorization: `Bearer ${controlToken}` };
  const text = await (await fetchTrusting(ca, `${apiUrl}/v1/sandbox/stream?once=true`, { headers })).text();
  return JSON.parse(/^data: ?(.*)$/m.exec(text)?.[1] ?? '{"alerts":[]}') as StreamSnapshot;
}
