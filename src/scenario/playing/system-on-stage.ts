/** The user's own system in one scenario: it is started with the addresses and secrets of the sandbox, woken in simulated time, and read by rules. */
import { asError } from '../../base/assert.ts';
import { type Cancel, type Clock, type Instant, LANE } from '../../base/time/clock.ts';
import { trustVariables } from '../../contract/banner.ts';
import type { NoticeKind } from '../../contract/notices.ts';
import { OwnSystem, type SystemVariables } from '../customer/own-system.ts';
import { CUSTOMER } from '../model/own-system.ts';
import type { RunWait } from '../model/run-wait.ts';
import type { StagePieces, SystemOnStage } from './stage-parts.ts';

/** The longest interval between two wake calls while nothing happens; simulated ms. */
const LONGEST_NAP_MS = 3_600_000;

/** How long simulated time is held for a wake call; wall ms. */
const WAKE_HOLD_MS = 100;

/** A wake call without a reply in this time has failed; wall ms. */
const WAKE_WITHIN_MS = 120_000;

/** Number of wake calls without a new event after which the interval doubles. */
const QUIET_WAKES = 6;

/** Returns null if the scenario has no such system. */
export async function beginSystem({
  run,
  stage,
  receivers,
  destinations,
  record,
}: Pick<StagePieces, 'run' | 'stage' | 'receivers' | 'destinations' | 'record'>): Promise<SystemOnStage | null> {
  const { scenario, options, clock, played } = run;
  const { system: planned } = scenario;
  if (planned === null) return null;
  const own = options.ownSystem ?? new OwnSystem(planned);
  const fail = (why: string) => {
    if (played.over) return;
    played.player?.failSystem(planned, why);
    options.onBreach?.({ file: planned.file, line: planned.line, text: 'your system' }, { why });
  };
  const secrets = scenario.receivers.map(({ name }) => [name, destinations.secretOf(name)] as const);
  const began = options.onWait?.('system');
  await own.begin(variablesOf(stage, secrets), fail).finally(began);
  for (const { name, systemPath } of scenario.receivers)
    if (systemPath !== null) receivers.passOn(name, new URL(own.address + systemPath));
  const probes = new Map(scenario.probes.map((probe) => [probe.name, probe]));
  const call = async (wait: RunWait, path: string, body: object, limitMs?: number) => {
    const waited = options.onWait?.(wait);
    try {
      await own.call(path, body, limitMs);
    } catch (error) {
      fail(`it cannot be called: ${asError(error).message}`);
    } finally {
      waited?.();
    }
  };
  if (planned.secretTo !== null) {
    const { secretTo } = planned;
    destinations.onNewSecret = (receiver, secret) => call('system', secretTo, { receiver, secret });
  }
  const inFlight = new Map<string, Promise<unknown>>();
  const ask = async (name: string): Promise<unknown> => {
    const value = await own.probe(probes.get(name)!).finally(options.onWait?.('probe'));
    options.onProbed?.(name, value);
    return value;
  };
  const wakes =
    planned.wake === null
      ? null
      : new WakeCalls(
          clock,
          planned.wake,
          () => played.over,
          (...sent) => call('wake', ...sent),
        );
  let unlisten = () => {};
  return {
    port: {
      // Many matches of a rule may be judged at one instant: they share one reply.
      probe: (name) => {
        const answer = inFlight.get(name) ?? ask(name).finally(() => inFlight.delete(name));
        inFlight.set(name, answer);
        return answer;
      },
      pause: async (ms) => {
        // The watchdog of the clock counts a new hold as progress, so that a long patience is not reported as stuck.
        const release = clock.hold('other', () => 'the patience with your system');
        const waited = options.onWait?.('patience');
        await new Promise<void>((resolve) => clock.afterWall(ms, resolve, { unref: true }));
        waited?.();
        release();
      },
      patienceMsOf: (rule) => options.patienceMsOf?.(rule, planned.patienceMs) ?? planned.patienceMs,
      onHeld: (rule, heldMs) => options.onHeld?.(rule, heldMs, planned.patienceMs),
    },
    wake: () => {
      if (wakes === null) return;
      unlisten = record.onNotice((kind) => {
        if (STIRRING.has(kind)) wakes.stir();
      });
      wakes.begin();
    },
    stir: () => wakes?.stir(),
    end: async () => {
      unlisten();
      own.rest();
      if (options.ownSystem === undefined) await own.stop();
    },
  };
}

/** Notices to which a system may react. Its own calls are excluded, because each would trigger further wake calls. */
const STIRRING: ReadonlySet<NoticeKind> = new Set([
  ...(['event-occurred', 'alert-changed', 'muster-changed', 'delivery-attempted'] as const),
]);

/**
 * Calls the system at its interval. The interval grows while nothing happens, so that an hour without events does not
 * cost hundreds of calls.
 */
class WakeCalls {
  readonly #clock: Clock;
  readonly #wake: { readonly path: string; readonly everyMs: number };
  readonly #isOver: () => boolean;
  readonly #call: (path: string, body: object, limitMs: number) => Promise<void>;
  #gapMs: number;
  #quiet = 0;
  /** The next call; null while a call is running. */
  #next: { readonly due: Instant; readonly cancel: Cancel } | null = null;

  constructor(
    clock: Clock,
    wake: { readonly path: string; readonly everyMs: number },
    isOver: () => boolean,
    call: (path: string, body: object, limitMs: number) => Promise<void>,
  ) {
    this.#clock = clock;
    this.#wake = wake;
    this.#isOver = isOver;
    this.#call = call;
    this.#gapMs = wake.everyMs;
  }

  begin(): void {
    const due = this.#clock.now() + this.#gapMs;
    const cancel = this.#clock.at(due, { lane: LANE.rest, actor: 'system wake' }, () => void this.#due());
    this.#next = { due, cancel };
  }

  stir(): void {
    this.#quiet = 0;
    this.#gapMs = this.#wake.everyMs;
    if (this.#next === null || this.#next.due <= this.#clock.now() + this.#gapMs) return;
    this.#next.cancel();
    this.begin();
  }

  async #due(): Promise<void> {
    const clock = this.#clock;
    const { path, everyMs } = this.#wake;
    this.#next = null;
    const release = clock.hold('other', () => `the wake call ${path} of your system`);
    // A call that waits for the API may depend on simulated time, so time is released after this limit.
    const cancel = clock.afterWall(WAKE_HOLD_MS, release, { unref: true });
    await this.#call(path, {}, WAKE_WITHIN_MS);
    cancel();
    if (!this.#isOver()) {
      this.#quiet++;
      this.#gapMs = this.#quiet < QUIET_WAKES ? everyMs : Math.min(2 * this.#gapMs, Math.max(LONGEST_NAP_MS, everyMs));
      this.begin();
    }
    release();
  }
}

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
