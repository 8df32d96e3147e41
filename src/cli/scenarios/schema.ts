/** `sandbox schema`: the JSON Schema of scenario files, for editors. [scenario-language, Messages] */
import type { Command } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { editorSchema } from '../../scenario/language/derive/editor-schema.ts';
import { EXIT, envelope, out } from '../output.ts';

const HELP = `
Editors with the YAML language server use the schema to complete, check and explain scenario files. Write this
as the first line of a scenario:
  # yaml-language-server: $schema=./scenario.schema.json

Examples:
  ${CLI} schema > scenarios/scenario.schema.json
  ${CLI} init                    writes a first scenario and the schema`;

export function defineSchema(program: Command, ended: (code: number) => void): void {
  program
    .command('schema')
    .description('print the JSON Schema of scenario files')
    .option('--json', 'print the schema in a JSON object with its status')
    .addHelpText('after', HELP)
    .action(({ json }: { json?: boolean }) => {
      const schema = editorSchema();
      out(json === true ? JSON.stringify(envelope('schema', schema)) : JSON.stringify(schema, null, 2));
      ended(EXIT.done);
    });
}
