/** The index of the search: operations, schemas, events and problems, each with the words by which it is found. */
import { EVENT_TYPES } from '../../../contract/enumerations.ts';
import { EVENT_CAUSES } from '../../../contract/events.ts';
import { PROBLEM_CODES, PROBLEMS, problemSlug } from '../../../contract/problems.ts';
import { nameOfRef, type OpenApi, type PublishedSchema, withBase } from '../openapi/document.ts';
import type { OperationGroup } from './operations.ts';

/** Addresses are relative to the folder of the index. */
type SearchEntry = readonly [to: string, page: string, heading: string, text: string];

export function searchIndex({ components: { schemas } }: OpenApi, groups: readonly OperationGroup[]): SearchEntry[] {
  const operations = groups.flatMap(({ name, members }) =>
    members.map(({ method, path, operation }): SearchEntry => {
      const { operationId, summary, description, parameters = [], requestBody } = operation;
      const [body] = Object.values(requestBody?.content ?? {});
      const fields = [
        ...parameters.map((parameter) => parameter.name),
        ...(body === undefined ? [] : fieldsOf(body.schema, schemas)),
      ];
      const text = [operationId, name, fields.join(', '), description].filter((part) => part !== '').join(' · ');
      return [operationId, plain(summary), `${method.toUpperCase()} ${path}`, plain(text)];
    }),
  );
  const named = Object.entries(schemas).map(([name, schema]): SearchEntry => {
    const words = [...fieldsOf(schema, schemas), ...(schema.enum ?? []), ...(schema['x-extensible-enum'] ?? [])];
    return [`schemas/${name}`, 'Schema', name, `${words.join(', ')} · ${plain(schema.description ?? '')}`];
  });
  const events = EVENT_TYPES.map(
    (type): SearchEntry => [`events#event-${type}`, 'Event', type, plain(EVENT_CAUSES[type])],
  );
  const problems = PROBLEM_CODES.map((code): SearchEntry => {
    const { status, explanation } = PROBLEMS[code];
    return [`../problems/${problemSlug(code)}`, 'Problem', code, `${status} · ${plain(explanation)}`];
  });
  return [...operations, ...events, ...named, ...problems, ...SECTIONS];
}

const SECTIONS: readonly SearchEntry[] = [
  ['./#first-steps', 'API reference', 'First steps', 'token curl'],
  ['./#conventions', 'API reference', 'Conventions', 'pages cursor ids times lists HEAD'],
  ['./#errors', 'API reference', 'Errors', 'problem status code'],
  ['./#limits', 'API reference', 'Limits', 'rate limit 429 Retry-After body'],
  ['./#versions', 'API reference', 'Versions', 'api_version preview'],
  [
    'events#headers',
    'Event payloads',
    'Delivery and headers',
    'webhook signature X-Service-Signature X-Service-Timestamp',
  ],
];

/** Without the marks of Markdown. */
const plain = (text: string): string =>
  text
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ');

/** The names of the fields of a schema, also of its alternatives. */
function fieldsOf(schema: PublishedSchema, schemas: OpenApi['components']['schemas']): string[] {
  const target = withBase(schema.$ref === undefined ? schema : (schemas[nameOfRef(schema.$ref)] ?? {}), schemas);
  const ofOptions = (target.oneOf ?? target.anyOf ?? []).flatMap((option) => fieldsOf(option, schemas));
  return [...new Set([...Object.keys(target.properties ?? {}), ...ofOptions])];
}
