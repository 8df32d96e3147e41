/** `GET /v1/sandbox/deliveries/{id}`: what was signed and sent, and why a receiver may have refused it. [spec 5, decisions 9] */
import { Type } from 'typebox';
import type { Query } from '../../../contract/query.ts';
import { ExplainedDelivery } from '../../../contract/resources/logs.ts';
import { List } from '../../../contract/resources.ts';
import { inline } from '../../../contract/shapes.ts';
import { explainDeliveries, MOST_ATTEMPTS } from '../../engine/log-rows.ts';
import { ProblemAnswer } from '../answers/problem-answer.ts';
import { type Call, type Route, route } from '../route.ts';

const ExplainQuery = inline({
  got: Type.Optional(
    Type.String({ maxLength: 300, description: 'The signature that the receiver computed, with or without `v1=`.' }),
  ),
});

export const EXPLAINED_DELIVERY_ROUTES: readonly Route[] = [
  route('GET', '/v1/sandbox/deliveries/:id', 'control', {
    operationId: 'explainDelivery',
    tag: 'Sandbox',
    summary: 'Explain what was signed and sent, and why it may have been refused',
    description:
      'For the id of a delivery or of an event, the response has the text that was signed, each attempt, and the possible causes of a refusal. If the signature that the receiver computed is known (`got`, or in its answer), the response names the mistake that produces it. Needs the control token.',
    query: ExplainQuery,
    problems: ['not_found'],
    answers: { 200: List('ExplainedDeliveryList', ExplainedDelivery) },
    handle: explain,
  }),
];

async function explain({ parts, params, query }: Call) {
  const id = params['id'] ?? '';
  const { got } = query as Query<typeof ExplainQuery>;
  await parts.engine.flush();
  const data = await explainDeliveries(parts, id, { got, search: true });
  if (data === null)
    throw new ProblemAnswer(
      'not_found',
      `There is no delivery or event ${id}; a delivery is found by its own id among the last ${MOST_ATTEMPTS} attempts.`,
    );
  return { status: 200, body: { data }, rows: data.reduce((sum, { attempts }) => sum + attempts.length, 0) };
}
