/** The documentation as a site: each file is made from the Markdown of the package when it is requested. */
import { posix } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { browserScript } from '../../../base/browser-script.ts';
import { shippedBytes } from '../../../base/shipped.ts';
import { GUIDE, START_PAGE } from './contents.ts';
import { framed, type GuideMenu } from './frame.ts';
import { type RenderedMarkdown, renderMarkdown } from './markdown.ts';
import { STYLE } from './style.ts';

interface GuideFile {
  readonly type: string;
  readonly body: string | Buffer;
}

/** A page: its Markdown in the package, and its name in the site. */
interface SitePage {
  readonly name: string;
  readonly source: string;
}

/** Pages of other folders, to which pages of docs/ link. */
const OTHER_PAGES: readonly SitePage[] = [
  { name: 'shipped-scenarios', source: 'scenarios/README.md' },
  { name: 'receivers', source: 'examples/README.md' },
  { name: 'test-recipes', source: 'examples/testing/README.md' },
  { name: 'deploy', source: 'deploy/README.md' },
  { name: 'changelog', source: 'CHANGELOG.md' },
  { name: 'security', source: 'SECURITY.md' },
];

const DOCS_PAGES: readonly SitePage[] = GUIDE.flatMap(({ pages }) =>
  pages.map((name) => ({ name: name === START_PAGE ? 'index' : name, source: `docs/${name}.md` })),
);
const PAGES = [...DOCS_PAGES, ...OTHER_PAGES];

const MARKDOWN = 'text/markdown; charset=utf-8';
/** The pictures of the pages. */
const PICTURE_FILES = ['dashboard.svg', 'panel.png', 'coverage.png'];
const PICTURES: Readonly<Record<string, string>> = { '.svg': 'image/svg+xml', '.png': 'image/png' };
/** Sources of examples and scenarios, which pages link to. */
const SOURCE_FILE = /^(?:examples|scenarios|deploy)\/(?:[\w-]+\/)*[\w.-]+$/;

export class GuideSite {
  readonly #version = (JSON.parse(read('package.json')) as { version: string }).version;
  readonly #isServed: boolean;
  readonly #rendered = new Map<string, RenderedMarkdown>();
  #search: Promise<string> | null = null;

  /** `isServed` is true if a sandbox serves the site and has the API reference too. */
  constructor({ isServed }: { isServed: boolean }) {
    this.#isServed = isServed;
  }

  /** All paths, for a copy of the whole site. Sources of examples are not included. */
  paths(): string[] {
    return [
      ...PAGES.flatMap(({ name }) => [`${name}.html`, `${name}.md`]),
      ...['guide.css', 'guide.js', 'search.json', 'llms.txt', 'llms-full.txt', ...PICTURE_FILES],
    ];
  }

  /** Returns undefined for a path that the site does not have. */
  async file(path: string): Promise<GuideFile | undefined> {
    if (path === '') return this.file('index.html');
    const page = PAGES.find(({ name }) => path === `${name}.html`);
    if (page !== undefined) return { type: 'text/html; charset=utf-8', body: this.#page(page) };
    const source = PAGES.find(({ name }) => path === `${name}.md`);
    if (source !== undefined) return { type: MARKDOWN, body: read(source.source) };
    switch (path) {
      case 'guide.css':
        return { type: 'text/css; charset=utf-8', body: STYLE };
      case 'guide.js':
        return { type: 'text/javascript; charset=utf-8', body: await script() };
      case 'search.json':
        this.#search ??= this.#searchIndex();
        return { type: 'application/json; charset=utf-8', body: await this.#search };
      case 'llms.txt':
        return { type: MARKDOWN, body: this.#llms() };
      case 'llms-full.txt':
        return { type: MARKDOWN, body: PAGES.map(({ source }) => withoutComments(read(source))).join('\n\n') };
      default:
        return otherFile(path);
    }
  }

  #page(page: SitePage): string {
    const file = `${page.name}.html`;
    const rendered = this.#render(page);
    return framed({
      page: rendered,
      file,
      menus: this.#menus(),
      version: this.#version,
      source: `${page.name}.md`,
      isServed: this.#isServed,
    });
  }

  #render(page: SitePage): RenderedMarkdown {
    const known = this.#rendered.get(page.name);
    if (known !== undefined) return known;
    const made = renderMarkdown(read(page.source), (href) => siteLink(href, page.source));
    this.#rendered.set(page.name, made);
    return made;
  }

  #menus(): GuideMenu[] {
    return GUIDE.map(({ title, pages }) => ({
      title,
      links: pages.map((name) => ({
        file: name === START_PAGE ? 'index.html' : `${name}.html`,
        title: name === START_PAGE ? 'Overview' : titleOf(`docs/${name}.md`),
      })),
    }));
  }

  /** Renders one page at a time, so that the API can answer requests in between. */
  async #searchIndex(): Promise<string> {
    const entries: [file: string, page: string, heading: string, text: string][] = [];
    for (const page of PAGES) {
      const { title, parts } = this.#render(page);
      for (const { heading, text } of parts)
        entries.push([
          `${page.name}.html${heading.depth === 1 ? '' : `#${heading.slug}`}`,
          title,
          heading.depth === 1 ? '' : heading.text,
          text,
        ]);
      await nextTurn();
    }
    return JSON.stringify(entries);
  }

  #llms(): string {
    const lines = GUIDE.map(({ title, pages }) => {
      const links = pages.map((name) => {
        const source = `docs/${name}.md`;
        return `- [${titleOf(source)}](${name === START_PAGE ? 'index' : name}.md): ${summaryOf(read(source))}`;
      });
      return `## ${title}\n\n${links.join('\n')}`;
    });
    return `# muster-sandbox\n\n> ${summaryOf(read('docs/README.md'))}\n\nAll pages in one file: [llms-full.txt](llms-full.txt). The contract as OpenAPI: /openapi.json of a running sandbox.\n\n${lines.join('\n\n')}\n`;
  }
}

/** The links and pictures of a page that are within the site. */
export const linksIn = (page: string): string[] =>
  [...page.matchAll(/(?:href|src)="(?!https?:|data:|\.\.\/)([^"]*)"/g)].map(([, to = '']) =>
    to.replaceAll('&amp;', '&'),
  );

/** The links of these pages to a missing file, or to a heading that the page does not have. */
export function brokenLinks(pages: ReadonlyMap<string, string>, files: ReadonlySet<string>): string[] {
  return [...pages].flatMap(([from, page]) =>
    linksIn(page)
      .filter((link) => {
        const [to = '', heading] = link.split('#');
        const target = to === '' ? from : to === './' ? 'index.html' : to;
        if (!files.has(target)) return true;
        const known = pages.get(target);
        return heading !== undefined && known !== undefined && !known.includes(`id="${heading}"`);
      })
      .map((link) => `${from}: ${link}`),
  );
}

function otherFile(path: string): GuideFile | undefined {
  const type = PICTURES[posix.extname(path)];
  if (type !== undefined && /^[\w-]+\.\w+$/.test(path)) return fileAt(`docs/${path}`, type);
  return SOURCE_FILE.test(path) && !path.includes('..') ? fileAt(path, 'text/plain; charset=utf-8') : undefined;
}

function fileAt(name: string, type: string): GuideFile | undefined {
  const body = shippedBytes(name);
  return body === null ? undefined : { type, body };
}

/** The address in the site for a link of a page: to another page, a picture, a source, or the web. */
function siteLink(href: string, source: string): string {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return href.startsWith('/') ? `..${href}` : href;
  const [to = '', heading] = href.split('#');
  const target = posix.normalize(posix.join(posix.dirname(source), to));
  const page = PAGES.find((one) => one.source === target || one.source === `${target.replace(/\/$/, '')}/README.md`);
  const file = page === undefined ? target.replace(/^docs\//, '') : `${page.name}.html`;
  return heading === undefined ? file : `${file}#${heading}`;
}

function read(name: string): string {
  return shippedBytes(name)?.toString('utf8') ?? `# ${name}\n\nThis installation lacks this page.\n`;
}

const withoutComments = (markdown: string): string => markdown.replace(/^[ \t]*<!--.*-->\n+/gm, '');

const titleOf = (source: string): string => /^# (.+)$/m.exec(read(source))?.[1]?.replaceAll('`', '') ?? source;

/** The first sentence below the title, or the first two if the first is short. */
function summaryOf(markdown: string): string {
  const [, paragraph = ''] = /^# .+\n+([^\n]+)/.exec(withoutComments(markdown)) ?? [];
  const text = paragraph.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
  return /^.{30,}?\.(?=\s|$)/.exec(text)?.[0] ?? text;
}

let guideScript: Promise<string> | null = null;
function script(): Promise<string> {
  guideScript ??= browserScript(
    new URL('./guide.js', import.meta.url),
    new URL('./browser/main.ts', import.meta.url),
    'iife',
  );
  return guideScript;
}
