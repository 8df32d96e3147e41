/** The condition `alerts`: the number of alerts now. */

import { ALERT_TYPES, type AlertType } from '../../../contract/enumerations.ts';
import { quoted } from '../../../contract/sentences.ts';
import { didYouMean } from '../../../plant/mistakes.ts';
import type { Candidate, ViewScope } from '../../judging/subject.ts';
import { mismatches, shownMatcher } from '../../model/matchers.ts';
import { readOneOf } from '../../model/read-matcher.ts';
import { defineCondition } from '../condition.ts';
import { field, required } from '../field.ts';
import { ofMismatches } from './alert.ts';
import { count, people } from './keys.ts';
import { describeAlert } from './parts.ts';

const TRIGGERS = new Set(['alert-changed'] as const);
const WORDS = ['open', 'all'] as const;

const which = field<(typeof WORDS)[number]>(
  'one-of',
  'open or all',
  { type: 'string' },
  (value, at) => {
    const known = WORDS.find((word) => word === value);
    if (known !== undefined) return known;
    return at.mistake(`${quoted(value)} is not which alerts.${didYouMean(value, WORDS) || ' Write open or all.'}`);
  },
  'none',
);

const type = field<AlertType>(
  'one-of',
  'Only alerts of this type.',
  { type: 'string', enum: ALERT_TYPES },
  (value, at) => readOneOf(value, ALERT_TYPES, 'not an alert type', at),
);

/** `alerts: open` (not resolved) or `all`; `of`, `type`, `count` (without it: at least one). */
export const ALERTS = defineCondition({
  word: 'alerts',
  help: 'The current number of alerts.',
  example: '{alerts: open, count: 0}',
  lasts: true,
  sees: 'client',
  fields: { alerts: required(which), of: people, type, count },
  words: WORDS,
  resource: null,
  scopes: ['alerts:read'],
  mutation: { isPassing: true },
  read: ({ whole }) => {
    if (whole === null) return null;
    const { alerts, of = [], type: only } = whole;
    const wanted = whole.count ?? ({ kind: 'compare', operator: '>=', than: 1 } as const);
    const whose = of.length > 0 ? ` of ${of.join(', ')}` : '';
    return {
      text: `alerts ${alerts}${only === undefined ? '' : ` ${only}`}${whose} count ${shownMatcher(wanted)}`,
      triggers: TRIGGERS,
      needs: [],
      names: null,
      all: null,
      look: (viewScope) => {
        const found = counted(alerts, only, of, viewScope);
        const missed = mismatches(wanted, found.length, viewScope, 'count');
        const shown = found.map(({ label }) => label).join(', ');
        const got = missed.map((miss) => ({ ...miss, got: shown === '' ? miss.got : `${miss.got}: ${shown}` }));
        if (missed.length > 0) return { matched: false, mismatches: got, candidates: found.length };
        return { matched: true, found, at: null };
      },
    };
  },
});

function counted(
  alerts: 'open' | 'all',
  only: AlertType | undefined,
  of: readonly string[],
  viewScope: ViewScope,
): Candidate[] {
  return [...viewScope.record.alerts.values()]
    .flatMap(({ alert: noticed, at }) => {
      const alert = viewScope.look.alert(noticed);
      return alert === null ? [] : [{ alert, at }];
    })
    .filter(({ alert }) => alerts === 'all' || alert.status !== 'resolved')
    .filter(({ alert }) => only === undefined || alert.type === only)
    .filter(({ alert }) => ofMismatches(of, alert, viewScope).length === 0)
    .map(({ alert, at }) => ({
      key: `alert ${alert.id}`,
      at,
      label: describeAlert(alert, viewScope),
      mismatches: [],
      named: { kind: 'alert', id: alert.id, body: alert },
    }));
}
