/** Pages of docs/ that follow from the product: the language, the actions, the flags, both wires, the open points. */
import type { Option } from 'commander';
import { CHANNELS } from '../../src/api/asyncapi/messages.ts';
import { asyncApi } from '../../src/api/documents/asyncapi.ts';
import { openApi } from '../../src/api/documents/openapi.ts';
import type { OpenApi, PublishedSchema } from '../../src/api/openapi/document.ts';
import { nameOfRef } from '../../src/api/openapi/document.ts';
import { plainWords } from '../../src/api/openapi/schemas.ts';
import { FILE_LIMITS } from '../../src/base/user-files.ts';
import { everyCommand, groupOf } from '../../src/cli/commands.ts';
import { ACTION_GROUPS, ACTION_NAMES, ACTIONS, actionExample } from '../../src/contract/actions.ts';
import { OPEN_POINTS } from '../../src/contract/gaps.ts';
import { isSandboxOnly, PROBLEM_CODES, PROBLEMS } from '../../src/contract/problems.ts';
import type { SchemaNode } from '../../src/contract/schema.ts';
import { MOST_LISTED } from '../../src/plant/shown-mistakes.ts';
import { DEEPEST_YAML } from '../../src/plant/yaml-document.ts';
import { REFERENCE, WORD_GROUPS, type WordGroup } from '../../src/scenario/language/derive/reference.ts';
import { FULL_BUDGET, MOST_STEPS } from '../../src/scenario/model/reading-budget.ts';
import { MOST_CASES } from '../../src/scenario/model/scenario.ts';
import { MOST_CHARACTERS } from '../../src/scenario/reading/merged-file.ts';
import { routes } from '../api/documented.ts';

/** Below the title of a page that is generated as a whole. */
export const NOTE = '<!-- Generated: node --import tsx test/generated/write.ts renews it. -->';

const page = (title: string, ...parts: readonly string[]): string => `# ${title}\n\n${NOTE}\n\n${parts.join('\n\n')}\n`;

const cell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replace(/\s*\n\s*/g, ' ')
    .trim();

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** What a value may be, in a few words. */
function typeOf(node: SchemaNode): string {
  const { anyOf, enum: words, const: only, items, type } = node;
  if (only !== undefined) return `\`${only}\``;
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(', ');
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' or ');
  if (items !== undefined) return `list of ${typeOf(items)}`;
  return type === 'integer' ? 'whole number' : (type ?? 'any');
}

const wordsOf = (node: SchemaNode): string =>
  [plainWords(node.description) ?? '', node.default === undefined ? '' : `Default \`${node.default}\`.`]
    .filter((part) => part !== '')
    .join(' ');

const COMMANDS_IN_FILES = `## Commands in files

Two keys start a command on your machine: \`start\` of \`system\`, and \`run\` of a probe. A scenario from elsewhere can therefore do whatever you can do. Look at its commands before you run it:

\`\`\`sh
sandbox validate scenarios    # prints each command with its file and line, and starts nothing
\`\`\`

- **Command line.** A file that you name may start its commands. \`sandbox run\`, \`up --scenario\`, \`exec --scenario\`, \`explore\` and \`replay --inputs\` print them before they start.
- **Settings.** A command that \`sandbox.config.yaml\` names starts only with \`--allow-commands\` or \`SANDBOX_ALLOW_COMMANDS=1\`. This holds for \`start-command\`, for the commands of the \`scenario\` that the settings name, and for a parameter in \`set\` that is a command. The settings file cannot set \`allow-commands\` itself.
- **HTTP.** \`POST /v1/sandbox/scenarios/{name}/runs\` starts a scenario with commands with the control token only. A client's token gets 403 \`insufficient_scope\`, which names the key. The failures that a client sees name no command and no folder of the machine.
- **From code.** \`sandbox.play(file)\` starts the commands of the file that your code names.

A \`system\` that has only a \`url\` starts no command.`;

/** The numbers are those of the readers. */
function limitsOfFiles(): string {
  const mib = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;
  const rows = [
    ['Scenario, part, site, rules, settings, GeoJSON and PEM files', mib(FILE_LIMITS.document)],
    ['A scenario with all the parts that it uses', mib(MOST_CHARACTERS)],
    ['`--credentials`', mib(FILE_LIMITS.credentials)],
    ['One line of a snapshot or of a recording', mib(FILE_LIMITS.line)],
    [
      'Steps after expansion: those of a macro count at each use, a `repeat` counts its body once',
      MOST_STEPS.toLocaleString('en'),
    ],
    ['Values after parameters and macros are filled in', FULL_BUDGET.values.toLocaleString('en')],
    ['People of crowds', FULL_BUDGET.people.toLocaleString('en')],
    ['Runs of a matrix or of cases', MOST_CASES.toLocaleString('en')],
    ['Levels of nesting', String(DEEPEST_YAML)],
    ['Mistakes that are listed', String(MOST_LISTED)],
  ];
  return `## Limits of files

${table(['What', 'At most'], rows)}

- **Regular files only.** A folder, a named pipe, a socket or a device is refused, also behind a symbolic link.
- **Folders.** A file that you name on the command line may be anywhere. What it names (\`use\`, GeoJSON) must be in its own folder (for what \`explore\` found also that of its rules), in the project folder (where the command runs) or in the package. Over HTTP, a scenario must be in the project folder or in the package. Symbolic links are resolved first.
- **Time.** A file that breaks a limit is refused within 2 s, and a valid file is read within 5 s. A running sandbox reads large scenarios in a thread of their own, so that the API keeps answering.
- **Many cases.** \`sandbox validate\` checks all cases of a file, or of a long file a part of them, and says so. Each case is checked before it runs.`;
}

/** docs/scenarios.md */
export function scenarioPage(): string {
  const groups = Object.entries(WORD_GROUPS).map(([group, title]) => {
    const entries = REFERENCE.filter((entry) => entry.group === (group as WordGroup)).map(
      ({ word, help, example, keys, remarks }) => {
        const rows = keys.map(({ name, required, meaning }) => [
          `\`${name}\`${required ? ' (needed)' : ''}`,
          typeof meaning === 'string'
            ? meaning
            : [typeOf(meaning), wordsOf(meaning)].filter((part) => part !== '').join('. '),
        ]);
        return [
          `### ${word}`,
          help,
          `\`\`\`yaml\n${example}\n\`\`\``,
          ...(rows.length === 0 ? [] : [table(['key', 'what it is'], rows)]),
          ...remarks,
        ].join('\n\n');
      },
    );
    return [`## ${title}`, ...entries].join('\n\n');
  });
  return page(
    'The scenario language',
    'A scenario is a YAML file that says who works where, what happens, and what has to be true of the API, the events and the deliveries. `sandbox run` plays it and gives an exit code. `sandbox init` writes a first one; its schema makes an editor complete and explain each word, and `sandbox explain WORD` prints what stands here. [Time and determinism](time.md) says how fast it runs and why its log is the same every time.',
    ...groups,
    COMMANDS_IN_FILES,
    limitsOfFiles(),
  );
}

/** docs/actions.md */
export function actionsPage(): string {
  const groups = ACTION_GROUPS.flatMap((group) => {
    const names = ACTION_NAMES.filter((name) => ACTIONS[name].group === group);
    if (names.length === 0) return [];
    const entries = names.map((name) => {
      const { title, help, fields, gives, clientMay } = ACTIONS[name];
      const { properties = {}, required = [] } = fields as SchemaNode;
      const rows = Object.entries(properties).map(([key, node]) => [
        `\`${key}\`${required.includes(key) ? ' (needed)' : ''}`,
        [typeOf(node), wordsOf(node)].filter((part) => part !== '').join('. '),
      ]);
      const answer = gives.length === 0 ? 'nothing' : gives.map((key) => `\`${key}\``).join(', ');
      return [
        `### ${name}`,
        `${title}. ${help}`,
        `\`\`\`json\n${JSON.stringify(actionExample(name))}\n\`\`\``,
        ...(rows.length === 0 ? [] : [table(['field', 'what it is'], rows)]),
        `Answers ${answer}.${clientMay ? '' : ' Needs the control token.'}`,
      ].join('\n\n');
    });
    return [`## ${group.replace('_', ' ')}`, ...entries];
  });
  return page(
    'Actions',
    'What can be made to happen: with `sandbox trigger NAME`, whose flags are the fields; as a body of `POST /v1/sandbox/actions`; as a step of a scenario; and from code, `sandbox.act({action: ...})`. People go by external_id, id or the serial of their watch; `sandbox world people` lists them. A question mark: not in every answer.',
    ...groups,
  );
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** docs/configuration.md */
export async function configurationPage(): Promise<string> {
  const commands = [...(await everyCommand())].sort((a, b) => groupOf(a.name()).localeCompare(groupOf(b.name())));
  const isShown = ({ hidden }: Option) => !hidden;
  const ofUp = new Set(commands.find((one) => one.name() === 'up')?.options.map(({ long }) => long));
  const sections = commands.map((command) => {
    // `exec` takes the flags of `up`.
    const isOfUp = ({ long }: Option) => command.name() === 'exec' && ofUp.has(long);
    const rows = command.options
      .filter((one) => isShown(one) && !isOfUp(one))
      .map(({ flags, description, envVar, argChoices }) => [
        `\`${flags}\``,
        `${description}${argChoices === undefined ? '' : ` (${argChoices.join(', ')})`}`,
        envVar === undefined ? '' : `\`${envVar}\``,
      ]);
    const words = command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`));
    const also = command.name() === 'exec' ? ' It takes the flags of `up`.' : '';
    const head = [`## sandbox ${[command.name(), ...words].join(' ')}`, `${capital(command.description())}.${also}`];
    return [...head, ...(rows.length === 0 ? [] : [table(['flag', 'what it does', 'variable'], rows)])].join('\n\n');
  });
  return page(
    'Configuration',
    'A flag on the command line wins over its variable, the variable over `sandbox.config.yaml` in the folder, that over the default. The file has flags without dashes, of any command; each command takes its own. `--no-fleet` is `fleet: false`:',
    '```yaml\n# sandbox.config.yaml\nport: 4700\nseed: 7\nwatches: 40\n```',
    'Commands that the file names, itself or by a scenario, start only with `--allow-commands`, which the file cannot set: see [Commands in files](scenarios.md#commands-in-files).',
    '`sandbox COMMAND --help` has examples and exit codes. `--json` prints one envelope, or an object a line: `{schema_version, command, status, data, warnings, error}`.',
    ...sections,
  );
}

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
    'Every operation at a glance. `/docs` of a running sandbox has fields, examples and a curl line of each, offline. `/openapi.json`, or `sandbox openapi`, is the contract to generate a client from; `/v1/sandbox/openapi.json`, or `sandbox openapi --sandbox`, is what only a sandbox has. `sandbox openapi --format postman` (or `bruno`) prints a collection to import.',
    'The sandbox speaks http, and with `sandbox up --tls` https only: [https and mqtts](https.md) has what a client needs to trust it.',
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

/** docs/gaps.md */
export const gapsPage = (): string =>
  page(
    'Open points of the specification',
    'Where the specification is silent, this sandbox reads it as follows. `sandbox gaps` prints the same, `GET /v1/sandbox/gaps` serves it. A point with a switch can be read otherwise: `sandbox up --assume NAME=VALUE`, from code `{assume: {NAME: VALUE}}`. Ask the provider about what your system depends on.',
    'The last column says how `sandbox compare --to` observes which reading a service has, or why it cannot; and why a point without a switch has none. `compare --save profile.yaml` stores the observed readings, and `sandbox up --profile profile.yaml` takes them.',
    table(
      ['', 'id', 'clause', 'question', 'here', 'switch', 'observed by `compare --to`'],
      OPEN_POINTS.map((point) => [
        String(point.number),
        `\`${point.id}\``,
        point.clause,
        point.question,
        point.here,
        'switch' in point ? `\`${point.switch}=${point.readings.join('|')}\`` : '',
        [
          'observed' in point ? `${point.observed}.` : `Not observable: ${point.unobserved}`,
          'fixed' in point ? `Not switchable: ${point.fixed}` : '',
        ]
          .filter((text) => text !== '')
          .join(' '),
      ]),
    ),
  );
