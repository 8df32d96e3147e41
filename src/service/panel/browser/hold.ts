/** While a pointer, a finger or the focus is in a list, and for a moment after, its rows must not move under them. */
import { afterMs } from '../../../base/time/page-time.ts';

/** How long a list stays after the reader has left it; wall ms. */
const AFTER_MS = 3_000;

class ListHold {
  isHeld = false;
  readonly #list: Element;
  readonly #onRelease: () => void;
  #isHovered = false;
  #fingers = 0;
  #cancel = (): void => {};

  constructor(list: HTMLElement, onRelease: () => void) {
    this.#list = list;
    this.#onRelease = onRelease;
    // A finger also makes mouse events, but never leaves as a mouse does.
    const hover =
      (isIn: boolean) =>
      ({ pointerType }: PointerEvent): void => {
        if (pointerType !== 'touch') this.#isHovered = isIn;
        this.#look();
      };
    list.addEventListener('pointerenter', hover(true));
    list.addEventListener('pointermove', hover(true));
    list.addEventListener('pointerleave', hover(false));
    // Pointer events end when a finger begins to scroll; touch events last as long as the finger.
    for (const type of ['touchstart', 'touchend', 'touchcancel'] as const)
      list.addEventListener(
        type,
        ({ targetTouches }) => {
          this.#fingers = targetTouches.length;
          this.#look();
        },
        { passive: true },
      );
    list.addEventListener('focusin', () => this.#look());
    // The focus is elsewhere only after the event.
    list.addEventListener('focusout', () => afterMs(0, () => this.#look()));
    this.#look();
  }

  /** Ends the hold at once: the reader wants to see what is new. */
  release(): void {
    this.#cancel();
    this.isHeld = false;
    this.#onRelease();
  }

  #look(): void {
    this.#cancel();
    if (this.#isHovered || this.#fingers > 0 || this.#list.contains(document.activeElement)) this.isHeld = true;
    else if (this.isHeld) this.#cancel = afterMs(AFTER_MS, () => this.release());
  }
}

const holds = new WeakMap<Element, ListHold>();

/** The hold of a list, which calls `onRelease` when it ends. */
export function holdOf(list: HTMLElement, onRelease: () => void): ListHold {
  let hold = holds.get(list);
  if (hold === undefined) {
    hold = new ListHold(list, onRelease);
    holds.set(list, hold);
  }
  return hold;
}
