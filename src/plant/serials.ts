/** Serials of watches from the short names of their wearers. */
import { assert } from '../base/assert.ts';
import { isWatchSerial } from '../contract/watch-topics.ts';

/** Leaves room for the prefix and a number. */
const LONGEST_STEM = 48;

/** A maker of serials that never gives one twice: `SIM-ana`, and `SIM-ana.2` for a name that comes to the same. */
export function serialsOf(): (short: string) => string {
  const given = new Set<string>();
  return (short) => {
    const stem = short
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .slice(0, LONGEST_STEM);
    let serial = `SIM-${stem}`;
    for (let i = 2; given.has(serial); i++) serial = `SIM-${stem}.${i}`;
    assert(isWatchSerial(serial), () => `${serial} is no serial.`);
    given.add(serial);
    return serial;
  };
}
