/** Observers of the open points about tokens, and about any request. [decisions 1, 2, 3, 8, cli compare] */

import { API_VERSION } from '../../../contract/enumerations.ts';
import type { ACCESS_POINTS } from '../../../contract/gaps/access.ts';
import type { DELIVERY_POINTS } from '../../../contract/gaps/deliveries.ts';
import type { REQUEST_POINTS } from '../../../contract/gaps/requests.ts';
import type { ObservableId, ReadingOf } from '../../../contract/gaps.ts';
import { TOKEN_PATH } from '../../../contract/operations/operation.ts';
import { PROBLEMS } from '../../../contract/problems.ts';
import type { CheckRequest } from '../checks.ts';
import { MISSING_ID, NOBODY } from '../checks.ts';
import { WRITES } from '../writes.ts';
import { agreed, alertsOf, bodyOf, byStatus, eventsOf, mustersOf, type Observers } from './observation.ts';
import { turnedWindow } from './reading.ts';
import { written } from './updates.ts';

type RequestPoint = (typeof ACCESS_POINTS | typeof DELIVERY_POINTS | typeof REQUEST_POINTS)[number];
type RequestId = Extract<RequestPoint['id'], ObservableId>;

const GRANT = { grant_type: 'client_credentials' };
const TOKEN = { method: 'POST', path: TOKEN_PATH, token: 'none' } as const satisfies CheckRequest;
const KIB = 1024;

export const REQUEST_OBSERVERS: Observers<RequestId> = {
  'token-json': async ({ service }) =>
    byStatus(await service.tryCall({ ...TOKEN, json: JSON.stringify({ ...GRANT, ...service.credentials }) }), {
      200: 'on',
      ...REFUSED_AS_OFF,
    }),
  'token-credentials': async ({ service }) =>
    byStatus(await service.tryCall({ ...TOKEN, token: 'basic', form: GRANT }), { 200: 'on', ...REFUSED_AS_OFF }),
  'token-failures': async ({ service }) =>
    byStatus(await service.tryCall({ ...TOKEN, form: { ...GRANT, ...NOBODY } }), { 401: '401', 400: '400' }),
  'foreign-objects': async ({ service }) => {
    const answer = await service.tryCall({ method: 'GET', path: `/v1/sites/${MISSING_ID}/zones` });
    // A 403 can also mean that the client may not read zones at all.
    if (answer !== null && bodyOf(answer)['code'] === 'insufficient_scope')
      return { unknown: 'the client may not read zones' };
    return answer?.status === 403 ? { reading: '403' } : byStatus(answer, { 404: '404' });
  },
  'unresolvable-host': async (parts) => {
    const answer = written(parts, 'a destination');
    if (answer === null) return { unknown: `needs --allow-writes ${WRITES.destinations}` };
    return byStatus(answer, { 201: 'accepted', 422: 'refused' });
  },
  codes: async ({ service }) => {
    const codes = service.answers
      .filter(({ status, path }) => status >= 400 && path !== TOKEN.path)
      .map((answer) => bodyOf(answer)['code'])
      .filter((code) => typeof code === 'string');
    const strange = [...new Set(codes.filter((code) => !Object.hasOwn(PROBLEMS, code)))];
    if (strange.length > 0) return { other: `others too: ${strange.join(', ')}` };
    return codes.length === 0 ? { unknown: 'no refusal has a code' } : { reading: 'as here' };
  },
  'id-versions': async (parts) => {
    const happened = [...(await eventsOf(parts)), ...(await alertsOf(parts)), ...(await mustersOf(parts))];
    const all = happened.length > 0 ? happened : await parts.service.list('/v1/workers');
    const versions = [...new Set(all.map(({ id }) => UUID_VERSION.exec(String(id))?.[1] ?? 'none'))];
    const [version] = versions;
    if (version === undefined) return { unknown: 'the client sees no object with an id' };
    const reading = (['4', '5', '7'] as const).find((one) => one === version);
    return versions.length > 1 || reading === undefined ? { other: versions.sort().join(', ') } : { reading };
  },
  'body-size': async ({ service }) => {
    const sized = (size: number) => service.tryCall({ ...TOKEN, form: { ...GRANT, padding: 'x'.repeat(size) } });
    const [small, large] = [await sized(60 * KIB), await sized(65 * KIB)];
    if (small === null || large === null) return { unknown: 'the service did not answer' };
    if (small.status === 413) return { reading: 'smaller' };
    return { reading: large.status === 413 ? '64 KiB' : 'larger' };
  },
  versions: async (parts) =>
    agreed(
      (await eventsOf(parts)).map(({ api_version: version }) => (version === API_VERSION ? 'one' : 'several')),
      'the log has no event',
    ),
  deprecation: async ({ service }) =>
    agreed(
      service.answers.some(({ headers }) => 'deprecation' in headers || 'sunset' in headers)
        ? ['by headers']
        : ['not announced'],
      '',
    ),
  'duplicate-keys': async ({ service }) => {
    const { client_id: id, client_secret: secret } = NOBODY;
    const json = `{"grant_type":"client_credentials","grant_type":"client_credentials","client_id":"${id}","client_secret":"${secret}"}`;
    const answer = await service.tryCall({ ...TOKEN, json });
    if (answer === null || answer.status === 415) return { unknown: 'the service accepts no token request in JSON' };
    return { reading: bodyOf(answer)['error'] === 'invalid_client' ? 'one of them wins' : 'refused' };
  },
  'turned-window': turnedWindow,
  'body-not-needed': async (parts) => {
    const answer = written(parts, 'the deletion');
    if (answer === null) return { unknown: `needs --allow-writes ${WRITES.destinations}` };
    return { reading: answer.status === 204 ? 'ignored' : 'refused' };
  },
  headers: async ({ service }) => {
    const large = { method: 'GET', path: '/v1/sites', headers: { 'x-compare': 'x'.repeat(20 * KIB) } } as const;
    return byStatus(await service.tryCall(large), { 431: '16 KiB', 200: 'larger' });
  },
};

const REFUSED_AS_OFF = { 400: 'off', 401: 'off', 415: 'off' } as const satisfies Record<
  number,
  ReadingOf<'token-json'>
>;
const UUID_VERSION = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[89ab]/i;
