/** Texts on a drawing: none may cover another. */
import { type Box, overlap } from '../../base/geometry/boxes.ts';
import type { Point } from '../../base/geometry/shapes.ts';

/** Average width of a character of a sans serif font, rounded up; em. */
const CHARACTER_EM = 0.6;

const LINE_EM = 1.2;

/** The box of a text whose top centre is `at`. */
export function textBox(text: string, [x, y]: Point, font: number): Box {
  const width = text.length * font * CHARACTER_EM;
  return { x: x - width / 2, y, width, height: font * LINE_EM };
}

/** Where texts may still stand. */
export class FreeRoom {
  readonly #taken: Box[];

  constructor(taken: readonly Box[] = []) {
    this.#taken = [...taken];
  }

  get taken(): readonly Box[] {
    return this.#taken;
  }

  isFree(box: Box): boolean {
    return !this.#taken.some((other) => overlap(box, other));
  }

  /** Takes the place, also if something else stands there. */
  add(box: Box): void {
    this.#taken.push(box);
  }

  /** False: something else stands there. */
  take(box: Box): boolean {
    if (!this.isFree(box)) return false;
    this.#taken.push(box);
    return true;
  }
}
