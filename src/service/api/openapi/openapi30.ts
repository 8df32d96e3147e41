/** The OpenAPI 3.0 form of a document, for generators that do not read 3.1. [decisions 9] */
import { Bug } from '../../../base/assert.ts';
import {
  type Header,
  isRef,
  type Media,
  type OpenApi,
  type Parameter,
  type PathItem,
  type PublishedOperation,
  type Ref,
  type Response,
  withBase,
} from './document.ts';
import { mapped, type Schema30, schema30 } from './schema30.ts';

export interface OpenApi30 {
  readonly openapi: '3.0.3';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly url: string };
  };
  readonly servers: OpenApi['servers'];
  readonly tags: OpenApi['tags'];
  readonly paths: Readonly<Record<string, PathItem<Schema30>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema30>>;
    readonly responses: Readonly<Record<string, Response<Schema30>>>;
    readonly securitySchemes: OpenApi['components']['securitySchemes'];
  };
}

/** The operation that registers the address of webhooks, and the field of its body that is the address. */
const REGISTERS_WEBHOOKS = 'createWebhook';
const WEBHOOK_ADDRESS = '{$request.body#/url}';

/** The same operations, parameters and schema names, as OpenAPI 3.0. Webhooks become callbacks of `createWebhook`. */
export function openApi30({ info, servers, tags, paths, webhooks, components }: OpenApi): OpenApi30 {
  const { title, version, summary, description, license } = info;
  const { schemas, responses, securitySchemes } = components;
  return {
    openapi: '3.0.3',
    info: {
      title,
      version,
      description: `${summary}\n\n${description}`,
      license: { name: license.name, url: `https://spdx.org/licenses/${license.identifier}.html` },
    },
    servers,
    tags,
    paths: mapped(webhooks === undefined ? paths : withCallbacks(paths, webhooks), pathItem30),
    components: {
      schemas: mapped(withoutBases(schemas), schema30),
      responses: mapped(responses, response30),
      securitySchemes,
    },
  };
}

/**
 * The schemas with the fields of their bases, which are left out: openapi-zod-client, which reads 3.0 alone, makes code
 * that does not compile of variants with a base.
 */
function withoutBases(schemas: OpenApi['components']['schemas']): OpenApi['components']['schemas'] {
  const bases = new Set(Object.values(schemas).flatMap(({ allOf = [] }) => allOf.flatMap(({ $ref }) => $ref ?? [])));
  const kept = Object.entries(schemas).filter(([name]) => !bases.has(`#/components/schemas/${name}`));
  return Object.fromEntries(kept.map(([name, schema]) => [name, withBase(schema, schemas)]));
}

/** OpenAPI 3.0 has no `webhooks`. They become callbacks of the operation that registers an address. */
function withCallbacks(paths: OpenApi['paths'], webhooks: Readonly<Record<string, PathItem>>): OpenApi['paths'] {
  const isRegistration = ({ post }: PathItem) => post?.operationId === REGISTERS_WEBHOOKS;
  const [path, item] = Object.entries(paths).find(([, one]) => isRegistration(one)) ?? [];
  if (path === undefined || item?.post === undefined)
    throw new Bug(`A document with webhooks has no operation ${REGISTERS_WEBHOOKS}.`);
  const callbacks = mapped(webhooks, (webhook) => ({ [WEBHOOK_ADDRESS]: webhook }));
  return { ...paths, [path]: { ...item, post: { ...item.post, callbacks } } };
}

const pathItem30 = (item: PathItem): PathItem<Schema30> => mapped(item, operation30);

function operation30({
  parameters,
  requestBody,
  responses,
  callbacks,
  ...rest
}: PublishedOperation): PublishedOperation<Schema30> {
  return {
    ...rest,
    ...(parameters === undefined ? {} : { parameters: parameters.map(parameter30) }),
    ...(requestBody === undefined
      ? {}
      : { requestBody: { ...requestBody, content: mapped(requestBody.content, media30) } }),
    responses: mapped(responses, (response: Response | Ref) => (isRef(response) ? response : response30(response))),
    ...(callbacks === undefined ? {} : { callbacks: mapped(callbacks, (callback) => mapped(callback, pathItem30)) }),
  };
}

const parameter30 = (parameter: Parameter): Parameter<Schema30> => ({
  ...parameter,
  schema: schema30(parameter.schema),
});
const media30 = (media: Media): Media<Schema30> => ({ ...media, schema: schema30(media.schema) });
const header30 = (header: Header): Header<Schema30> => ({ ...header, schema: schema30(header.schema) });

const response30 = ({ headers, content, ...rest }: Response): Response<Schema30> => ({
  ...rest,
  ...(headers === undefined ? {} : { headers: mapped(headers, header30) }),
  ...(content === undefined ? {} : { content: mapped(content, media30) }),
});
