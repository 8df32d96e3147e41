/** The regions of a page follow the state: after each change, a region is as if it were drawn anew. */
import { peopleList } from '../regions/people.ts';
import { type Region, type RegionSubject, regionView } from '../regions/regions.ts';
import { ageText, type PanelLook, type PanelScene, sceneOf } from '../regions/scene.ts';
import { LivingMap } from './map.ts';
import { morphInside } from './morph.ts';
import { updatePeople } from './table.ts';

export class LiveRegions {
  readonly #maps = new WeakMap<Element, LivingMap>();
  /** The last drawing of each region, so that an unchanged one is not drawn again. */
  readonly #texts = new WeakMap<Element, string>();

  /** `isHeld`: true for a list whose rows stay where they are. */
  draw(
    element: Element,
    region: Region,
    look: PanelLook,
    about: RegionSubject,
    isHeld: (list: HTMLElement) => boolean = () => false,
  ): void {
    const scene = about.site === undefined ? null : sceneOf(look, about.site);
    const map = element.querySelector('[data-map]');
    if (scene !== null && map !== null && region === 'map') return this.#drawMap(map, scene, about.worker ?? null);
    const list = region === 'people' ? element.querySelector<HTMLElement>('[data-hold]') : null;
    if (scene !== null && list !== null) {
      const held = isHeld(list);
      if (look.reader.by === 'person' && list.querySelector('table') !== null) {
        this.#texts.delete(element);
        return updatePeople(element, peopleList(scene), held);
      }
      if (held) return;
    }
    const { text } = regionView(region, look, about);
    if (this.#texts.get(element) === text) return;
    this.#texts.set(element, text);
    morphInside(element, text);
  }

  #drawMap(box: Element, scene: PanelScene, chosen: string | null): void {
    let map = this.#maps.get(box);
    if (map === undefined) {
      map = new LivingMap(box, scene, chosen);
      this.#maps.set(box, map);
    }
    map.draw(scene, chosen);
  }
}

/** Ages grow without a change of the state. `now`: simulated ms. */
export function drawAges(now: number): void {
  for (const age of document.querySelectorAll<HTMLElement>('[data-since]')) {
    const text = ageText(now - Number(age.dataset['since']));
    if (age.textContent !== text) age.textContent = text;
  }
}
