/** Session destinations, as `sandbox listen` makes them: deliveries go to any address, and the client's own list does not show them. [decisions 7, 9] */

import { type Static, Type } from 'typebox';
import { EventSelector } from '../enumerations.ts';
import { ATTEMPTS } from '../resources/retry-schedule.ts';
import { List, WebhookDestination, WebhookFiltersInput } from '../resources.ts';
import { closed, nullable } from '../shapes.ts';
import { operation } from './operation.ts';

const MOST_CHARACTERS = 2_048;

export const SessionCreate = closed(
  'SessionDestinationCreate',
  'A new session destination: an address of your own that receives events.',
  {
    forward_to: Type.String({
      maxLength: MOST_CHARACTERS,
      description: 'The address: http or https, also a local address, without userinfo and fragment.',
    }),
    event_types: Type.Optional(
      Type.Array(EventSelector, { minItems: 1, description: 'The event types and groups. Default: all.' }),
    ),
    filters: Type.Optional(WebhookFiltersInput),
    company: Type.Optional(
      Type.String({ description: 'The name or the client_id of the company. Default: the first company.' }),
    ),
    skip_verify: Type.Optional(
      Type.Boolean({ description: 'Accept any certificate of an https receiver. Default: false.' }),
    ),
    listener: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'A name for the listener. Two listeners at one address have separate destinations.',
      }),
    ),
    lease_s: Type.Optional(
      Type.Integer({
        minimum: 5,
        maximum: 3_600,
        description:
          'The destination is deleted if the same request is not repeated within this number of seconds of wall time. Without it, it stays until it is deleted.',
      }),
    ),
  },
);

export type SessionCreate = Static<typeof SessionCreate>;

export const SessionDestination = closed('SessionDestination', 'A session destination and its secret.', {
  ...WebhookDestination.properties,
  organization: nullable(Type.String(), 'The name of the company whose events it gets.'),
  forward_to: Type.String({ description: 'The same as `url`.' }),
  skip_verify: Type.Boolean(),
  secret: Type.String({
    description:
      'The secret that signs the deliveries. It is the same in every session of the company with this data folder.',
  }),
});

export const listSessionDestinations = operation('GET', '/v1/sandbox/destinations', 'control', {
  operationId: 'listSessionDestinations',
  tag: 'Sandbox',
  summary: 'List the session destinations',
  description: 'Lists the session destinations of all companies. Needs the control token.',
  answers: { 200: List('SessionDestinationList', SessionDestination) },
});

export const createSessionDestination = operation('POST', '/v1/sandbox/destinations', 'control', {
  operationId: 'createSessionDestination',
  tag: 'Sandbox',
  summary: 'Deliver events to an address of your own from now on',
  description: `Does the same as \`sandbox listen --forward-to\`. The deliveries to this http or https address are signed and have the 5 s limit and all ${ATTEMPTS} attempts. The destination is not in \`GET /v1/webhooks\`, and is not counted there. If you repeat the request with the same address (and \`listener\`), the destination gets the new subscription and keeps its pending deliveries. The destination ends when it is deleted or when its lease expires. Needs the control token.`,
  problems: ['not_found', 'site_not_accessible'],
  body: SessionCreate,
  answers: { 201: SessionDestination },
});

export const deleteSessionDestinations = operation('DELETE', '/v1/sandbox/destinations', 'control', {
  operationId: 'deleteSessionDestinations',
  tag: 'Sandbox',
  summary: 'End all session destinations',
  description:
    'Deletes the session destinations of all companies and their pending deliveries. Needs the control token.',
  answers: { 204: null },
});

export const deleteSessionDestination = operation('DELETE', '/v1/sandbox/destinations/:id', 'control', {
  operationId: 'deleteSessionDestination',
  tag: 'Sandbox',
  summary: 'End a session destination and drop its pending deliveries',
  description: 'Nothing more is sent to it. The events stay in the event log. Needs the control token.',
  problems: ['not_found'],
  answers: { 204: null },
});

export const SESSION_OPERATIONS = [
  listSessionDestinations,
  createSessionDestination,
  deleteSessionDestinations,
  deleteSessionDestination,
];
