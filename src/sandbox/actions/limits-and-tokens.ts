/** Actions on the sandbox itself: contracts, tokens, limits and privacy. With them, an integrator can test how a client reacts. [decisions 3, 4, 8, 9] */

import { given } from '../../base/given.ts';
import { isSameName } from '../../base/text/same-name.ts';
import { parseDuration } from '../../base/time/durations.ts';
import type { ActionFields } from '../../contract/actions.ts';
import { EVENT_TYPES } from '../../contract/enumerations.ts';
import type { Event } from '../../contract/events.ts';
import { didYouMean } from '../../contract/sentences.ts';
import type { FaultStatus } from '../../service/api/requests/faults.ts';
import { clientOf, seesEvent } from '../../service/domain/access/viewer.ts';
import { isRejection, type Rejection, reject } from '../../service/domain/changes.ts';
import type { CommandOf } from '../../service/domain/commands.ts';
import { priorityOf, subscribes } from '../../service/domain/deliveries/subscription.ts';
import type { Client, Destination, EventRecord } from '../../service/domain/world/documents.ts';
import type { Engine } from '../../service/engine/engine.ts';
import { type ActionContext, committed, idsOf, type Performed } from './acting.ts';
import type { Actor } from './find.ts';

/** Maximum number of events of the log that one action sends again. */
const MOST_RESENT = 1_000;

type LimitsAndTokensParts = Pick<ActionContext, 'engine' | 'store' | 'limiter' | 'find' | 'faults' | 'listeners'>;

type LimitOrTokenAction =
  | 'token'
  | 'limits'
  | 'privacy'
  | 'contract'
  | 'deliveries'
  | 'resend'
  | 'broker'
  | 'api_fault';

export const LIMITS_AND_TOKENS: {
  readonly [K in LimitOrTokenAction]: (
    parts: LimitsAndTokensParts,
    fields: ActionFields<K>,
  ) => Promise<Performed> | Performed;
} = {
  token: ({ engine }, { expire, revoke }) => {
    return forCompany(engine, expire ?? revoke, async ({ id }) => {
      const { clock } = engine;
      const at = clock.clientTime();
      const how = expire === undefined ? 'revoke' : 'expire';
      return committed(await engine.submit({ type: 'end-tokens', clientId: id, how, at }), { client_id: id });
    });
  },
  limits: ({ engine, limiter }, fields) =>
    forCompany(engine, fields.company, async ({ id }) => {
      const { ends_after: endsAfter } = fields;
      limiter.setLimits(id, {
        ...given({
          requestsPerMinute: fields.requests_per_minute,
          querySecondsPerMinute: fields.query_seconds_per_minute,
          queryTimeFactor: fields.query_time_factor,
          endsAt:
            endsAfter === undefined ? undefined : engine.clock.clientTime() + (parseDuration(endsAfter) as number),
        }),
      });
      return { client_id: id };
    }),
  privacy: async ({ engine, find }, { site: named, mode, unveil_min_severity }) => {
    const site = find.site(named);
    if (isRejection(site)) return site;
    const outcome = await engine.submit({
      type: 'change-privacy',
      siteId: site.id,
      ...given({ mode, unveilMinSeverity: unveil_min_severity }),
    });
    return committed(outcome, { site_id: site.id });
  },
  contract: ({ engine }, { company, include_worker_names, scopes, contractors }) =>
    forCompany(engine, company, async ({ id }) => {
      const outcome = await engine.submit({
        type: 'change-contract',
        clientId: id,
        ...given({ includeWorkerNames: include_worker_names, scopes, contractors }),
      });
      return committed(outcome, { client_id: id });
    }),
  deliveries: ({ engine, listeners }, { to, duplicate, shuffle, hold }) => {
    const destination = destinationOf(engine, to);
    if (isRejection(destination)) return destination;
    listeners.webhooks?.fault(destination.id, {
      ...(duplicate === undefined ? {} : { copies: duplicate }),
      ...(shuffle === undefined ? {} : { shuffleMs: parseDuration(shuffle) as number }),
      ...(hold === undefined ? {} : { holdMs: parseDuration(hold) as number }),
    });
    return {};
  },
  resend: async (parts, { to, ...fields }) => {
    const { engine } = parts;
    const destination = destinationOf(engine, to);
    if (isRejection(destination)) return destination;
    const events = await eventsToResend(parts, destination, fields);
    if (isRejection(events)) return events;
    const outcome = await engine.submit({ type: 'resend-events', destinationId: destination.id, events });
    return isRejection(outcome) ? outcome : { resent: events.length };
  },
  broker: async ({ listeners: { broker } }, { does }) => {
    if (broker === null) return NOT_OUR_BROKER;
    if (does === 'stop') await broker.shut();
    else if (does === 'start') await broker.reopen();
    else broker.disconnect();
    return {};
  },
  api_fault: ({ faults }, { status, slow, path, share = 1 }) => {
    const slowMs = slow === undefined ? 0 : (parseDuration(slow) as number);
    faults.set({ status: (status as FaultStatus | undefined) ?? null, slowMs, path: path ?? null, share });
    return {};
  },
};

const NOT_OUR_BROKER = reject(
  'action_refused',
  'The broker is an external one (--broker), so this sandbox cannot stop it or disconnect watches. Do this at the broker, or use the action signal to cut off watches.',
);

/** Makes the broker disconnect the watches of some people. */
export function dropWatch(context: ActionContext, actor: Actor): Promise<Performed> {
  if (context.listeners.broker === null) return Promise.resolve(NOT_OUR_BROKER);
  context.listeners.broker.disconnect(actor.device.serial);
  return Promise.resolve(idsOf(actor));
}

/** Finds a destination by its id, its url, or its host. */
function destinationOf({ world }: Engine, named: string): Destination | Rejection {
  const meant = [...world.all('destination')].filter(
    ({ id, url }) => id === named || url === named || new URL(url).host === named,
  );
  const [one] = meant;
  if (one !== undefined && meant.length === 1) return one;
  if (meant.length > 1)
    return reject('validation_failed', `There are ${meant.length} destinations at ${named}; name one by its id.`);
  return reject('not_found', `There is no destination "${named}".`, [place('/to', named)]);
}

type Resent = CommandOf<'resend-events'>['events'];

/**
 * Returns the events of the destination's company that its client may see: events that the client cannot GET are not
 * delivered. [decisions 7]
 */
async function eventsToResend(
  { engine: { clock, world }, store }: LimitsAndTokensParts,
  { organizationId }: Destination,
  { event, since, only = [] }: Omit<ActionFields<'resend'>, 'to'>,
): Promise<Resent | Rejection> {
  const client = clientOf(world, organizationId);
  if (event !== undefined) {
    const record = await store.event(event.toLowerCase());
    const isTheirs = record?.organizationId === organizationId && !record.hidden;
    if (record === null || !isTheirs || !seesEvent(client, record.type, record.contractor))
      return reject('not_found', `There is no event "${event}" of that company.`, [place('/event', event)]);
    return [resentOf(record)];
  }
  const types = EVENT_TYPES.filter((type) => only.length === 0 || subscribes({ eventTypes: only }, type));
  const createdAfter = clock.now() - (parseDuration(since as string) as number);
  const records = await store.events({ organizationId, types, createdAfter, seen: true, limit: MOST_RESENT + 1 });
  if (records.length <= MOST_RESENT)
    return records.filter((one) => seesEvent(client, one.type, one.contractor)).map(resentOf);
  return reject('validation_failed', `There are more than ${MOST_RESENT} events in that time; ask for a shorter one.`, [
    { pointer: '/since', detail: `must reach over at most ${MOST_RESENT} events` },
  ]);
}

function resentOf({ id, type, body, createdAt }: EventRecord): Resent[number] {
  const { data } = JSON.parse(body) as Event;
  return {
    eventId: id,
    eventType: type,
    eventAt: createdAt,
    priority: priorityOf(type, 'alert' in data ? data.alert : null),
  };
}

/** Finds a client by the name of its organization or by its client_id; without a name, the only client. */
async function forCompany(
  { world }: Engine,
  named: string | undefined,
  perform: (client: Client) => Promise<Performed>,
): Promise<Performed> {
  const clients = [...world.all('client')];
  const meant = clients.filter(
    ({ id, organizationId }) =>
      named === undefined || id === named || isSameName(world.need('organization', organizationId).name, named),
  );
  const [client] = meant;
  if (client !== undefined && meant.length === 1) return perform(client);
  const names = clients.flatMap(({ id, organizationId }) => [id, world.need('organization', organizationId).name]);
  if (named !== undefined)
    return reject('not_found', `There is no company "${named}".${didYouMean(named, names)}`, [
      place('/company', named),
    ]);
  const pointer = '/company';
  return reject('validation_failed', 'There is more than one company; name one.', [{ pointer, detail: 'is required' }]);
}

const place = (pointer: string, named: string) => ({ pointer, detail: `"${named}" is not known` });
