/** The modifiers: keys next to the word of a step. [scenario-language, Time and reference] */

import { isDeepStrictEqual } from 'node:util';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { didYouMean, shown } from '../../plant/mistakes.ts';
import { flowValue } from '../model/flow.ts';
import { boundName, DURATION_FORM, type Field, field, flag, limit, quotedText, searchStart, span } from './field.ts';

interface ModifierDeclaration<T> {
  readonly field: Field<T>;
  /** True if every step may have the modifier; false if only the steps that declare it may. */
  readonly ofEveryStep: boolean;
  /** Steps with the modifier, as YAML list entries. */
  readonly example: string;
}

/** `only: {fault: slow}`, or a list of values: true if the step belongs to this case. */
const ofCase = (help: string): Field<boolean> =>
  field(
    'map',
    help,
    { type: 'object' },
    (only, at) => {
      if (!isMap(only)) {
        const [any = 'param'] = Object.keys(at.values);
        const name = Object.keys(at.values).find((one) => at.values[one] === only) ?? any;
        at.mistake(`${shown(only)} is not a case. Write only: {${name}: ${flowValue(only ?? 'value')}}.`);
        return true;
      }
      return Object.entries(only).every(([name, wanted]) => {
        if (!Object.hasOwn(at.values, name)) {
          const meant = didYouMean(name, Object.keys(at.values));
          at.of(name).mistake(`${quoted(name)} is not a parameter or case.${meant}`, 'key');
          return true;
        }
        return [wanted].flat().some((one) => isDeepStrictEqual(one, at.values[name]));
      });
    },
    'none',
  );

/** `equivalent: {step: why}`: mutations that the scenario need not detect, or `idle`, each with the reason. */
const reasons = (help: string): Field<JsonMap> =>
  field(
    'map',
    help,
    { type: 'object', additionalProperties: { type: 'string' } },
    (equivalent, at) => {
      if (!isMap(equivalent))
        return at.mistake(
          `${shown(equivalent)} is not what changes nothing. Write equivalent: {step: why}, or a detail of the check instead of step.`,
        );
      for (const [detail, reason] of Object.entries(equivalent)) {
        if (typeof reason === 'string' && reason.trim() !== '') continue;
        at.of(detail).mistake(`${shown(reason)} is not a reason. Write it in words, in quotes where it has a comma.`);
      }
      return equivalent;
    },
    'none',
  );

export const MODIFIERS = {
  after: {
    field: span(`The pause before the step. ${DURATION_FORM} A range is allowed: the seed decides the duration.`),
    ofEveryStep: true,
    example: '- sos: {who: ana}\n  after: 3s',
  },
  at: {
    field: span(
      `The step does not begin before this time from the start of the scenario. ${DURATION_FORM} A range is allowed: the seed decides the duration.`,
    ),
    ofEveryStep: true,
    example: '- sos: {who: ana}\n  at: 2m',
  },
  within: {
    field: limit(
      'The time limit of a check, such as 5s. 29s..31s: at the earliest after 29 s, at the latest after 31 s. Default: 5s.',
    ),
    ofEveryStep: false,
    example: '- sos: {who: ana}\n- expect: {alert: sos}\n  within: 2s',
  },
  since: {
    field: searchStart(
      'Where the search of a check starts: "start" is the start of the scenario; $name is the beginning of the step that bound the name. Default: the last action.',
    ),
    ofEveryStep: false,
    example: '- sos: {who: ana}\n- heat: {index_c: 45}\n- expect: {event: alert.created, of: ana}\n  since: start',
  },
  for: {
    field: span(
      `The duration of a state or an outage, or the time during which "never" observes. ${DURATION_FORM} For an action, a range is allowed: the seed decides the duration.`,
    ),
    ofEveryStep: false,
    example: '- never: {alert: heat_stress}\n  for: 1m',
  },
  as: {
    field: boundName(
      'A name for what the step finds or creates. Later steps write $name, or $name.id for a field of it.',
    ),
    ofEveryStep: false,
    example: '- sos: {who: ana}\n  as: call\n- acknowledge: {alert: $call, by: Desk}',
  },
  note: {
    field: quotedText('A remark for the reader.'),
    ofEveryStep: true,
    example: '- sos: {who: ana}\n  note: The red button',
  },
  refused: {
    field: flag('true: the sandbox is expected to refuse the step.'),
    ofEveryStep: false,
    example: '- answer: {who: ana, with: ok}\n  refused: true',
  },
  only: {
    field: ofCase('The step runs only in these cases: {param: value}, or a list of values.'),
    ofEveryStep: true,
    example: '- sos: {who: ana}\n  only: {side: left}',
  },
  equivalent: {
    field: reasons(
      'Changes that "sandbox run --mutate" need not detect, each with the reason. The key is "step", or a key of the step or check. For a check, "idle" gives the reason why the check fails under none of the changes.',
    ),
    ofEveryStep: true,
    example:
      '- wear: {who: ana, is: off}\n  equivalent: {step: "Only the map shows it."}\n- never: {alert: heat_stress}\n  for: 1m\n  equivalent: {idle: "It guards against a mistake of the sandbox."}',
  },
} as const satisfies Readonly<Record<string, ModifierDeclaration<unknown>>>;
export type Modifier = keyof typeof MODIFIERS;

export const MODIFIER_NAMES = Object.keys(MODIFIERS) as readonly Modifier[];

export const isModifier = (key: string): key is Modifier => Object.hasOwn(MODIFIERS, key);

/** Modifiers that only some steps have. */
export type OwnModifier = { [K in Modifier]: (typeof MODIFIERS)[K]['ofEveryStep'] extends true ? never : K }[Modifier];

export const COMMON_MODIFIERS: readonly Modifier[] = MODIFIER_NAMES.filter((name) => MODIFIERS[name].ofEveryStep);
