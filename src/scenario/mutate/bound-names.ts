/** Collects which names are bound when a step begins, to tell whether two names are the same object. */
import type { NameScope } from '../judging/track.ts';
import type { NamedThing } from '../model/references.ts';
import type { StepFrame } from '../model/scenario.ts';

/** Name -> object. */
export type BoundNames = ReadonlyMap<string, NamedThing>;

type StepLine = Pick<StepFrame, 'file' | 'line'>;

export class NamesOfSteps {
  /** By line: the names of each play of the step, without those that bind the same objects. */
  readonly #played = new Map<string, Map<string, BoundNames>>();

  add(step: StepLine, scope: NameScope): void {
    const names = scope.visible;
    const ids = JSON.stringify([...names].map(([name, { kind, id }]) => [name, kind, id]).toSorted());
    const known = this.#played.get(keyOf(step)) ?? new Map<string, BoundNames>();
    known.set(ids, names);
    this.#played.set(keyOf(step), known);
  }

  /** Empty if no step of this line was played. */
  of(step: StepLine): readonly BoundNames[] {
    return [...(this.#played.get(keyOf(step))?.values() ?? [])];
  }
}

const keyOf = ({ file, line }: StepLine): string => `${file}:${line}`;
