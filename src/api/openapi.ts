/** The OpenAPI 3.1 document, made on request from the table of routes and the contract's schemas. */
import { API_VERSION, SCOPES } from '../contract/enumerations.ts';
import type { OpenApi, PathItem } from './openapi/document.ts';
import { Recorded } from './openapi/examples.ts';
import { operationOf, templateOf } from './openapi/operations.ts';
import { receiverContract } from './openapi/receiver.ts';
import { ProblemResponses } from './openapi/refusals.ts';
import { Components } from './openapi/schemas.ts';
import { INTRODUCTION, SCOPE_WORDS, SUMMARY, TAG_WORDS, TITLE } from './openapi/words.ts';
import { type Route, TAGS } from './route.ts';

export type { OpenApi } from './openapi/document.ts';

/** `baseUrl` without a trailing slash: server of the document, and base of the addresses in examples. */
export function openApi(routes: readonly Route[], baseUrl: string): OpenApi {
  const components = new Components();
  const recorded = new Recorded(baseUrl);
  const refusals = new ProblemResponses(components, recorded);
  const paths: Record<string, PathItem> = {};
  for (const route of routes) {
    const template = templateOf(route.path);
    const operation = operationOf(route, { components, refusals, recorded });
    paths[template] = { ...paths[template], [route.method.toLowerCase()]: operation };
  }
  const webhooks = receiverContract(components, recorded);
  return {
    openapi: '3.1.0',
    info: {
      title: TITLE,
      version: API_VERSION,
      summary: SUMMARY,
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'A sandbox with simulated watches.' }],
    tags: TAGS.map((name) => ({ name, description: TAG_WORDS[name] })),
    paths,
    webhooks,
    components: {
      schemas: components.all(),
      responses: refusals.all(),
      securitySchemes: securitySchemes(baseUrl),
    },
  };
}

const securitySchemes = (baseUrl: string) => ({
  oauth2: {
    type: 'oauth2',
    description: 'The access token of a client; it carries its scopes and lives 3600 s.',
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
    description: 'The control token that `sandbox up` prints: it opens `/v1/sandbox/` and nothing else.',
  },
});
