/** A memory of what was judged, of bounded size: a proxy may run for weeks. */

/** Entries of each memory. The oldest are forgotten. */
const MOST_KNOWN = 100_000;

export class BoundedMap<K, V> extends Map<K, V> {
  override set(key: K, value: V): this {
    if (this.size >= MOST_KNOWN && !this.has(key)) this.delete(this.keys().next().value as K);
    return super.set(key, value);
  }
}
