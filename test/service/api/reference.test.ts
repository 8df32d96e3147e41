/** The API reference: an index, a page for each operation and schema, the events and the problems. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SITE_LINKS } from '../../../src/base/text/site-header.ts';
import { EVENT_TYPES } from '../../../src/contract/enumerations.ts';
import { PROBLEM_CODES, problemSlug } from '../../../src/contract/problems.ts';
import { CONTRACT_WORDS } from '../../../src/contract/words.ts';
import { ReferenceSite } from '../../../src/service/api/reference/site.ts';
import { unless } from '../../helpers/unless.ts';
import { sampled } from '../../helpers/whole.ts';
import { document } from './documented.ts';
import { ApiHarness } from './harness.ts';

const site = new ReferenceSite(document);
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
const page = (path: string): string => site.page(path) ?? '';
const idsIn = (text: string): Set<string> => new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id));
const linksIn = (text: string): string[] => [...text.matchAll(/\shref="([^"]+)"/g)].map(([, to = '']) => to);
const wordsIn = (text: string): string => text.replace(/<style>.*?<\/style>/s, '').replace(/<[^>]*>/g, '');

/** Pages outside of the reference to which it links. */
const OTHERS = new Set<string>([
  ...SITE_LINKS.map(([to]) => to),
  ...['/openapi.json', '/openapi-3.0.json', '/v1/sandbox/openapi.json'],
  ...PROBLEM_CODES.map((code) => `/problems/${problemSlug(code)}`),
]);

const paths = new Set(['', ...site.paths()]);

/** The links of a page that lead nowhere. */
function broken(path: string, text: string): string[] {
  return [...new Set(linksIn(text))].filter((link) => {
    if (link.startsWith('data:') || OTHERS.has(link)) return false;
    const [to = '', id] = link.split('#');
    const name = to === '' ? path : to.replace(/^\/docs\/?/, '');
    return !paths.has(name) || (id !== undefined && !idsIn(page(name)).has(id));
  });
}

describe('the pages of the reference', () => {
  for (const { row: path, skip } of sampled([...paths], 12))
    unless(skip).test(`/docs/${path} leads nowhere else, and has one script and no other resource`, () => {
      const text = page(path);
      expect(broken(path, text)).toEqual([]);
      expect(text.replace('<script src="/docs/reference.js"></script>', '')).not.toMatch(/<script|<img|\bon\w+=|url\(/);
      expect(text.match(/<link /g)).toHaveLength(1);
      expect(text.match(/<h1/g)).toHaveLength(1);
      const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
      expect(ids).toEqual([...new Set(ids)]);
    });

  test('are one for each operation, with its parameters, answers, example and errors', () => {
    for (const { operationId } of operations)
      expect([operationId, site.page(operationId) !== undefined]).toEqual([operationId, true]);
    const text = wordsIn(page('updateAlert'));
    for (const word of ['/v1/alerts/{alert_id}', 'alerts:write', 'In the path', 'Body', 'Answer 200', 'curl -s'])
      expect(text).toContain(word);
    expect(text).toContain('invalid_transition');
    expect(linksIn(page('updateAlert'))).toEqual(
      expect.arrayContaining(['/docs/getAlert', '/docs/listMusters', '/docs/schemas/Alert']),
    );
  });

  test('have no name that belongs to another page', () => {
    const names = site.paths();
    expect(names).toHaveLength(new Set(names).size);
    for (const name of ['reference.js', 'search.json']) expect(names).not.toContain(name);
  });

  test('mark the operations that only a sandbox has', () => {
    expect(page('getClock')).toContain('exist in the sandbox only');
    expect(page('listAlerts')).not.toContain('exist in the sandbox only');
  });

  test('of a schema have its fields and what uses it', () => {
    const text = page('schemas/LowBatteryDetails');
    expect(wordsIn(text)).toContain('battery_pct');
    expect(linksIn(text)).toContain('/docs/schemas/LowBatteryAlert');
    expect(linksIn(page('schemas/AlertUpdate'))).toContain('/docs/updateAlert');
    expect(site.page('schemas/constructor')).toBeUndefined();
  });

  test('of the events have an example of each type, and no method or path of theirs', () => {
    const ids = idsIn(page('events'));
    for (const type of EVENT_TYPES) expect(ids).toContain(`event-${type}`);
    expect(site.page('receiveAlertEvent')).toBeUndefined();
  });

  test('are where the words of the contract are explained', () => {
    const pages = new Set(CONTRACT_WORDS.map((word) => word.page).filter((path) => path.startsWith('/docs')));
    expect([...pages].filter((path) => site.page(path.slice('/docs/'.length)) === undefined)).toEqual([]);
  });
});

describe('the index', () => {
  test('has an entry with a link for each anchor that the former single page had', () => {
    const ids = idsIn(page(''));
    const former = [
      ...operations.map(({ operationId }) => operationId),
      ...Object.keys(document.components.schemas).map((name) => `schema-${name}`),
      ...EVENT_TYPES.map((type) => `event-${type}`),
      ...document.tags.map(({ name }) => name.toLowerCase().replaceAll(' ', '-')),
      ...['first-steps', 'conventions', 'errors', 'limits', 'versions', 'event-payloads', 'problems', 'schemas'],
    ];
    expect(former.filter((id) => !ids.has(id))).toEqual([]);
    expect(page('')).toContain('<li id="schema-Alert"><a href="/docs/schemas/Alert">');
    expect(page('')).toMatch(/<li id="listAlerts"><a href="\/docs\/listAlerts">/);
  });

  test('is small: it lists operations, and describes none', () => {
    expect(page('').length).toBeLessThan(70_000);
    expect(page('')).not.toContain('class="tree"');
  });
});

describe('an unknown page', () => {
  test.each([
    ['listAlert', '/docs/listAlerts'],
    ['LISTALERTS', '/docs/listAlerts'],
    ['alert', '/docs/schemas/Alert'],
    ['v1/alerts', '/docs/listAlerts'],
    ['schemas/Alrt', '/docs/schemas/Alert'],
  ])('%s offers %s', (path, near) => {
    const [main = ''] = /<main[\s\S]*/.exec(site.missing(path)) ?? [];
    expect(linksIn(main)).toContain(near);
  });

  test('shows its name as text', () => {
    expect(site.missing('<b>x')).toContain('<code>&lt;b&gt;x</code>');
    expect(site.missing('x'.repeat(5_000)).length).toBeLessThan(site.missing('x').length + 200);
  });
});

describe('the search', () => {
  const entries = JSON.parse(site.search()) as [to: string, page: string, heading: string, text: string][];
  const found = (...words: string[]): string[] =>
    entries
      .filter((entry) => words.every((word) => entry.slice(1).join(' ').toLowerCase().includes(word)))
      .map(([to]) => to);

  test('finds operations by path and id, schemas by field and value, events and problems', () => {
    expect(found('rotate')).toContain('rotateWebhookSecret');
    expect(found('min_severity')).toContain('listAlerts');
    expect(found('battery_pct')).toContain('schemas/LowBatteryDetails');
    expect(found('fall_detected')).toContain('schemas/AlertType');
    expect(found('muster.ended')).toContain('events#event-muster.ended');
    expect(found('409', 'invalid_transition')).toContain('../problems/invalid-transition');
  });

  test('has entries that lead to pages', () => {
    const addresses = [...new Set(entries.map(([to]) => new URL(to, 'http://sandbox/docs/')))];
    const wrong = addresses.filter(({ pathname, hash }) => {
      if (OTHERS.has(pathname)) return false;
      const text = site.page(pathname.slice('/docs/'.length));
      return text === undefined || (hash !== '' && !idsIn(text).has(hash.slice(1)));
    });
    expect(wrong.map(String)).toEqual([]);
  });
});

describe('over http', () => {
  let harness: ApiHarness;
  beforeAll(async () => {
    harness = await ApiHarness.start();
  });
  afterAll(() => harness.stop());
  const get = (path: string, accept = '*/*'): Promise<Response> =>
    fetch(`${harness.url}${path}`, { headers: { accept } });

  test.each([
    '/docs',
    '/docs/',
    '/docs/listAlerts',
    '/docs/schemas/Alert',
    '/docs/nothing',
  ])('%s is a page that permits no other host', async (path) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      path === '/docs/nothing' ? 404 : 200,
      'text/html; charset=utf-8',
    ]);
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'",
    );
  });

  test('the script and the index of the search are served beside the pages', async () => {
    const [script, index] = [await get('/docs/reference.js'), await get('/docs/search.json')];
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect([index.status, index.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  });

  test('a problem is a page of the reference for a browser, with the operations that may answer it, and JSON for a program', async () => {
    const shown = await get('/problems/invalid-transition', 'text/html');
    const text = await shown.text();
    expect(shown.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(linksIn(text)).toEqual(expect.arrayContaining(['/docs/updateAlert', '/docs/problems', '/panel']));
    for (const path of ['/problems', '/problems/']) {
      const index = await (await get(path, 'text/html')).text();
      for (const part of ['<header class="site-header">', '/problems/invalid-transition'])
        expect(index).toContain(part);
      const { data } = (await (await get(path)).json()) as { data: { code: string }[] };
      expect(data.map(({ code }) => code)).toEqual(PROBLEM_CODES);
    }
    expect(await (await get('/problems/invalid-transition')).json()).toMatchObject({
      code: 'invalid_transition',
      status: 409,
    });
  });
});
