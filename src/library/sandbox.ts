/** The package: starts a sandbox from code, as the command line does. */

import { fetchTrusting } from '../base/network/trusting-fetch.ts';
import { declaredName } from '../base/text/same-name.ts';
import { CLOCK_END } from '../base/time/clock.ts';
import { formatDuration } from '../base/time/durations.ts';
import { formatInstant } from '../base/time/instants.ts';
import { later } from '../base/time/timers.ts';
import { checkAction } from '../contract/action-check.ts';
import { ACTIONS } from '../contract/actions.ts';
import { type Checked, check } from '../contract/check.ts';
import type { RunStatus } from '../contract/enumerations.ts';
import { WaitRequest } from '../contract/operations/wait.ts';
import { didYouMean } from '../contract/sentences.ts';
import { scenarioFolders } from '../sandbox/runs/scenario-folders.ts';
import { type Sandbox as Running, startSandbox as start } from '../sandbox/start.ts';
import { SLACK_WALL_MS } from '../scenario/playing/tolerances.ts';
import { scenarioFiles } from '../scenario/reading/scenario-catalog.ts';
import { isRejection, type Rejection } from '../service/domain/changes.ts';
import { apiClient } from './client.ts';
import { outage, refusal, refuseUnknown } from './errors.ts';
import { checkedOptions } from './options.ts';
import { GIVE_UP_MS, InProcessReceiver, type Subscription } from './receiver.ts';
import type { Act, Coverage, Sandbox, SandboxOptions, SandboxSetting, Wait, WaitFor } from './types.ts';

/** A fast scenario advances the clock in steps of this simulated time. */
const FAST_STEP_MS = 10_000;

/**
 * Starts API, broker and fleet; resolves when the watches are connected. Nothing is stored unless an option says where.
 * The ports are free ports, so that any number of sandboxes can run at the same time. Rejects with a `TypeError` for
 * wrong options, and with an `Outage` if the machine does not allow the start. The messages say what to do.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { options: checked, warnings } = checkedOptions(isolated(options));
  try {
    return new LibrarySandbox(await start(checked), warnings);
  } catch (error) {
    throw outage(error);
  }
}

/** The options, with a world in memory and free ports unless the options name a folder, a database or ports. */
function isolated(options: SandboxOptions): SandboxOptions {
  // A value that is not an object is returned as it is, because the check of the options reports it.
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return options;
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const isKept = options.dataDir !== undefined || options.database !== undefined || options.acceptLoss === true;
  const ports = { port: 0, ...(options.broker === undefined ? { mqttPort: 0 } : {}) };
  return { ...ports, ...(isKept ? {} : { memory: true }), ...given };
}

/** Starts a sandbox with a receiver and a client, calls the function with them, and always stops all of them. */
export async function withSandbox<T>(
  options: SandboxOptions,
  run: (setting: SandboxSetting) => T | Promise<T>,
): Promise<T> {
  const sandbox = await startSandbox(options);
  try {
    return await run({ sandbox, receiver: await sandbox.receiver(), client: sandbox.client() });
  } finally {
    await sandbox.stop();
  }
}

class LibrarySandbox implements Sandbox {
  readonly #running: Running;
  readonly #siteWarnings: readonly string[];
  readonly #receivers = new Set<InProcessReceiver>();
  #stopping: Promise<void> | null = null;

  constructor(running: Running, siteWarnings: readonly string[]) {
    this.#running = running;
    this.#siteWarnings = siteWarnings;
  }

  get ready() {
    return this.#running.ready;
  }

  get warnings() {
    return [...this.#siteWarnings, ...this.#running.warnings];
  }

  watches = () => this.#running.watches();

  act = (async (body: unknown) => {
    this.#mustRun();
    const action = sound(checkAction(body), 'The action is not valid: ');
    const { answer } = sound(await this.#running.act(action));
    const { action: name } = action;
    return 'results' in answer
      ? answer.results.map((result) => withoutGaps(name, result))
      : withoutGaps(name, answer.result);
  }) as Act;

  wait = (async (wanted: Wait, ...others: unknown[]) => {
    this.#mustRun();
    if (others.length > 0)
      throw refusal({ code: 'invalid_options', detail: "wait takes one object: wait({alert: 'sos', within: '10s'})." });
    const request = sound(check(WaitRequest, wanted), 'The wait is not valid: ') as Wait;
    const giveUp = new AbortController();
    // A wait with a limit of its own may take as long as the clock needs for it.
    const cancel = request.within === undefined ? later(GIVE_UP_MS + SLACK_WALL_MS, () => giveUp.abort()) : () => {};
    try {
      const limited = { within: formatDuration(GIVE_UP_MS), ...request };
      return sound(await this.#running.wait(limited as never, giveUp.signal));
    } finally {
      cancel();
    }
  }) as WaitFor;

  play: Sandbox['play'] = async (scenario, options = {}) => {
    this.#mustRun();
    refuseUnknown('play', options, ['parameters', 'seed', 'clientId', 'fast']);
    const { clientId, seed, fast = false, ...wishes } = options;
    const { ready, engine, runs } = this.#running;
    const named = clientId ?? ready.clients[0]?.client_id ?? '';
    const client = engine.world.get('client', named);
    if (client === undefined) throw noClient(named, this.#clientIds());
    const started = sound(
      runs.start(scenario, scenarioFile(scenario), client, {
        ...wishes,
        ...(seed === undefined ? {} : { seed: String(seed) }),
        viewer: null,
      } as never),
    );
    let isOver = false;
    const over = started.over.finally(() => {
      isOver = true;
    });
    while (fast && !isOver) await this.advance(FAST_STEP_MS);
    await over;
    const { status, stepsDone, stepsTotal, failures, warnings } = started.run.state;
    return { status: status as Exclude<RunStatus, 'running'>, stepsDone, stepsTotal, failures, warnings };
  };

  receiver: Sandbox['receiver'] = async (options = {}) => {
    this.#mustRun();
    refuseUnknown('receiver', options, ['eventTypes', 'company']);
    const receiver = await InProcessReceiver.start(options, this.#subscription());
    this.#receivers.add(receiver);
    return receiver;
  };

  client: Sandbox['client'] = (options = {}) => {
    refuseUnknown('client', options, ['clientId', 'scopes']);
    const { clients, api_url } = this.ready;
    const client = clients.find(({ client_id }) => client_id === (options.clientId ?? clients[0]?.client_id));
    if (client === undefined) throw noClient(options.clientId ?? '', this.#clientIds());
    return apiClient({ apiUrl: api_url, ca: this.#running.ca }, client, options);
  };

  coverage = async (): Promise<Coverage> => {
    this.#mustRun();
    return this.#running.coverage();
  };

  reset = async () => {
    this.#mustRun();
    const refused = await this.#running.reset();
    if (refused !== null) throw refusal(refused);
    for (const receiver of this.#receivers) await receiver.begin();
  };

  now = () => this.#running.clock.now();

  advance = async (ms: number) => {
    const { clock } = this.#running;
    if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`advance takes milliseconds from 0, not ${ms}.`);
    if (clock.now() + ms > CLOCK_END) throw new RangeError(`Simulated time ends at ${formatInstant(CLOCK_END)}.`);
    await clock.advance(ms);
  };

  // The internal type of an alert has a union of details. The public type is the same as a union by alert type.
  onNotice: Sandbox['onNotice'] = (listener) => this.#running.onNotice(listener as never);

  stop = () => {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  };

  [Symbol.asyncDispose] = () => this.stop();

  async #stop(): Promise<void> {
    // The receivers stop first, because their subscriptions can only be ended while the API runs.
    await Promise.all([...this.#receivers].map((receiver) => receiver.stop()));
    await this.#running.stop();
  }

  #mustRun(): void {
    if (this.#stopping !== null) throw refusal({ code: 'action_refused', detail: 'This sandbox has been stopped.' });
  }

  /**
   * Session destinations, as `sandbox listen` uses them: any address is allowed, and the client's own list does not
   * show them.
   */
  #subscription(): Subscription {
    const { api_url, control_token } = this.ready;
    const { ca } = this.#running;
    const call = async (method: string, path: string, body?: object) => {
      const response = await fetchTrusting(ca, `${api_url}/v1/sandbox/destinations${path}`, {
        method,
        headers: { authorization: `Bearer ${control_token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const answer = text === '' ? null : JSON.parse(text);
      if (!response.ok) throw refusal(answer, 'The receiver is not subscribed: ');
      return answer;
    };
    let id: string | null = null;
    return {
      subscribe: async (url, { eventTypes, company }) => {
        const body = { forward_to: url, ...(eventTypes && { event_types: eventTypes }), ...(company && { company }) };
        const destination = await call('POST', '', body);
        id = destination.id;
        return destination;
      },
      unsubscribe: async () => {
        // A reset that failed has already ended the subscription.
        if (id !== null) await call('DELETE', `/${id}`).catch(() => {});
        id = null;
      },
    };
  }

  #clientIds = (): string[] => this.ready.clients.map(({ client_id }) => client_id);
}

/** Returns the value, or throws an error with the reason of a refusal. */
function sound<T>(outcome: T | Rejection | Checked<T>, doing = ''): T {
  if (typeof outcome === 'object' && outcome !== null && 'ok' in outcome) {
    if (outcome.ok) return outcome.value;
    const detail = outcome.errors.map((one) => `${one.pointer} ${one.detail}`.trim()).join('; ');
    throw refusal({ code: 'validation_failed', detail, errors: outcome.errors }, doing);
  }
  if (isRejection(outcome as Rejection)) throw refusal(outcome as Rejection);
  return outcome as T;
}

const noClient = (named: string, known: readonly string[]): Error =>
  refusal({
    code: 'not_found',
    detail: `There is no client "${named}".${didYouMean(named, known)} There are ${known.join(', ')}.`,
  });

/**
 * The action usually returns an id, but it returns none if the watch is out of coverage and has kept its report.
 * Reading the missing id throws, so that no test continues with an undefined id.
 */
function withoutGaps(action: keyof typeof ACTIONS, result: object): object {
  for (const key of ACTIONS[action].gives as readonly string[])
    if (!key.endsWith('?') && !Object.hasOwn(result, key))
      Object.defineProperty(result, key, {
        enumerable: false,
        get: () => {
          throw refusal({
            code: 'action_refused',
            detail: `The action ${action} returned no ${key}: the watch has no coverage and sends its report later (buffered is true). Wait for the alert.`,
          });
        },
      });
  return result;
}

/** Returns a path as it is, or finds a scenario by its name in `scenarios/` or in the package. */
function scenarioFile(scenario: string): string {
  if (/[\\/]|\.ya?ml$/.test(scenario)) return scenario;
  const files = scenarioFiles(scenarioFolders());
  const file = files.get(declaredName(files.keys(), scenario));
  if (file !== undefined) return file;
  throw refusal({
    code: 'not_found',
    detail: `There is no scenario "${scenario}".${didYouMean(scenario, [...files.keys()])}`,
  });
}
