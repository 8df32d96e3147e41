/** The subject `alerts`: the current number of alerts of a kind. */

import { ALERT_TYPES, type AlertType } from '../../../contract/enumerations.ts';
import { quoted } from '../../../contract/sentences.ts';
import { didYouMean } from '../../../plant/section-check.ts';
import { mismatches, shownMatcher } from '../../story/matchers.ts';
import { readOneOf } from '../../story/read-words.ts';
import { ofMismatches } from './alert.ts';
import { describeAlert, readCount, readOf, reportSubjectKeys } from './parts.ts';
import type { Candidate, CheckSight, ReadSubject } from './subject.ts';

const KEYS = ['alerts', 'of', 'type', 'count'];
const TRIGGERS = new Set(['alert-changed'] as const);

/** `alerts: open` (not resolved) or `all`; `of`, `type`, `count` (without it: at least one). */
export const readAlerts: ReadSubject = (fields, path, reading) => {
  const { report } = reading;
  reportSubjectKeys(fields, KEYS, path, reading);
  const which = fields['alerts'];
  if (which !== 'open' && which !== 'all') {
    const meant = didYouMean(which, ['open', 'all']) || ' Write open or all.';
    if (which !== undefined) report.mistake([...path, 'alerts'], `${quoted(which)} is not which alerts.${meant}`);
    return null;
  }
  const type = fields['type'];
  if (type !== undefined && readOneOf(type, ALERT_TYPES, 'not an alert type', [...path, 'type'], report) === null)
    return null;
  const of = readOf(fields, path, reading);
  const count = readCount(fields, path, reading);
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
