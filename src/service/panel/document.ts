/** The whole HTML document: sandbox sign, navigation, clock, main part, and the operator. */

import { CLI } from '../../base/text/command-form.ts';
import { type Html, html } from '../../base/text/html.ts';
import { siteHeader, siteLinks, themeChoice } from '../../base/text/site-header.ts';
import { regionSection } from '../../watching/regions/regions.ts';
import type { PanelLook } from '../../watching/regions/scene.ts';
import type { Assets } from './assets.ts';

export interface PanelPage {
  readonly title: string;
  readonly main: Html;
  /** Id of the site of the page, for the title of the browser tab. */
  readonly site?: string;
  /** A change of this subject reloads the main part, which is a list that the server draws. */
  readonly follows?: 'alert' | 'muster' | 'site';
  /** Actions on the page's object, next to the title. */
  readonly actions?: Html;
}

interface PageFrame {
  readonly assets: Assets;
  readonly look: PanelLook;
  readonly ticket: string;
  /** The path of the base address, for what the browser draws and requests. */
  readonly root: string;
  /** The path without a query. */
  readonly path: string;
  readonly page: PanelPage;
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%23b45309'/%3E%3Cpath d='M8 3l5 9H3z' fill='%23fff'/%3E%3C/svg%3E";

const head = (title: string, { style, script }: Assets): Html =>
  html`<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title><link rel="icon" href="${ICON}"><link rel="stylesheet" href="${style.path}"><script type="module" src="${script.path}" blocking="render"></script>`;

/** A live page, which the browser updates from the stream. */
export function livePage({ assets, look, ticket, root, path, page }: PageFrame): string {
  const { reader } = look;
  const here = path.slice(1);
  const header = siteHeader({
    nav: regionSection('nav', look, { here }, 'div'),
    aside: html`<div class="now">${regionSection('clock', look, {}, 'span')} ${regionSection('clock-controls', look, {}, 'div')} <span id="live" class="dim"><noscript>Reload to see what is new.</noscript></span></div>`,
    below: regionSection('strip', look, { here }, 'div'),
  });
  return html`<!doctype html><html lang="en"><head>${head(`${page.title} · sandbox`, assets)}</head>
<body data-root="${root}" data-ticket="${ticket}" data-acts="${reader.acts ? 1 : 0}" data-operator="${reader.operator}" data-filter="${reader.filter}" data-all="${reader.all ? 1 : 0}" data-by="${reader.by}" data-cli="${reader.cli}" data-sets-clock="${reader.setsClock === true ? 1 : 0}" data-title="${page.title}" data-site="${page.site ?? ''}">
<div role="navigation" aria-label="Skip">${regionSection('skip', look, { here }, 'div')}<a class="skip" href="#main">Skip to the content</a></div>
${header}
<main id="main" tabindex="-1" data-follows="${page.follows ?? ''}"><div class="title"><h1>${page.title}</h1>${page.actions ?? null}</div>${page.main}</main>
<footer>${who(look)}${themeChoice()}</footer>
<p id="said" role="status"></p><p id="count" class="hidden" role="status"></p><p id="worst" class="hidden" role="status"></p><p id="alarm" class="hidden" role="alert"></p></body></html>`
    .text;
}

const who = ({ reader }: PanelLook): Html =>
  reader.acts
    ? html`<form method="post" action="/panel/operator"><label>You act as <input name="operator" maxlength="120" value="${reader.operator}" autocomplete="name" required></label><button>Change</button></form><form method="post" action="/panel/leave"><button>Leave</button></form>`
    : html`<p>You may only read. To act, open the link in the startup banner of <code>${CLI} up</code> shows, or <a href="/panel/enter">show the control token</a>.</p>`;

/** A page with a refusal, a question or a secret. Its script copies; without a ticket it is not live. */
export function plainPage(assets: Assets, title: string, body: Html): string {
  return html`<!doctype html><html lang="en"><head>${head(`${title} · sandbox`, assets)}</head><body>${siteHeader({ nav: siteLinks('') })}<main id="main" class="plain"><h1>${title}</h1>${body}</main><p id="said" role="status"></p></body></html>`
    .text;
}

export const enterForm = (to: string): Html =>
  html`<p>The control token of this sandbox opens the panel: it is in its <code>sandbox.json</code>, and in the panel’s link of the banner.</p><form method="post" action="/panel/enter"><input type="hidden" name="to" value="${to}"><label>Control token <input name="token" type="password" required autocomplete="off" autofocus></label><button>Enter</button></form><p><a href="${to}">Try again without</a></p>`;
