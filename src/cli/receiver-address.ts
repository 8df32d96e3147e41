/** Reads the address of a receiver as a user writes it: a whole address, `localhost:3210`, or a bare port. [cli, listen] */
import { usage } from './output.ts';

/** `HOST:PORT` or a bare port, each with a path or without. A host is a name, an IPv4 address or `[IPv6]`. */
const SHORT = /^(?:(?<host>[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]):)?(?<port>\d{1,5})(?<rest>[/?].*)?$/i;
const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;

/**
 * The address with its scheme, which is http where none is written; a bare port is one of localhost. A whole address is
 * returned as it was written. Throws a usage error that begins with `what`, the flag or the noun.
 */
export function receiverAddress(what: string, text: string): string {
  const [, scheme] = SCHEME.exec(text) ?? [];
  const { host = 'localhost', port, rest = '' } = SHORT.exec(text)?.groups ?? {};
  const address = scheme !== undefined || port === undefined ? text : `http://${host}:${port}${rest}`;
  const isHttp = /^https?:\/\/[^/]/i.test(address) && URL.canParse(address);
  if (isHttp && Number(port ?? 1) > 0) return address;
  throw usage(
    `${what} ${text} is not an address${whyNot(text, scheme, port)}.`,
    'Write it as http://127.0.0.1:3000/hook, localhost:3000/hook or 3000.',
  );
}

function whyNot(text: string, scheme: string | undefined, port: string | undefined): string {
  if (scheme !== undefined && !/^https?$/i.test(scheme)) return `: a receiver speaks http or https, not ${scheme}`;
  if (port !== undefined) return `: ${port} is not a port from 1 to 65535`;
  return scheme === undefined && /^[a-z0-9.-]+(\/.*)?$/i.test(text) ? ': it has no port' : '';
}

/** The entry `NAME=ADDRESS` of a flag with the address that is meant. Throws a usage error. */
export function namedAddress(flag: string, entry: string): string {
  const equals = entry.indexOf('=');
  if (equals < 1)
    throw usage(
      `${flag} ${entry} is not of the form NAME=ADDRESS.`,
      `Write it as: ${flag} erp=http://127.0.0.1:3000/hook`,
    );
  return `${entry.slice(0, equals)}=${receiverAddress(`${flag} ${entry.slice(0, equals)}:`, entry.slice(equals + 1))}`;
}
