/** The people on the plan at the displayed instant, and their names. */
import { type Box, overlap } from '../../../../base/geometry/boxes.ts';
import { statusWord } from '../person-status.ts';
import type { PersonAt } from '../run-at.ts';

/** With more people on a plan, only people in need and the selected person have a name. */
const MOST_NAMES = 16;

interface PersonFigure {
  readonly node: SVGGElement;
  readonly svg: SVGSVGElement;
  readonly use: SVGUseElement;
  readonly label: SVGTextElement;
  readonly title: SVGTitleElement;
  readonly scale: readonly [left: number, top: number, scale: number];
  person: PersonAt | null;
  x: number;
  y: number;
}

export class PlanView {
  readonly #figures: readonly PersonFigure[];
  readonly #truths: readonly SVGGElement[];
  readonly #svgs: readonly SVGSVGElement[];

  /** `choose`: called with a person who is clicked; the filter does the same by keyboard. */
  constructor(choose: (person: number) => void) {
    this.#svgs = [...document.querySelectorAll<SVGSVGElement>('svg.plant')];
    this.#figures = [...document.querySelectorAll<SVGGElement>('.plant .person[data-person]')].map(figureOf);
    this.#truths = [...document.querySelectorAll<SVGGElement>('.plant [data-truth]')];
    for (const { node } of this.#figures) node.addEventListener('click', () => choose(Number(node.dataset['person'])));
    addEventListener('resize', () => this.#placeNames(-1));
  }

  /** `chosen`: the index of the worker in the filter; -1: none. */
  show(people: readonly PersonAt[], chosen: number): void {
    for (const figure of this.#figures) draw(figure, people[Number(figure.node.dataset['person'])] ?? null, chosen);
    for (const node of this.#truths) {
      const truth = people[Number(node.dataset['truth'])]?.truth ?? null;
      node.classList.toggle('unseen-person', truth === null);
      if (truth !== null) moveTo(node, ...placed(scaleOf(node.ownerSVGElement as SVGSVGElement), truth));
    }
    for (const svg of this.#svgs) {
      const here = this.#figures.filter((figure) => figure.svg === svg);
      const shown = here.filter(({ person }) => person?.at != null).length;
      const words = svg.closest('figure')?.querySelector('.shown');
      if (words != null)
        words.textContent = shown === here.length ? '' : `; ${here.length - shown} without a shown position`;
    }
    this.#placeNames(chosen);
  }

  /** Places each name where it covers no other text, those of people in need first. */
  #placeNames(chosen: number): void {
    for (const svg of this.#svgs) {
      const here = this.#figures.filter((figure) => figure.svg === svg && figure.person?.at != null);
      const isCrowded = here.length > MOST_NAMES;
      const taken = [...svg.querySelectorAll<SVGTextElement>('text.zone')].filter(isDrawn).map(boxOf);
      const scale = svg.getScreenCTM()?.a ?? 1;
      const shapes = here.map((figure) => {
        const half = figure.use.getBoundingClientRect().width / 2 / scale;
        return { figure, box: { x: figure.x - half, y: figure.y - half, width: 2 * half, height: 2 * half } };
      });
      const sorted = here.toSorted((a, b) => urgency(b, chosen) - urgency(a, chosen));
      for (const figure of sorted) {
        const isNamed = !isCrowded || urgency(figure, chosen) >= IN_NEED;
        const others = shapes.filter((other) => other.figure !== figure).map(({ box }) => box);
        const isPlaced = isNamed && placeName(figure, svg, taken, others);
        figure.label.style.display = isPlaced ? '' : 'none';
      }
    }
  }
}

const IN_NEED = 2;
const urgency = ({ person }: PersonFigure, chosen: number): number => {
  if (person?.index === chosen) return 3;
  if (person?.rescue === true || person?.status === 'alert') return IN_NEED;
  return person?.status === 'calm' || person?.status === 'safe' ? 0 : 1;
};

function figureOf(node: SVGGElement): PersonFigure {
  const svg = node.ownerSVGElement as SVGSVGElement;
  const [use, label, title] = ['use', 'text', 'title'].map((name) => node.querySelector(name));
  return {
    node,
    svg,
    use: use as SVGUseElement,
    label: label as SVGTextElement,
    title: title as SVGTitleElement,
    scale: scaleOf(svg),
    person: null,
    x: 0,
    y: 0,
  };
}

const scaleOf = ({ dataset }: SVGSVGElement): [number, number, number] => [
  Number(dataset['left']),
  Number(dataset['top']),
  Number(dataset['scale']),
];

const placed = ([left, top, scale]: PersonFigure['scale'], [x, y]: readonly [number, number]): [number, number] => [
  left + x * scale,
  top - y * scale,
];

const moveTo = (node: SVGGElement, x: number, y: number): void =>
  node.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`);

function draw(figure: PersonFigure, person: PersonAt | null, chosen: number): void {
  const { node, use, title, scale } = figure;
  const before = figure.person;
  figure.person = person;
  const isShown = person?.at != null;
  if (isShown) {
    [figure.x, figure.y] = placed(scale, person.at);
    moveTo(node, figure.x, figure.y);
  }
  const isDim = chosen >= 0 && person?.index !== chosen;
  const status = person?.status ?? 'calm';
  const classes = `person ${status}${isShown ? '' : ' unseen-person'}${isDim ? ' faded' : ''}${person?.masked ? ' masked' : ''}`;
  if (node.getAttribute('class') !== classes) node.setAttribute('class', classes);
  if (person === null || (before !== null && before.status === person.status && before.masked === person.masked))
    return;
  use.setAttribute('href', `#is-${status}`);
  title.textContent = `${person.who}: ${statusWord(person)}`;
}

const isDrawn = (text: SVGTextElement): boolean => getComputedStyle(text).display !== 'none';

function boxOf(text: SVGTextElement): Box {
  const { x, y, width, height } = text.getBBox();
  return { x, y, width, height };
}

/** Returns false if there is no space for the name. */
function placeName({ label, x, y }: PersonFigure, svg: SVGSVGElement, taken: Box[], others: readonly Box[]): boolean {
  label.style.display = '';
  const font = Number.parseFloat(getComputedStyle(label).fontSize);
  const wide = label.getComputedTextLength();
  const { width, height } = svg.viewBox.baseVal;
  const far = font * 0.85;
  const places: readonly (readonly [dx: number, dy: number])[] = [
    [far, font * 0.35],
    [-far - wide, font * 0.35],
    [-wide / 2, -far],
    [-wide / 2, far + font * 0.75],
  ];
  for (const [dx, dy] of places) {
    const box = { x: x + dx - 2, y: y + dy - font * 0.85, width: wide + 4, height: font * 1.15 };
    const isInside = box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y + box.height <= height;
    if (!isInside || [...taken, ...others].some((other) => overlap(box, other))) continue;
    taken.push(box);
    label.setAttribute('x', String(dx));
    label.setAttribute('y', String(dy));
    return true;
  }
  return false;
}
