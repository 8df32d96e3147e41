/** The contents of the reference page, with the words by which its search finds each entry. */
import { type Html, html, Html as RawHtml } from '../../../base/text/html.ts';
import { EVENT_TYPES } from '../../../contract/enumerations.ts';
import { EVENT_CAUSES } from '../../../contract/events.ts';
import { PROBLEM_CODES, PROBLEMS, problemSlug } from '../../../contract/problems.ts';
import { nameOfRef, type OpenApi, type PublishedSchema } from '../openapi/document.ts';
import type { DocumentedOperation } from './operation.ts';

interface TagGroup {
  readonly name: string;
  readonly members: readonly DocumentedOperation[];
}

interface ContentsEntry {
  readonly to: string;
  readonly text: Html;
  readonly find: string;
  /** If false, the entry is shown only if a search finds it. */
  readonly listed: boolean;
}

/** Operations by their path, then the events. Schemas and problems are shown only in a search. */
export function tableOfContents(groups: readonly TagGroup[], { components }: OpenApi): Html {
  const { schemas } = components;
  const plain = (to: string, text: string, find: string): ContentsEntry => ({
    to,
    text: html`${text}`,
    find: `${text} ${find}`,
    listed: true,
  });
  return html`<input class="find" type="search" placeholder="Search (press /)" aria-label="Search the reference" autocomplete="off" hidden><p class="none dim" hidden>Nothing has all of these words.</p>${[
    list(null, [plain('#first-steps', 'First steps', 'token curl'), plain('#errors', 'Errors', 'problem status')]),
    ...groups.map(({ name, members }) =>
      list(
        name,
        members.map((member) => operationEntry(member, schemas)),
      ),
    ),
    list('Event payloads', [
      plain('#event-payloads', 'Delivery and headers', 'webhook signature X-Service-Signature X-Service-Timestamp'),
      ...EVENT_TYPES.map((type) => ({
        to: `#event-${type}`,
        text: html`<span class="path">${type}</span>`,
        find: `${type} ${EVENT_CAUSES[type]}`,
        listed: true,
      })),
    ]),
    list('Reference', [plain('#problems', 'Problems', ''), plain('#schemas', 'Schemas', '')]),
    list(
      'Schemas',
      Object.entries(schemas).map(([name, schema]) => ({
        to: `#schema-${name}`,
        text: html`<span class="path">${name}</span>`,
        find: `${name} ${fieldsOf(schema, schemas).join(' ')} ${(schema.enum ?? []).join(' ')}`,
        listed: false,
      })),
    ),
    list(
      'Problems',
      PROBLEM_CODES.map((code) => ({
        to: `/problems/${problemSlug(code)}`,
        text: html`<span class="path">${PROBLEMS[code].status} ${code}</span>`,
        find: `${PROBLEMS[code].status} ${code}`,
        listed: false,
      })),
    ),
  ]}`;
}

function list(title: string | null, entries: readonly ContentsEntry[]): Html {
  const isListed = entries.some(({ listed }) => listed);
  return html`<div class="links"${new RawHtml(isListed ? '' : ' hidden')}>${title === null ? null : html`<b>${title}</b>`}${entries.map(
    ({ to, text, find, listed }) =>
      html`<a href="${to}" data-find="${find.toLowerCase()}"${new RawHtml(listed ? ' data-listed' : ' hidden')}>${text}</a>`,
  )}</div>`;
}

function operationEntry(
  { method, path, operation }: DocumentedOperation,
  schemas: Readonly<Record<string, PublishedSchema>>,
): ContentsEntry {
  const { operationId, summary, parameters = [], requestBody } = operation;
  const [body] = Object.values(requestBody?.content ?? {});
  const fields = [...parameters.map(({ name }) => name), ...(body === undefined ? [] : fieldsOf(body.schema, schemas))];
  return {
    to: `#${operationId}`,
    // A path may break after a slash.
    text: html`<span class="method ${method}">${method.toUpperCase()}</span><span class="path">${path
      .split('/')
      .map((part, n) => (n === 0 ? html`${part}` : html`/<wbr>${part}`))}</span>`,
    find: `${method} ${path} ${operationId} ${summary} ${fields.join(' ')}`,
    listed: true,
  };
}

function fieldsOf(schema: PublishedSchema, schemas: Readonly<Record<string, PublishedSchema>>): string[] {
  const target = schema.$ref === undefined ? schema : (schemas[nameOfRef(schema.$ref)] ?? {});
  return Object.keys(target.properties ?? {});
}
