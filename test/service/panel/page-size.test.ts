/** The bytes of the largest page. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { crowded } from '../../../bench/crowd.ts';
import { loadAssets } from '../../../src/service/panel/assets.ts';
import { livePage } from '../../../src/service/panel/document.ts';
import { sitePage } from '../../../src/service/panel/pages/overview.ts';
import type { PanelLook } from '../../../src/watching/regions/scene.ts';
import { PANEL_USER, SITE_ID, worldOf } from '../../dashboard/harbour.ts';

const MOST_BYTES = 60_000;

test('the page of a site with 2,000 people, style and script included, is at most 60,000 bytes compressed, however irregular their positions, names and ids are', async () => {
  const first = crowded(0);
  const look: PanelLook = {
    world: worldOf(first),
    now: Date.parse(first.clock.now),
    reader: PANEL_USER,
  };
  const page = sitePage(look, SITE_ID, []);
  if (page === null) throw new Error('the harbour is gone');
  const assets = await loadAssets();
  const text = livePage({ assets, look, ticket: 'ticket', root: '', path: `/panel/sites/${SITE_ID}`, page });
  const bytes = [text, assets.style.text, assets.script.text].map((part) => gzipSync(part).length);
  expect(bytes.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(MOST_BYTES);
});
