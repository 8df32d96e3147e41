/** The condition `worker`: the worker as the API returns it to an unscoped client. */
import { Worker } from '../../../contract/resources.ts';
import { mismatches } from '../../model/matchers.ts';
import { defineCondition } from '../condition.ts';
import { required } from '../field.ts';
import { person } from './keys.ts';
import { absent, ofPeople } from './looked-at.ts';

/** `worker: ana` and any field of the Worker. */
export const WORKER = defineCondition({
  word: 'worker',
  help: 'The current state of a worker, as a client sees it.',
  example: '{worker: ana, is_active: true}',
  lasts: true,
  sees: 'client',
  fields: { worker: required(person('a worker')) },
  resource: { schema: Worker, noun: 'a worker' },
  scopes: ['workers:read'],
  mutation: { isPassing: true },
  read: ({ given, whole, body }, at) => {
    if (whole === null || body === null) return null;
    return ofPeople('worker', whole.worker, given, body, at, (viewScope, id) => {
      const found = viewScope.look.worker(id);
      return { missed: found === null ? [absent('worker')] : mismatches(body, found, viewScope), body: found };
    });
  },
});
