import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check } from '../../../src/contract/check.ts';
import { ALERT_TYPES, EVENT_TYPES } from '../../../src/contract/enumerations.ts';
import { OPERATIONS } from '../../../src/contract/operations/all.ts';
import { problemsOf } from '../../../src/contract/operations/refusals.ts';
import { PROBLEM_CODES } from '../../../src/contract/problems.ts';
import { NAMED_SCHEMAS } from '../../../src/contract/registry.ts';
import { DETAILS_BY_TYPE } from '../../../src/contract/resources.ts';
import { openApi } from '../../../src/service/api/documents/openapi.ts';
import {
  isRef,
  type Media,
  type PublishedOperation,
  type PublishedSchema,
  type Response,
} from '../../../src/service/api/openapi/document.ts';
import { RECORDED_AT, Recorded } from '../../../src/service/api/openapi/examples.ts';
import { alertOf } from '../../contract/samples.ts';
import { SITE } from '../domain/small-world.ts';
import { asSent, document, misfit, operationFor, responseOf, routes, whole } from './documented.ts';
import { ApiHarness, CONTROL, SECRET } from './harness.ts';

const operations: [string, PublishedOperation][] = Object.values(document.paths).flatMap((item) =>
  Object.values(item).map((operation): [string, PublishedOperation] => [operation.operationId, operation]),
);

/** Every key and text of a document, with its path. */
function* partsOf(value: unknown, at = ''): Generator<{ at: string; key: string; value: unknown }> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    yield { at, key, value: part };
    yield* partsOf(part, `${at}/${key}`);
  }
}
const parts = [...partsOf(document)];
const refs = parts.filter(({ key }) => key === '$ref').map(({ value }) => value as string);

test('each declared operation has a handler, in the order of the documents', () => {
  expect(routes.map(({ operationId }) => operationId)).toEqual(OPERATIONS.map(({ operationId }) => operationId));
});

describe('the document of the contract', () => {
  const contract = openApi(routes, RECORDED_AT, 'contract');

  test('has nothing of the sandbox: no tag, no token, no schema that only its operations name', () => {
    const used = new Set([...partsOf(contract)].filter(({ key }) => key === '$ref').map(({ value }) => value));
    const unused = Object.keys(contract.components.schemas).filter((name) => !used.has(`#/components/schemas/${name}`));
    expect(unused).toEqual([]);
    expect(contract.tags.map(({ name }) => name)).not.toContain('Sandbox');
    expect(Object.keys(contract.components.securitySchemes)).toEqual(['oauth2']);
    expect(contract.components.schemas['ActionResult']).toBeUndefined();
    expect(JSON.stringify(contract)).not.toMatch(/action_refused|ActionRefused/);
  });

  test('has each alert type and event type in one variant, by its discriminator', () => {
    const { Alert, Event } = contract.components.schemas;
    for (const [schema, types] of [
      [Alert, ALERT_TYPES],
      [Event, EVENT_TYPES],
    ] as const) {
      const { mapping = {}, propertyName } = schema?.discriminator ?? {};
      expect([propertyName, Object.keys(mapping).sort()]).toEqual(['type', [...types].sort()]);
      const variants = new Set(schema?.oneOf?.map(({ $ref }) => $ref));
      expect(new Set(Object.values(mapping))).toEqual(variants);
    }
  });

  test.each(
    ALERT_TYPES,
  )('an alert of the type %s fits its own variant, with the details of that type alone', (type) => {
    const schema = asSent({ $ref: '#/components/schemas/Alert' });
    const alert = alertOf(type);
    expect(check(schema, alert).ok).toBe(true);
    for (const other of ALERT_TYPES)
      if (DETAILS_BY_TYPE[other] !== DETAILS_BY_TYPE[type])
        expect(check(schema, { ...alert, type: other }).ok, `${type} as ${other}`).toBe(false);
  });
});

describe('the document', () => {
  test('has every route of the table, and no other', () => {
    const documented = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    expect(documented.sort()).toEqual(served.sort());
  });

  test('names each operation once', () => {
    const names = [...operations.map(([name]) => name), 'receiveAlertEvent', 'receiveMusterEvent'];
    expect(new Set(names).size).toBe(names.length);
  });

  test('refers to nothing that it does not have', () => {
    const broken = refs.filter((ref) => {
      const [, ...path] = ref.split('/');
      return path.reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document) === undefined;
    });
    expect(broken).toEqual([]);
  });

  test('has no component that nothing refers to', () => {
    const had = ['schemas', 'responses'].flatMap((kind) =>
      Object.keys(document.components[kind as 'schemas']).map((name) => `#/components/${kind}/${name}`),
    );
    expect(had.filter((ref) => !refs.includes(ref))).toEqual([]);
  });

  test('refers to every schema that has a name, rather than repeating it', () => {
    const words = (schema: object) => JSON.stringify({ ...schema, description: undefined });
    const named = new Map(Object.entries(document.components.schemas).map(([name, schema]) => [words(schema), name]));
    const repeated = parts.filter(({ at, value }) =>
      !at.startsWith('/components/schemas') || at.split('/').length > 3
        ? typeof value === 'object' && value !== null && 'properties' in value && named.has(words(value))
        : false,
    );
    expect(repeated.map(({ at, key }) => `${at}/${key}`).filter((at) => !at.includes('/example'))).toEqual([]);
    for (const name of ['Alert', 'Muster', 'MissingWorker', 'Event', 'Problem', 'WebhookCreate', 'Severity'])
      expect(document.components.schemas[name], name).toBeDefined();
    expect(Object.keys(document.components.schemas).filter((name) => name in NAMED_SCHEMAS).length).toBeGreaterThan(60);
  });

  test('keeps to itself what is only ours', () => {
    const ours = parts.filter(
      ({ key, value }) =>
        (/^(x-|~)/.test(key) && key !== 'x-extensible-enum') || (key === 'format' && value === 'text') || key === '$id',
    );
    expect(ours.map(({ at, key }) => `${at}/${key}`)).toEqual([]);
    const clauses = parts.filter(({ value }) => typeof value === 'string' && /\[(spec|decisions|cli)\b/.test(value));
    expect(clauses.map(({ at, key }) => `${at}/${key}`)).toEqual([]);
  });

  test('lets the service add fields to what it sends, and forbids other fields in what it is sent', () => {
    /** The rule for other fields of every object with named fields. */
    const rules = (medias: readonly Media[]): unknown[] =>
      [...partsOf(medias.map(({ schema }) => whole(schema)))]
        .map(({ value }) => value as PublishedSchema)
        .filter((node) => typeof node === 'object' && node !== null && Object.keys(node.properties ?? {}).length > 0)
        .map(({ additionalProperties }) => additionalProperties);
    const mediaOf = (content: PublishedOperation['requestBody'] | Response | undefined) =>
      Object.values(content?.content ?? {});
    const webhooks = Object.values(document.webhooks ?? {}).flatMap(({ post }) => mediaOf(post?.requestBody));
    const received = operations.flatMap(([, operation]) =>
      Object.keys(operation.responses).flatMap((status) => mediaOf(responseOf(operation, Number(status)))),
    );
    const sent = operations
      // RFC 6749 has the token endpoint ignore parameters that it does not know.
      .filter(([name]) => name !== 'issueToken')
      .flatMap(([, { requestBody }]) => mediaOf(requestBody));
    expect(new Set(rules([...received, ...webhooks]))).toEqual(new Set([undefined]));
    expect(new Set(rules(sent))).toEqual(new Set([false]));
  });

  test('takes a problem with a code that it does not know, and names the codes that it knows', () => {
    const { Problem, ProblemCode } = document.components.schemas;
    expect(ProblemCode).toMatchObject({ type: 'string', 'x-extensible-enum': PROBLEM_CODES });
    expect(ProblemCode).not.toHaveProperty('enum');
    const problem = { type: 'about:blank', title: 'New', status: 400, code: 'a_code_of_next_year' };
    expect(check(whole(Problem as PublishedSchema) as object, problem).ok).toBe(true);
  });

  test('describes every parameter, and the types that they are read as', () => {
    const all = operations.flatMap(([name, { parameters = [] }]) => parameters.map((one) => ({ name, one })));
    expect(all.filter(({ one }) => one.description === '')).toEqual([]);
    const of = (name: string, key: string) => all.find(({ name: n, one }) => n === name && one.name === key)?.one;
    expect(of('listAlerts', 'limit')?.schema).toEqual({
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: 200,
      default: 50,
    });
    expect(of('listAlerts', 'simulated')?.schema).toEqual({ type: 'boolean' });
    expect(of('listAlerts', 'status')).toMatchObject({ style: 'form', explode: true, schema: { type: 'array' } });
    expect(of('getAlert', 'alert_id')).toMatchObject({ in: 'path', required: true });
  });

  test('says who may call each operation', () => {
    const security = Object.fromEntries(operations.map(([name, operation]) => [name, operation.security]));
    expect(security['issueToken']).toEqual([]);
    expect(security['listSites']).toEqual([{ oauth2: [] }]);
    expect(security['listEvents']).toEqual([{ oauth2: ['alerts:read'] }, { oauth2: ['musters:read'] }]);
    expect(security['performAction']).toEqual([{ oauth2: [] }, { controlToken: [] }]);
  });

  test('names the base address that it was asked for, and no other', () => {
    const text = JSON.stringify(openApi(routes, 'https://sandbox.example', 'whole'));
    expect(text).not.toContain(RECORDED_AT);
    expect(JSON.parse(text)).toMatchObject({ servers: [{ url: 'https://sandbox.example' }] });
  });
});

describe('examples', () => {
  const examples = operations.flatMap(([name, { responses }]) =>
    Object.entries(responses).flatMap(([status, response]) =>
      isRef(response) || response.content === undefined || Object.keys(response.content).length === 0
        ? []
        : [{ name: `${name} ${status}`, media: Object.values(response.content)[0] as Media }],
    ),
  );

  test.each(examples.filter(({ media }) => media.example !== undefined))('of $name fits its schema', ({ media }) => {
    expect(check(asSent(media.schema), media.example)).toEqual({ ok: true, value: media.example });
  });

  test('are there for every operation and success status with a body', () => {
    const without = examples.filter(({ name, media }) => / 2/.test(name) && media.example === undefined);
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  test('of requests fit too', () => {
    for (const [name, { requestBody }] of operations) {
      const [media] = Object.values(requestBody?.content ?? {});
      for (const { value } of Object.values(media?.examples ?? {}))
        expect([name, check(whole(media?.schema as PublishedSchema) as object, value)]).toEqual([
          name,
          { ok: true, value },
        ]);
    }
  });

  test('of problems are those of their code', () => {
    const recorded = new Recorded(RECORDED_AT);
    for (const code of new Set(routes.flatMap(problemsOf))) expect(recorded.problem(code)?.code, code).toBe(code);
  });

  test.each(['alertEvent', 'musterEvent'])('of deliveries fit the event: %s', (name) => {
    const media = document.webhooks?.[name]?.post?.requestBody?.content['application/json'];
    const value = media?.example;
    expect(check(asSent(media?.schema as PublishedSchema), value)).toEqual({ ok: true, value });
  });

  test('tell no secret that opens anything', () => {
    const text = JSON.stringify(document);
    const secrets = [...text.matchAll(/whsec_\w+|"(?:access_token|client_secret)":"(\w+)"/g)].map(([all]) => all);
    expect(secrets.length).toBeGreaterThan(3);
    expect(secrets.filter((one) => !/made_up|secret_of_your_client|whsec_$/.test(one))).toEqual([]);
  });
});

test('a field that no document has is noticed, at any depth', () => {
  const alert = alertOf('sos') as { site: object };
  const answer = (body: unknown) => ({
    status: 200,
    headers: new Headers({ 'content-type': 'application/json' }),
    body,
  });
  const of = (body: object) => misfit('GET', '/v1/alerts', answer({ data: [body], next_cursor: null }));
  expect(of(alert)).toBeNull();
  expect(of({ ...alert, pulse: 80 })).toContain('does not fit its schema');
  expect(of({ ...alert, site: { ...alert.site, pulse: 80 } })).toContain('does not fit its schema');
});

describe('what the API answers is documented', () => {
  let harness: ApiHarness;
  let token: string;
  let narrow: string;
  beforeAll(async () => {
    harness = await ApiHarness.start();
    // The probes of all routes are more than a minute's requests.
    harness.api.limiter.setLimits('harbour_co', { requestsPerMinute: 1e9 });
    token = await harness.token();
    narrow = await harness.token('workers:read');
    await harness.sos(1);
  });
  afterAll(() => harness.stop());

  const UNKNOWN = '00000000-0000-4000-8000-000000000000';
  const text = { 'content-type': 'text/plain' };
  const PROBES: Record<string, (path: string) => [string, Parameters<ApiHarness['call']>[2]]> = {
    'without a token': (path) => [path, {}],
    'with a token that lacks the scope': (path) => [path, { token: narrow }],
    'with all scopes': (path) => [path, { token }],
    'with the control token': (path) => [path, { token: CONTROL }],
    'of something unknown': (path) => [path.replace(SITE, UNKNOWN), { token }],
    'with an id that is none': (path) => [path.replace(SITE, 'x').replace(UNKNOWN, 'x'), { token }],
    'with an unknown parameter': (path) => [`${path}?colour=red`, { token }],
    'with a site that is not theirs': (path) => [`${path}?site_id=${UNKNOWN}`, { token }],
    'with a cursor of somebody else': (path) => [`${path}?cursor=abc`, { token }],
    'with an address without end': (path) => [`${path}?cursor=${'x'.repeat(9_000)}`, { token }],
    'with half an escape': (path) => [`${path}?cursor=%zz`, { token }],
    'with broken JSON': (path) => [path, { token, body: '{"url":' }],
    'with an empty object': (path) => [path, { token, body: {} }],
    'with plain text': (path) => [path, { token, body: 'x', headers: text }],
    'with a body that is too large': (path) => [path, { token, body: { url: 'x'.repeat(70_000) } }],
  };

  describe.each(routes.map(({ method, path }) => [method, path] as const))('%s %s', (method, path) => {
    test.each(Object.entries(PROBES))('%s', async (_words, probe) => {
      const [address, init = {}] = probe(path.replace(':site_id', SITE).replace(/:\w+/g, UNKNOWN));
      // A stream does not end by itself.
      const target = address === '/v1/sandbox/stream' ? `${address}?once=true` : address;
      // fetch sends no body with a GET.
      const { body: _, headers: __, ...bare } = init;
      const answer = await harness.call(method, target, method === 'GET' ? bare : init);
      expect(operationFor(method, target)).toBeDefined();
      expect(misfit(method, target, answer)).toBeNull();
    });
  });

  test('also where a client does what it should', async () => {
    const documented = async (method: string, path: string, body?: unknown) => {
      const answer = await harness.call(method, path, { token, ...(body === undefined ? {} : { body }) });
      expect(misfit(method, path, answer)).toBeNull();
      expect(answer.status, `${method} ${path}`).toBeLessThan(300);
      return answer.body;
    };
    const { data } = await documented('GET', '/v1/alerts?status=unacknowledged,acknowledged&limit=2');
    const [{ id }] = data;
    await documented('GET', `/v1/alerts/${id}`);
    await documented('PATCH', `/v1/alerts/${id}`, { status: 'acknowledged', actor: { name: 'Desk 2' } });
    await documented('GET', '/v1/events?type=alert.*');
    const made = await documented('POST', '/v1/webhooks', { url: 'https://r.example/h', event_types: ['alert.*'] });
    await documented('POST', `/v1/webhooks/${made.id}/rotate-secret`);
    await documented('POST', `/v1/webhooks/${made.id}/test`);
    await documented('DELETE', `/v1/webhooks/${made.id}`);
    await documented('GET', '/v1/sandbox/requests');
    const wrong = { grant_type: 'client_credentials', client_id: 'harbour_co', client_secret: `${SECRET}x` };
    const refused = await harness.call('POST', '/v1/oauth/token', { body: wrong });
    expect(refused.status).toBe(401);
    expect(misfit('POST', '/v1/oauth/token', refused)).toBeNull();
  });

  test('also at the token endpoint: an unknown parameter, a limit that is reached, and too many failed attempts', async () => {
    const post = (client_secret: string, query = '') =>
      harness.call('POST', `/v1/oauth/token${query}`, {
        body: { grant_type: 'client_credentials', client_id: 'harbour_co', client_secret },
      });
    expect(await post(SECRET, '?colour=red')).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    harness.api.limiter.setLimits('harbour_co', { requestsPerMinute: 0 });
    expect(await post(SECRET)).toMatchObject({ status: 429, body: { error: 'invalid_request' } });
    harness.api.limiter.setLimits('harbour_co', { requestsPerMinute: 600 });
    for (let n = 0; n < 20; n++) await post('wrong');
    expect(await post(SECRET)).toMatchObject({ status: 429, body: { error: 'invalid_client' } });
    expect(operationFor('POST', '/v1/oauth/token')?.responses['422']).toBeUndefined();
  });

  test('as JSON, with the address of this sandbox: the contract, and beside it what only a sandbox has', async () => {
    const pathsOf = async (path: string): Promise<string[]> => {
      const { status, body } = await harness.call('GET', path);
      expect([status, body.servers[0].url]).toEqual([200, harness.url]);
      return Object.keys(body.paths);
    };
    const [contract, own] = [await pathsOf('/openapi.json'), await pathsOf('/v1/sandbox/openapi.json')];
    expect([...contract, ...own].sort()).toEqual(Object.keys(document.paths).sort());
    expect(contract.filter((path) => path.startsWith('/v1/sandbox/'))).toEqual([]);
    expect(own.filter((path) => !path.startsWith('/v1/sandbox/'))).toEqual([]);
  });
});

test('a refusal that only some operations know is documented where it can happen', () => {
  const of = (name: string, status: number) =>
    Object.keys(
      responseOf(operations.find(([id]) => id === name)?.[1] as PublishedOperation, status)?.content?.[
        'application/problem+json'
      ]?.examples ?? {},
    );
  expect(of('updateAlert', 409)).toEqual(['invalid_transition']);
  expect(of('performAction', 409)).toEqual(['action_refused']);
  expect(of('createWebhook', 422)).toEqual(['invalid_destination_url', 'validation_failed']);
  expect(of('listAlerts', 422)).toEqual(['invalid_cursor', 'validation_failed']);
  expect(of('listAlerts', 409)).toEqual([]);
});
