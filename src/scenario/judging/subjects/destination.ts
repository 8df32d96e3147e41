/** The subject `destination`: the state of the customer's destination for a receiver. */

import { WebhookDestination } from '../../../contract/resources.ts';
import { mismatches, reportMisshapen } from '../../story/matchers.ts';
import { readReceiverName } from '../../story/read-matcher.ts';
import { needsOf, readObjectFields } from './parts.ts';
import type { ReadSubject } from './subject.ts';

const TRIGGERS = new Set(['destination-changed', 'destination-deleted'] as const);

/** `destination: erp` with `failing_since`, `is_active` and any other field of it. */
export const readDestination: ReadSubject = (fields, at) => {
  const receiver = readReceiverName(fields['destination'], at.of('destination'));
  const { matcher, whole } = readObjectFields(fields, ['destination'], at);
  reportMisshapen(matcher, WebhookDestination, 'a destination', at);
  if (receiver === null || !whole) return null;
  const keys = Object.keys(fields).filter((key) => key !== 'destination');
  return {
    word: 'destination',
    text: ['destination', receiver, keys.join(', ')].join(' ').trim(),
    lasts: true,
    triggers: TRIGGERS,
    needs: needsOf(matcher),
    names: null,
    all: null,
    look: (sight) => {
      const noticed = sight.record.destinations.get(receiver);
      const destination = noticed === undefined ? null : sight.look.destination(noticed);
      const missed =
        destination === null
          ? [{ path: 'destination', expected: 'any', got: '(absent)' }]
          : mismatches(matcher, destination, sight);
      if (missed.length > 0) return { matched: false, mismatches: missed, candidates: 1 };
      return { matched: true, found: [], at: null };
    },
  };
};
