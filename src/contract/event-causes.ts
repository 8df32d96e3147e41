/** When the service sends each event type, in a sentence for readers of the documentation. [spec 6, decisions 5, 6] */
import type { EventType } from './enumerations.ts';

export const EVENT_CAUSES: Readonly<Record<EventType, string>> = {
  'alert.created':
    'A new alert was raised. A second press, fall or call of the same worker joins the open alert and sends no event.',
  'alert.acknowledged': 'An operator took charge of the alert, in the panel or through the API.',
  'alert.resolved': 'An operator closed the alert, in the panel or through the API. No rule closes an alert.',
  'alert.reopened': 'A panel user reopened a resolved alert. Its status is `unacknowledged` again.',
  'alert.worker_acknowledged':
    'The worker pressed acknowledge on the watch. `worker_acknowledged_at` is set, and `status` does not change.',
  'muster.started': 'A person of the control room started a muster.',
  'muster.kind_changed':
    'A person changed the kind of the muster. The assembly points and the deadline are those of the new kind.',
  'muster.phase_changed': 'Nobody is missing, and a person began to inspect the plant: `phase` is `inspecting`.',
  'muster.targets_changed':
    'A person excluded or reinstated an assembly point. `targets_revision` is one higher than before.',
  'muster.updated':
    'The headcount changed. The service counts every 5 s and sends the event only when totals or the count of a point differ.',
  'muster.worker_missing':
    'The deadline passed and somebody is newly missing. One event covers all workers of one headcount; without a deadline, it is due 15 minutes after the start.',
  'muster.ended':
    'A person ended the muster as `completed` or `cancelled`. `expected` and `safe` keep the last headcount; the other totals are null.',
};
