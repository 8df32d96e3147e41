/** `sandbox init`: writes a first scenario and the schema for editors. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { editorSchema } from '../../scenario/language/derive/editor-schema.ts';
import { CommandError, EXIT, envelope, out } from '../output.ts';
import { SCENARIOS_FOLDER } from './find-scenarios.ts';

export const SCHEMA_FILE = 'scenario.schema.json';
const FIRST_FILE = 'first.scenario.yaml';

/** Kept short: every line is one that users will change. */
export const FIRST_SCENARIO = `# yaml-language-server: $schema=./${SCHEMA_FILE}
scenario: Somebody presses SOS and the control room answers
tags: [smoke]
seed: 1

site:
  name: My plant
  origin: [43.3610, -8.4120]              # latitude, longitude of 0,0; all else is in metres east, north
  zones:
    Hall:   {type: work_area, box: [0, 0, 80, 60]}
    Gate A: {type: assembly_point, box: [-40, 0, -20, 20], serves: [general]}
workers:
  ana: {in: Hall}
receivers:
  erp: {events: [alert.*]}                # built in; give it your own with --receiver erp=http://127.0.0.1:3000/hook

steps:
  - sos: {who: ana}
    as: sos
  - expect: {delivery: erp, event: alert.created, about: $sos, result: delivered}
    within: 5s
  - acknowledge: {alert: $sos, by: Control desk 1}
    after: 30s
  - expect: {watch: ana, shows: alert, status: acknowledged}
    within: 2s
  - resolve: {alert: $sos, by: Control desk 1, reason: Worker attended}
    after: 5m
  - expect: {delivery: erp, event: alert.resolved, about: $sos, result: delivered}
    within: 5s
`;

const HELP = `
Writes ${FIRST_FILE} and ${SCHEMA_FILE} into the folder; nothing that is there is overwritten, but the schema is renewed.

Examples:
  ${CLI} init
  ${CLI} init test/scenarios`;

export function defineInit(program: Command, ended: (code: number) => void): void {
  program
    .command('init [folder]')
    .description('write a first scenario')
    .option('--json', 'what was written as one JSON object')
    .addHelpText('after', HELP)
    .action((folder: string = SCENARIOS_FOLDER, { json }: { json?: boolean }) => {
      const [scenario, schema] = [join(folder, FIRST_FILE), join(folder, SCHEMA_FILE)];
      if (existsSync(scenario))
        throw new CommandError(EXIT.usage, 'file_exists', `${scenario} is there already.`, {
          actions: [`Play it with ${CLI} run ${scenario}, or name another folder.`],
        });
      mkdirSync(folder, { recursive: true });
      writeFileSync(schema, `${JSON.stringify(editorSchema(), null, 2)}\n`);
      writeFileSync(scenario, FIRST_SCENARIO);
      if (json === true) out(JSON.stringify(envelope('init', { files: [scenario, schema] })));
      else out(`Wrote ${scenario} and ${schema}.\n\nPlay it:\n  ${CLI} run ${scenario}`);
      ended(EXIT.done);
    });
}
