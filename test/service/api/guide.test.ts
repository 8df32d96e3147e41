/** The documentation as a site at /guide/: every page, link and heading is there, and nothing is loaded from elsewhere. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PALETTE } from '../../../src/contract/resources/palette.ts';
import { COLOUR_TOKENS, type Term, VOCABULARY } from '../../../src/contract/resources/vocabulary.ts';
import { brokenLinks, GuideSite, linksIn } from '../../../src/service/api/guide/site.ts';
import { ApiHarness } from './harness.ts';

const site = new GuideSite({ isServed: true });
let harness: ApiHarness;
beforeAll(async () => {
  harness = await ApiHarness.start();
});
afterAll(() => harness.stop());

const get = (path: string): Promise<Response> => fetch(`${harness.url}${path}`, { redirect: 'manual' });

test('every file of the site is served, with its type and a policy that allows no other host', async () => {
  const types = new Map<string, string>();
  for (const path of site.paths()) {
    const response = await get(`/guide/${path}`);
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    types.set(path, response.headers.get('content-type') ?? '');
  }
  expect(types.get('index.html')).toBe('text/html; charset=utf-8');
  expect(types.get('dashboard.svg')).toBe('image/svg+xml');
  expect(types.size).toBeGreaterThan(70);
});

test('the pages load nothing from elsewhere, and have no inline script', async () => {
  for (const path of site.paths().filter((one) => one.endsWith('.html'))) {
    const page = await (await get(`/guide/${path}`)).text();
    expect(page.replace('<script src="guide.js"></script>', '')).not.toMatch(
      /<script|\son\w+="|(?:src|srcset)="https?:/,
    );
    expect(page).toMatch(/<h1 id="[^"]+">/);
    expect(linksIn(page)).toContain('guide.css');
  }
});

test('every link and picture leads to a file of the site, and every anchor to a heading', async () => {
  const pages = new Map<string, string>();
  for (const path of site.paths()) if (path.endsWith('.html')) pages.set(path, String((await site.file(path))?.body));
  const files = new Set(site.paths());
  const broken = [];
  for (const one of brokenLinks(pages, files)) {
    // Sources of examples and scenarios are served, and no pages.
    const target = one.slice(one.indexOf(': ') + 2).split('#')[0] ?? '';
    if (files.has(target) || (await get(`/guide/${target}`)).status !== 200) broken.push(one);
  }
  expect(broken).toEqual([]);
});

test('the legend shows the colour of each term, as the pages have it', async () => {
  const [page, style] = await Promise.all(
    ['legend.html', 'guide.css'].map(async (path) => (await get(`/guide/${path}`)).text()),
  );
  const swatches = [...(page ?? '').matchAll(/<i class="swatch (\w+)"><\/i> (\w+)<\/td>/g)].map(([, colour, word]) => [
    colour,
    word,
  ]);
  const terms = Object.values(VOCABULARY).flatMap((group) => Object.values<Term>(group));
  expect(swatches).toEqual(terms.map(({ token }) => [token, token]));
  for (const token of COLOUR_TOKENS)
    for (const part of [
      `.swatch.${token}{background:var(--${token})}`,
      `--${token}:light-dark(${PALETTE[token].light},`,
    ])
      expect(style).toContain(part);
});

test('a name without its ending leads to the page, and /guide to the first', async () => {
  expect((await get('/guide/webhooks')).headers.get('location')).toBe('/guide/webhooks.html');
  expect((await get('/guide')).headers.get('location')).toBe('/guide/');
  expect((await get('/llms.txt')).headers.get('location')).toBe('/guide/llms.txt');
  expect(await (await get('/guide/')).text()).toContain('<title>Guide · muster-sandbox</title>');
});

test.each([
  'package.json',
  'docs/install.md',
  'internal/architecture.md',
  'scenarios/../package.json',
  'scenarios/%2e%2e/package.json',
  'examples',
  'deploy/receiver',
  'src/index.ts',
])('%s is no file of the site', async (path) => {
  expect(await site.file(decodeURIComponent(path))).toBeUndefined();
  expect((await get(`/guide/${path}`)).status).toBe(404);
});

test('the search has every section of every page', async () => {
  const entries = (await (await get('/guide/search.json')).json()) as [string, string, string, string][];
  expect(entries.length).toBeGreaterThan(300);
  expect(entries.map(([file]) => file)).toEqual(
    expect.arrayContaining(['webhooks.html#rotate-the-secret', 'events.html#musterended']),
  );
});

test.each([
  ['two workers same second', 'scenario-how-to.html#let-two-workers-act-in-the-same-second'],
  ['nothing else happened', 'scenario-how-to.html#check-that-nothing-else-happened'],
  ['never event any', 'scenario-how-to.html#check-that-nothing-else-happened'],
  ['three days', 'scenario-how-to.html#let-three-days-pass-in-one-run'],
  ['clock advance not simulated', 'scenario-how-to.html#let-three-days-pass-in-one-run'],
  ['own receiver pytest', 'testing.html#pytest-junit-5-and-go'],
  ['pin version package.json ci', 'upgrading.html#pin-the-version-so-that-results-stay'],
  ['canonical log change', 'upgrading.html#pin-the-version-so-that-results-stay'],
  ['serial watch colleague', 'scenario-how-to.html#find-the-serial-of-a-watch-and-swap-two-watches'],
  ['battery 0 %', 'scenario-how-to.html#let-a-battery-run-empty'],
  ['battery empty', 'scenario-how-to.html#let-a-battery-run-empty'],
  ['start_muster origin', 'scenario-how-to.html#say-where-the-danger-of-a-muster-is'],
  ['crowd name', 'scenario-how-to.html#use-a-crowd-by-its-name'],
  ['exit code 4', 'troubleshooting.html#exit-codes'],
  ['exit code 5', 'troubleshooting.html#exit-codes'],
])('the search for "%s" finds its section, in which every word is', async (query, section) => {
  const entries = (await (await get('/guide/search.json')).json()) as [string, string, string, string][];
  const words =
    entries
      .find(([file]) => file === section)
      ?.slice(1)
      .join(' ')
      .toLowerCase() ?? '';
  expect(query.split(' ').filter((word) => !words.includes(word))).toEqual([]);
});

test('llms.txt has a line for each page, and llms-full.txt all of them', async () => {
  const short = await (await get('/guide/llms.txt')).text();
  const lines = [...short.matchAll(/^- \[[^\]]+\]\(([^)]+)\): (.*)$/gm)];
  expect(lines.length).toBeGreaterThan(30);
  for (const [, to, summary = ''] of lines) {
    expect([to, (await get(`/guide/${to}`)).status]).toEqual([to, 200]);
    expect([to, summary.length > 15]).toEqual([to, true]);
  }
  const whole = await (await get('/guide/llms-full.txt')).text();
  expect(whole).toContain('# Going to production');
  expect(whole).not.toContain('<!-- run:');
});
