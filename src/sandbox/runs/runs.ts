/** Scenarios that are started in the running sandbox, each in the company of the client that starts it, at most one at a time per company. [decisions 9] */

import { declaredName } from '../../base/text/same-name.ts';
import type { Instant } from '../../base/time/clock.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { changedAtMs } from '../../base/user-files.ts';
import type { RunSink } from '../../scenario/log/run-notices.ts';
import type { RunMode, Values } from '../../scenario/model/scenario.ts';
import { withOutdatedMarks } from '../../scenario/playing/known-failures.ts';
import { runFile } from '../../scenario/playing/run-file.ts';
import type { LoadedScenario } from '../../scenario/reading/load.ts';
import { readNamed } from '../../scenario/reading/merged-file.ts';
import { type ScenarioListing, scenarioFiles } from '../../scenario/reading/scenario-catalog.ts';
import type { AskingClient, Scenarios } from '../../service/api/scenarios.ts';
import type { TokenViewer } from '../../service/domain/access/viewer.ts';
import { isRejection, type Rejection, reject } from '../../service/domain/changes.ts';
import type { Client, GuestScenario } from '../../service/domain/world/documents.ts';
import { VERSION } from '../version.ts';
import { stateBefore } from './before.ts';
import type { StepBeyond } from './beyond.ts';
import { type Examination, type ExaminedScenario, type ExamineRequest, examine } from './examine.ts';
import { type Guest, guestStage } from './guest.ts';
import type { RunHost } from './run-host.ts';
import { Run, type ScenarioRunState, shownTo } from './run-state.ts';
import { ScenarioClock } from './scenario-clock.ts';
import { ScenarioReader } from './scenario-reader.ts';

/** Maximum number of ended runs that are kept. */
const MOST_ENDED = 100;

/** The mode of time in a run, by the mode of the sandbox's clock; `real` if the clock is not faster than wall time. */
const MODES: Readonly<Record<string, RunMode>> = { lockstep: 'fast', scaled: 'scaled' };

/** Options of a run besides the scenario. */
export interface RunWishes {
  readonly parameters?: Values;
  readonly seed?: string;
  /** Called for each line during the run. */
  readonly sink?: RunSink;
  /** The viewer of the token that starts the run: the run has its permissions. Null: the control token. */
  readonly viewer: TokenViewer | null;
}

interface Playing {
  readonly run: Run;
  readonly cancel: AbortController;
  /** Resolves when the scenario's plant and people have joined. */
  readonly joined: Promise<void>;
  readonly over: Promise<void>;
}

interface RunsParts {
  readonly host: RunHost;
  /** Folders with scenarios; if a name occurs twice, the first folder has priority. */
  readonly folders: readonly string[];
  readonly newId: () => string;
  /** Called when an action begins: waits of the company search from this point. */
  readonly began: (organizationId: string) => void;
}

export class Runs {
  readonly #parts: RunsParts;
  readonly #runs = new Map<string, Playing>();
  /** Memoised listings, by file. */
  readonly #listed = new Map<string, { readonly changedMs: number; readonly scenario: ScenarioListing }>();
  readonly #reader: ScenarioReader;
  #stopped = false;

  constructor(parts: RunsParts) {
    this.#parts = parts;
    this.#reader = new ScenarioReader((wake) => parts.host.engine.clock.soon(wake));
  }

  /**
   * Lists the scenarios. A file is read again if it has changed. There may be many files, so the sandbox does other
   * work between two of them.
   */
  async scenarios(): Promise<ScenarioListing[]> {
    const all: ScenarioListing[] = [];
    for (const [name, file] of scenarioFiles(this.#parts.folders)) {
      const changedMs = changedAtMs(file);
      let known = this.#listed.get(file);
      if (known?.changedMs !== changedMs) {
        known = { changedMs, scenario: await this.#reader.listed(name, file) };
        this.#listed.set(file, known);
      }
      all.push(known.scenario);
    }
    return all;
  }

  /**
   * Returns the newest runs first, as the reader may see them; null: the control token, which sees those of all
   * companies.
   */
  all(reader: TokenViewer | null): ScenarioRunState[] {
    const states = [...this.#runs.values()].map(({ run }) => run.state);
    return states
      .filter((one) => reader === null || one.organizationId === reader.organizationId)
      .map((one) => shownTo(reader, one))
      .reverse();
  }

  get(id: string, reader: TokenViewer | null): ScenarioRunState | Rejection {
    const state = this.#runs.get(id.toLowerCase())?.run.state;
    if (state !== undefined && (reader === null || state.organizationId === reader.organizationId))
      return shownTo(reader, state);
    return reject('not_found', `There is no run "${id}".`);
  }

  /** Starts a scenario of the folders; resolves when its people have joined, or when it has ended before that. */
  async startNamed(name: string, client: Client, wishes: RunWishes): Promise<ScenarioRunState | Rejection> {
    const files = scenarioFiles(this.#parts.folders);
    const file = files.get(declaredName(files.keys(), name));
    if (file === undefined)
      return reject('not_found', `There is no scenario "${name}"; GET /v1/sandbox/scenarios lists them.`);
    const examined = await this.#reader.examine(this.#requestOf(file, wishes));
    const started = isRejection(examined) ? examined : this.#begin(name, file, client, wishes, examined);
    if (isRejection(started)) return started;
    await Promise.race([started.joined, started.over]);
    return shownTo(wishes.viewer, started.run.state);
  }

  /**
   * Starts the scenario of any file that a person has named. The run has begun when this returns; `over` resolves when
   * the scenario has ended and left.
   */
  start(name: string, file: string, client: Client, wishes: RunWishes): Playing | Rejection {
    const examined = examine(this.#requestOf(file, wishes), readNamed(file));
    return isRejection(examined) ? examined : this.#begin(name, file, client, wishes, examined);
  }

  #requestOf(file: string, { parameters = {}, seed, viewer }: RunWishes): ExamineRequest {
    return { file, parameters, seed, viewer, mode: modeOf(this.#parts.host.engine.clock) };
  }

  #begin(
    name: string,
    file: string,
    client: Client,
    { viewer, sink }: RunWishes,
    { scenario, loaded }: Pick<Examination, 'scenario' | 'loaded'>,
  ): Playing | Rejection {
    const { engine } = this.#parts.host;
    const { organizationId } = client;
    if (this.#stopped) return reject('action_refused', 'The sandbox is stopping.');
    const running = this.all(null).find((one) => one.organizationId === organizationId && one.status === 'running');
    if (running !== undefined)
      return reject(
        'action_refused',
        `The run ${running.id} of "${running.scenario}" is not over; a company plays one scenario at a time.`,
      );
    const { seed, values, set, warnings, steps, beyond, ownUrls } = scenario;
    const id = this.#parts.newId();
    const startedAt = engine.clock.now();
    const run = new Run({ id, organizationId, viewer, scenario: name, seed, startedAt, warnings }, steps);
    if (beyond.length > 0) return this.#remember(refusedAtOnce(run, beyond, startedAt));
    const cancel = new AbortController();
    this.#parts.began(organizationId);
    const options = { seed, values, set, loaded, mode: modeOf(engine.clock), viewer, sink };
    const before = stateBefore(this.#parts.host.acting(), client, new Set(scenario.actions));
    let onJoined = () => {};
    const joined = new Promise<void>((resolve) => {
      onJoined = resolve;
    });
    const over = this.#play(run, file, client, { ...options, before, ownUrls, onJoined }, cancel.signal);
    return this.#remember({ run, cancel, joined, over });
  }

  #remember(playing: Playing): Playing {
    this.#runs.set(playing.run.state.id, playing);
    this.#forget();
    return playing;
  }

  /**
   * The interface of the API: a scenario runs in the company of the token's client; with the control token, in the
   * first company, and it sees everything.
   */
  forClients(): Scenarios {
    const { world } = this.#parts.host.engine;
    const viewerOf = (asking: AskingClient | null) => asking?.viewer ?? null;
    return {
      scenarios: () => this.scenarios(),
      start: async (name, wishes, asking) => {
        const [first] = world.all('client');
        const client = asking === null ? first : world.get('client', asking.client.id);
        if (client === undefined) return reject('action_refused', 'The sandbox has no company for the scenario.');
        return this.startNamed(name, client, { ...wishes, viewer: viewerOf(asking) });
      },
      runs: (asking) => this.all(viewerOf(asking)),
      run: (id, asking) => this.get(id, viewerOf(asking)),
      cancel: (id, asking) => this.cancel(id, viewerOf(asking)),
    };
  }

  /** Cancels a run; resolves when the scenario has left the sandbox. A run that has already ended does not change. */
  async cancel(id: string, reader: TokenViewer | null): Promise<ScenarioRunState | Rejection> {
    const state = this.get(id, reader);
    const playing = isRejection(state) ? undefined : this.#runs.get(state.id);
    if (playing === undefined) return state;
    playing.cancel.abort();
    await playing.over;
    return shownTo(reader, playing.run.state);
  }

  /** Cancels all runs and waits until they have left. Idempotent. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#reader.stop();
    await Promise.all([...this.#runs.keys()].map((id) => this.cancel(id, null)));
  }

  async #play(
    run: Run,
    file: string,
    client: Client,
    options: Pick<ExaminedScenario, 'seed' | 'values' | 'set'> & {
      readonly loaded: LoadedScenario;
      readonly mode: RunMode;
      readonly viewer: TokenViewer | null;
      readonly before: GuestScenario['before'];
      readonly ownUrls: readonly string[];
      readonly sink: RunSink | undefined;
      readonly onJoined: () => void;
    },
    signal: AbortSignal,
  ): Promise<void> {
    const { host } = this.#parts;
    const clock = new ScenarioClock(host.engine.clock);
    const { sink, viewer, before, ownUrls, onJoined, ...rest } = options;
    const { id } = run.state;
    const domain = `run-${id.slice(0, 8)}.receiver.example`;
    let guest: Guest | null = null;
    const boot = guestStage(
      host,
      { client, viewer, runId: id, before, receivers: { domain, urls: ownUrls } },
      (joining) => {
        guest = joining;
        return onJoined;
      },
    );
    const played = await runFile(file, {
      ...rest,
      clock,
      signal,
      version: VERSION,
      speed: clock.state().speed,
      boot,
      receiverDomain: domain,
      sink: (notice) => {
        run.take(notice);
        sink?.(notice);
      },
    });
    const [result = played] = withOutdatedMarks([played]);
    for (const { line, text } of result === played ? [] : result.failures) run.take({ kind: 'failure', line, text });
    const left = await leaving(guest);
    const { verdict, exitCode, error } = result;
    const status = left !== null ? 'error' : exitCode === 130 ? 'cancelled' : verdict;
    const trouble = left === null ? error : { code: 'not_cleared_away', message: left, fix: 'Restart the sandbox.' };
    // A client sees only the code of the error, so the reason is reported here.
    if (viewer !== null && trouble !== null && status === 'error') {
      const isBug = left !== null || exitCode === 5;
      const { scenario } = run.state;
      if (isBug) host.engine.failures.report({ part: 'task', what: `run ${id}`, error: new Error(trouble.message) });
      else
        host.engine.notify({
          kind: 'run-stopped',
          at: formatInstant(host.engine.clock.now()),
          scenario,
          detail: trouble.message,
        });
    }
    run.end(status, host.engine.clock.now(), trouble);
  }

  #forget(): void {
    const ended = [...this.#runs].filter(([, { run }]) => run.state.status !== 'running');
    for (const [id] of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) this.#runs.delete(id);
  }
}

function modeOf(clock: RunHost['engine']['clock']): RunMode {
  const { mode, speed } = clock.state();
  return MODES[mode] ?? (speed === 1 ? 'real' : 'scaled');
}

/** The run never begins, because its steps need more permissions than the token that started it has. */
function refusedAtOnce(run: Run, beyond: readonly StepBeyond[], at: Instant): Playing {
  run.refuse(beyond, at);
  return { run, cancel: new AbortController(), joined: Promise.resolve(), over: Promise.resolve() };
}

/**
 * Returns null if everything that the scenario added was removed and its changes were undone; otherwise the reason why
 * the disk refused the write.
 */
async function leaving(guest: Guest | null): Promise<string | null> {
  try {
    await guest?.leave();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
