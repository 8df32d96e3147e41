/** The search of the guide and of the API reference: an index, fetched when the field is used first. */

type Entry = readonly [file: string, page: string, heading: string, text: string];

const MOST_RESULTS = 12;
/** Characters of the text around the first word that was found. */
const EXCERPT = 130;

let index: Promise<readonly Entry[]> | null = null;
const load = (from: URL) => {
  index ??= fetch(from).then((answer) => answer.json() as Promise<Entry[]>);
  return index;
};

const wordsOf = (query: string): string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');

/**
 * The score of a section. Every word must occur in it. Words in titles weigh more, and a match at the beginning of a
 * word weighs double.
 */
function score([, page, heading, text]: Entry, words: readonly string[]): number {
  const fields = [
    [heading.toLowerCase(), 12],
    [page.toLowerCase(), 8],
    [text.toLowerCase(), 1],
  ] as const;
  let sum = 0;
  for (const word of words) {
    const best = fields.map(([field, weight]) => {
      const place = field.indexOf(word);
      if (place === -1) return 0;
      const isStart = place === 0 || !/[\p{L}\p{N}_]/u.test(field[place - 1] ?? '');
      return isStart ? weight * 2 : weight;
    });
    const most = Math.max(...best);
    if (most === 0) return 0;
    sum += most + (best[2] ?? 0);
  }
  return sum;
}

/** Adds the search to the field of the page. The addresses of the index are relative to that of the index itself. */
export function addSearch(indexAt: URL): void {
  const field = document.getElementById('search') as HTMLInputElement | null;
  const list = document.getElementById('results');
  if (field === null || list === null) return;
  field.closest<HTMLElement>('.search')?.removeAttribute('hidden');
  let selected = -1;
  const items = () => [...list.querySelectorAll<HTMLElement>('li[role=option]')];
  const select = (place: number) => {
    const all = items();
    selected = all.length === 0 ? -1 : (place + all.length) % all.length;
    for (const [n, item] of all.entries()) item.setAttribute('aria-selected', String(n === selected));
    const now = all[selected];
    now?.scrollIntoView({ block: 'nearest' });
    if (now === undefined) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', now.id);
  };
  const close = () => {
    list.hidden = true;
    field.setAttribute('aria-expanded', 'false');
  };
  const search = async () => {
    const query = field.value;
    const words = wordsOf(query);
    if (words.length === 0) return close();
    const found = (await load(indexAt))
      .map((entry) => ({ entry, points: score(entry, words) }))
      .filter(({ points }) => points > 0)
      .sort((a, b) => b.points - a.points)
      .slice(0, MOST_RESULTS);
    // The user has typed another letter meanwhile.
    if (query !== field.value) return;
    list.replaceChildren(
      ...(found.length === 0 ? [nothing()] : found.map(({ entry }, n) => result(entry, words, n, indexAt))),
    );
    list.hidden = false;
    field.setAttribute('aria-expanded', 'true');
    select(0);
  };
  field.addEventListener('focus', () => void load(indexAt));
  field.addEventListener('input', () => void search());
  field.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') select(selected + 1);
    else if (event.key === 'ArrowUp') select(selected - 1);
    else if (event.key === 'Enter') items()[selected]?.querySelector('a')?.click();
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  });
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Node && (list.contains(event.target) || event.target === field))) close();
  });
  // A link to a heading of this page does not load a page, so the results are closed here.
  list.addEventListener('click', close);
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (isTyping || event.key !== '/' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    field.focus();
  });
}

function nothing(): HTMLElement {
  const item = document.createElement('li');
  item.className = 'none';
  item.textContent = 'Nothing has all of these words.';
  return item;
}

function result(
  [file, page, heading, text]: Entry,
  words: readonly string[],
  place: number,
  indexAt: URL,
): HTMLElement {
  const item = document.createElement('li');
  item.setAttribute('role', 'option');
  item.id = `result-${place}`;
  const link = document.createElement('a');
  link.href = new URL(file, indexAt).href;
  const title = document.createElement('b');
  title.append(...marked(heading === '' ? page : `${page} › ${heading}`, words));
  const excerpt = document.createElement('small');
  const at = Math.max(0, text.toLowerCase().indexOf(words[0] ?? '') - EXCERPT / 2);
  excerpt.append(at > 0 ? '… ' : '', ...marked(text.slice(at, at + EXCERPT), words), '…');
  link.append(title, excerpt);
  item.append(link);
  return item;
}

/** The text, with the found words marked. */
function marked(text: string, words: readonly string[]): (string | HTMLElement)[] {
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text.split(new RegExp(`(${escaped.join('|')})`, 'gi')).map((part, n) => {
    if (n % 2 === 0) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}
