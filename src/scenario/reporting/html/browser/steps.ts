/** The table of steps: its times are buttons, and the step at the displayed instant is marked. */
import type { RunAt } from '../run-at.ts';
import { button } from './elements.ts';

export class Steps {
  readonly #run: RunAt;
  readonly #rows = [...document.querySelectorAll<HTMLTableRowElement>('tr[data-step]')];
  #marked: HTMLTableRowElement | null = null;

  /** `goTo`: to the begin of the step at that place. */
  constructor(run: RunAt, goTo: (t: number, step: number) => void) {
    this.#run = run;
    for (const row of this.#rows) {
      const [cell] = row.cells;
      const place = Number(row.dataset['step']);
      const began = run.run.steps[place]?.[0] ?? 0;
      const text = cell?.textContent ?? '';
      cell?.replaceChildren(button(text, `Go to ${text}`, () => goTo(began, place)));
    }
  }

  /** `chosen`: the place of a step that began at or before this instant, as others did; null: the last one that has begun. */
  show(t: number, chosen: number | null): void {
    const row = this.#rows[chosen ?? this.#run.stepAt(t)] ?? null;
    if (row === this.#marked) return;
    this.#marked?.removeAttribute('aria-current');
    row?.setAttribute('aria-current', 'step');
    this.#marked = row;
  }

  /** The text of the marked step. */
  get text(): string {
    return this.#marked?.cells[2]?.firstChild?.textContent ?? 'before the first step';
  }
}
