/** What the panel costs a browser: the bytes of a page, and the script of an update in which 2,000 people have moved, against only reading it. */

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import type { EventType } from '../src/contract/enumerations.ts';
import { type Sandbox, startSandbox } from '../src/sandbox/start.ts';
import { deliveryHeaders } from '../src/service/domain/deliveries/signature.ts';
import { emptyBatch } from '../src/service/engine/store-port.ts';
import { loadAssets } from '../src/service/panel/assets.ts';
import { livePage } from '../src/service/panel/document.ts';
import { sitePage } from '../src/service/panel/pages/overview.ts';
import type { PanelLook } from '../src/watching/regions/scene.ts';
import { SITE_ID, worldOf } from '../test/dashboard/harbour.ts';
import { CHROMIUM, launch } from '../test/service/panel/chromium.ts';
import { crowded, PEOPLE } from './crowd.ts';
import { crowdedSandbox } from './on-terminal.ts';
import { packed } from './packed.ts';
import { measured } from './table.ts';

const UPDATES = 20;
const PAINTS = 9;
const ROUNDS = 6;
/** A page and what it loads, packed; and the script of an update. */
const BUDGET = { bytes: 60_000, ms: 5 };

const BARE = `<!doctype html><title>bare</title><p id="live">live</p><script type="module">
new EventSource('/v1/sandbox/stream').addEventListener('change', ({ data }) => { window.last = JSON.parse(data); });</script>`;

export async function benchPanel(): Promise<void> {
  await benchDeliveries();
  if (CHROMIUM === '') {
    console.log('panel: no Chromium here; CHROMIUM names one');
    return;
  }
  const first = crowded(0);
  const look: PanelLook = {
    world: worldOf(first),
    now: Date.parse(first.clock.now),
    reader: {
      acts: true,
      operator: 'Control room',
      filter: '',
      all: false,
      by: 'person',
      cli: 'sandbox',
      links: '/panel',
    },
  };
  const assets = await loadAssets();
  const path = `/panel/sites/${SITE_ID}`;
  const page = sitePage(look, SITE_ID, []);
  if (page === null) throw new Error('the harbour is gone');
  const text = livePage({ assets, look, ticket: 'bench', root: '', path, page });
  const listening: ServerResponse[] = [];
  const server = createServer(({ url }, response) => {
    const asset = Object.values(assets).find((one) => one.path === url);
    if (asset !== undefined) return response.setHeader('content-type', asset.type).end(asset.text);
    if (url?.startsWith('/v1/sandbox/stream') !== true)
      return response.setHeader('content-type', 'text/html').end(url === path ? text : BARE);
    response.setHeader('content-type', 'text/event-stream');
    response.write(`event: snapshot\ndata: ${JSON.stringify(first)}\n\n`);
    return listening.push(response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await launch();
  await benchFirstPaint(browser, `${url}/bare`);
  const bare = await scriptOf(browser, `${url}/bare`, listening);
  const ours = await scriptOf(browser, url + path, listening);
  await browser.close();
  server.close();
  server.closeAllConnections();
  const bytes = [text, assets.style.text, assets.script.text].map((part) => gzipSync(part).length);
  const sum = bytes.reduce((a, b) => a + b);
  measured({ what: `page of ${PEOPLE} people, packed`, value: sum / 1024, unit: 'KB', aim: { of: 'value', most: 60 } });
  measured({
    what: `script of an update of ${PEOPLE} people, against reading them`,
    value: ours.script,
    unit: 'ms',
    bare: bare.script,
    aim: { of: 'value', most: BUDGET.ms },
  });
  console.log(
    `panel: a page of ${PEOPLE} people ${(sum / 1024).toFixed(1)} KB packed (page ${bytes[0]}, style ${bytes[1]}, script ${bytes[2]}; ${sum <= BUDGET.bytes ? 'within' : 'OVER'} 60 KB)`,
  );
  console.log(
    `panel: ${PEOPLE} people that all moved ${ours.script.toFixed(1)} ms of script (${ours.script <= BUDGET.ms ? 'within' : 'OVER'} ${BUDGET.ms}), ${(ours.script / bare.script).toFixed(1)} times only reading them (${bare.script.toFixed(1)} ms); style and layout ${ours.layout.toFixed(1)} ms`,
  );
}

/** When the home page and the page of a muster of the packed product, with 2,000 watches, are seen first, at their second request. */
async function benchFirstPaint(browser: Browser, bareUrl: string): Promise<void> {
  const product = packed();
  const { ready, act, stop } = await crowdedSandbox(product.bin, PEOPLE);
  try {
    await act({ action: 'start_muster', site: 'Terminal Puerto Alerce', kind: 'tsunami', by: 'Control room' });
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const tab = await context.newPage();
    await tab.goto(`${ready.api_url}/panel?token=${ready.control_token}`);
    await tab.goto(`${ready.api_url}/panel/musters`);
    const muster = await tab.locator('main a[href^="/panel/musters/"]').first().getAttribute('href');
    const bare = await secondPaintMs(tab, bareUrl);
    for (const [what, path] of [
      ['home page', '/panel'],
      [`muster page with ${PEOPLE} watches`, muster ?? ''],
    ] as const) {
      const value = await secondPaintMs(tab, ready.api_url + path);
      measured({ what: `first paint, ${what}`, value, unit: 'ms', bare });
      console.log(
        `panel: first paint of the ${what} ${value.toFixed(0)} ms, ${(value / bare).toFixed(1)} times a bare page (${bare.toFixed(0)} ms)`,
      );
    }
    await context.close();
  } finally {
    await stop();
    product.remove();
  }
}

/** From the beginning of the second request to the first content on the screen; wall ms, median of several. */
async function secondPaintMs(tab: Page, url: string): Promise<number> {
  await tab.goto(url);
  const times: number[] = [];
  for (let n = 0; n < PAINTS; n++) {
    await tab.goto(url, { waitUntil: 'load' });
    times.push(
      await tab.evaluate(
        () =>
          new Promise<number>((seen) =>
            new PerformanceObserver((list) => {
              const first = list.getEntriesByName('first-contentful-paint')[0];
              if (first !== undefined) seen(first.startTime);
            }).observe({ type: 'paint' as 'mark', buffered: true }),
          ),
      ),
    );
  }
  return times.toSorted((a, b) => a - b)[Math.floor(PAINTS / 2)] ?? 0;
}

const DELIVERIES = 50_000;
const VIEWS = 20;
/** Median of a page of deliveries, and of the part that a live update fetches; wall ms. */
const VIEW_BUDGET = { page: 100, part: 50 };

/** The page of deliveries over a log of 50,000: whole, filtered, in the middle of the log, and as a live update. */
async function benchDeliveries(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'));
  const sandbox = await startSandbox({ dataDir: folder, port: 0, mqttPort: 0, seed: 'bench', watches: 110 });
  try {
    const query = await fillLog(sandbox);
    for (const [what, path, budget] of [
      ['page of deliveries', '/panel/deliveries', VIEW_BUDGET.page],
      ['the same, of one type', '/panel/deliveries?type=alert.created', VIEW_BUDGET.page],
      ['the same, of a type that is rare', '/panel/deliveries?type=alert.reopened', VIEW_BUDGET.page],
      ['the same, of one worker', `/panel/deliveries?worker=${query.worker}`, VIEW_BUDGET.page],
      ['the same, in the middle of the log', `/panel/deliveries?before=${query.middle}`, VIEW_BUDGET.page],
      ['one delivery', `/panel/deliveries/${query.event}`, VIEW_BUDGET.page],
      ['live update, list', '/panel/deliveries?part=list', VIEW_BUDGET.part],
      ['live update, newest delivery', '/panel/deliveries?part=shown', VIEW_BUDGET.part],
    ] as const) {
      const { ms, bytes, packed } = await viewed(sandbox.ready.api_url + path);
      measured({ what: `${what}, of ${DELIVERIES}`, value: ms, unit: 'ms', aim: { of: 'value', most: budget } });
      console.log(
        `panel: ${what}, of ${DELIVERIES} deliveries: ${ms.toFixed(1)} ms, ${(bytes / 1024).toFixed(1)} KB (${(packed / 1024).toFixed(1)} KB packed)`,
      );
    }
  } finally {
    await sandbox.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Copies of one real event and its attempt, about alerts of 900 ids. */
async function fillLog({ store, engine, act }: Sandbox): Promise<{ worker: string; middle: number; event: string }> {
  const [client] = [...engine.world.all('client')];
  const [worker] = [...engine.world.all('worker')].filter(
    ({ organizationId }) => organizationId === client?.organizationId,
  );
  if (client === undefined || worker === undefined) throw new Error('the default world has both');
  await act({ action: 'sos', who: worker.externalId ?? '' });
  const [real] = await store.events({ organizationId: client.organizationId, limit: 1 });
  if (real === undefined) throw new Error('the SOS made an event');
  const types = ['alert.created', 'alert.acknowledged', 'alert.resolved'] as const;
  const event = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  for (let from = 0; from < DELIVERIES; from += 500) {
    const batch = emptyBatch();
    for (let n = from; n < from + 500; n++) {
      const type = n % 10_000 === 7 ? 'alert.reopened' : (types[n % 3] as EventType);
      const objectId = n % 900 === 0 ? real.objectId : `alert-${n % 900}`;
      const body = real.body.replace(real.id, event(n)).replace('alert.created', type);
      batch.events.push({ ...real, id: event(n), type, objectId, body, createdAt: real.createdAt + n + 1 });
      batch.attempts.push({
        id: `attempt-${n}`,
        deliveryId: `delivery-${n}`,
        eventId: event(n),
        eventType: type,
        tryNumber: 1,
        destinationId: 'gone',
        organizationId: client.organizationId,
        at: real.createdAt + n,
        wallAt: n,
        offsetMs: 0,
        tookMs: 12,
        outcome: 'delivered',
        status: 204,
        error: null,
        note: null,
        requestUrl: 'http://127.0.0.1:3000/hook',
        requestHeaders: deliveryHeaders(event(n), body, ['whsec_bench'], n * 1_000),
        responseBody: 'ok',
        responseHeaders: { 'content-type': 'text/plain' },
      });
    }
    await store.commit(batch);
  }
  const rows = await store.attempts({ limit: DELIVERIES });
  const middle = rows[DELIVERIES / 2]?.seq ?? 0;
  return { worker: worker.externalId ?? '', middle, event: event(DELIVERIES - 1) };
}

async function viewed(url: string): Promise<{ ms: number; bytes: number; packed: number }> {
  const times: number[] = [];
  let text = '';
  for (let view = 0; view < VIEWS; view++) {
    const begun = performance.now();
    text = await (await fetch(url)).text();
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  return { ms: times[VIEWS / 2] ?? 0, bytes: Buffer.byteLength(text), packed: gzipSync(text).length };
}

interface Cost {
  readonly script: number;
  readonly layout: number;
}

/** Wall ms of an update in the page's own thread, as the browser itself counts them. */
async function scriptOf(browser: Browser, url: string, listening: ServerResponse[]): Promise<Cost> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const tab = await context.newPage();
  await tab.goto(url, { waitUntil: 'domcontentloaded' });
  await tab.locator('#live', { hasText: /^live$/ }).waitFor();
  const debug = await context.newCDPSession(tab);
  // CPU time of the page's thread: others on the machine do not count.
  await debug.send('Performance.enable', { timeDomain: 'threadTicks' });
  const stream = listening.at(-1);
  const update = async (n: number): Promise<void> => {
    const { people } = crowded(n * 3);
    stream?.write(
      `event: change\ndata: ${JSON.stringify({ subject: 'person', at: '2026-10-05T06:12:31.000Z', people })}\n\n`,
    );
    await new Promise((done) => setTimeout(done, 100));
  };
  // The first ones are compiled.
  for (let n = 1; n <= UPDATES; n++) await update(n);
  const rounds: Cost[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const begun = await metrics();
    for (let n = 1; n <= UPDATES; n++) await update(round * UPDATES + n);
    const ended = await metrics();
    const each = (name: string): number => (((ended.get(name) ?? 0) - (begun.get(name) ?? 0)) * 1_000) / UPDATES;
    rounds.push({ script: each('ScriptDuration'), layout: each('LayoutDuration') + each('RecalcStyleDuration') });
  }
  await context.close();
  // The round that was disturbed least.
  return rounds.reduce((best, one) => (one.script < best.script ? one : best));

  async function metrics(): Promise<Map<string, number>> {
    const answer = await debug.send('Performance.getMetrics');
    return new Map(answer.metrics.map(({ name, value }) => [name, value]));
  }
}
