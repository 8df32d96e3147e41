/** The requests of a collection, from an OpenAPI document: one for each operation, in folders by resource. */
import type { Media, OpenApi, Parameter, PublishedOperation } from '../openapi/document.ts';

interface CollectionFolder {
  readonly name: string;
  readonly description: string;
  readonly requests: readonly CollectionRequest[];
}

/** Names in {{}} are variables of the collection. */
export interface CollectionRequest {
  readonly name: string;
  readonly description: string;
  readonly method: string;
  /** Such as `/v1/alerts/{{alert_id}}`. */
  readonly path: string;
  /** The query parameters. None is sent until the user enables it. */
  readonly query: readonly { readonly name: string; readonly description: string }[];
  readonly body: CollectionBody | null;
  /** The variable that contains the token, or null if the request needs no token. */
  readonly token: 'access_token' | 'control_token' | null;
  /** Variables that the answer sets, each with the path of its value in the body. */
  readonly sets: Readonly<Record<string, string>>;
}

export type CollectionBody =
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'form'; readonly fields: Readonly<Record<string, string>> };

/** Ids for later requests. Requests that delete are the last of their folder. */
const SETS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  issueToken: { access_token: 'access_token' },
  listSites: { site_id: 'data[0].id' },
  listAlerts: { alert_id: 'data[0].id' },
  listMusters: { muster_id: 'data[0].id' },
  createWebhook: { id: 'id' },
  listRuns: { run_id: 'data[0].id' },
};

const FORM = 'application/x-www-form-urlencoded';

/** Variables with the values of a sandbox on this machine. The user enters the secrets. */
export const VARIABLES: Readonly<Record<string, { readonly value: string; readonly secret: boolean }>> = {
  client_id: { value: 'austral_metales_y_puertos', secret: false },
  client_secret: { value: '', secret: true },
  control_token: { value: '', secret: true },
  access_token: { value: '', secret: true },
  ...Object.fromEntries(
    ['site_id', 'alert_id', 'muster_id', 'id', 'run_id', 'recording_id', 'name'].map((name) => [
      name,
      { value: '', secret: false },
    ]),
  ),
};

/** The folders, in the order of the document's tags. */
export function collectionOf({ tags, paths }: OpenApi): CollectionFolder[] {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      tag: operation.tags[0],
      ...requestOf(method, path, operation),
    })),
  );
  const isLast = ({ method }: CollectionRequest) => Number(method === 'DELETE');
  return tags.map(({ name, description }) => ({
    name,
    description,
    requests: all.filter(({ tag }) => tag === name).sort((a, b) => isLast(a) - isLast(b)),
  }));
}

function requestOf(method: string, path: string, operation: PublishedOperation): CollectionRequest {
  const { operationId, summary, description, parameters = [], security, requestBody } = operation;
  const isOpen = security.length === 0;
  const isClients = security.some((one) => 'oauth2' in one);
  return {
    name: summary,
    description,
    method: method.toUpperCase(),
    path: path.replace(/\{(\w+)\}/g, '{{$1}}'),
    query: parameters.filter((one: Parameter) => one.in === 'query'),
    body: bodyOf(requestBody?.content ?? {}),
    token: isOpen ? null : isClients ? 'access_token' : 'control_token',
    sets: SETS[operationId] ?? {},
  };
}

/** Uses the first example that contains no id, since the ids of the recording do not exist anywhere else. */
function bodyOf(content: Readonly<Record<string, Media>>): CollectionBody | null {
  const [type] = Object.keys(content);
  if (type === undefined) return null;
  if (type === FORM)
    return {
      kind: 'form',
      fields: { grant_type: 'client_credentials', client_id: '{{client_id}}', client_secret: '{{client_secret}}' },
    };
  const examples = Object.values(content[type]?.examples ?? {}).map(({ value }) => JSON.stringify(value, null, 2));
  const text = examples.find((one) => !/[0-9a-f]{8}-[0-9a-f]{4}-/.test(one)) ?? '{}';
  return { kind: 'json', text };
}
