/** `sandbox version`: the version of the package, as `--version` prints it. [cli] */
import type { Command } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { VERSION } from '../../sandbox/version.ts';
import { EXIT, envelope, out } from '../output.ts';

const HELP = `
Examples:
  ${CLI} version
  ${CLI} version --json | jq -r .data.version`;

export function defineVersion(program: Command, ended: (code: number) => void): void {
  program
    .command('version')
    .description('print the version')
    .option('--json', 'print the result as one JSON object')
    .addHelpText('after', HELP)
    .action(({ json }: { json?: boolean }) => {
      out(json === true ? JSON.stringify(envelope('version', { version: VERSION })) : VERSION);
      ended(EXIT.done);
    });
}
