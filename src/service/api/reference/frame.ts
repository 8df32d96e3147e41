/** The frame of a page of the reference: the header with the search, the operations at the side, and the page. */
import { Html, html } from '../../../base/text/html.ts';
import { siteHeader, siteLinks, themeChoice } from '../../../base/text/site-header.ts';
import type { OperationGroup } from './operations.ts';
import { STYLE } from './style.ts';

export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%23b45309'/%3E%3Cpath d='M8 3l5 9H3z' fill='%23fff'/%3E%3C/svg%3E";

/** Shown by a script only, because it needs one. */
const SEARCH = html`<div class="search" hidden><input id="search" type="search" placeholder="Search (press /)" aria-label="Search the reference" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="results"><ul id="results" role="listbox" aria-label="Results" hidden></ul></div>${themeChoice()}`;

export interface ReferencePage {
  readonly title: string;
  readonly main: Html;
}

/** `path` is that of the page: it is marked in the links. */
export function framed({ title, main }: ReferencePage, path: string, groups: readonly OperationGroup[]): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title><link rel="icon" href="${ICON}"><style>${new Html(STYLE)}</style><script src="/docs/reference.js"></script></head>
<body><a class="skip" href="#content">Skip to the content</a>
${siteHeader({ nav: siteLinks(path), aside: SEARCH })}
<div class="page"><nav class="side" aria-label="Reference">${sideLinks(path, groups)}</nav>
<main id="content" tabindex="-1">${main}</main></div></body></html>
`.text;
}

const OTHER_PAGES = [
  ['/docs', 'Overview'],
  ['/docs/events', 'Event payloads'],
  ['/docs/schemas', 'Schemas'],
  ['/docs/problems', 'Problems'],
] as const;

function sideLinks(path: string, groups: readonly OperationGroup[]): Html {
  const current = (to: string) => (to === path ? new Html(' aria-current="page"') : null);
  const others = OTHER_PAGES.map(([to, text]) => html`<a href="${to}"${current(to)}>${text}</a>`);
  const operations = groups.map(({ name, members }) => {
    const links = members.map((member) => {
      const to = `/docs/${member.operation.operationId}`;
      return html`<a href="${to}"${current(to)}>${routeOf(member)}</a>`;
    });
    return html`<b>${name}</b>${links}`;
  });
  return html`${others}${operations}`;
}

/** The method and the path of an operation. A path may break after a slash. */
export const routeOf = ({ method, path }: OperationGroup['members'][number]): Html =>
  html`<span class="method ${method}">${method.toUpperCase()}</span> <span class="path">${path
    .split('/')
    .map((part, n) => (n === 0 ? html`${part}` : html`/<wbr>${part}`))}</span>`;
