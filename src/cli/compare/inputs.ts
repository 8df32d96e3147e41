/** The inputs of `sandbox compare` and `sandbox proxy`: the client of a service, its address, and JSON files. [cli] */

import { dirname } from 'node:path';
import { type Static, Type } from 'typebox';
import { CLI } from '../../base/text/command-form.ts';
import { shellWord } from '../../base/text/printable.ts';
import { FILE_LIMITS, readUserJson } from '../../base/user-files.ts';
import { check } from '../../contract/check.ts';
import { isMap } from '../../contract/schema.ts';
import { usage } from '../output.ts';

const ClientFile = Type.Object({
  client_id: Type.String({ minLength: 1 }),
  client_secret: Type.String({ minLength: 1 }),
});

/** Reads the client from a JSON file. Throws a usage error. */
export function clientOf(path: string): Static<typeof ClientFile> {
  const read = check(ClientFile, jsonFile(path));
  if (read.ok) return read.value;
  throw usage(`${path} does not contain a client. Write {"client_id": "...", "client_secret": "..."}.`);
}

function jsonFile(path: string): unknown {
  const read = readUserJson(path, { mostBytes: FILE_LIMITS.credentials });
  if ('value' in read) return read.value;
  throw usage(`${path} ${read.why}.`);
}

/** Returns the address without a trailing slash. Throws a usage error. */
export function serviceAddress(to: string): string {
  if (/^https?:\/\/[^\s/]+/.test(to) && URL.canParse(to)) return to.replace(/\/+$/, '');
  throw usage(`${to} is not an address. Write https://api.example.com.`);
}

/** Returns the keys of the differences in a `report.json` or `--json` of `compare`, or in the last line of `proxy --json`. Throws a usage error. */
export function baselineKeys(path: string): Set<string> {
  const value = jsonFile(path);
  const data = isMap(value) ? value['data'] : undefined;
  if (!isMap(data) || !Array.isArray(data['deviations']))
    throw usage(
      `${path} is not a report. Write one with: ${CLI} compare ... --report json --out ${shellWord(dirname(path))}`,
    );
  const keys = [data['deviations'], data['checks'], data['open_points']]
    .flat()
    .map((one) => (isMap(one) ? one['key'] : undefined));
  return new Set(keys.filter((key) => typeof key === 'string'));
}
