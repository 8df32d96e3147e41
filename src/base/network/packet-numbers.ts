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
 * Before its first packet mqtt-packet fills its cache with a Buffer for each number that there is: 7 MB, and 20 ms of a
 * start. To be called before the first packet is made. Its own switch, `cacheNumbers`, is no way out: without the cache it throws for the packet id of a broken broker.
 */
export function makeNumbersWhenWritten(): void {
  // For the whole process; once more would look through all that are made.
  if (isDone) return;
  isDone = true;
  // A cache that holds a number is taken for a full one, and a missing entry is looked up in its prototype.
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
