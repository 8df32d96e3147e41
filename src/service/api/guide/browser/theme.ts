/** Light or dark, by the reader's choice or else by the browser's. The guide, the API reference and the pages of problems share it. */
import { store, stored } from './stored.ts';

const KEY = 'guide-theme';

/** Called before the page is drawn, so that it does not flash in the wrong colours. */
export function applyTheme(): void {
  const theme = stored(KEY);
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
}

/** Shows the button, which needs this script. */
export function addTheme(): void {
  const button = document.getElementById('theme');
  if (button === null) return;
  const { dataset } = document.documentElement;
  button.hidden = false;
  button.addEventListener('click', () => {
    const isDark =
      dataset['theme'] === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : dataset['theme'] === 'dark';
    dataset['theme'] = isDark ? 'light' : 'dark';
    store(KEY, dataset['theme']);
  });
}
