/** Rows 43 to 73: invalid values in destinations, alert updates and queries. */
import { expect } from 'vitest';
import { expectProblem, hook, type Row, refused, type Stage, TAKEN, WEBHOOK } from './stage.ts';

const urls = (row: string, says: string, ...all: readonly string[]): Row =>
  refused(row, says, 'invalid_destination_url', ...all.map((url) => hook({ ...WEBHOOK, url }, { at: ['/url'] })));

const webhook = (row: string, says: string, ...wrong: readonly (readonly [object, readonly string[]])[]): Row =>
  refused(row, says, 'validation_failed', ...wrong.map(([part, at]) => hook({ ...WEBHOOK, ...part }, { at })));

const update = (row: string, says: string, ...wrong: readonly (readonly [object, readonly string[]])[]): Row => ({
  row,
  says,
  play: async (stage) => {
    const path = `/v1/alerts/${await stage.alert()}`;
    for (const [part, at] of wrong)
      expectProblem(await stage.ask({ method: 'PATCH', path, body: { ...TAKEN, ...part } }), 'validation_failed', at);
    expect((await stage.ask({ path })).body.status).toBe('unacknowledged');
  },
});

const query = (row: string, says: string, ...wrong: readonly (readonly [string, readonly string[]])[]): Row =>
  refused(row, says, 'validation_failed', ...wrong.map(([text, at]) => ({ path: `/v1/alerts?${text}`, at })));

/** What was resolved with, as a client reads it back. */
async function noteOf(stage: Stage, note: string): Promise<string> {
  const path = `/v1/alerts/${await stage.alert()}`;
  const body = { ...TAKEN, status: 'resolved', note };
  const answer = await stage.ask({ method: 'PATCH', path, body });
  expect(answer.status).toBe(200);
  return (await stage.ask({ path })).body.resolved.note;
}

const EMOJI = '\u{1f9ba}';

export const VALUES: readonly Row[] = [
  urls(
    '43',
    'a destination is reached by https only',
    'http://receiver.example.com/',
    'ftp://receiver.example.com/',
    'receiver.example.com',
  ),
  urls(
    '44',
    'a destination is public: no loopback, no private network, no metadata service, no name of one',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://10.1.2.3/',
    'https://192.168.0.10:8443/h',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://2130706433/',
    'https://inside.example.com/',
  ),
  {
    row: '45',
    says: 'a url is a string of at most 2,048 characters',
    play: async (stage) => {
      const long = `https://receiver.example.com/${'a'.repeat(3_000)}`;
      expectProblem(await stage.post('/v1/webhooks', { ...WEBHOOK, url: long }), 'invalid_destination_url', ['/url']);
      for (const url of [7, null, ['https://receiver.example.com/']])
        expectProblem(await stage.post('/v1/webhooks', { ...WEBHOOK, url }), 'validation_failed', ['/url']);
    },
  },
  urls(
    '46',
    'a url carries no credentials',
    'https://user:pass@receiver.example.com/',
    'https://user@receiver.example.com/',
  ),
  urls(
    '47',
    'a url with a line break is not repaired, and splits no header',
    'https://receiver.example.com/\r\nX-A: b',
    'https://receiver.exam\nple.com/',
  ),
  refused(
    '48',
    'a destination subscribes to a list of at least one type',
    'validation_failed',
    hook({ url: WEBHOOK.url }, { at: ['/event_types'] }),
    hook({ ...WEBHOOK, event_types: [] }, { at: ['/event_types'] }),
    hook({ ...WEBHOOK, event_types: 'alert.*' }, { at: ['/event_types'] }),
  ),
  webhook(
    '49',
    'a type that there is not cannot be subscribed to',
    [{ event_types: ['*'] }, ['/event_types/0']],
    [{ event_types: ['alert.*', 'alert.deleted'] }, ['/event_types/1']],
    [{ event_types: ['ALERT.CREATED'] }, ['/event_types/0']],
  ),
  {
    row: '50',
    says: 'a type that is named many times is subscribed to once; ten thousand are too large',
    play: async (stage) => {
      const many = (count: number) => ({
        ...WEBHOOK,
        event_types: Array.from({ length: count }, () => 'alert.created'),
      });
      expect((await stage.accepts(many(3_000))).body.event_types).toEqual(['alert.created']);
      expectProblem(await stage.post('/v1/webhooks', many(10_000)), 'payload_too_large');
    },
  },
  webhook('51', 'filters are an object', [{ filters: null }, ['/filters']], [{ filters: [] }, ['/filters']]),
  webhook('52', 'a severity is one of four', [{ filters: { min_severity: 'urgent' } }, ['/filters/min_severity']]),
  refused(
    '53',
    'a contractor of 1 MB is too large',
    'payload_too_large',
    hook({ ...WEBHOOK, filters: { contractors: ['x'.repeat(1_000_000)] } }),
  ),
  webhook(
    '54',
    'a client does not choose the secret, the id or the state of a destination',
    [{ secret: 'whsec_mine' }, ['/secret']],
    [{ id: 'x' }, ['/id']],
    [{ is_active: false }, ['/is_active']],
  ),
  update('55', 'an update names who acts', [{ actor: undefined }, ['/actor']]),
  update('56', 'an operator has a name', [{ actor: {} }, ['/actor/name']], [{ actor: { name: '' } }, ['/actor/name']]),
  {
    row: '57',
    says: 'a name has at most 120 characters as people count them, not as UTF-16 does',
    play: async (stage) => {
      const path = `/v1/alerts/${await stage.alert()}`;
      const named = (name: string) => stage.ask({ method: 'PATCH', path, body: { ...TAKEN, actor: { name } } });
      expectProblem(await named('a'.repeat(121)), 'validation_failed', ['/actor/name']);
      expectProblem(await named(EMOJI.repeat(121)), 'validation_failed', ['/actor/name']);
      expect((await named(EMOJI.repeat(120))).status).toBe(200);
    },
  },
  update('58', "an operator's code has at most 64 characters", [
    { actor: { name: 'x', external_id: 'a'.repeat(65) } },
    ['/actor/external_id'],
  ]),
  update(
    '59',
    'a note has at most 500 characters and a reason 200',
    [{ note: 'a'.repeat(501) }, ['/note']],
    [{ status: 'resolved', resolution_reason: 'a'.repeat(201) }, ['/resolution_reason']],
  ),
  update(
    '60',
    'a person acknowledges or resolves, and nothing else',
    ...['unacknowledged', 'RESOLVED', null].map((status) => [{ status }, ['/status']] as const),
  ),
  update('61', 'a reason is for resolving only', [{ resolution_reason: 'over' }, ['/resolution_reason']]),
  {
    row: '62',
    says: 'a resolved alert cannot be acknowledged, and the answer says what it is',
    play: async (stage) => {
      const path = `/v1/alerts/${await stage.alert()}`;
      await stage.ask({ method: 'PATCH', path, body: { ...TAKEN, status: 'resolved' } });
      const answer = await stage.ask({ method: 'PATCH', path, body: TAKEN });
      expectProblem(answer, 'invalid_transition');
      expect(answer.body.detail).toContain('resolved');
    },
  },
  {
    row: '63',
    says: 'acknowledging twice changes nothing the second time and tells nobody',
    play: async (stage) => {
      const id = await stage.alert();
      const ask = { method: 'PATCH', path: `/v1/alerts/${id}`, body: TAKEN };
      const first = await stage.ask(ask);
      const again = await stage.ask({ ...ask, body: { ...TAKEN, actor: { name: 'Desk 9' }, note: 'again' } });
      expect([again.status, again.body]).toEqual([200, first.body]);
      expect(await acknowledgedEvents(stage, id)).toBe(1);
    },
  },
  {
    row: '64',
    says: 'fifty who acknowledge at once make one event',
    play: async (stage) => {
      const id = await stage.alert();
      const ask = { method: 'PATCH', path: `/v1/alerts/${id}`, body: TAKEN };
      const answers = await Promise.all(Array.from({ length: 50 }, () => stage.ask(ask)));
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[0]?.status).toBe(200);
      expect(await acknowledgedEvents(stage, id)).toBe(1);
    },
  },
  {
    row: '65',
    says: 'what looks like code in a note is a note',
    play: async (stage) => {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it must not be one
      for (const note of ['<script>alert(1)</script>', '${7*7} {{7*7}}', "'; drop table alerts; --", '%00 \\u0000 \\"'])
        expect(await noteOf(stage, note)).toBe(note);
    },
  },
  {
    row: '66',
    says: 'marks, combining characters and 500 emoji are text',
    play: async (stage) => {
      for (const note of ['\u202eright to left', 'e\u0301 not é', EMOJI.repeat(500), 'line\nbreak\ttab'])
        expect(await noteOf(stage, note)).toBe(note);
    },
  },
  {
    row: '67',
    says: 'a cursor that was cut, changed or made up is refused',
    play: async (stage) => {
      for (let n = 0; n < 3; n++) await stage.alert();
      const cursor = (await stage.ask({ path: '/v1/alerts?limit=1' })).body.next_cursor as string;
      const flipped = cursor.slice(0, 20) + (cursor[20] === 'A' ? 'B' : 'A') + cursor.slice(21);
      for (const wrong of [
        'abc',
        cursor.slice(0, -3),
        flipped,
        `${cursor}=`,
        `${cursor}A`,
        encodeURIComponent('{"a":1}'),
      ])
        expectProblem(await stage.ask({ path: `/v1/alerts?limit=1&cursor=${wrong}` }), 'invalid_cursor', ['?cursor']);
      expect((await stage.ask({ path: `/v1/alerts?limit=1&cursor=${cursor}` })).status).toBe(200);
    },
  },
  {
    row: '68',
    says: 'a cursor belongs to its list and filters',
    play: async (stage) => {
      for (let n = 0; n < 2; n++) await stage.alert();
      const cursor = (await stage.ask({ path: '/v1/alerts?limit=1' })).body.next_cursor as string;
      for (const path of ['/v1/alerts?type=sos&', '/v1/events?', '/v1/workers?', '/v1/devices?', '/v1/musters?'])
        expectProblem(await stage.ask({ path: `${path}cursor=${cursor}` }), 'invalid_cursor', ['?cursor']);
    },
  },
  {
    row: '69',
    says: 'a cursor belongs to its client',
    play: async (stage) => {
      for (let n = 0; n < 2; n++) await stage.alert();
      const cursor = (await stage.ask({ path: '/v1/alerts?limit=1' })).body.next_cursor as string;
      expectProblem(await stage.ask({ path: `/v1/alerts?cursor=${cursor}`, token: stage.foreign }), 'invalid_cursor');
    },
  },
  {
    row: '70',
    says: 'a cursor does not age: after 31 days a walk of the log goes on with what is left of it',
    play: async (stage) => {
      for (let n = 0; n < 2; n++) await stage.alert();
      const cursor = (await stage.ask({ path: '/v1/events?limit=1' })).body.next_cursor as string;
      await stage.harness.clock.advance(31 * 24 * 3_600_000);
      const late = await stage.alert();
      const { status, body } = await stage.ask({ path: `/v1/events?limit=200&type=alert.created&cursor=${cursor}` });
      expect([status, body.code]).toEqual([422, 'invalid_cursor']);
      const rest = await stage.ask({ path: `/v1/events?limit=200&cursor=${cursor}` });
      expect(rest.body.data.map(({ data }: { data: { alert: { id: string } } }) => data.alert.id)).toEqual([late]);
    },
  },
  query(
    '71',
    'a page holds 1 to 200, given once as a whole number',
    ...['0', '-1', '1e9', 'abc', '1.5', '%205', '', '201', '0x10', '+5'].map(
      (limit) => [`limit=${limit}`, ['?limit']] as const,
    ),
    ['limit=5&limit=6', ['?limit']],
  ),
  query(
    '72',
    'a parameter that there is not is refused, however it is called',
    ['state=open', ['?state']],
    ['__proto__[a]=1', ['?__proto__[a]']],
    ['__proto__=1', ['?__proto__']],
    ['constructor=1&toString=2', ['?constructor', '?toString']],
    ['Status=resolved', ['?Status']],
    ['status[]=resolved', ['?status[]']],
  ),
  query(
    '73',
    'a moment is a real one with its zone, and a span does not end before it begins',
    ['created_after=2026-13-01T00:00:00Z', ['?created_after']],
    ['created_after=2026-02-29T00:00:00Z', ['?created_after']],
    ['created_before=2026-10-01T00:00:00', ['?created_before']],
    ['modified_since=2026-10-01', ['?modified_since']],
    ['created_after=99999-01-01T00:00:00Z', ['?created_after']],
    ['created_after=1759000000', ['?created_after']],
    ['created_after=2026-10-02T00:00:00Z&created_before=2026-10-01T00:00:00Z', ['?created_before']],
  ),
];

async function acknowledgedEvents(stage: Stage, alertId: string): Promise<number> {
  const { body } = await stage.ask({ path: '/v1/events?type=alert.acknowledged&limit=200' });
  return body.data.filter(({ data }: { data: { alert: { id: string } } }) => data.alert.id === alertId).length;
}
