/** A schema as a folding tree: each field with its type, whether it is required or nullable, and its description. */
import { type Html, html } from '../../../base/text/html.ts';
import { nameOfRef, type PublishedSchema, withBase } from '../openapi/document.ts';
import { inline } from './prose.ts';

type Schemas = Readonly<Record<string, PublishedSchema>>;

/** `seen` has the names of the enclosing schemas, to end recursion. */
export function schemaTree(schema: PublishedSchema, schemas: Schemas, seen: readonly string[] = []): Html {
  const { target, name } = resolved(schema, schemas);
  const above = name === undefined ? seen : [...seen, name];
  if (target.properties !== undefined) {
    const rows = Object.entries(target.properties).map(([key, field]) =>
      row(key, field, target.required?.includes(key) ?? false, schemas, above),
    );
    return html`<ul class="tree">${rows}</ul>`;
  }
  const options = target.oneOf ?? target.anyOf;
  if (options !== undefined) return alternatives(options, schemas, above);
  const content = contentOf(target);
  if (content !== undefined) return schemaTree(content, schemas, above);
  return html`<p>${typeOf(schema, schemas)} ${limits(target)}</p>`;
}

/** The row of a field, with the content that it unfolds to. */
function row(key: string, field: PublishedSchema, required: boolean, schemas: Schemas, seen: readonly string[]): Html {
  const inner = innerOf(field, schemas);
  const description = field.description ?? inner.description;
  const head = fieldHead(key, typeOf(field, schemas), required ? 'required' : 'optional', mayBeNull(field));
  const words = html`${description === undefined ? null : html`<div class="said">${inline(description)}</div>`}${limits(inner)}`;
  const { name } = inner;
  // An enclosing schema is linked and not unfolded again.
  if (!unfolds(inner) || (name !== undefined && seen.includes(name))) return html`<li>${head}${words}</li>`;
  const content = html`<div class="inner">${schemaTree(inner.schema, schemas, seen)}</div>`;
  // The head is outside of the summary, since its links would be controls within a control.
  return html`<li>${head}${words}<details><summary>Fields of <code>${key}</code></summary>${content}</details></li>`;
}

/** The head of a field or parameter. */
export function fieldHead(
  key: string,
  type: Html,
  presence: 'required' | 'optional' | 'as you like',
  nullable = false,
): Html {
  const mark =
    presence === 'required'
      ? html`<span class="mark required">required</span> `
      : presence === 'optional'
        ? html`<span class="mark">optional</span> `
        : null;
  const orNull = nullable ? html`<span class="mark">or null</span>` : null;
  return html`<code class="key">${key}</code> <span class="type">${type}</span> ${mark}${orNull}`;
}

function alternatives(options: readonly PublishedSchema[], schemas: Schemas, seen: readonly string[]): Html {
  return html`<div class="any">one of${options.map((option) => {
    const { target, name } = resolved(option, schemas);
    const title = html`${typeOf(option, schemas)}${
      target.description === undefined ? null : html`<div class="said">${inline(target.description)}</div>`
    }`;
    if (target.properties === undefined || (name !== undefined && seen.includes(name)))
      return html`<div>${title}</div>`;
    return html`<div>${title}<details><summary>Fields${name === undefined ? '' : ` of ${name}`}</summary><div class="inner">${schemaTree(option, schemas, seen)}</div></details></div>`;
  })}</div>`;
}

interface Inner {
  readonly schema: PublishedSchema;
  readonly target: PublishedSchema;
  readonly name: string | undefined;
  readonly description: string | undefined;
}

/** Unwraps `or null` and lists. */
function innerOf(field: PublishedSchema, schemas: Schemas): Inner {
  const present = field.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const only = field.anyOf !== undefined && present.length === 1 ? (present[0] as PublishedSchema) : field;
  const { target, name } = resolved(only, schemas);
  const content = contentOf(target);
  if (content !== undefined) {
    const item = innerOf(content, schemas);
    return { ...item, description: target.description ?? item.description };
  }
  return { schema: only, target, name, description: target.description };
}

/** The items of a list, or the content of a string in a format, such as the JSON of a message. */
const contentOf = ({ items, contentSchema }: PublishedSchema): PublishedSchema | undefined => items ?? contentSchema;

const unfolds = ({ target }: Inner): boolean =>
  target.properties !== undefined || (target.oneOf ?? target.anyOf) !== undefined;

function resolved(schema: PublishedSchema, schemas: Schemas): { target: PublishedSchema; name: string | undefined } {
  if (schema.$ref === undefined) return { target: schema, name: undefined };
  const name = nameOfRef(schema.$ref);
  return { target: withBase(schemas[name] ?? {}, schemas), name };
}

const mayBeNull = ({ type, anyOf }: PublishedSchema): boolean =>
  (Array.isArray(type) && type.includes('null')) || (anyOf?.some((one) => one.type === 'null') ?? false);

/** A short type; a name links to its schema. */
export function typeOf(schema: PublishedSchema, schemas: Schemas): Html {
  if (schema.$ref !== undefined) {
    const name = nameOfRef(schema.$ref);
    return html`<a href="/docs/schemas/${name}">${name}</a>`;
  }
  if (schema.anyOf !== undefined) {
    const options = schema.anyOf.filter(({ type }) => type !== 'null').map((option) => typeOf(option, schemas));
    return html`${options.map((option, n) => (n === 0 ? option : html` or ${option}`))}`;
  }
  if (schema.contentSchema?.$ref !== undefined) return html`JSON of ${typeOf(schema.contentSchema, schemas)}`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  const type = [schema.type ?? 'any'].flat().filter((one) => one !== 'null');
  if (schema.items !== undefined) return html`list of ${typeOf(schema.items, schemas)}`;
  return html`${schema.format ?? type.join(' or ')}`;
}

/** Enumerated values and bounds. */
export function limits(inner: Inner | PublishedSchema): Html {
  const schema = 'target' in inner ? inner.target : inner;
  const bounds: string[] = [];
  const { minimum, maximum, minLength, maxLength, minItems, default: standard } = schema;
  const end = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (minimum !== undefined && end !== undefined) bounds.push(`${minimum} to ${end}`);
  else if (minimum !== undefined) bounds.push(`at least ${minimum}`);
  if (minLength !== undefined && maxLength !== undefined) bounds.push(`${minLength} to ${maxLength} characters`);
  else if (maxLength !== undefined) bounds.push(`at most ${maxLength} characters`);
  if (minItems !== undefined && minItems > 0) bounds.push(`at least ${minItems}`);
  if (standard !== undefined) bounds.push(`default ${String(standard)}`);
  const words = schema.enum ?? schema['x-extensible-enum'] ?? schema.items?.enum;
  if (words === undefined && bounds.length === 0) return html``;
  return html`<div class="limits">${(words ?? []).map((word) => html`<code>${String(word)}</code> `)}${bounds.join(', ')}</div>`;
}
