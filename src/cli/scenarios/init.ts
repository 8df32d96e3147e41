/** `sandbox init`: writes a first scenario and the schema for editors. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { shellWord } from '../../base/text/printable.ts';
import { editorSchema } from '../../scenario/language/derive/editor-schema.ts';
import { CommandError, EXIT, envelope, out } from '../output.ts';
import { SCENARIOS_FOLDER } from './find-scenarios.ts';

export const SCHEMA_FILE = 'scenario.schema.json';
const FIRST_FILE = 'first.scenario.yaml';
const FIRST_RULES_FILE = 'first.explore.yaml';

/** It is short, because users will change every line. */
export const FIRST_SCENARIO = `# yaml-language-server: $schema=./${SCHEMA_FILE}
scenario: Somebody presses SOS and the control room answers
tags: [smoke]
seed: 1

workers: [ana]                            # in the hall of the built-in plant; a plant of your own has site:
receivers:
  erp: {events: alert.*}                  # built in; give it your own with --receiver erp=http://127.0.0.1:3000/hook

steps:
  - sos: ana
    as: sos
  - expect: {delivery: erp, event: alert.created, about: $sos, result: delivered}
    within: 5s
  - acknowledge: $sos
    after: 30s
  - expect: {watch: ana, shows: alert, status: acknowledged}
    within: 2s
  - resolve: {alert: $sos, reason: Worker attended}
    after: 5m
  - expect: {delivery: erp, event: alert.resolved, about: $sos, result: delivered}
    within: 5s
`;

/** Rules that fit systems of different design: those that use only webhooks, only polling, or both. */
export const FIRST_RULES = `explore: The alert inbox of our control room
system:
  start: node inbox.mjs              # run by the shell in this file's folder
  ready: /health                     # answers 2xx when ready; default: ready when the port is open
  reset: /reset                      # deletes all state before each scenario; default: a restart
  wake: {post: /poll, every: 10s}    # replaces the polling timer of the system
  secret_to: /secret                 # gets {receiver, secret} after a rotation
  patience: 2s
receivers:
  inbox: {url: /hook, events: [alert.*]}
probes:
  open_alerts: {get: /open-alerts, path: "alerts[*].id"}
  pages: {get: /pages, path: "pages[*].alert_id"}
rules:
  # Each critical alert is acknowledged or resolved, by this system or in the panel.
  - every: {event: alert.*, object: {severity: critical, status: unacknowledged}}
    as: e
    followed_by: {alert: $e.object, status: not unacknowledged}
    within: 90s
  # The inbox shows exactly the open alerts.
  - always: {probe: open_alerts, same_as: {alerts: open}}
    within: 30s
  # Nobody is paged twice for one alert.
  - always: {probe: pages, distinct: true}
  # The system answers each delivery with 2xx in time.
  - never: {delivery: inbox, reached: true, result: "one of waiting, lost"}
  # The system obeys Retry-After. A client that ignores it gets hundreds of refusals.
  - every: {request: any, status: 429}
    count: 0..50
`;

const HELP = `
Writes ${FIRST_FILE} and ${SCHEMA_FILE} into the folder. It does not overwrite your files; only the schema is
updated. --explore also writes ${FIRST_RULES_FILE}: rules for your own system, for "${CLI} explore". Edit
it to describe how your system starts and what its probes return.

Examples:
  ${CLI} init
  ${CLI} init test/scenarios
  ${CLI} init --explore`;

export function defineInit(program: Command, ended: (code: number) => void): void {
  program
    .command('init [folder]')
    .description('write a first scenario to start from')
    .option('--explore', 'also write a first explore file with rules')
    .option('--json', 'print the names of the files as one JSON object')
    .addHelpText('after', HELP)
    .action((folder: string = SCENARIOS_FOLDER, { json, explore }: { json?: boolean; explore?: boolean }) => {
      const [scenario, schema] = [join(folder, FIRST_FILE), join(folder, SCHEMA_FILE)];
      const rules = explore === true ? join(folder, FIRST_RULES_FILE) : null;
      // With --explore, the first scenario may already exist.
      const isNew = !existsSync(scenario);
      if (rules === null && !isNew) throw taken(scenario, 'run');
      if (rules !== null && existsSync(rules)) throw taken(rules, 'explore');
      mkdirSync(folder, { recursive: true });
      writeFileSync(schema, `${JSON.stringify(editorSchema(), null, 2)}\n`);
      if (isNew) writeFileSync(scenario, FIRST_SCENARIO);
      if (rules !== null) writeFileSync(rules, FIRST_RULES);
      const files = [...(isNew ? [scenario] : []), ...(rules === null ? [] : [rules]), schema];
      if (json === true) out(JSON.stringify(envelope('init', { files })));
      else out(`Wrote ${files.slice(0, -1).join(', ')} and ${files.at(-1)}.\n\n${nextOf(scenario, rules)}`);
      ended(EXIT.done);
    });
}

const nextOf = (scenario: string, rules: string | null): string =>
  rules === null
    ? `Play it:\n  ${CLI} run ${shellWord(scenario)}`
    : `Write in ${rules} how your system starts and what its probes answer, then search:\n  ${CLI} explore ${shellWord(rules)}`;

const taken = (file: string, verb: string): CommandError =>
  new CommandError(EXIT.usage, 'file_exists', `${file} is there already.`, {
    actions: [`Use it with ${CLI} ${verb} ${shellWord(file)}, or name another folder.`],
  });
