/** The dashboard without a terminal: one fact per line, in the order of the stream. */

import { MISSING_STATUSES } from '../../contract/resources/headcount.ts';
import {
  ALERT_TERMS,
  DELIVERY_TERMS,
  HELP_REASON_WORDS,
  musterTerm,
  PERSON_TERMS,
  SEVERITY_TERMS,
} from '../../contract/resources/vocabulary.ts';
import type { Alert, Muster } from '../../contract/resources.ts';
import type { StreamChange, StreamPerson, StreamSnapshot } from '../../contract/stream.ts';
import { isTurned, type StreamState } from '../../watching/state/state.ts';

/** The state at the beginning of the stream. */
export function snapshotLines({ clock, sites, people, alerts, musters, destinations }: StreamSnapshot): string[] {
  const at = clock.now.slice(11, 19);
  return [
    `${at} begin    ${sites.map(({ name }) => name).join(', ')}: ${people.length} people, ${alerts.length} open alerts, ${destinations.length} destinations`,
    ...musters.filter(({ status }) => status === 'active').map((muster) => `${at} ${musterLine(muster)}`),
    ...alerts.map((alert) => `${at} ${alertLine(alert)}`),
  ];
}

/** Lines for the differences from the previous state; people who only walk get no line. */
export function changeLines(before: StreamState, change: StreamChange): string[] {
  if ('gone' in change) return [];
  return factsOf(before, change).map((fact) => `${change.at.slice(11, 19)} ${fact}`);
}

function factsOf(before: StreamState, change: Exclude<StreamChange, { gone: string }>): string[] {
  switch (change.subject) {
    case 'alert': {
      const { alert } = change;
      return before.alerts.get(alert.id)?.status === alert.status ? [] : [alertLine(alert)];
    }
    case 'muster': {
      const line = musterLine(change.muster);
      const known = before.musters.get(change.muster.id);
      return known !== undefined && musterLine(known) === line ? [] : [line];
    }
    case 'clock':
      if (!isTurned(before, change.clock)) return [];
      return [`clock    ${change.clock.paused ? 'paused' : `speed ${change.clock.speed}`}`];
    case 'delivery': {
      const { destination_id, event_type, state, tries, last_status, next_attempt_at } = change.delivery;
      if (state === 'waiting' && tries === 0) return [];
      const url = before.destinations.get(destination_id)?.url ?? destination_id;
      const next = next_attempt_at === null ? '' : ` next ${next_attempt_at.slice(11, 19)}`;
      return [
        `delivery ${event_type} to ${url}: ${DELIVERY_TERMS[state].word} ${last_status ?? 'no answer'} try ${tries}${next}`,
      ];
    }
    case 'person':
      return change.people.flatMap((person) => personLine(before, person) ?? []);
    default:
      return [];
  }
}

/** Returns null if the person's status has not changed. */
function personLine(before: StreamState, { worker_id, muster }: StreamPerson): string | null {
  const known = before.people.get(worker_id)?.muster;
  if (muster === null || (known?.status === muster.status && known.needs_rescue === muster.needs_rescue)) return null;
  const code = before.workers.get(worker_id)?.external_id ?? worker_id;
  const help = muster.help_reason === null ? '' : `, ${HELP_REASON_WORDS[muster.help_reason]}`;
  return `person   ${code} ${PERSON_TERMS[muster.status].word}${help}${muster.needs_rescue ? `, ${PERSON_TERMS.rescue.word}` : ''}`;
}

const alertLine = (alert: Alert): string =>
  `alert    ${SEVERITY_TERMS[alert.severity].word} ${ALERT_TERMS[alert.type].word}: ${alert.worker === null ? 'the whole site' : (alert.worker.external_id ?? alert.worker.id)}${alert.zone === null ? '' : ` in ${alert.zone.name}`} ${alert.status}`;

const musterLine = ({ site, kind, phase, status, totals }: Muster): string =>
  `muster   ${site.name} ${kind} ${musterTerm({ status, phase }).word} ${totals.safe} of ${totals.expected} safe${
    totals.help === null ? '' : MISSING_STATUSES.map((one) => `, ${totals[one]} ${PERSON_TERMS[one].word}`).join('')
  }`;
