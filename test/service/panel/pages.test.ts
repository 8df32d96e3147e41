/** The panel without JavaScript: content of its pages, and access to read and to act. [spec 2 panel_url, decisions 4, 5, 10] */
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWhole, watchOption } from '../../helpers/whole.ts';
import { Panel, words } from './panel.ts';

const SOURCES = resolve(import.meta.dirname, '../../../src');

const SITE = 'Terminal Puerto Alerce';
const SIGN = 'Sandbox: a simulation. No real watch, no real person.';

let panel: Panel;
beforeAll(async () => {
  panel = await Panel.start();
});
afterAll(() => panel.stop());

/** fetch sets the Host itself. */
function withHost(host: string, path: string): Promise<number> {
  const { hostname, port } = new URL(panel.url);
  return new Promise((done, failed) => {
    request({ hostname, port, path, headers: { host } }, (answer) => {
      answer.resume();
      done(answer.statusCode ?? 0);
    })
      .once('error', failed)
      .end();
  });
}

describe('the pages', () => {
  test('all carry the sandbox’s sign, a policy that lets nothing in from elsewhere, and are kept by nobody', async () => {
    const { alert_id } = await panel.act({ action: 'sos', who: 'W-001' });
    const { muster_id } = await panel.act({
      action: 'start_muster',
      kind: 'general',
      site: SITE,
      by: 'Shift lead',
      reason: 'Drill',
    });
    const paths = [
      '/',
      '/panel',
      `/panel/sites/${panel.siteId(SITE)}`,
      `/panel/people/${panel.workerId('W-001')}`,
      '/panel/alerts',
      `/panel/alerts/${alert_id}`,
      '/panel/musters',
      '/panel/deliveries',
      '/panel/calls',
      `/panel/musters/${muster_id}`,
      '/panel/enter',
    ];
    for (const path of paths) {
      const answer = await panel.get(path);
      const page = await answer.text();
      expect([path, answer.status]).toEqual([path, 200]);
      expect([path, page.includes(SIGN)]).toEqual([path, true]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect([path, /(?:src|href)="(?:https?:)?\/\//.test(page)]).toEqual([path, false]);
    }
    expect(words(await panel.text(`/panel/musters/${muster_id}`))).toContain('Started: general by Shift lead');
    await panel.act({ action: 'end_muster', outcome: 'cancelled', by: 'Shift lead', muster: muster_id as string });
  });

  test('the page of an alert tells who did what when, with the reason and the note', async () => {
    const { alert_id } = await panel.act({ action: 'sos', who: 'W-002' });
    const alert = alert_id as string;
    await panel.act({ action: 'acknowledge', alert, by: 'Desk 2', via: 'panel' });
    await panel.act({ action: 'resolve', alert, by: 'Desk 2', via: 'panel', reason: 'Attended', note: 'By <radio>' });
    const page = await panel.text(`/panel/alerts/${alert}`);
    for (const text of ['resolved', 'by Desk 2', 'Reason: Attended', 'Note: By &lt;radio&gt;'])
      expect(page).toContain(text);
    expect(page).not.toContain('<radio>');
  });

  test('the step that is expected next has the primary button', async () => {
    const { alert_id } = await panel.act({ action: 'sos', who: 'W-004' });
    const page = await panel.text(`/panel/alerts/${alert_id}`, { cookie: await panel.cookie() });
    expect(page).toContain('<button class="primary">Acknowledge');
    expect(page).not.toMatch(/<button class="primary">(?:Reopen|Resend)/);
    await panel.act({ action: 'resolve', alert: alert_id as string, by: 'Desk 2', via: 'panel' });
  });

  test('the page of an alert names who acknowledged and who resolved, and its place as the API does', async () => {
    const { alert_id } = await panel.act({ action: 'sos', who: 'W-003' });
    const alert = alert_id as string;
    await panel.act({ action: 'acknowledge', alert, by: 'Desk 2', via: 'panel' });
    await panel.act({ action: 'resolve', alert, by: 'Night lead', via: 'panel' });
    const { location } = panel.sandbox.engine.world.need('alert', alert);
    const page = await panel.text(`/panel/alerts/${alert}`);
    const facts = words(page);
    expect(facts).toMatch(/Acknowledged .{5,40} by Desk 2 Resolved .{5,40} by Night lead On the watch/);
    expect(facts).toContain(`Raised at ${location?.latitude}, ${location?.longitude}`);
    const [, left = '', top = '', width = '', height = ''] = /viewBox="(\S+) (\S+) (\S+) (\S+)"/.exec(page) ?? [];
    const [, x, y] = /class="pin"><circle cx="(\S+)" cy="(\S+)"/.exec(page) ?? [];
    const isOnMap =
      Math.abs(Number(x) - (Number(left) + Number(width) / 2)) < Number(width) / 2 &&
      Math.abs(Number(y) - (Number(top) + Number(height) / 2)) < Number(height) / 2;
    expect(isOnMap).toBe(true);
    const person = words(await panel.text(`/panel/people/${panel.workerId('W-003')}`));
    const telemetry = panel.sandbox.engine.world.telemetry(
      panel.sandbox.engine.world.need('worker', panel.workerId('W-003')).deviceId!,
    );
    expect(person).toContain(`${telemetry.fix?.latitude}, ${telemetry.fix?.longitude} (`);
  });

  test('an unknown alert, muster, site or person is a page that says so', async () => {
    for (const kind of ['alerts', 'musters', 'sites', 'people']) {
      const answer = await panel.get(`/panel/${kind}/00000000-0000-4000-8000-000000000000`);
      expect([kind, answer.status, (await answer.text()).includes('Not found')]).toEqual([kind, 404, true]);
    }
  });

  test('a muster’s page shows the totals of the API, and who is missing with their last place and time', async () => {
    const { muster_id } = await panel.act({ action: 'start_muster', kind: 'general', site: SITE, by: 'Shift lead' });
    const muster = panel.sandbox.engine.world.need('muster', muster_id as string);
    const page = words(await panel.text(`/panel/musters/${muster_id}`));
    expect(page).toContain(`expected ${muster.totals.expected}`);
    expect(page).toContain(`${muster.totals.expected - muster.totals.safe} people are missing`);
    expect(page).toMatch(
      /W-003 [^·]*?(Yard|Jetty|Quay|Warehouse|Workshop|zones|zone|Tower|Loading|Gate|Farm)[^·]*? 15:00:0\d/,
    );
    await panel.act({ action: 'end_muster', outcome: 'completed', by: 'Shift lead', muster: muster_id as string });
    const over = words(await panel.text(`/panel/musters/${muster_id}`));
    expect(over).toContain('Ended: completed by Shift lead');
    expect(over).not.toContain('are missing');
  });

  test('after a muster the pages of its site and of itself list who was not safe, until the next muster starts', async () => {
    const site = `/panel/sites/${panel.siteId(SITE)}`;
    const start = () => panel.act({ action: 'start_muster', kind: 'general', site: SITE, by: 'Shift lead' });
    const { muster_id } = await start();
    const page = `/panel/musters/${muster_id}`;
    await panel.act({ action: 'cannot_evacuate', who: 'W-005', reason: 'trapped' });
    await panel.clock.advance(10_000);
    expect(words(await panel.text(site))).not.toContain('not safe at the end');
    await panel.act({ action: 'end_muster', outcome: 'completed', by: 'Shift lead', muster: muster_id as string });
    const { totals } = panel.sandbox.engine.world.need('muster', muster_id as string);
    const missing = totals.expected - totals.safe;
    for (const path of [site, page]) {
      const text = words(await panel.text(path));
      expect(text).toContain(`${missing} people were not safe at the end`);
      expect(text).toMatch(/▲ Trapped [^·]*? W-005 [^·]*? at 15:\d\d/);
      expect(text).toContain(panel.worker('W-005').name);
    }
    // The bar keeps its red parts.
    const red = [...(await panel.text(page)).matchAll(/<rect class="rescue" x="\d+" width="(\d+)"/g)];
    expect(red.reduce((sum, [, people]) => sum + Number(people), 0)).toBe(2);
    expect(words(await panel.text(page))).toContain('2 to rescue at the end');
    const home = words(await panel.text('/panel'));
    expect(home).toContain(`2 to rescue, ${missing} of ${totals.expected} not safe at the end of the muster`);
    expect(words(await panel.text('/panel/musters'))).toContain(`${missing} not safe at the end`);
    expect(home).not.toMatch(/all quiet/);
    const report = words(await panel.text(`${page}/report`));
    expect(report.indexOf('Not safe at the end')).toBeLessThan(report.indexOf('Assembly points'));
    expect(report).toMatch(/W-005 .*?Trapped [^·]*? at 15:\d\d/);
    const next = await start();
    for (const path of [site, page]) expect(words(await panel.text(path))).not.toContain('were not safe at the end');
    await panel.act({
      action: 'end_muster',
      outcome: 'cancelled',
      by: 'Shift lead',
      muster: next['muster_id'] as string,
    });
  });

  test('a worker’s page has a timeline of the watch, the alerts and the musters, the newest first', async () => {
    const path = `/panel/people/${panel.workerId('W-009')}`;
    const { alert_id } = await panel.act({ action: 'sos', who: 'W-009' });
    await panel.clock.advance(1_000);
    await panel.act({ action: 'acknowledge', alert: alert_id as string, by: 'Desk 7', via: 'panel' });
    await panel.clock.advance(1_000);
    const { muster_id } = await panel.act({ action: 'start_muster', kind: 'general', site: SITE, by: 'Shift lead' });
    const muster = muster_id as string;
    await panel.act({ action: 'mark_safe', muster, who: 'W-009', by: 'Desk 8' });
    await panel.clock.advance(10_000);
    await panel.act({ action: 'end_muster', outcome: 'completed', by: 'Shift lead', muster });
    const part = words(await panel.text(`${path}?part=timeline`));
    const order = [
      'The general muster ended: safe',
      'Marked safe in the general muster by Desk 8',
      `SOS: ${panel.worker('W-009').name}`,
    ].map((text) => part.indexOf(text));
    expect(order.every((place) => place >= 0)).toBe(true);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    for (const pattern of [
      /Counted as safe in the general muster/,
      /Last position: \w/,
      /Last contact of the watch \S+: worn, battery \d+ %/,
      /by Desk 7/,
    ])
      expect(part).toMatch(pattern);
    expect(words(await panel.text(path))).toContain('The general muster ended: safe');
    const nobody = '/panel/people/00000000-0000-4000-8000-000000000000?part=timeline';
    expect((await panel.get(nobody)).status).toBe(404);
  });

  test('the timeline of a worker under the veil has no position', async () => {
    const site = panel.siteId('Fundición Cerro Pardo');
    const [veiled] = [...panel.sandbox.engine.world.indexes.workersOfSite.of(site).values()];
    const part = words(await panel.text(`/panel/people/${veiled?.id}?part=timeline`));
    expect(part).toContain('Last contact of the watch');
    expect(part).not.toContain('Last position');
  });

  test('the veil hides the last places after a muster of an on-demand site, on the page and in the report', async () => {
    const name = 'Fundición Cerro Pardo';
    const { muster_id } = await panel.act({ action: 'start_muster', kind: 'general', site: name, by: 'Shift lead' });
    await panel.clock.advance(10_000);
    const report = `/panel/musters/${muster_id}/report`;
    const unsafe = async () => words((await panel.text(report)).split('Assembly points')[0] ?? '');
    expect(await unsafe()).not.toContain('withheld');
    await panel.act({ action: 'end_muster', outcome: 'completed', by: 'Shift lead', muster: muster_id as string });
    const site = words(await panel.text(`/panel/sites/${panel.siteId(name)}`));
    expect(site).toMatch(/not safe at the end .* withheld/);
    expect(await unsafe()).toContain('withheld');
    expect(await unsafe()).not.toMatch(/ at 15:\d\d /);
  });

  test('a muster’s page that is opened late has the whole curve, and its report is a page and three tables', async () => {
    const { muster_id } = await panel.act({ action: 'start_muster', kind: 'general', site: SITE, by: 'Shift lead' });
    const path = `/panel/musters/${muster_id}`;
    await panel.post('/panel/inbox', { what: 'open' }, { cookie: await panel.cookie() });
    await panel.clock.advance((isWhole ? 8 : 4) * 60_000);
    // Each row of its deliveries says what that event changed, not the title that all of them have.
    const deliveries = words(await panel.text(`/panel/deliveries?about=${muster_id}&type=muster.updated`));
    expect(new Set(deliveries.match(/safe \d+ to \d+/g)).size).toBeGreaterThan(3);
    const { totals } = panel.sandbox.engine.world.need('muster', muster_id as string);
    expect(totals.safe).toBeGreaterThan(10);
    // Each change of the number is a step of two lines: across and up.
    const curve = async () => /class="line" d="([^"]+)"/.exec(await panel.text(path))?.[1]?.match(/L/g)?.length ?? 0;
    expect(await curve()).toBeGreaterThan(10);
    await panel.act({ action: 'end_muster', outcome: 'completed', by: 'Shift lead', muster: muster_id as string });
    expect(await curve()).toBeGreaterThan(10);
    const report = await panel.get(`${path}/report`);
    expect([report.status, report.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(words(await report.text())).toContain(SIGN);
    for (const [part, header] of [
      ['', 'worker_id'],
      ['?part=timeline', 'at'],
      ['?part=course', 'at'],
    ] as const) {
      const table = await panel.get(`${path}/report.csv${part}`);
      expect(table.headers.get('content-disposition')).toMatch(/^attachment; filename="muster-[0-9a-f-]+-\w+\.csv"$/);
      const [first, ...rows] = (await table.text()).split('\r\n');
      expect([part, first]).toEqual([part, expect.stringContaining(header)]);
      expect(rows.length).toBeGreaterThan(1);
    }
    expect((await panel.get(`${path}/report.csv?part=nothing`)).status).toBe(404);
    expect((await panel.get('/panel/musters/00000000-0000-4000-8000-000000000000/report')).status).toBe(404);
    expect(await withHost('evil.example', `${path}/report.csv`)).toBe(403);
  });

  test('a page with names shows them, and the veil of an on-demand site keeps its people off the map', async () => {
    const site = await panel.text(`/panel/sites/${panel.siteId('Fundición Cerro Pardo')}`);
    expect(words(site)).toContain('withheld');
    expect(site).toMatch(/class="dots person" d=""/);
    const [someone] = [
      ...panel.sandbox.engine.world.indexes.workersOfSite.of(panel.siteId('Fundición Cerro Pardo')).values(),
    ];
    expect(site).toContain(someone?.name);
  });

  test('the list can be filtered by the address, turned around, and shown whole', async () => {
    const list = (page: string) => /class="people">[\s\S]*?<tbody>([\s\S]*?)<\/tbody>/.exec(page)?.[1] ?? '';
    const path = `/panel/sites/${panel.siteId(SITE)}`;
    expect(list(await panel.text(`${path}?filter=W-004`)).match(/<tr/g)).toHaveLength(1);
    const others = list(await panel.text(`${path}?filter=!W-004`));
    expect(others).not.toContain('W-004');
    expect(others.match(/<tr/g)?.length).toBe(50);
    expect(words(await panel.text(`${path}?filter=nobody-is-called-so`))).toContain('Nobody fits the filter.');
  });

  test('their style and script are packed, kept for good, and under 60 KB with the page', async () => {
    const packed = { 'accept-encoding': 'gzip' };
    const page = await panel.text('/panel');
    let bytes = (await rawBytes('/panel', packed)).length;
    for (const [, path] of page.matchAll(/(?:src|href)="(\/panel\/assets\/[^"]+)"/g)) {
      expect((await panel.get(path as string)).headers.get('cache-control')).toContain('immutable');
      bytes += (await rawBytes(path as string, packed)).length;
    }
    expect(bytes).toBeGreaterThan(5_000);
    expect(bytes).toBeLessThan(60_000);
    expect((await panel.get('/panel/assets/0/panel.js')).status).toBe(404);
  });
});

function rawBytes(path: string, headers: Record<string, string>): Promise<Buffer> {
  return new Promise((done, failed) => {
    request(`${panel.url}${path}`, { headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('end', () => done(Buffer.concat(chunks)));
    })
      .once('error', failed)
      .end();
  });
}

describe('permission to read pages', () => {
  test('a request by an address of this machine may read; no foreign host name reaches a page', async () => {
    expect(await withHost('localhost', '/panel')).toBe(200);
    for (const host of ['evil.example', 'evil.example:4600', '127.0.0.1.evil.example'])
      for (const path of ['/', '/panel', '/panel/alerts', '/panel/musters'])
        expect([host, await withHost(host, path)]).toEqual([host, 403]);
  });

  test('a request from elsewhere may read only with the control token, and learns that a token is wrong', async () => {
    const open = await Panel.start({
      host: '0.0.0.0',
      credentials: { control_token: 'a_control_token_of_its_own_0123456789' },
    });
    try {
      const url = open.url.replace('0.0.0.0', '127.0.0.1');
      const read = (headers: Record<string, string> = {}) =>
        fetch(`${url}/panel/alerts`, { headers, redirect: 'manual' });
      const stranger = await read();
      expect([stranger.status, (await stranger.text()).includes('data-ticket')]).toEqual([401, false]);
      expect((await fetch(`${url}/panel?token=wrong`, { redirect: 'manual' })).status).toBe(401);
      const link = await fetch(`${url}/panel/alerts?token=${open.token}`, { redirect: 'manual' });
      expect([link.status, link.headers.get('location')]).toEqual([303, '/panel/alerts']);
      const cookie = link.headers.get('set-cookie') ?? '';
      expect((await read({ cookie: cookie.split(';')[0] as string })).status).toBe(200);
    } finally {
      await open.stop();
    }
  });
});

describe('permission to act', () => {
  const alert = async () =>
    (await panel.act({ action: 'call_request', who: `W-0${10 + ++callers}` }))['alert_id'] as string;
  let callers = 0;
  const status = (id: string) => panel.sandbox.engine.world.need('alert', id).status;

  test('the banner’s link becomes a cookie that no script reads and no other site sends, and leaves the address', async () => {
    const answer = await panel.get(`/panel?token=${panel.token}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/panel']);
    const cookie = answer.headers.get('set-cookie') ?? '';
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(part);
    const typed = await panel.post('/panel/enter', { token: panel.token, to: '/panel/alerts' });
    expect([typed.status, typed.headers.get('location'), typed.headers.get('set-cookie')]).toEqual([
      303,
      '/panel/alerts',
      cookie,
    ]);
    const old = await panel.get('/panel?token=of_yesterday');
    expect([old.status, old.headers.get('set-cookie')]).toEqual([401, null]);
    const wrong = await panel.post('/panel/enter', { token: 'guess' });
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null]);
    const elsewhere = await panel.post('/panel/enter', { token: panel.token, to: 'https://evil.example/panel' });
    expect(elsewhere.headers.get('location')).toBe('/panel');
  });

  test('a page offers nothing to do to whoever has not shown it, and a form all the same is refused', async () => {
    const id = await alert();
    expect(await panel.text(`/panel/alerts/${id}`)).not.toContain('/panel/actions');
    const answer = await panel.post('/panel/actions', { action: 'acknowledge', alert: id });
    expect([answer.status, status(id)]).toEqual([401, 'unacknowledged']);
  });

  test('a form acts in the operator’s own name, and leads back to its page', async () => {
    const id = await alert();
    const cookie = await panel.cookie();
    const named = await panel.post('/panel/operator', { operator: 'M. Vidal; Ñ' }, { cookie });
    const headers = {
      cookie: `${cookie}; ${named.headers.get('set-cookie')?.split(';')[0]}`,
      referer: `${panel.url}/panel/alerts/${id}`,
    };
    const page = await panel.text(`/panel/alerts/${id}`, headers);
    expect(page).toContain('/panel/actions');
    expect(page).toContain('value="M. Vidal; Ñ"');
    const answer = await panel.post('/panel/actions', { action: 'acknowledge', alert: id }, headers);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/panel/alerts/${id}`]);
    expect(panel.sandbox.engine.world.need('alert', id).acknowledged?.by).toBe('M. Vidal; Ñ');
  });

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:9' }],
  ])('a form of %s is refused, cookie or not', async (_whose, headers) => {
    const id = await alert();
    const cookie = await panel.cookie();
    const answer = await panel.post('/panel/actions', { action: 'acknowledge', alert: id }, { cookie, ...headers });
    expect([answer.status, status(id)]).toEqual([403, 'unacknowledged']);
  });

  test('what is wrong with a form is said where it stood; a script gets it as JSON', async () => {
    const id = await alert();
    const cookie = await panel.cookie();
    const say = async (fields: Record<string, string>) => {
      const answer = await panel.post('/panel/actions', fields, { cookie, accept: 'application/json' });
      return [answer.status, ((await answer.json()) as { said: string }).said];
    };
    expect(await say({ action: 'reopen', alert: id })).toEqual([409, expect.stringContaining('resolved')]);
    expect(await say({ action: 'resolve', alert: id, reason: 'x'.repeat(201) })).toEqual([
      422,
      expect.stringContaining('reason'),
    ]);
    expect(await say({ action: 'acknowledge', alert: '00000000-0000-4000-8000-000000000000' })).toEqual([
      404,
      expect.any(String),
    ]);
    expect(await say({ action: 'sos', who: 'W-001' })).toEqual([403, expect.stringContaining('sandbox trigger')]);
    expect(await say({ action: 'nonsense' })).toEqual([422, expect.stringContaining('not an action')]);
    expect(await say({ __proto__x: '1', action: 'acknowledge', alert: id })).toEqual([
      422,
      expect.stringContaining('__proto__x'),
    ]);
    const page = await panel.post('/panel/actions', { action: 'reopen', alert: id }, { cookie });
    expect([page.status, (await page.text()).includes('Not done')]).toEqual([409, true]);
    expect(status(id)).toBe('unacknowledged');
  });

  test('all of the control room is there: an alert’s life, and a muster from its start to its end', async () => {
    const cookie = await panel.cookie();
    const id = await alert();
    const press = async (fields: Record<string, string>) => {
      const answer = await panel.post('/panel/actions', fields, { cookie, accept: 'application/json' });
      expect([fields['action'], answer.status, await answer.text()]).toEqual([
        fields['action'],
        200,
        expect.any(String),
      ]);
    };
    await press({ action: 'acknowledge', alert: id, note: '' });
    await press({ action: 'assign', alert: id, to: 'Control desk 2' });
    await press({ action: 'resolve', alert: id, reason: 'Called back', note: '' });
    await press({ action: 'reopen', alert: id });
    expect(panel.sandbox.engine.world.need('alert', id)).toMatchObject({
      status: 'unacknowledged',
      assignedTo: 'Control desk 2',
    });

    const { world } = panel.sandbox.engine;
    const site = panel.siteId(SITE);
    const zone = [...world.all('zone')].find(({ siteId, name }) => siteId === site && name === 'Tank Farm')?.id ?? '';
    await press({
      action: 'start_muster',
      site,
      kind: 'general',
      reason: '',
      deadline: '',
      'origin.zone': zone,
      'origin.radius_m': '50',
    });
    const muster = world.indexes.activeMuster(site);
    expect(muster).toMatchObject({
      kind: 'general',
      origin: { zone: { id: zone }, radiusM: 50 },
      timeline: [{ by: 'Control room' }],
    });
    const point = muster?.targets[0]?.id ?? '';
    await press({ action: 'exclude_point', muster: muster?.id ?? '', point, reason: 'Smoke' });
    await press({ action: 'reinstate_point', muster: muster?.id ?? '', point });
    await press({ action: 'change_kind', muster: muster?.id ?? '', to: 'tsunami', deadline: '30m' });
    await press({ action: 'mark_safe', muster: muster?.id ?? '', who: panel.workerId('W-007') });
    await press({ action: 'panel_sos', who: panel.workerId('W-008') });
    await press({ action: 'end_muster', muster: muster?.id ?? '', outcome: 'completed' });
    await press({ action: 'start_muster', site, kind: 'tsunami', 'origin.zone': '', 'origin.radius_m': '50' });
    expect(world.indexes.activeMuster(site)?.origin).toBeNull();
    await press({ action: 'end_muster', muster: world.indexes.activeMuster(site)?.id ?? '', outcome: 'cancelled' });
    const [veiled] = [...world.indexes.workersOfSite.of(panel.siteId('Fundición Cerro Pardo')).values()];
    await press({ action: 'unveil', who: veiled?.id ?? '', duration: '15m' });
    expect(words(await panel.text(`/panel/people/${veiled?.id}`))).not.toContain('on-demand veil');
  });

  test('a panel user who leaves may only read', async () => {
    const cookie = await panel.cookie();
    const left = await panel.post('/panel/leave', {}, { cookie });
    expect(left.headers.get('set-cookie')).toContain('Max-Age=0');
  });

  test('no token is in the log', async () => {
    await panel.cookie();
    await panel.sandbox.engine.flush();
    expect(JSON.stringify(await panel.sandbox.store.requests({ limit: 200 }))).not.toContain(panel.token);
  });
});

describe('a base address with a path', () => {
  const ROOT = '/some/path';
  let behind: Panel;
  beforeAll(async () => {
    behind = await Panel.start({ ...watchOption(12), publicUrl: `https://sandbox.example${ROOT}` });
  });
  afterAll(() => behind.stop());

  /** The addresses of a page: of every attribute, but for the page to which a form returns. */
  const addressesIn = (page: string): string[] =>
    [...page.matchAll(/\s([a-z-]+)="(\/[^"]*)"/g)]
      .filter(([, name]) => name !== 'value' && name !== 'data-root')
      .map(([, , address = '']) => address.replaceAll('&amp;', '&'));

  test('is before every link, form, script and style of all pages, which lead to something', async () => {
    const { alert_id } = await behind.act({ action: 'sos', who: 'W-001' });
    const { muster_id } = await behind.act({ action: 'start_muster', kind: 'general', site: SITE, by: 'Shift lead' });
    const cookie = await behind.cookie();
    await behind.post('/panel/inbox', { what: 'open' }, { cookie });
    const known = new Map<string, string>(
      [
        ...['/', '/panel', '/panel/alerts', '/panel/musters', '/panel/deliveries', '/panel/calls', '/panel/enter'],
        ...[`/panel/alerts/${alert_id}`, `/panel/musters/${muster_id}`, `/panel/people/${behind.workerId('W-001')}`],
        ...[`/panel/musters/${muster_id}/report`, `/panel/sites/${behind.siteId(SITE)}`, '/panel/nowhere'],
        ...['/guide/', '/problems/not-found', ...(isWhole ? ['/docs', '/guide/webhooks.html'] : [])],
      ].map((path) => [path, 'the test']),
    );
    /** Whether a page of the guide is in the sample. */
    const ofGuide = new Map<string, boolean>();
    for (const [path] of known) {
      const page = await behind.text(path, { cookie, accept: 'text/html' });
      // What a script draws, browser.test.ts follows.
      const addresses = page.trimStart().startsWith('<!') ? addressesIn(page) : [];
      expect([path, addresses.filter((one) => !one.startsWith(`${ROOT}/`))]).toEqual([path, []]);
      // Pages of the same kind have the same links, and a sample of the guide decides.
      for (const one of addresses) {
        const linked = one.slice(ROOT.length).split(/[?#]/)[0] ?? '';
        const kind = linked.replace(/[0-9a-f]{8}-[0-9a-f-]+/, 'ID');
        if (kind === linked && !known.has(linked) && !page.includes(`action="${one}"`)) {
          if (linked.startsWith('/guide/') && !ofGuide.has(linked))
            ofGuide.set(linked, isWhole || ofGuide.size % 4 === 0);
          if (ofGuide.get(linked) === false) continue;
          known.set(linked, path);
          expect([path, linked, (await behind.get(linked, { cookie })).status < 400]).toEqual([path, linked, true]);
        }
      }
    }
    expect(known.size).toBeGreaterThan(20);
  });

  test('is before the place of every redirect, and of the cookie', async () => {
    const cookie = await behind.cookie();
    const origin = 'https://sandbox.example';
    const post = (path: string, fields: Record<string, string>) =>
      behind.post(path, fields, { cookie, origin, referer: `${origin}${ROOT}/panel/alerts?all` });
    const answers = [
      await behind.get('/panel/'),
      await behind.get(`/panel/alerts?token=${behind.token}`),
      await behind.get('/guide'),
      await behind.get('/guide/webhooks'),
      await behind.get('/llms.txt'),
      await post('/panel/enter', { token: behind.token, to: '/panel/calls' }),
      await post('/panel/operator', { operator: 'Ana' }),
      await post('/panel/inbox', { what: 'close' }),
      await post('/panel/leave', {}),
    ];
    expect(answers.map(({ headers }) => headers.get('location'))).toEqual([
      ...['/panel', '/panel/alerts', '/guide/', '/guide/webhooks.html', '/guide/llms.txt'].map((to) => ROOT + to),
      ...['/panel/calls', '/panel/alerts?all', '/panel/deliveries', '/panel'].map((to) => ROOT + to),
    ]);
    expect(answers[1]?.headers.get('set-cookie')).toContain(`; Path=${ROOT}; Secure`);
  });

  test('is in the documents and problems of the API', async () => {
    const base = `https://sandbox.example${ROOT}`;
    for (const path of isWhole ? ['/openapi.json', '/openapi-3.0.json', '/v1/sandbox/openapi.json'] : ['/openapi.json'])
      expect((JSON.parse(await behind.text(path)) as { servers: { url: string }[] }).servers[0]?.url).toBe(base);
    expect(JSON.parse(await behind.text('/v1/alerts'))).toMatchObject({ type: `${base}/problems/invalid-token` });
    expect(JSON.parse(await behind.text('/problems/not-found'))).toMatchObject({ type: `${base}/problems/not-found` });
  });

  test('is also removed without a proxy, so that the links work on this machine', async () => {
    expect((await behind.get(`${ROOT}/panel`)).status).toBe(200);
    expect((await behind.get(ROOT)).status).toBe(200);
    expect((await behind.get(`${ROOT}er/panel`)).status).toBe(404);
  });

  test('no script of a page requests an address without it', () => {
    const folders = ['service/panel/browser', 'service/api/reference/browser', 'service/api/guide/browser'];
    const wrong = folders.flatMap((folder) =>
      readdirSync(join(SOURCES, folder))
        .filter((name) => name.endsWith('.ts'))
        .flatMap((name) =>
          [...readFileSync(join(SOURCES, folder, name), 'utf8').matchAll(/(?:\(|=|: )\s*(['"`])\/[a-z].*/g)].map(
            ([line]) => `${folder}/${name}: ${line}`,
          ),
        ),
    );
    expect(wrong).toEqual([]);
  });
});
