/** The whole HTML document: sandbox sign, navigation, clock, main part, and the operator. */

import { CLI } from '../../base/text/command-form.ts';
import { Html, html } from '../../base/text/html.ts';
import { regionSection } from '../../watching/regions/regions.ts';
import type { PanelLook } from '../../watching/regions/scene.ts';
import { sitesOf } from '../../watching/state/state.ts';
import type { Assets } from './assets.ts';

export const SIGN = 'Sandbox: a simulation. No real watch, no real person.';

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
  /** The path without a query. */
  readonly path: string;
  readonly page: PanelPage;
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%23b45309'/%3E%3Cpath d='M8 3l5 9H3z' fill='%23fff'/%3E%3C/svg%3E";

const head = (title: string, { style, script }: Assets, isLive: boolean): Html =>
  html`<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title><link rel="icon" href="${ICON}"><link rel="stylesheet" href="${style.path}">${isLive ? html`<script type="module" src="${script.path}"></script>` : new Html('')}`;

/** A live page, which the browser updates from the stream. */
export function livePage({ assets, look, ticket, path, page }: PageFrame): string {
  const { reader, world } = look;
  const sites = sitesOf(world).map(
    ({ id, name }) =>
      html`<a href="/panel/sites/${id}"${new Html(path === `/panel/sites/${id}` ? ' aria-current="page"' : '')}>${name}</a>`,
  );
  const nav = (to: string, text: string): Html =>
    html`<a href="${to}"${new Html(path === to ? ' aria-current="page"' : '')}>${text}</a>`;
  return html`<!doctype html><html lang="en"><head>${head(`${page.title} · sandbox`, assets, true)}</head>
<body data-ticket="${ticket}" data-acts="${reader.acts ? 1 : 0}" data-operator="${reader.operator}" data-filter="${reader.filter}" data-all="${reader.all ? 1 : 0}" data-by="${reader.by}" data-cli="${reader.cli}" data-title="${page.title}" data-site="${page.site ?? ''}">
<a class="skip" href="#main">Skip to the content</a>
<header><p class="sign">${SIGN}</p><div class="top"><nav aria-label="Pages">${nav('/', 'Sandbox')}${nav('/panel', 'Control room')}${nav('/panel/alerts', 'Alerts')}${nav('/panel/musters', 'Musters')}${nav('/panel/deliveries', 'Deliveries')}${nav('/panel/calls', 'Calls')}<span class="sites">${sites}</span></nav><p class="now">${regionSection('clock', look, {}, 'span')} <span id="live" class="dim"><noscript>Reload to see what is new.</noscript></span></p></div></header>
<main id="main" tabindex="-1" data-follows="${page.follows ?? ''}"><div class="title"><h1>${page.title}</h1>${page.actions ?? null}</div>${page.main}</main>
<footer>${who(look)}</footer>
<p id="said" role="status"></p><p id="count" class="hidden" role="status"></p><p id="alarm" class="hidden" role="alert"></p></body></html>`
    .text;
}

const who = ({ reader }: PanelLook): Html =>
  reader.acts
    ? html`<form method="post" action="/panel/operator"><label>You act as <input name="operator" maxlength="120" value="${reader.operator}" autocomplete="name" required></label><button>Change</button></form><form method="post" action="/panel/leave"><button>Leave</button></form> <a href="/guide/">Guide</a> <a href="/docs">API reference</a>`
    : html`<p>You may only read. To act, open the link in the startup banner of <code>${CLI} up</code> shows, or <a href="/panel/enter">show the control token</a>.</p> <a href="/guide/">Guide</a> <a href="/docs">API reference</a>`;

/** A page with a refusal or a question. */
export function plainPage(assets: Assets, title: string, body: Html): string {
  return html`<!doctype html><html lang="en"><head>${head(`${title} · sandbox`, assets, false)}</head><body><header><p class="sign">${SIGN}</p></header><main id="main" class="plain"><h1>${title}</h1>${body}</main></body></html>`
    .text;
}

export const enterForm = (to: string): Html =>
  html`<p>The control token of this sandbox opens the panel: it is in its <code>sandbox.json</code>, and in the panel’s link of the banner.</p><form method="post" action="/panel/enter"><input type="hidden" name="to" value="${to}"><label>Control token <input name="token" type="password" required autocomplete="off" autofocus></label><button>Enter</button></form><p><a href="${to}">Try again without</a></p>`;
