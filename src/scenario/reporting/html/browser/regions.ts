/** The regions of the panel at the displayed instant, for a reader who may filter them. */

import { type Region, triggersOf } from '../../../../watching/regions/regions.ts';
import type { PanelLook, PanelReader } from '../../../../watching/regions/scene.ts';
import { drawAges, LiveRegions } from '../../../../watching/updates/regions.ts';
import { lookAt, READER, siteTitle, subjectOf } from '../regions-view.ts';
import type { RunAt } from '../run-at.ts';
import { setText } from './elements.ts';

export class Regions {
  readonly #run: RunAt;
  readonly #changed: () => void;
  readonly #sites = [...document.querySelectorAll<HTMLElement>('[data-at]')];
  readonly #regions = new LiveRegions();
  #reader: PanelReader = READER;
  #last: { readonly look: PanelLook; readonly chosen: string | null } | null = null;

  /** `changed`: called when the reader asks for other lists. */
  constructor(run: RunAt, changed: () => void) {
    this.#run = run;
    this.#changed = changed;
    const box = document.getElementById('regions');
    box?.addEventListener('input', ({ target }) => {
      if (target instanceof HTMLInputElement && target.dataset['filter'] !== undefined)
        this.#ask({ filter: target.value });
    });
    box?.addEventListener('submit', (event) => event.preventDefault());
    box?.addEventListener('click', (event) => {
      // The links of a list lead to the same page with a query: here the list is drawn anew.
      const link = event.target instanceof Element ? event.target.closest('a[href^="?"]') : null;
      if (link === null) return;
      event.preventDefault();
      const query = new URLSearchParams(link.getAttribute('href') ?? '');
      const by = query.get('by') === 'place' ? 'place' : 'person';
      this.#ask(link.matches('[data-more]') ? { all: true } : { by });
    });
  }

  #ask(other: Partial<PanelReader>): void {
    this.#reader = { ...this.#reader, ...other };
    this.#changed();
  }

  /** `chosen`: the id of a worker who is marked; null: nobody. */
  show(t: number, chosen: string | null): void {
    const world = this.#run.world(t);
    const look = lookAt(world, { startMs: this.#run.startMs, t, truth: this.#run.run.truth }, this.#reader);
    const last = this.#last?.look;
    const isSame = last?.world === world && last.reader === look.reader && this.#last?.chosen === chosen;
    this.#last = { look, chosen };
    for (const site of this.#sites) {
      const id = site.dataset['at'] ?? '';
      setText(site.querySelector('h3') as Element, siteTitle(world, id));
      for (const element of site.querySelectorAll<HTMLElement>('[data-region]')) {
        const region = element.dataset['region'] as Region;
        // Between two changes only what counts seconds differs, and where people really are.
        const isTimed = region === 'map' || triggersOf(region).includes('second');
        if (isSame && !isTimed) continue;
        const about = subjectOf(region, world, id);
        const marked = region === 'map' && chosen !== null ? { ...about, worker: chosen } : about;
        this.#regions.draw(element, region, look, marked);
      }
    }
    drawAges(look.now);
  }
}
