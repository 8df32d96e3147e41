/** Creates elements of the page from data of the run. Texts become text nodes, never markup. */
import { printableLines } from '../../../../base/text/printable.ts';

type Child = Node | string | null;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  for (const child of children)
    if (child !== null) made.append(typeof child === 'string' ? printableLines(child) : child);
  return made;
}

export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no ${id}.`);
  return found as T;
}

/** A button that calls `act` on a click. */
export function button(text: string, label: string, act: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', class: 'jump', 'aria-label': label }, text);
  made.addEventListener('click', act);
  return made;
}

/** Changes a text only if it differs, so that assistive technology announces only changes. */
export function setText(target: Element, text: string): void {
  const shown = printableLines(text);
  if (target.textContent !== shown) target.textContent = shown;
}
