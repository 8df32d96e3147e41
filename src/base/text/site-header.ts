/** The header that the panel, the guide, the API reference and the pages of problems share. It has no data of the world. */
import { Html, html } from './html.ts';

export const SIGN = 'Sandbox: a simulation. No real watch, no real person.';

/** The links of the header, in their order. */
export const SITE_LINKS = [
  ['/', 'Sandbox'],
  ['/panel', 'Control room'],
  ['/panel/alerts', 'Alerts'],
  ['/panel/musters', 'Musters'],
  ['/panel/deliveries', 'Deliveries'],
  ['/panel/calls', 'Calls'],
  ['/guide/', 'Guide'],
  ['/docs', 'API reference'],
] as const;

/** Documentation: pages below these links are marked as part of them. A wide header has them beside the sign. */
const HELP: readonly string[] = ['/guide/', '/docs'];

interface LinkParts {
  /** What a link has behind its text, such as a number. */
  readonly after?: (to: string) => Html | null;
  /** Before each address: `..` in a site whose links are relative. */
  readonly base?: string;
}

/** The links. `here` is the path of the page, whose link is marked. */
export const siteLinks = (here: string, { after = () => null, base = '' }: LinkParts = {}): Html =>
  html`${SITE_LINKS.map(([to, text]) => {
    const kind = HELP.includes(to) ? new Html(' class="help"') : null;
    return html`<a href="${base}${to}"${kind}${mark(to, here)}>${text}${after(to)}</a>`;
  })}`;

function mark(to: string, here: string): Html | null {
  if (to === here) return new Html(' aria-current="page"');
  return HELP.includes(to) && here.startsWith(to) ? new Html(' aria-current="true"') : null;
}

interface SiteHeader {
  readonly nav: Html;
  /** On the right of the links: a clock, or a search. On a narrow screen below them. */
  readonly aside?: Html;
  /** A line below the links. */
  readonly below?: Html;
  /** False for a copy of the guide that no sandbox serves. */
  readonly hasSign?: boolean;
}

export const siteHeader = ({ nav, aside, below, hasSign = true }: SiteHeader): Html =>
  html`<header class="site-header">${hasSign ? html`<p class="sign">${SIGN}</p>` : null}<div class="top"><nav aria-label="Pages">${nav}</nav><div class="aside">${aside ?? null}</div></div>${below ?? null}</header>`;

/** A script shows it, because it needs one. */
export const themeChoice = (): Html =>
  html`<select id="theme" aria-label="Theme" title="Theme" hidden><option value="">Theme: system<option value="Light">Theme: light<option value="Dark">Theme: dark</select>`;

/** A page is as the browser prefers, unless the reader chose otherwise. */
export const THEME_STYLE =
  ':root{color-scheme:light dark}[data-theme=Light]{color-scheme:light}[data-theme=Dark]{color-scheme:dark}';

/**
 * The style of the header. The page defines the colours `--card`, `--line`, `--ink`, `--soft` and `--sign`. A header of
 * one line of links is 4.9rem high at 16 px.
 */
export const HEADER_STYLE = `
.site-header{position:sticky;top:0;z-index:5;background:var(--card);border-bottom:1px solid var(--line);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
.site-header .sign{margin:0;background:var(--sign);color:#fff;padding:.3rem 1rem;font-size:13px;font-weight:600;text-align:center}
.site-header .top{display:flex;flex-wrap:wrap;gap:.2rem 1.5rem;justify-content:space-between;align-items:center;min-height:3.05rem;padding:.5rem 1.2rem}
.site-header nav{display:flex;flex-wrap:wrap;gap:0 .2rem}.site-header nav a{padding:.25rem .7rem;border-radius:6px;color:var(--ink)}.site-header nav a:hover{background:var(--soft);text-decoration:none}.site-header nav a[aria-current]{background:var(--soft);font-weight:600}
.site-header .aside{display:flex;align-items:center;gap:.6rem;min-height:2rem}.site-header .search{flex:1}
@media(max-width:72rem){.site-header nav a{padding:.25rem .5rem}}
@media(min-width:60.01rem){.site-header nav a.help{position:absolute;top:.2rem;right:1.2rem;padding:.1rem .6rem;font-size:13px;font-weight:600;color:#fff;text-decoration:underline}.site-header nav a.help[href$="/guide/"]{right:8.6rem}.site-header nav a.help:is(:hover,[aria-current]){background:#fff2}.site-header nav a.help:focus-visible{outline-color:#fff}}
@media(max-width:60rem){.site-header{position:static}}
@media(max-width:48rem){.site-header .aside{flex:1 0 100%}}
@media(max-width:36rem){.site-header nav{gap:0}.site-header nav a{padding:.15rem .3rem;font-size:13.5px}.site-header .sign{font-size:12px;padding:.25rem .3rem}}
@media print{.site-header .top{display:none}.site-header .sign{color:#000;background:none;border:1px solid #000}}
`;
