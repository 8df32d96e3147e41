/** The step `webhook: {rotate_secret: erp}`: the customer's own system manages a destination. */

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
  value: map('What is done with the destination of a receiver.', {
    word: 'webhook',
    write: '{rotate_secret: erp}',
    only: {
      keys: WEBHOOK_TURNS,
      message: 'A destination is turned once a step. Write create, delete, rotate_secret or test.',
    },
    fields: {
      create: receiver('A receiver whose destination was deleted.'),
      delete: receiver('A receiver: its pending deliveries are dropped.'),
      rotate_secret: receiver('A receiver: both secrets sign for 24 h.'),
      test: receiver('A receiver: a test event is sent to it alone.'),
      announced: flag(
        'False with rotate_secret: your own system does not get the new secret, and has to verify by the one that it has.',
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
