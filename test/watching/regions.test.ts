/** Drawing a muster from the stream's state alone: statuses, map, capacities. */
import { describe, expect, test } from 'vitest';
import { overlap } from '../../src/base/geometry/boxes.ts';
import { html } from '../../src/base/text/html.ts';
import { PERSON_TERMS, SEVERITY_TERMS } from '../../src/contract/resources/vocabulary.ts';
import type { Alert, Muster } from '../../src/contract/resources.ts';
import type { StreamSnapshot } from '../../src/contract/stream.ts';
import { sitePage } from '../../src/service/panel/pages/overview.ts';
import { curveView } from '../../src/watching/regions/curve.ts';
import { mapGroundOf } from '../../src/watching/regions/ground.ts';
import { type MapMark, type MapScale, marksOf, type PlaceName, withNames } from '../../src/watching/regions/marks.ts';
import { bannerView, pointsView } from '../../src/watching/regions/muster.ts';
import { peopleList, peopleView } from '../../src/watching/regions/people.ts';
import { personView } from '../../src/watching/regions/person.ts';
import { regionView } from '../../src/watching/regions/regions.ts';
import {
  ageText,
  type PanelLook,
  type PanelReader,
  type PanelScene,
  RANKS,
  sceneOf,
} from '../../src/watching/regions/scene.ts';
import { firstOf, scaleOf } from '../../src/watching/regions/window.ts';
import { whatText } from '../../src/watching/state/happened.ts';
import {
  alertId,
  HILL,
  MUSTERING,
  NOW,
  PANEL_USER,
  type Placement,
  person,
  QUIET,
  SITE_ID,
  workerId,
  worldOf,
} from '../dashboard/harbour.ts';
import { words } from '../service/panel/panel.ts';

const MUSTER = MUSTERING.musters[0]!;
const [, sos] = MUSTERING.alerts as [Alert, Alert];
const DUE = Date.parse(MUSTER.deadline?.at ?? '');

const lookAt = (snapshot: StreamSnapshot, reader: Partial<PanelReader> = {}): PanelLook => ({
  world: worldOf(snapshot),
  now: Date.parse(NOW),
  reader: { ...PANEL_USER, ...reader },
});

function sceneAt(snapshot: StreamSnapshot, reader: Partial<PanelReader> = {}): PanelScene {
  const scene = sceneOf(lookAt(snapshot, reader), SITE_ID);
  if (scene === null) throw new Error('the harbour is gone');
  return scene;
}

/** The harbour with some people changed. */
const changed = (...placed: Placement[]): StreamSnapshot => ({
  ...MUSTERING,
  people: MUSTERING.people.map((one) => {
    const other = placed.find(({ n }) => workerId(n) === one.worker_id);
    return other === undefined ? one : person(other);
  }),
});

describe('the list of who is missing', () => {
  test('says how bad it is by its own word, the whole name and the place, the gravest first', () => {
    const snapshot = changed(
      { n: 24, x: 400, y: 190, fares: 'help', help: 'helping' },
      { n: 22, x: 120, y: 100, fares: 'help', help: 'trapped' },
    );
    const rows = peopleView(sceneAt(snapshot)).text.match(/<tr data-key[\s\S]*?<\/tr>/g) ?? [];
    const read = rows.map((row) => words(row).trim());
    expect(read[0]).toMatch(/^▲ Injured .*Ana Ruiz U W-020 Tank Farm 06:12:18/);
    expect(read[1]).toMatch(/^▲ Trapped .*W-022 Container Yard/);
    expect(read[2]).toMatch(/^⊕ Helping .*W-024 \d+ m from /);
    expect(rows).toHaveLength(5);
  });

  test('shows whole names, in whatever order their words are; the style cuts them at the end', () => {
    const name = 'María de los Ángeles Reynoso Alarcón';
    const workers = MUSTERING.workers.map((one) => (one.id === workerId(20) ? { ...one, name } : one));
    for (const by of ['person', 'place'] as const)
      expect(peopleView(sceneAt({ ...MUSTERING, workers }, { by })).text).toContain(`title="${name}">${name}</a>`);
  });

  test('has 50 rows at first; all of it is drawn whole by a browser, and in sheets of 100 by the server, each with a link to the next', () => {
    const everybody = Array.from({ length: 230 }, (_, n) => ({ n: n + 1, x: 100, y: 100, fares: 'pending' as const }));
    const crowd = {
      ...MUSTERING,
      workers: everybody.map(({ n }) => ({ ...MUSTERING.workers[0]!, id: workerId(n), external_id: `W-${n}` })),
      people: everybody.map(person),
    };
    const seen = (reader: Partial<PanelReader>) => {
      const { text } = peopleView(sceneAt(crowd, reader));
      return [text.match(/<tr data-key/g)?.length, /<p>(Scroll through .*?)<\/p>/.exec(text)?.[1] ?? ''];
    };
    const rest = (people: number, query: string, what: string) =>
      `Scroll through ${people} of 230 people. <a href="?${query}" data-more>Show ${what}</a>`;
    expect(seen({})).toEqual([50, rest(50, 'all=1', 'all')]);
    expect(seen({ all: true, sheet: 0, filter: 'ana' })).toEqual([
      100,
      rest(100, 'all=1&amp;sheet=1&amp;filter=ana', 'the next 100'),
    ]);
    expect(seen({ all: true, sheet: 1 })).toEqual([100, rest(100, 'all=1&amp;sheet=2', 'the next 30')]);
    expect(seen({ all: true, sheet: 9 })).toEqual([30, '']);
    expect(seen({ all: true })).toEqual([230, '']);
  });

  test('says of somebody who has become safe that they are, also if their SOS is open', () => {
    const base = changed({ n: 24, x: 400, y: 190, fares: 'safe' });
    const snapshot = {
      ...base,
      people: base.people.map((one) => (one.worker_id === workerId(24) ? { ...one, reason: 'sos' as const } : one)),
    };
    const former = peopleList(sceneAt(snapshot)).former(workerId(24));
    expect(words(former?.view().text ?? '').trim()).toMatch(/^● Safe /);
    const row = sceneAt(snapshot).siteRows.find(({ id }) => id === workerId(24))!;
    expect(words(personView(sceneAt(snapshot), row).text)).toContain('Status ● Safe , SOS');
  });

  test('alerts of workers who are safe now stand below the others, with where they are', () => {
    const [, sos] = MUSTERING.alerts as [unknown, StreamSnapshot['alerts'][number]];
    const earlier = {
      ...sos,
      id: 'earlier',
      worker: { id: workerId(24), external_id: 'W-024', contractor: null },
      date_created: '2026-10-05T06:10:00.000Z',
    } as typeof sos;
    const order = (fares: 'safe' | 'pending') => {
      const snapshot = {
        ...changed({ n: 24, x: 400, y: 190, fares, rescue: fares !== 'safe' }),
        alerts: [sos, earlier],
      };
      const text = regionView('alerts', lookAt(snapshot), {}).text;
      return [...text.matchAll(/<tr data-key="[^"]*".*?<\/tr>/g)].map(([row]) => words(row).trim());
    };
    expect(order('pending')).toEqual([expect.stringMatching(/W-024/), expect.not.stringContaining('safe')]);
    expect(order('safe')).toEqual([expect.not.stringContaining('safe'), expect.stringMatching(/W-024.*● now safe/)]);
  });

  test('asks before a worker is marked safe, by name and without a script', () => {
    const page = peopleView(sceneAt(MUSTERING)).text;
    const [row = ''] = /<tr data-key="[^"]*20"[\s\S]*?<\/tr>/.exec(page) ?? [];
    expect(row).toMatch(
      /<details[^>]*><summary>Mark safe[\s\S]*<\/summary><form[\s\S]*value="mark_safe"[\s\S]*<button class="primary">Yes/,
    );
    expect(words(row)).toContain('Is Ana Ruiz U safe?');
  });

  test('can be read by place, where somebody needs rescue first, by a link that needs no script', () => {
    const byOne = peopleView(sceneAt(MUSTERING)).text;
    expect(byOne).toContain('href="?by=place"');
    const page = peopleView(sceneAt(MUSTERING, { by: 'place' })).text;
    expect(page).toMatch(/href="\?by=place" aria-current="true"/);
    const places = (page.match(/<h3>[^<]+<\/h3><p>[^<]+<\/p>/g) ?? []).map((one) => words(one).trim());
    expect(places[0]).toMatch(/^Tank Farm\s+1 injured$/);
    expect(places).toContainEqual(expect.stringMatching(/no signal/));
    expect(words(page)).not.toContain('no_signal');
  });

  test('keeps the filter from view to view, and hides what does not fit it', () => {
    const page = peopleView(sceneAt(MUSTERING, { by: 'place', filter: 'yard' })).text;
    expect(page).toContain('href="?by=person&amp;filter=yard"');
    expect(page).not.toContain('Tank Farm');
  });

  test('an empty missing list says what it would show', () => {
    const everybody = MUSTERING.people.map((one) =>
      one.muster === null
        ? one
        : {
            ...one,
            status: 'safe' as const,
            reason: 'safe' as const,
            rescue: false,
            muster: { ...one.muster, status: 'safe' as const, needs_rescue: false },
          },
    );
    expect(words(peopleView(sceneAt({ ...MUSTERING, people: everybody })).text)).toContain(
      'all expected workers are safe',
    );
    expect(peopleView(sceneAt({ ...QUIET, workers: [], people: [] })).text).toContain('sandbox up');
    const page = sitePage(lookAt(QUIET), SITE_ID, [])?.main.text ?? '';
    expect(page).toContain('sandbox trigger fall --who W-001');
  });
});

describe('the counters', () => {
  const banner = (now: number, muster = MUSTER) =>
    bannerView({ muster, rows: sceneAt(MUSTERING).siteRows, now }, true).text;

  test('are the totals of the API, whose sum is everyone expected; who needs rescue is counted apart', () => {
    const cells = [...banner(DUE).matchAll(/<dt>(?:<i[^>]*>.<\/i>)? ?([^<]+)<\/dt><dd>(\d+)/g)];
    expect(cells.map(([, name, people]) => `${name} ${people}`)).toEqual([
      ...['expected 24', 'safe 19', 'called for help 1', 'wrong point 1'],
      ...['no signal 1', 'not worn 1', 'not arrived 1'],
    ]);
    expect(cells.slice(1).reduce((sum, [, , people]) => sum + Number(people), 0)).toBe(24);
    expect(words(banner(DUE))).toMatch(/▲ 1 to rescue in the figures below\s+expected 24/);
    expect(RANKS[0]).toBe('safe');
  });

  test('have a bar whose parts are all who are expected, each once', () => {
    const parts = [...banner(DUE).matchAll(/<rect class="(\w+)" x="\d+" width="(\d+)"/g)].map(([, rank, n]) => [
      rank,
      n,
    ]);
    expect(parts).toEqual([
      ['safe', '19'],
      ['rescue', '1'],
      ['wrong_point', '1'],
      ['no_signal', '1'],
      ['not_worn', '1'],
      ['pending', '1'],
    ]);
  });

  test('have the order and the sum of the bar, and say who is to be rescued and who only helps', () => {
    const people = MUSTERING.people.map((one) => {
      const n = Number(one.worker_id.slice(-2));
      if (one.muster === null || n > 3) return one;
      const muster = { ...one.muster, status: 'help', help_reason: n === 1 ? 'trapped' : 'helping' } as const;
      return { ...one, status: 'help', rescue: n === 1, muster } as typeof one;
    });
    const [muster] = MUSTERING.musters as [Muster];
    const totals = { ...muster.totals, safe: muster.totals.safe - 3, help: (muster.totals.help ?? 0) + 3 };
    const look = lookAt({ ...MUSTERING, people, musters: [{ ...muster, totals }] });
    const text = regionView('banner', look, { muster: muster.id }).text;
    expect(words(text)).toMatch(/called for help 4 ▲ 2 to rescue 2 of them helping/);
    const bar = [...text.matchAll(/<rect class="(\w+)" x="\d+" width="(\d+)"/g)].map(
      ([, rank = '', n]) => [rank, Number(n)] as const,
    );
    const figures = [...text.matchAll(/<div class="(\w+)[^>]*><dt>(?:(?!<dd>).)*<dd>(\d+)/g)].slice(1);
    // A red part belongs to the figure behind it.
    const sums = new Map<string, number>();
    let red = 0;
    for (const [rank, n] of bar) {
      if (rank === 'rescue') red += n;
      else {
        sums.set(rank, n + red);
        red = 0;
      }
    }
    expect([...sums]).toEqual(figures.map(([, rank, n]) => [rank, Number(n)]));
  });

  test('of a muster that ended with people missing have a part for them, though nothing more of them is recorded', () => {
    const none = { help: null, wrong_point: null, pending: null, no_signal: null, not_worn: null };
    const totals = { expected: 58, safe: 49, ...none };
    const page = bannerView({ muster: { ...MUSTER, status: 'completed', totals }, rows: [], now: DUE }, true).text;
    expect(page).toContain('class="unknown" x="49" width="9"');
    expect(words(page)).toMatch(/not safe at the end\s+9/);
  });

  test.each([
    [-6, 'due ', '6:00 min left'],
    [-5, 'due soon', '5:00 min left'],
    [2, 'due over', 'LATE 2:00 min'],
  ])('at %i minutes from the deadline say so, in words and as "%s"', (minutes, look, text) => {
    expect(banner(DUE + minutes * 60_000)).toContain(`class="${look}">${text}`);
  });

  test('say in a calm colour that the deadline is past, once everybody is safe', () => {
    const { totals } = MUSTER;
    const safe = { ...MUSTER, totals: { ...totals, safe: totals.expected } };
    for (const minutes of [-2, 10]) expect(banner(DUE + minutes * 60_000, safe)).toContain('<span class="due ">');
  });
});

test('an assembly point with more people than it holds reads as over-full', () => {
  const [gate, hill] = MUSTER.assembly_points as [
    (typeof MUSTER.assembly_points)[0],
    (typeof MUSTER.assembly_points)[0],
  ];
  const [site] = MUSTERING.sites;
  const zones = site!.zones.map((zone) =>
    zone.id === HILL && zone.assembly_point !== null
      ? { ...zone, assembly_point: { ...zone.assembly_point, capacity: 90 } }
      : zone,
  );
  const read = (count: number) =>
    words(pointsView({ ...MUSTER, assembly_points: [gate, { ...hill, count }] }, zones, PANEL_USER).text);
  expect(read(90)).not.toContain('over-full');
  expect(read(90)).toContain('90/90');
  expect(read(382)).toMatch(/382\/90\s+over-full, 292 too many/);
});

describe('the map', () => {
  const scaleAt = (scene: PanelScene): MapScale => {
    const window = firstOf(scene.site);
    return { window, metresPerPx: scaleOf(window, 660, 470), taken: [], chosen: null };
  };
  const textOf = (names: readonly PlaceName[]) => names.map(({ view }) => view.text).join('');
  const labelsOf = (text: string) => [...text.matchAll(/class="code \w*"[^>]*>([^<]+)</g)].map(([, label]) => label);

  test('draws people who stand together as one mark with their number, named after the gravest', () => {
    const crowd = [20, 21, 22, 23].map((n): Placement => {
      const how = n === 22 ? { fares: 'help' as const, help: 'trapped' as const } : { fares: 'no_signal' as const };
      return { n, x: 120 + (n % 2), y: 100, ...how };
    });
    const scene = sceneAt({ ...changed(...crowd), alerts: [] });
    const marks = marksOf(scene, scaleAt(scene));
    expect(marks).toHaveLength(1);
    const view = marks[0]?.view().text ?? '';
    expect(labelsOf(view)).toEqual(['W-022 +3◇']);
    expect(view).toContain('class="mark rescue"');
  });

  test('names up to three people to rescue who stand together, and has their number as ×3 where no name is', () => {
    const crowd = (help: 'trapped' | 'helping') =>
      [20, 21, 22].map((n): Placement => ({ n, x: 120 + (n % 2), y: 100, fares: 'help', help }));
    const labelAt = (help: 'trapped' | 'helping') => {
      const scene = sceneAt({ ...changed(...crowd(help)), alerts: [] });
      return marksOf(scene, scaleAt(scene)).flatMap(({ view }) => labelsOf(view().text));
    };
    expect(labelAt('trapped')).toEqual(['W-020, W-021, W-022']);
    expect(labelAt('helping')).toEqual(['×3']);
  });

  test('covers the name of a zone rather than leave out who is to be rescued', () => {
    const scene = sceneAt({ ...changed({ n: 20, x: 330, y: 110, fares: 'help', help: 'trapped' }), alerts: [] });
    const scale = { ...scaleAt(scene), taken: [firstOf(scene.site)] };
    const labels = (coverable: MapScale['taken']) =>
      marksOf(scene, { ...scale, coverable }).flatMap(({ view }) => labelsOf(view().text));
    expect(labels([])).toEqual([]);
    expect(labels(scale.taken)).toEqual(['W-020']);
  });

  test('covers the name of a zone rather than show a number alone for somebody to rescue', () => {
    const both = [
      { n: 20, x: 330, y: 110, fares: 'help', help: 'trapped' },
      { n: 21, x: 330, y: 110, fares: 'help', help: 'helping' },
    ] as const;
    const scene = sceneAt({ ...changed(...both), alerts: [] });
    const scale = scaleAt(scene);
    // Marks have decimetres, as the drawing.
    const x = (marksOf(scene, scale).at(-1) as MapMark).x / 10;
    const room = 26 * scale.metresPerPx;
    const { y, width, height } = scale.window;
    const taken = [
      { x: x - room - width, y, width, height },
      { x: x + room, y, width, height },
    ];
    const label = (coverable: MapScale['taken']) =>
      marksOf(scene, { ...scale, taken, coverable }).flatMap(({ view }) => labelsOf(view().text));
    expect([label([]), label(taken)]).toEqual([['×2'], ['W-020 +1⊕']]);
  });

  test('puts the name of a full point where nobody to rescue is', () => {
    const nameAt = (y: number) => {
      const full = {
        ...MUSTER,
        assembly_points: MUSTER.assembly_points.map((one) => ({ ...one, count: 80, excluded: null })),
      };
      const scene = sceneAt({
        ...changed({ n: 20, x: 530, y, fares: 'help', help: 'trapped' }),
        alerts: [],
        musters: [full],
      });
      const { names } = mapGroundOf(scene, firstOf(scene.site), 1.9, true);
      return Number(/y="(-?\d+)">Hill 80\/80 full/.exec(textOf(names))?.[1]);
    };
    expect(nameAt(100)).toBeLessThan(-1_000);
    expect(nameAt(258)).toBeGreaterThan(-500);
  });

  test('has the names of places above people, and those to rescue above the names, which leave them free', () => {
    const people = [
      { n: 20, x: 330, y: 110, fares: 'help', help: 'trapped' },
      { n: 21, x: 100, y: 100, fares: 'no_signal' },
    ] as const;
    const { text } = regionView('map', lookAt({ ...changed(...people), alerts: [] }), { site: SITE_ID });
    const order = [...text.matchAll(/class="(mark [a-z_]+|labels)"/g)].map(([, name]) => name);
    const names = order.indexOf('labels');
    expect(order.slice(0, names)).toContain('mark no_signal');
    expect(order.slice(names)).toEqual(['labels', 'mark rescue']);
    // The name is at the other edge of the zone where somebody to rescue is at the first.
    const nameWith = (y: number) => {
      const scene = sceneAt({ ...changed({ ...people[0], y }), alerts: [] });
      const { names } = mapGroundOf(scene, firstOf(scene.site), scaleAt(scene).metresPerPx, true);
      return /y="(-?\d+)">Tank Farm/.exec(textOf(names))?.[1];
    };
    expect(new Set([60, 80, 100, 120, 140, 160].map(nameWith)).size).toBeGreaterThan(1);
  });

  const sosOf = (n: number, change: object = {}) =>
    ({ ...sos, id: alertId(n), worker: { ...sos.worker, id: workerId(n) }, ...change }) as Alert;
  const HELPING = { type: 'evacuation_help', details: { reason: 'helping' } };

  test.each<readonly [string, StreamSnapshot]>([
    ['a quiet site', QUIET],
    ['somebody with an open SOS in no muster', { ...QUIET, alerts: [sosOf(3)] }],
    ['somebody whose alert is not critical', { ...QUIET, alerts: [sosOf(3, { severity: 'high' })] }],
    ['a helper whose alert is open after the muster', { ...QUIET, alerts: [sosOf(3, HELPING)] }],
    ['a muster', MUSTERING],
    [
      'an SOS of somebody whom the muster does not expect',
      {
        ...MUSTERING,
        people: MUSTERING.people.map((one) =>
          one.worker_id === workerId(3) ? { ...one, status: null, muster: null } : one,
        ),
        alerts: [...MUSTERING.alerts, sosOf(3)],
      },
    ],
  ])('of %s has a sign of the vocabulary for everybody, and each sign in its legend with its word', (_, snapshot) => {
    const { text } = regionView('map', lookAt(snapshot), { site: SITE_ID });
    const terms = [...Object.entries(PERSON_TERMS), ...Object.entries(SEVERITY_TERMS)];
    const known = new Map(terms.map(([name, { glyph, word }]) => [name, `${glyph} ${word}`]));
    const legend = new Map(
      [...text.matchAll(/<li class="fare (\w+)">(.*?)<\/li>/g)].map(([, rank = '', item = '']) => [
        rank,
        words(item).trim(),
      ]),
    );
    for (const [rank, item] of legend) expect(item.replace(/ alert$/, '')).toBe(known.get(rank));
    const marks = [...text.matchAll(/class="mark (\w+)"><title>[^<]*<\/title><text[^>]*>([^<]+)/g)];
    for (const [, rank = '', glyph] of marks) expect([rank, legend.get(rank)?.split(' ')[0]]).toEqual([rank, glyph]);
    for (const [, rank = ''] of text.matchAll(/class="dots (\w+)" d="[^"]/g))
      expect([...legend.keys()]).toContain(rank);
    // The list of people has the same sign for them. That of a muster has nobody whom it does not expect.
    for (const by of ['person', 'place'] as const)
      for (const [, rank = '', glyph] of marks) {
        const { text: list } = peopleView(sceneAt(snapshot, { by, all: true }));
        if (rank !== 'safe' && (rank !== 'critical' || sceneAt(snapshot).active === null))
          expect(list).toContain(`<span class="fare ${rank}"><i aria-hidden="true">${glyph}</i>`);
      }
  });

  test.each([
    'fall_detected',
    'worker_call_request',
    'low_battery',
  ] as const)('has the sign of the severity of an alert of type %s in the list of people too', (type) => {
    const alert = sosOf(3, {
      type,
      severity: 'high',
      details: { escalated_to_sos: false, voice_note: false, battery_pct: 9 },
    });
    const list = peopleView(sceneAt({ ...QUIET, alerts: [alert] })).text;
    expect(list).toContain(
      `<span class="fare high"><i aria-hidden="true">${SEVERITY_TERMS.high.glyph}</i> ${whatText(alert)}</span>`,
    );
  });

  test('has the signs of all statuses of people who stand together', () => {
    const scene = sceneAt(
      changed({ n: 21, x: 300, y: 60, fares: 'wrong_point' }, { n: 24, x: 301, y: 60, fares: 'not_worn' }),
    );
    const labels = marksOf(scene, scaleAt(scene)).flatMap(({ view }) => labelsOf(view().text));
    expect(labels).toContain(`+1${PERSON_TERMS.not_worn.glyph}`);
  });

  test('leaves out the name of a zone that the code of somebody to rescue covers', () => {
    const mark = {
      key: 'a',
      x: 0,
      y: 0,
      identity: '',
      isUrgent: true,
      label: { x: 0, y: 0, width: 9, height: 9 },
      view: () => html``,
    };
    const name = (x: number): PlaceName => ({ box: { x, y: 0, width: 5, height: 5 }, view: html`at ${x}` });
    const [names] = withNames([mark], [name(4), name(20)]);
    expect(names?.view().text).toBe('<g class="labels" data-key="names">at 20</g>');
  });

  test('has a legend with the dot that people without an exception are drawn as', () => {
    const { text } = regionView('map', lookAt(MUSTERING), { site: SITE_ID });
    expect(text).toContain('<li class="fare pending"><i class="dot" aria-hidden="true"></i>');
  });

  test('gives the label of whoever needs rescue its place first: a label that would cover it moves or goes', () => {
    const row = [20, 21, 22, 23, 24].map(
      (n): Placement => ({
        n,
        x: 100 + (n - 20) * 22,
        y: 100,
        fares: 'help',
        help: n === 22 ? 'injured' : 'helping',
      }),
    );
    const scene = sceneAt({ ...changed(...row), alerts: [] });
    const scale = scaleAt(scene);
    const labels = marksOf(scene, scale).flatMap(({ view }) => labelsOf(view().text));
    expect(labels).toContain('W-022');
    expect(new Set(labels).size).toBe(labels.length);
  });

  test('has no label that covers another, with 2,000 people of whom many need help', () => {
    const many = Array.from({ length: 2_000 }, (_, n) => n + 1);
    const [someone] = MUSTERING.workers;
    const workers = many.map((n) => ({ ...someone!, id: workerId(n), external_id: `W-${n}`, name: `Ana ${n}` }));
    // Dense and even, without a random source.
    const people = many.map((n) => {
      const at = { n, x: 40 + ((n * 37) % 480), y: 30 + ((n * 53) % 220) };
      return person(n % 3 === 0 ? { ...at, fares: 'help', help: 'injured' } : { ...at, fares: 'no_signal' });
    });
    const scene = sceneAt({ ...MUSTERING, workers, people, alerts: [] });
    const scale = scaleAt(scene);
    const labels = marksOf(scene, scale).flatMap(({ view }) =>
      [...view().text.matchAll(/class="code (\w+)" x="([-\d]+)" y="([-\d]+)"[^>]*>([^<]+)</g)].map(
        ([, side, x, y, text = '']) => {
          // In CSS pixels, as the style draws them: 11 px bold.
          const [px, py, width] = [
            Number(x) / 10 / scale.metresPerPx,
            Number(y) / 10 / scale.metresPerPx,
            text.length * 6.6,
          ];
          const left = side === 'right' ? px + 8 : side === 'left' ? px - 8 - width : px - width / 2;
          const middle = side === 'above' ? py - 12 : side === 'below' ? py + 13 : py;
          return { text, x: left, y: middle - 5, width, height: 10 };
        },
      ),
    );
    expect(labels.length).toBeGreaterThan(20);
    const covered = labels.flatMap((one, place) =>
      labels.slice(place + 1).flatMap((other) => (overlap(one, other) ? [`${one.text} ${other.text}`] : [])),
    );
    expect(covered).toEqual([]);
  });

  test('marks the person of a page whatever their status', () => {
    const scene = sceneAt(MUSTERING);
    const marks = marksOf(scene, { ...scaleAt(scene), chosen: workerId(3) });
    expect(marks.at(-1)?.view().text).toMatch(/class="mark safe chosen"[\s\S]*◯[\s\S]*W-003/);
  });

  test('keeps the name of the person of a page in view at the edge, also where no place is free', () => {
    const scene = sceneAt(changed({ n: 3, x: 599, y: 150, fares: 'safe' }));
    const scale = scaleAt(scene);
    const edge = { ...scale, window: { ...scale.window, width: 310 - scale.window.x }, taken: [scale.window] };
    const marks = marksOf(scene, { ...edge, chosen: workerId(3) });
    expect(marks.at(-1)?.view().text).toMatch(/class="code left"[^>]*>W-003/);
  });
});

test('the curve writes its figures beside the picture, where no width makes them smaller', () => {
  const view = curveView(MUSTER, [{ at: Date.parse(MUSTER.started_at) + 60_000, safe: 7 }], Date.parse(NOW)).text;
  const [picture = '', words = ''] = view.split('<svg class="words"');
  expect(picture).not.toContain('<text');
  expect(words).not.toContain('viewBox');
  expect(words).toMatch(/<text class="tick" x="[\d.]+%"[^>]*>5′<\/text>/);
});

test('an age is reported in the largest unit that matters', () => {
  expect([0, 59_000, 61_000, 7_500_000, 260_000_000].map(ageText)).toEqual([
    '0 s',
    '59 s',
    '1 min',
    '2 h 5 min',
    '3 d',
  ]);
});
