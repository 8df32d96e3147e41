/** What one run did and showed, to compare the unchanged run with one that has a mutation. */
import { isMap, type JsonMap } from '../../contract/schema.ts';
import type { Looks, WatchScreen } from '../judging/looks.ts';
import type { NameScope } from '../judging/track.ts';
import { visibleOn } from '../language/conditions/watch.ts';
import type { ReadRecord } from '../log/canonical-log.ts';
import type { RecordedRequest } from '../log/run-record.ts';
import type { ScenarioCast, StepFrame } from '../model/scenario.ts';
import type { ObservedRun, StepObserver } from '../playing/step-observer.ts';
import { NamesOfSteps } from './bound-names.ts';

/** The resources of a worker that a check can compare. */
const RESOURCES = ['device', 'worker', 'position'] as const;

/** The state of the workers as checks: `{device: ana}` -> the fields of the watch. */
export type SeenState = ReadonlyMap<string, JsonMap>;

/** A check for each thing that the watch shows, with the fields of that thing. */
function screensOf(who: string, screen: WatchScreen | null): [check: JsonMap, body: JsonMap][] {
  if (screen === null) return [];
  const visible = visibleOn(screen);
  if (visible.length === 0) return [[{ watch: who, shows: 'nothing' }, {}]];
  return visible.map((shows) => {
    const body: unknown = shows === 'alert' ? screen.alerts.at(-1) : screen[shows];
    return [{ watch: who, shows }, isMap(body) ? body : {}];
  });
}

/** A play of a step; ms from the start. */
interface PlayedStep extends Pick<StepFrame, 'file' | 'line'> {
  readonly beganMs: number;
  endedMs: number;
}

/** Observes one run. `line`: the step after which the state is kept. */
export class ObservedChanges implements StepObserver {
  readonly names = new NamesOfSteps();
  readonly steps: PlayedStep[] = [];
  readonly log: ReadRecord[] = [];
  /** The state after the first play of the step, and after all steps; null if the run did not come so far. */
  after: SeenState | null = null;
  over: SeenState | null = null;
  requests: readonly RecordedRequest[] = [];
  /** What the watches began to show, as it was seen at the lines of the log. */
  readonly screens: { readonly t: number; readonly check: JsonMap }[] = [];
  readonly #shown = new Map<string, string>();
  startMs = 0;
  readonly #cast: ScenarioCast;
  readonly #step: Pick<StepFrame, 'file' | 'line'> | null;
  readonly #playing = new Map<StepFrame, PlayedStep>();
  #run: ObservedRun | null = null;

  constructor(cast: ScenarioCast, step: Pick<StepFrame, 'file' | 'line'> | null) {
    this.#cast = cast;
    this.#step = step;
  }

  /** A line of the canonical log. */
  readonly onLogLine = (line: string): void => {
    const record = JSON.parse(line) as ReadRecord;
    this.log.push(record);
    this.#lookAtScreens(record.t);
  };

  onRun(run: ObservedRun): void {
    this.#run = run;
    this.startMs = run.start;
  }

  onBegun(step: StepFrame, names: NameScope, at: number): void {
    this.names.add(step, names);
    const beganMs = at - (this.#run?.start ?? 0);
    const { file, line } = step;
    const played = { file, line, beganMs, endedMs: beganMs };
    this.#playing.set(step, played);
    this.steps.push(played);
  }

  onEnded(step: StepFrame, at: number): void {
    const played = this.#playing.get(step);
    if (played !== undefined) played.endedMs = at - (this.#run?.start ?? 0);
    if (this.after === null && step.file === this.#step?.file && step.line === this.#step.line)
      this.after = this.#state();
  }

  onOver(): void {
    this.over = this.#state();
    this.requests = [...(this.#run?.record.requests ?? [])];
  }

  #lookAtScreens(t: number): void {
    for (const { who, id, look } of this.#people()) {
      const screens = screensOf(who, look.watch(id)).map(([check]) => check);
      const now = JSON.stringify(screens);
      const before = this.#shown.get(who) ?? now;
      this.#shown.set(who, now);
      if (now !== before) for (const check of screens) this.screens.push({ t, check });
    }
  }

  #state(): SeenState | null {
    if (this.#run === null || this.#step === null) return null;
    return new Map(
      this.#people().flatMap(({ who, id, look }) => [
        ...RESOURCES.map((resource): [string, JsonMap] => {
          const found: unknown = look[resource](id);
          return [JSON.stringify({ [resource]: who }), isMap(found) ? found : {}];
        }),
        ...screensOf(who, look.watch(id)).map(([check, body]): [string, JsonMap] => [JSON.stringify(check), body]),
      ]),
    );
  }

  /** The workers with a name of their own; none in a run of which no step is observed. */
  #people(): { readonly who: string; readonly id: string; readonly look: Looks }[] {
    const run = this.#run;
    if (run === null || this.#step === null) return [];
    return [...this.#cast.keys()].flatMap((who) => {
      const [id, ...others] = run.workerIds(who);
      return id === undefined || others.length > 0 ? [] : [{ who, id, look: run.look }];
    });
  }
}
