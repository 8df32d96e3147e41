/** Light or dark, by the reader's choice or else by the browser's. All pages that a sandbox serves with a script share it. */
import { store, stored } from './stored.ts';

const KEY = 'theme';

/** Called before the page is drawn, so that it does not flash in the wrong colours. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = stored(KEY) ?? '';
}

/** Shows the choice, which needs this script. */
export function addTheme(): void {
  const choice = document.getElementById('theme');
  if (!(choice instanceof HTMLSelectElement)) return;
  choice.value = stored(KEY) ?? '';
  choice.hidden = false;
  choice.addEventListener('change', () => {
    store(KEY, choice.value);
    applyTheme();
  });
}
