/** `sandbox dashboard`: shows a running sandbox in the terminal; `up --dashboard` opens it on its own. [cli] */

import { spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { followForeground, isForeground } from '../../base/foreground.ts';
import { hasGlyphs, terminalDepth, terminalGround, wantedDepth } from '../../base/text/colour-depth.ts';
import { CLI } from '../../base/text/command-form.ts';
import { isSameName } from '../../base/text/same-name.ts';
import { closest } from '../../contract/sentences.ts';
import type { Dashboard, DashboardOptions } from '../../dashboard/dashboard.tsx';
import type { SandboxAccess } from '../../dashboard/pass.ts';
import type { JobControl } from '../../dashboard/terminal/terminal.ts';
import type { MapMode, TerminalColours, ThemeName } from '../../dashboard/terminal/theme.ts';
import { withInk } from '../../dashboard/terminal/with-ink.ts';
import type { ViewedClient } from '../../dashboard/view.ts';
import { EXIT, outFrame, outLine, talk, usage } from '../output.ts';
import { type FoundSandbox, findRunning } from '../running.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { runUntilSignal } from '../signals.ts';
import { readerLeft } from '../streams.ts';

const HELP = `
Shows where the workers are, how many are safe, who is missing and why, which alerts are open, and how your
webhook receivers replied. It reads GET /v1/sandbox/stream, and reconnects after a restart of the sandbox.
Without a terminal, or with --plain, it prints one line for each change.

Keys:
  ?        lists all keys; the keys of the control room request a confirmation
  n        goes to an emergency of another site; a red badge shows how many there are
  T        shows ground truth on the map: the real positions, marked by a badge
  Ctrl-Z   suspends the dashboard

Examples:
  ${CLI} dashboard
  ${CLI} dashboard --theme light --operator "Shift lead"
  ${CLI} dashboard --as naval_ria_brava         shows only what this client may see, without ground truth
  ${CLI} dashboard --once                       prints one frame on stdout
  ${CLI} dashboard --record run.cast            play it with: asciinema play run.cast
  ${CLI} dashboard --plain | grep muster
  ${CLI} dashboard --screen-reader              text sentences for a screen reader; the same keys work

With NO_COLOR, bold and reverse replace the colours. If the font has no braille characters, use --map block or
--ascii. The mouse selects panes and rows, and the wheel moves and zooms the map; --no-mouse turns this off.`;

const THEMES: readonly ThemeName[] = ['dark', 'light', 'contrast', 'colour-blind', 'mono'];
/** Default name of the operator. */
const OPERATOR = 'Control room';
const MAPS: readonly MapMode[] = ['braille', 'block', 'ascii'];

interface DashboardFlags {
  readonly theme?: ThemeName;
  readonly map?: MapMode;
  readonly ascii?: boolean;
  readonly operator: string;
  readonly as?: string;
  readonly record?: string;
  readonly mouse?: boolean;
  readonly plain?: boolean;
  readonly once?: boolean;
  readonly screenReader?: boolean;
  readonly json?: boolean;
  readonly dataDir: string;
}

export function defineDashboard(program: Command, ended: (code: number) => void): void {
  program
    .command('dashboard')
    .description('show the running sandbox in the terminal: map, muster, alerts, webhooks')
    .addOption(new Option('--theme <name>', 'colours of the dashboard').choices(THEMES))
    .addOption(new Option('--map <how>', 'characters that draw the map').choices(MAPS))
    .option('--ascii', 'use only ASCII characters')
    .addOption(new Option('--operator <name>', 'name that is stored as the actor of your actions').default(OPERATOR))
    .option('--as <client>', 'show only what this client may see; write its id or its organization')
    .option('--record <file>', 'record the terminal to this file, in the format of asciinema')
    .option('--no-mouse', 'do not use the mouse, so that you can select text in the terminal')
    .option('--plain', 'print one line per change instead of the screen, also on a terminal')
    .addOption(
      new Option('--screen-reader', 'print a sentence for each change instead of the screen').env(
        'SANDBOX_SCREEN_READER',
      ),
    )
    .option('--once', 'print one frame and exit')
    .option('--json', 'print one JSON object per line; with --once, one JSON object')
    .addOption(sandboxFlag('dataDir', 'dashboard'))
    .addHelpText('after', HELP)
    .action(async (flags: DashboardFlags) => {
      ended(await dashboard(flags));
    });
}

async function dashboard(flags: DashboardFlags): Promise<number> {
  const find = (): SandboxAccess => accessOf(findRunning(flags.dataDir), flags.as);
  const as = clientNamed(findRunning(flags.dataDir), flags.as);
  if (flags.json === true) {
    if (flags.record !== undefined) throw usage('--record writes a picture, and --json draws none.');
    const { jsonLines, jsonOnce } = await import('./json.ts');
    return flags.once === true ? await jsonOnce(find()) : await jsonLines(find);
  }
  if (flags.once === true) return await once(find(), { ...flags, client: as });
  if (flags.screenReader === true && flags.plain !== true) {
    if (flags.record !== undefined) throw usage('--record writes a picture, and --screen-reader draws none.');
    return await watch(find, { ...flags, client: as });
  }
  if (flags.plain === true || !isTerminal()) {
    if (flags.record !== undefined) throw usage('--record needs a terminal: it writes what one shows.');
    return await plain(find);
  }
  return await watch(find, { ...flags, client: as });
}

/** Whether the terminal is interactive. A job in the background would be stopped when it sets raw mode. */
export const isTerminal = (): boolean =>
  process.stdin.isTTY === true && process.stdout.isTTY === true && process.env['TERM'] !== 'dumb' && isForeground();

/** Runs until the viewer quits or a signal arrives. Always restores the terminal. */
async function watch(find: () => SandboxAccess, flags: DashboardLook): Promise<number> {
  const running = runUntilSignal();
  const opened = await open(find, flags);
  try {
    const why = await Promise.race([running.ended, opened.quit, readerLeft]);
    return why === 'ctrl-c' || why === 'SIGINT' ? EXIT.interrupted : EXIT.done;
  } finally {
    opened.close();
    running.done();
  }
}

type DashboardLook = Pick<DashboardFlags, 'theme' | 'map' | 'ascii' | 'record' | 'mouse' | 'screenReader'> & {
  readonly operator?: string;
  readonly client?: ViewedClient | null;
  /** True if an uncaught exception ends the process. Default: true. */
  readonly crashes?: boolean;
};

/** Opens the dashboard on the terminal of this process. */
export async function open(find: () => SandboxAccess, flags: DashboardLook): Promise<Dashboard> {
  if (flags.screenReader === true) {
    const { openReader } = await import('../../dashboard/reader/reader.ts');
    const { listenForKeys } = await import('../../dashboard/terminal/keypress.ts');
    return openReader({
      find,
      operator: flags.operator ?? OPERATOR,
      as: flags.client ?? null,
      browse,
      sink: { write: (text) => void process.stdout.write(text) },
      keys: process.stdin.isTTY === true ? (onKey) => listenForKeys(process.stdin, onKey) : null,
      ...jobControl(),
    });
  }
  const { openDashboard } = await withInk(() => import('../../dashboard/dashboard.tsx'));
  const record = flags.record === undefined ? null : recordTo(flags.record);
  const options: DashboardOptions = {
    find,
    terminal: { stdin: process.stdin, stdout: process.stdout },
    ...lookOf(flags),
    operator: flags.operator ?? OPERATOR,
    as: flags.client ?? null,
    browse,
    mouse: flags.mouse !== false,
    ...jobControl(),
    ...(record === null ? {} : { record }),
  };
  const opened = openDashboard(options);
  const close = (): void => {
    opened.close();
    record?.end();
    process.off('exit', close);
    process.off('uncaughtException', crash);
    process.off('unhandledRejection', crash);
  };
  // Restores the terminal first, so that a crash message is readable.
  const crash = (error: unknown): void => {
    close();
    talk(`error  This is a mistake in sandbox itself: ${error instanceof Error ? error.stack : String(error)}`);
    process.exit(EXIT.bug);
  };
  process.on('exit', close);
  if (flags.crashes !== false) {
    process.on('uncaughtException', crash);
    process.on('unhandledRejection', crash);
  }
  return { quit: opened.quit, close };
}

/** Suspends and continues the process. Windows has no job control. */
function jobControl(): { jobs?: JobControl } {
  if (process.platform === 'win32') return {};
  const jobs: JobControl = {
    // Signals the whole process group, as the terminal would do, so that `npx` and its shell stop too.
    stop: () => void process.kill(0, 'SIGTSTP'),
    // `bg` continues the process too, but the terminal still belongs to the shell.
    onContinue: (listener) => {
      let isFirst = true;
      return followForeground((isInFront) => {
        if (isInFront && !isFirst) listener();
        isFirst = false;
      });
    },
    isForeground,
  };
  return { jobs };
}

/** Opens the address in a browser. Returns false if no browser can be opened. */
function browse(url: string): boolean {
  // The address comes from a file of the data folder, and a desktop may start another program for other schemes.
  if (!/^https?:\/\//.test(url)) return false;
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  if (command === 'xdg-open' && !DISPLAY && !WAYLAND_DISPLAY) return false;
  const child = spawn(command as string, args, { detached: true, stdio: 'ignore' });
  // An error is ignored, because the address was already printed.
  child.on('error', () => {});
  child.unref();
  return true;
}

interface Look {
  readonly theme: ThemeName;
  readonly ascii: boolean;
  readonly map?: MapMode;
  readonly colours: TerminalColours;
}

/** A theme that the user names has colours even with NO_COLOR and in a pipe: those that the terminal has. */
function lookOf(flags: DashboardLook): Look {
  const wanted = wantedDepth(process.env, process.stdout.isTTY === true);
  const isLight = terminalGround(process.env) === 'light';
  const map = flags.map === undefined ? {} : { map: flags.map };
  return {
    theme: flags.theme ?? (wanted === 1 ? 'mono' : isLight ? 'light' : 'dark'),
    colours: { depth: wanted === 1 ? terminalDepth(process.env) : wanted, isLight },
    ascii: flags.ascii === true || !hasGlyphs(process.env),
    ...map,
  };
}

function recordTo(file: string): { write(text: string): void; end(): void } {
  let descriptor: number | null;
  try {
    descriptor = openSync(file, 'w');
  } catch (error) {
    throw usage(
      `The recording ${file} cannot be written: ${(error as Error).message}.`,
      'Name a file in a writable folder.',
    );
  }
  const end = (): void => {
    if (descriptor !== null) closeSync(descriptor);
    descriptor = null;
  };
  return {
    write: (text) => {
      if (descriptor === null) return;
      try {
        writeSync(descriptor, text);
      } catch {
        // A full disk ends the recording, not the dashboard.
        end();
      }
    },
    end,
  };
}

/** Prints one fact per line, until a signal arrives. */
async function plain(find: () => SandboxAccess): Promise<number> {
  const [{ openStream }, { changeLines, snapshotLines }, { afterChange, afterSnapshot, EMPTY_STATE }] =
    await Promise.all([
      import('../../dashboard/stream.ts'),
      import('../../dashboard/reader/plain.ts'),
      import('../../watching/state/state.ts'),
    ]);
  const running = runUntilSignal();
  let world = EMPTY_STATE;
  let isBroken = false;
  const stream = openStream(find, {
    snapshot: (snapshot) => {
      world = afterSnapshot(world, snapshot, 0);
      for (const line of snapshotLines(snapshot)) outLine(line);
    },
    change: (change) => {
      const next = afterChange(world, change, 0);
      for (const line of changeLines(world, next, change)) outLine(line);
      world = next;
    },
    connection: (connection) => {
      if (connection.is === 'broken' && !isBroken) talk(`${connection.why} Trying again.`);
      if (connection.is === 'open' && isBroken) talk('The sandbox is back.');
      isBroken = connection.is === 'broken';
    },
  });
  const why = await Promise.race([running.ended, readerLeft]);
  stream.close();
  running.done();
  return why === 'SIGINT' ? EXIT.interrupted : EXIT.done;
}

/** Prints one frame with the size of the terminal, or with 120 x 40. */
async function once(access: SandboxAccess, flags: DashboardLook): Promise<number> {
  const [{ snapshotOf }, { frameText }, { theme }, { firstView }, { afterSnapshot, EMPTY_STATE }] = await Promise.all([
    import('../../dashboard/stream.ts'),
    withInk(() => import('../../dashboard/components/frame.tsx')),
    import('../../dashboard/terminal/theme.ts'),
    import('../../dashboard/view.ts'),
    import('../../watching/state/state.ts'),
  ]);
  const look = lookOf(flags);
  const world = afterSnapshot(EMPTY_STATE, await snapshotOf(access), 0);
  const { columns = 120, rows = 40 } = process.stdout;
  const operator = flags.operator ?? OPERATOR;
  const view = firstView({ theme: look.theme, ascii: look.ascii, operator, as: flags.client ?? null });
  const colours = theme(look.theme, { ...look, ...look.colours });
  const size = { columns, rows: process.stdout.isTTY === true ? rows - 1 : rows };
  const lines = frameText({ world, view, connection: { is: 'open' }, at: 0 }, size, colours);
  outFrame(lines.join('\n'));
  return EXIT.done;
}

// `--as`: the client whose view the dashboard shows, by its id or its organization's name. [cli]

/** Returns null if no name is given. An unknown name is a usage error with a suggestion. */
function clientNamed(
  { ready }: FoundSandbox,
  name: string | undefined,
): (ViewedClient & { readonly secret: string }) | null {
  if (name === undefined) return null;
  const known = ready?.clients ?? [];
  if (known.length === 0)
    throw usage(
      '--as needs the clients of the sandbox from its data folder, but only its address is known.',
      'Name the folder with --data-dir, without SANDBOX_URL.',
    );
  const same = (word: string): boolean => isSameName(word.toLowerCase(), name.toLowerCase());
  const found = known.find(({ client_id, organization }) => same(client_id) || same(organization));
  if (found === undefined) {
    // The first word of a name is sufficient for a suggestion.
    const words = new Map(
      known.flatMap(({ client_id, organization }) => [
        [client_id, client_id],
        [organization, organization],
        [organization.split(' ')[0] ?? '', client_id],
      ]),
    );
    const meant = words.get(closest(name, [...words.keys()]) ?? '');
    throw usage(
      `"${name}" is no client of this sandbox.${meant === undefined ? '' : ` Did you mean "${meant}"?`}`,
      `Its clients: ${known.map(({ client_id, organization }) => `${client_id} (${organization})`).join(', ')}.`,
    );
  }
  const { client_id, organization, scopes, client_secret } = found;
  return { clientId: client_id, organization, scopes, secret: client_secret };
}

/** Address and credentials. They are determined at each attempt, since a restarted sandbox may have new secrets. */
function accessOf(found: FoundSandbox, as: string | undefined): SandboxAccess {
  const client = clientNamed(found, as);
  return client === null ? found : { ...found, client: { clientId: client.clientId, clientSecret: client.secret } };
}
