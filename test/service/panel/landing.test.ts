/** The page at `/`: links, a client's first requests, and forms that make something happen. [decisions 9, 10] */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SITE_LINKS } from '../../../src/base/text/site-header.ts';
import { Panel, words } from './panel.ts';

const SITE = 'Terminal Puerto Alerce';

let panel: Panel;
let cookie: string;
beforeAll(async () => {
  panel = await Panel.start({ watches: 40 });
  cookie = await panel.cookie();
});
afterAll(() => panel.stop());

const secrets = (): string[] => panel.sandbox.ready.clients.map(({ client_secret }) => client_secret);
const press = (fields: Record<string, string>, headers: Record<string, string> = { cookie }) =>
  panel.post('/panel/try', fields, headers);

describe('the landing page', () => {
  test('leads to the panel and the documents, each of which is there, and says how the sandbox stands', async () => {
    const page = await panel.text('/');
    const links = [...page.matchAll(/<li><a href="([^"]+)"/g)].map(([, to]) => to as string);
    expect(links).toEqual([
      ...['/panel', '/panel/deliveries', '/panel/calls', '/guide/', '/docs'],
      ...['/openapi.json', '/openapi-3.0.json', '/asyncapi.json', '/healthz'],
    ]);
    for (const link of links) expect([link, (await panel.get(link)).status]).toEqual([link, 200]);
    const workers = [...panel.sandbox.engine.world.all('worker')].filter(({ isActive }) => isActive).length;
    expect(words(page)).toMatch(new RegExp(`people ${workers} \\d+ on the map open alerts 0`));
  });

  test('tells no secret to whoever has not shown the control token, and offers them the command line', async () => {
    const page = await panel.text('/');
    for (const secret of [...secrets(), panel.token]) expect(page).not.toContain(secret);
    expect(page).toContain('$SANDBOX_CLIENT_SECRET');
    expect(page).toContain('sandbox trigger fall');
    expect(page).not.toContain('/panel/try');
  });

  test('has the first requests of a client with its secret for the control token alone, and not for the cookie', async () => {
    const page = await panel.text('/', { cookie });
    for (const secret of [...secrets(), panel.token]) expect(page).not.toContain(secret);
    const ask = (token: string, headers = {}) => panel.post('/panel/secrets', { token }, headers);
    for (const wrong of ['', 'guess', secrets()[0] ?? '']) {
      const refused = await ask(wrong, { cookie });
      expect([refused.status, await refused.text()]).toEqual([401, expect.not.stringContaining('client_secret')]);
    }
    expect((await ask(panel.token, { origin: 'https://evil.example' })).status).toBe(403);
    const shown = await ask(panel.token);
    const text = await shown.text();
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(text).toContain(`client_secret=${secrets()[0]}`);
    expect(text).not.toContain(panel.token);
    expect(text).not.toContain(secrets()[1]);
  });

  test('has the addresses of the API and of the broker and the client id, each with a button that copies it', async () => {
    const page = await panel.text('/');
    const { api_url, mqtt_url, clients } = panel.sandbox.ready;
    const texts = { 'api-url': api_url, 'client-id': clients[0]?.client_id, 'mqtt-url': mqtt_url };
    for (const [id, text] of Object.entries(texts)) expect(page).toContain(`<code id="${id}">${text}</code>`);
    const copied = [...page.matchAll(/data-copy="([^"]+)"/g)].map(([, id]) => id);
    expect(copied).toEqual([...Object.keys(texts), 'first-requests']);
    for (const id of copied) expect(page).toContain(`id="${id}"`);
    const shown = await (await panel.post('/panel/secrets', { token: panel.token })).text();
    expect(shown).toContain(`<code id="client-secret">${secrets()[0]}</code>`);
    expect(shown).toContain('data-copy="client-secret"');
    expect(shown).toContain('<script type="module" src="/panel/assets/');
  });

  test('the banner’s link works there too', async () => {
    const answer = await panel.get(`/?token=${panel.token}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
  });
});

test('panel, guide, reference and pages of problems have one header, with the same links', async () => {
  const headers = new Map<string, readonly string[]>();
  for (const path of [
    '/',
    '/panel',
    '/panel/enter',
    '/guide/webhooks.html',
    '/docs/listAlerts',
    '/problems/not-found',
  ]) {
    const page = await panel.text(path, { accept: 'text/html' });
    const [header = ''] = /<header class="site-header">[\s\S]*?<\/header>/.exec(page) ?? [];
    const links = [...header.matchAll(/<a href="(?:\.\.)?([^"]+)"[^>]*>([^<]+)/g)].map(
      ([, to, text]) => `${text} ${to}`,
    );
    headers.set(
      path,
      links.filter((link) => !link.includes('/sites/')),
    );
    expect(header).toContain('Sandbox: a simulation.');
  }
  const links = SITE_LINKS.map(([to, text]) => `${text} ${to}`);
  expect([...headers].filter(([, found]) => JSON.stringify(found) !== JSON.stringify(links))).toEqual([]);
});

describe('its buttons', () => {
  test('act for nobody who has not shown the control token, and for no foreign page', async () => {
    const alerts = () => [...panel.sandbox.engine.world.all('alert')].length;
    const before = alerts();
    expect((await press({ what: 'sos', who: 'W-014' }, {})).status).toBe(401);
    expect((await press({ what: 'sos', who: 'W-014' }, { cookie, origin: 'https://evil.example' })).status).toBe(403);
    expect(alerts()).toBe(before);
  });

  test.each(['fall', 'sos'])('make a %s, and lead to its alert', async (what) => {
    const answer = await press({ what, who: what === 'fall' ? 'W-014' : 'W-015' });
    expect(answer.status).toBe(303);
    const to = answer.headers.get('location') ?? '';
    expect(to).toMatch(/^\/panel\/alerts\//);
    expect((await panel.get(to)).status).toBe(200);
  });

  test('start a muster in the operator’s name, and say why a second one is refused', async () => {
    const site = panel.siteId(SITE);
    const answer = await press({ what: 'muster', site, kind: 'general' });
    expect(answer.headers.get('location')).toMatch(/^\/panel\/musters\//);
    expect(panel.sandbox.engine.world.indexes.activeMuster(site)?.timeline[0]?.by).toBe('Control room');
    const again = await press({ what: 'muster', site, kind: 'general' });
    expect([again.status, words(await again.text())]).toEqual([409, expect.stringContaining('active')]);
  });

  test('play a scenario, whose verdict stands on the page when it is over', async () => {
    expect(words(await panel.text('/', { cookie }))).toContain('No scenario was run here');
    for (const token of [{}, { token: 'guess' }])
      expect((await press({ what: 'scenario', scenario: 'fall-to-sos', ...token })).status).toBe(401);
    expect(words(await panel.text('/', { cookie }))).toContain('No scenario was run here');
    const answer = await press({ what: 'scenario', scenario: 'fall-to-sos', token: panel.token });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/#scenarios']);
    expect(await panel.text('/?part=runs', { cookie })).toMatch(/running[\s\S]*fall-to-sos[\s\S]*data-runs/);
    await panel.clock.advance(10 * 60_000);
    const part = await panel.text('/?part=runs', { cookie });
    expect(words(part)).toMatch(/passed fall-to-sos (\d+) of \1 steps/);
    expect(part).not.toContain('data-runs');
  });

  test('refuse what they do not know, and a scenario that is not there', async () => {
    expect((await press({ what: 'move', who: 'W-001' })).status).toBe(422);
    expect((await press({ what: 'fall', who: '' })).status).toBe(422);
    expect((await press({ what: 'scenario', scenario: '../../etc/passwd', token: panel.token })).status).toBe(404);
  });
});
