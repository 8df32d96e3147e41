/** What of the contract the clients have met. [decisions 9] */
import { type Static, Type } from 'typebox';
import { closed, described, Time, whole } from '../shapes.ts';
import { operation } from './operation.ts';

const MetItem = closed('MetItem', 'An item of the catalogue that was met.', {
  id: Type.String({ description: 'Group and name, such as `operations/listAlerts`.' }),
  at: described(Time, 'Simulated time of the first time.'),
  by: Type.String({ description: 'The answer or the delivery, such as `GET /v1/alerts 200`.' }),
});

const CompanyCoverageView = closed('CompanyCoverage', 'What the programs of one company have met.', {
  organization: Type.String(),
  requests: described(whole(0), 'Requests of its own programs, token requests included.'),
  deliveries: described(whole(0), 'Attempts at its own receivers.'),
  met: Type.Array(MetItem),
  not_handled: Type.Array(MetItem, {
    description: 'Refusals that were met and not handled: no later success, before Retry-After, or repeated unchanged.',
  }),
  partly: Type.Array(MetItem, {
    description:
      'Of items that need two things and have one of them, what was met, such as `Alert.zone null`. United with the other half, they are met.',
  }),
  mistakes: Type.Array(Type.Object({ code: Type.String(), times: whole(1) }, { additionalProperties: false }), {
    description: 'Refusals that only a mistake of the client causes.',
  }),
  filters: Type.Array(Type.String(), { description: 'The filters that were used, such as `listAlerts status`.' }),
});
export type CompanyCoverageView = Static<typeof CompanyCoverageView>;

export const CoverageView = closed('Coverage', 'What of the contract was met since the start of the process.', {
  catalogue: Type.String({ description: 'Names the list of items. Coverages of one catalogue can be united.' }),
  items: described(whole(1), 'The number of items of the catalogue.'),
  companies: Type.Array(CompanyCoverageView),
});
export type CoverageView = Static<typeof CoverageView>;

export const getCoverage = operation('GET', '/v1/sandbox/coverage', 'sandbox', {
  operationId: 'getCoverage',
  tag: 'Sandbox',
  summary: 'Show which items of the contract were met',
  description:
    'The items of the contract that requests and receivers of the user have met since the start of the process: operations, refusals, pages, events, alerts, musters, absent values, deliveries and tokens. Programs of the sandbox do not count. A client sees its own company, the control token all. With several nodes, it is that of this node. That an item was met does not mean that it was handled correctly.',
  answers: { 200: CoverageView },
});

export const COVERAGE_OPERATIONS = [getCoverage];
