/** A collection for Postman, in its format 2.1. */
import type { OpenApi } from '../openapi/document.ts';
import { type CollectionBody, type CollectionRequest, collectionOf, VARIABLES } from './requests.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

export function postmanCollection(document: OpenApi): object {
  const { info, servers } = document;
  const base = { key: 'base_url', value: servers[0]?.url ?? '' };
  const variables = Object.entries(VARIABLES).map(([key, { value }]) => ({ key, value }));
  return {
    info: { name: info.title, description: info.description, schema: SCHEMA },
    variable: [base, ...variables],
    auth: bearer('access_token'),
    item: collectionOf(document).map(({ name, description, requests }) => ({
      name,
      description,
      item: requests.map(itemOf),
    })),
  };
}

function itemOf({ name, description, method, path, query, body, token, sets }: CollectionRequest): object {
  const script = Object.entries(sets).map(
    ([variable, from]) => `if (pm.response.code < 300) pm.collectionVariables.set('${variable}', ${safely(from)});`,
  );
  return {
    name,
    request: {
      description,
      method,
      header: body?.kind === 'json' ? [{ key: 'Content-Type', value: 'application/json' }] : [],
      url: {
        raw: `{{base_url}}${path}`,
        host: ['{{base_url}}'],
        path: path.slice(1).split('/'),
        query: query.map((one) => ({ key: one.name, value: '', description: one.description, disabled: true })),
      },
      ...(token === 'access_token' ? {} : { auth: token === null ? { type: 'noauth' } : bearer(token) }),
      ...(body === null ? {} : { body: bodyOf(body) }),
    },
    ...(script.length === 0 ? {} : { event: [{ listen: 'test', script: { type: 'text/javascript', exec: script } }] }),
  };
}

/** Reads the value with optional chaining, so that an empty list causes no error. */
const safely = (from: string): string => `pm.response.json().${from.replace('[0].', '[0]?.')}`;

const bearer = (variable: string) => ({
  type: 'bearer',
  bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }],
});

const bodyOf = (body: CollectionBody): object =>
  body.kind === 'json'
    ? { mode: 'raw', raw: body.text, options: { raw: { language: 'json' } } }
    : {
        mode: 'urlencoded',
        urlencoded: Object.entries(body.fields).map(([key, value]) => ({ key, value, type: 'text' })),
      };
