/** The condition `device`: the watch of a worker as the API returns it to an unscoped client. */
import { Device } from '../../../contract/resources.ts';
import { mismatches } from '../../model/matchers.ts';
import { defineCondition } from '../condition.ts';
import { required } from '../field.ts';
import { person } from './keys.ts';
import { absent, ofPeople } from './looked-at.ts';

/** `device: ana` and any field of the Device: the watch that ana wears. */
export const DEVICE = defineCondition({
  word: 'device',
  help: 'The current state of the watch of a worker, as a client sees it.',
  example: '{device: ana, battery: "<= 20"}',
  lasts: true,
  sees: 'client',
  fields: { device: required(person('a worker')) },
  resource: { schema: Device, noun: 'a device' },
  scopes: ['workers:read'],
  mutation: { isPassing: true },
  read: ({ given, whole, body }, at) => {
    if (whole === null || body === null) return null;
    return ofPeople('device', whole.device, given, body, at, (viewScope, id) => {
      const found = viewScope.look.device(id);
      return { missed: found === null ? [absent('device')] : mismatches(body, found, viewScope), body: found };
    });
  },
});
