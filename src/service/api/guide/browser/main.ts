/** The script of the pages of the guide: theme, search, tabs for shells, copy buttons, and the current place in the contents. */
import { store, stored } from '../../../../base/browser/stored.ts';
import { addTheme, applyTheme } from '../../../../base/browser/theme.ts';
import { afterMs } from '../../../../base/time/page-time.ts';
import { addSearch } from './search.ts';
import { addTabs } from './tabs.ts';

/** Time for which a button shows "Copied"; milliseconds. */
const COPIED_MS = 1_500;

applyTheme();

function addCopyButtons(): void {
  if (navigator.clipboard === undefined) return;
  for (const pre of document.querySelectorAll<HTMLElement>('pre.code')) {
    const block = document.createElement('div');
    block.className = 'block';
    pre.replaceWith(block);
    const button = document.createElement('button');
    button.className = 'copy';
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(pre.textContent ?? '').then(() => {
        button.textContent = 'Copied';
        afterMs(COPIED_MS, () => {
          button.textContent = 'Copy';
        });
      });
    });
    block.append(pre, button);
  }
}

/** Marks the current section in the contents beside the page. */
function followOutline(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.outline a')].map((link) => [link.hash.slice(1), link]),
  );
  if (links.size === 0) return;
  const headings = [...links.keys()].map((slug) => document.getElementById(decodeURIComponent(slug)));
  let last: HTMLAnchorElement | undefined;
  const follow = () => {
    const above = headings.filter((one) => one !== null && one.getBoundingClientRect().top < 120).at(-1);
    const now = links.get(above?.id ?? '') ?? links.values().next().value;
    if (now === last) return;
    last?.classList.remove('now');
    now?.classList.add('now');
    last = now;
  };
  addEventListener('scroll', follow, { passive: true });
  follow();
}

document.addEventListener('DOMContentLoaded', () => {
  addTheme();
  addTabs(stored('guide-shell'), (shell) => store('guide-shell', shell));
  addCopyButtons();
  followOutline();
  document.querySelector('.site-header [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  addSearch(new URL('search.json', location.href));
});
