/** Documentation of the written forms of values, in checks and in actions. [scenario-language, Checks, Time and reference] */
import { HOUSE_RULES } from '../judging/house-rules.ts';
import type { Matcher } from '../model/matchers.ts';
import type { FieldValue } from '../model/scenario.ts';

export interface ValueHelp {
  readonly word: string;
  /** Synonyms. */
  readonly also?: readonly string[];
  readonly help: string;
  /** Example steps as YAML list entries. */
  readonly example: string;
  /** A file of the package that shows the whole. */
  readonly file?: string;
}

/** The file of the built-in plant in the package. */
export const BUILT_IN_PLANT = 'scenarios/sites/built-in-plant.yaml';

/** Terms about time and searches that several explanations use. */
export const TERM_HELP: readonly ValueHelp[] = [
  {
    word: 'built-in plant',
    also: ['plant'],
    help: 'The plant of a scenario whose files name no "site" and no "sites". A worker without a place is in the zone "Hall". To change the plant, copy its file and name the copy in "use".',
    example: '- sos: ana\n- expect: {alert: sos, of: ana}\n  within: 2s',
    file: BUILT_IN_PLANT,
  },
  {
    word: 'short form',
    also: ['short-forms', 'short'],
    help: 'A value that stands for a longer one. A value alone stands for the one key that a step is about; "explain" of a step shows it. One word stands for a list of words, one step for a list of steps, and a list of names for a map of workers or receivers: workers: [ana, ben]. A number stands for the "count" of a crowd: crowd: {crew: 12}. Short forms become the long form before parts are merged. Modifiers are next to a short form as they are next to a long one.',
    example: '- sos: ana\n  after: 5s\n- api: GET /v1/alerts',
  },
  {
    word: 'last action',
    also: ['last-action', 'search window', 'search'],
    help: 'The action that began last. The search of a check starts there, unless "since" beside the check names another start: a check finds only what happened since then. All steps count as actions, except "wait", "mark", "clock", checks, "api" with get, and the steps of "when". An "api" with get counts if its token is expired, revoked or narrow. "together" counts as one action; inside "do" and "repeat", each step counts as one. The search of a check of a "request" starts at the last "api" step, if that began later. "never" covers the time from the start of its search to the end of its "for". A failure prints the "since" that would have found what came before.',
    example:
      '- sos: {who: ana}\n- wait: 5s\n- expect: {alert: sos, of: ana}\n- heat: {index_c: 45}\n- expect: {event: alert.created, of: ana}\n  since: start',
  },
  {
    word: 'visibility',
    also: ['sees', 'viewer'],
    help: 'Checks see what an unscoped client of the company sees: names of the contract and the veil apply, its scopes and contractors do not. This applies to checks of an alert, alerts, an event, a muster, the missing, a position, a device and a worker. A check of a delivery sees what the sandbox sent. An "api" step sees what its client receives. Use it to check what one particular client sees.',
    example: '- sos: {who: ana}\n- api: {get: /v1/alerts, scope: alerts:read, answers: {status: 200}}',
  },
  {
    word: 'built-in rules',
    also: ['built-in rule', 'house rules', 'invariants'],
    help: `Rules that hold in every run; a scenario does not name them. A breach is a failure at the step that was under way. ${Object.entries(
      HOUSE_RULES,
    )
      .map(([rule, words]) => `"${rule}"${words === '' ? '' : `: ${words}`}`)
      .join('; ')}.`,
    example: '- sos: {who: ana}\n- expect: {event: alert.created, of: ana}',
  },
  {
    word: 'idle',
    also: ['idle check'],
    help: 'A check, a "never" or a rule is idle if it fails under none of the changes of a mutation test ("run --mutate"). Such a check may pass whatever happens. If this is correct, give the reason with "equivalent".',
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
    help: 'A comparison in quotes, such as ">= 10", with >=, <=, > or < and a number.',
    example: '- expect: {device: ana, battery: ">= 10"}',
  },
  range: {
    word: 'range',
    also: ['..', 'a..b'],
    help: 'In a check, 35..45 matches any number from 35 to 45. In an action, the seed selects a number or a duration from a to b; it is a whole number if the field requires one. In "within", a..b means not before a and not after b.',
    example: '- battery: {who: ana, pct: 40..60}\n- expect: {device: ana, battery: 40..60}',
  },
  pattern: {
    word: 'pattern',
    also: ['regex', '/regex/'],
    help: 'A regular expression between slashes, without look-around and back-references. /.../i ignores upper and lower case.',
    example: `${AFTER_SOS}, title: /sos/i}`,
  },
  any: { word: 'any', help: 'Any value except null.', example: `${AFTER_SOS}, worker: any}` },
  not: {
    word: 'not',
    help: '"not x" matches every value that x does not match. x can have any of the other forms.',
    example: `${AFTER_SOS}, status: not resolved}`,
  },
  'one-of': {
    word: 'one of',
    also: ['one', 'one-of'],
    help: '"one of a, b" matches each of these values.',
    example: `${AFTER_SOS}, severity: "one of high, critical"}`,
  },
  more: {
    word: 'more',
    also: ['+1'],
    help: '"+1" matches the value of the previous version of the object, plus 1.',
    example:
      '- start_muster: {kind: general, by: Lead}\n  as: m\n- exclude_point: {muster: $m, point: Gate A, reason: Smoke, by: Lead}\n- expect: {event: muster.targets_changed, object: {targets_revision: "+1"}}',
  },
  reference: {
    word: '$name',
    also: ['name', 'reference', '$'],
    help: 'The result of the earlier step that has this name ("as"), or a field of the result: $call.id. For an event, $e.object is its alert or muster. A parameter is replaced by its value.',
    example:
      '- sos: {who: ana}\n  as: call\n- expect: {event: alert.created, about: $call}\n  as: e\n- acknowledge: {alert: $e.object, by: Desk}',
  },
  worker: {
    word: 'worker name',
    also: ['short name'],
    help: 'The short name of a worker matches this worker.',
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
    help: '{contains: [...]} matches a list that contains these items among others, or a text that contains this text.',
    example: `${AFTER_SOS}, nearby: {contains: {worker: luis}}}`,
  },
};

/** Values of action fields. */
export const FIELD_HELP: { readonly [K in FieldValue['kind']]: ValueHelp | null } = {
  plain: {
    word: 'duration',
    also: ['time', 'distance', '45s', '2m'],
    help: 'Durations are written 500ms, 45s, 2m, 1h30m, 24h or 1d, with the largest unit first. Distances are written 12m or 0.5km. A number without a unit is a mistake.',
    example: '- wait: 1m30s\n- vehicle: {near: ana, distance: 6m}',
  },
  // A reference is written as in a check.
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
