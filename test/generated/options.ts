/** What is generated from the table of options: the type that the package publishes, and its table in docs/testing.md. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { LIBRARY_OPTIONS } from '../../src/library/options.ts';
import { exampleInCode, type OptionRow } from '../../src/sandbox/options/kinds.ts';
import { ROWS } from '../../src/sandbox/options/table.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const HEAD = `/** The options of a sandbox as a type. Generated from src/sandbox/options/table.ts: node --import tsx test/generated/write.ts */
import type { Notice } from './contract-types.ts';
import type { Credentials } from './credentials.ts';

/** What a sandbox can be started with; absent entries are as in \`sandbox up\`. */
export interface SandboxOptions {
`;

/** src/library/option-types.ts */
export function libraryOptionTypes(): string {
  const members = LIBRARY_OPTIONS.map(
    (name) => `  /** ${docOf(ROWS[name])} */\n  ${name}?: ${typeOf(ROWS[name])} | undefined;\n`,
  );
  return `${HEAD}${members.join('')}}\n`;
}

/** docs/testing.md: written by hand but for its table. */
export function testingPage(): string {
  const page = readFileSync(resolve(ROOT, 'docs/testing.md'), 'utf8');
  const rows = LIBRARY_OPTIONS.map((name) => {
    const cells = [`\`${name}\``, docOf(ROWS[name]), `\`{${name}: ${exampleInCode(ROWS[name])}}\``];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  const table = ['| option | what it is | for example |', '|---|---|---|', ...rows].join('\n');
  return page.replace(
    /(renews the table\. -->\n)[\s\S]*?(\n<!-- The end of the table)/,
    (_, begin: string, end: string) => `${begin}\n${table}\n${end}`,
  );
}

/** The comment, with the limits of a number and the default. */
function docOf(row: OptionRow): string {
  const standard = row.defaultInLibrary ?? row.default;
  const known = standard === undefined ? [] : [`Default: ${standard.replace('--tls', '`tls`')}.`];
  return [row.inLibrary ?? '', ...limitsOf(row), ...known].join(' ');
}

function limitsOf(row: OptionRow): string[] {
  if (row.kind !== 'number') return [];
  const { range } = row;
  return [range.isWhole ? `From ${range.least} to ${range.most}.` : `Above ${range.above}, at most ${range.most}.`];
}

function typeOf(row: OptionRow): string {
  switch (row.kind) {
    case 'switch':
      return 'boolean';
    case 'number':
      return 'number';
    case 'text':
      if (row.words !== undefined) return row.words.map((word) => `'${word}'`).join(' | ');
      return row.inCode?.type ?? 'string';
    case 'file':
      return row.inCode?.type ?? 'string';
    case 'entries':
    case 'code':
      return row.inCode.type;
  }
}
