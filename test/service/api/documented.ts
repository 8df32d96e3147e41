/** Checks answers of a running API against the published document. */

import { check } from '../../../src/contract/check.ts';
import { RateLimiter } from '../../../src/service/api/access/limits.ts';
import { openApi } from '../../../src/service/api/documents/openapi.ts';
import {
  isRef,
  nameOfRef,
  type OpenApi,
  type PublishedOperation,
  type PublishedSchema,
  type Response,
  withBase,
} from '../../../src/service/api/openapi/document.ts';
import { allRoutes } from '../../../src/service/api/routes/all.ts';

export const routes = allRoutes(new RateLimiter());
export const document: OpenApi = openApi(routes, 'http://127.0.0.1:4600', 'whole');

export interface Given {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Undefined: not in the document. */
export function operationFor(method: string, path: string): PublishedOperation | undefined {
  const segments = (path.split('?')[0] ?? '').split('/');
  const fits = (template: string) => {
    const parts = template.split('/');
    return (
      parts.length === segments.length &&
      parts.every((part, place) => (part.startsWith('{') ? segments[place] !== '' : part === segments[place]))
    );
  };
  const [, item] = Object.entries(document.paths).find(([template]) => fits(template)) ?? [];
  return item?.[method.toLowerCase() as 'get'];
}

/** How an answer deviates from the document; null: it conforms, or is not documented at all. */
export function misfit(method: string, path: string, { status, headers, body }: Given): string | null {
  const operation = operationFor(method === 'HEAD' ? 'GET' : method, path);
  if (operation === undefined) return null;
  const line = `${method} ${path.slice(0, 200)} ${status}`;
  const response = responseOf(operation, status);
  if (response === undefined) return `${line} is not documented: ${JSON.stringify(body)}`;
  for (const [name, { required = false }] of Object.entries(response.headers ?? {}))
    if (required && headers.get(name) === null) return `${line} lacks the header ${name}`;
  if (method === 'HEAD') return null;
  if (response.content === undefined) return body === null ? null : `${line} should have no body`;
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
  const media = response.content[type];
  if (media === undefined) return `${line} is documented as ${Object.keys(response.content)}, not ${type}`;
  const checked = check(asSent(media.schema), body);
  if (!checked.ok) return `${line} does not fit its schema: ${JSON.stringify(checked.errors.slice(0, 3))}`;
  const { code, error } = body as { code?: string; error?: string };
  if (status >= 400 && error !== undefined && !response.description.includes(`\`${error}\``))
    return `${line} does not list the error ${error}`;
  if (type === 'application/problem+json' && !Object.keys(media.examples ?? {}).includes(code ?? ''))
    return `${line} does not list the problem ${code}`;
  return null;
}

export function responseOf({ responses }: PublishedOperation, status: number): Response | undefined {
  const found = responses[status];
  if (found === undefined || !isRef(found)) return found;
  return document.components.responses[nameOfRef(found.$ref)];
}

const sent = new WeakMap<PublishedSchema, object>();

/**
 * The schema of a response without room for other fields. Published schemas leave that room to later versions; what this
 * version sends has the documented fields and no other, so that a field that slips in is noticed here.
 */
export function asSent(schema: PublishedSchema): object {
  const known = sent.get(schema);
  if (known !== undefined) return known;
  const closed = withoutOtherFields(whole(schema)) as object;
  sent.set(schema, closed);
  return closed;
}

function withoutOtherFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOtherFields);
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([key, part]) => [key, withoutOtherFields(part)] as const);
  const isOpen = typeof (value as PublishedSchema).properties === 'object' && !('additionalProperties' in value);
  return Object.fromEntries(isOpen ? [...parts, ['additionalProperties', false]] : parts);
}

const wholes = new Map<string, PublishedSchema>();

/** A schema with its references inlined; ours are not recursive. */
export function whole(schema: PublishedSchema): PublishedSchema {
  if (schema.$ref !== undefined) {
    const name = nameOfRef(schema.$ref);
    if (!wholes.has(name))
      wholes.set(
        name,
        whole(withBase(document.components.schemas[name] as PublishedSchema, document.components.schemas)),
      );
    return wholes.get(name) as PublishedSchema;
  }
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    if (typeof value !== 'object' || value === null) return value;
    return '$ref' in value
      ? whole(value as PublishedSchema)
      : Object.fromEntries(Object.entries(value).map(([key, part]) => [key, within(part)]));
  };
  return within(schema) as PublishedSchema;
}
