/** `sandbox snapshot save|load|list NAME`: the state of a sandbox, running or not, as a file of its data folder. [cli] */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { SNAPSHOT_NAME } from '../../contract/operations/states.ts';
import { didYouMean } from '../../contract/sentences.ts';
import { loadIntoFolder, saveFromFolder, snapshotsIn } from '../../sandbox/world/states.ts';
import type { ListedSnapshot } from '../../service/api/route.ts';
import { DATABASE_FILE } from '../../service/store/folder/files.ts';
import { colourOf, EXIT, envelope, out, outLine, usage } from '../output.ts';
import { callSandbox, type FoundSandbox, findRunning, noSandbox, readyIn, refusedCall } from '../running.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { tableLines } from '../table.ts';

const HELP = `
A snapshot contains the world, the event log, the deliveries, the clock and the emulated workers. It does not
contain access tokens and the request log. The file is DATA_DIR/snapshots/NAME.ndjson. Only you can read it,
because it contains webhook secrets. Equal states give equal bytes.

A running sandbox saves and loads snapshots without a restart. A load closes the connections, which then
reconnect; addresses and secrets stay the same. If no sandbox is running, the command saves or replaces the
state of the data folder. A snapshot can be loaded only with the same --seed, --watches and --site.

Examples:
  ${CLI} snapshot save before-the-fire
  ${CLI} snapshot load before-the-fire
  ${CLI} snapshot list`;

const WORDS = ['save', 'load', 'list'] as const;
type SnapshotWord = (typeof WORDS)[number];

interface SnapshotFlags {
  readonly json?: boolean;
  readonly dataDir: string;
}

export function defineSnapshot(program: Command, ended: (code: number) => void): void {
  program
    .command('snapshot')
    .argument('<what>', 'save, load or list')
    .argument('[name]', 'name of the snapshot, for save and load')
    .description('save the state of the sandbox to a file, load it, or list the files')
    .option('--json', 'print the result as one JSON object')
    .addOption(sandboxFlag('dataDir', 'snapshot'))
    .addHelpText('after', HELP)
    .action(async (what: string, name: string | undefined, flags: SnapshotFlags) => {
      const word = wordOf(what);
      if (word === 'list') await list(flags);
      else await (word === 'save' ? save : load)(nameOf(word, name), flags);
      ended(EXIT.done);
    });
}

function wordOf(what: string): SnapshotWord {
  const known = WORDS.find((word) => word === what);
  if (known !== undefined) return known;
  throw usage(`snapshot ${what}: there are save, load and list.${didYouMean(what, WORDS)}`);
}

function nameOf(word: SnapshotWord, name: string | undefined): string {
  if (name === undefined) throw usage(`snapshot ${word} needs a name.`, `${CLI} snapshot ${word} before-the-fire`);
  if (!SNAPSHOT_NAME.test(name))
    throw usage(`"${name}" cannot be a snapshot's name: 1 to 64 letters, digits, dots, dashes and underscores.`);
  return name;
}

async function save(name: string, { dataDir, json }: SnapshotFlags): Promise<void> {
  const found = runningOn(dataDir);
  const saved =
    found === null
      ? await saveFromFolder(dataDir, name)
      : ((await callExpecting(found, 'POST', '/v1/sandbox/snapshots', 201, { name })) as ListedSnapshot);
  if (json === true) out(JSON.stringify(envelope('snapshot', saved)));
  else outLine(`saved ${saved.name}: ${saved.file} (${sizeOf(saved)})`);
}

async function load(name: string, { dataDir, json }: SnapshotFlags): Promise<void> {
  const found = runningOn(dataDir);
  const clock =
    found === null
      ? await loadIntoFolder(dataDir, name)
      : ((await callExpecting(found, 'POST', `/v1/sandbox/snapshots/${name}/load`, 200)) as { now: string });
  if (json === true) out(JSON.stringify(envelope('snapshot', { name, running: found !== null, ...clock })));
  else if (found === null) outLine(`loaded ${name} into ${dataDir}; ${CLI} up goes on from it`);
  else outLine(`loaded ${name}; the clock shows ${clock.now}`);
}

async function list({ dataDir, json }: SnapshotFlags): Promise<void> {
  const found = isByAddress() ? findRunning(dataDir) : null;
  const data =
    found === null
      ? snapshotsIn(dataDir)
      : ((await callExpecting(found, 'GET', '/v1/sandbox/snapshots', 200)) as { data: ListedSnapshot[] }).data;
  if (json === true) return out(JSON.stringify(envelope('snapshot', { snapshots: data })));
  if (data.length === 0) return out(`no snapshots; ${CLI} snapshot save NAME makes one`);
  const paint = colourOf(process.stdout);
  const rows = data.map((one) => [one.name, `${one.saved_at.slice(0, 19).replace('T', ' ')} UTC`, sizeOf(one)]);
  const [head = '', ...lines] = tableLines([['name', 'saved', 'size'], ...rows]);
  out(paint('dim', head));
  for (const line of lines) outLine(line);
}

const isByAddress = (): boolean =>
  process.env['SANDBOX_URL'] !== undefined && process.env['SANDBOX_CONTROL_TOKEN'] !== undefined;

/** Returns null if no sandbox is running and the data folder has a world. */
function runningOn(dataDir: string): FoundSandbox | null {
  if (isByAddress() || readyIn(dataDir) !== null) return findRunning(dataDir);
  if (existsSync(join(dataDir, DATABASE_FILE))) return null;
  throw noSandbox(dataDir);
}

async function callExpecting(found: FoundSandbox, method: string, path: string, right: number, body?: object) {
  const { status, body: answer } = await callSandbox(found, method, path, body);
  if (status !== right) throw refusedCall(status, answer);
  return answer;
}

const sizeOf = ({ bytes }: ListedSnapshot): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
