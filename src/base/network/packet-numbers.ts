/** The two bytes of a number in an MQTT packet, memoised. */
import mqttPacket from 'mqtt-packet';
// @ts-expect-error This file of the package has no types.
import untyped from 'mqtt-packet/numbers.js';

const { cache, generateNumber } = untyped as {
  readonly cache: Record<number, Buffer>;
  generateNumber(value: number): Buffer;
};

const MOST = 65_535;

let isDone = false;

/**
 * Before its first packet, mqtt-packet fills its cache with a Buffer for each possible number, which costs 7 MB and 20
 * ms at the start. This must be called before the first packet is generated. The package's own switch, `cacheNumbers`,
 * cannot be used: without the cache the package throws for the packet id of a broken broker.
 */
export function makeNumbersWhenWritten(): void {
  // The change is for the whole process. A second call would only search all cached numbers.
  if (isDone) return;
  isDone = true;
  // mqtt-packet considers a cache with one number full. A missing entry is looked up in the prototype.
  cache[0] = generateNumber(0);
  const missing = (_: object, key: string | symbol): Buffer | undefined => {
    const value = typeof key === 'string' ? Number(key) : Number.NaN;
    if (!(value >= 0 && value <= MOST)) return undefined;
    cache[value] = generateNumber(value);
    return cache[value];
  };
  Object.setPrototypeOf(cache, new Proxy({}, { get: missing }));
  mqttPacket.writeToStream.cacheNumbers = false;
  mqttPacket.writeToStream.cacheNumbers = true;
}
