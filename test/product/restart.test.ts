/** A restart loses nobody: people and watches go on where they were after a clean stop and after kill -9, in everyday life and in a muster. [decisions 6, 9, cli up] */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, describe, expect } from 'vitest';
import { type Stream, streams } from '../../src/base/random/streams.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { isWhole, withoutWhole } from '../helpers/whole.ts';
import { RunningSandbox } from './sandbox-process.ts';

/** More of them where the time is taken: RESTARTS=30. */
const RESTARTS = Number(process.env['RESTARTS'] ?? (isWhole ? 2 : 1));
const SEED = process.env['RESTART_SEED'] ?? 'restart';

/** In the whole world; a third of them is on the first site. */
const WATCHES = process.env['RESTART_WATCHES'] ?? '24';

const WORLD = process.env['RESTART_WORLD'] ?? '7';

const SITE = 'Terminal Puerto Alerce';

/** Metres per second of the fastest on foot, and in a vehicle of the default world. */
const ON_FOOT = 2.3;
const DRIVING = 7.1;
/** Nobody is known better than that; metres. */
const SLACK_M = 2;

const folder = ownFolder();
afterAll(() => folder.remove());

interface Row {
  readonly at: string;
  readonly serial: string;
  readonly x_m: number;
  readonly y_m: number;
  readonly in_vehicle: boolean;
  readonly worn: boolean | null;
  readonly activity: string;
  readonly battery_pct: number;
  readonly network: boolean;
}

interface Totals {
  readonly expected: number;
  readonly safe: number;
  readonly help: number;
  readonly wrong_point: number;
  readonly pending: number;
  readonly no_signal: number;
  readonly not_worn: number;
}

/** One data folder over several processes, with the truth of all of them. */
class Plant {
  readonly #args: readonly string[];
  readonly #truth: string;
  readonly #database: string;
  sandbox!: RunningSandbox;

  constructor(name: string, args: readonly string[] = []) {
    this.#truth = join(folder.path, `${name}.ndjson`);
    const dataDir = join(folder.path, name);
    this.#database = join(dataDir, 'world.db');
    this.#args = ['--data-dir', dataDir, '--truth', this.#truth, ...args];
  }

  async up(): Promise<void> {
    this.sandbox = await RunningSandbox.up(this.#args);
    expect(this.sandbox.line.warnings.filter((warning) => !warning.includes('port'))).toEqual([]);
  }

  async down(how: NodeJS.Signals): Promise<void> {
    this.sandbox.child.kill(how);
    const { code, signal } = await this.sandbox.ended;
    expect(how === 'SIGKILL' ? signal : code).toBe(how === 'SIGKILL' ? 'SIGKILL' : 0);
  }

  async act(body: Record<string, unknown>) {
    const { status, body: answer } = await this.sandbox.act(body);
    const { result, detail } = answer as { result?: Record<string, string>; detail?: string };
    return { status, detail, muster_id: result?.['muster_id'] };
  }

  async advance(ms: number): Promise<void> {
    const { ready } = this.sandbox;
    const { status } = await this.sandbox.call('POST', '/v1/sandbox/clock', ready.control_token, {
      advance: `${ms}ms`,
    });
    expect(status).toBe(200);
  }

  /** The next row of everybody is written; answers how long the truth is then. */
  async toNextRow(): Promise<void> {
    const { body } = await this.sandbox.call('GET', '/v1/sandbox/clock', this.sandbox.ready.control_token);
    await this.advance(10_000 - (Date.parse(body.now) % 10_000) + 1);
  }

  truthBytes(): number {
    return statSync(this.#truth).size;
  }

  /** The last row of everybody before that byte, or the first behind it. */
  rows(from: number, until: number, which: 'first' | 'last'): Map<string, Row> {
    const rows = new Map<string, Row>();
    const lines = readFileSync(this.#truth).subarray(from, until).toString().split('\n').slice(0, -1);
    for (const line of lines) {
      const row = JSON.parse(line) as Row;
      if (row.serial !== undefined && !(which === 'first' && rows.has(row.serial))) rows.set(row.serial, row);
    }
    return rows;
  }

  /** The sessions that the service knows, by device; only while nothing runs. */
  sessions(): Map<string, number> {
    const database = new Database(this.#database, { readonly: true });
    const rows = database.prepare("SELECT id, body FROM documents WHERE kind = 'telemetry'").all() as {
      id: string;
      body: string;
    }[];
    database.close();
    return new Map(rows.map(({ id, body }) => [id, (JSON.parse(body) as { session: number }).session]));
  }

  async muster(): Promise<{ id: string; totals: Totals } | null> {
    const token = await this.sandbox.token();
    const { body } = await this.sandbox.call('GET', '/v1/musters?status=active', token);
    return body.data[0] ?? null;
  }

  /** Those who are not safe, and how they count. */
  async missing(musterId: string): Promise<Map<string, string>> {
    const token = await this.sandbox.token();
    const { body } = await this.sandbox.call('GET', `/v1/musters/${musterId}/missing`, token);
    const missing = body.data as { worker: { external_id: string }; status: string }[];
    return new Map(missing.map(({ worker, status }) => [worker.external_id, status]));
  }

  async alertsOf(worker: string, type: string): Promise<{ id: string }[]> {
    const token = await this.sandbox.token();
    const { body } = await this.sandbox.call('GET', `/v1/alerts?type=${type}&limit=200`, token);
    return body.data.filter((alert: { worker: { external_id: string } }) => alert.worker.external_id === worker);
  }

  /** Emulated watches of the first site, with their workers. */
  async people(): Promise<{ serial: string; worker: string }[]> {
    const { body } = await this.sandbox.call('GET', '/v1/sites', await this.sandbox.token());
    const { id } = body.data.find(({ name }: { name: string }) => name === SITE);
    return this.sandbox.ready.watches
      .filter(({ emulated, site_id }) => emulated && site_id === id)
      .map(({ serial, worker }) => ({ serial, worker: worker as string }));
  }
}

const isHeld = ({ activity }: Pick<Row, 'activity'>): boolean => ['trapped', 'injured', 'fallen'].includes(activity);

/** What an action made of a person, and must still hold after the restart. */
type StillSo = (row: Row) => boolean;

/** Ends the process and starts the next; everybody is where they were, and nobody is lost. Answers a line of the table. */
async function restart(
  plant: Plant,
  what: string,
  how: NodeJS.Signals,
  still: ReadonlyMap<string, StillSo>,
  chance: Stream,
) {
  await plant.toNextRow();
  const before = await plant.muster();
  const missingBefore = before === null ? new Map<string, string>() : await plant.missing(before.id);
  // Anywhere between two writes, and anywhere between two rows.
  await new Promise((later) => setTimeout(later, chance.int(0, 900)));
  const bytes = plant.truthBytes();
  await plant.down(how);
  const sessions = plant.sessions();
  const wallAt = Date.now();
  await plant.up();
  const wallMs = Date.now() - wallAt;
  // As long as the file is now, rows of the next start stand behind those of the last: nothing was cut off.
  const [was, is] = [plant.rows(0, bytes, 'last'), plant.rows(bytes, plant.truthBytes(), 'first')];
  expect([...is.keys()].sort()).toEqual([...was.keys()].sort());
  let [farthest, seconds] = [0, 0];
  const jumped: string[] = [];
  const changed: string[] = [];
  for (const [serial, row] of is) {
    const old = was.get(serial) as Row;
    const metres = Math.hypot(row.x_m - old.x_m, row.y_m - old.y_m);
    const elapsedS = (Date.parse(row.at) - Date.parse(old.at)) / 1000;
    const pace = row.in_vehicle || old.in_vehicle ? DRIVING : ON_FOOT;
    [farthest, seconds] = [Math.max(farthest, metres), elapsedS];
    if (metres > pace * elapsedS + SLACK_M) jumped.push(`${serial}: ${metres} m in ${elapsedS} s, ${old.activity}`);
    // 20 % an hour at most, 53 % up on the charger: a point up or down in some seconds.
    if (Math.abs(row.battery_pct - old.battery_pct) > 1)
      changed.push(`${serial}: battery ${old.battery_pct} -> ${row.battery_pct}`);
    if (old.activity !== row.activity && isHeld(old)) changed.push(`${serial}: ${old.activity} -> ${row.activity}`);
    if (still.get(serial)?.(row) === false) changed.push(`${serial}: ${JSON.stringify(row)}`);
  }
  expect(jumped).toEqual([]);
  expect(changed).toEqual([]);
  // The next count is made by what the watches say after the restart.
  await plant.advance(6_000);
  const after = await plant.muster();
  expect(after?.id).toBe(before?.id);
  const lost: string[] = [];
  if (after !== null && before !== null) {
    const { expected, safe, help, wrong_point, pending, no_signal, not_worn } = after.totals;
    expect(safe + help + wrong_point + pending + no_signal + not_worn).toBe(expected);
    expect(expected).toBe(before.totals.expected);
    const workers = new Map((await plant.people()).map(({ serial, worker }) => [worker, serial]));
    for (const worker of (await plant.missing(after.id)).keys()) {
      const serial = workers.get(worker) ?? '';
      const stood = was.get(serial)?.activity === 'at_point' && is.get(serial)?.activity === 'at_point';
      if (stood && !missingBefore.has(worker)) lost.push(worker);
    }
  }
  expect(lost).toEqual([]);
  const heldOn = [...is.values()].filter(({ activity }) => isHeld({ activity })).length;
  return {
    line: {
      what,
      how,
      safe: `${before?.totals.safe ?? '-'} -> ${after?.totals.safe ?? '-'}`,
      'held back': heldOn,
      'farthest, m': Math.round(farthest * 10) / 10,
      'in, s': Math.round(seconds * 10) / 10,
      'restart, ms': wallMs,
    },
    sessions,
  };
}

describe('a restart', () => {
  unless(
    withoutWhole,
  ).test('in everyday life, at the alarm, on the way, at the points, after a change and after the end: nobody jumps and nobody is lost', async () => {
    const chance = streams(SEED).stream('test', 'evacuation');
    const plant = new Plant('evacuation', ['--seed', WORLD, '--watches', WATCHES]);
    const table: object[] = [];
    const still = new Map<string, StillSo>();
    let sessions = new Map<string, number>();
    let kills = 0;
    const again = async (what: string) => {
      const how = kills++ % 2 === 0 ? 'SIGKILL' : 'SIGTERM';
      const done = await restart(plant, what, how, still, chance);
      table.push(done.line);
      const same = [...done.sessions].filter(([id, session]) => session <= (sessions.get(id) ?? 0) && session > 0);
      // A watch without a network is in the session that it was in.
      expect(same.length).toBeLessThanOrEqual([...still.keys()].length);
      sessions = done.sessions;
    };
    await plant.up();
    await plant.advance(chance.int(60, 300) * 1_000);
    await again('everyday life');
    const people = await plant.people();
    const [trapped, injured, cut, bare, low, fell] = chance.shuffle(people) as [P, P, P, P, P, P];
    const { muster_id } = await plant.act({ action: 'start_muster', site: SITE, kind: 'earthquake', by: 'Lead' });
    await plant.advance(chance.int(5, 40) * 1_000);
    const act = async (body: Record<string, unknown>, status = 200) =>
      expect(await plant.act(body)).toMatchObject({ status });
    await act({ action: 'cannot_evacuate', who: trapped.serial, reason: 'trapped' });
    still.set(trapped.serial, isHeld);
    await act({ action: 'cannot_evacuate', who: injured.serial, reason: 'injured' });
    still.set(injured.serial, isHeld);
    await act({ action: 'signal', who: cut.serial, is: 'lost' });
    await act({ action: 'sos', who: cut.serial }, 202);
    still.set(cut.serial, ({ network }) => !network);
    await act({ action: 'wear', who: bare.serial, is: 'off' });
    still.set(bare.serial, ({ worn }) => worn === false);
    await act({ action: 'battery', who: low.serial, pct: 41 });
    await act({ action: 'fall', who: fell.serial });
    still.set(fell.serial, isHeld);
    await again('at the alarm');
    await plant.advance(chance.int(40, 150) * 1_000);
    await again('on the way');
    await plant.advance(chance.int(60, 240) * 1_000);
    await again('on the way');
    await plant.act({ action: 'exclude_point', muster: muster_id, point: 'Gate A', reason: 'Gas', by: 'Lead' });
    await plant.advance(chance.int(5, 60) * 1_000);
    await again('a point is excluded');
    await plant.advance(20 * 60_000);
    await again('at the points');
    for (let n = 1; n < RESTARTS; n++) {
      await plant.advance(chance.int(10, 600) * 1_000);
      await again('at the points');
    }
    // Freed, resolved, back in cover, back on the wrist: then they are safe, and the SOS has arrived once.
    expect(await plant.alertsOf(cut.worker, 'sos')).toEqual([]);
    await act({ action: 'signal', who: cut.serial, is: 'back' });
    expect(await plant.alertsOf(cut.worker, 'sos')).toHaveLength(1);
    // A watch may be off, or its wearer held, by the draws of the earthquake too.
    const rest = [trapped, cut, bare, low, fell].map(({ serial }) => serial);
    await act({ action: 'wear', who: rest, is: 'on' });
    await act({ action: 'free', who: rest });
    const [help] = await plant.alertsOf(injured.worker, 'evacuation_help');
    await act({ action: 'resolve', alert: help?.id, by: 'Desk' });
    still.clear();
    await again('freed');
    // Who is injured goes at half their pace, and the hill is far.
    await plant.advance(75 * 60_000);
    const freed = [trapped, injured, cut, bare, low, fell];
    const missing = await plant.missing(muster_id as string);
    await plant.toNextRow();
    const rows = plant.rows(0, plant.truthBytes(), 'last');
    const about = ({ worker, serial }: P) => `${worker} ${missing.get(worker)}: ${JSON.stringify(rows.get(serial))}`;
    expect(freed.filter(({ worker }) => missing.has(worker)).map(about)).toEqual([]);
    expect(await plant.alertsOf(cut.worker, 'sos')).toHaveLength(1);
    const { id } = (await plant.muster()) as { id: string };
    await act({ action: 'end_muster', muster: id, outcome: 'completed', by: 'Lead' });
    await again('after the end');
    await plant.advance(15 * 60_000);
    await plant.toNextRow();
    const at = [...plant.rows(0, plant.truthBytes(), 'last').values()].filter(
      ({ activity }) => activity === 'at_point',
    );
    expect(at).toEqual([]);
    console.table(table);
    await plant.down('SIGTERM');
  });

  // What is kept of people and watches: test/sandbox/restart.test.ts.
  unless(
    withoutWhole,
  ).test(`of ${RESTARTS} by kill -9 in the middle of actions loses nothing that was acknowledged`, async () => {
    const chance = streams(SEED).stream('test', 'hammer');
    const plant = new Plant('hammer', ['--seed', WORLD, '--watches', isWhole ? '120' : '36']);
    await plant.up();
    const everybody = chance.shuffle(await plant.people());
    const share = Math.floor(everybody.length / RESTARTS);
    const table: object[] = [];
    for (let round = 0; round < RESTARTS; round++) {
      const who = everybody.slice(round * share, (round + 1) * share);
      const acknowledged = new Map<string, { doing: Doing; reported: number }>();
      const mortal = chance.int(1, who.length);
      const hammered = Promise.all(
        who.map(async ({ serial }, n) => {
          const doing = DOINGS[n % DOINGS.length] as Doing;
          const reported = 20 + chance.int(0, 60);
          for (const [body, status] of doing.bodies(serial, reported)) {
            const answer = await plant.act(body).catch(() => null);
            if (answer?.status !== status) return;
          }
          acknowledged.set(serial, { doing, reported });
          // Not a moment later than the answer came.
          if (acknowledged.size === mortal) plant.sandbox.child.kill('SIGKILL');
        }),
      );
      await hammered;
      expect(acknowledged.size).toBeGreaterThanOrEqual(mortal);
      await plant.sandbox.ended;
      const bytes = plant.truthBytes();
      await plant.up();
      const rows = plant.rows(bytes, plant.truthBytes(), 'first');
      const lost = [...acknowledged].filter(
        ([serial, { doing, reported }]) => !doing.holds(rows.get(serial) as Row, reported),
      );
      expect(
        lost.map(([serial, { doing }]) => `${doing.name} of ${serial}: ${JSON.stringify(rows.get(serial))}`),
      ).toEqual([]);
      let arrived = 0;
      for (const [serial, { doing }] of acknowledged) {
        if (doing.name !== 'a buffered SOS') continue;
        const { worker } = who.find((one) => one.serial === serial) as P;
        expect(await plant.alertsOf(worker, 'sos')).toEqual([]);
        expect(await plant.act({ action: 'signal', who: serial, is: 'back' })).toMatchObject({ status: 200 });
        expect(await plant.alertsOf(worker, 'sos')).toHaveLength(1);
        arrived += 1;
      }
      table.push({ round, chosen: who.length, acknowledged: acknowledged.size, lost: 0, 'SOS arrived once': arrived });
    }
    console.table(table);
    await plant.down('SIGTERM');
  });
});

type P = { readonly serial: string; readonly worker: string };

/** An action of a person, how it is answered, and what is true of them afterwards. */
interface Doing {
  readonly name: string;
  bodies(serial: string, reported: number): (readonly [Record<string, unknown>, number])[];
  holds(row: Row, reported: number): boolean;
}

const DOINGS: readonly Doing[] = [
  {
    name: 'a buffered SOS',
    bodies: (who) => [
      [{ action: 'signal', who, is: 'lost' }, 200],
      [{ action: 'sos', who }, 202],
    ],
    holds: ({ network }) => !network,
  },
  { name: 'off', bodies: (who) => [[{ action: 'wear', who, is: 'off' }, 200]], holds: ({ worn }) => worn === false },
  {
    name: 'a place',
    bodies: (who, reported) => [[{ action: 'position', who, at: [reported, 40] }, 200]],
    holds: ({ x_m, y_m }, reported) => x_m === reported && y_m === 40,
  },
  {
    name: 'a charge',
    bodies: (who, reported) => [[{ action: 'battery', who, pct: reported, drain: 0 }, 200]],
    holds: ({ battery_pct }, reported) => battery_pct === reported,
  },
  { name: 'a fall', bodies: (who) => [[{ action: 'fall', who }, 200]], holds: ({ activity }) => activity === 'fallen' },
];
