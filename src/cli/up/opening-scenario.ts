/** `sandbox up --scenario FILE`: plays a scenario in the started sandbox and prints its steps on stderr. [cli, up] */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { Sandbox } from '../../sandbox/start.ts';
import { loadScenario } from '../../scenario/reading/load.ts';
import { plainWriter } from '../../scenario/reporting/plain-writer.ts';
import { isRejection } from '../../service/domain/changes.ts';
import { CommandError, colourOf, EXIT, presentable, talk, talkLine, usage } from '../output.ts';
import { shippedScenario } from '../scenarios/find-scenarios.ts';
import { printCommands, refuseSettingsCommands } from '../shell-commands.ts';
import { write } from '../streams.ts';
import { readText } from './options.ts';

/** The path of a scenario: a file, or a scenario of the package by its name. */
const pathOf = (word: string): string => (existsSync(word) ? word : shippedScenario(word));

/**
 * Validates the file before the sandbox starts, and prints its commands. Throws if the settings file names the scenario
 * and its commands were not allowed.
 */
export function soundScenario(word: string, command: Command): void {
  const file = pathOf(word);
  readText(file, 'scenario');
  const loaded = loadScenario(file);
  refuseSettingsCommands(command, 'scenario', () => loaded.commands);
  if (loaded.ok) return printCommands(loaded.commands);
  throw new CommandError(EXIT.usage, 'invalid_file', `The scenario has mistakes:\n\n${loaded.text}`, {
    details: loaded.mistakes,
  });
}

/** Plays in the first company; the sandbox keeps running afterwards. */
export function playScenario(sandbox: Sandbox, word: string): void {
  const file = pathOf(word);
  const [client] = sandbox.engine.world.all('client');
  const name = basename(file).replace(/\.scenario\.yaml$/, '');
  const sink = plainWriter((text) => write(process.stderr, presentable(text)), colourOf(process.stderr));
  const started = client === undefined ? null : sandbox.runs.start(name, file, client, { viewer: null, sink });
  if (started === null) throw usage('There is no company in which the scenario could play.');
  if (isRejection(started)) throw usage(started.detail);
  for (const warning of started.run.state.warnings) talkLine(`warning  ${warning}`);
  void started.over.then(() => {
    const { status, failures } = started.run.state;
    if (status === 'cancelled') return;
    for (const { text } of failures.filter(({ line }) => line === 1)) talk(text);
    talk(`the scenario ${status === 'error' ? 'was stopped' : status}; the sandbox goes on`);
  });
}
