/** A map of bounded size for the history of the judge, because a proxy may run for weeks. */

/** Most entries of one map. The oldest entry is evicted. */
const MOST_KNOWN = 100_000;

export class BoundedMap<K, V> extends Map<K, V> {
  override set(key: K, value: V): this {
    if (this.size >= MOST_KNOWN && !this.has(key)) this.delete(this.keys().next().value as K);
    return super.set(key, value);
  }
}
