/** The label of an operator who acts through the API: generic, marked "via integration". [spec 2 ActionBy, decisions 5, gap by-label] */
import type { Assumptions } from '../../../contract/gaps.ts';

const GENERIC = 'Customer operator (via integration)';

export const integrationLabel = (assumptions: Assumptions, actor: string): string =>
  assumptions['by-label'] === 'actor' ? `${actor} (via integration)` : GENERIC;

/**
 * The operator's name in the timeline, with their id in the customer's system if it was sent.
 * [spec 4 Alert update body]
 */
export const operatorLabel = (name: string, externalId: string | undefined): string =>
  externalId === undefined ? name : `${name} (${externalId})`;
