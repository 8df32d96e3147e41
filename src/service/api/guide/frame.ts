/** The frame of a page of the guide: search, navigation, the page, its contents, and the pages before and after it. */
import { Html, html } from '../../../base/text/html.ts';
import { siteHeader, siteLinks, themeChoice } from '../../../base/text/site-header.ts';
import type { RenderedMarkdown } from './markdown.ts';

/** A link of the navigation; `file` is relative, so that the guide works below any address. */
interface GuideLink {
  readonly file: string;
  readonly title: string;
}

export interface GuideMenu {
  readonly title: string;
  readonly links: readonly GuideLink[];
}

interface GuideFrame {
  readonly page: RenderedMarkdown;
  readonly file: string;
  readonly menus: readonly GuideMenu[];
  readonly version: string;
  /** The file of the page's Markdown. */
  readonly source: string;
  /** True if a sandbox serves the guide. The page then links to the other pages of the sandbox. */
  readonly isServed: boolean;
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%23b45309'/%3E%3Cpath d='M8 3l5 9H3z' fill='%23fff'/%3E%3C/svg%3E";

/** Entries of the contents of one page; a longer page lists its main sections only. */
const MOST_LISTED = 130;

const SEARCH = html`<div class="search"><input id="search" type="search" placeholder="Search (press /)" aria-label="Search the guide" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="results"><ul id="results" role="listbox" aria-label="Results" hidden></ul></div>${themeChoice()}`;

const BRAND = html`<a class="brand" href="./">muster-sandbox</a>`;

export function framed({ page, file, menus, version, source, isServed }: GuideFrame): string {
  const title = file === 'index.html' ? 'Guide · muster-sandbox' : `${page.title} · muster-sandbox`;
  const nav = menus.map(
    (menu) => html`<div class="menu"><b>${menu.title}</b>${menu.links.map((link) => menuLink(link, file))}</div>`,
  );
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title><link rel="icon" href="${ICON}"><link rel="stylesheet" href="guide.css"><script src="guide.js"></script></head>
<body><a class="skip" href="#content">Skip to the content</a>
${siteHeader({ nav: isServed ? siteLinks(file === 'index.html' ? '/guide/' : `/guide/${file}`, { base: '..' }) : BRAND, aside: SEARCH, hasSign: isServed })}
<div class="columns"><nav class="side wide" aria-label="Pages of the guide"><p class="version">muster-sandbox ${version}</p>${nav}</nav>
<details class="side narrow"><summary>All pages</summary><nav aria-label="All pages">${nav}</nav></details>
<main id="content" tabindex="-1"><article>${page.body}</article>${around(menus, file)}<footer><a href="${source}">This page as Markdown</a> · <a href="llms.txt">llms.txt</a></footer></main>
${outline(page)}</div></body></html>
`.text;
}

const menuLink = ({ file, title }: GuideLink, current: string): Html =>
  html`<a href="${file}"${new Html(file === current ? ' aria-current="page"' : '')}>${title}</a>`;

/** The contents of the page. On a long page, deeper headings would hide the others. */
function outline({ headings }: RenderedMarkdown): Html | null {
  const seconds = headings.filter(({ depth }) => depth === 2);
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3);
  const listed = shown.length > MOST_LISTED ? seconds : shown;
  if (listed.length < 2) return null;
  return html`<nav class="outline" aria-label="On this page"><b>On this page</b>${listed.map(({ slug, text, depth }) => html`<a class="d${depth}" href="#${slug}">${text}</a>`)}</nav>`;
}

function around(menus: readonly GuideMenu[], file: string): Html {
  const links = menus.flatMap((menu) => menu.links);
  const place = links.findIndex((link) => link.file === file);
  const [before, after] = place === -1 ? [] : [links[place - 1], links[place + 1]];
  const link = (to: GuideLink | undefined, word: string, kind: string) =>
    to === undefined
      ? html`<span></span>`
      : html`<a class="${kind}" href="${to.file}"><small>${word}</small>${to.title}</a>`;
  return html`<nav class="around" aria-label="Pages before and after">${link(before, 'Previous', 'before')}${link(after, 'Next', 'after')}</nav>`;
}
