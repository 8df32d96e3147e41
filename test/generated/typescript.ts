/** TypeScript from the schemas of the contract: the types that the package publishes, which need no other package. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ACTION_NAMES, ACTIONS, ActionResult, peopleFieldOf } from '../../src/contract/actions.ts';
import { NAMED_SCHEMAS } from '../../src/contract/registry.ts';
import { ALERT_VARIANTS, Alert } from '../../src/contract/resources/alert.ts';
import type { SchemaNode } from '../../src/contract/schema.ts';
import { plainWords } from '../../src/service/api/openapi/schemas.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const HEAD =
  '/** Resources, events, notices and actions as types. Generated from src/contract: node --import tsx test/generated/write.ts */\n';

/** In the order of the file; what they name follows of itself. */
const ROOTS: readonly string[] = [
  ...['Alert', 'Muster', 'MissingWorker', 'Site', 'Zone', 'Worker', 'Device', 'Position'],
  ...['WebhookDestination', 'WebhookDestinationCreated', 'Event', 'EventType', 'Problem'],
];

/** src/library/contract-types.ts */
export function contractTypes(): string {
  const writer = new TypeWriter();
  for (const name of ROOTS) writer.name(name);
  const actions = actionTypes(writer);
  return [HEAD, ...writer.declarations(), PAGES, noticeTypes(), actions].join('\n');
}

const PAGES = `/** A page of a longer list. */
export interface Page<T> {
  data: T[];
  /** For \`cursor\` of the next request; null when there is no more. */
  next_cursor: string | null;
}

/** A whole list. */
export interface List<T> {
  data: T[];
}
`;

/** The notices are types already; their file goes in without its imports. */
function noticeTypes(): string {
  const source = readFileSync(resolve(ROOT, 'src/contract/notices.ts'), 'utf8');
  return withoutCitations(source.replace(/^\/\*\*.*\n/, '').replace(/^import .*\n/gm, '')).trimStart();
}

const withoutCitations = (text: string): string => text.replace(/ \[(?:spec|decisions|cli)[^\]]*\]/g, '');

/** Resources with a name of their own become declarations; the rest is written where it stands. */
class TypeWriter {
  readonly #declared = new Map<string, string>();

  /** The name, of which a declaration follows. */
  name(title: string): string {
    if (!this.#declared.has(title)) {
      this.#declared.set(title, '');
      this.#declared.set(title, this.#declaration(title, NAMED_SCHEMAS[title] as SchemaNode));
    }
    return title;
  }

  declarations(): readonly string[] {
    return [...this.#declared.values()];
  }

  #declaration(title: string, node: SchemaNode): string {
    if (title === 'Alert') return this.#alert();
    const doc = docOf(node, '');
    if (node.properties !== undefined) return `${doc}export interface ${title} ${this.#fields(node, '')}\n`;
    return `${doc}export type ${title} =${asLines(this.type({ ...node, title: '' }, ''), '  ')};\n`;
  }

  /** The variants share all but type and details. */
  #alert(): string {
    const { type: _type, details: _details, ...shared } = Alert.properties as Record<string, SchemaNode>;
    const variants = (ALERT_VARIANTS as readonly SchemaNode[]).map((variant) => {
      const { type = {}, details = {} } = variant.properties ?? {};
      const fields = `  type:${asLines(this.type(type, ''), '    ')};\n  details: ${this.type(details, '')};\n`;
      return `${docOf(variant, '')}export interface ${variant.title} extends AlertCommon {\n${fields}}\n`;
    });
    const names = ALERT_VARIANTS.map((variant) => (variant as SchemaNode).title).join(' | ');
    const common = { properties: shared, required: Object.keys(shared) };
    return [
      `${docOf(Alert as SchemaNode, '')}export type Alert =${asLines(names, '  ')};\n`,
      `/** What every alert has, whatever its type. */\nexport interface AlertCommon ${this.#fields(common, '')}\n`,
      ...variants,
      `/** An alert type. */\nexport type AlertType = Alert['type'];\n`,
    ].join('\n');
  }

  #fields({ properties = {}, required = [] }: SchemaNode, indent: string): string {
    const inner = `${indent}  `;
    const lines = Object.entries(properties).map(([key, node]) => {
      const optional = required.includes(key) ? '' : '?';
      return `${docOf(node, inner, key)}${inner}${key}${optional}: ${this.type(node, inner)};\n`;
    });
    return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`;
  }

  type(node: SchemaNode, indent: string): string {
    const { title = '', enum: words, anyOf, items } = node;
    if (NAMED_SCHEMAS[title] !== undefined) return this.name(title);
    if (node.const !== undefined) return literal(node.const);
    // Values that are not listed are possible, and those that are listed are still proposed by an editor.
    const others = node['x-open'] === undefined ? [] : ['(string & Record<never, never>)'];
    if (words !== undefined) return [...words.map(literal), ...others].join(' | ');
    if (anyOf !== undefined) return [...new Set(anyOf.map((one) => this.type(one, indent)))].join(' | ');
    if (node.properties !== undefined && Object.keys(node.properties).length > 0) return this.#fields(node, indent);
    if (items !== undefined) return this.#list(node, items, indent);
    return PLAIN[node.type ?? ''] ?? 'unknown';
  }

  #list({ minItems, maxItems }: SchemaNode, items: SchemaNode, indent: string): string {
    const item = this.type(items, indent);
    if (minItems === 2 && maxItems === 2) return `readonly [${item}, ${item}]`;
    return / /.test(item) ? `readonly (${item})[]` : `readonly ${item}[]`;
  }
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
  object: 'Record<string, unknown>',
};

/** A long union has a line for each of its parts. */
const asLines = (type: string, indent: string): string =>
  type.length < 90 || type.includes('{') ? ` ${type}` : ['', ...type.split(' | ')].join(`\n${indent}| `);

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));

/** The description, with the default; a reference by name explains itself at its declaration. */
function docOf(node: SchemaNode, indent: string, key = ''): string {
  const description = plainWords(node.description) ?? '';
  const fallback = node.default === undefined ? '' : `Default: ${JSON.stringify(node.default)}.`;
  const words = [description === '' || /[.!?]$/.test(description) ? description : `${description}.`, fallback]
    .filter((part) => part !== '')
    .join(' ');
  const isOwn = key === '' || NAMED_SCHEMAS[node.title ?? '']?.['description' as never] !== node.description;
  return words === '' || !isOwn ? '' : `${indent}/** ${words.replaceAll('*/', '* /')} */\n`;
}

/** Bodies and answers of the actions, by name. Those who act are one here; the library takes lists too. */
function actionTypes(writer: TypeWriter): string {
  const rows = ACTION_NAMES.map((name) => {
    const { title, help, fields, gives } = ACTIONS[name];
    const { properties, required } = fields as SchemaNode;
    const ones = Object.entries(properties ?? {}).map(([key, node]): [string, SchemaNode] =>
      node['x-holds']?.kind === 'people'
        ? [
            key,
            {
              ...(node.anyOf?.[0] ?? node),
              description: 'An external_id or id of a worker, or the serial of a watch.',
            },
          ]
        : [key, node],
    );
    const body = writer.type({ properties: Object.fromEntries(ones), required: required ?? [] }, '    ');
    const result = (gives as readonly string[]).map((given) => {
      const key = given.replace('?', '');
      const node = (ActionResult.properties as Record<string, SchemaNode>)[key] ?? {};
      return `${docOf(node, '      ')}      ${given}: ${PLAIN[node.type ?? '']};\n`;
    });
    const answer = result.length === 0 ? 'Record<never, never>' : `{\n${result.join('')}    }`;
    const fieldsType = body === 'unknown' ? 'Record<never, never>' : body;
    return `  /** ${title}. ${help} */\n  ${name}: {\n    body: ${fieldsType};\n    result: ${answer};\n  };\n`;
  });
  const people = [...new Set(ACTION_NAMES.map(peopleFieldOf))].filter((key) => key !== undefined);
  return `/** The fields of bodies that name those who act. */\nexport type PeopleField = ${people.map(literal).join(' | ')};\n\n/** Every action: the fields of its body, and what its answer names. */\nexport interface Actions {\n${rows.join('')}}\n\n/** What an action touched or made. */\nexport type ActionResult<N extends keyof Actions = keyof Actions> = Actions[N]['result'];\n`;
}
