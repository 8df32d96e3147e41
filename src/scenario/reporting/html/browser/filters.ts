/** The filters by worker, alert and receiver. */
import { formatClockTime } from '../../../../base/time/instants.ts';
import type { HappeningAt, RunAt } from '../run-at.ts';
import { byId, element } from './elements.ts';

export class Filters {
  readonly #selects: Readonly<Record<'worker' | 'alert' | 'receiver', HTMLSelectElement>>;

  constructor({ run }: RunAt, changed: () => void) {
    const nameOf = (person: number): string => run.people[person]?.who ?? 'site';
    this.#selects = {
      worker: filled(
        'worker',
        run.people.map(({ who }, index) => [index, who]),
        changed,
      ),
      alert: filled(
        'alert',
        run.alerts.map(([object, person, t, type]) => [
          object,
          `${formatClockTime(t).slice(0, 8)} ${type} of ${nameOf(person)}`,
        ]),
        changed,
      ),
      receiver: filled(
        'receiver',
        run.receivers.map((name, index) => [index, name]),
        changed,
      ),
    };
  }

  /** Index of the selected person; -1: all. */
  get worker(): number {
    return chosen(this.#selects.worker);
  }

  /** Selects a worker, or all workers if that worker is already selected. */
  toggleWorker(index: number): void {
    const { worker } = this.#selects;
    worker.value = worker.value === String(index) ? '' : String(index);
    worker.dispatchEvent(new Event('change'));
  }

  chooseAlert(object: number): void {
    const { alert } = this.#selects;
    alert.value = String(object);
    alert.dispatchEvent(new Event('change'));
  }

  get key(): string {
    const { worker, alert, receiver } = this.#selects;
    return `${worker.value}/${alert.value}/${receiver.value}`;
  }

  #hasAlert({ object, person }: HappeningAt): boolean {
    return fits(this.#selects.alert, object) && fits(this.#selects.worker, person);
  }

  /** A happening that concerns no worker, alert or receiver does not match a filter that selects one. */
  has(happening: HappeningAt): boolean {
    return this.#hasAlert(happening) && fits(this.#selects.receiver, happening.receiver);
  }
}

const chosen = ({ value }: HTMLSelectElement): number => (value === '' ? -1 : Number(value));
const fits = (select: HTMLSelectElement, index: number): boolean =>
  select.value === '' || Number(select.value) === index;

function filled(name: string, entries: readonly (readonly [number, string])[], changed: () => void): HTMLSelectElement {
  const select = byId<HTMLSelectElement>(`filter-${name}`);
  for (const [value, text] of entries) select.append(element('option', { value: String(value) }, text));
  select.disabled = entries.length === 0;
  select.addEventListener('change', changed);
  return select;
}
