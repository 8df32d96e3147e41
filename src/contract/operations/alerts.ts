/** Alerts: the list, one alert, and the operator's update. [spec 2, 3, 4, decisions 1, 5] */
import type { TObject } from 'typebox';
import { AlertsQuery, AlertUpdate } from '../requests.ts';
import { Alert, Page } from '../resources.ts';
import { operation } from './operation.ts';

export const listAlerts = operation('GET', '/v1/alerts', 'alerts:read', {
  operationId: 'listAlerts',
  tag: 'Alerts',
  summary: 'List alerts, the newest first',
  description: `A page of the alerts that the client may see, by \`date_created\`. A walk by \`cursor\` neither skips nor repeats an alert, also when alerts change meanwhile. To catch up with changes, use \`modified_since\`. \`date_last_modified\` strictly increases over all alerts of the company. You miss no change if you continue from the newest value that you have seen. If an answer has several pages, use the newest value of the first page: an alert that changes during the walk may move to a page that you have already read.

Alerts of other contractors do not exist for a client whose contract is scoped to contractors; alerts of the whole site are visible to every client.`,
  query: AlertsQuery as TObject,
  answers: { 200: Page('AlertPage', Alert) },
});

export const getAlert = operation('GET', '/v1/alerts/:alert_id', 'alerts:read', {
  operationId: 'getAlert',
  tag: 'Alerts',
  summary: 'Get one alert',
  description:
    'The current state of the alert: the same object as in its last event. An alert of another company gets 404.',
  answers: { 200: Alert },
});

export const updateAlert = operation('PATCH', '/v1/alerts/:alert_id', 'alerts:write', {
  operationId: 'updateAlert',
  tag: 'Alerts',
  summary: 'Acknowledge or resolve an alert, naming the operator',
  description: `\`unacknowledged\` becomes \`acknowledged\`; either becomes \`resolved\`. A request for the status that the alert already has changes nothing and gets 200. A retry is therefore safe: the first actor stays. A resolved alert cannot be acknowledged.

Acknowledging assigns the alert to the customer's operator if nobody had it. The operator's name, \`resolution_reason\` and \`note\` are added to the timeline of the alert, which its page in the panel shows.`,
  problems: ['invalid_transition'],
  body: AlertUpdate,
  answers: { 200: Alert },
});

export const ALERT_OPERATIONS = [listAlerts, getAlert, updateAlert];
