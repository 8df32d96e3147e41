/** The step `receiver: {name: erp, does: 503}` with `for: 3m`: how a built-in receiver behaves. */
import type { JsonMap } from '../../../contract/schema.ts';
import { shownSpan } from '../../model/draws.ts';
import { flowOf } from '../../model/flow.ts';
import { BEHAVIOUR_WORDS, readBehaviours } from '../../model/receiver-behaviour.ts';
import { DURATION_FORM, field, receiver, required, span } from '../field.ts';
import { map } from '../read-map.ts';
import { defineStep, FREE } from '../step.ts';

/** One behaviour: a word, or the HTTP status of the reply. */
const BEHAVIOUR: readonly JsonMap[] = [{ enum: BEHAVIOUR_WORDS }, { type: 'integer', minimum: 200, maximum: 599 }];
const PARAMETER: JsonMap = { type: 'string', pattern: '^\\$' };

export const RECEIVER = defineStep({
  word: 'receiver',
  group: 'customer',
  help: 'Changes how a built-in receiver answers, from now on or for the given time.',
  example: '{name: erp, does: 503}',
  modifiers: ['for'],
  value: map('A receiver and its behaviour.', {
    word: 'receiver',
    write: (value, { receivers }) => {
      const isBehaviour = typeof value === 'number' || BEHAVIOUR_WORDS.some((word) => word === value);
      const name = typeof value === 'string' && !isBehaviour ? value : (receivers[0] ?? 'erp');
      return flowOf({ name, does: isBehaviour ? value : 503 });
    },
    fields: {
      name: required(receiver('A receiver of the file.')),
      does: required(
        field(
          'list',
          `A status, or ${BEHAVIOUR_WORDS.join(', ')}; or a list, of which each attempt takes the next one; the last one repeats.`,
          { anyOf: [...BEHAVIOUR, { type: 'array', minItems: 1, items: { anyOf: [...BEHAVIOUR, PARAMETER] } }] },
          readBehaviours,
        ),
      ),
      delay: span(`It answers after this. ${DURATION_FORM}`),
    },
  }),
  mutation: { kind: 'left-out' },
  permission: FREE,
  read: ({ whole }, _at, { forMs }) => {
    if (whole === null) return null;
    const { name, does, delay } = whole;
    const lasting = forMs === null ? '' : ` for ${shownSpan(forMs)}`;
    const waits = delay === undefined ? '' : ` after ${shownSpan(delay)}`;
    return {
      body: { kind: 'receiver', receiver: name, does, delayMs: delay ?? null, forMs },
      text: `receiver ${name} does ${does.join(', ')}${waits}${lasting}`,
      names: null,
    };
  },
});
