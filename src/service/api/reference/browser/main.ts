/** The search of the reference: filters the contents by the typed words. The field is hidden without scripts. */

const wordsOf = (query: string): string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');

function addSearch(nav: HTMLElement): void {
  const field = nav.querySelector<HTMLInputElement>('input.find');
  const none = nav.querySelector<HTMLElement>('.none');
  if (field === null || none === null) return;
  field.hidden = false;
  const links = [...nav.querySelectorAll<HTMLElement>('a[data-find]')];
  const groups = [...nav.querySelectorAll<HTMLElement>('.links')];
  const shown = () => links.filter((link) => !link.hidden);
  const search = () => {
    const words = wordsOf(field.value);
    for (const link of links) {
      const text = link.dataset['find'] ?? '';
      // Entries such as schemas and problems are shown only if a search finds them.
      link.hidden =
        words.length === 0 ? link.dataset['listed'] === undefined : !words.every((word) => text.includes(word));
    }
    for (const group of groups) group.hidden = group.querySelector('a:not([hidden])') === null;
    none.hidden = words.length === 0 || shown().length > 0;
  };
  field.addEventListener('input', search);
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') shown()[0]?.click();
    else if (event.key === 'Escape') {
      field.value = '';
      search();
    } else return;
    event.preventDefault();
  });
  search();
}

document.addEventListener('DOMContentLoaded', () => {
  for (const nav of document.querySelectorAll('nav')) addSearch(nav);
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (isTyping || event.key !== '/' || event.ctrlKey || event.metaKey) return;
    const field = [...document.querySelectorAll<HTMLInputElement>('input.find')].find(
      (one) => one.offsetParent !== null,
    );
    if (field === undefined) return;
    event.preventDefault();
    field.focus();
  });
});
