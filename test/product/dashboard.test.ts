/** The dashboard as its user meets it: on a terminal of its own, beside a real sandbox; and the terminal is as before, however it ends. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MOUSE_ON } from '../../src/dashboard/terminal/mouse.ts';
import { Glass } from '../dashboard/glass.ts';
import { unlessMachine, withoutPrograms } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { runHere, StartedHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';
import { COMMAND, RunningSandbox } from './sandbox-process.ts';

/** `script` gives a child a terminal. */
const withoutTerminal =
  unlessMachine(process.platform === 'linux', '`script` of util-linux', 'run on Linux') ?? withoutPrograms('script');

const folder = ownFolder();
let sandbox: SandboxHere;
beforeAll(async () => {
  sandbox = await SandboxHere.up(['--data-dir', folder.path, '--seed', '7', '--watches', '30']);
});
afterAll(async () => {
  await sandbox.stop();
  folder.remove();
});

const act = (body: object) => sandbox.call('POST', '/v1/sandbox/actions', sandbox.ready.control_token, body);

/** A command on a terminal of 120 x 40; all that the terminal got. */
class OnTerminal {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  text = '';
  #waiting: { fits: RegExp; done: () => void }[] = [];

  constructor(args: readonly string[], env: Record<string, string> = {}) {
    const command = ['stty cols 120 rows 40; exec', process.execPath, ...COMMAND, ...args].join(' ');
    this.child = spawn('script', ['-qec', command, '/dev/null'], {
      env: { ...process.env, TERM: 'xterm-256color', NO_COLOR: '', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.ended = new Promise((done) => this.child.once('close', (code) => done(code)));
    // A character may come in two pieces.
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.text += text;
      for (const waiting of this.#waiting) if (waiting.fits.test(this.text)) waiting.done();
    });
  }

  shows(fits: RegExp): Promise<void> {
    if (fits.test(this.text)) return Promise.resolve();
    return new Promise((done) => this.#waiting.push({ fits, done }));
  }

  press(keys: string): void {
    this.child.stdin?.write(keys);
  }

  /** The process on the terminal, not `script`. */
  get pid(): number {
    return Number(
      spawnSync('pgrep', ['-P', String(this.child.pid)], { encoding: 'utf8' })
        .stdout.trim()
        .split('\n')[0],
    );
  }
}

/** Alternate screen left, cursor and wrapping back, and nothing drawn after it. */
const RESTORED = /\x1b\[0m\x1b\[\?7h\x1b\[\?25h\x1b\[\?1049l(?![\s\S]*\x1b\[\d+;\d+H)/;

/** What stands on the normal screen in the end. */
async function leftBehind({ text }: OnTerminal): Promise<string> {
  const glass = new Glass();
  await glass.write(text);
  expect([glass.isAlternate, glass.wraps]).toEqual([false, true]);
  return glass.text.trim();
}

unless(withoutTerminal).describe('on a terminal', () => {
  const args = ['dashboard', '--data-dir', folder.path];

  unless(withoutWhole).test('it shows the plant, and q leaves the terminal as it was', async () => {
    const terminal = new OnTerminal(args);
    await terminal.shows(/Terminal Puerto Alerce/);
    expect(terminal.text).toContain('\x1b[?1049h');
    terminal.press('q');
    expect(await terminal.ended).toBe(0);
    expect(terminal.text).toMatch(RESTORED);
    expect(await leftBehind(terminal)).toBe('');
  });

  test('Ctrl-C ends it with 130', async () => {
    const one = new OnTerminal(args);
    await one.shows(/Terminal Puerto Alerce/);
    one.press('\x03');
    expect(await one.ended).toBe(130);
    expect(one.text).toContain(MOUSE_ON);
    expect(one.text).toMatch(RESTORED);
    expect(await leftBehind(one)).toBe('');
  });

  test('SIGTERM ends it with 0, and with --no-mouse the terminal keeps the mouse', async () => {
    const other = new OnTerminal([...args, '--no-mouse']);
    await other.shows(/Terminal Puerto Alerce/);
    process.kill(other.pid, 'SIGTERM');
    expect(await other.ended).toBe(0);
    expect(other.text).not.toContain(MOUSE_ON);
    expect(other.text).toMatch(RESTORED);
    expect(await leftBehind(other)).toBe('');
  });

  unless(withoutWhole).test('a crash restores it too, and what it says stands after the picture', async () => {
    const torn = encodeURIComponent("process.on('SIGUSR2', () => { throw new Error('torn'); })");
    const terminal = new OnTerminal(args, { NODE_OPTIONS: `--import=data:text/javascript,${torn}` });
    await terminal.shows(/Terminal Puerto Alerce/);
    process.kill(terminal.pid, 'SIGUSR2');
    expect(await terminal.ended).toBe(5);
    expect(terminal.text).toMatch(RESTORED);
    expect(terminal.text).toMatch(/1049l[\s\S]*a mistake in sandbox itself: Error: torn/);
    expect(await leftBehind(terminal)).toMatch(/^error {2}This is a mistake in sandbox itself: Error: torn/);
  });

  unless(withoutWhole).test('a muster that it starts is one, and is recorded as it was seen', async () => {
    const file = join(folder.path, 'run.cast');
    const terminal = new OnTerminal([...args, '--record', file, '--operator', 'Vidal']);
    await terminal.shows(/Terminal Puerto Alerce 3\/3/);
    terminal.press('m');
    await terminal.shows(/Start a muster/);
    terminal.press('t');
    await terminal.shows(/EVACUATING/);
    const musters = await sandbox.call('GET', '/v1/musters', await sandbox.token());
    expect(musters.body.data).toMatchObject([{ kind: 'tsunami', status: 'active' }]);
    terminal.press('e');
    await terminal.shows(/End the muster/);
    terminal.press('x');
    await terminal.shows(/was cancelled/);
    terminal.press('q');
    await terminal.ended;
    const lines = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ version: 2, width: 120, height: 40 });
    const seen = lines
      .slice(1)
      .map(([, , text]) => text)
      .join('');
    expect(seen).toMatch(/EVACUATING/);
    expect(terminal.text.replaceAll('\r\n', '\n')).toContain(seen);
  });

  unless(withoutWhole).test('a sandbox that dies is said to have, and one that comes back is seen again', async () => {
    const own = ownFolder();
    const mortal = await RunningSandbox.up(['--data-dir', own.path, '--seed', '7', '--watches', '6']);
    const terminal = new OnTerminal(['dashboard', '--data-dir', own.path]);
    await terminal.shows(/Terminal Puerto Alerce/);
    await mortal.stop('SIGKILL');
    await terminal.shows(/NO CONNECTION/);
    const again = await RunningSandbox.up(['--data-dir', own.path, '--seed', '7', '--watches', '6']);
    const before = terminal.text.length;
    await terminal.shows(new RegExp(`^[\\s\\S]{${before}}[\\s\\S]*\\? `));
    terminal.press('q');
    expect(await terminal.ended).toBe(0);
    expect(terminal.text).toMatch(RESTORED);
    await again.stop();
    own.remove();
  });

  test('up --dashboard boots and watches; q stops both', async () => {
    const own = ownFolder();
    const terminal = new OnTerminal([
      'up',
      '--dashboard',
      '--memory',
      '--port',
      '0',
      '--mqtt-port',
      '0',
      '--watches',
      '6',
      '--data-dir',
      own.path,
    ]);
    await terminal.shows(/\? [\s\S]*help/);
    terminal.press('q');
    expect(await terminal.ended).toBe(0);
    expect(terminal.text).toMatch(/is ready[\s\S]*1049h[\s\S]*1049l[\s\S]*stopping/);
    own.remove();
  });
});

describe('without a terminal', () => {
  test('--once is one picture as text', async () => {
    const { code, stdout } = await runHere(['dashboard', '--once', '--data-dir', folder.path]);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect([lines.length, Math.max(...lines.map((line) => [...line].length))]).toEqual([40, 120]);
    // The site of the worker whom the startup banner names.
    expect(lines[0]).toContain('Terminal Puerto Alerce');
    expect(stdout).not.toContain('\x1b');
  });

  test('--once --ascii is the same in ASCII', async () => {
    const { code, stdout } = await runHere(['dashboard', '--once', '--ascii', '--data-dir', folder.path]);
    expect([code, stdout.replace(/[^\n\x20-\x7e]/g, '')]).toEqual([0, stdout]);
    expect(stdout).toContain('Terminal Puerto Alerce');
  });

  test('--as shows what a client is shown, and a wrong name what it may have meant', async () => {
    const naval = sandbox.ready.clients[1]!;
    const { code, stdout } = await runHere([
      'dashboard',
      '--once',
      '--as',
      naval.organization,
      '--data-dir',
      folder.path,
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain(`[AS ${naval.organization}]`);
    expect(stdout).not.toContain('Terminal Puerto Alerce');
    const wrong = await runHere(['dashboard', '--once', '--as', 'naval_ria_bravo', '--data-dir', folder.path]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('Did you mean "naval_ria_brava"?')]);
  });

  test('it tells one fact a line until it is ended', async () => {
    const dashboard = await StartedHere.start(['dashboard', '--data-dir', folder.path]);
    await dashboard.prints(/begin {4}Terminal Puerto Alerce/);
    expect((await act({ action: 'sos', who: 'W-001' })).status).toBe(200);
    await dashboard.prints(/alert {4}Critical, SOS by button, [^,]+, W-001/);
    expect(await dashboard.end('SIGTERM')).toBe(0);
    expect(dashboard.stdout).not.toContain('\x1b');
  });

  test('--screen-reader says sentences, and nothing but text', async () => {
    const dashboard = await StartedHere.start(['dashboard', '--data-dir', folder.path], {
      env: { SANDBOX_SCREEN_READER: '1' },
    });
    await dashboard.prints(/Terminal Puerto Alerce: no muster is under way\. \d+ people\./);
    expect((await act({ action: 'sos', who: 'W-002' })).status).toBe(200);
    await dashboard.prints(/Critical, SOS[ a-z]*, [^,]+, W-002/);
    expect(await dashboard.end('SIGTERM')).toBe(0);
    expect(dashboard.stdout).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
  });

  test('up --dashboard --json is refused, as both write on stdout', async () => {
    const { code, stdout } = await runHere(['up', '--dashboard', '--json']);
    expect([code, JSON.parse(stdout).error.message]).toEqual([2, expect.stringContaining('Leave out one of the two')]);
  });

  test('a recording without a terminal is refused, as there is nothing to record', async () => {
    const { code, stderr } = await runHere(['dashboard', '--record', 'run.cast', '--data-dir', folder.path]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--record needs a terminal')]);
  });
});
