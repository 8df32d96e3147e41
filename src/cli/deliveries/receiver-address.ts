/** Reads the address of a receiver as a user writes it: a whole address, `localhost:3210`, or a bare port. [cli, listen] */
import { RECEIVER_FORMS, receiverAddressOf } from '../../sandbox/options/values.ts';
import { usage } from '../output.ts';

/**
 * Returns the address with its scheme. Without a scheme, it is http. A bare port is a port of localhost. A complete
 * address is returned as written. Throws a usage error that begins with `what`, the flag or the noun.
 */
export function receiverAddress(what: string, text: string): string {
  const read = receiverAddressOf(text);
  if ('address' in read) return read.address;
  throw usage(`${what} ${text} is not an address${read.whyNot}.`, RECEIVER_FORMS);
}

/** Returns the entry `NAME=ADDRESS` of a flag with the complete address. Throws a usage error. */
export function namedAddress(flag: string, entry: string): string {
  const equals = entry.indexOf('=');
  if (equals < 1)
    throw usage(
      `${flag} ${entry} is not of the form NAME=ADDRESS.`,
      `Write it as: ${flag} erp=http://127.0.0.1:3000/hook`,
    );
  return `${entry.slice(0, equals)}=${receiverAddress(`${flag} ${entry.slice(0, equals)}:`, entry.slice(equals + 1))}`;
}
