/** An operation of the document, from a route. */
import type { TSchema } from 'typebox';
import { assert } from '../../../base/assert.ts';
import type { Assumptions } from '../../../contract/gaps.ts';
import type { Route } from '../route.ts';
import type { Media, Parameter, PublishedOperation, PublishedSchema, Response } from './document.ts';
import type { Recorded } from './examples.ts';
import type { ProblemResponses } from './refusals.ts';
import { type Components, plainWords } from './schemas.ts';

interface Publishing {
  readonly components: Components;
  readonly refusals: ProblemResponses;
  readonly recorded: Recorded;
  readonly assumptions: Assumptions;
}

/** Converts `/v1/alerts/:alert_id` to `/v1/alerts/{alert_id}`. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

export function operationOf(route: Route, publishing: Publishing): PublishedOperation {
  const { operationId, tag, summary, description } = route;
  const parameters = [...pathParameters(route), ...queryParameters(route, publishing)];
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: securityOf(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(route, publishing),
    responses: { ...successes(route, publishing), ...publishing.refusals.of(route) },
  };
}

/** Alternatives; each of them is sufficient. [decisions 1, 9] */
function securityOf({ access, clientScope }: Route): PublishedOperation['security'] {
  switch (access) {
    case 'none':
      return [];
    case 'any':
      return [{ oauth2: [] }];
    case 'events':
      return [{ oauth2: ['alerts:read'] }, { oauth2: ['musters:read'] }];
    case 'sandbox':
      return [{ oauth2: clientScope === undefined ? [] : [clientScope] }, { controlToken: [] }];
    case 'control':
      return [{ controlToken: [] }];
    default:
      return [{ oauth2: [access] }];
  }
}

/** The meaning of a parameter, by the resource before it. */
const OF_WHAT: Readonly<Record<string, string>> = {
  'sites/site_id': 'Id of the site. A site of another company is refused, whether or not it exists.',
  'alerts/alert_id': 'Id of the alert.',
  'musters/muster_id': 'Id of the muster.',
  'webhooks/id': 'Id of the webhook destination.',
  'destinations/id': 'Id of the destination of a session.',
  'deliveries/id': 'Id of a delivery, or of an event with all its deliveries.',
  'recordings/recording_id': 'Id of the recording.',
  'runs/run_id': 'Id of the run.',
  'scenarios/name': 'Name of the scenario: the name of its file without the extension.',
  'snapshots/name': 'Name of the snapshot.',
};

function pathParameters({ path }: Route): Parameter[] {
  return [...path.matchAll(/(\w+)\/:(\w+)/g)].map(([, resource, name = '']) => {
    const description = OF_WHAT[`${resource}/${name}`];
    assert(description !== undefined, () => `OF_WHAT lacks ${resource}/${name}.`);
    const schema = /(?:^|_)id$/.test(name) ? { type: 'string', format: 'uuid' } : { type: 'string' };
    return { name, in: 'path', required: true, description, schema };
  });
}

/** How several values are written, by the switch `lists`. [decisions 1] */
const SEVERAL: { readonly [L in Assumptions['lists']]: string } = {
  any: 'For several values, repeat the parameter or separate them by commas.',
  comma: 'For several values, separate them by commas that are not percent-encoded.',
  repeat: 'For several values, repeat the parameter; a comma is part of a value.',
};

function queryParameters({ query }: Route, { components, assumptions }: Publishing): Parameter[] {
  const { lists } = assumptions;
  const properties = (query?.properties ?? {}) as Readonly<Record<string, TSchema>>;
  return Object.entries(properties).map(([name, property]): Parameter => {
    const source = property as unknown as Readonly<Record<string, unknown>>;
    const isList = source['x-list'] !== undefined;
    const { description = '', ...published } = typeOf(property, source, components);
    const schema =
      name === 'limit' && 'default' in published
        ? { ...published, default: Number(assumptions['page-size']) }
        : published;
    const words = [plainWords(source['description']) ?? description, ...(isList ? [SEVERAL[lists]] : [])];
    return {
      name,
      in: 'query',
      ...(query?.required?.includes(name) ? { required: true } : {}),
      description: words.filter((one) => one !== '').join(' '),
      ...(isList ? { style: 'form', explode: lists !== 'comma' } : {}),
      schema,
    };
  });
}

/** Query values are text; `x-schema` and `x-parsed` say what they are parsed to. */
function typeOf(property: TSchema, source: Readonly<Record<string, unknown>>, components: Components): PublishedSchema {
  if (source['x-schema'] !== undefined) return { ...(source['x-schema'] as PublishedSchema), format: 'int32' };
  if (source['x-parsed'] === 'boolean') return { type: 'boolean' };
  return components.publish(property, 'closed');
}

function requestBody(route: Route, { components, recorded }: Publishing): Pick<PublishedOperation, 'requestBody'> {
  const schema = route.reads?.schema() ?? route.body;
  if (schema === undefined) return {};
  const examples = Object.entries(recorded.requests(route.operationId)).map(([name, value]) => [
    name.replaceAll(' ', '_'),
    { summary: name, value },
  ]);
  const media: Media = {
    schema: components.publish(schema, 'closed'),
    ...(examples.length === 0 ? {} : { examples: Object.fromEntries(examples) }),
  };
  const types = route.reads?.media ?? ['application/json'];
  return { requestBody: { required: true, content: Object.fromEntries(types.map((type) => [type, media])) } };
}

const SUCCESS: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted: it happens later.',
  204: 'Done, without a body.',
};

function successes(route: Route, { components, recorded }: Publishing): Record<string, Response> {
  const responses = Object.entries(route.answers).map(([status, schema]): [string, Response] => {
    if (schema === null) return [status, { description: SUCCESS[status] ?? 'Done.' }];
    const published = components.publish(schema, 'open');
    const example = recorded.answer(route.operationId, status);
    const media: Media = { schema: published, ...(example === undefined ? {} : { example }) };
    const description = status === '202' ? SUCCESS[202] : plainWords((schema as { description?: string }).description);
    return [status, { description: description ?? 'Done.', content: { [route.media ?? 'application/json']: media } }];
  });
  return Object.fromEntries(responses);
}
