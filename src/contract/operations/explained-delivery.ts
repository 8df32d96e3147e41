/** `GET /v1/sandbox/deliveries/{id}`: what was signed and sent, and why a receiver may have refused it. [spec 5, decisions 9] */
import { Type } from 'typebox';
import { ExplainedDelivery } from '../resources/logs.ts';
import { List } from '../resources.ts';
import { inline } from '../shapes.ts';
import { operation } from './operation.ts';

export const ExplainQuery = inline({
  got: Type.Optional(
    Type.String({ maxLength: 300, description: 'The signature that the receiver computed, with or without `v1=`.' }),
  ),
});

export const explainDelivery = operation('GET', '/v1/sandbox/deliveries/:id', 'control', {
  operationId: 'explainDelivery',
  tag: 'Sandbox',
  summary: 'Explain what was signed and sent, and why it may have been refused',
  description:
    'For the id of a delivery or of an event, the response has the text that was signed, each attempt, and the possible causes of a refusal. If the signature that the receiver computed is known (`got`, or in its answer), the response names the mistake that produces it. Needs the control token.',
  query: ExplainQuery,
  problems: ['not_found'],
  answers: { 200: List('ExplainedDeliveryList', ExplainedDelivery) },
});

export const EXPLAINED_DELIVERY_OPERATIONS = [explainDelivery];
