/** What the panel costs a browser: the bytes of a page, and the script of an update in which 2,000 people have moved, against only reading it. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { loadAssets } from '../src/panel/assets.ts';
import { livePage } from '../src/panel/document.ts';
import { sitePage } from '../src/panel/pages/overview.ts';
import type { PanelLook } from '../src/panel/view/scene.ts';
import { SITE_ID, worldOf } from '../test/dashboard/harbour.ts';
import { hasChromium, launch } from '../test/panel/chromium.ts';
import { crowded, PEOPLE } from './crowd.ts';
import { measured } from './table.ts';

const UPDATES = 20;
const ROUNDS = 6;
/** A page and what it loads, packed; and the script of an update. */
const BUDGET = { bytes: 60_000, ms: 5 };

const BARE = `<!doctype html><title>bare</title><p id="live">live</p><script type="module">
new EventSource('/v1/sandbox/stream').addEventListener('change', ({ data }) => { window.last = JSON.parse(data); });</script>`;

export async function benchPanel(): Promise<void> {
  if (!hasChromium) {
    console.log('panel: no Chromium here; CHROMIUM names one');
    return;
  }
  const first = crowded(0);
  const look: PanelLook = {
    world: worldOf(first),
    now: Date.parse(first.clock.now),
    reader: { acts: true, operator: 'Control room', filter: '', all: false, by: 'person', cli: 'sandbox' },
  };
  const assets = await loadAssets();
  const path = `/panel/sites/${SITE_ID}`;
  const page = sitePage(look, SITE_ID);
  if (page === null) throw new Error('the harbour is gone');
  const text = livePage({ assets, look, ticket: 'bench', path, page });
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
