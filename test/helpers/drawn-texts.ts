/** What can be wrong with the texts of drawings in a browser: too small, pale, or over each other. */

export interface Texts {
  /** Two texts each. */
  readonly overlaps: readonly string[];
  /** Smaller than 10 pixels. */
  readonly tiny: readonly string[];
  /** Of a contrast below 4.5:1. */
  readonly pale: readonly string[];
}

/** In the page: what is wrong with the texts of the drawings that are seen. */
export const TEXTS = `(() => {
  const [overlaps, tiny, pale] = [[], [], []];
  const luminance = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map(Number).map((one) =>
      one / 255 <= 0.03928 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [a, b] = [luminance(one), luminance(other)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  const groundOf = (element) => {
    const { backgroundColor } = getComputedStyle(element);
    return backgroundColor === 'rgba(0, 0, 0, 0)' && element.parentElement ? groundOf(element.parentElement) : backgroundColor;
  };
  for (const svg of document.querySelectorAll('svg')) {
    const texts = [...svg.querySelectorAll('text')].filter((text) => text.getClientRects().length > 0);
    const boxes = texts.map((text) => ({ text, box: text.getBoundingClientRect() }));
    for (const [at, { text, box }] of boxes.entries()) {
      const style = getComputedStyle(text), words = text.textContent;
      if (parseFloat(style.fontSize) * svg.getScreenCTM().a < 10) tiny.push(words);
      const within = text.classList.contains('within') ? getComputedStyle(text.previousElementSibling).fill : null;
      const ground = within ?? groundOf(svg);
      if (contrast(style.fill, ground) < 4.5) pale.push(words + ': ' + style.fill + ' on ' + ground);
      for (const other of boxes.slice(at + 1)) {
        const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const high = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (wide > 1 && high > 2) overlaps.push(words + ' / ' + other.text.textContent);
      }
    }
  }
  return { overlaps, tiny, pale };
})()`;
