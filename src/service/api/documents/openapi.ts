/** The OpenAPI 3.1 documents, made on request from the table of routes and the contract's schemas. */

import { API_VERSION, SCOPE_WORDS, SCOPES } from '../../../contract/enumerations.ts';
import { AlertEvent, MusterEvent } from '../../../contract/events.ts';
import { type Assumptions, DEFAULT_ASSUMPTIONS } from '../../../contract/gaps.ts';
import { TAGS, type Tag } from '../../../contract/operations/operation.ts';
import { DEFAULT_LIMITS } from '../../../contract/requests.ts';
import { RETRY_TIMES } from '../../../contract/resources/retry-schedule.ts';
import type { Media, OpenApi, Parameter, PathItem, PublishedOperation } from '../openapi/document.ts';
import { type ExampleDelivery, Recorded } from '../openapi/examples.ts';
import { operationOf, templateOf } from '../openapi/operations.ts';
import { ProblemResponses } from '../openapi/refusals.ts';
import { Components } from '../openapi/schemas.ts';
import type { Route } from '../route.ts';

export type { OpenApi } from '../openapi/document.ts';

/**
 * `contract`: the operations that production also has, to generate a client from. `sandbox`: the operations that only a
 * sandbox has. `whole`: both, for the reference page; this document is not served.
 */
export type DocumentPart = 'contract' | 'sandbox' | 'whole';

const isOfSandbox = ({ tag }: Pick<Route, 'tag'>): boolean => tag === 'Sandbox';

/**
 * `baseUrl` has no trailing slash. It is the server of the document, and the base of the addresses in examples.
 * `assumptions` determines how lists are written and the default size of a page. [decisions 1]
 */
export function openApi(
  routes: readonly Route[],
  baseUrl: string,
  part: DocumentPart,
  assumptions: Assumptions = DEFAULT_ASSUMPTIONS,
): OpenApi {
  const has = { contract: part !== 'sandbox', sandbox: part !== 'contract' };
  const components = new Components({ sandbox: has.sandbox });
  const recorded = new Recorded(baseUrl);
  const refusals = new ProblemResponses(components, recorded);
  const paths: Record<string, PathItem> = {};
  for (const route of routes.filter((one) => (isOfSandbox(one) ? has.sandbox : has.contract))) {
    const template = templateOf(route.path);
    const operation = operationOf(route, { components, refusals, recorded, assumptions });
    paths[template] = { ...paths[template], [route.method.toLowerCase()]: operation };
  }
  const webhooks = has.contract ? receiverContract(components, recorded) : {};
  const { oauth2, controlToken } = securitySchemes(baseUrl);
  return {
    openapi: '3.1.0',
    info: {
      ...(has.contract ? CONTRACT_INFO : SANDBOX_INFO),
      version: API_VERSION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'A sandbox with simulated watches.' }],
    tags: TAGS.filter((tag) => (isOfSandbox({ tag }) ? has.sandbox : has.contract)).map((name) => ({
      name,
      description: TAG_WORDS[name],
    })),
    paths,
    ...(has.contract ? { webhooks } : {}),
    components: {
      schemas: components.all(),
      responses: refusals.all(),
      securitySchemes: has.sandbox ? { oauth2, controlToken } : { oauth2 },
    },
  };
}

const securitySchemes = (baseUrl: string) => ({
  oauth2: {
    type: 'oauth2',
    description: 'The access token of a client; it has scopes and expires after 3600 s.',
    flows: {
      clientCredentials: {
        tokenUrl: `${baseUrl}/v1/oauth/token`,
        scopes: Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_WORDS[scope]])),
      },
    },
  },
  controlToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The control token that `sandbox up` prints: it gives access to `/v1/sandbox/` and to nothing else.',
  },
});

// The prose of the OpenAPI document: introduction and resource groups. [spec 1, 5, 7, 8, 9]

const CONTRACT_DESCRIPTION = `The API shows what a panel user with the same permissions sees: the on-demand privacy veil, privacy zones and contractor scoping apply exactly as in the panel. No vital signs are exposed, not even aggregated. The API cannot open a muster: the system proposes and a person decides.

This is a sandbox with simulated watches. Under \`/v1/\` it has the operations of the real service and no others. Sandbox-only operations are under \`/v1/sandbox/\`, and are described in [a separate document](/v1/sandbox/openapi.json).

## Conventions

- Ids are UUIDs. Times are ISO 8601 in UTC with milliseconds. A key whose value may be null is always present.
- Lists of alerts, musters, workers, devices and events come in pages: send \`next_cursor\` back as \`cursor\` with the same filters until it is null. The other lists are complete.
- A list parameter accepts several values; its description shows their format. Unknown parameters and unknown body fields are refused, because a misspelt filter must not look like no filter.
- HEAD is supported wherever GET is supported. A method that a path does not support gets 405 \`method_not_allowed\` with an \`Allow\` header.
- New fields may be added to responses: ignore unknown fields. The fields of a request body are fixed.

## Errors

Errors are \`application/problem+json\` (RFC 9457). Program against \`code\`: the texts may change, the code does not. New codes may be added: treat an unknown code by its status. \`type\` is an address that explains the problem and its fix. \`errors\` lists each broken rule with its place. Errors of the token endpoint have the format of RFC 6749.

## Limits

${DEFAULT_LIMITS.requests_per_minute} requests and ${DEFAULT_LIMITS.query_seconds_per_minute} s of query time per minute for each client. A client that exceeds one of them gets 429 with \`Retry-After\`. Bodies are at most 64 KiB.

## Versions

The path prefix is \`/v1\`; the version is a date, which every event contains as \`api_version\`. The interface is in preview: the contract may change.`;

const CONTRACT_INFO = {
  title: 'Alerts and Evacuations Integration API',
  summary: 'Alerts and evacuations of industrial sites whose workers wear watches, for a control-room system.',
  description: CONTRACT_DESCRIPTION,
};

const SANDBOX_INFO = {
  title: 'Alerts and Evacuations sandbox',
  summary:
    'Operations that exist in the sandbox only, and never in production: perform actions, run scenarios, and read the logs.',
  description: `The operations under \`/v1/sandbox/\`. The document of the API itself is [/openapi.json](/openapi.json). Generate your client from that document, because production has no operation of this one.

With an access token, a client can do what its company may do. The control token that \`sandbox up\` prints gives access to all operations. Errors are \`application/problem+json\`, as in the API.

\`GET /healthz\` is the health check for process managers. It returns 200 \`{"status":"ok"}\` while the sandbox can serve requests, and 503 while its store is not available. It needs no token and adds no row to the audit log.`,
};

const TAG_WORDS: { readonly [T in Tag]: string } = {
  Authentication: 'OAuth 2.0 `client_credentials`; one client for each company.',
  Sites: 'The industrial sites of the company, and their zones.',
  Alerts: 'Read, acknowledge and resolve the alerts that the control room must handle.',
  Musters: 'Read evacuations, their headcount and the missing workers.',
  'Workers and devices': 'Read the workers of the sites and their watches.',
  Positions: 'Read positions, as far as the privacy rules allow.',
  Events: 'Read the event log of the last 30 days, to fill gaps or to replay events.',
  Webhooks: 'Manage the destinations that receive signed events.',
  Sandbox:
    'Operations that exist in the sandbox only, and never in production: perform actions, run scenarios, and read the logs.',
};

// The receiver's side of a delivery: payload, signature, and expected answer. [spec 4, 5, 6, decisions 7]

const SIGNED = `The service sends each event to every destination that is subscribed to it, as one signed \`POST\` without a token.

**Signature.** \`X-Service-Signature\` is \`v1=\` and the lowercase hexadecimal HMAC-SHA256 of \`<X-Service-Timestamp>.<raw body>\`, keyed with the whole secret of the destination (\`whsec_...\`). During a rotation it contains two signatures, separated by a comma; one of them must match. Compute the signature over the raw bytes of the body, compare in constant time, and reject a timestamp that differs from your clock by more than 5 minutes.

**Answer.** Any 2xx within 5 s is a success; a redirect is a failure. Failed attempts are repeated ${RETRY_TIMES}. After that the delivery is lost. The event stays in the event log for 30 days.

**Order.** Delivery is at least once, and the order is not guaranteed. Deduplicate by \`id\`, order events by \`created_at\`, and discard an alert whose \`date_last_modified\` is older than that of the version that you have.`;

const ALIKE = 'The same rules apply as for the events of alerts: see `alertEvent`.';

/** One webhook per group of event types. */
function receiverContract(components: Components, recorded: Recorded): Record<string, PathItem> {
  return {
    alertEvent: {
      post: operation('receiveAlertEvent', 'An event of an alert (`alert.*`)', SIGNED, {
        media: mediaOf(components.publish(AlertEvent, 'open'), recorded.delivery('alert.*')),
        delivered: recorded.delivery('alert.*'),
      }),
    },
    musterEvent: {
      post: operation('receiveMusterEvent', 'An event of a muster (`muster.*`)', ALIKE, {
        media: mediaOf(components.publish(MusterEvent, 'open'), recorded.delivery('muster.*')),
        delivered: recorded.delivery('muster.*'),
      }),
    },
  };
}

interface EventMedia {
  readonly media: Media;
  readonly delivered: ExampleDelivery | undefined;
}

function operation(
  operationId: string,
  summary: string,
  description: string,
  { media, delivered }: EventMedia,
): PublishedOperation {
  return {
    operationId,
    tags: ['Webhooks'],
    summary,
    description,
    // Authenticated by the signature, which OpenAPI cannot express.
    security: [],
    parameters: HEADERS.map((header) => {
      const example = delivered?.headers[header.name];
      return example === undefined ? header : { ...header, example };
    }),
    requestBody: { required: true, content: { 'application/json': media } },
    responses: {
      '2XX': { description: 'The delivery succeeded. The body is ignored.' },
      default: { description: 'The attempt failed and will be repeated. No answer within 5 s is a failure too.' },
    },
  };
}

const mediaOf = (schema: Media['schema'], delivered: ExampleDelivery | undefined): Media =>
  delivered === undefined ? { schema } : { schema, example: delivered.body };

const header = (name: string, description: string, schema: Parameter['schema']): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

const HEADERS: readonly Parameter[] = [
  header('X-Service-Event-Id', 'The id of the event, the same at every attempt.', { type: 'string', format: 'uuid' }),
  header('X-Service-Timestamp', 'The time at which this attempt was signed, in Unix seconds.', {
    type: 'string',
    pattern: '^[0-9]+$',
  }),
  header('X-Service-Signature', 'One signature, or two separated by a comma.', {
    type: 'string',
    pattern: '^v1=[0-9a-f]{64}(,v1=[0-9a-f]{64})?$',
  }),
];
