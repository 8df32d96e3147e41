/** Action forms that work with and without JavaScript: each posts one action of the catalogue. [decisions 9, 10] */
import { Html, html } from '../../base/text/html.ts';
import type { PanelReader } from './scene.ts';

const ACTIONS_PATH = '/panel/actions';

/** Empty for a reader without the control token. `inside`: the visible fields. */
export function actForm(
  reader: PanelReader,
  hidden: Readonly<Record<string, string>>,
  inside: Html,
  { label = '' } = {},
): Html {
  if (!reader.acts) return new Html('');
  const fields = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const labelled = label === '' ? new Html('') : html` aria-label="${label}"`;
  return html`<form method="post" action="${ACTIONS_PATH}" class="act" data-act${labelled}>${fields}${inside}</form>`;
}

/** A form with one button. `of`: the name of its object, for screen readers. `isPrimary`: the step that is expected next. */
export const actButton = (
  reader: PanelReader,
  hidden: Readonly<Record<string, string>>,
  text: string,
  of = '',
  isPrimary = false,
): Html =>
  actForm(
    reader,
    hidden,
    html`<button${isPrimary ? PRIMARY : null}>${text}${of === '' ? new Html('') : html`<span class="hidden"> ${of}</span>`}</button>`,
  );

const PRIMARY = new Html(' class="primary"');

/**
 * A form that opens on demand above the page, so that nothing moves; `key` keeps it open when the page is redrawn, and no other
 * form in the same row has it. Without a
 * script it opens too: the style shows it at its button.
 */
export const onDemand = (reader: PanelReader, key: string, text: string, form: Html, of = ''): Html =>
  reader.acts
    ? html`<details class="ask" data-key="${key}"><summary>${text}${of === '' ? new Html('') : html`<span class="hidden"> ${of}</span>`}</summary>${form}</details>`
    : new Html('');

/**
 * Asks for confirmation before a worker counts as safe, because afterwards the worker is not searched for. `name`: the
 * worker's name.
 */
export const markSafe = (reader: PanelReader, musterId: string, workerId: string, name: string, of = ''): Html =>
  onDemand(
    reader,
    'safe',
    'Mark safe',
    actForm(
      reader,
      { action: 'mark_safe', muster: musterId, who: workerId },
      html`<p>Is ${name} safe? Nobody looks for a worker who is marked safe.</p><button class="primary">Yes, mark as safe</button>`,
    ),
    of,
  );

/**
 * The cookie alone must neither start a run nor show a secret, so these forms ask for the token. [decisions 10, Known
 * limit of the cookie]
 */
export const TOKEN_FIELD = html`<label>Control token <input name="token" type="password" required autocomplete="off" size="12"></label>`;

/** Asks for the control token again, and shows the secret of the first client, or of a destination. */
export const secretForm = (destinationId = ''): Html =>
  html`<form method="post" action="/panel/secrets" class="filter">${destinationId === '' ? null : html`<input type="hidden" name="destination" value="${destinationId}">`}${TOKEN_FIELD}<button>Show the secret</button></form>`;

/** The same form after a wrong token. */
export const secretQuestion = (wrong: string, destinationId: string, back: string): Html =>
  html`<p class="critical">${wrong}</p>${secretForm(destinationId)}<p><a href="${back}">Back</a></p>`;

/** A text with a button that copies it. The button needs a script, and is shown by it. `name`: for screen readers, such as `the client id`. */
export const copyable = (id: string, text: string, name: string): Html =>
  html`<code id="${id}">${text}</code> ${copyButton(id, name)}`;

export const copyButton = (id: string, name: string): Html =>
  html`<button type="button" class="copy" data-copy="${id}">Copy<span class="hidden"> ${name}</span></button>`;

interface FormField {
  readonly most?: number;
  readonly required?: boolean;
  readonly value?: string;
  readonly hint?: string;
}

export const textField = (
  name: string,
  label: string,
  { most = 200, required = false, value = '', hint = '' }: FormField = {},
): Html =>
  html`<label>${label} <input name="${name}" maxlength="${most}" value="${value}" placeholder="${hint}" autocomplete="off"${new Html(required ? ' required' : '')}></label>`;

export const choice = (
  name: string,
  label: string,
  options: readonly (readonly [value: string, text: string])[],
): Html =>
  html`<label>${label} <select name="${name}">${options.map(([value, text]) => html`<option value="${value}">${text}</option>`)}</select></label>`;
