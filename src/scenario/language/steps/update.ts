/** The steps `acknowledge: {alert: $sos, by: Control desk 2}` and `resolve`, which also has a reason. */
import { DEFAULT_OPERATOR } from '../../../contract/actions.ts';
import { AlertUpdate } from '../../../contract/requests.ts';
import { written } from '../../model/references.ts';
import type { UpdateBody } from '../../model/scenario.ts';
import { alertNames } from '../conditions/keys.ts';
import { aloneFor, type Field, oneOf, required, text } from '../field.ts';
import { map } from '../read-map.ts';
import { defineStep, type Step } from '../step.ts';

const UPDATE = AlertUpdate.properties;

/** Returns the maximum length of a text in the API; characters. */
function longestOf(schema: object): { readonly most: number } {
  return { most: (schema as { maxLength?: number }).maxLength ?? Number.POSITIVE_INFINITY };
}

const { most: LONGEST_NAME } = longestOf(UPDATE.actor.properties.name);

const COMMON = {
  alert: required(alertNames('The name of an alert, or a list of names.')),
  by: text(`The name of the operator. Default: ${DEFAULT_OPERATOR}.`, {
    most: LONGEST_NAME,
    blank: 'Somebody does it. Write a name.',
  }),
  note: text('A remark for the timeline of the alert, at most 500 characters.', longestOf(UPDATE.note)),
  external_id: text('The operator’s id in the customer’s system.', longestOf(UPDATE.actor.properties.external_id)),
  via: oneOf<UpdateBody['via']>(
    'api: through the API, as the customer’s system does it. panel: in the panel. Default: api.',
    ['api', 'panel'],
    'a way to do it',
  ),
};

type UpdateFields = typeof COMMON & { readonly reason?: Field<string> };

const WITH_REASON: UpdateFields = {
  ...COMMON,
  reason: text('The reason of the resolution, at most 200 characters.', longestOf(UPDATE.resolution_reason)),
};

function defineUpdate(word: 'acknowledge' | 'resolve', help: string, example: string): Step {
  const isResolving = word === 'resolve';
  const fields: UpdateFields = isResolving ? WITH_REASON : COMMON;
  const elsewhere: Record<string, string> = isResolving
    ? {}
    : { reason: '"reason" is for resolving. Write note, or delete it.' };
  return defineStep({
    word,
    group: 'control_room',
    help,
    example,
    modifiers: ['refused'],
    value: map('The alert and the operator.', {
      word,
      write: '$sos',
      alone: aloneFor('alert', '$sos', { type: ['string', 'array'] }),
      fields,
      elsewhere,
    }),
    mutation: { kind: 'left-out' },
    permission: ({ via }: UpdateBody) =>
      via === 'panel' ? { kind: 'control', what: 'via panel' } : { kind: 'scopes', scopes: ['alerts:write'] },
    read: ({ whole }) => {
      if (whole === null) return null;
      const { alert, by = DEFAULT_OPERATOR, reason, note, external_id: externalId, via } = whole;
      const body: UpdateBody = {
        kind: 'update',
        status: isResolving ? 'resolved' : 'acknowledged',
        via: via ?? 'api',
        alerts: alert,
        by,
        reason: reason ?? null,
        note: note ?? null,
        externalId: externalId ?? null,
      };
      return { body, text: `${word} ${alert.map(written).join(', ')} by ${by}`, names: null };
    },
  });
}

export const ACKNOWLEDGE = defineUpdate(
  'acknowledge',
  'The customer’s operator acknowledges the alert, through the API or in the panel.',
  '{alert: $sos, by: Control desk 2}',
);

export const RESOLVE = defineUpdate(
  'resolve',
  'The customer’s operator resolves the alert, through the API or in the panel.',
  '{alert: $sos, by: Control desk 2, reason: Worker attended}',
);
