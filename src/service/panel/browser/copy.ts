/** Copies a text of the page to the clipboard. */
import { say } from './forms.ts';

/** Shows the buttons that need a script. */
export function offerCopies(): void {
  document.documentElement.classList.add('scripted');
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
    const source = document.getElementById(button?.dataset['copy'] ?? '');
    if (source !== null) void copy(source);
  });
}

async function copy(source: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '');
    say('Copied.');
  } catch {
    // A page over http from another machine cannot use the clipboard.
    getSelection()?.selectAllChildren(source);
    say('Selected: copy it with the keyboard.');
  }
}
