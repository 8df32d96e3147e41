/** Parts that the stream does not carry are asked for again when what they are about has changed: who did what, and lists of what is over. */
import { afterMs } from '../../base/page-time.ts';
import { morphInside } from './morph.ts';

/** Wall ms between two requests for one part. */
const PAUSE_MS = 500;

/** What is under way; true: it changed once more meanwhile. */
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
    // What stands there stays; the next change asks again.
  }
  afterMs(PAUSE_MS, () => {
    const again = asking.get(part) === true;
    asking.delete(part);
    if (again) void ask(part);
  });
}

/** The whole page for its main part, with the way to the sites; else the part alone. */
async function draw(part: Element): Promise<void> {
  if (part.id !== 'main') {
    const answer = await fetch(`${location.pathname}?part=${part.getAttribute('data-part') ?? ''}`);
    if (answer.ok) morphInside(part, await answer.text());
    return;
  }
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const place of ['#main', 'nav .sites']) {
    const [from, to] = [document.querySelector(place), page.querySelector(place)];
    if (from !== null && to !== null) morphInside(from, to.innerHTML);
  }
}
