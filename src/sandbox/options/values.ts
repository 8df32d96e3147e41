/** Limits and forms of the values of options, for every entrance. Functions return null if a value is invalid. [cli, up] */
import { dirname, resolve } from 'node:path';
import { HIGHEST_PORT } from '../../base/network/standard-ports.ts';
import { isPrintable } from '../../base/text/printable.ts';
import { FILE_LIMITS, foldersBeside, type ReadText, readUserText } from '../../base/user-files.ts';
import { HIGHEST_SPEED } from '../../contract/operations/clock.ts';
import { MOST_WATCHES } from '../../plant/world-size.ts';
import type { CredentialsFile } from '../world/world-from-plan.ts';
import type { NumberRange } from './kinds.ts';

export const DEFAULT_DATA_DIR = '.sandbox';

/** Maximum number of characters of a path, an address or a word: the length of the longest path on Linux. */
export const LONGEST_TEXT = 4_096;

/** Maximum number of entries of `--forward`. */
export const MOST_FORWARDS = 1_000;

/**
 * Maximum number of entries of `--assume`, and maximum number of characters of one entry. A settings file may have many
 * long entries.
 */
export const MOST_ASSUMED = 100;
export const LONGEST_ASSUMED = 100;

/** Maximum number of characters of the name of a node. */
export const LONGEST_NODE_NAME = 40;

/** A port; 0 picks a free one. */
export const PORT: NumberRange = {
  form: /^\d{1,5}$/,
  isWhole: true,
  least: 0,
  most: HIGHEST_PORT,
  sentence: `It must be a port from 0 to ${HIGHEST_PORT}.`,
};

/** The allowed number of watches. */
export const WATCHES: NumberRange = {
  form: /^\d{1,6}$/,
  isWhole: true,
  least: 1,
  most: MOST_WATCHES,
  sentence: `It must be a whole number from 1 to ${MOST_WATCHES}.`,
};

/** The allowed speed, in simulated seconds per second. */
export const SPEED: NumberRange = {
  form: /^\d+(\.\d+)?$/,
  isWhole: false,
  above: 0,
  most: HIGHEST_SPEED,
  sentence: `It must be a number above 0 and at most ${HIGHEST_SPEED}.`,
};

/** Returns the number that the text contains; null if it is outside the range. */
export function numberIn(range: NumberRange, text: string): number | null {
  const number = Number(text);
  const isIn = (range.isWhole ? number >= range.least : number > range.above) && number <= range.most;
  return range.form.test(text) && isIn ? number : null;
}

/** Returns true for a valid name of a node: letters, digits, dots, underscores and dashes. */
export const isNodeName = (text: string): boolean =>
  text.length <= LONGEST_NODE_NAME && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text);

const isHttp = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** An origin as browsers write it: without a path, and without a default port. */
export function originOf(text: string): string | null {
  const url = isHttp(text) ? new URL(text) : null;
  return url === null || url.href !== `${url.origin}/` ? null : url.origin;
}

/** Characters of the path of a base address that need no escape in a link, a header or a command. */
const BASE_PATH = /^(?:\/[\w.~%@:+-]+)*$/;

/**
 * Returns a base address without a slash at its end. It may have a path, as behind a proxy that removes it, and neither
 * a query nor a fragment nor a user.
 */
export function baseAddressOf(text: string): string | null {
  if (!isHttp(text) || /[?#]/.test(text)) return null;
  const { origin, pathname, username, password } = new URL(text);
  const path = pathname.replace(/\/+$/, '');
  return username === '' && password === '' && BASE_PATH.test(path) ? `${origin}${path}` : null;
}

/** Returns the text if it is the address of a Postgres database, with the database name. */
export const databaseUrlOf = (text: string): string | null =>
  /^postgres(ql)?:\/\//i.test(text) && URL.canParse(text) && new URL(text).pathname.length > 1 ? text : null;

/** The address of a mail server: smtp: or smtps:, without a path. */
export function smtpUrlOf(text: string): URL | null {
  if (!/^smtps?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.hostname !== '' && ['', '/'].includes(url.pathname) && url.search === '' && url.hash === '' ? url : null;
}

/** An address to listen on. An IPv6 address may have the brackets that it has in a URL. */
export const listenHostOf = (text: string): string => /^\[([0-9a-f:.]+(?:%\w+)?)\]$/i.exec(text)?.[1] ?? text;

/** Returns true for a host name that `forwards` accepts. */
export const isHostName = (text: string): boolean => /^[A-Za-z0-9.-]+$/.test(text);

/** `HOST:PORT` or only a port, each with or without a path. A host is a name, an IPv4 address or `[IPv6]`. */
const SHORT = /^(?:(?<host>[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]):)?(?<port>\d{1,5})(?<rest>[/?].*)?$/i;
const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;

/**
 * Returns the address of a receiver with its scheme: http if there is none. A port alone means localhost. A complete
 * address is returned unchanged. For any other text, returns the reason as the end of a sentence.
 */
export function receiverAddressOf(text: string): { readonly address: string } | { readonly whyNot: string } {
  const [, scheme] = SCHEME.exec(text) ?? [];
  const { host = 'localhost', port, rest = '' } = SHORT.exec(text)?.groups ?? {};
  const address = scheme !== undefined || port === undefined ? text : `http://${host}:${port}${rest}`;
  const isAddress = /^https?:\/\/[^/]/i.test(address) && URL.canParse(address) && isPrintable(address);
  return isAddress && Number(port ?? 1) > 0 ? { address } : { whyNot: whyNoAddress(text, scheme, port) };
}

function whyNoAddress(text: string, scheme: string | undefined, port: string | undefined): string {
  if (!isPrintable(text)) return ': it has a control character';
  if (scheme !== undefined && !/^https?$/i.test(scheme)) return `: a receiver speaks http or https, not ${scheme}`;
  if (port !== undefined) return `: ${port} is not a port from 1 to ${HIGHEST_PORT}`;
  return scheme === undefined && /^[a-z0-9.-]+(\/.*)?$/i.test(text) ? ': it has no port' : '';
}

/** The forms in which the address of a receiver can be written. */
export const RECEIVER_FORMS = 'Write it as http://127.0.0.1:3000/hook, localhost:3000/hook or 3000.';

/** Returns an address without a possible password, for messages. */
export const withoutPassword = (text: string): string => text.replace(/\/\/.*@/, '//...@');

const SECRET = /^[A-Za-z0-9_]{16,}$/;
const CREDENTIAL_KEYS = ['control_token', 'clients', 'watches'];

/** Returns the credentials, or their error as the end of a sentence. */
export function credentialsOf(content: unknown): CredentialsFile | string {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return 'must be an object';
  const strange = Object.keys(content).find((key) => !CREDENTIAL_KEYS.includes(key));
  if (strange !== undefined) return `has an unknown key "${strange}"; it may have ${CREDENTIAL_KEYS.join(', ')}`;
  const { control_token: token, clients, watches } = content as Record<string, unknown>;
  const isSecret = (value: unknown) => typeof value === 'string' && SECRET.test(value);
  const isTable = (value: unknown) =>
    value === undefined || (typeof value === 'object' && value !== null && Object.values(value).every(isSecret));
  if ((token !== undefined && !isSecret(token)) || !isTable(clients) || !isTable(watches))
    return 'has a secret that is not of at least 16 characters of [A-Za-z0-9_]';
  return content as CredentialsFile;
}

/** Reads a file that a site file names: its path is relative to that file. [decisions 9, Limits of scenario files] */
export function besides(file: string): ReadText {
  const limits = { mostBytes: FILE_LIMITS.document, inside: foldersBeside(file) };
  return (name) => readUserText(resolve(dirname(file), name), limits);
}
