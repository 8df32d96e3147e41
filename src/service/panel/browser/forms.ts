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
  const fields = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
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

export function listenToForms(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (form.dataset['act'] === undefined) return;
    event.preventDefault();
    void send(form, event.submitter);
  });
  // When a question opens, its first field gets the focus; Escape closes it.
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (target instanceof HTMLDetailsElement && target.open && target.classList.contains('ask'))
        target.querySelector<HTMLElement>('form input:not([type=hidden]),form select,form button')?.focus();
    },
    true,
  );
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    const question = (event.target as Element).closest<HTMLDetailsElement>('details.ask[open]');
    if (question === null) return;
    question.open = false;
    question.querySelector('summary')?.focus();
  });
}
