/** Every command and every block of code of the README and of docs/ works, in an empty project with the package from its tarball. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { ATTEMPTS, RETRY_TIMES } from '../../src/contract/resources/retry-schedule.ts';
import { GUIDE } from '../../src/service/api/guide/contents.ts';
import { NOTE } from '../generated/markdown.ts';
import { type InstalledPackage, installed } from '../helpers/installed.ts';
import { unless } from '../helpers/unless.ts';
import { isWhole, withoutWhole } from '../helpers/whole.ts';
import { blocksOf, type CodeBlock, unprinted } from './blocks.ts';
import { headingsOf, isShipped } from './shipped.ts';
import { Terminal } from './terminal.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Their blocks are what their sources have, where each is tested. A page with a generated table is none of them. */
const isGenerated = (text: string): boolean => text.split('\n')[2] === NOTE;

const PAGES = [
  'README.md',
  'SKILL.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
const WRITTEN = PAGES.filter(({ text }) => !isGenerated(text) && blocksOf(text, '').length > 0);

/** A page plays scenarios, drills and a certify beside the others; ms. */
const PAGE_MS = 300_000;

let project: InstalledPackage;
beforeAll(() => {
  if (isWhole) project = installed();
});
afterAll(() => project?.remove());

/** Neither output, nor what needs something that is not here, nor lines of a recipe, which test/product/library.test.ts runs. */
const isRun = ({ run }: CodeBlock): boolean => run.how !== 'not' && run.how !== 'recipe';

/** How long a command that stays open may take to print what a page shows of it; ms. */
const PRINT_MS = 20_000;

// Only .ci/run runs them; for `npm test`, test/house-commands.test.ts compares their commands and flags with the product.
for (const { path, text } of WRITTEN)
  unless(withoutWhole).test(path, { concurrent: true, timeout: PAGE_MS }, async () => {
    const terminal = new Terminal(project, path);
    let printed = () => '';
    try {
      for (const block of blocksOf(text, path))
        if (isRun(block)) printed = await runBlock(terminal, block, path, printed);
    } finally {
      await terminal.close();
    }
  });

/** Resolves with the output of the block; of the block before it where this one runs nothing. */
async function runBlock(
  terminal: Terminal,
  { run, text, line }: CodeBlock,
  path: string,
  printed: () => string,
): Promise<() => string> {
  const shell = async (command: string) => {
    const output = await terminal.shell(command);
    return () => output;
  };
  const file = `block-${line}.mjs`;
  try {
    switch (run.how) {
      case 'until':
        return await terminal.until(run.what, text);
      case 'save':
        terminal.save(run.what, text);
        return /\.(?:scenario|explore)\.yaml$/.test(run.what) ? shell(`npx sandbox validate ${run.what}`) : printed;
      case 'needs':
        return await shell(`command -v ${run.what} >/dev/null || exit 0\n${text}`);
      case 'data':
        JSON.parse(text);
        return printed;
      case 'module':
        terminal.save(file, text);
        return await shell(`node ${file}`);
      case 'shell':
        return await shell(text);
      case 'prints':
        await vi.waitFor(() => expect(unprinted(text, printed()), printed()).toEqual([]), PRINT_MS);
        return printed;
      default:
        return printed;
    }
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

test('the retry schedule on the page of webhooks is that of the contract', () => {
  const text = PAGES.find(({ path }) => path === 'docs/webhooks.md')?.text ?? '';
  const [times = '', last = ''] = RETRY_TIMES.split(', 1 h and then hourly until ');
  expect(text).toContain(`at these times after the event: ${times} and 1 h. After that, it is sent every hour until`);
  expect(text).toContain(`every hour until ${last.split(' after')[0]}. These are ${ATTEMPTS} attempts in total.`);
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
  expect(left.length).toBeLessThan(16);
});

/** Paths of links and pictures, without those of the web, of a running sandbox and of the page itself. */
const linksOf = (text: string): [path: string, heading: string][] =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/\]\((?!https?:|#|\/)([^)#\s]+)(?:#([^)]*))?\)/g)].map(
    ([, to = '', heading = '']) => [to, heading],
  );

test('links between the pages lead to a file of the package, and to a heading of it', () => {
  const broken = PAGES.flatMap(({ path, text }) =>
    linksOf(text)
      .filter(([to, heading]) => {
        const target = relative(ROOT, resolve(ROOT, path, '..', to));
        if (!existsSync(join(ROOT, target)) || !isShipped(target)) return true;
        return heading !== '' && !headingsOf(readFileSync(join(ROOT, target), 'utf8')).includes(heading);
      })
      .map(([to, heading]) => `${path}: ${to}#${heading}`),
  );
  expect(broken).toEqual([]);
});

test('every page is in the navigation of the guide', () => {
  const pages = GUIDE.flatMap(({ pages: names }) => names);
  const docs = PAGES.filter(({ path }) => path.startsWith('docs/')).map(({ path }) => path.slice(5, -3));
  expect([...pages].sort()).toEqual(docs.sort());
});

test('the skill for coding agents is short, and named as the folder in which an agent finds it', () => {
  const { text } = PAGES.find(({ path }) => path === 'SKILL.md')!;
  const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  const { name, description } = parse(head) as { name: string; description: string };
  expect(name).toBe(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).name);
  expect(description.length).toBeLessThanOrEqual(1_024);
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  expect(isShipped('SKILL.md')).toBe(true);
});

/** Words outside of code, of comments and of generated tables. */
function handWritten(text: string): number {
  const prose = text
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/<!-- Generated:[\s\S]*?<!-- The end of the table/g, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/\]\([^)]*\)/g, ']');
  return prose.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

test('no page that is written by hand has more than 2,500 words', () => {
  const long = PAGES.filter(({ text }) => !isGenerated(text) && handWritten(text) > 2_500).map(({ path }) => path);
  expect(long).toEqual([]);
});
