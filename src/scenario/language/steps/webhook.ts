/** The step `webhook: {rotate_secret: erp}`: the customer's own system manages a destination. */

import { flowOf } from '../../model/flow.ts';
import { WEBHOOK_TURNS } from '../../model/scenario.ts';
import { flag, receiver } from '../field.ts';
import { map } from '../read-map.ts';
import { defineStep } from '../step.ts';

export const WEBHOOK = defineStep({
  word: 'webhook',
  group: 'customer',
  help: 'The customer’s own system creates, deletes or tests the destination of a receiver, or rotates its secret.',
  example: '{rotate_secret: erp}',
  modifiers: ['refused'],
  value: map('The change of the destination of a receiver.', {
    word: 'webhook',
    write: (value, { receivers }) => {
      const turn = WEBHOOK_TURNS.find((word) => word === value);
      const name = typeof value === 'string' && turn === undefined ? value : (receivers[0] ?? 'erp');
      return flowOf({ [turn ?? 'rotate_secret']: name });
    },
    only: {
      keys: WEBHOOK_TURNS,
      message: 'A destination is turned once a step. Write create, delete, rotate_secret or test.',
    },
    fields: {
      create: receiver(
        'The receiver whose deleted destination is created again. A system with secret_to gets the new secret.',
      ),
      delete: receiver('The receiver whose destination is deleted. Its pending deliveries are dropped.'),
      rotate_secret: receiver(
        'The receiver whose secret is rotated. For 24 h, deliveries are signed with both secrets.',
      ),
      test: receiver('The receiver to which a test event is sent. No other receiver gets it.'),
      announced: flag(
        'With rotate_secret. false: your own system does not get the new secret, and must verify deliveries with the old one. Default: true.',
      ),
    },
  }),
  mutation: { kind: 'left-out' },
  permission: () => ({ kind: 'scopes', scopes: ['webhooks:manage'] }),
  read: ({ given, each }) => {
    const turn = WEBHOOK_TURNS.find((key) => Object.hasOwn(given, key));
    const name = turn === undefined ? undefined : each[turn];
    if (turn === undefined || typeof name !== 'string') return null;
    const isAnnounced = each.announced ?? true;
    const secretly = isAnnounced ? '' : ', not announced';
    return {
      body: { kind: 'webhook', turn, receiver: name, isAnnounced },
      text: `webhook ${turn} ${name}${secretly}`,
      names: null,
    };
  },
});
