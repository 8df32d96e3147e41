/** The table of steps: its times are buttons, and the step at the displayed instant is marked. */
import type { RunAt } from '../run-at.ts';
import { button } from './elements.ts';

export class Steps {
  readonly #run: RunAt;
  readonly #rows = [...document.querySelectorAll<HTMLTableRowElement>('tr[data-step]')];
  #marked: HTMLTableRowElement | null = null;

  constructor(run: RunAt, goTo: (t: number) => void) {
    this.#run = run;
    for (const row of this.#rows) {
      const [cell] = row.cells;
      const began = run.run.steps[Number(row.dataset['step'])]?.[0] ?? 0;
      const text = cell?.textContent ?? '';
      cell?.replaceChildren(button(text, `Go to ${text}`, () => goTo(began)));
    }
  }

  show(t: number): void {
    const row = this.#rows[this.#run.stepAt(t)] ?? null;
    if (row === this.#marked) return;
    this.#marked?.removeAttribute('aria-current');
    row?.setAttribute('aria-current', 'step');
    this.#marked = row;
  }

  textAt(t: number): string {
    const cell = this.#rows[this.#run.stepAt(t)]?.cells[2];
    return cell?.firstChild?.textContent ?? 'before the first step';
  }
}
