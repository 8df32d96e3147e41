/** Whole numbers as text, in base 64 with variable length: small ones, which are most of a track, have one or two characters. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const VALUES = new Map([...DIGITS].map((digit, value) => [digit.charCodeAt(0), value]));

/** Each digit has five bits of the number; 32 or more means that another digit follows. */
const BASE = 32;

/** `value`: 0 or more, at most 2^53. */
export function natural(value: number): string {
  let text = '';
  let rest = value;
  while (rest >= BASE) {
    text += DIGITS[BASE + (rest % BASE)];
    rest = Math.floor(rest / BASE);
  }
  return text + DIGITS[rest];
}

/** Even numbers are those from 0 up, odd ones those below it. */
export const signed = (value: number): string => natural(value < 0 ? -2 * value - 1 : 2 * value);

export class NumberReader {
  readonly #text: string;
  #place = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#place >= this.#text.length;
  }

  natural(): number {
    let value = 0;
    let weight = 1;
    for (;;) {
      const digit = VALUES.get(this.#text.charCodeAt(this.#place++)) ?? 0;
      value += (digit % BASE) * weight;
      if (digit < BASE) return value;
      weight *= BASE;
    }
  }

  signed(): number {
    const value = this.natural();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
