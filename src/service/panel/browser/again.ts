/** Fetches parts of the page that the stream does not contain (timelines, lists of closed objects) when their object changes. */
import { afterMs } from '../../../base/time/page-time.ts';
import { morphFetched } from '../../../watching/updates/morph.ts';

/** Least time between two requests for one part; wall ms. */
const PAUSE_MS = 500;

/** Requests in flight; true: the object changed again in the meantime. */
const asking = new Map<Element, boolean>();

export function askAgain(part: Element): void {
  if (asking.has(part)) asking.set(part, true);
  else void ask(part);
}

async function ask(part: Element): Promise<void> {
  asking.set(part, false);
  try {
    await draw(part);
  } catch {
    // The old content stays; the next change starts another request.
  }
  afterMs(PAUSE_MS, () => {
    const again = asking.get(part) === true;
    asking.delete(part);
    if (again) void ask(part);
  });
}

/** The main part is taken from the whole page; other parts are fetched alone. */
async function draw(part: Element): Promise<void> {
  if (part.id !== 'main') {
    const query = new URLSearchParams(location.search);
    query.set('part', part.getAttribute('data-part') ?? '');
    const answer = await fetch(`${location.pathname}?${query}`);
    if (answer.ok) morphFetched(part, await answer.text());
    return;
  }
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const to = page.querySelector('#main');
  if (to !== null) morphFetched(part, to.innerHTML);
}
