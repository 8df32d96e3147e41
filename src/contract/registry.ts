/** All named schemas: the components of OpenAPI and AsyncAPI. */
import type { TSchema } from 'typebox';
import * as actions from './actions.ts';
import * as banner from './banner.ts';
import * as enumerations from './enumerations.ts';
import * as events from './events.ts';
import * as problems from './problems.ts';
import * as requests from './requests.ts';
import { ALERT_VARIANTS } from './resources/alert.ts';
import * as details from './resources/details.ts';
import * as resources from './resources.ts';
import { nodesIn, type SchemaNode } from './schema.ts';
import * as stream from './stream.ts';
import * as watch from './watch.ts';

/**
 * Schemas by title. A subschema whose `title` is a key here is that component, so a document may replace it by a
 * `$ref`.
 */
export const NAMED_SCHEMAS: Readonly<Record<string, TSchema>> = collect([
  enumerations,
  details,
  resources,
  ALERT_VARIANTS,
  events,
  stream,
  problems,
  requests,
  watch,
  watch.UPLINK_EVENTS,
  actions,
  banner,
]);

function collect(rooms: readonly object[]): Record<string, TSchema> {
  const named: Record<string, TSchema> = {};
  for (const room of rooms)
    for (const candidate of Object.values(room))
      for (const node of isSchema(candidate) ? nodesIn(candidate) : [])
        if (node.title !== undefined) named[node.title] ??= node as TSchema;
  return named;
}

/** Modules also export lists and tables, so schemas are recognised by their keywords. */
function isSchema(candidate: unknown): candidate is SchemaNode {
  if (typeof candidate !== 'object' || candidate === null) return false;
  const { type, anyOf } = candidate as { type?: unknown; anyOf?: unknown };
  return typeof type === 'string' || Array.isArray(anyOf);
}
