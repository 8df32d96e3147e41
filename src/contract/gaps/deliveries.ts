/** Open points about events and their deliveries. [decisions 6, 7] */
import { ATTEMPTS, RETRIED_FOR } from '../resources/retry-schedule.ts';
import type { OpenPoint } from './gap.ts';

export const DELIVERY_POINTS = [
  {
    id: 'other-event-triggers',
    clause: '6',
    question: 'What triggers the events that are only named?',
    here: 'Each status change of an alert and each step of a muster triggers one event. muster.targets_changed follows an exclusion or a reinstatement, muster.kind_changed a change of kind. muster.worker_missing follows a headcount after the deadline (15 min after the start without one) that finds workers who are not safe and were in no such event before: one event for each headcount.',
    unobserved: 'It needs musters while the comparison runs; sandbox proxy judges them.',
  },
  {
    id: 'muster-min-severity',
    clause: '6.8',
    question: 'Does min_severity restrict muster.* events?',
    here: 'No.',
    unobserved: 'Only a receiver sees what a destination gets.',
  },
  {
    id: 'contractors-filter',
    clause: '6.8',
    question: 'What affects a contractor?',
    here: "Alerts of its workers, site-wide alerts, and musters that expect one of its workers. Names outside of the client's contract match nothing; the filter never widens what its scopes show.",
    unobserved: 'Only a receiver sees what a destination gets.',
  },
  {
    id: 'retry',
    clause: '6.5',
    question: 'Do the retry times count from the event or from the failed attempt?',
    here: `offset: from created_at, ${ATTEMPTS} attempts in all, one that falls due while its predecessor is in flight is skipped; delay: from the failed attempt, until ${RETRIED_FOR} after the event.`,
    readings: ['offset', 'delay'],
    switch: 'retry',
    unobserved: 'It needs a receiver that fails for an hour.',
  },
  {
    id: 'signature-key',
    clause: '5',
    question: 'Which bytes are the key of the signature?',
    here: 'The whole whsec_... string as UTF-8; in a rotation the newest signature stands first, joined by a comma without a space.',
    unobserved: 'Only a receiver gets a signature; compare --recorded and sandbox proxy compute it with --secret.',
  },
  {
    id: 'unresolvable-host',
    clause: '4 Create a destination',
    question: 'Is a name that does not resolve now a public address?',
    here: 'It is accepted, and its deliveries fail until it resolves to public addresses only.',
    readings: ['accepted', 'refused'],
    observed: 'with --allow-writes destinations: a destination at a name that does not exist',
    fixed: 'A laptop may be offline.',
  },
  {
    id: 'destinations-limit',
    clause: '4',
    question: 'How many destinations may a company have?',
    here: '20; more are 422.',
    unobserved: 'It needs more than 20 destinations.',
  },
  {
    id: 'test-event',
    clause: '4 Test',
    question: 'What does the test event carry?',
    here: 'An sos alert with an id that no GET knows, the first site by name, no worker, device or zone; it ignores event_types and filters and is in no log.',
    unobserved: 'Only a receiver gets it.',
  },
] as const satisfies readonly OpenPoint[];
