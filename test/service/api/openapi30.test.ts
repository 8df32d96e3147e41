/** The OpenAPI 3.0 document: only words of 3.0, the same content as the 3.1 document, and the same values accepted. [decisions 9] */
import { describe, expect, test } from 'vitest';
import { check } from '../../../src/contract/check.ts';
import { openApi } from '../../../src/service/api/documents/openapi.ts';
import {
  isRef,
  type Media,
  nameOfRef,
  type OpenApi,
  type PublishedOperation,
} from '../../../src/service/api/openapi/document.ts';
import { type OpenApi30, openApi30 } from '../../../src/service/api/openapi/openapi30.ts';
import { type Schema30, schema30 } from '../../../src/service/api/openapi/schema30.ts';
import { inputsOf } from '../../helpers/whole.ts';
import { document as document31, routes, whole } from './documented.ts';
import { ApiHarness } from './harness.ts';

const BASE = 'http://127.0.0.1:4600';
const contract = openApi(routes, BASE, 'contract');
const sandbox = openApi(routes, BASE, 'sandbox');
const document = openApi30(document31);

/** The words of each object of OpenAPI 3.0.3 that the documents use, as its specification lists them. */
const WORDS = {
  document: ['openapi', 'info', 'servers', 'paths', 'components', 'security', 'tags', 'externalDocs'],
  info: ['title', 'description', 'termsOfService', 'contact', 'license', 'version'],
  license: ['name', 'url'],
  components: [
    ...['schemas', 'responses', 'parameters', 'examples', 'requestBodies', 'headers', 'securitySchemes', 'links'],
    'callbacks',
  ],
  pathItem: ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'parameters'],
  operation: [
    ...['tags', 'summary', 'description', 'operationId', 'parameters', 'requestBody', 'responses', 'callbacks'],
    ...['deprecated', 'security', 'servers'],
  ],
  parameter: [
    ...['name', 'in', 'description', 'required', 'deprecated', 'allowEmptyValue', 'style', 'explode'],
    ...['allowReserved', 'schema', 'example', 'examples', 'content'],
  ],
  media: ['schema', 'example', 'examples', 'encoding'],
  schema: [
    ...['title', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'maxLength', 'minLength'],
    ...['pattern', 'maxItems', 'minItems', 'uniqueItems', 'maxProperties', 'minProperties', 'required', 'enum', 'type'],
    ...['allOf', 'oneOf', 'anyOf', 'not', 'items', 'properties', 'additionalProperties', 'description', 'format'],
    ...[
      'default',
      'nullable',
      'discriminator',
      'readOnly',
      'writeOnly',
      'xml',
      'externalDocs',
      'example',
      'deprecated',
    ],
    'x-extensible-enum',
  ],
} as const;

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'];

/** What of an object is no word of 3.0, in words. */
function strangeWords(kind: keyof typeof WORDS, object: object, at: string): string[] {
  const known: readonly string[] = WORDS[kind];
  return Object.keys(object).flatMap((word) =>
    known.includes(word) ? [] : [`${at}: ${word} is no word of a ${kind}`],
  );
}

/** What breaks OpenAPI 3.0 in a schema, in words. */
function wrongInSchema(schema: Schema30, at: string): string[] {
  if (schema.$ref !== undefined)
    return Object.keys(schema).length === 1 ? [] : [`${at}: 3.0 ignores what is beside a reference`];
  const { type, nullable, exclusiveMinimum, enum: values, properties, items, additionalProperties } = schema;
  const lists = (['anyOf', 'oneOf', 'allOf'] as const).flatMap((key) =>
    (schema[key] ?? []).map((part, n) => [part, `${at}/${key}/${n}`] as const),
  );
  const parts = [
    ...lists,
    ...Object.entries(properties ?? {}).map(([key, part]) => [part, `${at}/${key}`] as const),
    ...(items === undefined ? [] : [[items, `${at}/items`] as const]),
    ...(typeof additionalProperties === 'object' ? [[additionalProperties, `${at}/*`] as const] : []),
  ];
  return [
    ...strangeWords('schema', schema, at),
    ...(type === undefined || TYPES.includes(type) ? [] : [`${at}: the type ${JSON.stringify(type)}`]),
    ...(type === 'array' && items === undefined ? [`${at}: a list needs items`] : []),
    ...(nullable === true && values !== undefined && !values.includes(null) ? [`${at}: enum refuses null`] : []),
    ...(nullable !== true && values?.includes(null) ? [`${at}: null without nullable`] : []),
    ...(exclusiveMinimum === undefined || typeof exclusiveMinimum === 'boolean' ? [] : [`${at}: exclusiveMinimum`]),
    ...parts.flatMap(([part, place]) => wrongInSchema(part, place)),
  ];
}

type Operation30 = PublishedOperation<Schema30>;

/** `get /v1/alerts` -> operation. */
function operationsOf<O extends PublishedOperation | Operation30>(
  paths: Readonly<Record<string, Partial<Record<string, O>>>>,
) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method} ${path}`, operation as O] as const),
  );
}

/** With the operations of callbacks. */
const operations30 = (paths: OpenApi30['paths']): (readonly [string, Operation30])[] =>
  operationsOf<Operation30>(paths).flatMap(([name, operation]) => {
    const called = Object.entries(operation.callbacks ?? {}).flatMap(([callback, byAddress]) =>
      Object.values(byAddress).flatMap((item) => operations30({ [`${name} ${callback}`]: item })),
    );
    return [[name, operation] as const, ...called];
  });

/** Every place of a document that has a schema: media types, parameters and headers. */
function* mediasOf(document: OpenApi30): Generator<{ at: string; media: Media<Schema30> }> {
  for (const [at, { parameters = [], requestBody, responses }] of operations30(document.paths)) {
    for (const [type, media] of Object.entries(requestBody?.content ?? {})) yield { at: `${at} ${type}`, media };
    for (const { name, schema } of parameters) yield { at: `${at} ?${name}`, media: { schema } };
    for (const [status, response] of Object.entries(responses))
      if (!isRef(response))
        for (const [type, media] of Object.entries(response.content ?? {}))
          yield { at: `${at} ${status} ${type}`, media };
  }
  for (const [name, { content = {}, headers = {} }] of Object.entries(document.components.responses)) {
    for (const [type, media] of Object.entries(content)) yield { at: `${name} ${type}`, media };
    for (const [header, { schema }] of Object.entries(headers)) yield { at: `${name} ${header}`, media: { schema } };
  }
}

describe.each([
  ['of the API', contract],
  ['of the sandbox', sandbox],
])('the OpenAPI 3.0 document %s', (_whose, source) => {
  const made = openApi30(source);

  test('has no word that OpenAPI 3.0 does not have', () => {
    const wrong = [
      ...strangeWords('document', made, 'document'),
      ...strangeWords('info', made.info, 'info'),
      ...strangeWords('license', made.info.license, 'license'),
      ...strangeWords('components', made.components, 'components'),
      ...Object.entries(made.paths).flatMap(([path, item]) => strangeWords('pathItem', item, path)),
      ...operations30(made.paths).flatMap(([name, operation]) => [
        ...strangeWords('operation', operation, name),
        ...(operation.parameters ?? []).flatMap((one) => strangeWords('parameter', one, `${name} ?${one.name}`)),
      ]),
      ...[...mediasOf(made)].flatMap(({ at, media }) => [
        ...strangeWords('media', media, at),
        ...wrongInSchema(media.schema, at),
      ]),
      ...Object.entries(made.components.schemas).flatMap(([name, schema]) => wrongInSchema(schema, name)),
    ];
    expect(wrong).toEqual([]);
    expect(made.openapi).toBe('3.0.3');
  });

  test('has the same operations, parameters, security, statuses and names of schemas as the 3.1 document', () => {
    const shape = (document: OpenApi | OpenApi30) => ({
      operations: operationsOf<PublishedOperation | Operation30>(document.paths).map(([name, operation]) => {
        const {
          operationId,
          tags,
          summary,
          description,
          security,
          parameters = [],
          requestBody,
          responses,
        } = operation;
        return {
          name,
          operationId,
          tags,
          summary,
          description,
          security,
          parameters: parameters.map(({ schema: _, ...rest }) => rest),
          media: Object.keys(requestBody?.content ?? {}),
          responses: Object.keys(responses),
        };
      }),
      // The 3.0 form has the fields of the base in each alert.
      schemas: Object.keys(document.components.schemas).filter((name) => name !== 'AlertBase'),
      responses: Object.keys(document.components.responses),
      security: document.components.securitySchemes,
      servers: document.servers,
      tags: document.tags,
      version: document.info.version,
    });
    expect(shape(made)).toEqual(shape(source));
  });
});

test('the webhooks are callbacks of the operation that registers their address', () => {
  const callbacks = openApi30(contract).paths['/v1/webhooks']?.post?.callbacks ?? {};
  const operationIds = Object.values(callbacks).flatMap((one) =>
    Object.values(one).map(({ post }) => post?.operationId),
  );
  expect(operationIds).toEqual(Object.values(contract.webhooks ?? {}).map(({ post }) => post?.operationId));
  expect(Object.keys(callbacks['alertEvent'] ?? {})).toEqual(['{$request.body#/url}']);
});

test('a keyword that OpenAPI 3.0 has no form for is refused, and does not get lost', () => {
  expect(() => schema30({ prefixItems: [{ type: 'string' }] } as never)).toThrow('prefixItems');
  expect(() => schema30({ type: ['string', 'number'] })).toThrow('string');
  expect(schema30({ anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] })).toEqual({
    type: 'string',
    enum: ['a', null],
    nullable: true,
  });
  expect(schema30({ anyOf: [{ $ref: '#/a' }, { $ref: '#/b' }, { type: 'null' }] })).toEqual({
    anyOf: [{ $ref: '#/a' }, { $ref: '#/b' }],
    nullable: true,
  });
});

/** A 3.0 schema in the words of the checker, read as generators read it: `nullable` admits null, whatever is beside it. */
function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, nullable, exclusiveMinimum, ...rest } = value as Schema30;
  if (typeof $ref === 'string') return readable(document.components.schemas[nameOfRef($ref)]);
  const plain = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, readable(part)]));
  const bound = exclusiveMinimum === true ? { exclusiveMinimum: rest.minimum, minimum: undefined } : {};
  const read = Object.fromEntries(Object.entries({ ...plain, ...bound }).filter(([, part]) => part !== undefined));
  return nullable === true ? { anyOf: [read, { type: 'null' }] } : read;
}

/** The value with itself or one part of it replaced by null, a number or a text, or taken away. */
function* spoilt(value: unknown): Generator<unknown> {
  yield* [null, -7, 0, ''];
  if (Array.isArray(value)) {
    for (const [n, part] of value.slice(0, 2).entries())
      for (const other of spoilt(part)) yield value.map((one, place) => (place === n ? other : one));
  } else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([one]) => one !== key));
      for (const other of spoilt(part)) yield { ...value, [key]: other };
    }
}

describe('a 3.0 schema', () => {
  const pairs = operationsOf<PublishedOperation>(document31.paths).flatMap(([name, operation]) => {
    const made = document.paths[name.split(' ')[1] as string]?.[name.split(' ')[0] as 'get'] as Operation30;
    const success = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
    const places = [
      ['request', operation.requestBody?.content, made.requestBody?.content] as const,
      ...success.map((status) => {
        const [before, after] = [operation.responses[status], made.responses[status]];
        if (before === undefined || after === undefined || isRef(before) || isRef(after)) throw new Error(name);
        return [status, before.content, after.content] as const;
      }),
    ];
    return places.flatMap(([place, before = {}, after = {}]) =>
      Object.entries(before)
        .slice(0, 1)
        .map(([type, media]) => ({ name: `${name} ${place}`, media, schema: (after[type] as Media<Schema30>).schema })),
    );
  });

  test.each(pairs)('accepts and refuses the same values as that of 3.1: $name', ({ media, schema }) => {
    const [before, after] = [whole(media.schema) as object, readable(schema) as object];
    const examples = [
      ...(media.example === undefined ? [] : [media.example]),
      ...Object.values(media.examples ?? {}).map(({ value }) => value),
    ];
    for (const example of examples) expect(check(after, example)).toEqual({ ok: true, value: example });
    const all = (examples.length === 0 ? [{}] : examples).flatMap((example) => [...spoilt(example)]);
    // Five in a row have the five ways to spoil a value, so every third one has each of them in turn.
    const values = inputsOf(all, 3);
    expect(values.filter((value) => check(after, value).ok !== check(before, value).ok)).toEqual([]);
  });
});

test('a running sandbox serves it as JSON with its own address, to HEAD as to GET, and refuses POST', async () => {
  const harness = await ApiHarness.start();
  try {
    const { status, headers, body } = await harness.call('GET', '/openapi-3.0.json');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toEqual(JSON.parse(JSON.stringify(openApi30(openApi(routes, harness.url, 'contract')))));
    expect((await harness.call('HEAD', '/openapi-3.0.json')).status).toBe(200);
    const refused = await harness.call('POST', '/openapi-3.0.json', { body: {} });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  } finally {
    await harness.stop();
  }
});
