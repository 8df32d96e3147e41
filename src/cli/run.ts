/** `sandbox run`: plays scenarios and exits with their verdict. [scenario-language, Command line] */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { randomSecret } from '../base/ids.ts';
import { readYaml } from '../plant/yaml-source.ts';
import { bootStage } from '../sandbox/boot.ts';
import { VERSION } from '../sandbox/version.ts';
import { shownCase, type Values } from '../scenario/bindings.ts';
import { loadStory } from '../scenario/load.ts';
import { plainWriter } from '../scenario/plain-writer.ts';
import type { Witness } from '../scenario/report/witness.ts';
import { runsData } from '../scenario/run-data.ts';
import { type RunResult, runFile } from '../scenario/run-file.ts';
import type { RunMode } from '../scenario/story.ts';
import { CommandError, EXIT, notYet, usage } from './exit.ts';
import { colourOf, envelope, out, talk } from './output.ts';
import { RunReports } from './run-reports.ts';
import { runUntilSignal } from './signals.ts';

const HELP = `
Plays each story against a sandbox of its own, with real MQTT, HTTP and webhooks on loopback, and checks what it expects.
  fast     lock-step: time jumps to the next thing that is due (default)
  scaled   simulated time runs --speed times as fast as the wall clock
  real     by the wall clock
Progress goes to stderr; with --json the last line of stdout is one JSON object.

Examples:
  sandbox run scenarios/fall-to-sos.scenario.yaml
  sandbox run scenarios/fall-to-sos.scenario.yaml --mode real
  sandbox run scenarios --out report                            one folder each, with an HTML report
  sandbox run scenarios --report junit --out report
  sandbox run scenarios/fall-to-sos.scenario.yaml --verify     play it twice and compare the logs

Exit codes: 0 passed, 1 an expectation failed, 2 an invalid file, 3 environment or stuck, 4 not deterministic, 5 our bug, 130 interrupted.`;

interface RunFlags {
  readonly mode: RunMode;
  readonly speed?: number;
  readonly seed?: string;
  readonly out?: string | undefined;
  readonly until?: number;
  readonly set: readonly string[];
  readonly case: readonly string[];
  readonly verify?: boolean;
  readonly json?: boolean;
  readonly report?: string;
}

const LATER = ['seeds', 'receiver', 'keep', 'failFast', 'jobs', 'timeout', 'watch', 'shuffleTies'];

const above0 = (text: string): number => {
  const number = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || number <= 0) throw new InvalidArgumentError('It must be a number above 0.');
  return number;
};
const lineNumber = (text: string): number => {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It must be the number of a line.');
  return Number(text);
};

const collect = (text: string, before: readonly string[]): string[] => {
  if (!/^[A-Za-z][\w-]*=/.test(text)) throw new InvalidArgumentError('Write NAME=VALUE.');
  return [...before, text];
};

export function defineRun(program: Command, ended: (code: number) => void): void {
  const command = program
    .command('run <files...>')
    .description('play scenarios and check what they expect')
    .addOption(
      new Option('--mode <mode>', 'how time passes')
        .choices(['fast', 'scaled', 'real'])
        .default('fast')
        .env('SANDBOX_MODE'),
    )
    .addOption(new Option('--speed <n>', 'simulated seconds per second, with --mode scaled').argParser(above0))
    .option('--seed <n>', 'wins over that of the file; "random" draws one')
    .option('--out <folder>', 'write run.jsonl, the canonical log, and the reports')
    .option('--report <kinds>', 'some of html, junit, json, md, github; all but github with --out')
    .addOption(new Option('--until <line>', 'leave out the steps behind this line').argParser(lineNumber))
    .option('--set <name=value>', 'a value for a parameter of the file; repeatable', collect, [])
    .option('--case <name=value>', 'only the runs of a matrix with this value; repeatable', collect, [])
    .option('--verify', 'play twice and compare the logs')
    .option('--json', 'the verdicts as one JSON object')
    .addHelpText('after', HELP);
  for (const flag of [
    '--seeds <range>',
    '--receiver <name=url>',
    '--keep',
    '--fail-fast',
    '--jobs <n>',
    '--timeout <duration>',
    '--watch',
    '--shuffle-ties',
  ])
    command.addOption(new Option(flag, 'not yet'));
  command.action(async (files: string[], flags: RunFlags) => {
    ended(await run(files, flags));
  });
}

async function run(asked: readonly string[], flags: RunFlags): Promise<number> {
  const later = LATER.find((flag) => flag in flags);
  if (later !== undefined) throw notYet(`--${later.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  if (flags.speed !== undefined && flags.mode !== 'scaled') throw usage('--speed is for --mode scaled.');
  const reports = new RunReports(flags.report, flags.out);
  const files = asked.flatMap(filesOf);
  const running = runUntilSignal();
  const interrupt = new AbortController();
  void running.ended.then(() => interrupt.abort());
  const results: RunResult[] = [];
  let unequal = false;
  const set = valuesOf(flags.set);
  const runs = files.flatMap((file, index) =>
    casesOf(file, set, flags.case).map((values) => ({ file, values, name: nameOf(file, index) })),
  );
  for (const { file, values, name } of runs) {
    if (interrupt.signal.aborted) break;
    const folder = values === null ? name : `${name} ${shownCase(values).replace(/[^\w=,.-]+/g, '_')}`;
    const own = runs.length === 1 ? '' : folder;
    const out = reports.out === null ? undefined : join(reports.out, own);
    const witness = reports.witness();
    const result = await play(file, { ...flags, out }, { set, values }, interrupt.signal, witness);
    reports.add(result, witness, own);
    results.push(result);
    if (flags.verify === true && result.exitCode <= EXIT.failed) {
      const { out: _out, ...again } = { ...flags, seed: result.seed };
      const second = await play(file, again, { set, values }, interrupt.signal);
      if (second.logSha256 !== result.logSha256) {
        unequal = true;
        talk(`NOT DETERMINISTIC  ${file}  ${result.logSha256} and then ${second.logSha256}`);
      }
    }
  }
  reports.write();
  running.done();
  const code = unequal ? EXIT.nondeterministic : worst(results);
  const trouble = results.find(({ error }) => error !== null)?.error;
  if (flags.json === true) {
    const line = envelope('run', runsData(results));
    const error =
      trouble == null
        ? null
        : {
            code: trouble.code,
            message: trouble.message,
            retryable: code === EXIT.environment,
            details: null,
            actions: [trouble.cure],
          };
    out(JSON.stringify(error === null ? line : { ...line, status: 'error', error }));
  }
  return code;
}

async function play(
  file: string,
  flags: RunFlags,
  filledIn: { readonly set: Values; readonly values: Values | null },
  signal: AbortSignal,
  witness?: Witness,
): Promise<RunResult> {
  const write = plainWriter((text) => void process.stderr.write(text), colourOf(process.stderr));
  const seed =
    flags.seed === 'random'
      ? String(Number.parseInt(randomSecret(16).replace(/\D/g, '').slice(0, 9) || '1', 10))
      : flags.seed;
  const { mode, speed, until, out } = flags;
  const result = await runFile(file, {
    mode,
    speed,
    seed,
    out,
    until,
    ...filledIn,
    boot: bootStage,
    sink: write,
    signal,
    witness,
    version: VERSION,
  });
  if (result.mistakes !== null) talk(result.mistakes);
  else if (result.error !== null) talk(`error  ${result.error.message}\n       ${result.error.cure}`);
  return result;
}

/** What `--set` says, as YAML would read it: `3`, `30s`, `[a, b]`. */
function valuesOf(told: readonly string[]): Values {
  return Object.fromEntries(
    told.map((one) => {
      const [name = '', ...rest] = one.split('=');
      return [name, (readYaml(`it: ${rest.join('=')}`, '--set').value as { it?: unknown })?.it];
    }),
  ) as Values;
}

/** The runs that a file stands for and `--case` asks for; null for a file that is one run. */
function casesOf(file: string, set: Values, wanted: readonly string[]): (Values | null)[] {
  const loaded = loadStory(file, { set });
  // Its mistakes are told by the run.
  if (!loaded.ok) return [null];
  if (loaded.cases.length === 0) {
    if (wanted.length > 0) throw usage(`${file} is one run: it has no matrix and no cases for --case.`);
    return [null];
  }
  const kept = loaded.cases.filter((values) => {
    const told = Object.entries(values).map(([name, value]) => shownCase({ [name]: value }));
    return wanted.every((one) => told.includes(one));
  });
  if (kept.length > 0) return kept;
  const known = loaded.cases.map(shownCase).slice(0, 10).join('; ');
  throw usage(`${file} has no run with ${wanted.join(' and ')}. It has ${known}.`);
}

/** A folder stands for its stories. */
function filesOf(path: string): string[] {
  if (path.startsWith('tag:')) throw notYet('tag:');
  try {
    if (!statSync(path).isDirectory()) return [path];
  } catch {
    throw new CommandError(EXIT.usage, 'no_such_file', `There is no file ${path}.`);
  }
  const stories = readdirSync(path)
    .filter((name) => name.endsWith('.scenario.yaml'))
    .sort();
  if (stories.length === 0) throw usage(`The folder ${path} has no *.scenario.yaml.`);
  return stories.map((name) => join(path, name));
}

const nameOf = (file: string, index: number): string =>
  (file.split('/').at(-1) ?? String(index)).replace(/\.scenario\.yaml$/, '');

const worst = (results: readonly RunResult[]): number =>
  Math.max(EXIT.done, ...results.map(({ exitCode }) => exitCode));
