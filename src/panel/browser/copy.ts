/** Copies a text of the page to the clipboard. */
import { say } from './forms.ts';

/** Buttons that need a script are shown from now on. */
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
    // A page of http that is not of this machine has no clipboard.
    getSelection()?.selectAllChildren(source);
    say('Selected: copy it with the keyboard.');
  }
}
