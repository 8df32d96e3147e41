/** Recorded traffic: HAR files of a browser, a proxy or a test run, and folders of webhook deliveries. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { FILE_LIMITS, readUserText } from '../base/user-files.ts';
import { check } from '../contract/check.ts';
import type { Traffic } from './exchange.ts';
import { TokenHolders } from './token-holders.ts';

const Pairs = Type.Array(Type.Object({ name: Type.String(), value: Type.String() }));

/** What is read of a HAR 1.2; everything else is ignored. */
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
          content: Type.Object({ text: Type.Optional(Type.String()), encoding: Type.Optional(Type.String()) }),
        }),
      }),
    ),
  }),
});
type HarEntry = Static<typeof Har>['log']['entries'][number];

/** Why recorded traffic cannot be read, and what to do. */
export class UnreadableRecording extends Error {
  override readonly name = 'UnreadableRecording';
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}

/** In the order in which it happened. Throws `UnreadableRecording`. */
export function readRecording(path: string): Traffic[] {
  return isFolder(path) ? readFolder(path) : readHar(path);
}

/** Everything else is for the reader of files, which says what is wrong with it. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function textOf(path: string): string {
  const text = readUserText(path, { mostBytes: FILE_LIMITS.traffic });
  if (typeof text === 'string') return text;
  throw new UnreadableRecording(`${path} ${text?.why ?? 'is missing'}.`, 'Record less at a time, or look at its name.');
}

function readHar(path: string): Traffic[] {
  let value: unknown;
  try {
    value = JSON.parse(textOf(path));
  } catch (error) {
    if (error instanceof UnreadableRecording) throw error;
    throw new UnreadableRecording(`${path} is not JSON, so it is no HAR file.`, 'Save it as HAR with content.');
  }
  const har = check(Har, value);
  if (!har.ok) {
    const [first] = har.errors;
    const where = first === undefined ? '' : ` ${first.pointer} ${first.detail}.`;
    throw new UnreadableRecording(`${path} is no HAR file.${where}`, 'Save it as HAR 1.2 with content.');
  }
  const entries = [...har.value.log.entries.entries()].toSorted(([, a], [, b]) =>
    (a.startedDateTime ?? '').localeCompare(b.startedDateTime ?? ''),
  );
  const holders = isWithoutTokens(har.value.log.entries) ? null : new TokenHolders();
  return entries.flatMap(([place, entry]) => trafficOf(entry, `${path} entry ${place + 1}`, holders));
}

/** Browsers may leave all tokens out of what they save. Then it is the traffic of one page, and of one client. */
const isWithoutTokens = (entries: readonly HarEntry[]): boolean =>
  entries.every(({ request }) => headersOf(request.headers)['authorization'] === undefined) &&
  entries.filter(({ request }) => /\/v1\/oauth\/token$/.test(request.url)).length <= 1;

/** Nothing for what is neither a call of the API nor a delivery. `holders` null: the recording has no tokens. */
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
  // A status of 0 is a call without an answer; a cached answer has none of its own.
  if (begin < 0 || response.status < 200 || response.status === 304) return [];
  const { text = '', encoding } = response.content;
  const body = encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;
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
      source,
      ...(request.postData?.text === undefined ? {} : { sent: request.postData.text }),
    },
  ];
}

const headersOf = (pairs: Static<typeof Pairs>): Record<string, string> =>
  Object.fromEntries(pairs.map(({ name, value }) => [name.toLowerCase(), value]));

/** `NAME.json` is a body as it was received, `NAME.headers` its headers, one `Name: value` a line; in the order of the names. */
function readFolder(folder: string): Traffic[] {
  const names = readdirSync(folder).toSorted();
  const bodies = names.filter((name) => name.endsWith('.json') && names.includes(name.replace(/\.json$/, '.headers')));
  if (bodies.length === 0)
    throw new UnreadableRecording(
      `The folder ${folder} has no deliveries.`,
      'Write each body to NAME.json and its headers to NAME.headers, one "Name: value" a line.',
    );
  return bodies.map((name): Traffic => {
    const lines = textOf(join(folder, name.replace(/\.json$/, '.headers'))).split(/\r?\n/);
    const pairs = lines.flatMap((line) => {
      const [, key = '', value = ''] = /^([^:\s]+):\s*(.*?)\s*$/.exec(line) ?? [];
      return key === '' ? [] : [{ name: key, value }];
    });
    const path = join(folder, name);
    return { kind: 'delivery', headers: headersOf(pairs), body: textOf(path), source: path };
  });
}
