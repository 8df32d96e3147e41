/** The subset of OpenAPI 3.1 that this project uses; generic in the type of its schemas (`S`). */

export interface PublishedSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, PublishedSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | PublishedSchema;
  readonly items?: PublishedSchema;
  readonly anyOf?: readonly PublishedSchema[];
  readonly oneOf?: readonly PublishedSchema[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };
  readonly allOf?: readonly PublishedSchema[];
  readonly enum?: readonly unknown[];
  /** The known values of a string that may have others; generators type it as a string. */
  readonly 'x-extensible-enum'?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly contentMediaType?: string;
  readonly contentSchema?: PublishedSchema;
}

/** The schema with the fields of its base, if it has one; any other is returned unchanged. */
export function withBase(schema: PublishedSchema, schemas: Readonly<Record<string, PublishedSchema>>): PublishedSchema {
  const { allOf, ...rest } = schema;
  if (allOf === undefined) return schema;
  const parts = allOf.map((part) => (part.$ref === undefined ? part : (schemas[nameOfRef(part.$ref)] ?? {})));
  return {
    type: 'object',
    ...rest,
    required: parts.flatMap(({ required = [] }) => required),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
  };
}

export interface Parameter<S = PublishedSchema> {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required?: boolean;
  readonly style?: 'form';
  readonly explode?: boolean;
  readonly schema: S;
  readonly example?: unknown;
}

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export interface Media<S = PublishedSchema> {
  readonly schema: S;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
}

export interface Header<S = PublishedSchema> {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: S;
}

export interface Response<S = PublishedSchema> {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header<S>>>;
  readonly content?: Readonly<Record<string, Media<S>>>;
}

export interface Ref {
  readonly $ref: string;
}

export interface PublishedOperation<S = PublishedSchema> {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter<S>[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly description?: string;
    readonly content: Readonly<Record<string, Media<S>>>;
  };
  readonly responses: Readonly<Record<string, Response<S> | Ref>>;
  /** Requests that the service sends afterwards: name -> expression of the address -> operation. OpenAPI 3.0 only. */
  readonly callbacks?: Readonly<Record<string, Readonly<Record<string, PathItem<S>>>>>;
}

export type PathItem<S = PublishedSchema> = Partial<Record<'get' | 'post' | 'patch' | 'delete', PublishedOperation<S>>>;

export interface OpenApi {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks?: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, PublishedSchema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

/** Component name of a local reference. */
export const nameOfRef = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

export const isRef = (thing: object): thing is Ref => '$ref' in thing;
