/** The condition `destination`: the state of the customer's destination for a receiver. */

import { WebhookDestination } from '../../../contract/resources.ts';
import { mismatches } from '../../model/matchers.ts';
import { defineCondition } from '../condition.ts';
import { receiver, required } from '../field.ts';
import { identity } from './keys.ts';
import { needsOf } from './parts.ts';

const TRIGGERS = new Set(['destination-changed', 'destination-deleted'] as const);

/** `destination: erp` with `failing_since`, `is_active` and any other field of the destination. */
export const DESTINATION = defineCondition({
  word: 'destination',
  help: 'The current state of the webhook destination of a receiver.',
  example: '{destination: erp, failing_since: null, is_active: true}',
  lasts: true,
  sees: 'outgoing',
  fields: { destination: required(identity(receiver('a receiver'))) },
  resource: { schema: WebhookDestination, noun: 'a destination' },
  scopes: ['webhooks:manage'],
  mutation: { isPassing: true },
  read: ({ given, whole, body }) => {
    if (whole === null || body === null) return null;
    const { destination: name } = whole;
    const keys = Object.keys(given).filter((key) => key !== 'destination');
    return {
      text: ['destination', name, keys.join(', ')].join(' ').trim(),
      triggers: TRIGGERS,
      needs: needsOf(body),
      names: null,
      all: null,
      look: (viewScope) => {
        const noticed = viewScope.record.destinations.get(name);
        const destination = noticed === undefined ? null : viewScope.look.destination(noticed);
        const missed =
          destination === null
            ? [{ path: 'destination', expected: 'any', got: '(absent)' }]
            : mismatches(body, destination, viewScope);
        if (missed.length > 0) return { matched: false, mismatches: missed, candidates: 1 };
        return { matched: true, found: [], at: null };
      },
    };
  },
});
