/** `GET /v1/sandbox/deliveries/{id}`: what was signed and sent, and why a receiver may have refused it. [spec 5, decisions 9] */
import { type ExplainQuery, explainDelivery } from '../../../contract/operations/explained-delivery.ts';
import type { Query } from '../../../contract/query.ts';
import { explainDeliveries, MOST_ATTEMPTS } from '../../engine/log-rows.ts';
import { ProblemAnswer } from '../answers/problem-answer.ts';
import { type Call, type Route, route } from '../route.ts';

export const EXPLAINED_DELIVERY_ROUTES: readonly Route[] = [route(explainDelivery, explain)];

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
