/** The step `clock`: `{speed: 10}`, `{advance: 10m}`, or `{pause: 2s}` of wall time. */
import { HIGHEST_SPEED } from '../../../contract/operations/clock.ts';
import { shown } from '../../../plant/mistakes.ts';
import { parseSpan } from '../../model/draws.ts';
import { flowOf } from '../../model/flow.ts';
import { DURATION_FORM, type Field, field, span } from '../field.ts';
import { map } from '../read-map.ts';
import { defineStep, FREE } from '../step.ts';

const speed: Field<number> = field(
  'any',
  'Simulated seconds per second of wall time. No effect in fast mode.',
  { type: 'number' },
  (value, at) =>
    typeof value === 'number' && value > 0 && value <= HIGHEST_SPEED
      ? value
      : at.mistake(`${shown(value)} is not a speed. Write 1 to ${HIGHEST_SPEED}.`),
  'none',
);

const TURNS = ['advance', 'speed', 'pause'] as const;

export const CLOCK = defineStep({
  word: 'clock',
  group: 'flow',
  help: 'Advances the simulated time, changes its speed, or pauses it.',
  example: '{advance: 10m}',
  modifiers: [],
  value: map('One change of the clock.', {
    word: 'clock',
    write: (value) =>
      flowOf(typeof value === 'number' ? { speed: value } : { advance: parseSpan(value) === null ? '10m' : value }),
    only: { keys: TURNS, message: 'The clock does one thing at a time. Write speed, pause or advance.' },
    fields: {
      advance: span(`Time jumps by this, without a pace; everything due in between happens. ${DURATION_FORM}`),
      speed,
      pause: span(`Time stops for this wall time, in every mode. ${DURATION_FORM}`),
    },
  }),
  mutation: {
    kind: 'left-out',
    unless: (value) => (Object.hasOwn(value, 'advance') ? null : 'Speed and pauses change no result.'),
  },
  permission: FREE,
  read: ({ given, each }) => {
    const turn = TURNS.find((key) => Object.hasOwn(given, key));
    const to = turn === undefined ? null : each[turn];
    if (turn === undefined || to === null || to === undefined) return null;
    return { body: { kind: 'clock', turn, to }, text: `clock ${turn} ${given[turn]}`, names: null };
  },
});
