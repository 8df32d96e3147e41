/** Rows 1 to 20: bodies that are not JSON, of a wrong type or size, or with forbidden fields. */

import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { costOf } from '../../../helpers/growth.ts';
import { expectProblem, hook, type Row, refused, TAKEN, WEBHOOK } from './stage.ts';

const text = JSON.stringify(WEBHOOK);

/** A string that JSON writes with escapes only. */
const ESCAPED_PROTO = '"\\u005f\\u005fpro\\u0074o__"';

const withActor = (actor: string): string => `{"status":"acknowledged","actor":${actor}}`;

const onAlert = (row: string, says: string, bodies: readonly string[], pointers: readonly string[]): Row => ({
  row,
  says,
  play: async (stage) => {
    const path = `/v1/alerts/${await stage.alert()}`;
    for (const body of bodies)
      expectProblem(await stage.ask({ method: 'PATCH', path, body }), 'validation_failed', pointers);
  },
});

export const BODIES: readonly Row[] = [
  refused('1', 'a body that was cut short is malformed JSON', 'malformed_json', hook('{"url":')),
  refused('2', 'an empty body is not an object', 'validation_failed', hook('', { at: [''] })),
  refused('3', 'a body of no declared type is not read', 'unsupported_media_type', hook(text, { type: null })),
  refused(
    '4',
    'plain text is not read, even if it is JSON',
    'unsupported_media_type',
    hook('{}', { type: 'text/plain' }),
  ),
  refused('5', 'XML is not read', 'unsupported_media_type', hook('<a/>', { type: 'application/xml' })),
  refused(
    '6',
    'a form is for the token endpoint only',
    'unsupported_media_type',
    hook('url=x', { type: 'application/x-www-form-urlencoded' }),
  ),
  {
    row: '7',
    says: 'a type that only begins like JSON is refused, and one that is JSON in other words is checked',
    play: async (stage) => {
      for (const type of [
        'application/json garbage',
        'application/json\ta',
        'application/jsonx',
        'application/problem+json',
      ])
        expectProblem(await stage.post('/v1/webhooks', text, { type }), 'unsupported_media_type');
      for (const type of [
        ' application/json',
        'APPLICATION/JSON',
        'application/json ; charset=x',
        'application/json;;',
      ])
        expectProblem(await stage.post('/v1/webhooks', '{}', { type }), 'validation_failed');
    },
  },
  {
    row: '8',
    says: 'a body of 64 KiB is read, and one byte more is not',
    play: async (stage) => {
      const padded = (bytes: number) => text + ' '.repeat(bytes - text.length);
      expectProblem(await stage.post('/v1/webhooks', padded(65_537)), 'payload_too_large');
      const made = await stage.post('/v1/webhooks', padded(65_536));
      expect(made.status).toBe(201);
      await stage.ask({ method: 'DELETE', path: `/v1/webhooks/${made.body.id}` });
      const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
      const chunked = { method: 'POST', path: '/v1/webhooks', headers, tail: chunkOf(padded(65_537)) };
      expectProblem(await stage.ask(chunked), 'payload_too_large');
    },
  },
  {
    row: '9',
    says: 'who announces 10 GB is told at once, and the connection is closed',
    play: async (stage) => {
      const headers = ['Content-Type: application/json', 'Content-Length: 10737418240'];
      expectProblem(await stage.ask({ method: 'POST', path: '/v1/webhooks', headers }), 'payload_too_large');
    },
  },
  refused(
    '10',
    'a compressed body is not read',
    'unsupported_media_type',
    hook(gzipSync(text), { headers: ['Content-Encoding: gzip'] }),
  ),
  refused(
    '11',
    'a body that is no object is refused whole',
    'validation_failed',
    ...['[]', 'null', '"x"', '7'].map((body) => hook(body, { at: [''] })),
  ),
  refused(
    '12',
    'what only looks like JSON is malformed',
    'malformed_json',
    ...['NaN', '{"url":"x",}', "{'url':'x'}", '{"a":1}{', '{"a":01}', '\u00a0{}'].map((body) => hook(body)),
  ),
  {
    row: '13',
    says: 'five thousand nested lists are refused at the cost of a flat body of their size',
    play: async (stage) => {
      const deep = '['.repeat(5_000) + ']'.repeat(5_000);
      expectProblem(await stage.post('/v1/webhooks', deep), 'validation_failed', ['']);
      expectProblem(
        await stage.post('/v1/webhooks', `{"url":"https://a.example.com/","event_types":["alert.*"],"x":${deep}}`),
        'validation_failed',
        ['/x'],
      );
      expectProblem(await stage.post('/v1/webhooks', '['.repeat(60_000)), 'malformed_json');
      // Work that is quadratic in the depth costs thousands of times as much.
      const flat = JSON.stringify({ x: 'y'.repeat(deep.length) });
      const [costOfDeep, costOfFlat] = [
        await costOf(() => stage.post('/v1/webhooks', deep)),
        await costOf(() => stage.post('/v1/webhooks', flat)),
      ];
      expect(costOfDeep / costOfFlat).toBeLessThan(30);
    },
  },
  {
    row: '14',
    says: 'a key named __proto__ is malformed at any depth, however it is written, and reaches no object',
    play: async (stage) => {
      for (const proto of ['"__proto__"', ESCAPED_PROTO])
        for (const body of [
          `{${proto}:{"polluted":1}}`,
          `{"filters":{${proto}:{"polluted":1}}}`,
          `{"a":[[{"b":"\\"{","c":[{ ${proto} :{"polluted":1}}]}]]}`,
        ])
          expectProblem(await stage.post('/v1/webhooks', body), 'malformed_json');
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      // As a value it is a word like any other.
      expectProblem(await stage.post('/v1/webhooks', '{"__proto":"__proto__"}'), 'validation_failed');
    },
  },
  refused(
    '15',
    'a key named constructor is an unknown field like any other',
    'validation_failed',
    hook('{"url":"https://a.example.com/","event_types":["alert.*"],"constructor":{"prototype":{"x":1}}}', {
      at: ['/constructor'],
    }),
    hook('{"url":"https://a.example.com/","event_types":["alert.*"],"toString":1}', { at: ['/toString'] }),
  ),
  refused(
    '16',
    'bytes that are no UTF-8 are malformed',
    'malformed_json',
    hook(Buffer.concat([Buffer.from('{"url":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])),
    hook(Buffer.concat([Buffer.from('{"url":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')])),
  ),
  onAlert(
    '17',
    'a lone surrogate is no text',
    [withActor('{"name":"a\\ud800"}'), withActor('{"name":"\\udc00\\ud800"}')],
    ['/actor/name'],
  ),
  onAlert('18', 'a NUL is no text', [withActor('{"name":"a\\u0000b"}')], ['/actor/name']),
  {
    row: '19',
    says: 'a key that stands twice in one object is malformed: which of the two counts must not be guessed',
    play: async (stage) => {
      const path = `/v1/alerts/${await stage.alert()}`;
      for (const body of [
        '{"status":"acknowledged","status":"resolved","actor":{"name":"x"}}',
        '{"status":"acknowledged","actor":{"name":"x","na\\u006de":"y"}}',
      ])
        expectProblem(await stage.ask({ method: 'PATCH', path, body }), 'malformed_json');
      // The same key in two objects is not a duplicate.
      const body = '{"status":"acknowledged","actor":{"name":"name","external_id":"name"},"note":"\\"status\\":"}';
      expect((await stage.ask({ method: 'PATCH', path, body })).status).toBe(200);
    },
  },
  {
    row: '20',
    says: 'an unknown field is named with its place and what was probably meant',
    play: async (stage) => {
      const answer = await stage.post('/v1/webhooks', { ...WEBHOOK, eventTypes: ['alert.*'], filters: { sites: [] } });
      expectProblem(answer, 'validation_failed', ['/filters/sites', '/eventTypes']);
      const path = `/v1/alerts/${await stage.alert()}`;
      const update = await stage.ask({ method: 'PATCH', path, body: { ...TAKEN, notes: 'x' } });
      expect(update.body.errors).toEqual([{ pointer: '/notes', detail: expect.stringContaining('"note"') }]);
    },
  },
];

const chunkOf = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
