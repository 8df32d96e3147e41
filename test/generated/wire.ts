/** Pages of docs/ about both wires: the API, its events, how receivers verify them, and the protocol of watches. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { EVENT_TYPES } from '../../src/contract/enumerations.ts';
import { EVENT_CAUSES } from '../../src/contract/events.ts';
import { isSandboxOnly, PROBLEM_CODES, PROBLEMS } from '../../src/contract/problems.ts';
import type { SchemaNode } from '../../src/contract/schema.ts';
import { CHANNELS } from '../../src/service/api/asyncapi/messages.ts';
import { asyncApi } from '../../src/service/api/documents/asyncapi.ts';
import { openApi } from '../../src/service/api/documents/openapi.ts';
import type { OpenApi, PublishedSchema } from '../../src/service/api/openapi/document.ts';
import { nameOfRef } from '../../src/service/api/openapi/document.ts';
import events from '../../src/service/api/openapi/event-examples.json' with { type: 'json' };
import { routes } from '../service/api/documented.ts';
import { page, table, typeOf } from './markdown.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** docs/watch-protocol.md */
export function watchPage(): string {
  const document = asyncApi('mqtt://127.0.0.1:1883');
  const { schemas, messages } = document.components as unknown as Record<
    string,
    Record<string, Record<string, unknown>>
  >;
  const channels = Object.entries(document.channels).map(([name, channel]) => {
    const {
      address,
      title = name,
      description = '',
    } = channel as { address: string; title?: string; description?: string };
    const parts = Object.keys(CHANNELS[name]?.messages ?? {}).map((message) => {
      const ref = (document.channels[name]?.messages as Record<string, { $ref: string }>)[message]?.$ref ?? '';
      const {
        summary = '',
        payload,
        examples = [],
      } = (messages?.[nameOfRef(ref)] ?? {}) as {
        summary?: string;
        payload?: PublishedSchema;
        examples?: readonly { payload: unknown }[];
      };
      const schema = resolved(payload ?? {}, schemas as Record<string, PublishedSchema>);
      const rows = Object.entries(schema.properties ?? {}).map(([key, node]) => [
        `\`${key}\`${schema.required?.includes(key) ? '' : ' (optional)'}`,
        [typeOf(plain(node, schemas as Record<string, PublishedSchema>)), node.description ?? '']
          .filter((part) => part !== '')
          .join('. '),
      ]);
      const [example] = examples;
      return [
        `### ${message}`,
        summary,
        ...(example === undefined ? [] : [`\`\`\`json\n${JSON.stringify(example.payload)}\n\`\`\``]),
        ...(rows.length === 0 ? [] : [table(['field', 'what it is'], rows)]),
      ].join('\n\n');
    });
    return [`## ${title}`, `\`${address}\``, description, ...parts].join('\n\n');
  });
  return page(
    'The watch protocol',
    document.info.description.replaceAll('\n## ', '\n### '),
    'As a document for tools: `sandbox asyncapi`, or `/asyncapi.json` of a running sandbox. `sandbox certify --watch SERIAL` judges your firmware by it.',
    ...channels,
  );
}

const resolved = (schema: PublishedSchema, schemas: Readonly<Record<string, PublishedSchema>>): PublishedSchema => {
  const named = schema.$ref === undefined ? schema : (schemas[nameOfRef(schema.$ref)] ?? {});
  const list = named.anyOf?.find(({ $ref }) => $ref !== undefined);
  return named.properties === undefined && list !== undefined ? resolved(list, schemas) : named;
};

const plain = (node: PublishedSchema, schemas: Readonly<Record<string, PublishedSchema>>): SchemaNode => {
  const named = node.$ref === undefined ? node : (schemas[nameOfRef(node.$ref)] ?? {});
  const { type, anyOf, items, ...rest } = named;
  return {
    ...rest,
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((one) => plain(one, schemas)) }),
    ...(items === undefined ? {} : { items: plain(items, schemas) }),
    ...(type === undefined ? {} : { type: [type].flat().join(' or ') }),
  } as SchemaNode;
};

/** What the judges in test/judges try, and what nobody tries. */
const GENERATORS = [
  '## Generate a client',
  'The documents name the address of the sandbox that is running in the data folder; `--url` names another.',
  table(
    ['document', 'for', 'what is tested'],
    [
      [
        '`/openapi.json`, `sandbox openapi` (OpenAPI 3.1)',
        'generators that read 3.1',
        'openapi-typescript 7, @hey-api/openapi-ts and orval: the result compiles with `strict` and narrows alerts and events by `type`.',
      ],
      [
        '`/openapi-3.0.json`, `sandbox openapi --format openapi-3.0` (OpenAPI 3.0.3)',
        'generators that do not read 3.1',
        'The same three, openapi-typescript 5, swagger-typescript-api (with union enumerations) and openapi-zod-client: the result compiles with `strict` and narrows by `type`; the last two also read a running sandbox. A Go program with types made from the document (by a converter in `test/judges`, not by a published generator) reads every list and loses nothing.',
      ],
    ],
  ),
  [
    '- **Same content.** Both documents have the same operations, parameters and schema names. In 3.0, webhooks are callbacks of `createWebhook`, because 3.0 has no webhooks.',
    '- **Null.** In 3.0, a reference that may be null is `nullable: true` beside `allOf` with the one reference. Generators make an optional reference to the named type of it. A validator that reads 3.0.3 by the letter refuses null there.',
    '- **More fields.** Response schemas do not forbid additional properties, because a service may add fields. Request schemas forbid them, and the sandbox refuses unknown fields.',
    '- **More codes.** `ProblemCode` is a string with its known values in `x-extensible-enum`. An enumeration would make generated clients fail on a new code.',
    '- **Known failure.** openapi-typescript-codegen, which is no longer maintained, gives a type with several words of the discriminator, such as `ZoneAlert`, the last word alone. Use one of the generators above.',
    '- **Untested.** Generators for Java, Kotlin, C#, Swift, Rust, Python, PHP and Ruby, and the published generators for Go, are not tested here. If one fails on a document, please report it with its name and version.',
  ].join('\n'),
  '## Operations',
];

/** docs/api.md */
export function apiPage(): string {
  const contract = openApi(routes, 'http://127.0.0.1:4600', 'contract');
  const own = openApi(routes, 'http://127.0.0.1:4600', 'sandbox');
  const problems = PROBLEM_CODES.map((code) => [
    `${PROBLEMS[code].status}`,
    `\`${code}\``,
    `${isSandboxOnly(code) ? 'In the sandbox only. ' : ''}${PROBLEMS[code].explanation} ${PROBLEMS[code].fix}`,
  ]);
  return page(
    'The API',
    'This page lists every operation with its scope, and every error code. `/docs` of a running sandbox has a page for each operation, with its fields, examples, errors and a curl command, and a search.',
    [
      '- **The contract** as OpenAPI: `/openapi.json` of a running sandbox, or `sandbox openapi`. Generate your client from it.',
      '- **Sandbox-only operations:** `/v1/sandbox/openapi.json`, or `sandbox openapi --sandbox`.',
      '- **Collections** for Postman and Bruno: `sandbox openapi --format postman`, `--format bruno`.',
      '- **https:** the sandbox uses http, and with `sandbox up --tls` https only ([https and mqtts](https.md)).',
    ].join('\n'),
    ...GENERATORS,
    ...operations(contract),
    '## Problems',
    'Errors are `application/problem+json`; program against `code`. More codes may be added: treat a code that you do not know by its status.',
    table(['status', 'code', 'when, and what to do'], problems),
    '## In the sandbox only',
    ...operations(own),
  );
}

function operations({ tags, paths }: OpenApi): string[] {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return tags.flatMap(({ name, description }) => [
    `### ${name}`,
    description,
    table(
      ['operation', 'what it does', 'scope'],
      all
        .filter(({ operation }) => operation.tags[0] === name)
        .map(({ method, path, operation: { summary, security } }) => [
          `\`${method} ${path}\``,
          summary,
          scopesOf(security),
        ]),
    ),
  ]);
}

const scopesOf = (security: readonly Readonly<Record<string, readonly string[]>>[]): string =>
  security
    .map((one) =>
      'controlToken' in one ? 'control token' : one['oauth2']?.map((scope) => `\`${scope}\``).join(' ') || 'any token',
    )
    .join(' or ');

const typed = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

/** docs/events.md */
export function eventsPage(): string {
  const sections = EVENT_TYPES.map((type) =>
    [`### ${type}`, EVENT_CAUSES[type], typed('json', JSON.stringify(events[type], null, 2))].join('\n\n'),
  );
  const byGroup = (group: string) => sections.filter((section) => section.startsWith(`### ${group}.`));
  return page(
    'Events and payloads',
    'An event says that an alert or a muster changed. Each event has the same envelope in two places: the body of a webhook delivery and an item of `GET /v1/events`. This page shows each of the 12 event types in full. The payloads are recorded from a sandbox.',
    '## The envelope',
    table(
      ['field', 'meaning'],
      [
        ['`id`', 'The id of the event. Delivery is at least once: ignore an id that you have already processed.'],
        ['`type`', 'One of the 12 event types. More types may be added: ignore a type that you do not know.'],
        ['`api_version`', 'The version of the contract: `2026-09-24`.'],
        [
          '`created_at`',
          'When the change occurred, in UTC. It strictly increases for one organization, so you can order events by it.',
        ],
        [
          '`organization_id`',
          'The company that owns the site. It is null in a test event of `POST /v1/webhooks/{id}/test`.',
        ],
        ['`site_id`', 'The site of the alert or muster.'],
        [
          '`data`',
          '`{"alert": ...}` for `alert.*`, `{"muster": ...}` for `muster.*`. The object is exactly what its GET returned at `created_at`.',
        ],
      ],
    ),
    '## Rules for a receiver',
    [
      '- **Deduplicate** by `id`. The header `X-Service-Event-Id` has the same value.',
      '- **Do not rely on order.** Retries can arrive after newer events. Order events by `created_at`.',
      '- **Discard old versions.** If you hold an alert with a later `date_last_modified`, ignore the payload.',
      '- **Accept more fields.** The service may add fields. Ignore what you do not know.',
      '- **Fill gaps from the log.** `GET /v1/events` has the last 30 days, oldest first. See [Authentication, limits and pagination](authentication.md#read-a-list-to-its-end).',
    ].join('\n'),
    'The fields of an alert and of a muster are in the API reference: `/docs/schemas/Alert` and `/docs/schemas/Muster` of a running sandbox. [Webhooks](webhooks.md) describes how events are delivered.',
    '## Alert events',
    ...byGroup('alert'),
    '## Muster events',
    ...byGroup('muster'),
  );
}

const VERIFIERS: readonly (readonly [title: string, language: string, file: string, raw: string])[] = [
  [
    'TypeScript and JavaScript',
    'typescript',
    'typescript/verify.ts',
    "In Express, use `express.raw({ type: 'application/json', limit: '1mb' })` for this route only.",
  ],
  [
    'Python',
    'python',
    'python/verify.py',
    'In Flask the raw body is `request.get_data()`, in Django `request.body`, in FastAPI `await request.body()`.',
  ],
  ['Go', 'go', 'go/verify.go', 'Read the raw body with `io.ReadAll(r.Body)` before you decode it.'],
  ['Java', 'java', 'java/Verify.java', 'In Spring, take the body as `@RequestBody byte[]`, not as an object.'],
  [
    'C#',
    'csharp',
    'csharp/Verify.cs',
    'In ASP.NET Core, read `Request.Body` yourself before model binding. On .NET, `CryptographicOperations.FixedTimeEquals` can replace the comparison. The file is tested on Mono 6, and untested on .NET.',
  ],
  ['PHP', 'php', 'php/verify.php', "The raw body is `file_get_contents('php://input')`."],
  ['Ruby', 'ruby', 'ruby/verify.rb', 'In Rails the raw body is `request.raw_post`, in Rack `request.body.read`.'],
];

/** docs/webhook-verification.md */
export function verificationPage(): string {
  const sections = VERIFIERS.map(([title, language, file, raw]) =>
    [
      `## ${title}`,
      `File: \`examples/${file}\`. ${raw}`,
      `<!-- run: not the file is tested by the receiver that uses it -->\n${typed(language, readFileSync(resolve(ROOT, 'examples', file), 'utf8'))}`,
    ].join('\n\n'),
  );
  return page(
    'Verify a webhook signature',
    'Copy one of these files into your receiver. Each needs the standard library of its language only. The same files are in the folder `examples` of the package, with a complete receiver and a poller for each language ([Receivers in seven languages](../examples/README.md)).',
    [
      '- **Signed text:** the value of `X-Service-Timestamp`, a full stop, and the raw bytes of the body.',
      '- **Signature:** `X-Service-Signature` is `v1=` and the lowercase hexadecimal HMAC-SHA256 of the signed text.',
      '- **Key:** the whole secret as text, `whsec_` included. Do not decode it from base64.',
      '- **Raw bytes:** verify before a framework parses the body. JSON that was parsed and serialized again has other bytes.',
      '- **Rotation:** for 24 h after a rotation the header has two signatures, separated by a comma. Accept the delivery if either matches.',
      '- **Time:** refuse a timestamp that is more than 5 minutes away from your clock, in both directions. It is in seconds.',
      '- **Constant time:** compare with the function that your language has for it. An ordinary comparison reveals how many characters are right.',
    ].join('\n'),
    'To test your receiver, run [`sandbox certify`](certify.md). To find out why a signature does not match, use [`sandbox explain-delivery`](webhooks.md#a-signature-does-not-match).',
    ...sections,
  );
}
