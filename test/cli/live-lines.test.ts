/** What `up`, `listen` and `logs --follow` print while they follow a log: on a terminal, and in a pipe. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LiveLines, wordWrapped } from '../../src/cli/live-lines.ts';
import { keepBelow, write } from '../../src/cli/streams.ts';
import { UpLines } from '../../src/cli/up/live.ts';
import type { AttemptNotice, Notice } from '../../src/contract/notices.ts';
import { Glass } from '../dashboard/glass.ts';
import { MUSTERING } from '../dashboard/harbour.ts';

beforeEach(() => {
  vi.stubEnv('CI', undefined);
  vi.stubEnv('TERM', 'xterm');
  vi.stubEnv('NO_COLOR', '1');
});
afterEach(() => {
  vi.unstubAllEnvs();
  keepBelow(() => []);
});

/** A stream whose text a terminal shows, or a pipe takes. */
function screenOf({ columns = 80, isTTY = true }: { columns?: number; isTTY?: boolean } = {}) {
  const glass = new Glass(columns, 30);
  const texts: string[] = [];
  const stream = { isTTY, columns, write: (text: string) => texts.push(text) } as unknown as NodeJS.WriteStream;
  const rows = async (): Promise<string[]> => {
    await glass.write(texts.splice(0).join(''));
    return glass.lines.filter((line) => line !== '');
  };
  return { stream, rows, texts };
}

const URL = 'http://127.0.0.1:9000/hooks/of/a/control/room';
const [sos] = MUSTERING.alerts.filter(({ type }) => type === 'sos');

const attempt = (n: number, more: Partial<AttemptNotice> = {}): AttemptNotice => ({
  kind: 'delivery-attempted',
  at: new Date(Date.UTC(2026, 9, 5, 15, 0, n)).toISOString(),
  delivery_id: 'd1',
  event_id: 'e1',
  event_type: 'alert.created',
  object_id: 'a1',
  destination_id: 'one',
  url: URL,
  try: n,
  offset_ms: 0,
  result: 'waiting',
  status: null,
  error: 'The connection was refused by 127.0.0.1:9000.',
  signatures: 1,
  took_ms: 3.2,
  ...more,
});

const raised = (id: string): Notice =>
  ({
    kind: 'event-occurred',
    at: '2026-10-05T15:00:09.000Z',
    listed: true,
    event: { id, type: 'alert.created', site_id: 's', created_at: '', data: { alert: sos } },
  }) as never;

describe('a terminal below 80 columns and more', () => {
  test('a destination that fails is one line below all others until it answers again', async () => {
    const { stream, rows } = screenOf({ columns: 140 });
    const lines = new UpLines(stream);
    for (let n = 1; n <= 12; n++) {
      lines.tell(attempt(n, { delivery_id: `d${n % 3}` }));
      if (n === 6) lines.tell(raised('e2'));
    }
    lines.tell(attempt(13, { destination_id: 'two', url: 'http://two.example/', status: 503, error: null }));
    expect(await rows()).toEqual([
      expect.stringMatching(/^15:00:09\.000 {2}alert\.created/),
      expect.stringMatching(/^15:00:12\.000 {2}failing ×12 .*The connection was refused by/),
      expect.stringMatching(/^ {5}since 15:00:01 {2}3 deliveries wait, next try 15:00:20$/),
      expect.stringMatching(
        /^15:00:13\.000 {2}failing ×1 .*http:\/\/two\.example\/ {2}503 {2}since 15:00:13 {2}1 delivery waits, next try 15:00:23$/,
      ),
    ]);
    // Another text of the command comes above them.
    write(stream, 'The world is loaded again.\n');
    lines.tell(attempt(14, { result: 'delivered', status: 200, error: null }));
    const end = await rows();
    expect(end.filter((row) => row.includes('failing'))).toEqual([expect.stringContaining('two.example')]);
    expect(end.at(-1)).toContain('two.example');
    // Without a time of its own before it, which would be earlier than those above.
    expect(end.join('\n')).toMatch(
      /loaded again.*\n {14}failed ×12 .*refused by.*\n {5}from 15:00:01 to 15:00:12\n.*200 {2}try 14.*\n.*two\.example/,
    );
    lines.tell({ kind: 'destination-deleted', at: '', destination_id: 'two' });
    lines.tell(raised('e3'));
    expect((await rows()).at(-1)).toMatch(/^15:00:09\.000 {2}alert\.created/);
  });

  test('a delivery that is given up has a line of its own, and its destination still fails', async () => {
    const { stream, rows } = screenOf({ columns: 140 });
    const lines = new UpLines(stream);
    lines.tell(attempt(1));
    lines.tell(attempt(2, { result: 'lost' }));
    const shown = (await rows()).join('\n');
    expect(shown).toMatch(/given up[\s\S]*failing ×2 /);
    expect(shown.match(/failing/g)).toHaveLength(1);
  });

  test('what repeats is one line with its number, and what differs has its own', async () => {
    const { stream, rows } = screenOf();
    const lines = new UpLines(stream);
    const refused = (second: number, why: string) =>
      ({ kind: 'watch-refused', at: `2026-10-05T15:00:0${second}.000Z`, serial: 'W1', what: 'connect', why }) as never;
    for (const second of [1, 2, 3]) lines.tell(refused(second, 'wrong password'));
    lines.tell(refused(4, 'unknown serial'));
    for (const id of ['e1', 'e2']) lines.tell(raised(id));
    expect((await rows()).map((row) => [row.slice(0, 8), row.slice(41)].join(' '))).toEqual([
      '15:00:03  W1: connect: wrong password  ×3',
      '15:00:04  W1: connect: unknown serial',
      expect.stringMatching(/^15:00:09/),
      expect.stringMatching(/^15:00:09/),
    ]);
  });

  test.each([80, 100, 140])('no line of %i columns breaks inside a word', async (columns) => {
    const { stream, rows } = screenOf({ columns });
    const lines = new UpLines(stream);
    const words = new Set<string>();
    for (let n = 1; n <= 8; n++) {
      const one = attempt(n, { result: n % 2 === 0 ? 'delivered' : 'lost', status: n % 2 === 0 ? 200 : null });
      lines.tell(one);
      for (const word of [one.url, ...String(one.error).split(' '), 'connection', one.event_type]) words.add(word);
    }
    const shown = await rows();
    expect(Math.max(...shown.map(({ length }) => length))).toBeLessThanOrEqual(columns);
    const seen = new Set(shown.flatMap((row) => row.split(/\s+/)));
    expect([...words].filter((word) => !seen.has(word))).toEqual([]);
  });
});

test('a line in a pipe is whole and printed each time', () => {
  const { stream, texts } = screenOf({ isTTY: false });
  const lines = new UpLines(stream);
  for (let n = 1; n <= 5; n++) lines.tell(attempt(n));
  expect(texts).toHaveLength(5);
  for (const text of texts) expect(text).toMatch(/^15:00:0\d\.000 {2}delivery .*refused.*will be tried again\n$/);
});

test('only the first four kept lines are shown, and the number of the others', async () => {
  const { stream, rows } = screenOf();
  const lines = new LiveLines(stream);
  for (let n = 1; n <= 6; n++) lines.keep(`k${n}`, `line ${n}`, []);
  expect(await rows()).toEqual(['line 1', 'line 2', 'line 3', 'line 4', '     and 2 more']);
});

test('a word that is longer than the terminal has a row of its own', () => {
  const long = 'x'.repeat(90);
  // A sign stays with its word.
  expect(wordWrapped('alert in Jetty ⊕ Cannot evacuate', 20)).toEqual([
    'alert in Jetty',
    '     ⊕ Cannot',
    '     evacuate',
  ]);
  expect(wordWrapped(`a few words ${long} and more`, 40)).toEqual(['a few words', `     ${long}`, '     and more']);
});
