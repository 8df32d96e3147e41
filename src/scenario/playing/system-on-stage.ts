/** The user's own system in one scenario: begun with the addresses and secrets of the stage, woken by simulated time, read by rules. */
import { asError } from '../../base/assert.ts';
import { LANE } from '../../base/time/clock.ts';
import { trustVariables } from '../../contract/banner.ts';
import { OwnSystem, type SystemVariables } from '../customer/own-system.ts';
import { CUSTOMER } from '../reading/read-world.ts';
import type { StageParts, StagePieces, SystemOnStage } from './stage-parts.ts';

/** The longest gap between two wake calls while nothing happens; simulated ms. */
const LONGEST_NAP_MS = 3_600_000;

/** How long simulated time stands still for a wake call; wall ms. */
const WAKE_HOLD_MS = 100;

/** A wake call without an answer by then has failed; wall ms. */
const WAKE_WITHIN_MS = 120_000;

/** Wake calls without anything new after which the gap doubles. */
const QUIET_WAKES = 6;

/** Null: the scenario has none. */
export async function beginSystem({
  run,
  stage,
  receivers,
  destinations,
}: Pick<StagePieces, 'run' | 'stage' | 'receivers' | 'destinations'>): Promise<SystemOnStage | null> {
  const { scenario, options, clock, played } = run;
  const { system: planned } = scenario;
  if (planned === null) return null;
  const own = options.ownSystem ?? new OwnSystem(planned);
  const fail = (why: string) => {
    if (played.over) return;
    played.player?.failSystem(planned, why);
    options.onBreach?.({ file: planned.file, line: planned.line, text: 'your system' }, why);
  };
  const secrets = scenario.receivers.map(({ name }) => [name, destinations.secretOf(name)] as const);
  await own.begin(variablesOf(stage, secrets), fail);
  for (const { name, systemPath } of scenario.receivers)
    if (systemPath !== null) receivers.passOn(name, new URL(own.address + systemPath));
  const probes = new Map(scenario.probes.map((probe) => [probe.name, probe]));
  const call = async (path: string, body: object, limitMs?: number) => {
    try {
      await own.call(path, body, limitMs);
    } catch (error) {
      fail(`it cannot be called: ${asError(error).message}`);
    }
  };
  if (planned.secretTo !== null) {
    const { secretTo } = planned;
    destinations.onRotated = (receiver, secret) => call(secretTo, { receiver, secret });
  }
  return {
    port: {
      probe: async (name) => {
        const value = await own.probe(probes.get(name)!);
        options.onProbed?.(name, value);
        return value;
      },
      patienceMs: options.patienceMs ?? planned.patienceMs,
    },
    wake: () => {
      const { wake } = planned;
      if (wake === null) return;
      let seen = -1;
      let quiet = 0;
      const next = (gapMs: number) =>
        clock.at(clock.now() + gapMs, { lane: LANE.rest, actor: 'system wake' }, () => {
          const release = clock.hold('other', () => `the wake call ${wake.path} of your system`);
          // What waits for the API may wait for simulated time.
          const cancel = clock.afterWall(WAKE_HOLD_MS, release, { unref: true });
          void call(wake.path, {}, WAKE_WITHIN_MS).finally(() => {
            cancel();
            release();
            if (played.over) return;
            const busy = happeningsOf(played);
            quiet = busy === seen ? quiet + 1 : 0;
            seen = busy;
            next(quiet < QUIET_WAKES ? wake.everyMs : Math.min(Math.max(2 * gapMs, wake.everyMs), LONGEST_NAP_MS));
          });
        });
      next(wake.everyMs);
    },
    end: async () => {
      own.rest();
      if (options.ownSystem === undefined) await own.stop();
    },
  };
}

/** Grows when something happens that a system could be interested in. */
const happeningsOf = ({ player }: StageParts['played']): number => player?.happenings ?? 0;

function variablesOf(
  { apiUrl, mqttUrl, trust, clients }: StagePieces['stage'],
  secrets: readonly (readonly [string, string])[],
): SystemVariables {
  const client = clients.find(({ organization }) => organization === CUSTOMER);
  return {
    SANDBOX_API_URL: apiUrl,
    SANDBOX_MQTT_URL: mqttUrl,
    ...trustVariables(trust?.caFile),
    SANDBOX_CLIENT_ID: client?.clientId ?? '',
    SANDBOX_CLIENT_SECRET: client?.clientSecret ?? '',
    SANDBOX_WEBHOOK_SECRET: secrets[0]?.[1] ?? '',
    ...Object.fromEntries(
      secrets.map(([name, secret]) => [`SANDBOX_WEBHOOK_SECRET_${name.toUpperCase().replaceAll('-', '_')}`, secret]),
    ),
  };
}
