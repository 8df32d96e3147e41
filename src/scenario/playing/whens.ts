/** Runs the steps of `when` in parallel to the scenario, each time or the first time their condition becomes true. */

import { type Clock, type Instant, LANE } from '../../base/time/clock.ts';
import type { Candidate, ViewScope } from '../judging/subject.ts';
import { type NameScope, NameScope as NewScope, StepTrack } from '../judging/track.ts';
import type { RunRecord } from '../log/run-record.ts';
import type { SpanDraws } from '../model/draws.ts';
import type { ScenarioWhen } from '../model/scenario.ts';

interface WhensParts {
  readonly whens: readonly ScenarioWhen[];
  readonly clock: Clock;
  readonly record: RunRecord;
  readonly names: NameScope;
  readonly spans: SpanDraws;
  /** Returns the view of the whole scenario; `taken` are the matches that were already handled. */
  viewScopeOf(names: NameScope, taken: ReadonlySet<string>): ViewScope;
  play(when: ScenarioWhen, track: StepTrack): Promise<void>;
}

/** Maximum number of runs of one `when`, as a protection against feedback loops. */
const MOST_TURNS = 1_000;

interface WatchedWhen {
  readonly when: ScenarioWhen;
  readonly taken: Set<string>;
  turns: number;
  /** For states: true if the condition is true now. */
  isSo: boolean;
}

export class Whens {
  readonly #parts: WhensParts;
  readonly #watches: readonly WatchedWhen[];
  readonly #running = new Set<Promise<void>>();
  readonly #unlisten: () => void;
  #failed: unknown = null;
  #stopped = false;

  constructor(parts: WhensParts) {
    this.#parts = parts;
    this.#watches = parts.whens.map((when) => ({ when, taken: new Set<string>(), turns: 0, isSo: false }));
    this.#unlisten = parts.record.onNotice((kind) => {
      for (const watch of this.#watches) if (watch.when.subject.triggers.has(kind)) this.#look(watch);
    });
    for (const watch of this.#watches) this.#lookAgain(watch);
  }

  /** Polls conditions whose changes no notice announces. */
  #lookAgain(watch: WatchedWhen): void {
    const { everyMs } = watch.when.subject;
    const { clock } = this.#parts;
    if (everyMs === undefined || this.#stopped) return;
    clock.at(clock.now() + everyMs, { lane: LANE.expectation, actor: 'when' }, () => {
      if (this.#stopped) return;
      this.#look(watch);
      this.#lookAgain(watch);
    });
  }

  /** Resolves when all started runs have ended. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
    if (this.#failed !== null) throw this.#failed;
  }

  stop(): void {
    this.#stopped = true;
    this.#unlisten();
  }

  #look(watch: WatchedWhen): void {
    const { when, taken } = watch;
    const { subject } = when;
    const { names } = this.#parts;
    if (when.verb === 'first' && watch.turns > 0) return;
    if (subject.needs.some(({ name }) => names.get(name) === undefined)) return;
    const viewScope = this.#parts.viewScopeOf(names, taken);
    if (subject.all === null || subject.lasts) {
      const look = subject.look(viewScope);
      const began = look.matched && !watch.isSo;
      watch.isSo = look.matched;
      if (began) this.#begin(watch, look.matched ? look.found[0] : undefined);
      return;
    }
    for (const found of subject.all(viewScope)) {
      if (when.verb === 'first' && watch.turns > 0) return;
      taken.add(found.key);
      this.#begin(watch, found);
    }
  }

  #begin(watch: WatchedWhen, found: Candidate | undefined): void {
    const { when } = watch;
    if (++watch.turns > MOST_TURNS) return;
    const { clock, record, names, spans } = this.#parts;
    const scope = new NewScope(names);
    if (when.as !== null && found !== undefined) scope.set(when.as, found.named, record.position);
    const begin: Instant = clock.now() + spans.ms(when.afterMs, when, 'after');
    const turn = this.#parts.play(when, new StepTrack(scope, begin, record.position, true)).catch((error: unknown) => {
      this.#failed ??= error;
    });
    this.#running.add(turn);
    void turn.then(() => this.#running.delete(turn));
  }
}
