/** The script of the pages of the reference: the theme, the search, and the way from an anchor of the former single page. */
import { addTheme, applyTheme } from '../../../../base/browser/theme.ts';
import { addSearch } from '../../guide/browser/search.ts';

const { src = location.href } = (document.currentScript as HTMLScriptElement | null) ?? {};

applyTheme();

/** An entry of the index at an anchor leads to the page that has its content now. Without a script the reader follows its link. */
function followAnchor(): void {
  const entry = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const link = entry?.matches('.operations>li[id],.names>li[id]') ? entry.querySelector('a') : null;
  if (link != null) location.replace(link.href);
}

document.addEventListener('DOMContentLoaded', () => {
  addTheme();
  addSearch(new URL('search.json', src));
  // The lists of links are longer than a small screen.
  for (const current of document.querySelectorAll('nav [aria-current]'))
    current.scrollIntoView({ block: 'nearest', inline: 'center' });
  followAnchor();
  addEventListener('hashchange', followAnchor);
});
