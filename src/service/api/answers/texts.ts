/** Memoised JSON of documents. The object is the key, because documents are replaced and never edited. */
import type { Viewer } from '../../domain/access/viewer.ts';

/** Default maximum of memoised documents per kind, so that reading a long list does not keep all of it in memory. */
const MOST = 20_000;

/** Key of what the contract of a viewer shows: names and contractors. */
export const lookOf = ({ names, contractors }: Viewer): string =>
  `${names ? 'n' : '-'}${contractors === null ? '*' : contractors.join('\n')}`;

export class Texts<K extends object> {
  readonly #texts = new Map<K, Map<string, Buffer>>();
  readonly #most: number;

  constructor(most = MOST) {
    this.#most = most;
  }

  /** The text of `thing` for viewers with the key `look`. The first call makes it. */
  of(thing: K, look: string, make: () => string): Buffer {
    let looks = this.#texts.get(thing);
    if (looks === undefined) {
      looks = new Map();
      this.#texts.set(thing, looks);
      if (this.#texts.size > this.#most) this.#texts.delete(this.#texts.keys().next().value as K);
    }
    let text = looks.get(look);
    if (text === undefined) {
      text = Buffer.from(make());
      looks.set(look, text);
    }
    return text;
  }
}
