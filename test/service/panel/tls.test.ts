/** The panel of `up --tls` in a browser that trusts the authority: it opens, it is live, and it acts. [cli, up --tls; decisions 10] */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fetchTrusting } from '../../../src/base/network/trusting-fetch.ts';
import { ownFolder } from '../../helpers/own-folder.ts';
import { unless } from '../../helpers/unless.ts';
import { watchOption } from '../../helpers/whole.ts';
import { CHROMIUM, withoutBrowser } from './chromium.ts';
import { Panel } from './panel.ts';

/** Of a browser on a busy machine; ms. */
const PRESS_MS = 30_000;

const folder = ownFolder();
afterAll(() => folder.remove());
let panel: Panel;
let context: BrowserContext;

/** By a database of certificates where the tool for one is installed; else by the key of the server. */
const hasCertutil = spawnSync('certutil', ['-H']).error === undefined;

function trust(caFile: string): { env: Record<string, string>; args: string[] } {
  if (!hasCertutil) {
    const server = readFileSync(join(panel.sandbox.ready.data_dir, 'server.pem'), 'utf8');
    const key = new X509Certificate(server).publicKey.export({ type: 'spki', format: 'der' });
    const pin = createHash('sha256').update(key).digest('base64');
    return { env: {}, args: [`--ignore-certificate-errors-spki-list=${pin}`] };
  }
  const database = join(folder.path, '.pki/nssdb');
  mkdirSync(database, { recursive: true });
  const certutil = (...args: string[]) => execFileSync('certutil', ['-d', `sql:${database}`, ...args]);
  certutil('-N', '--empty-password');
  certutil('-A', '-t', 'C,,', '-n', 'sandbox', '-i', caFile);
  return { env: { HOME: folder.path }, args: [] };
}

const launch = async ({ env, args }: { env: Record<string, string>; args: string[] }, name: string) =>
  chromium.launchPersistentContext(join(folder.path, name), {
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', ...args],
    env: { ...(process.env as Record<string, string>), ...env },
  });

unless(...withoutBrowser).describe('the panel of a sandbox of https', () => {
  beforeAll(async () => {
    panel = await Panel.start({ ...watchOption(12), tls: true });
    context = await launch(trust(panel.sandbox.ready.ca_file ?? ''), 'trusting');
  });
  afterAll(async () => {
    await context?.close();
    await panel?.stop();
  });

  test('opens, is live, and acts by a cookie for https alone', async () => {
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(`${panel.url}/panel?token=${panel.token}`);
    expect(new URL(page.url()).protocol).toBe('https:');
    await page.locator('#live', { hasText: /^live$/ }).waitFor();
    const cookies = await context.cookies();
    expect(cookies.filter(({ name }) => name.startsWith('sandbox_panel_'))).toEqual([
      expect.objectContaining({ secure: true, httpOnly: true, sameSite: 'Strict' }),
    ]);
    const { alert_id } = await panel.act({ action: 'sos', who: 'W-001' });
    await page.goto(`${panel.url}/panel/alerts/${alert_id}`);
    await page
      .locator('button', { hasText: /acknowledge/i })
      .first()
      .click();
    // The page has the word before it is pressed, too.
    const world = panel.sandbox.engine.world;
    await vi.waitFor(() => expect(world.need('alert', String(alert_id)).status).toBe('acknowledged'), PRESS_MS);
    await page.locator('body', { hasText: /acknowledged/i }).waitFor();
    // Links of the documents and pages stay on https.
    expect(await page.content()).not.toMatch(/(?:href|src|action)="http:/);
    expect(complaints).toEqual([]);
  });

  test('is refused by a browser that does not trust the authority', async () => {
    const stranger = await launch({ env: { HOME: join(folder.path, 'nobody') }, args: [] }, 'strange');
    const page = await stranger.newPage();
    await expect(page.goto(`${panel.url}/panel`)).rejects.toThrow('ERR_CERT_AUTHORITY_INVALID');
    await stranger.close();
  });
});

test('a page of plain http on the same host may not act, and the cookie is for https alone whatever the public address is', async () => {
  const own = await Panel.start({
    ...watchOption(6),
    tls: true,
    publicUrl: 'http://sandbox.example',
    dataDir: folder.path,
  });
  const { ca } = own.sandbox;
  const entered = await fetchTrusting(ca, `${own.url}/panel?token=${own.token}`);
  const cookie = entered.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/; Secure$/);
  const statusFrom = async (origin: string) => {
    const headers = { origin, cookie: cookie.split(';')[0] ?? '' };
    const body = new URLSearchParams({ what: 'sos', who: 'W-001' });
    return (await fetchTrusting(ca, `${own.url}/panel/try`, { method: 'POST', headers, body })).status;
  };
  expect([await statusFrom(own.url.replace('https:', 'http:')), await statusFrom(own.url)]).toEqual([403, 303]);
  await own.stop();
});
