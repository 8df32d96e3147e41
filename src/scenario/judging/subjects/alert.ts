/** The subject `alert`: an alert by type, or the named ones, in their current state. */

import { ALERT_TYPES, type AlertType } from '../../../contract/enumerations.ts';
import { Alert, DETAILS_BY_TYPE } from '../../../contract/resources.ts';
import type { JsonMap } from '../../../contract/schema.ts';
import { quoted } from '../../../contract/sentences.ts';
import { didYouMean } from '../../../plant/mistakes.ts';
import type { AlertState } from '../../log/run-record.ts';
import { type Matcher, type Mismatch, mismatches, reportMisshapen, shownMatcher } from '../../story/matchers.ts';
import { readOneOf, type StoryReading } from '../../story/read-matcher.ts';
import { idOf, type Reference, valueBehind, written } from '../../story/references.ts';
import { describeAlert, needsOf, readCount, readNameOf, readObjectFields, readOf, reportSubjectKeys } from './parts.ts';
import {
  absentCandidate,
  type Candidate,
  type CheckSight,
  fittingOf,
  type LookResult,
  lookForOne,
  type ReadSubject,
  wasExpected,
} from './subject.ts';

type What = { readonly type: AlertType | 'any' } | { readonly references: readonly Reference[] };

const TRIGGERS = new Set(['alert-changed'] as const);

/** `alert: sos`, `alert: any`, `alert: $fall` or a list of names; `of`, and any field of the alert. */
export const readAlert: ReadSubject = (fields, at) => {
  const what = readWhat(fields['alert'], at.of('alert'));
  const of = readOf(fields, at);
  const body = readFields(fields, what, at);
  if (what === null || of === null || body === null) return null;
  const wanted = 'type' in what ? what.type : what.references.map(written).join(', ');
  const alone = 'type' in what || what.references.length === 1;
  return {
    word: 'alert',
    text: `alert ${wanted}${of.length > 0 ? ` of ${of.join(', ')}` : ''}`,
    lasts: true,
    triggers: TRIGGERS,
    needs: ['type' in what ? [] : what.references, needsOf(body)].flat(),
    names: alone ? 'alert' : null,
    look: (sight) =>
      'type' in what
        ? lookForOne(candidatesOf(what.type, of, body, sight))
        : lookAtNamed(what.references, of, body, sight),
    all: 'type' in what ? (sight) => fittingOf(candidatesOf(what.type, of, body, sight)) : null,
  };
};

function readWhat(value: unknown, at: StoryReading): What | null {
  const values = Array.isArray(value) ? value : [value];
  const [first] = values;
  if (values.length === 1 && typeof first === 'string' && !first.startsWith('$')) {
    const known = ['any', ...ALERT_TYPES] as const;
    const type = known.find((word) => word === first);
    if (type !== undefined) return { type };
    return at.mistake(`${quoted(first)} is not an alert type.${didYouMean(first, known)}`);
  }
  return readAlertNames(value, at);
}

/** `$fall`, or a list of such names; null after reporting anything else. */
export function readAlertNames(value: unknown, at: StoryReading): { references: Reference[] } | null {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  if (values.length === 0) at.mistake('The list is empty. Write names such as [$sos, $fall].');
  const references = values.map((one, i) => readNameOf(['alert'], one, Array.isArray(value) ? at.of(i) : at));
  return references.length === 0 || references.includes(null) ? null : { references: references as Reference[] };
}

function readFields(fields: JsonMap, what: What | null, at: StoryReading): Matcher | null {
  const { matcher, whole } = readObjectFields(fields, ['alert', 'of'], at);
  const type = what !== null && 'type' in what && what.type !== 'any' ? what.type : null;
  const shape =
    type === null ? Alert : { ...Alert, properties: { ...Alert.properties, details: DETAILS_BY_TYPE[type] } };
  reportMisshapen(matcher, shape, type === null ? 'an alert' : `an alert of type ${type}`, at);
  return whole ? matcher : null;
}

function candidatesOf(type: AlertType | 'any', of: readonly string[], body: Matcher, sight: CheckSight): Candidate[] {
  const states = [...sight.record.alerts.values()].filter(
    ({ alert, seq }) =>
      seq > sight.since && (type === 'any' || alert.type === type) && !wasExpected(sight, alert.id, seq),
  );
  return states.map((state) => candidateOf(state, of, body, sight));
}

function lookAtNamed(
  references: readonly Reference[],
  of: readonly string[],
  body: Matcher,
  sight: CheckSight,
): LookResult {
  const found: Candidate[] = [];
  const missed: Mismatch[] = [];
  for (const reference of references) {
    const named = sight.named(reference.name);
    const id = named === undefined ? undefined : idOf(valueBehind(reference, named));
    const state = id === undefined ? undefined : sight.record.alerts.get(id);
    if (state === undefined) missed.push({ path: written(reference), expected: 'an alert', got: '(absent)' });
    else {
      const candidate = candidateOf(state, of, body, sight);
      const prefix = references.length === 1 ? '' : `${written(reference)}.`;
      missed.push(...candidate.mismatches.map((miss) => ({ ...miss, path: `${prefix}${miss.path}` })));
      found.push(candidate);
    }
  }
  if (missed.length > 0) return { matched: false, mismatches: missed, candidates: found.length };
  return { matched: true, found, at: Math.max(...found.map(({ at }) => at)) };
}

function candidateOf(state: AlertState, of: readonly string[], body: Matcher, sight: CheckSight): Candidate {
  const { before, at } = state;
  const alert = sight.look.alert(state.alert);
  if (alert === null) return absentCandidate('alert', state.alert, at);
  return {
    key: `alert ${alert.id}`,
    at,
    label: describeAlert(alert),
    mismatches: [...ofMismatches(of, alert, sight), ...mismatches(body, alert, sight, '', before)],
    named: { kind: 'alert', id: alert.id, body: alert },
  };
}

/** The mismatch of an alert that is about none of these people. */
export function ofMismatches(of: readonly string[], alert: Pick<Alert, 'worker'>, sight: CheckSight): Mismatch[] {
  if (of.length === 0 || of.some((who) => sight.workerIds(who).includes(alert.worker?.id ?? ''))) return [];
  const got = alert.worker === null ? 'nobody' : (alert.worker.external_id ?? alert.worker.id);
  return [{ path: 'of', expected: of.join(', '), got }];
}

const ALERTS_KEYS = ['alerts', 'of', 'type', 'count'];

/** `alerts: open` (not resolved) or `all`; `of`, `type`, `count` (without it: at least one). */
export const readAlerts: ReadSubject = (fields, at) => {
  reportSubjectKeys(fields, ALERTS_KEYS, at);
  const which = fields['alerts'];
  if (which !== 'open' && which !== 'all') {
    const meant = didYouMean(which, ['open', 'all']) || ' Write open or all.';
    if (which !== undefined) at.of('alerts').mistake(`${quoted(which)} is not which alerts.${meant}`);
    return null;
  }
  const type = fields['type'];
  if (type !== undefined && readOneOf(type, ALERT_TYPES, 'not an alert type', at.of('type')) === null) return null;
  const of = readOf(fields, at);
  const count = readCount(fields, at);
  if (of === null || count === null) return null;
  const wanted = count ?? ({ kind: 'compare', operator: '>=', than: 1 } as const);
  const whose = of.length > 0 ? ` of ${of.join(', ')}` : '';
  return {
    word: 'alerts',
    text: `alerts ${which}${type === undefined ? '' : ` ${type}`}${whose} count ${shownMatcher(wanted)}`,
    lasts: true,
    triggers: TRIGGERS,
    needs: [],
    names: null,
    all: null,
    look: (sight) => {
      const found = counted(which, type as AlertType | undefined, of, sight);
      const missed = mismatches(wanted, found.length, sight, 'count');
      const shown = found.map(({ label }) => label).join(', ');
      const got = missed.map((miss) => ({ ...miss, got: shown === '' ? miss.got : `${miss.got}: ${shown}` }));
      if (missed.length > 0) return { matched: false, mismatches: got, candidates: found.length };
      return { matched: true, found, at: null };
    },
  };
};

function counted(
  which: 'open' | 'all',
  type: AlertType | undefined,
  of: readonly string[],
  sight: CheckSight,
): Candidate[] {
  return [...sight.record.alerts.values()]
    .flatMap(({ alert: noticed, at }) => {
      const alert = sight.look.alert(noticed);
      return alert === null ? [] : [{ alert, at }];
    })
    .filter(({ alert }) => which === 'all' || alert.status !== 'resolved')
    .filter(({ alert }) => type === undefined || alert.type === type)
    .filter(({ alert }) => ofMismatches(of, alert, sight).length === 0)
    .map(({ alert, at }) => ({
      key: `alert ${alert.id}`,
      at,
      label: describeAlert(alert),
      mismatches: [],
      named: { kind: 'alert', id: alert.id, body: alert },
    }));
}
