/** Every command and every block of code of the README and of docs/ works, in an empty project with the package from its tarball. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NOTE } from '../generated/markdown.ts';
import { type InstalledPackage, installed } from '../helpers/installed.ts';
import { isSampled } from '../helpers/whole.ts';
import { blocksOf, type CodeBlock } from './blocks.ts';
import { Terminal } from './terminal.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Their blocks are what their sources have, where each is tested. A page with a generated table is none of them. */
const isGenerated = (text: string): boolean => text.split('\n')[2] === NOTE;

const PAGES = ['README.md', ...readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))].map((name) => {
  const path = name === 'README.md' ? name : `docs/${name}`;
  return { path, text: readFileSync(join(ROOT, path), 'utf8') };
});
const WRITTEN = PAGES.filter(({ text }) => !isGenerated(text) && blocksOf(text, '').length > 0);

/** A page plays scenarios, drills and a certify beside the others; ms. */
const PAGE_MS = 300_000;

let project: InstalledPackage;
beforeAll(() => {
  project = installed();
});
afterAll(() => project.remove());

/** Neither output, nor what needs something that is not here, nor lines of a recipe, which test/product/library.test.ts runs. */
const isRun = ({ run }: CodeBlock): boolean => run.how !== 'not' && run.how !== 'recipe';

// `npm test` runs the README, .ci/run every page.
for (const [place, { path, text }] of WRITTEN.entries())
  test.skipIf(!isSampled(place, WRITTEN.length))(path, { concurrent: true, timeout: PAGE_MS }, async () => {
    const terminal = new Terminal(project, path);
    try {
      for (const block of blocksOf(text, path)) if (isRun(block)) await runBlock(terminal, block, path);
    } finally {
      await terminal.close();
    }
  });

async function runBlock(terminal: Terminal, { run, text, line }: CodeBlock, path: string): Promise<void> {
  const file = `block-${line}.mjs`;
  try {
    if (run.how === 'until') await terminal.until(run.what, text);
    else if (run.how === 'save') {
      terminal.save(run.what, text);
      if (/\.(?:scenario|explore)\.yaml$/.test(run.what)) await terminal.shell(`npx sandbox validate ${run.what}`);
    } else if (run.how === 'needs') await terminal.shell(`command -v ${run.what} >/dev/null || exit 0\n${text}`);
    else if (run.how === 'data') JSON.parse(text);
    else if (run.how === 'module') {
      terminal.save(file, text);
      await terminal.shell(`node ${file}`);
    } else if (run.how === 'shell') await terminal.shell(text);
  } catch (error) {
    throw new Error(`${path}:${line}: ${(error as Error).message}`);
  }
}

test('what a page shows of a recipe is what the recipe has', () => {
  const shown = PAGES.flatMap(({ path, text }) =>
    isGenerated(text) ? [] : blocksOf(text, path).filter(({ run }) => run.how === 'recipe'),
  );
  for (const { run, text } of shown)
    if (run.how === 'recipe') expect(readFileSync(join(ROOT, 'examples/testing', run.what), 'utf8')).toContain(text);
  expect(shown.length).toBeGreaterThan(0);
});

test('few blocks are left out, each with its reason', () => {
  const left = PAGES.flatMap(({ path, text }) =>
    isGenerated(text)
      ? []
      : blocksOf(text, path).flatMap(({ run, line }) =>
          run.how === 'not' && run.what !== 'output' ? [`${path}:${line} ${run.what}`] : [],
        ),
  );
  expect(left.filter((one) => one.split(' ').length < 3)).toEqual([]);
  expect(left.length).toBeLessThan(14);
});

test('links between the pages lead somewhere', () => {
  const broken = PAGES.flatMap(({ path, text }) =>
    [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/\]\((?!https?:|#|\/)([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, to = '']) => to)
      .filter((to) => {
        try {
          readdirSync(resolve(ROOT, path, '..', to));
          return false;
        } catch (error) {
          return (error as NodeJS.ErrnoException).code !== 'ENOTDIR';
        }
      })
      .map((to) => `${path}: ${to}`),
  );
  expect(broken).toEqual([]);
});
