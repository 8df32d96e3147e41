/** Stories that are started in the running sandbox, each in the company of the client that starts it, one at a time for each. [decisions 9] */

import { statSync } from 'node:fs';
import type { AskingClient, RunShown, Stories } from '../../api/route.ts';
import type { Instant } from '../../base/clock.ts';
import { seesAsMuch, type TokenViewer } from '../../domain/access/viewer.ts';
import { isRejection, type Rejection, reject } from '../../domain/changes.ts';
import type { Client, GuestStory } from '../../domain/world/documents.ts';
import type { RunNotice, RunSink } from '../../scenario/log/run-notices.ts';
import { runFile } from '../../scenario/playing/run-file.ts';
import { loadStory } from '../../scenario/reading/load.ts';
import { type Shelved, shelved, storyFiles } from '../../scenario/reading/shelf.ts';
import type { RunMode, Story, StoryStep, Values } from '../../scenario/story/story.ts';
import { VERSION } from '../version.ts';
import { stateBefore } from './before.ts';
import { type StepBeyond, stepsBeyond } from './beyond.ts';
import { type Guest, guestStage } from './guest.ts';
import type { House } from './house.ts';
import { StoryClock } from './story-clock.ts';
import { actionsOf, ignoredIn, refusalOf } from './suits.ts';

/** Ended runs that are remembered. */
const MOST_ENDED = 100;

/** How time passes in a run, by how it passes in the sandbox; `real` where the clock is no faster than the wall's. */
const MODES: Readonly<Record<string, RunMode>> = { lockstep: 'fast', scaled: 'scaled' };

/** What is asked for beside the story. */
export interface RunWishes {
  readonly parameters?: Values;
  readonly seed?: string;
  /** Called for each line while it plays. */
  readonly sink?: RunSink;
  /** Whose token starts it: the story may do and see what that may. Null: the control token. */
  readonly viewer: TokenViewer | null;
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

  /** The newest first, as the reader may see them; null: the control token, for which there are those of all companies. */
  all(reader: TokenViewer | null): StoryRunState[] {
    const states = [...this.#runs.values()].map(({ run }) => run.state);
    return states
      .filter((one) => reader === null || one.organizationId === reader.organizationId)
      .map((one) => shownTo(reader, one))
      .reverse();
  }

  get(id: string, reader: TokenViewer | null): StoryRunState | Rejection {
    const state = this.#runs.get(id.toLowerCase())?.run.state;
    if (state !== undefined && (reader === null || state.organizationId === reader.organizationId))
      return shownTo(reader, state);
    return reject('not_found', `There is no run "${id}".`);
  }

  /** Starts a story of the shelf; resolves when its people are there, or when it has ended without them. */
  async startNamed(name: string, client: Client, wishes: RunWishes): Promise<StoryRunState | Rejection> {
    const file = storyFiles(this.#parts.folders).get(name);
    if (file === undefined)
      return reject('not_found', `There is no scenario "${name}"; GET /v1/sandbox/scenarios lists them.`);
    const started = this.start(name, file, client, wishes);
    if (isRejection(started)) return started;
    await Promise.race([started.joined, started.over]);
    return shownTo(wishes.viewer, started.run.state);
  }

  /** Starts the story of any file. The run is on its way when this answers; `over` tells when it has ended and left. */
  start(name: string, file: string, client: Client, wishes: RunWishes): Playing | Rejection {
    const { engine } = this.#parts.house;
    const { organizationId } = client;
    if (this.#stopped) return reject('action_refused', 'The sandbox is stopping.');
    const running = this.all(null).find((one) => one.organizationId === organizationId && one.status === 'running');
    if (running !== undefined)
      return reject(
        'action_refused',
        `The run ${running.id} of "${running.scenario}" is not over; a company plays one story at a time.`,
      );
    const filled = filledIn(file, wishes);
    if (isRejection(filled)) return filled;
    const { story, seed, values, set } = filled;
    const mode = modeOf(engine.clock);
    const refused = refusalOf(story, mode);
    if (refused !== null) return reject('action_refused', refused);
    const { viewer } = wishes;
    const id = this.#parts.newId();
    const startedAt = engine.clock.now();
    const given = { id, organizationId, viewer, scenario: name, seed, startedAt, warnings: ignoredIn(file) };
    const run = new Run(given, story);
    const beyond = viewer === null ? [] : stepsBeyond(story, viewer);
    if (beyond.length > 0) return this.#remember(refusedAtOnce(run, beyond, startedAt));
    const cancel = new AbortController();
    this.#parts.began(organizationId);
    const options = { seed, values, set, mode, viewer, sink: wishes.sink };
    const before = stateBefore(this.#parts.house.acting(), client, actionsOf(story));
    const ownUrls = story.receivers.flatMap(({ url }) => (url === null ? [] : [new URL(url).href]));
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

  /** As the API asks: by the client of the token; the control token plays in the first company and sees all. */
  forClients(): Stories {
    const { world } = this.#parts.house.engine;
    const viewerOf = (asking: AskingClient | null) => asking?.viewer ?? null;
    return {
      scenarios: () => this.scenarios(),
      start: async (name, wishes, asking) => {
        const [first] = world.all('client');
        const client = asking === null ? first : world.get('client', asking.client.id);
        if (client === undefined) return reject('action_refused', 'The sandbox has no company in which it could play.');
        return this.startNamed(name, client, { ...wishes, viewer: viewerOf(asking) });
      },
      runs: (asking) => this.all(viewerOf(asking)),
      run: (id, asking) => this.get(id, viewerOf(asking)),
      cancel: (id, asking) => this.cancel(id, viewerOf(asking)),
    };
  }

  /** Resolves when it has left the sandbox. A run that has ended stays as it is. */
  async cancel(id: string, reader: TokenViewer | null): Promise<StoryRunState | Rejection> {
    const state = this.get(id, reader);
    const playing = isRejection(state) ? undefined : this.#runs.get(state.id);
    if (playing === undefined) return state;
    playing.cancel.abort();
    await playing.over;
    return shownTo(reader, playing.run.state);
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
      readonly viewer: TokenViewer | null;
      readonly before: GuestStory['before'];
      readonly ownUrls: readonly string[];
      readonly sink: RunSink | undefined;
      readonly onJoined: () => void;
    },
    signal: AbortSignal,
  ): Promise<void> {
    const { house } = this.#parts;
    const clock = new StoryClock(house.engine.clock);
    const { sink, viewer, before, ownUrls, onJoined, ...rest } = options;
    const { id } = run.state;
    const domain = `run-${id.slice(0, 8)}.receiver.example`;
    let guest: Guest | null = null;
    const boot = guestStage(
      house,
      { client, viewer, runId: id, before, receivers: { domain, urls: ownUrls } },
      (joining) => {
        guest = joining;
        return onJoined;
      },
    );
    const result = await runFile(file, {
      ...rest,
      ...{ clock, signal, version: VERSION, speed: clock.state().speed, boot },
      receiverDomain: domain,
      sink: (notice) => {
        run.take(notice);
        sink?.(notice);
      },
    });
    const left = await leaving(guest);
    const { verdict, exitCode, error } = result;
    const status =
      left !== null ? 'failed' : exitCode === 130 ? 'cancelled' : verdict === 'passed' ? 'passed' : 'failed';
    run.end(status, house.engine.clock.now(), left ?? (error === null ? null : `${error.message}\n${error.cure}`));
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
  const mistakes = loaded.mistakes.map(({ message }) => ({ pointer: '/parameters', detail: message }));
  return reject('validation_failed', `With these parameters the story has mistakes. ${mistakes[0]?.detail}`, mistakes);
}

function modeOf(clock: House['engine']['clock']): RunMode {
  const { mode, speed } = clock.state();
  return MODES[mode] ?? (speed === 1 ? 'real' : 'scaled');
}

/** It never begins: its steps need more than the token that started it. */
function refusedAtOnce(run: Run, beyond: readonly StepBeyond[], at: Instant): Playing {
  run.refuse(beyond, at);
  return { run, cancel: new AbortController(), joined: Promise.resolve(), over: Promise.resolve() };
}

/** Null when all that it brought has left, and what it changed is as it was; else what the disk did not take. */
async function leaving(guest: Guest | null): Promise<string | null> {
  try {
    await guest?.leave();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

// One story that plays in the running sandbox: how far it is, how it ended, and what failed. [decisions 9, Run]

type RunStatus = 'running' | 'passed' | 'failed' | 'cancelled';

/** A run as its owner sees it; times are simulated. */
interface StoryRunState extends Omit<RunShown, 'status' | 'startedAt' | 'endedAt'> {
  readonly organizationId: string;
  /** In whose view it plays; null: that of the control token. */
  readonly viewer: TokenViewer | null;
  readonly status: RunStatus;
  readonly startedAt: Instant;
  readonly endedAt: Instant | null;
}

type Given = Pick<StoryRunState, 'id' | 'organizationId' | 'viewer' | 'scenario' | 'seed' | 'startedAt' | 'warnings'>;

class Run {
  readonly #given: Given;
  readonly #steps: readonly StoryStep[];
  readonly #failures: { line: number; text: string }[] = [];
  /** The place of the step of the story itself that began last; -1: none yet. */
  #at = -1;
  #status: RunStatus = 'running';
  #endedAt: Instant | null = null;

  constructor(given: Given, story: Pick<Story, 'steps' | 'finally'>) {
    this.#given = given;
    this.#steps = [...story.steps, ...story.finally];
  }

  get state(): StoryRunState {
    // Of one that was broken off the step under way is not done.
    const open = this.#status === 'running' || this.#status === 'cancelled';
    return {
      ...this.#given,
      status: this.#status,
      endedAt: this.#endedAt,
      // A step is done when the next one has begun; the last one when the story has ended of itself.
      stepsDone: this.#status === 'passed' ? this.#steps.length : Math.max(0, this.#at + (open ? 0 : 1)),
      stepsTotal: this.#steps.length,
      failures: [...this.#failures],
    };
  }

  take(notice: RunNotice): void {
    if (notice.kind === 'failure') this.#failures.push({ line: notice.line, text: notice.text });
    if (notice.kind !== 'step-began' && notice.kind !== 'mark') return;
    const next = this.#steps.findIndex(
      ({ line, text }, place) => place > this.#at && line === notice.line && text === notice.text,
    );
    if (next >= 0) this.#at = next;
  }

  /** It fails before it begins: these steps are not for the token that started it. */
  refuse(beyond: readonly { readonly line: number; readonly text: string }[], at: Instant): void {
    this.#failures.push(...beyond);
    this.#status = 'failed';
    this.#endedAt = at;
  }

  /** `trouble`: why there is no verdict of the story itself. */
  end(status: Exclude<RunStatus, 'running'>, at: Instant, trouble: string | null): void {
    if (trouble !== null && status === 'failed') this.#failures.push({ line: 1, text: trouble });
    this.#status = status;
    this.#endedAt = at;
  }
}

/** Replaces the failure texts for a token that may see less than the run's own. */
const KEPT_BACK = 'What failed here was seen by a token that may see more than this one; ask with that one.';

/** The run as `reader` may see it; null is the control token. */
function shownTo(reader: TokenViewer | null, state: StoryRunState): StoryRunState {
  if (seesAsMuch(reader, state.viewer)) return state;
  return { ...state, failures: state.failures.map(({ line }) => ({ line, text: KEPT_BACK })) };
}
