/** Writes the guide as static files for any web server: `npm run guide -- [FOLDER]` (out/guide). Fails on a link that leads nowhere. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { brokenLinks, GuideSite, linksIn } from '../../src/service/api/guide/site.ts';

const folder = resolve(process.argv[2] ?? 'out/guide');
const site = new GuideSite({ isServed: false });
rmSync(folder, { recursive: true, force: true });

const pages = new Map<string, string>();
const write = async (path: string): Promise<void> => {
  const file = await site.file(path);
  if (file === undefined) throw new Error(`The guide has no ${path}.`);
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), file.body);
  if (path.endsWith('.html')) pages.set(path, String(file.body));
};

const written = new Set<string>();
for (const path of site.paths()) {
  await write(path);
  written.add(path);
}
// Sources of examples and scenarios that a page links to.
for (const html of [...pages.values()])
  for (const link of linksIn(html)) {
    const path = link.split('#')[0] ?? '';
    if (path === '' || written.has(path) || (await site.file(path)) === undefined) continue;
    await write(path);
    written.add(path);
  }

const broken = brokenLinks(pages, written);
for (const one of broken) console.error(`broken link  ${one}`);
console.log(`${pages.size} pages, ${written.size} files in ${folder}`);
process.exitCode = broken.length === 0 ? 0 : 1;
