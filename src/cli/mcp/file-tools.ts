/** Tools about scenarios and receivers: explain a word, validate, write and run a scenario, and certify a receiver. [cli, mcp] */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { Type } from 'typebox';
import { CLI } from '../../base/text/command-form.ts';
import { inline, Seed, text } from '../../contract/shapes.ts';
import { loadScenario } from '../../scenario/reading/load.ts';
import { FIRST_SCENARIO } from '../scenarios/init.ts';
import { commandLine, commandsOfScenario } from '../shell-commands.ts';
import { runCommandFor } from './command-run.ts';
import { ToolRefusal } from './refusal.ts';
import { type McpTool, pick, type ToolAnswer, type ToolContext, tool } from './tool.ts';

/** Maximum number of failures, and of checks of certify, in one answer. */
const MOST_ROWS = 20;

/** Maximum characters of a scenario. */
const MOST_TEXT = 200_000;

const File = text(4_096, 1);

/** Returns a path inside the folder of the server. Files outside of it are neither read nor written. */
function pathIn(folder: string, file: string): string {
  const path = resolve(folder, file);
  const inside = relative(folder, path);
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside))
    throw new ToolRefusal(`${file} is outside of ${folder}. Name a file below it.`);
  return path;
}

/** A scenario whose file starts commands is refused, unless the server was started with --allow-commands. */
function mayStart(file: string, { folder, allowsCommands }: ToolContext): void {
  if (allowsCommands) return;
  const commands = /[\\/]|\.ya?ml$/.test(file) ? commandsOfScenario(pathIn(folder, file)) : [];
  if (commands.length > 0)
    throw new ToolRefusal(
      `The file starts commands on this machine, which needs ${CLI} mcp --allow-commands. Ask the user to read the commands and to restart the server with this flag.`,
      commands.map(commandLine),
    );
}

const mistakesOf = (file: string, written: string): readonly string[] => {
  const loaded = loadScenario(file, { read: (path) => (path === file ? written : undefined) });
  return loaded.ok ? [] : loaded.mistakes.map(({ line, column, message }) => `${line}:${column} ${message}`);
};

export const FILE_TOOLS: readonly McpTool[] = [
  tool({
    name: 'explain_word',
    title: 'Explain a word',
    description:
      'What a word of the scenario language or of the API means, with an example: a step, a check, a key, an alert or event type, a status, a scope, a problem code. Without a word, all of them.',
    readsOnly: true,
    input: inline({ word: Type.Optional(text(200, 1)) }),
    run: async ({ word }, { folder, signal }) => {
      const { data, error } = await runCommandFor(['explain', ...(word === undefined ? [] : [word])], folder, signal);
      if (error !== null) throw new ToolRefusal(error.message, error.actions);
      return data;
    },
  }),
  tool({
    name: 'example_scenario',
    title: 'A first scenario',
    description: 'A short scenario that passes, with a worker, a receiver, steps and checks. Use it as a template.',
    readsOnly: true,
    input: inline({}),
    run: () => ({ yaml: FIRST_SCENARIO, next: 'Change it, validate_scenario its text, then write_scenario it.' }),
  }),
  tool({
    name: 'validate_scenario',
    title: 'Find the mistakes of a scenario',
    description:
      'All mistakes of a scenario file, or of a text that is not written yet, each with line, column and what to do.',
    readsOnly: true,
    input: inline({ file: Type.Optional(File), yaml: Type.Optional(text(MOST_TEXT, 1)) }),
    run: async ({ file, yaml }, { folder, signal }): Promise<ToolAnswer> => {
      if ((file === undefined) === (yaml === undefined)) throw new ToolRefusal('Give either file or yaml.');
      if (yaml !== undefined) return outcomeOf(mistakesOf('new.scenario.yaml', yaml), 'write_scenario keeps it.');
      const path = pathIn(folder, file as string);
      const { data, error } = await runCommandFor(['validate', path], folder, signal);
      if (error !== null && error.details === null) throw new ToolRefusal(error.message, error.actions);
      return {
        ...data,
        ...(error === null
          ? { valid: true, next: 'run_scenario plays it.' }
          : { valid: false, mistakes: error.details }),
      };
    },
  }),
  tool({
    name: 'write_scenario',
    title: 'Write a scenario file',
    description:
      'Writes a valid scenario to a file below the folder of the server. A scenario with mistakes is refused with a list of them.',
    readsOnly: false,
    input: inline({
      file: Type.String({ pattern: '\\.scenario\\.yaml$', maxLength: 4_096 }),
      yaml: text(MOST_TEXT, 1),
      overwrite: Type.Optional(Type.Boolean()),
    }),
    run: ({ file, yaml, overwrite = false }, { folder }) => {
      const path = pathIn(folder, file);
      const mistakes = mistakesOf(file, yaml);
      if (mistakes.length > 0) throw new ToolRefusal('It has mistakes, and was not written.', mistakes);
      mkdirSync(dirname(path), { recursive: true });
      try {
        writeFileSync(path, yaml.endsWith('\n') ? yaml : `${yaml}\n`, { flag: overwrite ? 'w' : 'wx' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        throw new ToolRefusal(`${file} already exists. Use another name, or write overwrite: true.`);
      }
      return { file, next: 'run_scenario plays it.' };
    },
  }),
  tool({
    name: 'run_scenario',
    title: 'Run a scenario',
    description:
      'Plays a scenario and its checks in a new sandbox, in fast time: a file, or a bundled scenario by its name, such as fall-to-sos. Returns the result and each failure with the expected value and the nearest candidate.',
    readsOnly: false,
    input: inline({ file: File, seed: Type.Optional(Type.Union([Seed, Type.Literal('random')])) }),
    run: async ({ file, seed }, context) => {
      mayStart(file, context);
      const { folder, signal } = context;
      const words = ['run', file, ...(seed === undefined ? [] : ['--seed', seed])];
      const { data, error, code } = await runCommandFor(words, folder, signal);
      const runs = (data['runs'] ?? []) as Record<string, unknown>[];
      if (runs.length === 0)
        throw new ToolRefusal(error?.message ?? `run ended with ${code}`, error?.details ?? error?.actions);
      return {
        runs: runs.slice(0, MOST_ROWS).map((run) => ({
          scenario: run['scenario'],
          verdict: run['verdict'],
          seed: run['seed'],
          expectations: run['expectations'],
          failures: ((run['failures'] ?? []) as unknown[]).slice(0, MOST_ROWS),
          error: run['error'] ?? null,
        })),
        next:
          code === 0 ? 'It passed.' : 'Change the file or the system; explain_word describes what a check evaluates.',
      };
    },
  }),
  tool({
    name: 'certify_receiver',
    title: 'Certify a webhook receiver',
    description:
      'Tests a receiver on this machine against the contract, with signed deliveries of every kind. Your receiver verifies them with the given secret. Without a probe, the processing of events is not tested.',
    readsOnly: false,
    input: inline({
      url: text(2_048, 1),
      secret: text(200, 1),
      probe: Type.Optional(text(2_048, 1)),
      only: Type.Optional(text(200, 1)),
      start_command: Type.Optional(text(4_096, 1)),
    }),
    run: async ({ url, secret, probe, only, start_command: start }, { folder, signal, allowsCommands }) => {
      if (start !== undefined && !allowsCommands)
        throw new ToolRefusal(
          `start_command needs ${CLI} mcp --allow-commands. Without it, start the receiver yourself.`,
        );
      const words = [
        ...['certify', url, '--secret', secret],
        ...(probe === undefined ? [] : ['--probe', probe]),
        ...(only === undefined ? [] : ['--only', only]),
        ...(start === undefined ? [] : ['--start-command', start]),
      ];
      const { data, error } = await runCommandFor(words, folder, signal);
      const checks = (data['checks'] ?? []) as Record<string, unknown>[];
      if (checks.length === 0) throw new ToolRefusal(error?.message ?? 'Nothing was judged.', error?.actions);
      const judged = (one: Record<string, unknown>) => pick(one, ['number', 'title', 'came_back', 'cure', 'clause']);
      const of = (result: string) => checks.filter((one) => one['result'] === result);
      return {
        passed: of('passed').length,
        failed: of('failed').slice(0, MOST_ROWS).map(judged),
        advice: of('advice').slice(0, MOST_ROWS).map(judged),
        not_judged: of('not_judged').length,
        ...(error === null ? {} : { note: error.message }),
        next:
          of('failed').length === 0
            ? 'All checks that could be judged passed.'
            : 'Fix the cause of the first failed check; only: "N" runs that check alone.',
      };
    },
  }),
];

const outcomeOf = (mistakes: readonly string[], next: string): ToolAnswer =>
  mistakes.length === 0 ? { valid: true, next } : { valid: false, mistakes };
