/** Changes an element to match a piece of HTML, and does not touch equal parts, so that focus, open details and typed text stay. */

import { rooted } from '../../base/text/html.ts';

/** The path of the base address. What the server sends has it already; what this page draws and requests gets it here. */
export const ROOT = document.body.dataset['root'] ?? '';

/** An element that this page draws. The text is parsed in a template, because a table row is dropped in any other element. */
export function elementOf(text: string): Element {
  const template = document.createElement('template');
  template.innerHTML = rooted(text, ROOT);
  return template.content.firstElementChild ?? document.createElement('p');
}

/** Replaces the children of `from` by those of a text that this page draws. */
export const morphInside = (from: Element, text: string): void => morphFetched(from, rooted(text, ROOT));

/** Replaces the children of `from` by those of a text that the server has sent. */
export function morphFetched(from: Element, text: string): void {
  const to = from.cloneNode(false) as Element;
  to.innerHTML = text;
  children(from, to);
}

/** A child by its key. `text`: as this page draws it; null: the child of that key is as it was. */
interface KeyedChild {
  readonly key: string;
  readonly text: string | null;
}

/** Replaces the children of `from`, all of which have keys, and parses only those that changed. Returns them in their order. */
export function morphKeyed(from: Element, children: readonly KeyedChild[]): readonly Element[] {
  const to = from.cloneNode(false) as Element;
  to.innerHTML = rooted(children.map(({ text }) => text ?? '').join(''), ROOT);
  const drawn = [...to.children].values();
  const known = new Map([...from.children].map((child) => [keyOf(child), child]));
  let place = from.firstElementChild;
  const after = children.map(({ key, text }) => {
    const wanted = text === null ? undefined : drawn.next().value;
    const before = known.get(key);
    known.delete(key);
    const child = (before ?? wanted) as Element;
    if (child === place) place = child.nextElementSibling;
    else from.insertBefore(child, place);
    if (before !== undefined && wanted !== undefined) node(before, wanted);
    return child;
  });
  for (const gone of known.values()) gone.remove();
  return after;
}

/** A mark of a map has the id in its address, because a second copy of each id would be much of a page. */
const keyOf = (node: Node): string | null =>
  node instanceof Element
    ? node.classList.contains('mark')
      ? (node.getAttribute('href')?.split('/').at(-1) ?? null)
      : (node.getAttribute('data-key') ?? (node.id === '' ? null : node.id))
    : null;

const isAlike = (a: Node, b: Node): boolean => a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

function children(from: Element, to: Element): void {
  const keyed = new Map<string, Node>();
  for (const child of from.childNodes) {
    const key = keyOf(child);
    if (key !== null) keyed.set(key, child);
  }
  let place = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    const key = keyOf(wanted);
    const known = key === null ? null : keyed.get(key);
    if (known != null && known.nodeName === wanted.nodeName) {
      if (known === place) place = place.nextSibling;
      else from.insertBefore(known, place);
      node(known, wanted);
    } else if (key === null && place !== null && isAlike(place, wanted)) {
      const next = place.nextSibling;
      node(place, wanted);
      place = next;
    } else from.insertBefore(wanted, place);
  }
  while (place !== null) {
    const next = place.nextSibling;
    from.removeChild(place);
    place = next;
  }
}

function node(from: Node, to: Node): void {
  if (!(from instanceof Element) || !(to instanceof Element)) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  // Details stay open, and fields keep what the reader entered.
  if (from instanceof HTMLDetailsElement && from.open) to.setAttribute('open', '');
  if (from.matches('input:not([type=hidden]),select')) return;
  // An open question stays where it was put.
  if (from.localName === 'form')
    for (const name of ['style', 'popover'])
      if (from.hasAttribute(name)) to.setAttribute(name, from.getAttribute(name) ?? '');
  for (const { name } of [...from.attributes]) if (!to.hasAttribute(name)) from.removeAttribute(name);
  for (const { name, value } of to.attributes) if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  children(from, to);
}
