/** The step `together: [steps]`: runs steps in parallel; all begin at the same instant. */
import { plural } from '../../../contract/sentences.ts';
import { field, type StepsReader, steps } from '../field.ts';
import { defineStep, FREE } from '../step.ts';

const list = steps('The steps to run in parallel.');

export const TOGETHER = defineStep({
  word: 'together',
  group: 'flow',
  help: 'Runs steps in parallel. All begin at the same instant.',
  example: '[{sos: {who: ana}}, {fall: {who: luis}}]',
  modifiers: [],
  value: field<StepsReader>(
    'steps',
    list.help,
    list.schema,
    (value, at) => {
      if (Array.isArray(value) && value.length === 0)
        at.mistake('"together" has no steps. Write some below it, each with "- ".', 'key');
      return list.read(value, at);
    },
    'none',
  ),
  mutation: { kind: 'inner' },
  permission: FREE,
  *read(readInner) {
    const inner = yield* readInner();
    return {
      body: { kind: 'together', steps: inner },
      text: `together, ${plural(inner.length, 'step')}`,
      names: null,
    };
  },
});
