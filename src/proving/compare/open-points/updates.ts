/** Observers of the open points about updates and destinations. [decisions 5, 7, cli compare] */
import type { UPDATE_POINTS } from '../../../contract/gaps/updates.ts';
import type { ObservableId } from '../../../contract/gaps.ts';
import { WRITES } from '../writes.ts';
import { agreed, alertsOf, bodyOf, byStatus, map, type ObservedParts, type Observers } from './observation.ts';

type UpdateId = Extract<(typeof UPDATE_POINTS)[number]['id'], ObservableId>;

const VIA = ' (via integration)';
const GENERIC = `Customer operator${VIA}`;

export const UPDATE_OBSERVERS: Observers<UpdateId> = {
  'failing-since-null': async (parts) => {
    const made = parts.writes.filter(({ step, service }) => step === 'a destination' && service.status === 201);
    const all = [...(await parts.service.list('/v1/webhooks')), ...made.map(({ service }) => bodyOf(service))];
    const healthy = all.filter(({ failing_since: since }) => since === null || since === undefined);
    return agreed(
      healthy.map((one) => ('failing_since' in one ? 'null' : 'absent')),
      `the client sees no healthy destination; --allow-writes ${WRITES.destinations} creates one`,
    );
  },
  transitions: async (parts) => {
    const again = written(parts, 'the acknowledgement again');
    if (again === null) return { unknown: `needs --allow-writes ${WRITES.acknowledge}` };
    const first = written(parts, 'an acknowledgement');
    const isUnchanged = first?.body === again.body;
    return { reading: again.status === 200 && isUnchanged ? 'as here' : 'otherwise' };
  },
  'by-label': async (parts) => {
    const alerts = [...(await alertsOf(parts)), ...parts.writes.map(({ service }) => bodyOf(service))];
    const labels = alerts
      .flatMap(({ acknowledged, resolved }) => [map(acknowledged)['by'], map(resolved)['by']])
      .filter((by): by is string => typeof by === 'string' && by.endsWith(VIA));
    return agreed(
      labels.map((by) => (by === GENERIC ? 'generic' : 'actor')),
      'no listed alert was updated through the API',
    );
  },
  'reason-when-acknowledging': async (parts) => {
    const answer = written(parts, 'an acknowledgement with a reason');
    if (answer === null) return { unknown: `needs --allow-writes ${WRITES.acknowledge}` };
    return byStatus(answer, { 422: '422', 200: 'accepted' });
  },
  'is-active': async ({ service }) =>
    agreed(
      (await service.list('/v1/webhooks')).map(({ is_active: isActive }) =>
        isActive === true ? 'always true' : 'also false',
      ),
      'the client sees no destination',
    ),
};

/** Returns the service's answer to a step that writes; null if the step was not permitted. */
export const written = ({ writes }: ObservedParts, step: string) =>
  writes.find((one) => one.step === step)?.service ?? null;
