/** The condition `alert`: the current state of an alert by type, or of the named alerts. */

import { ALERT_TYPES, type AlertType } from '../../../contract/enumerations.ts';
import { typesByDetails } from '../../../contract/resources/details.ts';
import { Alert, DETAILS_BY_TYPE } from '../../../contract/resources.ts';
import { quoted } from '../../../contract/sentences.ts';
import { didYouMean } from '../../../plant/mistakes.ts';
import {
  absentCandidate,
  type Candidate,
  fittingOf,
  type LookResult,
  lookForOne,
  type ViewScope,
  wasExpected,
} from '../../judging/subject.ts';
import type { AlertState } from '../../log/run-record.ts';
import { type Matcher, type Mismatch, mismatches } from '../../model/matchers.ts';
import { idOf, type Reference, valueBehind, written } from '../../model/references.ts';
import { defineCondition } from '../condition.ts';
import { field, required } from '../field.ts';
import { people, readAlertNames } from './keys.ts';
import { describeAlert, nameOf, needsOf } from './parts.ts';

type WhichAlert = { readonly type: AlertType | 'any' } | { readonly references: readonly Reference[] };

const TRIGGERS = new Set(['alert-changed'] as const);
const WORDS = ['any', ...ALERT_TYPES] as const;
const DETAILS_WORDS = typesByDetails()
  .map(([details, types]) => `${types.join(', ')}: ${Object.keys(details.properties).join(', ')}`)
  .join('; ');

const which = field<WhichAlert>('one-of', 'an alert type, any, $name, or a list of names', {}, (value, at) => {
  const values = Array.isArray(value) ? value : [value];
  const [first] = values;
  if (values.length === 1 && typeof first === 'string' && !first.startsWith('$')) {
    const type = WORDS.find((word) => word === first);
    if (type !== undefined) return { type };
    return at.mistake(`${quoted(first)} is not an alert type.${didYouMean(first, WORDS)}`);
  }
  const references = readAlertNames(value, at);
  return references === null ? null : { references };
});

/** `alert: sos`, `alert: any`, `alert: $fall` or a list of names; `of`, and any field of the alert. */
export const ALERT = defineCondition({
  word: 'alert',
  help: `The current state of an alert: of one that was created or changed since the start of the search (the last action, or "since"), or of the named one. The keys of "details" by type: ${DETAILS_WORDS}.`,
  example: '{alert: fall_detected, of: ana, status: unacknowledged}',
  lasts: true,
  searches: true,
  sees: 'client',
  fields: { alert: required(which), of: people },
  words: WORDS,
  resource: { schema: Alert, noun: 'an alert' },
  shapeOf: ({ alert }) => {
    const type = ALERT_TYPES.find((one) => one === [alert].flat()[0]);
    if (type === undefined) return { schema: Alert, noun: 'an alert' };
    const schema = { ...Alert, properties: { ...Alert.properties, details: DETAILS_BY_TYPE[type] } };
    return { schema, noun: `an alert of type ${type}` };
  },
  scopes: ['alerts:read'],
  mutation: { isPassing: true },
  read: ({ whole, body }) => {
    if (whole === null || body === null) return null;
    const { alert: what, of = [] } = whole;
    const wanted = 'type' in what ? what.type : what.references.map(written).join(', ');
    const alone = 'type' in what || what.references.length === 1;
    return {
      text: `alert ${wanted}${of.length > 0 ? ` of ${of.join(', ')}` : ''}`,
      triggers: TRIGGERS,
      needs: ['type' in what ? [] : what.references, needsOf(body)].flat(),
      names: alone ? 'alert' : null,
      searches: 'type' in what,
      look: (viewScope) =>
        'type' in what
          ? lookForOne(candidatesOf(what.type, of, body, viewScope))
          : lookAtNamed(what.references, of, body, viewScope),
      all: 'type' in what ? (viewScope) => fittingOf(candidatesOf(what.type, of, body, viewScope)) : null,
    };
  },
});

function candidatesOf(
  type: AlertType | 'any',
  of: readonly string[],
  body: Matcher,
  viewScope: ViewScope,
): Candidate[] {
  const states = [...viewScope.record.alerts.values()].filter(
    ({ alert, seq }) =>
      seq > viewScope.since && (type === 'any' || alert.type === type) && !wasExpected(viewScope, alert.id, seq),
  );
  return states.map((state) => candidateOf(state, of, body, viewScope));
}

function lookAtNamed(
  references: readonly Reference[],
  of: readonly string[],
  body: Matcher,
  viewScope: ViewScope,
): LookResult {
  const found: Candidate[] = [];
  const missed: Mismatch[] = [];
  for (const reference of references) {
    const named = viewScope.named(reference.name);
    const id = named === undefined ? undefined : idOf(valueBehind(reference, named));
    const state = id === undefined ? undefined : viewScope.record.alerts.get(id);
    if (state === undefined) missed.push({ path: written(reference), expected: 'an alert', got: '(absent)' });
    else {
      const candidate = candidateOf(state, of, body, viewScope);
      const prefix = references.length === 1 ? '' : `${written(reference)}.`;
      missed.push(...candidate.mismatches.map((miss) => ({ ...miss, path: `${prefix}${miss.path}` })));
      found.push(candidate);
    }
  }
  if (missed.length > 0) return { matched: false, mismatches: missed, candidates: found.length };
  return { matched: true, found, at: Math.max(...found.map(({ at }) => at)) };
}

function candidateOf(state: AlertState, of: readonly string[], body: Matcher, viewScope: ViewScope): Candidate {
  const { before, at } = state;
  const alert = viewScope.look.alert(state.alert);
  if (alert === null) return absentCandidate('alert', state.alert, at);
  return {
    key: `alert ${alert.id}`,
    at,
    label: describeAlert(alert, viewScope),
    mismatches: [...ofMismatches(of, alert, viewScope), ...mismatches(body, alert, viewScope, '', before)],
    named: { kind: 'alert', id: alert.id, body: alert },
    isChange: before !== null,
  };
}

/** Returns the mismatch of an alert that concerns none of these people. */
export function ofMismatches(of: readonly string[], alert: Pick<Alert, 'worker'>, viewScope: ViewScope): Mismatch[] {
  if (of.length === 0 || of.some((who) => viewScope.workerIds(who).includes(alert.worker?.id ?? ''))) return [];
  const got = alert.worker === null ? 'nobody' : nameOf(alert.worker, viewScope);
  return [{ path: 'of', expected: of.join(', '), got }];
}
