/** The step `wait: 45s`. */
import { explainDuration } from '../../../base/time/durations.ts';
import { shown } from '../../../plant/mistakes.ts';
import { parseSpan, shownSpan } from '../../model/draws.ts';
import { DURATION_FORM, field } from '../field.ts';
import { defineStep, FREE } from '../step.ts';

export const WAIT = defineStep({
  word: 'wait',
  group: 'flow',
  help: 'Waits for the given duration.',
  example: '45s',
  modifiers: [],
  value: field(
    'duration',
    DURATION_FORM,
    { type: ['string', 'number'] },
    (value, at) => {
      const isNoText = typeof value === 'object';
      return (
        parseSpan(value) ??
        at.mistake(isNoText ? `${shown(value)} is not a duration. Write wait: 45s.` : explainDuration(String(value)))
      );
    },
    'none',
  ),
  mutation: { kind: 'none', why: 'A wait has no effect of its own: the check after it has a limit.' },
  permission: FREE,
  read: (ms) => ({ body: { kind: 'wait', ms }, text: `wait ${shownSpan(ms)}`, names: null }),
});
