/** Documentation of the written forms of values, in checks and in actions. [scenario-language, Checks, Time and reference] */
import type { Matcher } from '../model/matchers.ts';
import type { FieldValue } from '../model/scenario.ts';

export interface ValueHelp {
  readonly word: string;
  /** Synonyms. */
  readonly also?: readonly string[];
  readonly help: string;
  /** Example steps as YAML list entries. */
  readonly example: string;
}

/** Words of this language about time and searches, which several explanations use. */
export const TERM_HELP: readonly ValueHelp[] = [
  {
    word: 'last action',
    also: ['last-action', 'search window'],
    help: 'The action that began last. The search of a check starts there: a check finds what happened since. All steps count as actions, except "wait", "mark", checks and the steps of "when"; "together" counts as one, each step inside "do" and "repeat" as one. An "api" step is an action too. "never" covers the time from the beginning of the last action to the end of its "for".',
    example: '- sos: {who: ana}\n- wait: 5s\n- expect: {alert: sos, of: ana}',
  },
  {
    word: 'visibility',
    also: ['sees', 'viewer'],
    help: 'Checks see what an unscoped client of the company sees. This applies to checks of an alert, alerts, an event, a muster, the missing, a position, a device and a worker. A check of a delivery sees what left the sandbox. An "api" step sees what its client receives: write it for what one particular client must see.',
    example: '- sos: {who: ana}\n- api: {get: /v1/alerts, scope: alerts:read, answers: {status: 200}}',
  },
  {
    word: 'idle',
    also: ['idle check'],
    help: 'A check, a "never" or a rule is idle if it fails under none of the changes of a mutation test ("run --mutate"): it would pass whatever happens. "equivalent" gives the reason where that is right.',
    example:
      '- never: {alert: heat_stress}\n  for: 1m\n  equivalent: {idle: "It guards against a mistake of the sandbox."}',
  },
];

const AFTER_SOS = '- sos: {who: ana}\n  as: call\n- expect: {alert: $call';

/** Matchers of checks. */
export const MATCHER_HELP: { readonly [K in Matcher['kind']]: ValueHelp } = {
  equal: {
    word: 'equal',
    also: ['plain', 'null'],
    help: 'A plain value matches the same value. null matches null and an absent key.',
    example: `${AFTER_SOS}, status: unacknowledged, acknowledged: null}`,
  },
  compare: {
    word: 'compare',
    also: ['>=', '<=', '>', '<'],
    help: 'A number in quotes with >=, <=, > or < before it.',
    example: '- expect: {device: ana, battery: ">= 10"}',
  },
  range: {
    word: 'range',
    also: ['..', 'a..b'],
    help: 'In a check, 35..45 is any number from 35 to 45. In an action, a..b is a seeded draw of a number or a duration, a whole one where the field is whole; in "within", not before a and not after b.',
    example: '- battery: {who: ana, pct: 40..60}\n- expect: {device: ana, battery: 40..60}',
  },
  pattern: {
    word: 'pattern',
    also: ['regex', '/regex/'],
    help: 'A regular expression between slashes, without look-around and back-references; /.../i for any case.',
    example: `${AFTER_SOS}, title: /sos/i}`,
  },
  any: { word: 'any', help: 'Any value except null.', example: `${AFTER_SOS}, worker: any}` },
  not: {
    word: 'not',
    help: '"not x" is anything but x, which may be any other form.',
    example: `${AFTER_SOS}, status: not resolved}`,
  },
  'one-of': {
    word: 'one of',
    also: ['one', 'one-of'],
    help: '"one of a, b" is any of these.',
    example: `${AFTER_SOS}, severity: "one of high, critical"}`,
  },
  more: {
    word: 'more',
    also: ['+1'],
    help: '"+1" is one more than in the object’s previous version.',
    example:
      '- start_muster: {kind: general, by: Lead}\n  as: m\n- exclude_point: {muster: $m, point: Gate A, reason: Smoke, by: Lead}\n- expect: {event: muster.targets_changed, object: {targets_revision: "+1"}}',
  },
  reference: {
    word: '$name',
    also: ['name', 'reference', '$'],
    help: 'The result of an earlier step with this name ("as"), or a field of it: $call.id. For an event, $e.object is its alert or muster. A parameter is replaced by its value.',
    example:
      '- sos: {who: ana}\n  as: call\n- expect: {event: alert.created, about: $call}\n  as: e\n- acknowledge: {alert: $e.object, by: Desk}',
  },
  worker: {
    word: 'worker name',
    also: ['short name'],
    help: 'A short name refers to its worker.',
    example: `${AFTER_SOS}, worker: ana}`,
  },
  fields: {
    word: 'body',
    also: ['fields', 'map'],
    help: 'A map matches partly: the named keys must match, and other keys are allowed.',
    example: '- sos: {who: ana}\n- expect: {event: alert.created, object: {type: sos, worker: {external_id: any}}}',
  },
  list: {
    word: 'list',
    help: 'A list matches exactly: the same items in the same order.',
    example:
      '- deliveries: {to: erp, duplicate: 1}\n- sos: {who: ana}\n- expect: {deliveries: erp, order: [alert.created]}',
  },
  contains: {
    word: 'contains',
    help: '{contains: [...]} matches a list that has these among others, or a text that has this in it.',
    example: `${AFTER_SOS}, nearby: {contains: {worker: luis}}}`,
  },
};

/** Values of action fields. */
export const FIELD_HELP: { readonly [K in FieldValue['kind']]: ValueHelp | null } = {
  plain: {
    word: 'duration',
    also: ['time', 'distance', '45s', '2m'],
    help: 'Durations are 500ms, 45s, 2m, 1h30m, 24h or 1d, the biggest unit first; distances 12m or 0.5km. A number without a unit is a mistake.',
    example: '- wait: 1m30s\n- vehicle: {near: ana, distance: 6m}',
  },
  // As in a check.
  reference: null,
  drawn: null,
  receiver: {
    word: 'receiver name',
    help: 'A receiver of the file by its short name.',
    example: '- deliveries: {to: erp, duplicate: 2}\n  for: 10s',
  },
  people: {
    word: 'people',
    also: ['of', '3 of crew'],
    help: 'The workers who act: a short name, a list of short names, or a number of members of a crowd, which the seed selects: 3 of crew.',
    example: '- move: {who: [ana, 2 of crew], to: Gate A}',
  },
};
