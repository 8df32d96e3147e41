/** Documentation of modifiers, the keys beside the word of a step or a rule. [scenario-language, Time and reference] */
import type { BESIDE_EVERY, RULE_VERBS } from '../reading/read-steps.ts';
import type { Modifier } from '../reading/step-kinds.ts';

export interface BesideHelp {
  readonly help: string;
  /** A step or a rule with it, as YAML list entries. */
  readonly example: string;
}

const DURATION = 'Like 500ms, 45s, 2m, 1h30m, 24h.';

export const MODIFIER_HELP: { readonly [K in Modifier]: BesideHelp } = {
  after: {
    help: `A pause before the step. ${DURATION} A range is drawn from by the seed.`,
    example: '- sos: {who: ana}\n  after: 3s',
  },
  at: {
    help: `Not before this time from the start of the story. ${DURATION} A range is drawn from by the seed.`,
    example: '- sos: {who: ana}\n  at: 2m',
  },
  within: {
    help: 'The limit of a check: 5s, or 29s..31s for not before 29 s either. Default 5 s.',
    example: '- sos: {who: ana}\n- expect: {alert: sos}\n  within: 2s',
  },
  for: {
    help: `How long a state holds or an outage lasts, or how long "never" looks. ${DURATION} Of an action, a range is drawn from.`,
    example: '- never: {alert: heat_stress}\n  for: 1m',
  },
  as: {
    help: 'A name for what the step finds or makes; then $name, or $name.id for a field of it.',
    example: '- sos: {who: ana}\n  as: call\n- acknowledge: {alert: $call, by: Desk}',
  },
  note: { help: 'A remark for the reader.', example: '- sos: {who: ana}\n  note: The red button' },
  refused: {
    help: 'true: the state refuses the step, and that is right.',
    example: '- answer: {who: ana, with: ok}\n  refused: true',
  },
  only: {
    help: 'The step is one of these cases only: {param: value}, or a list of values.',
    example: '- sos: {who: ana}\n  only: {side: left}',
  },
  equivalent: {
    help: 'Changes that "sandbox run --mutate" need not find noticed, each with its reason: step, or a detail of the check.',
    example: '- wear: {who: ana, is: off}\n  equivalent: {step: "Only the map shows it."}',
  },
};

type RuleWord = (typeof RULE_VERBS)[number] | (typeof BESIDE_EVERY)[number];

/** The words of rules, and the keys beside "every". */
export const RULE_HELP: { readonly [K in RuleWord]: BesideHelp } = {
  every: {
    help: 'Of a rule: each thing that the check matches keeps what stands beside it. Of "when": the steps run each time.',
    example: '- every: {event: alert.created}\n  delivered_to: erp\n  within: 5s',
  },
  always: { help: 'Of a rule: the check is true all the time.', example: '- always: {alerts: open, count: 0..9}' },
  never: { help: 'Of a rule: the check is never true in the whole run.', example: '- never: {alert: heat_stress}' },
  within: {
    help: 'Of a rule: the limit of "delivered_to" and of "followed_by", or the time that a probe has to follow. It counts from when your system could know: delivered, and the API refused it nothing since.',
    example: '- every: {event: alert.*}\n  delivered_to: erp\n  within: 5s',
  },
  apart: {
    help: 'Of a rule: what it matches lies at least so far apart.',
    example: '- every: {event: alert.created}\n  apart: 1s\n  count: 0..',
  },
  delivered_to: {
    help: 'Of a rule: each event that it matches is delivered to this receiver.',
    example: '- every: {event: alert.*}\n  delivered_to: erp',
  },
  as: {
    help: 'Of a rule: the name of the match in "followed_by".',
    example:
      '- every: {event: alert.created}\n  as: e\n  followed_by: {alert: $e.object, status: acknowledged}\n  within: 30s',
  },
  followed_by: {
    help: 'Of a rule: a check that comes true within the limit, for each thing that the rule matches.',
    example:
      '- every: {event: alert.created}\n  as: e\n  followed_by: {request: PATCH /v1/alerts/$e.object.id, status: 200}\n  within: 30s',
  },
  signed: {
    help: 'Of a rule: valid, so that each delivery is signed as the receiver expects.',
    example: '- every: {delivery: any}\n  signed: valid',
  },
  count: {
    help: 'Of a rule: how many there must be, where "at least one" is not meant: 0.., 2.., 1..3 or ">= 3".',
    example: '- every: {event: muster.*}\n  count: 0..',
  },
};
