/** Recorded traffic: HAR files of a browser, a proxy or a test run, and folders of webhook deliveries. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { FILE_LIMITS, readMarkedText, readUserJson, readUserText, type Unread } from '../../base/user-files.ts';
import { check } from '../../contract/check.ts';
import type { Traffic } from './exchange.ts';
import { TokenHolders } from './token-holders.ts';

const Pairs = Type.Array(Type.Object({ name: Type.String(), value: Type.String() }));

/** The fields of HAR 1.2 that are read; all others are ignored. */
const Har = Type.Object({
  log: Type.Object({
    entries: Type.Array(
      Type.Object({
        startedDateTime: Type.Optional(Type.String()),
        time: Type.Optional(Type.Number()),
        request: Type.Object({
          method: Type.String(),
          url: Type.String(),
          headers: Pairs,
          postData: Type.Optional(Type.Object({ text: Type.Optional(Type.String()) })),
        }),
        response: Type.Object({
          status: Type.Number(),
          headers: Pairs,
          content: Type.Optional(
            Type.Object({ text: Type.Optional(Type.String()), encoding: Type.Optional(Type.String()) }),
          ),
        }),
      }),
    ),
  }),
});
type HarEntry = Static<typeof Har>['log']['entries'][number];

/** Recorded traffic cannot be read. `fix` is the remedy. */
export class UnreadableRecording extends Error {
  override readonly name = 'UnreadableRecording';
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}

/** Returns the traffic in chronological order. Throws `UnreadableRecording`. */
export function readRecording(path: string): Traffic[] {
  return isFolder(path) ? readFolder(path) : readHar(path);
}

/** False also if the path cannot be read; the file reader then reports the error. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const LIMITS = { mostBytes: FILE_LIMITS.traffic };

const isUnread = (read: unknown): read is Unread => typeof read === 'object' && read !== null && 'why' in read;

function fixOf({ code }: Unread): string {
  if (code === 'large') return 'Record less traffic.';
  return code === 'unreadable' || code === 'encoding' ? 'Save it as HAR with content.' : 'Check its name.';
}

/** Returns what was read of the file. Throws `UnreadableRecording`. */
function orThrow<T extends string | { readonly value: unknown }>(path: string, read: T | Unread): T {
  if (!isUnread(read)) return read;
  throw new UnreadableRecording(`${path} ${read.why}.`, fixOf(read));
}

function readHar(path: string): Traffic[] {
  const har = check(Har, orThrow(path, readUserJson(path, LIMITS)).value);
  if (!har.ok) {
    const [first] = har.errors;
    const where = first === undefined ? '' : ` ${first.pointer} ${first.detail}.`;
    throw new UnreadableRecording(`${path} is not a HAR file.${where}`, 'Save it as HAR 1.2 with content.');
  }
  const entries = [...har.value.log.entries.entries()].toSorted(([, a], [, b]) =>
    (a.startedDateTime ?? '').localeCompare(b.startedDateTime ?? ''),
  );
  const holders = isWithoutTokens(har.value.log.entries) ? null : new TokenHolders();
  return entries.flatMap(([place, entry]) => trafficOf(entry, `${path} entry ${place + 1}`, holders));
}

/** Browsers may omit all tokens from the HAR that they save. Then the HAR is the traffic of one page and one client. */
const isWithoutTokens = (entries: readonly HarEntry[]): boolean =>
  entries.every(({ request }) => headersOf(request.headers)['authorization'] === undefined) &&
  entries.filter(({ request }) => /\/v1\/oauth\/token$/.test(request.url)).length <= 1;

/** Returns an empty list if the entry is neither an API call nor a delivery. `holders` is null if no entry has a token. */
function trafficOf(
  { startedDateTime = '', time = 0, request, response }: HarEntry,
  source: string,
  holders: TokenHolders | null,
): Traffic[] {
  const sent = headersOf(request.headers);
  const from = Date.parse(startedDateTime);
  const hasTime = !Number.isNaN(from);
  if (sent['x-service-signature'] !== undefined)
    return [
      {
        kind: 'delivery',
        headers: sent,
        body: request.postData?.text ?? '',
        ...(request.postData?.text === undefined ? { isWithoutContent: true } : {}),
        source,
        ...(hasTime ? { atMs: from } : {}),
      },
    ];
  let url: URL;
  try {
    url = new URL(request.url);
  } catch {
    return [];
  }
  const begin = url.pathname.indexOf('/v1/');
  // Status 0 is a call without a response, and a 304 has no body of its own.
  if (begin < 0 || response.status < 200 || response.status === 304) return [];
  const { text, encoding } = response.content ?? {};
  const body = encoding === 'base64' ? Buffer.from(text ?? '', 'base64').toString('utf8') : (text ?? '');
  const path = url.pathname.slice(begin);
  const { authorization } = sent;
  return [
    {
      kind: 'call',
      method: request.method,
      ...(holders?.holderOf({
        method: request.method,
        path,
        authorization,
        sent: request.postData?.text ?? '',
        body,
      }) ?? { client: 'the only client' }),
      ...(holders !== null && authorization === undefined ? { isAnonymous: true } : {}),
      ...(hasTime ? { span: { from, to: from + Math.max(0, time) } } : {}),
      path,
      query: url.search.slice(1),
      status: response.status,
      headers: headersOf(response.headers),
      body,
      ...(text === undefined ? { isWithoutContent: true } : {}),
      source,
      ...(request.postData?.text === undefined ? {} : { sent: request.postData.text }),
    },
  ];
}

const headersOf = (pairs: Static<typeof Pairs>): Record<string, string> =>
  Object.fromEntries(pairs.map(({ name, value }) => [name.toLowerCase(), value]));

/**
 * Reads deliveries in the order of their names: `NAME.json` is the received body, and `NAME.headers` has its headers, one `Name:
 * value` per line.
 */
function readFolder(folder: string): Traffic[] {
  const names = readdirSync(folder).toSorted();
  const bodies = names.filter((name) => name.endsWith('.json') && names.includes(name.replace(/\.json$/, '.headers')));
  if (bodies.length === 0)
    throw new UnreadableRecording(
      `The folder ${folder} has no deliveries.`,
      'Write each body to NAME.json and its headers to NAME.headers, one "Name: value" a line.',
    );
  return bodies.map((name): Traffic => {
    const beside = join(folder, name.replace(/\.json$/, '.headers'));
    const lines = orThrow(beside, readUserText(beside, LIMITS)).split(/\r?\n/);
    const pairs = lines.flatMap((line) => {
      const [, key = '', value = ''] = /^([^:\s]+):\s*(.*?)\s*$/.exec(line) ?? [];
      return key === '' ? [] : [{ name: key, value }];
    });
    const path = join(folder, name);
    return {
      kind: 'delivery',
      headers: headersOf(pairs),
      body: orThrow(path, readMarkedText(path, LIMITS)),
      source: path,
    };
  });
}
