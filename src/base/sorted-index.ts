/** Values in the order of a string key, found by binary search. */

/** Values in ascending order of a string key. Most are appended at the end. */
export class SortedIndex<T> {
  readonly #keys: string[] = [];
  readonly #values: T[] = [];
  #version = 0;

  /** Changes with each write. A cache that is derived from the values compares it. */
  get version(): number {
    return this.#version;
  }

  get length(): number {
    return this.#values.length;
  }

  at(index: number): T | undefined {
    return this.#values[index];
  }

  /** The first position whose key is not below the given one. */
  lowerBound(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    if (high > 0 && (this.#keys[high - 1] as string) < key) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#keys[middle] as string) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  set(key: string, value: T): void {
    this.#version += 1;
    const place = this.lowerBound(key);
    if (this.#keys[place] === key) this.#values[place] = value;
    else {
      this.#keys.splice(place, 0, key);
      this.#values.splice(place, 0, value);
    }
  }

  delete(key: string): void {
    const place = this.lowerBound(key);
    if (this.#keys[place] !== key) return;
    this.#version += 1;
    this.#keys.splice(place, 1);
    this.#values.splice(place, 1);
  }

  values(): readonly T[] {
    return this.#values;
  }
}

/** A key of fixed width: its code-unit order is the order of time, then of id. */
export const timeKey = (at: number, id: string): string => `${String(at).padStart(15, '0')}/${id}`;
