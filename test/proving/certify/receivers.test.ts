/** A right receiver passes every check that can be seen, and each broken one fails those that are about its mistake. [cli, certify] */
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../../src/proving/certify/catalogue.ts';
import { type CheckOutcome, certify } from '../../../src/proving/certify/certify.ts';
import { DeliveryMaker } from '../../../src/proving/certify/deliveries.ts';
import { ReceiverProbe } from '../../../src/proving/certify/probe.ts';
import { eachOf } from '../../helpers/each-of.ts';
import { PUNCTUAL } from '../../helpers/manual-machine.ts';
import { unless } from '../../helpers/unless.ts';
import { isWhole, sampled } from '../../helpers/whole.ts';
import { type ReceiverParts, SECRET, SITE, someTurns, TestReceiver } from './receiver.ts';

/** Answers come from this process, so what has not come when the limit is over never comes: no limit is short here. */
const LONG_MS = 60_000;

async function judge(
  wrong: Partial<ReceiverParts>,
  { probe = true, secret = SECRET, answerLimitMs = LONG_MS, checks = CHECKS } = {},
): Promise<CheckOutcome[]> {
  const receiver = await TestReceiver.start(wrong);
  try {
    return await certify({
      target: receiver.url,
      make: new DeliveryMaker(secret, SITE),
      checks,
      probe: probe ? new ReceiverProbe(receiver.probe, 600) : null,
      pages: null,
      secretTo: null,
      client: null,
      process: null,
      clientWaitMs: 0,
      answerLimitMs,
      machine: PUNCTUAL,
      skipVerify: false,
      onOutcome: () => {},
      signal: new AbortController().signal,
    });
  } finally {
    await receiver.close();
  }
}

const numbers = (outcomes: readonly CheckOutcome[], result: CheckOutcome['result']): number[] =>
  outcomes
    .filter((one) => one.result === result)
    .map(({ check }) => check.number)
    .sort((one, other) => one - other);

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, place) => from + place);

test('checks are numbered from 1, and each says of which clause it is', () => {
  expect(CHECKS.map(({ number }) => number).sort((one, other) => one - other)).toEqual(range(1, CHECKS.length));
  expect(CHECKS.filter(({ clause, title }) => clause === '' || title === '')).toEqual([]);
});

type Place = { readonly latitude: number; readonly longitude: number } | null;

const siteOf = (alert: { readonly [key: string]: unknown }): string => (alert['site'] as { id: string }).id;

/** Loses an alert with the time of another that is simulated like it. */
function losing(field: string): Partial<ReceiverParts> {
  const known = new Map<string, string>();
  return {
    after: ({ data: { alert } }) => {
      if (alert === undefined) return null;
      const key = `${alert['simulated']} ${alert[field]}`;
      const first = known.get(key) ?? alert.id;
      known.set(key, first);
      return first === alert.id ? null : 204;
    },
  };
}

/** Other designs than that of the right receiver, which are as right. */
const OTHER_DESIGNS: readonly [what: string, parts: Partial<ReceiverParts>][] = [
  ['compares versions as numbers', { isNewer: (_held, heldAt, _alert, at) => Date.parse(heldAt) < Date.parse(at) }],
  ['groups alerts by site', { listed: (held) => [{ ...held, group: `site ${siteOf(held)}` }] }],
  [
    'says in words that a position is withheld',
    { listed: (held) => [{ ...held, location: held['location_withheld'] ? 'withheld' : held['location'] }] },
  ],
  [
    'leaves out a missing position',
    { listed: ({ location, ...held }) => [location === null ? held : { ...held, location }] },
  ],
  [
    'shows the middle of the site where a position is missing',
    { listed: (held) => [{ ...held, location: held['location'] ?? { latitude: 43.3, longitude: -3 } }] },
  ],
  [
    'has coordinates as texts in fields of its own',
    {
      listed: ({ location, ...held }) => [
        {
          ...held,
          lat: String((location as Place)?.latitude ?? ''),
          lng: String((location as Place)?.longitude ?? ''),
        },
      ],
    },
  ],
  ['counts how often an alert was reopened', { listed: (held) => [{ ...held, reopened: 1, first: 'yes' }] }],
];

describe.concurrent('a right receiver', () => {
  test('passes all that can be seen, and the rest is not judged', async () => {
    const outcomes = await judge({});
    expect(numbers(outcomes, 'failed')).toEqual([]);
    expect(numbers(outcomes, 'passed')).toEqual(range(1, 50).concat(range(64, 70)));
    expect(numbers(outcomes, 'not_judged')).toEqual(range(51, 63));
  });

  for (const {
    row: [what, parts],
    skip,
  } of sampled(OTHER_DESIGNS, 14))
    unless(skip).test(`${what}, and passes as well`, async () => {
      const checks = isWhole ? CHECKS : CHECKS.filter(({ needs }) => needs.includes('probe'));
      const outcomes = await judge(parts, { checks });
      expect(numbers(outcomes, 'failed')).toEqual([]);
      const seen = [...range(1, 50), ...range(64, 70)].filter((one) => checks.some(({ number }) => number === one));
      expect(numbers(outcomes, 'passed')).toEqual(seen);
    });

  test('is not judged by positions that its probe does not list, and is told what is missing', async () => {
    const checks = CHECKS.filter(({ number }) => [41, 65, 68].includes(number));
    const outcomes = await judge({ listed: ({ location: _location, ...held }) => [held] }, { checks });
    expect(outcomes.find(({ check }) => check.number === 68)).toMatchObject({
      result: 'not_judged',
      got: expect.stringContaining('the probe lists no positions: add "location"'),
    });
  });

  test('without a probe is not judged by what it holds', async () => {
    const outcomes = await judge({}, { probe: false });
    expect(numbers(outcomes, 'not_judged')).toEqual(range(41, CHECKS.length));
    expect(outcomes.find(({ check }) => check.number === 42)?.fix).toContain('--probe');
  });

  test('with another secret is not judged by what it refuses', async () => {
    const outcomes = await judge({}, { secret: 'whsec_unknown' });
    expect(numbers(outcomes, 'failed')).toEqual([1]);
    expect(numbers(outcomes, 'passed')).toEqual([]);
  });
});

type Envelope = Parameters<ReceiverParts['after']>[0];

/** What is wrong, the numbers of the checks that fail, and those that pass with advice. */
const BROKEN: readonly [what: string, wrong: Partial<ReceiverParts>, failed: number[], advice?: number[]][] = [
  [
    'verifies JSON that it wrote anew',
    { signedBody: (body) => Buffer.from(JSON.stringify(JSON.parse(String(body)))) },
    [11, 17],
    [25],
  ],
  ['decodes the body as Latin-1', { signedBody: (body) => Buffer.from(body.toString('latin1')) }, [10]],
  ['lets through what has no signature', { before: (headers) => (headers['x-service-signature'] ? null : 204) }, [18]],
  ['lets through what has no timestamp', { before: (headers) => (headers['x-service-timestamp'] ? null : 204) }, [19]],
  ['compares the last signature only', { signaturesOf: (header) => header.split(',').slice(-1) }, [27]],
  [
    'takes seconds and milliseconds',
    { timestampOf: (header) => (Number(header) > 1e11 ? Number(header) / 1_000 : Number(header)) },
    [33],
  ],
  [
    'reads header names by their case',
    { headersOf: ({ rawHeaders, headers }) => (rawHeaders.includes('X-Service-Signature') ? headers : {}) },
    [34],
  ],
  ['does not know one event type', { after: ({ type }) => (type === 'muster.phase_changed' ? 422 : null) }, [3]],
  [
    'wants a name',
    { after: ({ data }) => (data.alert?.['worker'] && !('name' in (data.alert['worker'] as object)) ? 500 : null) },
    [8],
  ],
  [
    'wants an uncertainty',
    {
      after: ({ data }) =>
        (data.alert?.['location'] as { uncertainty_m: number } | null)?.uncertainty_m === null ? 500 : null,
    },
    [9],
  ],
  [
    'wants no unknown fields',
    { after: ({ data }) => (data.alert !== undefined && 'escalation' in data.alert ? 400 : null) },
    [13],
  ],
  ['takes drills only', { after: ({ data }) => (data.alert?.['simulated'] === false ? 403 : null) }, [15, 41]],
  ['stores nothing', { after: () => 204 }, [41]],
  ['has no tolerance check', { isFresh: () => true }, [30, 32]],
  ['looks at old timestamps only', { isFresh: (apartS) => apartS <= 300 }, [32]],
  ['tolerates four minutes', { isFresh: (apartS) => Math.abs(apartS) <= 240 }, [29, 31]],
  ['compares the first signature only', { signaturesOf: (header) => header.split(',').slice(0, 1) }, [26]],
  ['compares the whole header', { signaturesOf: (header) => [header] }, [26, 27]],
  ['compares by prefix', { fits: (given, expected) => expected.startsWith(given) }, [18, 21, 24]],
  ['ignores case', { fits: (given, expected) => given.toLowerCase() === expected }, [23]],
  ['takes any scheme', { fits: (given, expected) => given.replace(/^v\d=/, '') === expected.slice(3) }, [22]],
  ['accepts any secret', { fits: () => true }, [16]],
  ['acts before it verifies', { actsFirst: true }, [50], [25]],
  [
    'crashes without a zone',
    {
      after: ({ data }) =>
        data.alert !== undefined && data.alert.zone?.name.length === 0 ? 400 : data.alert?.zone === null ? 500 : null,
    },
    [4, 5, 6],
  ],
  ['wants an organization', { after: ({ organization_id }) => (organization_id === null ? 400 : null) }, [5]],
  [
    'refuses event types that it does not know',
    {
      after: ({ type, data }) =>
        data.alert === undefined && data.muster === undefined ? 422 : type === 'alert.escalated' ? 422 : null,
    },
    [14],
  ],
  ['takes bodies up to 100 KB', { mostBytes: 102_400 }, [12]],
  [
    'wants exactly application/json',
    { before: (headers) => (headers['content-type'] === 'application/json' ? null : 415) },
    [35],
  ],
  ['answers 302', { status: 302 }, [1, 36]],
  ['answers duplicates 409', { after: (_: Envelope, isKnown: boolean) => (isKnown ? 409 : null) }, [39]],
  [
    'answers older versions 409',
    {
      isNewer: (_held, heldAt, _alert, at) => {
        if (heldAt > at) throw new Error('older');
        return true;
      },
    },
    [40],
  ],
  ['follows the order of arrival', { isNewer: () => true }, [45, 49]],
  ['deduplicates nothing', { isDuplicate: () => false }, [42]],
  [
    'deduplicates nothing, and follows the order of arrival',
    { isDuplicate: () => false, isNewer: () => true },
    [42, 45, 46, 49],
  ],
  ['looks first, and notes it later', { work: someTurns }, [43]],
  ['deduplicates by the header', { eventIdOf: (headers) => String(headers['x-service-event-id']) }, [44]],
  [
    'takes resolved as final',
    { isNewer: (held, heldAt, _alert, at) => held.status !== 'resolved' && heldAt < at },
    [47],
  ],
  [
    'takes the press on the watch as an acknowledgement',
    {
      statusOf: ({ type, data }) =>
        type === 'alert.worker_acknowledged' ? 'acknowledged' : (data.alert ?? data.muster)?.status,
    },
    [48],
  ],
  ['loses the second of two alerts of one second', losing('date_created'), [65]],
  [
    'reads the first site only',
    { after: ({ data }) => (data.alert !== undefined && siteOf(data.alert) !== SITE.siteId ? 204 : null) },
    [66],
  ],
  [
    'drops alerts with a withheld position',
    { after: ({ data }) => (data.alert?.['location_withheld'] ? 204 : null) },
    [67],
  ],
  [
    'shows a missing position at 0, 0',
    { listed: (held) => [{ ...held, location: held['location'] ?? { latitude: 0, longitude: 0 } }] },
    [68],
  ],
  [
    'shows a missing position at 0, 0, in fields of its own',
    {
      listed: ({ location, ...held }) => [
        { ...held, lat: Number((location as Place)?.latitude ?? 0), lng: Number((location as Place)?.longitude ?? 0) },
      ],
    },
    [68],
  ],
  [
    'takes a reopened alert for a new one',
    {
      statusOf: ({ type, data }) =>
        type === 'alert.reopened' ? 'unacknowledged*' : (data.alert ?? data.muster)?.status,
      listed: (held) =>
        held.status === 'unacknowledged*'
          ? [
              { ...held, status: 'unacknowledged' },
              { ...held, id: `${held.id}-2`, status: 'unacknowledged' },
            ]
          : [held],
    },
    [69],
  ],
  ['closes each connection', { headers: { connection: 'close' } }, [], [37]],
  [
    'throws on signatures of another length',
    {
      fits: (given, expected) => {
        if (given.length !== expected.length) throw new RangeError('length');
        return given === expected;
      },
    },
    [],
    [18, 21, 22, 24],
  ],
];

describe.concurrent('a receiver that', () => {
  for (const {
    row: [what, wrong, failed, advice = []],
    skip,
  } of sampled(BROKEN, 16))
    unless(skip).test(`${what} fails the checks about that, and no other`, async () => {
      const outcomes = await judge(wrong);
      expect({ failed: numbers(outcomes, 'failed'), advice: numbers(outcomes, 'advice') }).toEqual({ failed, advice });
      for (const { result, sent, got, production, fix } of outcomes.filter((one) => one.result === 'failed')) {
        expect({ result, isWhole: [sent, got, production, fix].every((text) => text !== null && text !== '') }).toEqual(
          {
            result: 'failed',
            isWhole: true,
          },
        );
      }
    });

  test('answers after its time is over fails the check about that, and no other', async () => {
    const outcomes = await judge({ answerAfterMs: 60 }, { answerLimitMs: 50 });
    expect({ failed: numbers(outcomes, 'failed'), advice: numbers(outcomes, 'advice') }).toEqual({
      failed: [2],
      advice: [],
    });
  });

  test('takes two deliveries at a time fails the burst', async () => {
    let busy = 0;
    const work = async () => {
      busy += 1;
      await someTurns();
      busy -= 1;
    };
    const outcomes = await judge({ work, before: () => (busy > 1 ? 429 : null) });
    expect(numbers(outcomes, 'failed')).toEqual([38, 43]);
    expect(outcomes[37]?.fix).toContain('production ignores Retry-After');
  });

  test('serves two deliveries on each connection fails the check of kept connections', async () => {
    const served = new WeakMap<object, number>();
    const headersOf: ReceiverParts['headersOf'] = ({ headers, socket }) => {
      const times = (served.get(socket) ?? 0) + 1;
      served.set(socket, times);
      return { ...headers, 'x-times': String(times) };
    };
    const outcomes = await judge({ headersOf, before: (headers) => (Number(headers['x-times']) <= 2 ? null : 503) });
    expect(numbers(outcomes, 'failed')).toContain(37);
    expect(outcomes[36]).toMatchObject({ check: { number: 37 }, fix: expect.stringContaining('Connection: close') });
  });

  test('takes the timestamp as milliseconds is known by that', async () => {
    const outcomes = await judge({ timestampOf: (header) => Number(header) / 1_000 });
    expect(numbers(outcomes, 'failed')).toEqual([1]);
    expect(outcomes[0]?.fix).toMatch(/^Your receiver reads X-Service-Timestamp as milliseconds\./);
  });

  const KNOWN: readonly (readonly [what: string, wrong: Partial<ReceiverParts>])[] = [
    ['leaves out the timestamp', { signedText: (_, body) => body }],
    ['leaves out whsec_ from the secret', { key: SECRET.replace('whsec_', '') }],
    ['has a line feed behind the secret', { key: `${SECRET}\n` }],
    ['signs an empty body', { signedBody: () => Buffer.alloc(0) }],
    ['compares with the whole header, v1= included', { fits: (given, expected) => given === expected.slice(3) }],
  ];
  eachOf(KNOWN, 3)('%s is known by that', async (what, wrong) => {
    const outcomes = await judge(wrong);
    expect(numbers(outcomes, 'failed')).toEqual([1]);
    expect(outcomes[0]?.fix).toContain(`Your receiver ${what}`);
  });

  test('refuses all without a known mistake is asked for its secret', async () => {
    const outcomes = await judge({ fits: () => false });
    expect(numbers(outcomes, 'failed')).toEqual([1]);
    expect(outcomes[0]?.fix).toContain('Does your receiver have this secret?');
  });
});
