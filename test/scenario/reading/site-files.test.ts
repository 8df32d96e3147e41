/** `sandbox validate` and `sandbox up --site` accept the same site files, whatever sections and keys they have. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { sandboxOptions } from '../../../src/cli/up/options.ts';
import { SECTION_NAMES, SECTION_OF } from '../../../src/scenario/language/sections.ts';
import { mistakesOf } from '../../../src/scenario/mend/mend-files.ts';
import { readNamed } from '../../../src/scenario/reading/merged-file.ts';
import { isWhole } from '../../helpers/whole.ts';

const folder = mkdtempSync(join(tmpdir(), 'site-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ZONES = {
  Dock: { type: 'work_area', box: [0, 0, 200, 120] },
  Hall: { type: 'building', box: [20, 20, 60, 60], floors: [{ name: '1', height_m: 4 }], doors: [[20, 30, 2]] },
  'Gate A': { type: 'assembly_point', box: [-40, 0, -20, 20], serves: ['general'] },
};

/** Values of each section: some are right, some are wrong, and some are wrong with another section only. */
const SECTIONS: Readonly<Record<string, readonly unknown[]>> = {
  about: ['A plant.', 5],
  tags: [['slow'], 'slow'],
  use: [['other.yaml'], ['absent.yaml']],
  contract: [{ contractors: ['Norte SL'] }, { scopes: 'all' }, { scopes: ['none'] }],
  companies: [{ other: { site: 'Plant' } }, 3],
  service: [{ fall_prompt: '20s' }, { fall_prompt: 'soon' }, { heat: { index_c: 30 } }],
  workers: [{ ana: { in: 'Dock' } }, { ana: { in: 'Moon' } }, { ana: { behave: 'scripted', in: 'Dock' } }],
  crowd: [{ team: { count: 5, in: 'Dock' } }, { team: { count: -1, in: 'Dock' } }],
  vehicles: [{ 'Truck 1': { type: 'truck', driver: 'ana' } }, { 'Truck 1': { type: 'truck', in: 'Dock' } }],
  crew: [
    { count: 5, contractors: ['Norte SL'], roles: ['Welder'] },
    { count: 5, contractors: ['Sur'], roles: ['Fitter'], permits: { P1: { zone: 'Moon', holders: 1, inside: 0 } } },
  ],
  receivers: [{ hook: { events: ['alert.created'] } }, 'none'],
  macros: [{ pause: [{ wait: '1s' }] }, { pause: [{ wiat: '1s' }] }],
  system: [{ start: 'npm start' }, 7],
  probes: [{ door: 'true' }, 7],
  setup: [[{ wait: '1s' }]],
  sites: [{ Other: { name: 'Other', origin: [1, 1], zones: ZONES } }],
  params: [{ n: 1 }],
  steps: [[{ wait: '1s' }]],
  seed: ['x'],
  nonsense: [1],
};

/** Keys of `site` beside its name, origin and zones. */
const OF_SITE: Readonly<Record<string, readonly unknown[]>> = {
  location: ['Coast', null, 4],
  privacy_mode: ['on_demand', 'never'],
  unveil_min_severity: ['high', 'huge'],
  boundary: [[-100, -100, 300, 300], [0, 0, 10, 10], 'wide'],
  plan: [{ general: '20m' }, { flood: '20m' }],
  water: [
    [
      [
        [210, 0],
        [250, 0],
        [250, 50],
      ],
    ],
    'sea',
  ],
  crew: [{ count: 5 }],
  doors: [[]],
};

const someOf = (table: Readonly<Record<string, readonly unknown[]>>) =>
  fc.record(Object.fromEntries(Object.entries(table).map(([key, values]) => [key, fc.constantFrom(...values)])), {
    requiredKeys: [],
  });

/** Few sections at a time, so that a sound file is no rarity. */
const few = (table: Readonly<Record<string, readonly unknown[]>>, most: number) =>
  fc
    .tuple(someOf(table), fc.shuffledSubarray(Object.keys(table), { maxLength: most }))
    .map(([all, keys]) => Object.fromEntries(Object.entries(all).filter(([key]) => keys.includes(key))));

const siteFiles = fc.tuple(few(SECTIONS, 3), few(OF_SITE, 2), fc.boolean()).map(([sections, keys, isJson]) => {
  const file = { part: 'Test', site: { name: 'Plant', origin: [43.361, -8.412], zones: ZONES, ...keys }, ...sections };
  // JSON is YAML.
  if (isJson) return JSON.stringify(file, null, 2);
  return Object.entries(file)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join('');
});

function startsWith(file: string): boolean {
  try {
    sandboxOptions({ site: file });
    return true;
  } catch {
    return false;
  }
}

test('what sandbox validate accepts, sandbox up --site accepts, and the reverse', () => {
  writeFileSync(join(folder, 'other.yaml'), 'part: Other\ntags: [x]\n');
  const file = join(folder, 'plant.yaml');
  const met = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(siteFiles, (text) => {
      writeFileSync(file, text);
      const { mistakes } = mistakesOf(file, readNamed(file));
      met[mistakes.length === 0 ? 'accepted' : 'refused'] += 1;
      expect([text, mistakes.map(({ message }) => message), startsWith(file)]).toEqual([
        text,
        mistakes.length === 0 ? [] : expect.anything(),
        mistakes.length === 0,
      ]);
    }),
    { numRuns: isWhole ? 400 : 40, seed: 1 },
  );
  expect(met.accepted).toBeGreaterThan(isWhole ? 40 : 10);
  expect(met.refused).toBeGreaterThan(isWhole ? 40 : 20);
});

test('a crew beside workers by name is one mistake for both', () => {
  const file = join(folder, 'both.yaml');
  const site = JSON.stringify({ name: 'Plant', origin: [43.361, -8.412], zones: ZONES });
  const crew = JSON.stringify(SECTIONS['crew']?.[0]);
  writeFileSync(file, `part: Test\nsite: ${site}\ncrew: ${crew}\nworkers: {ana: {in: Dock}}\n`);
  expect(mistakesOf(file, readNamed(file)).mistakes).toHaveLength(1);
  expect(() => sandboxOptions({ site: file })).toThrow('Delete one of the two.');
});

test('the generated files have every section that a part may have', () => {
  const keys = SECTION_NAMES.filter((key) => SECTION_OF[key].forms === SECTION_OF.use.forms);
  expect(keys.filter((key) => key !== 'site' && !(key in SECTIONS))).toEqual([]);
});
