/** Whole frames as text, and properties of every frame. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KEYS, shownKeys } from '../../src/dashboard/keys.ts';
import { partsOf } from '../../src/dashboard/panes/banner.ts';
import { THEME_NAMES, theme } from '../../src/dashboard/terminal/theme.ts';
import { type Connection, type DashboardView, PANES } from '../../src/dashboard/view.ts';
import { afterChange, EMPTY_STATE, type StreamState } from '../../src/watching/state/state.ts';
import { eachOf } from '../helpers/each-of.ts';
import { inputsOf, isWhole } from '../helpers/whole.ts';
import { frameText, glassOf } from './drawn.ts';
import { event, MUSTERING, NOW, person, QUIET, viewer, WITH_TRUTH, workerId, worldOf } from './harbour.ts';

const mono = theme('mono');
const dark = theme('dark');
const open: Connection = { is: 'open' };

function shown(
  world: StreamState,
  columns: number,
  rows: number,
  { view = viewer(), look = mono, connection = open, at = 0 } = {},
): string[] {
  return frameText({ world, view, connection, at }, { columns, rows }, look);
}
const text = (...args: Parameters<typeof shown>): string => shown(...args).join('\n');

/** On a terminal, with its colours. */
const seen = (world: StreamState, { view = viewer(), at = 0 } = {}) =>
  glassOf({ world, view, connection: open, at }, { columns: 120, rows: 40 }, dark);

describe('frames as they are', () => {
  const help = { view: viewer({ isHelpOpen: true }) };
  eachOf(
    [
      ['muster-120x40', MUSTERING, 120, 40, {}],
      ['muster-80x24', MUSTERING, 80, 24, {}],
      ['muster-66x20', MUSTERING, 66, 20, {}],
      ['muster-120x40-ascii', MUSTERING, 120, 40, { look: theme('mono', { ascii: true }) }],
      ['muster-120x40-block', MUSTERING, 120, 40, { look: theme('mono', { map: 'block' }) }],
      ['quiet-120x40', QUIET, 120, 40, {}],
      ['help-120x40', MUSTERING, 120, 40, help],
      ['truth-120x40', WITH_TRUTH, 120, 40, { view: viewer({ truth: true }) }],
      [
        'truth-80x24-ascii',
        WITH_TRUTH,
        80,
        24,
        { view: viewer({ truth: true }), look: theme('mono', { ascii: true }) },
      ],
      ['details-80x24', MUSTERING, 80, 24, { view: viewer({ isDetailOpen: true }) }],
    ] as const,
    2,
  )('%s', async (name, snapshot, columns, rows, options) => {
    await expect(`${text(worldOf(snapshot), columns, rows, options)}\n`).toMatchFileSnapshot(`frames/${name}.txt`);
  });
});

describe('what a frame tells', () => {
  const world = worldOf(MUSTERING);

  test('a worker who needs rescue is first in the list, and on the map by glyph and code', () => {
    const lines = text(world, 120, 40).split('\n');
    expect(lines.find((line) => line.includes('▌▲ Injured'))).toMatch(/W-020 +Ana Ruiz U +Tank Farm +12s/);
    expect(lines.some((line) => line.slice(0, 76).includes('(▲)W-020'))).toBe(true);
  });

  test('time goes on between two words of the stream, as fast as the clock runs', () => {
    expect(text(world, 120, 40)).toContain('T+7:30  12:30 min left, official deadline');
    expect(text(world, 120, 40, { at: 3_000 })).toContain('T+8:00  12:00 min left, official deadline');
  });

  test('the name of the site is whole while no muster needs the room', () => {
    const site = { ...QUIET.sites[0]!, name: 'Terminal Puerto Alerce' };
    const quiet = worldOf({ ...QUIET, sites: [site] });
    for (const columns of [60, 80, 100]) expect(shown(quiet, columns, 24)[0]).toContain('Terminal Puerto Alerce');
  });

  test('every counter has its place, however narrow the terminal and however many they are', () => {
    const [muster] = MUSTERING.musters;
    const totals = {
      expected: 2_000,
      safe: 1_200,
      help: 110,
      wrong_point: 150,
      pending: 440,
      no_signal: 60,
      not_worn: 40,
    };
    const many = worldOf({ ...MUSTERING, musters: [{ ...muster!, totals }] });
    for (const columns of inputsOf([60, 66, 99, 80, 120, 70, 100, 140], 4)) {
      const frame = text(many, columns, 40);
      for (const count of ['1200', '110', '150', '440', '60', '40'])
        expect([columns, frame]).toEqual([columns, expect.stringMatching(new RegExp(`\\D${count}[ \\n]`))]);
    }
  });

  test('a paused clock stands still', () => {
    const paused = { ...world, clock: { now: MUSTERING.clock.now, speed: 10, paused: true } };
    expect(text(paused, 120, 40, { at: 60_000 })).toContain('T+7:30');
  });

  test('a delivery that failed counts down to its next try', () => {
    expect(text(world, 120, 40)).toMatch(/slow\.example +503 +#3 in 0:24/);
    expect(text(world, 120, 40, { at: 1_000 })).toMatch(/503 +#3 in 0:14/);
  });

  test('the pane of webhooks says how it went, and what comes next', () => {
    const state = [
      { ...MUSTERING.deliveries[0]!, tries: 3, last_status: null, last_error: 'No answer within 5 s.' },
      { ...MUSTERING.deliveries[1]!, id: 'z', state: 'delivered' as const, took_ms: 41.4 },
    ].reduce(
      (known, delivery) => afterChange(known, { subject: 'delivery', at: MUSTERING.clock.now, delivery }, 0),
      world,
    );
    const page = text(state, 120, 40);
    expect(page).toContain('p95 41 ms');
    expect(page).toMatch(/↛ slow\.\S+ +1 failed next 0:24/);
    expect(page).toContain('since 06:10:00, attempt 4, 1 wait');
    expect(page).toMatch(/alert\.created +slow\.example +timeout +#4 in 0:24/);
    expect(page).toMatch(/muster\.updated +receiver\.example +204 +41 ms +0s/);
  });

  test('what occurred stands below the alerts, with how much of it came in the last minute', () => {
    const muster = MUSTERING.musters[0]!;
    const totals = { ...muster.totals, safe: 20, pending: 0 };
    const state = afterChange(world, { at: NOW, ...event('muster.updated', { muster: { ...muster, totals } }) }, 0);
    const page = text(state, 120, 40);
    expect(page).toMatch(/· safe 19 to 20, not arrived 1 to 0 +muster\.updated 0s/);
    expect(page).toMatch(/1 event in the last minute +█/);
    expect(text(state, 120, 40, { at: 6_100 })).toContain('0 events in the last minute');
  });

  test('a critical alert stands out for two seconds when it is new', async () => {
    const alert = { ...MUSTERING.alerts[1]!, id: 'new' };
    const state = [{ subject: 'alert' as const, alert }, event('alert.created', { alert })].reduce(
      (known, change) => afterChange(known, { at: NOW, ...change }, 1_000),
      world,
    );
    const inverse = async (at: number): Promise<boolean> => {
      const glass = await seen(state, { at });
      return glass.lines.some(
        (line, y) => line.includes('■ SOS by button') && !line.includes('22m') && glass.cell(2, y).isInverse,
      );
    };
    expect([await inverse(1_000), await inverse(2_900), await inverse(3_000)]).toEqual([true, true, false]);
  });

  test('a stream that broke is reported at the foot, over the last message', () => {
    const broken = text(world, 120, 40, { connection: { is: 'broken', why: 'The sandbox has hung up.', tries: 3 } });
    expect(broken).toContain('NO CONNECTION');
    expect(broken.split('\n').at(-1)).toContain('The sandbox has hung up. The last known state is shown.');
    expect(broken).toContain('EXPECTED 24');
    const why = 'No sandbox is running with the data folder /home/somebody/work/plant/.sandbox.';
    for (const columns of [60, 80, 120]) {
      const foot = shown(world, columns, 24, { connection: { is: 'broken', why, tries: 3 } }).at(-1);
      expect(foot).toMatch(/ No sandbox is running with the data folder.*q quits\.$/);
    }
  });

  test('a lost sandbox has the time of its last state, and no sign of a clock that runs', () => {
    for (const columns of inputsOf([60, 80, 120, 200], 2)) {
      const [title] = shown(world, columns, 24, { connection: { is: 'broken', why: 'Gone.', tries: 3 } });
      expect(title).toMatch(/(?:OFFLINE|NO CONNECTION).? +06:12:30/);
      expect(title).not.toMatch(/[▶×]/);
    }
  });

  describe('ground truth', () => {
    const known = worldOf(WITH_TRUTH);
    const chosen = { ...viewer().chosen, people: workerId(22) };

    test('is on view only where it was asked for, and then under a badge', async () => {
      expect(text(known, 120, 40)).not.toMatch(/TRUTH|[+✚]W-/);
      for (const [columns, rows] of [
        [120, 40],
        [80, 24],
        [60, 16],
      ] as const)
        expect(text(known, columns, rows, { view: viewer({ truth: true }) }).split('\n')[0]).toContain('[TRUTH]');
      const page = text(known, 120, 40, { view: viewer({ truth: true }) });
      expect(page).toContain('TRUTH fixes off 0 m, 95 % under 0 m, 1 unseen');
      expect(page).toContain('✚W-023');
      expect(page).toContain('+W-022');
      const glass = await seen(known, { view: viewer({ truth: true }) });
      const badge = glass.find(' TRUTH ');
      expect(glass.cell(badge.x + 1, badge.y)).toMatchObject({ background: 5, isBold: true });
    });

    test('says of somebody where they are, and how far from there they are seen', () => {
      const page = text(known, 90, 40, { view: viewer({ truth: true, isDetailOpen: true, chosen }) });
      expect(page).toMatch(/TRUTH +43\.36\d+, -8\.39\d+, Container Yard, trapped,/);
      expect(page).toMatch(/seen 100 m off/);
      expect(text(known, 90, 40, { view: viewer({ isDetailOpen: true, chosen }) })).not.toMatch(/TRUTH|Yard, trapped/);
    });
  });

  test('a badge names the organization whose view is shown', () => {
    const as = { clientId: 'naval', organization: 'Naval Ria Brava', scopes: [] };
    for (const columns of [120, 80, 60])
      expect(text(world, columns, 24, { view: viewer({ as }) }).split('\n')[0]).toContain('[AS Naval Ria');
    const none = { people: [], workers: [], alerts: [], musters: [], destinations: [], deliveries: [] };
    const blind = text(worldOf({ ...QUIET, ...none }), 120, 40, { view: viewer({ as }) });
    for (const scope of ['alerts:read', 'musters:read', 'workers:read or positions:read', 'webhooks:manage'])
      expect(blind).toContain(`Naval Ria Brava has no ${scope}.`);
    for (const claim of ['no muster  ', 'No alert', '0 open', '0 people', 'People 0', 'of 0'])
      expect(blind).not.toContain(claim);
  });

  test('the words of a deadline are apart from the clock', () => {
    const [muster] = MUSTERING.musters;
    const deadline = { ...muster!.deadline!, source: 'plan_estimate' as const };
    const site = { ...MUSTERING.sites[0]!, name: 'Terminal Puerto Alerce' };
    const named = worldOf({ ...MUSTERING, sites: [site], musters: [{ ...muster!, deadline }] });
    const widths = Array.from({ length: 101 }, (_, n) => 60 + n);
    for (const columns of inputsOf(widths, 20)) expect(shown(named, columns, 16)[0]).not.toMatch(/deadline\S|_/);
    expect(shown(named, 160, 40)[0]).toContain('12:30 min left, plan estimate deadline ');
  });

  test('kind, time and deadline stay at every size, and the phase where it has room', () => {
    for (const columns of inputsOf([60, 66, 80, 100, 120, 200], 3))
      for (const rows of inputsOf([16, 24, 40], 3)) {
        const [title] = shown(world, columns, rows);
        expect([columns, title]).toEqual([
          columns,
          expect.stringMatching(/EVAC.* tsunami +T\+7:30 .*12:30 (?:min )?left/),
        ]);
      }
  });

  test.each([
    ['more than five minutes before', -301, { background: null, isInverse: true }],
    ['in its last five minutes', -299, { background: 3, colour: 0 }],
    ['once it is over', 62, { background: 1, colour: 15 }],
  ])('a deadline stands out by its urgency: %s', async (_what, seconds, look) => {
    const [muster] = MUSTERING.musters;
    const at = new Date(Date.parse(MUSTERING.clock.now) - seconds * 1_000).toISOString();
    const state = worldOf({ ...MUSTERING, musters: [{ ...muster!, deadline: { at, source: 'official' } }] });
    const glass = await seen(state);
    const { x, y } = glass.find(seconds < 0 ? 'left' : 'LATE');
    expect(glass.cell(x, y)).toMatchObject(look);
    const [title] = shown(state, 120, 40);
    expect(title).toMatch(
      seconds < -300 ? / 5:01 min left, official deadline/ : /\[(?:4:59 min left|LATE 1:02 min), official deadline\]/,
    );
  });

  test('people by place: how many, how they status, and where somebody needs rescue first', () => {
    const page = text(world, 120, 40, { view: viewer({ isGrouped: true }) });
    expect(page).toContain('p by place');
    expect(page).toMatch(/Tank Farm +1 1 injured/);
    expect(page).toMatch(/Container Yard +2 1 no signal, 1 not worn/);
    expect(page.indexOf('▌Tank Farm')).toBeLessThan(page.indexOf('Container Yard  '));
  });

  test('an assembly point with more people than it holds says so', () => {
    const [muster] = MUSTERING.musters;
    const points = muster!.assembly_points.map((point) => (point.name === 'Hill' ? { ...point, count: 382 } : point));
    const full = worldOf({ ...MUSTERING, musters: [{ ...muster!, assembly_points: points }] });
    expect(text(full, 120, 40)).toMatch(/Hill +● +382\/80 302 too many/);
  });

  test('a status is never cut in its distinguishing word', () => {
    for (const columns of inputsOf([60, 80, 100, 120, 200], 2)) {
      const page = text(world, columns, 30);
      for (const word of ['Injured', 'Wrong p', 'No sig', 'Not '])
        expect([columns, page]).toEqual([columns, expect.stringContaining(word)]);
    }
  });

  test('a filter leaves who matches, and ! turns it around', () => {
    expect(text(world, 120, 40, { view: viewer({ filter: 'no_signal' }) })).toContain('Missing 1 ');
    expect(text(world, 120, 40, { view: viewer({ filter: '!no_signal' }) })).toContain('Missing 4 ');
  });

  test('the help names every key of the key map', () => {
    const page = text(world, 120, 42, { view: viewer({ isHelpOpen: true }) });
    for (const row of KEYS.filter(({ isForReader }) => isForReader !== true))
      expect(page).toContain(`${shownKeys(row).padEnd(10)} ${row.help}`);
  });

  test('the help shows every key at every size, on as many pages as it takes', () => {
    const sizes = [
      [60, 16],
      [80, 24],
      [120, 40],
      [200, 60],
    ] as const;
    for (const [columns, rows] of inputsOf(sizes, 4)) {
      const pages = Array.from({ length: 6 }, (_, helpPage) =>
        text(world, columns, rows, { view: viewer({ isHelpOpen: true, helpPage }) }),
      ).join('\n');
      for (const row of KEYS.filter(({ isForReader }) => isForReader !== true))
        expect([columns, pages]).toEqual([columns, expect.stringContaining(row.help.slice(0, 24))]);
    }
  });

  test('a name that would steer the terminal is only text', () => {
    const [first, ...rest] = MUSTERING.workers;
    const named = worldOf({ ...MUSTERING, workers: [{ ...first!, external_id: '\x1b[2J\u202e王' }, ...rest] });
    const chosen = viewer({ chosen: { ...viewer().chosen, people: workerId(1) } });
    for (const line of shown(named, 120, 40, { view: chosen })) expect(line).not.toMatch(/[\x00-\x1f\u202e王]/);
  });

  test('a crowd is shaded, the denser the more', () => {
    const crowd = worldOf({
      ...MUSTERING,
      people: MUSTERING.people.map((_, n) => person({ n: n + 1, x: 530, y: 225, fares: 'safe' })),
    });
    expect(text(crowd, 120, 40).split('\n').slice(4, 29).join('\n').slice(0)).toMatch(/█/);
  });
});

describe('what holds in every frame', () => {
  const anyView = fc
    .record({
      pane: fc.constantFrom(...PANES),
      zoom: fc.constantFrom(1, 2, 16),
      filter: fc.constantFrom('', 'W-02', '!safe', 'nobody at all'),
      isHelpOpen: fc.boolean(),
      isDetailOpen: fc.boolean(),
      ascii: fc.boolean(),
      truth: fc.boolean(),
    })
    .map((change: Partial<DashboardView>) => viewer(change));

  test('it has the size of the terminal', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 220 }),
        fc.integer({ min: 1, max: 70 }),
        fc.constantFrom(EMPTY_STATE, worldOf(MUSTERING), worldOf(QUIET), worldOf(WITH_TRUTH)),
        anyView,
        fc.constantFrom(...THEME_NAMES),
        (columns, rows, world, view, name) => {
          const look = theme(name, { ascii: view.ascii });
          const lines = shown(world, columns, rows, { view, look });
          expect(lines).toHaveLength(rows);
          for (const line of lines) {
            const cells = [...line.replace(/\x1b\[[0-9;]*m|\x1b\]8;[^\x07]*\x07/g, '')];
            expect(cells.length).toBeLessThanOrEqual(columns);
            expect(cells).not.toContain('\x1b');
          }
        },
      ),
      { numRuns: isWhole ? 150 : 12 },
    );
  });

  test('without colours no escape is written, and in ASCII nothing beyond it', () => {
    const lines = text(worldOf(MUSTERING), 120, 40, { look: theme('mono', { ascii: true }) });
    expect(lines).not.toMatch(/[^\n\x20-\x7e]/);
    const [first, ...rest] = QUIET.workers;
    const named = worldOf({ ...QUIET, workers: [{ ...first!, name: 'Núñez Łódź', external_id: 'A☂1' }, ...rest] });
    const ascii = text(named, 120, 40, { look: theme('mono', { ascii: true }) });
    expect(ascii).toMatch(/A\?1 +Nunez \?odz/);
    expect(ascii).not.toMatch(/[^\n\x20-\x7e]/);
  });

  test('the parts of the bar fill it, and nobody who counts is lost', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(5_000), { minLength: 6, maxLength: 6 }),
        fc.integer({ min: 20, max: 200 }),
        (counts, width) => {
          const parts = partsOf(counts, width);
          const sum = counts.reduce((a, b) => a + b, 0);
          expect(parts.reduce((a, b) => a + b, 0)).toBe(sum === 0 ? 0 : width);
          for (const [n, count] of counts.entries()) expect((parts[n] as number) > 0).toBe(count > 0);
        },
      ),
    );
  });
});
