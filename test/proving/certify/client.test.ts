/** The receiver's own calls of the API: a right client passes, and each broken one fails by the right number. [cli, certify] */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { later } from '../../../src/base/time/timers.ts';
import { startCertifySandbox } from '../../../src/cli/certify/receiver-sandbox.ts';
import { ApiClientWatch } from '../../../src/proving/certify/api-client-watch.ts';
import { CHECKS } from '../../../src/proving/certify/catalogue.ts';
import { type CheckOutcome, certify } from '../../../src/proving/certify/certify.ts';
import { DeliveryMaker } from '../../../src/proving/certify/deliveries.ts';
import { ReceiverProbe } from '../../../src/proving/certify/probe.ts';
import { unless } from '../../helpers/unless.ts';
import { sampled } from '../../helpers/whole.ts';
import { conclusive } from './conclusive.ts';
import { SECRET, TestReceiver } from './receiver.ts';

interface ClientParts {
  readonly limit: number;
  readonly renews: boolean;
  readonly waits: boolean;
  /** After Retry-After it first makes other calls for this time, as a client with a long queue does; ms. */
  readonly queueMs: number;
  readonly keepsToken: boolean;
  readonly walks: boolean;
  readonly keepsQuery: boolean;
  /** Begins at this time in place of the beginning of the log. */
  readonly since: string | null;
  readonly polls: boolean;
  /** Fetches a minute before its last event again, as for clocks that differ. */
  readonly overlaps: boolean;
}

const RIGHT: ClientParts = {
  limit: 200,
  renews: true,
  waits: true,
  queueMs: 0,
  keepsToken: true,
  walks: true,
  keepsQuery: true,
  since: null,
  polls: true,
  overlaps: false,
};

const before = (time: string) => new Date(Date.parse(time) - 60_000).toISOString();

const pause = (ms: number) => new Promise<void>((resolve) => later(ms, resolve));

interface PolledEvent {
  readonly id: string;
  readonly created_at: string;
  readonly data: { readonly alert?: { readonly id: string } };
}

/** Polls the event log until it is aborted, as configured. */
async function poll(
  api: ApiClientWatch,
  parts: ClientParts,
  signal: AbortSignal,
  act: (id: string) => void,
): Promise<void> {
  let token: string | null = null;
  let last = parts.since;
  let alert = '';
  const get = async (query: string): Promise<{ data: PolledEvent[]; next_cursor: string | null } | null> => {
    for (let tries = 0; tries < 4 && !signal.aborted; tries++) {
      if (token === null || !parts.keepsToken) {
        const { clientId: client_id, clientSecret: client_secret } = api.sandbox;
        const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
        const granted = await fetch(`${api.url}/v1/oauth/token`, { method: 'POST', body });
        token = ((await granted.json()) as { access_token: string }).access_token;
      }
      const answer = await fetch(`${api.url}/v1/events?${query}`, { headers: { authorization: `Bearer ${token}` } });
      if (answer.ok) return (await answer.json()) as Awaited<ReturnType<typeof get>>;
      await answer.text();
      if (answer.status === 401 && parts.renews) token = null;
      else if (answer.status === 429 && parts.waits) {
        await pause(1_000 * Number(answer.headers.get('retry-after')));
        for (let ms = 0; ms < parts.queueMs; ms += 100) {
          const one = await fetch(`${api.url}/v1/alerts/${alert}`, {
            headers: { authorization: `Bearer ${token}` },
          });
          await one.text();
          await pause(100);
        }
      }
    }
    return null;
  };
  do {
    const query = new URLSearchParams({ limit: String(parts.limit) });
    if (last !== null) query.set('created_after', last);
    for (let cursor: string | null = ''; cursor !== null; ) {
      const pageQuery: URLSearchParams =
        parts.keepsQuery || cursor === '' ? query : new URLSearchParams({ type: 'alert.created' });
      if (cursor !== '') pageQuery.set('cursor', cursor);
      const page = await get(String(pageQuery));
      if (page === null) break;
      for (const { id, data } of page.data) {
        act(id);
        alert = data.alert?.id ?? alert;
      }
      const newest = page.data.at(-1)?.created_at;
      if (newest !== undefined) last = parts.overlaps ? before(newest) : newest;
      cursor = parts.walks ? page.next_cursor : null;
    }
    await pause(100);
  } while (parts.polls && !signal.aborted);
}

let receiver: TestReceiver;
beforeAll(async () => {
  receiver = await TestReceiver.start();
});
afterAll(() => receiver.close());

/** A shorter limit than that of the product, and more time for calls of a busy machine to come together. */
const TIMES = { retryAfterS: 1, gatherMs: 600 };

const OF_CLIENT = CHECKS.filter(({ group }) => group === 'client');

/** Each has a sandbox of its own, as each run of the command has. */
async function judge(
  wrong: Partial<ClientParts> | null,
  act: (id: string) => void = () => {},
  probe: ReceiverProbe | null = null,
): Promise<CheckOutcome[]> {
  const ended = new AbortController();
  const own = await startCertifySandbox();
  const client = await ApiClientWatch.start(own, 0, TIMES);
  client.missed.push(...own.missed);
  const polling =
    wrong === null ? Promise.resolve() : poll(client, { ...RIGHT, ...wrong }, ended.signal, act).catch(() => {});
  try {
    return await certify({
      target: receiver.url,
      make: new DeliveryMaker(SECRET, own.site),
      checks: OF_CLIENT,
      probe,
      pages: null,
      secretTo: null,
      client,
      process: null,
      clientWaitMs: 8_000,
      answerLimitMs: 60_000,
      skipVerify: false,
      onOutcome: () => {},
      signal: new AbortController().signal,
    });
  } finally {
    ended.abort();
    await polling;
    await client.stop();
    await own.stop();
  }
}

const numbers = (outcomes: readonly CheckOutcome[], result: CheckOutcome['result']): number[] =>
  outcomes
    .filter((one) => one.result === result)
    .map(({ check }) => check.number)
    .sort((one, other) => one - other);

const CLIENTS: readonly [what: string, wrong: Partial<ClientParts> | null, failed: number[], notJudged: number[]][] = [
  ['does all right', {}, [], []],
  ['makes no call', null, [], [51, 52, 53, 54, 55, 56, 57, 60]],
  ['fetches its gap once and polls no more', { polls: false }, [], [54, 55, 57, 60]],
  ['works through a long queue before it makes a refused call again', { queueMs: 10_000 }, [], []],
  ['never asks for a new token', { renews: false }, [55], []],
  ['does not wait for Retry-After', { waits: false }, [54], []],
  ['asks for a token before each call', { keepsToken: false }, [51], []],
  ['fetches the first page only', { walks: false, limit: 50, polls: false }, [52, 53], [54, 55, 57, 60]],
  ['changes its query on the second page', { keepsQuery: false, polls: false }, [52, 53, 56], [54, 55, 57, 60]],
  ['asks for larger pages than there are', { limit: 1_000, polls: false }, [52, 56], [53, 54, 55, 57, 60]],
  ['begins now', { since: '2999-01-01T00:00:00.000Z' }, [52, 60], [53, 57]],
];

// One that does all right: the control room of control-room.test.ts.
describe.concurrent('a client that', () => {
  for (const {
    row: [what, wrong, failed, notJudged],
    skip,
  } of sampled(CLIENTS, 11, 6))
    unless(skip).test(what, async () => {
      const outcomes = await conclusive(() => judge(wrong));
      expect({ failed: numbers(outcomes, 'failed'), notJudged: numbers(outcomes, 'not_judged') }).toEqual({
        failed,
        notJudged,
      });
      // The hint is about what was seen of its calls.
      const later = outcomes.find(({ check }) => check.number === 57);
      if (what === 'fetches its gap once and polls no more')
        expect(later?.got).toMatch(/^0 of \d+ were fetched in time; the last of \d+ calls was GET \/v1\/events/);
    });

  const SEEN = [
    ['acts again on what it fetches again', false, 'failed'],
    ['acts on each event once', true, 'passed'],
  ] as const;
  for (const {
    row: [what, deduplicates, result],
    skip,
  } of sampled(SEEN, 2))
    unless(skip).test(what, async () => {
      const acted: string[] = [];
      const state = createServer((_, response) => response.end(JSON.stringify({ alerts: [], musters: [], acted })));
      await new Promise<void>((resolve) => state.listen(0, '127.0.0.1', resolve));
      const probe = new ReceiverProbe(new URL(`http://127.0.0.1:${(state.address() as AddressInfo).port}/state`));
      // Events that come at the same moment as the last one are fetched with it once more.
      const act = (id: string) => void ((deduplicates && acted.includes(id)) || acted.push(id));
      const outcomes = await conclusive(() => {
        acted.length = 0;
        return judge({ overlaps: true }, act, probe);
      });
      state.close();
      expect(outcomes.find(({ check }) => check.number === 57)?.result).toBe(result);
    });
});
