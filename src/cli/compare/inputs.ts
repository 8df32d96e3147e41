/** What `sandbox compare` and `sandbox proxy` are given: the client of a service, its address, and JSON files. [cli] */
import { type Static, Type } from 'typebox';
import { FILE_LIMITS, readUserText } from '../../base/user-files.ts';
import { check } from '../../contract/check.ts';
import { usage } from '../output.ts';

const ClientFile = Type.Object({
  client_id: Type.String({ minLength: 1 }),
  client_secret: Type.String({ minLength: 1 }),
});

/** Throws a usage error. */
export function clientOf(path: string): Static<typeof ClientFile> {
  const read = check(ClientFile, jsonFile(path));
  if (read.ok) return read.value;
  throw usage(`${path} is no client. Write {"client_id": "...", "client_secret": "..."}.`);
}

/** Throws a usage error. */
export function jsonFile(path: string): unknown {
  const text = readUserText(path, { mostBytes: FILE_LIMITS.credentials });
  if (typeof text !== 'string') throw usage(`${path} ${text?.why ?? 'is missing'}.`);
  try {
    return JSON.parse(text);
  } catch {
    throw usage(`${path} is not JSON.`);
  }
}

/** Without a slash at its end. Throws a usage error. */
export function serviceAddress(to: string): string {
  if (/^https?:\/\/[^\s/]+/.test(to) && URL.canParse(to)) return to.replace(/\/+$/, '');
  throw usage(`${to} is no address. Write https://api.example.com.`);
}
