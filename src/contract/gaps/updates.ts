/** Open points about contracts, updates and destinations. [decisions 3, 5, 7] */
import type { OpenPoint } from './gap.ts';

export const UPDATE_POINTS = [
  {
    id: 'names-contract',
    clause: '2 Alert',
    question: 'Where is include_worker_names enabled?',
    here: "It is part of the client's contract; a change holds for what is rendered after it.",
    unobserved: 'Where a contract is kept does not show; only whether it includes names.',
  },
  {
    id: 'failing-since-null',
    clause: '2 Webhook destination',
    question: 'Is failing_since null when healthy?',
    here: 'null: it is; set at the first failed attempt after a success, cleared by the next 2xx. absent: the key is left out while healthy.',
    readings: ['null', 'absent'],
    switch: 'failing-since',
    observed: 'by the listed destinations; with --allow-writes destinations also by one that is new',
  },
  {
    id: 'transitions',
    clause: '3 Alert status',
    question: 'Which statuses accept which update?',
    here: 'unacknowledged -> acknowledged; unacknowledged or acknowledged -> resolved; asking for the status that it has: 200, unchanged, no event; acknowledging a resolved alert: 409 invalid_transition.',
    readings: ['as here', 'otherwise'],
    observed: 'with --allow-writes acknowledge=ALERT_ID: the alert is acknowledged twice',
    fixed: 'A client must be able to retry safely.',
  },
  {
    id: 'reopened',
    clause: '3 Alert status',
    question: 'How is an alert reopened?',
    here: 'By a panel action on a resolved alert: unacknowledged again, acknowledged and resolved null, assigned_to and worker_acknowledged_at stay.',
    unobserved: 'Only people in the panel reopen an alert.',
  },
  {
    id: 'by-label',
    clause: '2 ActionBy',
    question: 'What does `by` read for an update through the API?',
    here: 'generic: "Customer operator (via integration)"; actor: "<actor.name> (via integration)". The actor is in the timeline either way.',
    readings: ['generic', 'actor'],
    switch: 'by-label',
    observed: 'by `acknowledged` and `resolved` of the listed alerts',
  },
  {
    id: 'reason-when-acknowledging',
    clause: '4 Alert update body',
    question: 'May resolution_reason come with acknowledged?',
    here: 'No: 422. A note with acknowledged goes to the timeline only.',
    readings: ['422', 'accepted'],
    observed: 'with --allow-writes acknowledge=ALERT_ID',
    fixed: 'An accepted reason shows nowhere in the API.',
  },
  {
    id: 'is-active',
    clause: '3 Webhook destination',
    question: 'What changes is_active?',
    here: 'Nothing: it is always true.',
    readings: ['always true', 'also false'],
    observed: 'by the listed destinations',
    fixed: 'Nothing in the API changes it.',
  },
] as const satisfies readonly OpenPoint[];
