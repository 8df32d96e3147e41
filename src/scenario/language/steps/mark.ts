/** The step `mark: Nobody answers`. */
import { isAsWritten, shown, unquoted } from '../../../plant/mistakes.ts';
import { field, filledText } from '../field.ts';
import { defineStep, FREE } from '../step.ts';

export const MARK = defineStep({
  word: 'mark',
  group: 'flow',
  help: 'A heading in the log and the report.',
  example: 'Nobody answers for 30 s',
  modifiers: [],
  value: field<string>(
    'text',
    'The heading.',
    { type: ['string', 'number'] },
    (value, at) =>
      typeof value === 'string' || (typeof value === 'number' && isAsWritten(value, at))
        ? filledText(String(value), at)
        : at.mistake(unquoted(value, at) ?? `${shown(value)} is not a text. Write mark: and some words.`),
    'none',
  ),
  mutation: { kind: 'none', why: 'A heading has no effect.' },
  permission: FREE,
  read: (words) => ({ body: { kind: 'mark', words }, text: words, names: null }),
});
