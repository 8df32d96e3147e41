/** A page that calls the API in a real browser, whose HAR is judged: as the page of a customer is recorded. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ContractJudge } from '../../../src/proving/compare/judging/judge.ts';
import { readRecording } from '../../../src/proving/compare/recorded.ts';
import { groupedDeviations } from '../../../src/proving/compare/report.ts';
import type { Sandbox } from '../../../src/sandbox/start.ts';
import { unless } from '../../helpers/unless.ts';
import { launch, withoutBrowser } from '../../service/panel/chromium.ts';
import { DeviatingService, type Patch } from './deviating-service.ts';
import { DEVIATIONS } from './deviations.ts';
import { DEVIATIONS_ACROSS } from './deviations-across.ts';
import { live, startedWith, stopTime } from './live-service.ts';

/** The page reads what a dashboard of alerts and evacuations reads, one after the other, and lists again at the end. */
const PAGE = (client: {
  client_id: string;
  client_secret: string;
}) => `<!doctype html><title>Control room</title><script type="module">
const form = new URLSearchParams({ grant_type: 'client_credentials', ...${JSON.stringify(client)} });
const { access_token } = await (await fetch('/v1/oauth/token', { method: 'POST', body: form })).json();
const headers = { authorization: 'Bearer ' + access_token };
const get = async (path) => (await fetch(path, { headers })).json();
await get('/v1/sites');
const { data: alerts } = await get('/v1/alerts?limit=200');
for (const { id } of alerts) await get('/v1/alerts/' + id);
await get('/v1/workers?limit=200');
await get('/v1/devices?limit=200');
await get('/v1/workers?limit=200');
const { data: musters } = await get('/v1/musters');
for (const { id } of musters) for (const path of ['', '/missing', '']) await get('/v1/musters/' + id + path);
await get('/v1/alerts?limit=200');
await get('/v1/events');
await get('/v1/alerts/nothing');
document.title = 'done';
</script>`;

let service: Sandbox;
let build: DeviatingService;
let pages: Server;
let browser: Browser;
const folder = mkdtempSync(join(tmpdir(), 'browser-har-'));

unless(...withoutBrowser).describe('the HAR of a browser', () => {
  beforeAll(async () => {
    service = await startedWith({}, true);
    await live(service);
    await stopTime(service);
    build = await DeviatingService.before(service.ready.api_url);
    const client = service.ready.clients[0] as { client_id: string; client_secret: string };
    // The page and the API have one origin, as behind the reverse proxy of a customer.
    pages = createServer(async (request, response) => {
      if (request.url === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE(client));
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { authorization, 'content-type': type } = request.headers;
      const answer = await fetch(`${build.url}${request.url}`, {
        method: request.method ?? 'GET',
        headers: {
          ...(authorization === undefined ? {} : { authorization }),
          ...(type === undefined ? {} : { 'content-type': type }),
        },
        ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
      });
      const {
        'content-length': _,
        'transfer-encoding': __,
        connection: ___,
        ...headers
      } = Object.fromEntries(answer.headers);
      return response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
    });
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    pages?.close();
    await build?.stop();
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function judged(name: string, patch: Patch): Promise<{ operations: number; clauses: string[] }> {
    build.patch = patch;
    const path = join(folder, `${name}.har`);
    const context = await browser.newContext({ recordHar: { path, content: 'embed' } });
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
    await page.waitForFunction('document.title === "done"');
    await context.close();
    const judge = new ContractJudge({ secrets: [] });
    const deviations = readRecording(path).flatMap((one) => judge.add(one));
    const groups = groupedDeviations(deviations, { isRedacted: false, known: new Set() });
    return { operations: judge.judged.size, clauses: groups.map(({ clause }) => clause) };
  }

  test('of a true service has nothing that deviates', async () => {
    const { operations, clauses } = await judged('true', () => undefined);
    expect(operations).toBeGreaterThanOrEqual(9);
    expect(clauses).toEqual([]);
  });

  test.each([
    'an alert has no vehicle_warnings',
    'the missing list has somebody who is safe',
    'nobody with an open SOS needs rescue',
    'a watch names nobody',
    'the log lacks the end of a muster',
  ])('names the clause where %s', async (name) => {
    const found = [...DEVIATIONS, ...DEVIATIONS_ACROSS].find((one) => one.name === name);
    expect(found).toBeDefined();
    expect((await judged('deviating', found?.patch ?? (() => undefined))).clauses).toEqual([found?.clause]);
  });
});
