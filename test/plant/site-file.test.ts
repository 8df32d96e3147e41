/** A site file becomes a plant, or all its mistakes are reported with line and column. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pointInPolygon } from '../../src/base/geometry/shapes.ts';
import { SCOPES } from '../../src/contract/enumerations.ts';
import { renderMistakes } from '../../src/plant/shown-mistakes.ts';
import { readSiteFile, type SiteFileOptions } from '../../src/plant/site-file.ts';

const HARBOUR = readFileSync(new URL('../../scenarios/sites/harbour.yaml', import.meta.url), 'utf8');

const HEAD = ['part: Test', 'site:', '  name: Test plant', '  origin: [43.3610, -8.4120]', '  zones:'];
const GOOD_ZONES = [
  '    Dock:   {type: work_area, box: [0, 0, 200, 120]}',
  '    Gate A: {type: assembly_point, box: [-40, 0, -20, 20], serves: [general]}',
];

/** A plant with these zones (each a line) and these further lines; the zones begin on line 6. */
const plant = (zones: readonly string[], ...rest: string[]): string =>
  [...HEAD, ...GOOD_ZONES, ...zones.map((zone) => `    ${zone}`), ...rest].join('\n');

/** `line:column length message` of each mistake. */
const reported = (text: string, options: SiteFileOptions = {}): string[] =>
  readSiteFile(text, 'x.yaml', options).mistakes.map((m) => `${m.line}:${m.column} ${m.length} ${m.message}`);
const warned = (text: string): string[] =>
  readSiteFile(text, 'x.yaml').warnings.map((m) => `${m.line}:${m.column} ${m.length} ${m.message}`);

const noted = (text: string): string[] =>
  readSiteFile(text, 'x.yaml').notes.map((m) => `${m.line}:${m.column} ${m.length} ${m.message}`);

const planOf = (text: string, options: SiteFileOptions = {}) => {
  const { plan, mistakes } = readSiteFile(text, 'x.yaml', options);
  expect(mistakes).toEqual([]);
  return plan!;
};

describe('harbour.yaml', () => {
  const { plan, mistakes, warnings, contract } = readSiteFile(HARBOUR, 'harbour.yaml');

  test('reads without a mistake or a warning', () => {
    expect(renderMistakes([...mistakes, ...warnings], () => HARBOUR)).toBe('');
  });

  test('has the zones of the example, in metres', () => {
    const zone = (name: string, type: string, ring: number[][], assemblyPoint: object | null = null) => ({
      name,
      type,
      ring,
      assemblyPoint,
      floors: [],
      doors: [],
    });
    const box = (x1: number, y1: number, x2: number, y2: number) => [
      [x1, y1],
      [x2, y1],
      [x2, y2],
      [x1, y2],
    ];
    const ground = { elevationSource: null, vertical: false, minHeightM: null };
    expect(plan?.zones).toEqual([
      zone('Dock', 'work_area', box(0, 0, 200, 120)),
      zone('Pier 3', 'work_area', box(200, 0, 320, 60)),
      zone('Tank farm', 'restricted', box(0, 150, 160, 260)),
      zone('Warehouse', 'building', box(170, 150, 260, 240)),
      zone('Canteen', 'privacy', box(270, 150, 300, 180)),
      zone('Gate A', 'assembly_point', box(-40, 0, -20, 20), {
        ...ground,
        serves: ['general', 'earthquake'],
        elevationM: null,
        capacity: 80,
      }),
      zone('Hill North', 'assembly_point', box(-420, 380, -390, 410), {
        ...ground,
        serves: ['general', 'tsunami'],
        elevationM: 42,
        capacity: null,
      }),
      zone('Hill South', 'assembly_point', box(-460, -200, -430, -170), {
        ...ground,
        serves: ['general', 'tsunami'],
        elevationM: 38,
        capacity: null,
      }),
    ]);
  });

  test('has its place, plan, thresholds and contract', () => {
    expect(plan).toMatchObject({
      name: 'Harbour plant',
      location: null,
      privacyMode: 'continuous',
      unveilMinSeverity: 'high',
      origin: { latitude: 43.361, longitude: -8.412 },
      boundary: null,
      plan: { general: 900_000, tsunami: 1_800_000, earthquake: 900_000 },
      service: { fallPromptMs: 30_000, noSignalAfterMs: 90_000, offlineAfterMs: 600_000, positionEveryMs: 10_000 },
      workers: [],
      vehicles: [],
      permits: [],
    });
    expect(contract).toEqual({ includeWorkerNames: true, scopes: SCOPES, technicalContact: 'safety@harbour.example' });
  });
});

describe('a whole wrong file', () => {
  test('tells all its mistakes at once, in order, below their lines', () => {
    const text = `part: Broken
site:
  name: Broken plant
  origin: [43.3610, -8.4120]
  plan: {general: 15, tsunami: "10:00"}
  zonez: {}
  zones:
    Dock: {type: work_aera, box: [0, 0, 200]}
    Shop: {type: building, box: [0, 200, 50, 250], doors: [[20, 220, 2]]}
workers:
  ana: {in: Dokc}
  bob: {near: anna}
`;
    const { plan, mistakes } = readSiteFile(text, 'broken.yaml');
    expect(plan).toBeNull();
    expect(renderMistakes(mistakes, () => text)).toBe(`broken.yaml:5:19  15 has no unit. Write 15s or 15m.
    5 |   plan: {general: 15, tsunami: "10:00"}
      |                   ^^
broken.yaml:5:32  10:00 is not a duration. Write 10m.
    5 |   plan: {general: 15, tsunami: "10:00"}
      |                                ^^^^^^^
broken.yaml:6:3  "zonez" is not a key of a site. Write location, privacy_mode, unveil_min_severity, boundary or water.
    6 |   zonez: {}
      |   ^^^^^
broken.yaml:8:18  "work_aera" is not a zone type. Did you mean "work_area"?
    8 |     Dock: {type: work_aera, box: [0, 0, 200]}
      |                  ^^^^^^^^^
broken.yaml:8:34  [0, 0, 200] is not a box. Write [x1, y1, x2, y2], metres east and north of the origin.
    8 |     Dock: {type: work_aera, box: [0, 0, 200]}
      |                                  ^^^^^^^^^^^
broken.yaml:9:60  This door is 20.0 m from the outline of "Shop". Put it on the outline.
    9 |     Shop: {type: building, box: [0, 200, 50, 250], doors: [[20, 220, 2]]}
      |                                                            ^^^^^^^^^^^^
broken.yaml:11:13  "Dokc" is not a zone of "Broken plant". Did you mean "Dock"?
   11 |   ana: {in: Dokc}
      |             ^^^^
broken.yaml:12:15  "anna" is not a worker. Did you mean "ana"?
   12 |   bob: {near: anna}
      |               ^^^^`);
  });

  test('is not a scenario, not several plants, not empty', () => {
    expect(reported('')).toEqual(['1:1 1 An empty value is not a site file.']);
    expect(reported('[]')).toEqual(['1:1 1 A list is not a site file.']);
    expect(reported(`scenario: A scenario\n${plant([])}\nsteps: []`)).toEqual([
      '1:1 8 This is a scenario. A site file begins with part: and has no steps.',
      '9:1 5 "steps" is not a key of a site file. Write contract, service, workers, crowd, vehicles or crew.',
    ]);
    expect(reported('part: Two\nsites: {}')).toEqual([
      '1:1 1 A site file needs "site".',
      '2:1 5 A site file has one plant. Write site: and what it has.',
    ]);
  });

  test('may hold other parts of the language, which a plant leaves out', () => {
    expect(warned(plant([], 'macros: {}'))).toEqual(['8:1 6 "macros" is not a key of a plant and is ignored.']);
  });
});

describe('a mistake in the site', () => {
  const site = (line: string) => reported(plant([]).replace('  zones:', `  ${line}\n  zones:`));
  test.each([
    ['privacy_mode: continous', '"continous" is not a privacy mode. Did you mean "continuous"?'],
    ['privacy_mode: never', '"never" is not a privacy mode. Write continuous or on_demand.'],
    ['unveil_min_severity: hihg', '"hihg" is not a severity. Did you mean "high"?'],
    ['location: 12', 'A number is not a text. Put it in quotes: "12".'],
    ['privacymode: continuous', '"privacymode" is not a key of a site. Did you mean "privacy_mode"?'],
    ['plan: {quake: 3m}', '"quake" is not a key of a plan. Write general, tsunami or earthquake.'],
    ['plan: {tsunami: 0s}', '0s is no time at all. Write 1s or more.'],
    ['plan: {tsunami: [20m]}', '[20m] is not a duration. Write 30s, 2m or 1h30m.'],
    ['boundary: [1, 2, 3]', '[1, 2, 3] is not a boundary. Write [[x, y], [x, y], [x, y]...] or [x1, y1, x2, y2].'],
    ['boundary: [5, 5, 5, 9]', 'The boundary has no area. Write corners that do not lie on one line.'],
  ])('%s', (line, message) => {
    expect(site(line).map((mistake) => mistake.replace(/^5:\d+ \d+ /, ''))).toEqual([message]);
  });

  test('an origin off the globe', () => {
    const origin = (pair: string) => reported(plant([]).replace('[43.3610, -8.4120]', pair));
    expect(origin('[91.5, 8]')).toEqual([
      '4:12 4 91.5 is not the latitude of a site. Write [latitude, longitude], the first -85 to 85.',
    ]);
    expect(origin('[8, 181]')).toEqual([
      '4:15 3 181 is not a longitude. Write [latitude, longitude], the second -180 to 180.',
    ]);
    expect(origin('43.3')).toEqual(['4:11 4 43.3 is not an origin. Write [latitude, longitude] in degrees.']);
    expect(origin('[.nan, 1]')).toEqual(['4:12 4 NaN is not a number.']);
  });

  test('what is missing is reported at what should hold it', () => {
    expect(reported('part: X\nsite:\n  location: Here\n')).toEqual([
      '2:1 4 A site needs "name". Write a text of one line.',
      '2:1 4 A site needs "origin". Write [latitude, longitude] in degrees.',
      '2:1 4 A site needs "zones". Write a name, a colon and a zone for each.',
    ]);
    expect(reported('part: X\nsite: {name: X, origin: [1, 2], zones: {}}\n')).toEqual([
      '2:33 5 A site has at least one zone. Write a name, a colon and a zone.',
    ]);
  });
});

describe('a mistake in a zone', () => {
  test.each([
    ['A: {type: building}', '"A" has no outline. Write "box", "polygon" or "geojson".', 'A'],
    ['A: {box: [0, 0, 1, 1]}', 'A zone needs "type".', 'A'],
    [
      'A: {type: building, box: [0, 0, 1, 1], polygon: [[0, 0], [1, 0], [1, 1]]}',
      '"A" has a "box" already. Delete one of the two.',
      'polygon',
    ],
    [
      'A: {type: building, polygon: [[0, 0], [10, 10], [10, 0], [0, 10]]}',
      'The outline of "A" crosses or touches itself. Write the corners in the order of a walk around it.',
      '[[0, 0], [10, 10], [10, 0], [0, 10]]',
    ],
    [
      'A: {type: building, polygon: [[0, 0], [5, 5], [10, 10]]}',
      '"A" has no area. Write corners that do not lie on one line.',
      '[[0, 0], [5, 5], [10, 10]]',
    ],
    [
      'A: {type: building, box: [3, 0, 3, 10]}',
      '"A" has no area. Write corners that do not lie on one line.',
      '[3, 0, 3, 10]',
    ],
    [
      'A: {type: building, polygon: [[0, 0], [1, 0]]}',
      'A list is not a polygon. Write [[x, y], [x, y], [x, y]...], 3 to 1000 corners.',
      '[[0, 0], [1, 0]]',
    ],
    ['A: {type: building, box: [0, 0, 10, 90000]}', '90000 is out of range. Write -20000 to 20000.', '90000'],
    ['A: {type: building, box: [0, 0, ten, 9]}', '"ten" is not a number of metres.', 'ten'],
    [
      'A: {type: work_area, box: [0, 0, 9, 9], serves: [general]}',
      '"serves" is for assembly points, and "A" is of type work_area.',
      'serves',
    ],
    [
      'A: {type: assembly_point, box: [0, 0, 9, 9]}',
      'An assembly point needs "serves". Write serves: [general, tsunami, earthquake] or some of them.',
      'A',
    ],
    [
      'A: {type: assembly_point, box: [0, 0, 9, 9], serves: []}',
      'A list is not a list of kinds. Write [general, tsunami, earthquake] or some of them.',
      '[]',
    ],
    [
      'A: {type: assembly_point, box: [0, 0, 9, 9], serves: [generall]}',
      '"generall" is not a muster kind. Did you mean "general"?',
      'generall',
    ],
    [
      'A: {type: assembly_point, box: [0, 0, 9, 9], serves: [general], capacity: -3}',
      '-3 is out of range. Write 0 to 1000000.',
      '-3',
    ],
    [
      'A: {type: assembly_point, box: [0, 0, 9, 9], serves: [general], capacity: 2.5}',
      '2.5 is not a whole number.',
      '2.5',
    ],
    [
      'A: {type: assembly_point, box: [0, 0, 9, 9], serves: [general], vertical: yes}',
      '"yes" is not true or false.',
      'yes',
    ],
    [
      'A: {type: assembly_point, box: [0, 0, 9, 9], serves: [general], elevation_source: dem}',
      'There is no "elevation_m" that could have a source.',
      'elevation_source',
    ],
    [
      'A: {type: assembly_point, box: [0, 0, 9, 9], serves: [general], min_height_m: 9}',
      'Only vertical assembly points have a least height. Write vertical: true, or delete it.',
      'min_height_m',
    ],
    [
      'A: {type: work_area, box: [0, 0, 9, 9], floors: [{name: Ground, height_m: 0}]}',
      'Only buildings and vertical assembly points have floors. Write type: building, or delete them.',
      'floors',
    ],
    [
      'A: {type: assembly_point, box: [0, 0, 9, 9], serves: [general], floors: [{name: G, height_m: 0}]}',
      'Only buildings and vertical assembly points have floors. Write vertical: true, or delete them.',
      'floors',
    ],
    ['A: {type: building, box: [0, 0, 9, 9], floors: [{name: G}]}', 'A floor needs "height_m".', '{name: G}'],
    [
      'A: {type: building, box: [0, 0, 9, 9], floors: [{name: G, height_m: 0}, {name: G, height_m: 3}]}',
      '"G" is the name of another floor already.',
      'G',
    ],
    [
      'A: {type: building, box: [0, 0, 9, 9], doors: [[4, 4, 2]]}',
      'This door is 4.0 m from the outline of "A". Put it on the outline.',
      '[4, 4, 2]',
    ],
    [
      'A: {type: building, box: [0, 0, 9, 9], doors: [[9, 4]]}',
      '[9, 4] is not a door. Write [x, y, width], all in metres.',
      '[9, 4]',
    ],
    [
      'A: {type: building, box: [0, 0, 9, 9], doors: [[9, 4, 0.2]]}',
      'A door of 0.2 m lets nobody through. Write [x, y, width], at least 0.5 m wide.',
      '[9, 4, 0.2]',
    ],
    [
      'dock: {type: building, box: [0, 0, 9, 9]}',
      '"dock" differs from the zone "Dock" in capitals only. Rename one.',
      'dock',
    ],
    [
      'A: {type: building, box: [0, 0, 9, 9], colour: red}',
      '"colour" is not a key of a zone. Write polygon, geojson, serves, capacity, elevation_m, elevation_source, vertical, min_height_m, floors, doors or stairs.',
      'colour',
    ],
    ['A: 3', '3 is not a zone. Write A: {type: work_area, box: [0, 0, 80, 60]}.', '3'],
    [
      'A: {type: building, geojson: {type: Point, coordinates: [[[-8.41, 43.36], [-8.4, 43.36], [-8.4, 43.37], [-8.41, 43.36]]]}}',
      '"Point" is not a GeoJSON type of a zone. Write Polygon, MultiPolygon, Feature or FeatureCollection.',
      'Point',
    ],
    [
      'A: {type: building, geojson: {type: Polygon, coordinates: [[[43.36, -8.41], [43.37, -8.41], [43.37, -8.42], [43.36, -8.41]]]}}',
      '[43.36, -8.41] is more than 20 km from the origin of the site. GeoJSON has the longitude first.',
      '[43.36, -8.41]',
    ],
    [
      'A: {type: building, geojson: {type: Polygon, coordinates: [[[0, 0], [1, 0], [1, 99], [0, 0]]]}}',
      '[0, 0] is more than 20 km from the origin of the site. GeoJSON has the longitude first.',
      '[0, 0]',
    ],
    [
      'A: {type: building, geojson: far.json}',
      'The file "far.json" does not exist. Write its polygon here, or check the name.',
      'far.json',
    ],
  ])('%s', (zone, message, word) => {
    const { mistakes } = readSiteFile(plant([zone]), 'x.yaml');
    expect(mistakes.map((mistake) => mistake.message)).toEqual([message]);
    const { line, column, length } = mistakes[0]!;
    expect(
      plant([zone])
        .split('\n')
        [line - 1]!.slice(column - 1, column - 1 + length),
    ).toBe(word);
  });

  test('a position off the globe', () => {
    const zone =
      'A: {type: building, geojson: {type: Polygon, coordinates: [[[-8.4, 99], [1, 0], [1, 9], [-8.4, 99]]]}}';
    expect(reported(plant([zone]))).toEqual([
      '8:65 10 [-8.4, 99] is not on the globe. Write [longitude, latitude] in degrees.',
    ]);
  });

  test('one name for two zones', () => {
    expect(reported(plant(['Dock: {type: building, box: [0, 0, 9, 9]}']))).toEqual([
      '8:5 4 "Dock" is repeated; it is on line 6 already. Delete one.',
    ]);
  });
});

describe('a zone', () => {
  const zoneOf = (zone: string, options: SiteFileOptions = {}) => planOf(plant([zone]), options).zones.at(-1)!;

  test('of GeoJSON is turned into metres around the origin', () => {
    // At 43.361 degrees north a thousandth of a degree is 111.1 m north and 81.1 m east.
    const ring = '[[-8.412, 43.361], [-8.411, 43.361], [-8.411, 43.362], [-8.412, 43.362], [-8.412, 43.361]]';
    const geojson = `{type: Polygon, coordinates: [${ring}]}`;
    const { ring: metres } = zoneOf(`A: {type: building, geojson: ${geojson}}`);
    expect(metres).toHaveLength(4);
    expect(metres[0]).toEqual([0, 0]);
    expect(metres[2]![0]).toBeCloseTo(81.05, 1);
    expect(metres[2]![1]).toBeCloseTo(111.1, 1);
  });

  test('of a GeoJSON file is read by the caller, a feature too', () => {
    const coordinates = [
      [
        [-8.412, 43.361],
        [-8.411, 43.361],
        [-8.411, 43.362],
        [-8.412, 43.361],
      ],
    ];
    const files: Record<string, string> = {
      'a.json': JSON.stringify({ type: 'Polygon', coordinates }),
      'b.json': JSON.stringify({ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates } }),
      'c.json': 'no json',
    };
    const readFile = (name: string) => files[name];
    const a = zoneOf('A: {type: building, geojson: a.json}', { readFile });
    expect(a.ring).toHaveLength(3);
    expect(zoneOf('A: {type: building, geojson: b.json}', { readFile }).ring).toEqual(a.ring);
    expect(reported(plant(['A: {type: building, geojson: c.json}']), { readFile })).toEqual([
      '8:34 6 The file "c.json" is not JSON: at line 1, column 1, a value is neither a number, true, false or null, nor a text in double quotes.',
    ]);
  });

  describe('of GeoJSON', () => {
    const coordinates = [
      [
        [-8.412, 43.361],
        [-8.411, 43.361],
        [-8.411, 43.362],
        [-8.412, 43.361],
      ],
    ];
    const polygon = { type: 'Polygon', coordinates };
    const feature = {
      type: 'Feature',
      id: 7,
      properties: { name: 'Dock' },
      bbox: [-8.4, 43, -8.4, 43],
      geometry: polygon,
    };
    const collection = { type: 'FeatureCollection', name: 'docks', features: [feature] };
    const named = (name: string) => ({ type: 'name', properties: { name } });
    const zone = (value: unknown) => `A: {type: building, geojson: ${JSON.stringify(value)}}`;
    /** The mistakes of the value in the site file, and in a file of its own. */
    const mistakesOf = (value: unknown): string[] => {
      const readFile = () => JSON.stringify(value);
      return [plant([zone(value)]), plant(['A: {type: building, geojson: a.json}'])].map(
        (text) => reported(text, { readFile })[0] ?? 'none',
      );
    };

    test.each([
      ['a polygon with further members', { ...polygon, bbox: [-8.4, 43, -8.4, 43], title: 'Dock' }],
      ['a feature', feature],
      ['a collection of one feature', collection],
      ['a multipolygon of one polygon', { type: 'MultiPolygon', coordinates: [coordinates] }],
      ['a feature with a multipolygon', { ...feature, geometry: { type: 'MultiPolygon', coordinates: [coordinates] } }],
      ['a collection of QGIS', { ...collection, crs: named('urn:ogc:def:crs:OGC:1.3:CRS84') }],
      ['a feature in EPSG:4326', { ...feature, crs: named('EPSG:4326') }],
      ['a polygon in the urn form', { ...polygon, crs: named('urn:ogc:def:crs:EPSG::4326') }],
      ['a polygon in a versioned urn', { ...polygon, crs: named('urn:ogc:def:crs:EPSG:6.9:4326') }],
      ['a polygon with the address of its system', { ...polygon, crs: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84' }],
      ['an unnamed system', { ...polygon, crs: null }],
    ])('has the outline of %s', (_what, value) => {
      expect(mistakesOf(value)).toEqual(['none', 'none']);
      const expected = zoneOf(zone(polygon)).ring;
      expect(zoneOf(zone(value)).ring).toEqual(expected);
      expect(zoneOf('A: {type: building, geojson: a.json}', { readFile: () => JSON.stringify(value) }).ring).toEqual(
        expected,
      );
    });

    const other = named('urn:ogc:def:crs:EPSG::25829');
    const fix = 'is not WGS 84. Export the polygon in EPSG:4326 (WGS 84), in degrees, longitude first.';
    test.each([
      ['two features', { ...collection, features: [feature, feature] }, 'These are 2 features, and a zone has one.'],
      ['no feature', { ...collection, features: [] }, 'These are 0 features, and a zone has one.'],
      ['two polygons', { type: 'MultiPolygon', coordinates: [coordinates, coordinates] }, 'These are 2 polygons'],
      ['a collection without features', { type: 'FeatureCollection' }, 'A GeoJSON list of features is missing.'],
      ['a feature without geometry', { ...feature, geometry: null }, 'An empty value is not a GeoJSON polygon.'],
      [
        'a point in a feature',
        { ...feature, geometry: { type: 'Point', coordinates: [0, 0] } },
        '"Point" is not a GeoJSON type',
      ],
      ['another system of a collection', { ...collection, crs: other }, `"urn:ogc:def:crs:EPSG::25829" ${fix}`],
      ['another system of a feature', { ...feature, crs: named('EPSG:3857') }, `"EPSG:3857" ${fix}`],
      [
        'another system of a polygon',
        { ...feature, geometry: { ...polygon, crs: 'EPSG:14326' } },
        `"EPSG:14326" ${fix}`,
      ],
      ['a linked system', { ...polygon, crs: { type: 'link', properties: { href: 'x' } } }, `This ${fix}`],
    ])('is refused with its reason: %s', (_what, value, message) => {
      const [inSite, inFile] = mistakesOf(value);
      expect(inSite).toContain(message);
      expect(inFile).toContain(`The file "a.json" is no GeoJSON polygon: ${message}`);
    });

    test('is refused at the wrong position', () => {
      const far = structuredClone(collection);
      (far.features[0] as typeof feature).geometry.coordinates[0]![1] = [43.361, -8.411];
      const text = plant([zone(far)]);
      const [line = '', column = 0] = [text.split('\n')[7], text.split('\n')[7]?.indexOf('[43.361')];
      expect(reported(text)[0]).toMatch(new RegExp(`^8:${column + 1} ${line.match(/\[43.361,-8.411\]/)?.[0].length} `));
    });
  });

  test('a vertical zone serves from its lowest refuge up, unless the file gives another height', () => {
    const floors =
      '[{name: G, height_m: 0}, {name: 3, height_m: 9, refuge: true}, {name: R, height_m: 12, refuge: true}]';
    const tower = (more: string) =>
      zoneOf(
        `T: {type: assembly_point, box: [0, 300, 9, 309], serves: [tsunami], vertical: true, floors: ${floors.replace('3,', '"3",')}${more}}`,
      );
    expect(tower('').assemblyPoint).toMatchObject({ vertical: true, minHeightM: 9 });
    expect(tower(', min_height_m: 6').assemblyPoint?.minHeightM).toBe(6);
    expect(tower('').floors[1]).toEqual({ name: '3', heightM: 9, refuge: true });
    const noRefuge = 'T: {type: assembly_point, box: [0, 300, 9, 309], serves: [tsunami], vertical: true}';
    expect(zoneOf(noRefuge).assemblyPoint?.minHeightM).toBeNull();
    expect(warned(plant([noRefuge]))).toEqual([
      '8:5 1 "T" has no refuge floor and no "min_height_m": everyone inside counts as safe.',
    ]);
  });

  test('has its doors on the outline, also when they were drawn half a metre off', () => {
    const { doors } = zoneOf('A: {type: building, box: [0, 200, 50, 250], doors: [[50.5, 220, 2], [20, 249.6, 1]]}');
    expect(doors).toEqual([
      { at: [50, 220], widthM: 2 },
      { at: [20, 250], widthM: 1 },
    ]);
  });

  test('has its stairs inside, between floors', () => {
    const floors = 'floors: [{name: G, height_m: 0}, {name: U, height_m: 4}]';
    const house = (more: string) => `A: {type: building, box: [0, 200, 50, 250], ${more}}`;
    expect(zoneOf(house(`${floors}, stairs: [[5, 205, 1.2]]`)).stairs).toEqual([{ at: [5, 205], widthM: 1.2 }]);
    expect(zoneOf(house(floors)).stairs).toBeUndefined();
    expect(reported(plant([house(`${floors}, stairs: [[50, 220, 1.2], [5, 205, 0.1]]`)]))).toEqual([
      '8:116 14 This stair is not inside "A". Put it at least 0.5 m from the outline.',
      '8:132 13 A stair of 0.1 m lets nobody through. Write at least 0.5 m.',
    ]);
    expect(reported(plant([house('stairs: [[5, 205, 1.2]]')]))).toEqual([
      '8:49 6 "A" has no floors that stairs could join. Write floors, or delete them.',
    ]);
  });

  test('about which the file is silent is noted, with what people assume', () => {
    const floors = 'floors: [{name: G, height_m: 0}, {name: U, height_m: 4}]';
    const zones = [
      `A: {type: building, box: [0, 200, 50, 250], ${floors}}`,
      'B: {type: building, box: [60, 200, 90, 250]}',
      'C: {type: building, box: [100, 200, 150, 250], doors: [[100, 220, 2]]}',
    ];
    expect(noted(plant(zones))).toEqual([
      '5:3 5 "A", "B" have no doors: people use one of 1.2 m in the middle of each side. Write doors: [[x, y, width]].',
      '5:3 5 "A" has no stairs: people climb one of 1.2 m in the middle. Write stairs: [[x, y, width]].',
      '5:3 5 "Gate A" has no capacity: people find room for 2 per square metre. Write capacity: 80.',
    ]);
    expect(warned(plant(zones))).toEqual([]);
  });

  test('with an open gap between walls of less than 1.5 m are warned of, since any number of people would pass it', () => {
    const beside = (x: number) =>
      warned(plant(['A: {type: building, box: [0, 200, 50, 250]}', `B: {type: building, box: [${x}, 190, 90, 240]}`]));
    expect(beside(51)).toEqual([
      '9:5 1 "A" and "B" are 1.0 m apart, and more people would walk between them than fit. Close the gap, make it 1.5 m or wider, or draw one zone with a door there.',
    ]);
    for (const x of [50, 50.2, 51.5, 60]) expect(beside(x)).toEqual([]);
  });

  test.each([
    // A yard in the building, with an opening in its north side.
    [
      'a yard behind an opening of 1 m',
      [
        [0, 200],
        [50, 200],
        [50, 250],
        [26, 250],
        [26, 210],
        [25, 210],
        [25, 250],
        [0, 250],
      ],
      '1.0',
    ],
    [
      'an opening of 1.2 m between two arms',
      [
        [0, 200],
        [50, 200],
        [50, 250],
        [25.6, 250],
        [25.6, 240],
        [40, 240],
        [40, 210],
        [10, 210],
        [10, 240],
        [24.4, 240],
        [24.4, 250],
        [0, 250],
      ],
      '1.2',
    ],
    [
      'an opening of 2 m',
      [
        [0, 200],
        [50, 200],
        [50, 250],
        [27, 250],
        [27, 210],
        [25, 210],
        [25, 250],
        [0, 250],
      ],
      null,
    ],
    [
      'a recess of 1 m that is 2 m deep',
      [
        [0, 200],
        [50, 200],
        [50, 250],
        [26, 250],
        [26, 248],
        [25, 248],
        [25, 250],
        [0, 250],
      ],
      null,
    ],
    [
      'a bevelled corner',
      [
        [0, 200],
        [50, 200],
        [50, 225],
        [30, 225],
        [29, 226],
        [29, 250],
        [0, 250],
      ],
      null,
    ],
    [
      'a wall of 1 m',
      [
        [0, 200],
        [50, 200],
        [50, 201],
        [1, 201],
        [1, 250],
        [0, 250],
      ],
      null,
    ],
  ] as const)('the outline of a zone has %s: %#', (_, ring, gap) => {
    const text = plant([`A: {type: building, polygon: ${JSON.stringify(ring)}}`]);
    expect(warned(text)).toEqual(
      gap === null
        ? []
        : [
            `8:5 1 Two walls of "A" are ${gap} m apart outside of it, and more people would walk between them than fit. Close the gap, make it 1.5 m or wider, or draw a door there.`,
          ],
    );
  });

  test('outside the boundary, and a kind that nothing serves, are warned of', () => {
    const text = plant([]).replace('  zones:', '  boundary: [-10, -10, 300, 300]\n  plan: {tsunami: 20m}\n  zones:');
    expect(planOf(text).boundary).toEqual([
      [-10, -10],
      [300, -10],
      [300, 300],
      [-10, 300],
    ]);
    expect(warned(text)).toEqual([
      '7:3 5 No assembly point serves the kind tsunami: in such a muster nobody can be safe.',
      '9:5 6 "Gate A" is not wholly inside the boundary of the site.',
    ]);
  });
});

describe('contract and service', () => {
  const more = (...lines: string[]) =>
    reported(plant([], ...lines)).map((mistake) => mistake.replace(/^\d+:\d+ \d+ /, ''));
  test.each([
    ['contract: {scopes: [alerts:reed]}', '"alerts:reed" is not a scope. Did you mean "alerts:read"?'],
    [
      'contract: {scopes: everything}',
      '"everything" is not a scope. Write alerts:read, alerts:write, positions:read, musters:read, workers:read or webhooks:manage.',
    ],
    ['contract: {technical_contact: nobody}', '"nobody" is not an e-mail address. Write name@example.com.'],
    ['contract: {include_worker_names: no}', '"no" is not true or false.'],
    ['service: {fall_prompt: 30}', '30 has no unit. Write 30s or 30m.'],
    ['service: {fall_promt: 30s}', '"fall_promt" is not a key of the service. Did you mean "fall_prompt"?'],
    ['service: {low_battery_pct: 120}', '120 is out of range. Write 0 to 100.'],
    [
      'service: {low_battery_pct: 30}',
      'A battery is low at 30 % and good again at 25 %. Write a higher "low_battery_clear_pct".',
    ],
  ])('%s', (line, message) => {
    expect(more(line)).toEqual([message]);
  });

  test('say what they say and nothing more', () => {
    const text = plant(
      [],
      'contract: {scopes: [musters:read, alerts:read], contractors: [Norte SL, Norte SL]}',
      'service: {low_battery_pct: 10, missing_after: 20m, heat: {index_c: 40, sun: 1h, window: 90m}}',
    );
    const { contract, plan } = readSiteFile(text, 'x.yaml');
    expect(contract).toStrictEqual({ scopes: ['alerts:read', 'musters:read'], contractors: ['Norte SL'] });
    expect(plan?.service).toStrictEqual({
      lowBatteryPct: 10,
      missingAfterMs: 1_200_000,
      heat: { indexC: 40, sunMs: 3_600_000, windowMs: 5_400_000 },
    });
  });

  test('a contractor for whom nobody works is warned of', () => {
    const text = plant([], 'contract: {contractors: [Norte SL, Sur SL]}', 'workers: {ana: {contractor: Norte SL}}');
    expect(warned(text)).toEqual(['8:36 6 Nobody here works for "Sur SL".']);
  });
});

test('people of a site file have a life of their own unless they are scripted workers', () => {
  // `puppet` is the older word.
  for (const word of ['scripted', 'puppet']) {
    const text = plant([], 'workers:', '  ana: {in: Dock}', `  bob: {in: Dock, behave: ${word}}`);
    expect(planOf(text).workers.map((worker) => worker.behave)).toEqual(['auto', 'scripted']);
  }
  const text = plant([], 'workers:', '  ana: {in: Dock}', '  bob: {in: Dock, behave: auto}');
  expect(planOf(text, { behaveDefault: 'scripted' }).workers[0]?.behave).toBe('scripted');
  const dock = planOf(text).zones[0]!;
  for (const worker of planOf(text).workers) expect(pointInPolygon(worker.at, dock.ring)).toBe(true);
});

describe('a crew', () => {
  const crew = (...lines: string[]) => plant([], 'crew:', ...lines.map((line) => `  ${line}`));

  test('is numbers, firms, trades, permits and vehicles', () => {
    const text = crew(
      'count: 12',
      'contractors: [Montajes Sur]',
      'roles: [Fitter]',
      'permits: {WP-1: {zone: Dock, holders: 2, inside: 1, for: 8h}, WP-2: {zone: Dock, holders: 1}}',
      'vehicles: {Lift 1: {type: forklift, role: Fitter}}',
    );
    expect(readSiteFile(text, 'x.yaml').crew).toEqual({
      count: 12,
      contractors: ['Montajes Sur'],
      roles: ['Fitter'],
      permits: [
        { reference: 'WP-1', zone: 'Dock', holders: 2, inside: 1, forMs: 8 * 3_600_000 },
        { reference: 'WP-2', zone: 'Dock', holders: 1, inside: 0, forMs: null },
      ],
      vehicles: [{ name: 'Lift 1', type: 'forklift', role: 'Fitter' }],
    });
  });

  test.each([
    [['count: 2'], '9:10 1 2 is out of range. Write 3 to 10000.'],
    [['count: 5', 'permits: {WP-1: {zone: Dok, holders: 1}}'], '10:26 3 "Dok" is not a zone. Did you mean "Dock"?'],
    [
      ['count: 5', 'permits: {WP-1: {zone: Dock, holders: 1, inside: 2}}'],
      '10:52 1 2 cannot be inside when 1 hold it. Write 1 or less.',
    ],
  ])('with a mistake is reported where: %j', (lines, message) => {
    expect(reported(crew(...lines))).toEqual([message]);
  });

  test('does not stand beside people by name', () => {
    const text = `${crew('count: 5')}\nworkers: {ana: {in: Dock}}`;
    expect(reported(text)).toEqual([
      '8:1 4 The people are named already, so there is no crew of the seed. Delete one of the two.',
    ]);
  });
});

describe('water', () => {
  test('is rings in metres where nobody can walk', () => {
    const sea = [
      [-100, -100],
      [0, -100],
      [0, 200],
      [-100, 200],
    ];
    expect(planOf(plant([], `  water: [${JSON.stringify(sea)}]`)).water).toEqual([sea]);
    expect(planOf(plant([])).water).toEqual([]);
  });

  test('water that encloses no area is reported', () => {
    expect(reported(plant([], '  water: [[[0, 0], [1, 1], [2, 2]]]'))).toEqual([
      '8:11 24 The water has no area. Write corners that do not lie on one line.',
    ]);
  });
});
