/** The dashboard on a terminal: cells, colours, sizes, and the restored screen however it ends. */
import { EventEmitter } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { StreamSnapshot } from '../../src/contract/stream.ts';
import type { Dashboard } from '../../src/dashboard/dashboard.tsx';
import type { SandboxAccess } from '../../src/dashboard/pass.ts';
import type { ScreenSize } from '../../src/dashboard/terminal/lines.ts';
import type { JobControl } from '../../src/dashboard/terminal/terminal.ts';
import { withInk } from '../../src/dashboard/terminal/with-ink.ts';
import { inputsOf } from '../helpers/whole.ts';
import { Glass } from './glass.ts';
import { event, MUSTERING, NOW, type Undated, WITH_TRUTH } from './harbour.ts';

const { openDashboard } = await withInk(() => import('../../src/dashboard/dashboard.tsx'));

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server of the stream with snapshots and changes of the test. */
class Sandbox {
  readonly requests: string[] = [];
  readonly #server = createServer((request, response) => {
    this.requests.push(request.url as string);
    this.#onRequest();
    this.#streams.push(response);
    const { truth, ...without } = WITH_TRUTH;
    const snapshot: StreamSnapshot =
      request.url?.includes('truth=true') === true ? { ...without, truth: truth! } : this.snapshot;
    response.write(`id: ${this.requests.length}\nevent: snapshot\ndata: ${JSON.stringify(snapshot)}\n\n`);
  });
  readonly #streams: ServerResponse[] = [];
  #onRequest: () => void = () => {};
  snapshot: StreamSnapshot = MUSTERING;

  async open(): Promise<SandboxAccess> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    closers.push(() => this.end());
    return {
      apiUrl: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`,
      controlToken: 'token',
      ca: null,
    };
  }

  /** Resolves at the nth request. */
  async requested(times: number): Promise<void> {
    while (this.requests.length < times)
      await new Promise<void>((done) => {
        this.#onRequest = done;
      });
  }

  tell(change: Undated): void {
    const text = JSON.stringify({ at: NOW, ...change });
    for (const stream of this.#streams) stream.write(`id: 99\nevent: change\ndata: ${text}\n\n`);
  }

  end(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** A keyboard as Node's stdin. */
class Keyboard extends EventEmitter {
  readonly isTTY = true;
  isRaw = false;
  #typed: string | null = null;

  setRawMode(isRaw: boolean): void {
    this.isRaw = isRaw;
  }

  type(text: string): void {
    this.#typed = text;
    this.emit('readable');
  }

  read(): string | null {
    const typed = this.#typed;
    this.#typed = null;
    return typed;
  }

  setEncoding(): void {}
  ref(): void {}
  unref(): void {}
}

/** A terminal's output and size. */
class Display extends EventEmitter {
  readonly isTTY = true;
  columns: number;
  rows: number;
  readonly write: (text: string) => boolean;

  constructor({ columns, rows }: ScreenSize, write: (text: string) => void) {
    super();
    [this.columns, this.rows] = [columns, rows];
    this.write = (text) => {
      write(text);
      return true;
    };
  }
}

/** An open dashboard with keyboard and terminal. */
class OpenedDashboard {
  readonly glass: Glass;
  readonly sandbox = new Sandbox();
  readonly #keyboard = new Keyboard();
  readonly #display: Display;
  #dashboard: Dashboard | null = null;
  #written: () => void = () => {};
  bytes = '';

  constructor(size: ScreenSize = { columns: 120, rows: 40 }) {
    this.glass = new Glass(size.columns, size.rows);
    this.#display = new Display(size, (text) => {
      this.bytes += text;
      void this.glass.write(text).then(() => this.#written());
    });
  }

  get isRaw(): boolean {
    return this.#keyboard.isRaw;
  }

  /** The terminal has no listeners left. */
  get isFree(): boolean {
    return !this.#keyboard.isRaw && this.#keyboard.listenerCount('readable') === 0;
  }

  async openAs(fits: RegExp): Promise<this> {
    return await this.open({}, fits);
  }

  async open(
    look: { theme?: 'dark' | 'mono'; ascii?: boolean; mouse?: boolean; jobs?: JobControl } = {},
    fits = /North Harbour/,
  ): Promise<this> {
    const access = await this.sandbox.open();
    this.#dashboard = openDashboard({
      find: () => access,
      theme: look.theme ?? 'dark',
      ascii: look.ascii ?? false,
      operator: 'Desk',
      ...(look.mouse === undefined ? {} : { mouse: look.mouse }),
      ...(look.jobs === undefined ? {} : { jobs: look.jobs }),
      terminal: {
        stdin: this.#keyboard as unknown as NodeJS.ReadStream,
        stdout: this.#display as unknown as NodeJS.WriteStream,
      },
    });
    closers.push(() => this.#dashboard?.close());
    await this.shows(fits);
    return this;
  }

  get dashboard(): Dashboard {
    return this.#dashboard as Dashboard;
  }

  /** Resolves when it is on the screen. */
  async shows(fits: RegExp): Promise<void> {
    while (!fits.test(this.glass.text))
      await new Promise<void>((done) => {
        this.#written = done;
      });
  }

  press(keys: string): void {
    this.#keyboard.type(keys);
  }

  async resize(columns: number, rows: number, fits: RegExp): Promise<void> {
    Object.assign(this.#display, { columns, rows });
    this.glass.resize(columns, rows);
    // The old screen is cleared.
    await this.glass.write('\x1b[2J\x1b[H');
    await this.glass.write(`${'#'.repeat(columns)}\r\n`.repeat(rows - 1));
    this.#display.emit('resize');
    await this.shows(fits);
  }
}

describe('what is seen', () => {
  test('each status in its colour, on the screen of its own, under a title', async () => {
    const { glass } = await new OpenedDashboard().open();
    expect(glass.isAlternate).toBe(true);
    expect(glass.wraps).toBe(false);
    const safe = glass.find('● 19 safe');
    expect(glass.cell(safe.x, safe.y)).toMatchObject({ character: '●', colour: 2 });
    const help = glass.find('▲)W-020');
    expect(glass.cell(help.x, help.y)).toMatchObject({ character: '▲', colour: 9, isBold: true });
    const phase = glass.find(' EVACUATING ');
    expect(glass.cell(phase.x + 1, phase.y)).toMatchObject({ character: 'E', colour: 0, background: 3 });
    expect(glass.cell(2, 0).isInverse).toBe(true);
    expect(glass.titles).toContain('19/24 safe, North Harbour');
  });

  test('the truth under T, in a colour that nothing else has, and gone again with T', async () => {
    const dashboard = await new OpenedDashboard().open();
    const violet = (): number => dashboard.glass.cells.filter(({ background }) => background === 5).length;
    expect(violet()).toBe(0);
    expect(dashboard.sandbox.requests).toEqual(['/v1/sandbox/stream']);
    dashboard.press('T');
    await dashboard.shows(/1 unseen/);
    expect(dashboard.sandbox.requests).toEqual(['/v1/sandbox/stream', '/v1/sandbox/stream?truth=true']);
    const badge = dashboard.glass.find(' TRUTH ');
    expect(dashboard.glass.cell(badge.x + 1, badge.y).background).toBe(5);
    expect(violet()).toBeGreaterThan(20);
    dashboard.press('T');
    await dashboard.shows(/^(?![\s\S]*TRUTH)[\s\S]*North Harbour/);
    expect(violet()).toBe(0);
    await dashboard.sandbox.requested(3);
    expect(dashboard.sandbox.requests.at(-1)).toBe('/v1/sandbox/stream');
  });

  test('no colour at all where none is wanted, but bold and reverse', async () => {
    const { glass, bytes } = await new OpenedDashboard().open({ theme: 'mono' });
    expect(glass.cells.filter(({ colour, background }) => colour !== null || background !== null)).toEqual([]);
    const rescue = glass.find('▲ 1 to rescue');
    expect(glass.cell(rescue.x, rescue.y)).toMatchObject({ isBold: true, isInverse: true });
    expect(bytes).not.toMatch(/\x1b\[(?:[349]|10)[0-9][0-9;]*m/);
  });

  test('nothing beyond ASCII where the font has no more', async () => {
    const { glass, bytes } = await new OpenedDashboard().open({ ascii: true });
    expect(glass.text).toContain('EVACUATING');
    expect(bytes).not.toMatch(/[^\x00-\x7e]/);
  });

  test('a new critical alert in inverse', async () => {
    const dashboard = await new OpenedDashboard().open();
    const alert = { ...MUSTERING.alerts[1]!, id: 'new', date_created: '2026-10-05T06:12:29.000Z' };
    dashboard.sandbox.tell({ subject: 'alert', alert });
    dashboard.sandbox.tell(event('alert.created', { alert }));
    // Both alerts of the person are one row.
    await dashboard.shows(/■ SOS by button, 2 alerts/);
    const { x, y } = dashboard.glass.find('■ SOS by button');
    expect(dashboard.glass.cell(x, y).isInverse).toBe(true);
  });
});

describe('the mouse', () => {
  test('chooses the row that is clicked, and is released at the end', async () => {
    const dashboard = await new OpenedDashboard().open({ mouse: true });
    expect(dashboard.bytes).toContain('\x1b[?1000h\x1b[?1006h');
    const { x, y } = dashboard.glass.find('Ana Ruiz X');
    dashboard.press(`\x1b[<0;${x + 1};${y + 1}M`);
    await dashboard.shows(/▌◌ Not worn +W-023/);
    dashboard.press(`\x1b[<64;${x + 1};${y + 1}M`);
    await dashboard.shows(/▌▲ Injured +W-020/);
    dashboard.dashboard.close();
    expect(dashboard.bytes).toContain('\x1b[?1006l\x1b[?1000l');
  });

  test('is left to the terminal where it is not wanted', async () => {
    const dashboard = await new OpenedDashboard().open();
    expect(dashboard.bytes).not.toMatch(/\?100[0-6]/);
  });
});

describe('another size', () => {
  test('leaves nothing of the one before', async () => {
    const dashboard = await new OpenedDashboard().open();
    const sizes = [
      [80, 24, /Missing 5/],
      [70, 20, /Missing 5/],
      [60, 12, /1 to rescue, 1 critical, 19.24 safe, too small/],
      [120, 40, /Missing 5/],
    ] as const;
    for (const [columns, rows, fits] of inputsOf(sizes, 4)) {
      await dashboard.resize(columns, rows, fits);
      expect([columns, rows, dashboard.glass.text.includes('##')]).toEqual([columns, rows, false]);
      const fresh = await new OpenedDashboard({ columns, rows }).openAs(fits);
      const timeless = (text: string): string =>
        text
          .replace(/\d+:\d\d(:\d\d)?/g, 'TIME')
          .replace(/ +\d+[smh] ?│/g, ' AGE │')
          .replace(/[▁-█]+ 19/g, 'CURVE 19');
      expect(timeless(dashboard.glass.text)).toBe(timeless(fresh.glass.text));
    }
  });
});

describe('the terminal is as it was', () => {
  const BEFORE = 'user@host:~$ sandbox dashboard';

  async function begun(): Promise<OpenedDashboard> {
    const dashboard = new OpenedDashboard();
    await dashboard.glass.write(`${BEFORE}\r\n`);
    return await dashboard.open();
  }

  function expectRestored({ glass, bytes, isFree }: OpenedDashboard): void {
    expect(glass.isAlternate).toBe(false);
    expect(glass.lines[0]).toBe(BEFORE);
    expect(glass.lines.slice(1).join('')).toBe('');
    expect(glass.wraps).toBe(true);
    expect(bytes.lastIndexOf('\x1b[?25h')).toBeGreaterThan(bytes.lastIndexOf('\x1b[?25l'));
    expect(bytes.split('\x1b[22;2t').length).toBe(bytes.split('\x1b[23;2t').length);
    expect(isFree).toBe(true);
  }

  test.each([
    ['q', 'q'],
    ['\x03', 'ctrl-c'],
  ])('after %j', async (key, by) => {
    const dashboard = await begun();
    dashboard.press(key);
    expect(await dashboard.dashboard.quit).toBe(by);
    dashboard.dashboard.close();
    await dashboard.glass.write('');
    expectRestored(dashboard);
  });

  test('with a question open, and closed twice', async () => {
    const dashboard = await begun();
    dashboard.press('e');
    await dashboard.shows(/End the muster/);
    dashboard.dashboard.close();
    dashboard.dashboard.close();
    await dashboard.glass.write('');
    expectRestored(dashboard);
  });

  test('after the sandbox has ended, which is said before', async () => {
    const dashboard = await begun();
    dashboard.sandbox.end();
    await dashboard.shows(/NO CONNECTION/);
    expect(dashboard.glass.isAlternate).toBe(true);
    expect(dashboard.glass.text).toContain('EXPECTED 24');
    dashboard.press('q');
    await dashboard.dashboard.quit;
    dashboard.dashboard.close();
    await dashboard.glass.write('');
    expectRestored(dashboard);
  });

  test('while it is suspended, and fg brings the whole screen back', async () => {
    const dashboard = new OpenedDashboard();
    await dashboard.glass.write(`${BEFORE}\r\n`);
    let resume = (): void => {};
    let whenStopped: unknown = null;
    const jobs: JobControl = {
      isForeground: () => true,
      stop: () => {
        whenStopped = { isRaw: dashboard.isRaw, bytes: dashboard.bytes.length };
      },
      onContinue: (listener) => {
        resume = listener;
        return () => {};
      },
    };
    await dashboard.open({ jobs, mouse: true });
    const before = dashboard.glass.text;
    dashboard.press('\x1a');
    await dashboard.glass.write('');
    expect(dashboard.glass.isAlternate).toBe(false);
    expect(dashboard.glass.lines[0]).toBe(BEFORE);
    expect(whenStopped).toMatchObject({ isRaw: false });
    expect(dashboard.bytes.slice(0, (whenStopped as { bytes: number }).bytes)).toMatch(/\?1006l[\s\S]*\?1049l$/);
    resume();
    await dashboard.shows(/1 Map[\s\S]*5 Webhooks/);
    expect([dashboard.glass.isAlternate, dashboard.isRaw]).toEqual([true, true]);
    const timeless = (text: string): string =>
      text.replace(/\d+:\d\d(:\d\d)?/g, 'TIME').replace(/ +\d+[smh] ?│/g, ' AGE │');
    await dashboard.shows(/q quit/);
    expect(timeless(dashboard.glass.text).split('\n').length).toBe(timeless(before).split('\n').length);
    dashboard.dashboard.close();
    await dashboard.glass.write('');
    expectRestored(dashboard);
  });

  test('nothing is drawn after the end', async () => {
    const dashboard = await begun();
    dashboard.press('?');
    dashboard.dashboard.close();
    const after = dashboard.bytes.length;
    dashboard.sandbox.tell({ subject: 'clock', clock: { ...MUSTERING.clock, speed: 99 } });
    dashboard.press('?');
    await dashboard.glass.write('');
    expect(dashboard.bytes).toHaveLength(after);
  });
});
