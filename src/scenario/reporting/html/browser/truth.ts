/** Ground truth as a table: the name and the real place of each person at the displayed instant. */
import { placeOf } from '../../../../watching/state/places.ts';
import { truePlaceAt } from '../../seen/truth.ts';
import type { RunAt } from '../run-at.ts';
import { element } from './elements.ts';

export class TruthTable {
  readonly #run: RunAt;
  readonly #box = document.getElementById('truth');
  #t = 0;

  constructor(run: RunAt) {
    this.#run = run;
    this.#box?.closest('details')?.addEventListener('toggle', () => this.show(this.#t));
  }

  show(t: number): void {
    this.#t = t;
    const { truth, people } = this.#run.run;
    if (truth === null || this.#box === null || this.#box.closest('details')?.open !== true) return;
    const { sites, workers } = this.#run.world(t);
    const rows = truth.people.map(({ workerId, name, track }) => {
      const who = people.find((one) => one.workerId === workerId)?.who ?? '';
      const at = truePlaceAt(track, t);
      const site = sites.get(workers.get(workerId)?.site_id ?? '');
      const place = at === null || site === undefined ? 'unknown' : placeOf(site, { location: { ...UNSEEN, ...at } });
      const cells = [name ?? '', place ?? '', at === null ? '' : `${at.latitude}, ${at.longitude}`];
      return element('tr', {}, element('th', { scope: 'row' }, who), ...cells.map((text) => element('td', {}, text)));
    });
    const head = ['worker', 'name', 'place', 'latitude, longitude'].map((word) => element('th', {}, word));
    this.#box.replaceChildren(
      element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...rows)),
    );
  }
}

/** What a real place has nothing of. */
const UNSEEN = { uncertainty_m: null, source: 'zone', masked: false, position_date_utc: '', height: null } as const;
