/** Webhook destinations: list, create, delete, rotate, test. [spec 4, decisions 7] */
import { WebhookCreate } from '../requests.ts';
import { List, RotatedSecret, WebhookDestination, WebhookDestinationCreated } from '../resources.ts';
import { operation } from './operation.ts';

export const listWebhooks = operation('GET', '/v1/webhooks', 'webhooks:manage', {
  operationId: 'listWebhooks',
  tag: 'Webhooks',
  summary: 'List the webhook destinations',
  description:
    'All destinations of the company, the oldest first, without their secrets. `failing_since` shows since when deliveries have been failing.',
  answers: { 200: List('WebhookDestinationList', WebhookDestination) },
});

export const createWebhook = operation('POST', '/v1/webhooks', 'webhooks:manage', {
  operationId: 'createWebhook',
  tag: 'Webhooks',
  summary: 'Create a webhook destination; the response has the secret, once',
  description: `Events of the subscribed types go to this address from now on, signed with the \`secret\` of this response. No other response contains the secret. A company can have 20 destinations, with different filters.

The address must be https and public. This is checked now and again at every attempt. A name that does not resolve now is accepted. A receiver on your own machine is reached with \`sandbox up --forward receiver.example=http://127.0.0.1:3000\`.`,
  problems: ['invalid_destination_url', 'site_not_accessible'],
  body: WebhookCreate,
  answers: { 201: WebhookDestinationCreated },
});

export const deleteWebhook = operation('DELETE', '/v1/webhooks/:id', 'webhooks:manage', {
  operationId: 'deleteWebhook',
  tag: 'Webhooks',
  summary: 'Delete a webhook destination and its pending deliveries',
  description: 'Nothing more is sent to it, and its pending deliveries are dropped. The events stay in the event log.',
  answers: { 204: null },
});

export const rotateWebhookSecret = operation('POST', '/v1/webhooks/:id/rotate-secret', 'webhooks:manage', {
  operationId: 'rotateWebhookSecret',
  tag: 'Webhooks',
  summary: 'Issue a new secret; the previous one signs for another 24 h',
  description:
    'Until `previous_valid_until` each delivery carries both signatures, the newest first. A second rotation retires the first secret, so there are never more than two.',
  answers: { 200: RotatedSecret },
});

export const testWebhook = operation('POST', '/v1/webhooks/:id/test', 'webhooks:manage', {
  operationId: 'testWebhook',
  tag: 'Webhooks',
  summary: 'Queue a test event to this destination alone',
  description:
    'Sends an `alert.created` with `simulated: true` and `organization_id: null`, independent of the subscription of the destination. It is signed and retried like any other event. It is not in the event log, and no GET returns its alert. `failing_since` of the destination shows the outcome.',
  answers: { 202: null },
});

export const WEBHOOK_OPERATIONS = [listWebhooks, createWebhook, deleteWebhook, rotateWebhookSecret, testWebhook];
