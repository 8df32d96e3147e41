/** The interactive map: dots and marks follow the stream; wheel, drag and keys pan and zoom. */
import type { Box } from '../../base/geometry/boxes.ts';
import { mapGroundOf } from '../regions/ground.ts';
import { legendItems, mapLabel } from '../regions/map.ts';
import { dotsOf, type MapMark, marksOf, withNames } from '../regions/marks.ts';
import type { PanelScene } from '../regions/scene.ts';
import { firstOf, scaleOf, viewBoxOf, wholeOf } from '../regions/window.ts';
import { morphInside, morphKeyed } from './morph.ts';

interface MapState {
  window: Box;
  /** CSS pixels. The size is read only on resize, because reading it forces a layout. */
  size: readonly [width: number, height: number];
  /** The last drawing, so that an unchanged part is not drawn again. */
  ground: string;
  legend: string;
  layer: string;
  dots: Readonly<Record<string, string>>;
}

const MOST_ZOOM = 20;
const STEP = 1.5;

export class LivingMap {
  readonly #box: Element;
  readonly #svg: SVGSVGElement;
  #chosen: string | null;
  #scene: PanelScene | null = null;
  #marks: readonly MapMark[] = [];
  readonly #seen: MapState;

  constructor(box: Element, scene: PanelScene, chosen: string | null) {
    this.#box = box;
    this.#chosen = chosen;
    this.#svg = box.querySelector('svg') as SVGSVGElement;
    this.#seen = {
      window: firstOf(scene.site),
      size: [this.#svg.clientWidth, this.#svg.clientHeight],
      ground: '',
      legend: '',
      layer: '',
      dots: {},
    };
    new ResizeObserver(([entry]) => {
      if (entry === undefined) return;
      this.#seen.size = [entry.contentRect.width, entry.contentRect.height];
      if (this.#scene !== null) this.draw(this.#scene);
    }).observe(this.#svg);
    const zoom = box.querySelector<HTMLElement>('.zoom');
    if (zoom !== null) {
      zoom.hidden = false;
      this.#listen(box as HTMLElement, zoom);
    }
  }

  /**
   * `chosen`: the id of a person who is marked regardless of the status; null: nobody. All of the map follows from the scene, as the
   * names of places leave marks free.
   */
  draw(scene: PanelScene, chosen = this.#chosen): void {
    this.#scene = scene;
    this.#chosen = chosen;
    const { window, size } = this.#seen;
    const metresPerPx = scaleOf(window, ...size);
    this.#svg.setAttribute('font-size', String(10 * metresPerPx));
    this.#svg.setAttribute('aria-label', mapLabel(scene));
    const { view, names, taken, coverable } = mapGroundOf(scene, window, metresPerPx, this.#box.matches('.large'));
    this.#drawPart('ground', view.text);
    const legend = legendItems(scene, this.#svg.querySelector('.pin') !== null, chosen);
    this.#drawPart('legend', legend.text);
    if (scene.layer !== undefined) this.#drawPart('layer', scene.layer(scene.site).text);
    const dots = dotsOf(scene, chosen, metresPerPx);
    for (const [status, path] of Object.entries(dots))
      if (this.#seen.dots[status] !== path) this.#svg.querySelector(`.dots.${status}`)?.setAttribute('d', path);
    this.#seen.dots = dots;
    this.#drawMarks(withNames(marksOf(scene, { window, metresPerPx, taken, coverable, chosen }), names));
  }

  #drawPart(name: 'ground' | 'legend' | 'layer', text: string): void {
    const part = this.#box.querySelector(`.${name}`);
    if (part === null || this.#seen[name] === text) return;
    this.#seen[name] = text;
    morphInside(part, text);
  }

  #drawMarks(marks: readonly MapMark[]): void {
    const group = this.#svg.querySelector('.marks') as Element;
    const before = new Map(this.#marks.map((mark) => [mark.key, mark]));
    const isDrawn = (mark: MapMark): boolean => before.get(mark.key)?.identity === mark.identity;
    const elements = morphKeyed(
      group,
      marks.map((mark) => ({ key: mark.key, text: isDrawn(mark) ? null : mark.view().text })),
    );
    for (const [place, mark] of marks.entries()) {
      const { x, y } = before.get(mark.key) ?? mark;
      if (!isDrawn(mark) || (x === mark.x && y === mark.y)) continue;
      for (const text of elements[place]?.querySelectorAll('text') ?? []) {
        text.setAttribute('x', String(mark.x));
        text.setAttribute('y', String(mark.y));
      }
    }
    this.#marks = marks;
  }

  #look(window: Box): void {
    if (this.#scene === null) return;
    const whole = wholeOf(this.#scene.site);
    const { width: w, height: h } = firstOf(this.#scene.site);
    const most = Math.max(w, whole.width, (whole.height * w) / h);
    const width = Math.min(most, Math.max(w / MOST_ZOOM, window.width));
    const height = (width * h) / w;
    const within = (value: number, least: number, room: number): number =>
      Math.min(least + Math.max(0, room), Math.max(least, value));
    this.#seen.window = {
      x: within(window.x, whole.x, whole.width - width),
      y: within(window.y, whole.y, whole.height - height),
      width,
      height,
    };
    this.#svg.setAttribute('viewBox', viewBoxOf(this.#seen.window));
    this.draw(this.#scene);
  }

  /** `fx`, `fy`: the fixed point, as fractions of the window. */
  #zoom(by: number, fx = 0.5, fy = 0.5): void {
    const { x, y, width, height } = this.#seen.window;
    const next = { width: width / by, height: height / by };
    this.#look({ x: x + (width - next.width) * fx, y: y + (height - next.height) * fy, ...next });
  }

  #move(dx: number, dy: number): void {
    const { x, y, width, height } = this.#seen.window;
    this.#look({ x: x + dx * width, y: y + dy * height, width, height });
  }

  #all(): void {
    if (this.#scene !== null) this.#look(firstOf(this.#scene.site));
  }

  readonly #keys: Readonly<Record<string, () => void>> = {
    '+': () => this.#zoom(STEP),
    '=': () => this.#zoom(STEP),
    '-': () => this.#zoom(1 / STEP),
    '0': () => this.#all(),
    Escape: () => this.#all(),
    ArrowLeft: () => this.#move(-0.15, 0),
    ArrowRight: () => this.#move(0.15, 0),
    ArrowUp: () => this.#move(0, -0.15),
    ArrowDown: () => this.#move(0, 0.15),
  };

  #listen(box: HTMLElement, zoom: HTMLElement): void {
    zoom.addEventListener('click', ({ target }) => {
      const way = (target as Element).closest('[data-zoom]')?.getAttribute('data-zoom');
      if (way === 'in') this.#zoom(STEP);
      else if (way === 'out') this.#zoom(1 / STEP);
      else if (way === 'all') this.#all();
    });
    box.addEventListener('keydown', (event) => {
      const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : this.#keys[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    });
    box.addEventListener(
      'wheel',
      (event) => {
        // Without a modifier key, the wheel scrolls the page.
        if (!event.ctrlKey && !event.shiftKey) return;
        event.preventDefault();
        const { left, top, width, height } = this.#svg.getBoundingClientRect();
        const by = event.deltaY + event.deltaX < 0 ? 1.25 : 0.8;
        this.#zoom(by, (event.clientX - left) / width, (event.clientY - top) / height);
      },
      { passive: false },
    );
    this.#drag(box);
  }

  #drag(box: HTMLElement): void {
    let from: { x: number; y: number } | null = null;
    box.addEventListener('pointerdown', (event) => {
      const { window } = this.#seen;
      const isWhole = this.#scene === null || window.width > wholeOf(this.#scene.site).width;
      if (event.button !== 0 || isWhole || (event.target as Element).closest('a,button') !== null) return;
      from = { x: event.clientX, y: event.clientY };
      box.setPointerCapture(event.pointerId);
      box.classList.add('panning');
    });
    box.addEventListener('pointermove', (event) => {
      if (from === null) return;
      const { width, height } = this.#svg.getBoundingClientRect();
      this.#move((from.x - event.clientX) / width, (from.y - event.clientY) / height);
      from = { x: event.clientX, y: event.clientY };
    });
    const end = (): void => {
      from = null;
      box.classList.remove('panning');
    };
    box.addEventListener('pointerup', end);
    box.addEventListener('pointercancel', end);
  }
}
