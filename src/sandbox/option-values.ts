/** Values of options that the command line and the library read alike: null where a value is not what it has to be. [cli, up] */
import { dirname, resolve } from 'node:path';
import { FILE_LIMITS, foldersBeside, type ReadText, readUserText } from '../base/user-files.ts';
import type { CredentialsFile } from './world-from-plan.ts';

const isHttp = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** An origin as browsers write it: without a path, and without a default port. */
export function originOf(text: string): string | null {
  const url = isHttp(text) ? new URL(text) : null;
  return url === null || url.href !== `${url.origin}/` ? null : url.origin;
}

/** An http or https address. */
export const addressOf = (text: string): string | null => (isHttp(text) ? text : null);

/** The address of a Postgres database, with its name. */
export const databaseUrlOf = (text: string): string | null =>
  /^postgres(ql)?:\/\//i.test(text) && URL.canParse(text) && new URL(text).pathname.length > 1 ? text : null;

/** The address of a mail server: smtp: or smtps:, without a path. */
export function smtpUrlOf(text: string): URL | null {
  if (!/^smtps?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.hostname !== '' && ['', '/'].includes(url.pathname) && url.search === '' && url.hash === '' ? url : null;
}

/** A host name and the local address that stands for it, as an entry of `forwards`. */
export const forwardOf = (host: string, url: string): readonly [string, string] | null =>
  /^[A-Za-z0-9.-]+$/.test(host) && isHttp(url) ? [host.toLowerCase(), url] : null;

/** An address without what may be a password, for messages. */
export const withoutPassword = (text: string): string => text.replace(/\/\/.*@/, '//...@');

const SECRET = /^[A-Za-z0-9_]{16,}$/;
const CREDENTIAL_KEYS = ['control_token', 'clients', 'watches'];

/** The credentials, or what is wrong with them as the end of a sentence about them. */
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
