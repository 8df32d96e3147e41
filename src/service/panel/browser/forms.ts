/** Sends action forms without leaving the page, and shows the reply. */
import { afterMs } from '../../../base/time/page-time.ts';

const REPLY_MS = 6_000;
let cancelSilence = (): void => {};

export function say(text: string, isBad = false): void {
  const said = document.getElementById('said');
  if (said === null) return;
  cancelSilence();
  said.textContent = text;
  said.className = isBad ? 'bad' : '';
  cancelSilence = afterMs(REPLY_MS, () => {
    said.textContent = '';
  });
}

/** The pressed button is disabled until the reply arrives. */
async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const fields = new URLSearchParams([...new FormData(form, submitter)].map(([name, value]) => [name, String(value)]));
  if (submitter instanceof HTMLButtonElement) submitter.disabled = true;
  try {
    const answer = await fetch(form.getAttribute('action') ?? '', {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: fields,
    });
    const { said } = (await answer.json()) as { said: string };
    say(said, !answer.ok);
    if (!answer.ok) return;
    const question = form.closest('details');
    if (question !== null) {
      question.open = false;
      form.reset();
      question.querySelector('summary')?.focus();
    }
  } catch {
    say('The sandbox does not answer: nothing was done.', true);
  } finally {
    if (submitter instanceof HTMLButtonElement) submitter.disabled = false;
  }
}

const openQuestions = (): HTMLDetailsElement[] => [
  ...document.querySelectorAll<HTMLDetailsElement>('details.ask[open]'),
];

const formOf = (question: HTMLDetailsElement): HTMLFormElement | null => question.querySelector('form');

/** Closes the open questions in which the element is not. */
function closeOthers(element: Element): void {
  for (const question of openQuestions()) if (!question.contains(element)) question.open = false;
}

/** Least distance to the edges of the window; CSS pixels. */
const MARGIN_PX = 8;

/** Shows the form above everything else, where a browser can. */
function raise(question: HTMLDetailsElement): void {
  const form = formOf(question);
  if (form?.showPopover === undefined) return;
  form.popover = 'manual';
  form.showPopover();
  place(question);
}

/** Puts the form under its button, or above it where there is no room; a table that scrolls does not cut it. */
function place(question: HTMLDetailsElement): void {
  const [form, button] = [formOf(question), question.querySelector('summary')?.getBoundingClientRect()];
  if (form === null || button === undefined || form.showPopover === undefined) return;
  const { offsetWidth, offsetHeight } = form;
  const isBelow = button.bottom + offsetHeight + 2 * MARGIN_PX < innerHeight;
  const left = Math.min(button.right - offsetWidth, innerWidth - offsetWidth - MARGIN_PX);
  const top = isBelow ? button.bottom + MARGIN_PX / 2 : button.top - offsetHeight - MARGIN_PX / 2;
  form.style.left = `${Math.max(MARGIN_PX, left)}px`;
  form.style.top = `${Math.max(MARGIN_PX, top)}px`;
}

export function listenToForms(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (form.dataset['act'] === undefined) return;
    event.preventDefault();
    void send(form, event.submitter);
  });
  // When a question opens, its first field gets the focus, and another one closes; so do Escape and a press elsewhere.
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || !target.classList.contains('ask')) return;
      if (!target.open) return formOf(target)?.popover == null ? undefined : formOf(target)?.hidePopover();
      closeOthers(target);
      raise(target);
      target
        .querySelector<HTMLElement>('form input:not([type=hidden]),form select,form button')
        ?.focus({ preventScroll: true });
    },
    true,
  );
  document.addEventListener('pointerdown', ({ target }) => closeOthers(target as Element));
  for (const type of ['scroll', 'resize'] as const)
    addEventListener(type, () => openQuestions().forEach(place), { capture: true, passive: true });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    const question = (event.target as Element).closest<HTMLDetailsElement>('details.ask[open]');
    if (question === null) return;
    question.open = false;
    question.querySelector('summary')?.focus();
  });
}
