/** The step `repeat: {times: 3, every: 10s, steps: [...]}`. */
import { shownSpan } from '../../model/draws.ts';
import { shownCount } from '../../model/read-matcher.ts';
import { DURATION_FORM, required, span, steps, times } from '../field.ts';
import { map } from '../read-map.ts';
import { defineStep, FREE } from '../step.ts';

const MOST_TIMES = 10_000;

export const REPEAT = defineStep({
  word: 'repeat',
  group: 'flow',
  help: 'Runs the same steps several times.',
  example: '{times: 3, every: 10s, steps: [{sos: {who: ana}}]}',
  modifiers: [],
  value: map('The number of repetitions, and the steps.', {
    word: 'repeat',
    write: (value) => `{times: ${typeof value === 'number' ? value : 3}, steps: [...]}`,
    fields: {
      times: required(times('The number of repetitions.', MOST_TIMES)),
      every: span(`From the start of one repetition to the start of the next. ${DURATION_FORM}`),
      steps: required(steps('The steps to repeat.')),
    },
  }),
  mutation: { kind: 'inner' },
  permission: FREE,
  *read({ each: { times: count, every, steps: readInner } }) {
    const inner = readInner ? yield* readInner() : [];
    if (count === null || count === undefined || every === null) return null;
    const pause = every === undefined ? '' : ` every ${shownSpan(every)}`;
    return {
      body: { kind: 'repeat', times: count, everyMs: every ?? null, steps: inner },
      text: `repeat ${count === 1 ? '1 time' : `${shownCount(count)} times`}${pause}`,
      names: null,
    };
  },
});
