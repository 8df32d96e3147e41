/** The dashboard in tmux, as many people meet it: looked at, resized, asked for the truth, listened to, and left. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { cellsOf } from '../../src/dashboard/terminal/cells.ts';
import { withoutPrograms } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { SandboxHere } from './sandbox-here.ts';
import { BIN } from './sandbox-process.ts';

const PROMPT = 'the shell again';

let panes = 0;

/** A shell in tmux that runs one command of ours, and then says so. */
class Pane {
  readonly #watcher: ChildProcess;
  /** A server of its own: one that ends must not take the next one's sessions with it. */
  readonly #socket = ['-L', `muster-${process.pid}-${++panes}`, '-f', '/dev/null'];
  #onOutput: () => void = () => {};

  constructor(
    args: readonly string[],
    { columns = 120, rows = 40, env = {} as Record<string, string>, shell = false } = {},
  ) {
    const set = Object.entries({ NO_COLOR: '', ...env }).map(([name, value]) => `${name}=${value}`);
    const command = `env ${set.join(' ')} ${process.execPath} ${BIN} ${args.join(' ')}; echo "${PROMPT} $?"; exec cat`;
    // A shell with job control, which is what Ctrl-Z and fg need.
    const started = shell ? `env PS1='$ ' NO_COLOR= bash --norc --noprofile -i` : command;
    this.#tmux('new-session', '-d', '-s', 'desk', '-x', String(columns), '-y', String(rows), started);
    // In control mode tmux tells whenever something was written.
    this.#watcher = spawn('tmux', [...this.#socket, '-C', 'attach', '-t', 'desk', '-r'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#watcher.stdout?.on('data', () => this.#onOutput());
    this.resize(columns, rows);
  }

  #tmux(...args: string[]): string {
    return execFileSync('tmux', [...this.#socket, ...args], { encoding: 'utf8' });
  }

  get screen(): string {
    return this.#tmux('capture-pane', '-p', '-t', 'desk');
  }

  /** Whether the program in it gets the clicks. */
  get hasMouse(): boolean {
    return this.#tmux('display-message', '-p', '-t', 'desk', '#{mouse_any_flag}').trim() === '1';
  }

  get coloured(): string {
    return this.#tmux('capture-pane', '-p', '-e', '-t', 'desk');
  }

  /** Resolves with the screen that fits. */
  async shows(fits: RegExp): Promise<string> {
    for (;;) {
      const { screen } = this;
      if (fits.test(screen)) return screen;
      await new Promise<void>((done) => {
        this.#onOutput = done;
      });
    }
  }

  press(...keys: string[]): void {
    this.#tmux('send-keys', '-t', 'desk', ...keys);
  }

  resize(columns: number, rows: number): void {
    this.#tmux('resize-window', '-t', 'desk', '-x', String(columns), '-y', String(rows));
  }

  end(): void {
    this.#watcher.kill();
    this.#tmux('kill-server');
  }
}

// Only what a shell with job control does with it: test/dashboard/terminal.test.ts and dashboard.test.ts have the rest.
unless(withoutPrograms('tmux')).describe('in tmux', () => {
  const folder = ownFolder();
  let sandbox: SandboxHere;
  let pane: Pane;
  const open = (args: readonly string[] = [], options = {}): Pane => {
    pane = new Pane(['dashboard', '--data-dir', folder.path, ...args], options);
    return pane;
  };
  beforeAll(async () => {
    sandbox = await SandboxHere.up(['--data-dir', folder.path, '--seed', '7', '--watches', '30']);
  });
  afterEach(() => pane.end());
  afterAll(async () => {
    await sandbox.stop();
    folder.remove();
  });

  unless(withoutWhole).test('a muster by its keys, through all sizes and back to the shell', async () => {
    open();
    await pane.shows(/Terminal Puerto Alerce/);
    pane.press('m');
    await pane.shows(/Start a muster/);
    pane.press('t');
    await pane.shows(/EVACUATING/);
    for (const [columns, rows, fits] of [
      [80, 24, /Missing \d+[\s\S]*\[4 Alerts \d+\]/],
      [70, 20, /Missing \d+[\s\S]*\[4 Alerts \d+\]/],
      [60, 12, /0\/\d+ safe, too small: 60x16 needed\s*$/],
      [120, 40, /1 Map[\s\S]*2 Assembly points[\s\S]*5 Webhooks/],
    ] as const) {
      pane.resize(columns, rows);
      const screen = await pane.shows(fits);
      for (const line of screen.split('\n')) expect(cellsOf(line)).toBeLessThanOrEqual(columns);
    }
    pane.press('e');
    await pane.shows(/End the muster/);
    pane.press('x');
    await pane.shows(/was cancelled/);
    pane.press('q');
    expect((await pane.shows(new RegExp(PROMPT))).trim()).toBe(`${PROMPT} 0`);
  });

  unless(withoutWhole).test('T shows the truth of a site that is veiled, and T again hides it', async () => {
    open();
    await pane.shows(/Terminal Puerto Alerce/);
    pane.press('s', 's');
    await pane.shows(/0 located {3}\d+ veiled/);
    expect(pane.screen).not.toContain('✚');
    pane.press('T');
    await pane.shows(/TRUTH \d+ unseen[\s\S]*✚/);
    expect(pane.screen.split('\n')[0]).toContain(' TRUTH ');
    pane.press('T');
    await pane.shows(/^(?![\s\S]*TRUTH)(?![\s\S]*✚)[\s\S]*veiled/);
  });

  unless(withoutWhole).test('through the eyes of a client there is no truth', async () => {
    open(['--as', 'naval_ria_brava']);
    await pane.shows(/Astillero[\s\S]*AS Naval/);
    pane.press('T');
    expect(await pane.shows(/No client may see ground truth/)).not.toContain('Terminal Puerto Alerce');
  });

  test('Ctrl-Z suspends it as any program of the shell, and fg brings it back', async () => {
    pane = new Pane([], { shell: true });
    await pane.shows(/^\$/m);
    pane.press(`${process.execPath} ${BIN} dashboard --data-dir ${folder.path}`, 'Enter');
    await pane.shows(/Alerce[\s\S]*1 Map/);
    pane.press('C-z');
    // The shell has its own screen and its echo again.
    await pane.shows(/Stopped/);
    pane.press('echo "$((6 * 7)) is typed"', 'Enter');
    expect(await pane.shows(/42 is typed/)).not.toContain('1 Map');
    pane.press('fg', 'Enter');
    await pane.shows(/Alerce[\s\S]*1 Map[\s\S]*q quit/);
    pane.press('?');
    await pane.shows(/suspend; fg comes back/);
    pane.press('?', 'q');
    expect(await pane.shows(/42 is typed[\s\S]*\$\s*$/)).not.toContain('1 Map');
  });

  unless(withoutWhole).test('--no-mouse leaves the mouse to the terminal', async () => {
    open();
    await pane.shows(/Terminal Puerto Alerce/);
    expect(pane.hasMouse).toBe(true);
    pane.end();
    open(['--no-mouse']);
    await pane.shows(/Terminal Puerto Alerce/);
    expect(pane.hasMouse).toBe(false);
  });

  unless(withoutWhole).test('without colours and in ASCII it says the same', async () => {
    open(['--ascii'], { env: { NO_COLOR: '1' } });
    const screen = await pane.shows(/Terminal Puerto Alerce/);
    expect(screen.replace(/[^\n\x20-\x7e]/g, '')).toBe(screen);
    // Bold and reverse remain; a foreground or background colour does not.
    expect(pane.coloured).not.toMatch(/\x1b\[(?:[0-9]+;)*(?:[349]|10)[0-7](?:;[0-9]+)*m/);
  });

  unless(
    withoutWhole,
  ).test('for a screen reader the questions have numbers, and the answers are sentences', async () => {
    open(['--screen-reader']);
    await pane.shows(/no muster is under way[\s\S]*Press \? for the keys/);
    pane.press('m');
    await pane.shows(/2: tsunami\./);
    pane.press('4');
    await pane.shows(/Nothing was done\./);
    pane.press('?');
    await pane.shows(/Shift T: ground truth on the map/);
    pane.press('C-c');
    await pane.shows(new RegExp(`${PROMPT} 130`));
  });
});
