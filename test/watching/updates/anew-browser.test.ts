/** In a real browser: after any changes, each region of a page is as one that is drawn anew, its map and its legend among them. */
import { buildSync } from 'esbuild';
import { expect } from 'vitest';
import type { StreamChange } from '../../../src/contract/stream.ts';
import { ChangeLog } from '../../../src/service/api/stream/change-log.ts';
import { PANEL_USER } from '../../dashboard/harbour.ts';
import { unless } from '../../helpers/unless.ts';
import { launch, withoutBrowser } from '../../service/panel/chromium.ts';
import { SurfaceReader } from '../../surfaces/reader.ts';
import { SurfaceWorld } from '../../surfaces/world.ts';

const WORLDS = Number(process.env['SURFACE_WORLDS'] ?? 2);
const MOMENTS = 60;

const UPDATES = buildSync({
  stdin: {
    contents: `
      import { REGION_NAMES, regionView, triggersOf } from './src/watching/regions/regions.ts';
      import { afterChange, afterSnapshot, EMPTY_STATE } from './src/watching/state/state.ts';
      import { drawAges, LiveRegions } from './src/watching/updates/regions.ts';
      globalThis.product = { REGION_NAMES, regionView, triggersOf, afterChange, afterSnapshot, EMPTY_STATE, drawAges, LiveRegions };`,
    resolveDir: `${import.meta.dirname}/../../..`,
    loader: 'ts',
  },
  bundle: true,
  write: false,
  format: 'iife',
}).outputFiles[0]!.text;

/** A page with each region about each site, and by place; after every change, what differs from a region that is drawn anew. */
const FOLLOW = `(snapshot, changes, reader) => {
  const { REGION_NAMES, regionView, triggersOf, afterChange, afterSnapshot, EMPTY_STATE, drawAges, LiveRegions } = product;
  let world = afterSnapshot(EMPTY_STATE, snapshot, 0);
  let now = Date.parse(world.clock.now);
  const look = (by) => ({ world, now, reader: { ...reader, by } });
  const [site, other] = world.sites.keys();
  const abouts = [{}, { site }, { site: other, worker: world.people.keys().next().value, pin: '43.36,-8.41' }];
  const made = (region, about, by) => {
    const element = document.body.appendChild(document.createElement('section'));
    element.innerHTML = regionView(region, look(by), about).text;
    return element;
  };
  const parts = [...abouts.flatMap((about) => REGION_NAMES.map((region) => ({ region, about, by: 'person' }))),
    ...abouts.map((about) => ({ region: 'people', about, by: 'place' }))].map((part) => ({ ...part, live: new LiveRegions(), element: made(part.region, part.about, part.by) }));
  const draw = (subject) => {
    for (const { region, about, by, live, element } of parts)
      if (subject === null || triggersOf(region).includes(subject)) live.draw(element, region, look(by), about);
  };
  draw(null);
  const differing = [];
  for (const [n, change] of changes.entries()) {
    world = afterChange(world, change, 0, { keeps: false });
    now = Date.parse(world.clock.now);
    draw(change.subject);
    if (n % Math.ceil(changes.length / 15) !== 0 && n < changes.length - 1) continue;
    draw('second');
    for (const { region, about, by, element } of parts) {
      const anew = made(region, about, by);
      new LiveRegions().draw(anew, region, look(by), about);
      for (const place of document.querySelectorAll('[data-whose]')) place.textContent = '';
      drawAges(now);
      if (!element.isEqualNode(anew)) differing.push({ n, subject: change.subject, region, about, by, live: element.innerHTML.split('><'), anew: anew.innerHTML.split('><') });
      anew.remove();
    }
    if (differing.length > 0) break;
  }
  document.body.replaceChildren();
  return { differing, compared: parts.length };
}`;

async function changesOf(seed: number) {
  const world = await SurfaceWorld.make(`updates ${seed}`);
  const { engine, past } = world.harness;
  const viewer = () => ({ viewer: null, scopes: [] });
  const reader = new SurfaceReader(engine, world.clock, new ChangeLog(engine, world.clock), past, viewer);
  const snapshot = reader.snapshot();
  const changes: StreamChange[] = [];
  reader.changed = (_, change) => changes.push(change);
  for (let n = 0; n < MOMENTS; n++) {
    await world.moment();
    reader.flush();
  }
  reader.end();
  await world.stop();
  return { snapshot, changes };
}

unless(...withoutBrowser).test('a region that follows the changes is as one that is drawn anew', async () => {
  const browser = await launch();
  const page = await (await browser.newContext()).newPage();
  await page.setContent(
    '<style>section{position:absolute;contain:strict;width:700px;height:700px}svg{width:660px;height:470px}</style><body data-root="">',
  );
  await page.addScriptTag({ content: UPDATES });
  for (let seed = 1; seed <= WORLDS; seed++) {
    const { snapshot, changes } = await changesOf(seed);
    expect(changes.length).toBeGreaterThan(50);
    const { differing, compared } = (await page.evaluate(
      `(${FOLLOW})(${JSON.stringify(snapshot)}, ${JSON.stringify(changes)}, ${JSON.stringify(PANEL_USER)})`,
    )) as {
      differing: readonly { readonly live: readonly string[]; readonly anew: readonly string[] }[];
      compared: number;
    };
    expect(compared).toBeGreaterThan(50);
    const [first] = differing;
    expect(first).toEqual(first === undefined ? first : { ...first, live: first.anew });
  }
  await browser.close();
});
