/** Actions of the sandbox itself: contracts, tokens, limits and privacy, so that each can be rehearsed. [decisions 3, 4, 8, 9] */
import type { ActionFields } from '../contract/actions.ts';
import { isRejection, type Rejection, reject } from '../domain/rejection.ts';
import type { Client } from '../domain/world/documents.ts';
import type { Engine } from '../engine/engine.ts';
import { type Asked, committed, type Performed } from './acting.ts';

type Rehearsing = Pick<Asked, 'engine' | 'limiter' | 'find'>;

type Rehearsal = 'token' | 'limits' | 'privacy' | 'contract';

export const REHEARSALS: {
  readonly [K in Rehearsal]: (rehearsing: Rehearsing, fields: ActionFields<K>) => Promise<Performed> | Performed;
} = {
  token: ({ engine }, { expire, revoke }) => {
    if ((expire === undefined) === (revoke === undefined)) return needsOne('expire', 'revoke');
    return forCompany(engine, expire ?? revoke, async ({ id }) => {
      const { clock } = engine;
      const at = clock.mode === 'lockstep' ? clock.now() : clock.wall();
      const how = expire === undefined ? 'revoke' : 'expire';
      return committed(await engine.submit({ type: 'end-tokens', clientId: id, how, at }), { client_id: id });
    });
  },
  limits: ({ engine, limiter }, fields) =>
    forCompany(engine, fields.company, async ({ id }) => {
      limiter.setLimits(id, {
        ...(fields.requests_per_minute === undefined ? {} : { requestsPerMinute: fields.requests_per_minute }),
        ...(fields.query_seconds_per_minute === undefined
          ? {}
          : { querySecondsPerMinute: fields.query_seconds_per_minute }),
        ...(fields.query_time_factor === undefined ? {} : { queryTimeFactor: fields.query_time_factor }),
      });
      return { client_id: id };
    }),
  privacy: async ({ engine, find }, { site: named, mode, unveil_min_severity }) => {
    const site = find.site(named);
    if (isRejection(site)) return site;
    const outcome = await engine.submit({
      type: 'change-privacy',
      siteId: site.id,
      ...(mode === undefined ? {} : { mode }),
      ...(unveil_min_severity === undefined ? {} : { unveilMinSeverity: unveil_min_severity }),
    });
    return committed(outcome, { site_id: site.id });
  },
  contract: ({ engine }, { company, include_worker_names, scopes, contractors }) =>
    forCompany(engine, company, async ({ id }) => {
      const outcome = await engine.submit({
        type: 'change-contract',
        clientId: id,
        ...(include_worker_names === undefined ? {} : { includeWorkerNames: include_worker_names }),
        ...(scopes === undefined ? {} : { scopes }),
        ...(contractors === undefined ? {} : { contractors }),
      });
      return committed(outcome, { client_id: id });
    }),
};

/** An organization's name or a client_id; the only one where none is named. */
async function forCompany(
  { world }: Engine,
  named: string | undefined,
  perform: (client: Client) => Promise<Performed>,
): Promise<Performed> {
  const clients = [...world.all('client')];
  const meant = clients.filter(
    ({ id, organizationId }) =>
      named === undefined || id === named || world.need('organization', organizationId).name === named,
  );
  const [client] = meant;
  if (client !== undefined && meant.length === 1) return perform(client);
  if (named !== undefined) return reject('not_found', `There is no company "${named}".`, [place('/company', named)]);
  const pointer = '/company';
  return reject('validation_failed', 'There is more than one company; name one.', [{ pointer, detail: 'is required' }]);
}

const place = (pointer: string, named: string) => ({ pointer, detail: `"${named}" is not known` });

const needsOne = (a: string, b: string): Rejection =>
  reject('validation_failed', `Name either ${a} or ${b}.`, [
    { pointer: `/${a}`, detail: `is required where ${b} is not given` },
  ]);
