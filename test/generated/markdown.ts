/** Markdown of generated pages: titles, tables, and what a schema says in a few words. */

import type { SchemaNode } from '../../src/contract/schema.ts';
import { plainWords } from '../../src/service/api/openapi/schemas.ts';

/** Below the title of a page that is generated as a whole. */
export const NOTE = '<!-- Generated: node --import tsx test/generated/write.ts renews it. -->';

export const page = (title: string, ...parts: readonly string[]): string =>
  `# ${title}\n\n${NOTE}\n\n${parts.join('\n\n')}\n`;

const cell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replace(/\s*\n\s*/g, ' ')
    .trim();

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** What a value may be, in a few words. */
export function typeOf(node: SchemaNode): string {
  const { anyOf, enum: words, const: only, items, type } = node;
  if (only !== undefined) return `\`${only}\``;
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(', ');
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' or ');
  if (items !== undefined)
    return `list of ${typeOf(items).replace(/^(string|number|whole number|boolean|object)$/, '$1s')}`;
  return type === 'integer' ? 'whole number' : (type ?? 'any');
}

export const wordsOf = (node: SchemaNode): string =>
  [plainWords(node.description) ?? '', node.default === undefined ? '' : `Default \`${node.default}\`.`]
    .filter((part) => part !== '')
    .join(' ');
