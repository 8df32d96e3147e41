/** Stories that are started in the running sandbox, each in the company of whoever starts it, one at a time for each. [decisions 9] */
import { statSync } from 'node:fs';
import type { Stories } from '../../api/parts.ts';
import { isRejection, type Rejection, reject } from '../../domain/rejection.ts';
import type { Client } from '../../domain/world/documents.ts';
import type { Values } from '../../scenario/bindings.ts';
import { loadStory } from '../../scenario/load.ts';
import { runFile } from '../../scenario/run-file.ts';
import type { RunSink } from '../../scenario/run-notices.ts';
import { type Shelved, shelved, storyFiles } from '../../scenario/shelf.ts';
import type { RunMode, Story } from '../../scenario/story.ts';
import { VERSION } from '../version.ts';
import { guestStage } from './guest.ts';
import type { House } from './house.ts';
import { Run, type RunState } from './run.ts';
import { StoryClock } from './story-clock.ts';
import { actionsOf, ignoredIn, refusalOf } from './suits.ts';

/** So many runs that have ended are remembered. */
const MOST_ENDED = 100;

/** How time passes in a run, by how it passes in the sandbox; `real` where the clock is no faster than the wall's. */
const MODES: Readonly<Record<string, RunMode>> = { lockstep: 'fast', scaled: 'scaled' };

/** What is asked for beside the story. */
export interface RunWishes {
  readonly parameters?: Values;
  readonly seed?: string;
  /** Told while it plays. */
  readonly sink?: RunSink;
  /** A client's token starts it: what would change the sandbox for others is not for it. */
  readonly guest: boolean;
}

interface Playing {
  readonly run: Run;
  readonly cancel: AbortController;
  /** Its plant and people are there. */
  readonly joined: Promise<void>;
  readonly over: Promise<void>;
}

export interface RunsParts {
  readonly house: House;
  /** Where stories stand; the first wins. */
  readonly folders: readonly string[];
  readonly newId: () => string;
  /** An action begins: waits of the company look from here on. */
  readonly began: (organizationId: string) => void;
}

export class Runs {
  readonly #parts: RunsParts;
  readonly #runs = new Map<string, Playing>();
  /** By file. */
  readonly #listed = new Map<string, { readonly changedMs: number; readonly story: Shelved }>();
  #stopped = false;

  constructor(parts: RunsParts) {
    this.#parts = parts;
  }

  /** A file is read again when it was changed. Between two the sandbox does its other work: there may be many. */
  async scenarios(): Promise<Shelved[]> {
    const { clock } = this.#parts.house.engine;
    const all: Shelved[] = [];
    for (const [name, file] of storyFiles(this.#parts.folders)) {
      const changedMs = changedAt(file);
      let known = this.#listed.get(file);
      if (known?.changedMs !== changedMs) {
        await new Promise<void>((resolve) => clock.soon(resolve));
        known = { changedMs, story: shelved(name, file) };
        this.#listed.set(file, known);
      }
      all.push(known.story);
    }
    return all;
  }

  /** The newest first; `organizationId` null: of all companies. */
  all(organizationId: string | null): RunState[] {
    const states = [...this.#runs.values()].map(({ run }) => run.state);
    return states.filter((one) => organizationId === null || one.organizationId === organizationId).reverse();
  }

  get(id: string, organizationId: string | null): RunState | Rejection {
    const state = this.#runs.get(id.toLowerCase())?.run.state;
    if (state !== undefined && (organizationId === null || state.organizationId === organizationId)) return state;
    return reject('not_found', `There is no run "${id}".`);
  }

  /** Starts a story of the shelf; resolves when its people are there, or when it has ended without them. */
  async startNamed(name: string, client: Client, wishes: RunWishes): Promise<RunState | Rejection> {
    const file = storyFiles(this.#parts.folders).get(name);
    if (file === undefined)
      return reject('not_found', `There is no scenario "${name}"; GET /v1/sandbox/scenarios lists them.`);
    const started = this.start(name, file, client, wishes);
    if (isRejection(started)) return started;
    await Promise.race([started.joined, started.over]);
    return started.run.state;
  }

  /** Starts the story of any file. The run is on its way when this answers; `over` tells when it has ended and left. */
  start(name: string, file: string, client: Client, wishes: RunWishes): Playing | Rejection {
    const { engine } = this.#parts.house;
    const { organizationId } = client;
    if (this.#stopped) return reject('action_refused', 'The sandbox is stopping.');
    const running = this.all(organizationId).find(({ status }) => status === 'running');
    if (running !== undefined)
      return reject(
        'action_refused',
        `The run ${running.id} of "${running.scenario}" is not over; a company plays one story at a time.`,
      );
    const filled = filledIn(file, wishes);
    if (isRejection(filled)) return filled;
    const { story, seed, values, set } = filled;
    const mode = modeOf(engine.clock);
    const refused = refusalOf(story, mode, wishes.guest);
    if (refused !== null) return reject('action_refused', refused);
    const id = this.#parts.newId();
    const startedAt = engine.clock.now();
    const run = new Run({ id, organizationId, scenario: name, seed, startedAt, warnings: ignoredIn(file) }, story);
    const cancel = new AbortController();
    this.#parts.began(organizationId);
    const options = { seed, values, set, mode, sink: wishes.sink };
    const undo = asItWas(this.#parts.house, client, actionsOf(story));
    let onJoined = () => {};
    const joined = new Promise<void>((resolve) => {
      onJoined = resolve;
    });
    const over = this.#play(run, file, client, { ...options, onJoined, undo }, cancel.signal);
    const playing = { run, cancel, joined, over };
    this.#runs.set(id, playing);
    this.#forget();
    return playing;
  }

  /** As the API asks: by the client of the token; the control token plays in the first company and sees all. */
  forClients(): Stories {
    const { world } = this.#parts.house.engine;
    const ownerOf = (clientId: string | null) =>
      clientId === null ? null : world.need('client', clientId).organizationId;
    return {
      scenarios: () => this.scenarios(),
      start: async (name, wishes, clientId) => {
        const [first] = world.all('client');
        const client = clientId === null ? first : world.get('client', clientId);
        if (client === undefined) return reject('action_refused', 'The sandbox has no company in which it could play.');
        return this.startNamed(name, client, { ...wishes, guest: clientId !== null });
      },
      runs: (clientId) => this.all(ownerOf(clientId)),
      run: (id, clientId) => this.get(id, ownerOf(clientId)),
      cancel: (id, clientId) => this.cancel(id, ownerOf(clientId)),
    };
  }

  /** Resolves when it has left the sandbox. A run that has ended stays as it is. */
  async cancel(id: string, organizationId: string | null): Promise<RunState | Rejection> {
    const state = this.get(id, organizationId);
    const playing = isRejection(state) ? undefined : this.#runs.get(state.id);
    if (playing === undefined) return state;
    playing.cancel.abort();
    await playing.over;
    return playing.run.state;
  }

  /** Every run ends and leaves. Idempotent. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#runs.keys()].map((id) => this.cancel(id, null)));
  }

  async #play(
    run: Run,
    file: string,
    client: Client,
    options: Filled & {
      readonly mode: RunMode;
      readonly sink: RunSink | undefined;
      readonly onJoined: () => void;
      readonly undo: () => Promise<void>;
    },
    signal: AbortSignal,
  ): Promise<void> {
    const { house } = this.#parts;
    const clock = new StoryClock(house.engine.clock);
    const { sink, onJoined, undo, ...rest } = options;
    const { id } = run.state;
    const result = await runFile(file, {
      ...rest,
      ...{ clock, signal, version: VERSION, speed: clock.state().speed, boot: guestStage(house, client, id, onJoined) },
      receiverDomain: `run-${id.slice(0, 8)}.receiver.example`,
      sink: (notice) => {
        run.take(notice);
        sink?.(notice);
      },
    });
    await undo();
    const { verdict, exitCode, error } = result;
    const status = exitCode === 130 ? 'cancelled' : verdict === 'passed' ? 'passed' : 'failed';
    run.end(status, house.engine.clock.now(), error === null ? null : `${error.message}\n${error.cure}`);
  }

  #forget(): void {
    const ended = [...this.#runs].filter(([, { run }]) => run.state.status !== 'running');
    for (const [id] of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) this.#runs.delete(id);
  }
}

function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

interface Filled {
  readonly seed: string;
  readonly values: Values | null;
  readonly set: Values;
}

/** The story with its parameters; of a matrix the first run that has the values asked for. */
function filledIn(
  file: string,
  { parameters = {}, seed }: RunWishes,
): (Filled & { readonly story: Story }) | Rejection {
  const bare = loadStory(file, { seed });
  if (!bare.ok) return reject('validation_failed', `The story has mistakes:\n${bare.text}`);
  const ofCases = new Set(bare.cases.flatMap((one) => Object.keys(one)));
  const wanted = Object.entries(parameters);
  const equal = (one: Values, name: string, value: unknown) => JSON.stringify(one[name]) === JSON.stringify(value);
  const values =
    bare.cases.find((one) => wanted.every(([name, value]) => !ofCases.has(name) || equal(one, name, value))) ?? null;
  if (values === null && bare.cases.length > 0)
    return reject(
      'validation_failed',
      'The story has no case with these values; GET /v1/sandbox/scenarios lists them.',
      [{ pointer: '/parameters', detail: 'fit no case of the story' }],
    );
  const set = Object.fromEntries(wanted.filter(([name]) => !ofCases.has(name)));
  const loaded = loadStory(file, { seed, values, set });
  if (loaded.ok) return { story: loaded.story, seed: loaded.seed, values, set };
  const told = loaded.mistakes.map(({ message }) => ({ pointer: '/parameters', detail: message }));
  return reject('validation_failed', `With these parameters the story has mistakes. ${told[0]?.detail}`, told);
}

function modeOf(clock: House['engine']['clock']): RunMode {
  const { mode, speed } = clock.state();
  return MODES[mode] ?? (speed === 1 ? 'real' : 'scaled');
}

/** What a story may turn in the sandbox itself is turned back when it has ended. */
function asItWas({ engine, acting }: House, { id }: Client, actions: ReadonlySet<string>): () => Promise<void> {
  const before = engine.world.need('client', id);
  const { limiter, faults, doors } = acting();
  const limits = limiter.limitsOf(id);
  return async () => {
    if (actions.has('limits')) limiter.setLimits(id, limits);
    if (actions.has('api_fault')) faults.set(null);
    if (actions.has('broker')) await doors.broker?.reopen();
    if (!actions.has('contract')) return;
    const { includeWorkerNames, scopes, contractors } = before;
    await engine.submit({ type: 'change-contract', clientId: id, includeWorkerNames, scopes, contractors });
  };
}
