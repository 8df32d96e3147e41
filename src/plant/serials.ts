/** Derives the serials of watches from the short names of their wearers. */
import { assert } from '../base/assert.ts';
import { isWatchSerial } from '../contract/watch-topics.ts';

/** The longest part from the name, with room for the prefix and a number. */
const LONGEST_STEM = 48;

/** Returns a function that makes unique serials: `SIM-ana`, and `SIM-ana.2` for another name with the same result. */
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
