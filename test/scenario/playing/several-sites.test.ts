/** Scenarios of several sites or companies: what an action leaves out is that of the file's own company, or a mistake. [scenario-language] */
import { describe, expect, test } from 'vitest';
import { loadScenario } from '../../../src/scenario/reading/load.ts';
import { playWhole } from '../whole-stage.ts';

const zones = (more = ''): string =>
  `{Dock: {type: work_area, box: [0, 0, 200, 120]}, Gate: {type: assembly_point, box: [-40, 0, -20, 20], serves: [general]}${more}}`;
const NORTH = `    North: {origin: [43.3, -8.4], zones: ${zones(', Tank: {type: restricted, box: [300, 0, 400, 90]}')}}`;
const SOUTH = `    South: {origin: [43.5, -8.4], zones: ${zones(', Silo: {type: restricted, box: [300, 0, 400, 90]}')}}`;
const OTHER = `    Far: {origin: [44.5, -8.4], zones: ${zones(', Mill: {type: restricted, box: [300, 0, 400, 90]}')}}`;

const indent = (text: string): string => text.replace(/^/gm, '  ');

/** A file with these sites of its own and of another company, and one step. */
const file = (own: readonly string[], other: readonly string[], step: string): string =>
  [
    'scenario: Several sites',
    'sites:',
    ...own,
    ...(other.length === 0 ? [] : ['companies:', '  other:', '    sites:', ...other.map(indent)]),
    'workers: {ana: {site: North, in: Dock}}',
    'steps:',
    `  - ${step}`,
    '',
  ].join('\n');

const reported = (text: string): string => {
  const loaded = loadScenario('x.yaml', { read: (path) => (path === 'x.yaml' ? text : undefined) });
  if (loaded.ok) return '';
  return loaded.mistakes.map(({ line, column, message }) => `${line}:${column} ${message}`).join('\n');
};

const TWO = [NORTH, SOUTH];
const LINE = 7;

describe('of two sites of the own company, an action that does not say which', () => {
  test.each([
    ['wind: {from_deg: 90}', 'wind'],
    ['heat: {index_c: 40}', 'heat'],
    ['hazard: {kind: tsunami_risk}', 'hazard'],
    ['start_muster: {kind: general, by: Lead}', 'start_muster'],
    ['start_muster: {kind: general, by: Lead, origin: {at: [1, 2]}}', 'start_muster'],
  ])('%s is a mistake at its name', (step, word) => {
    expect(reported(file(TWO, [], step))).toBe(
      `${LINE}:5 "${word}" needs "site": the scenario has 2 sites. Write site: North or site: South.`,
    );
  });

  test('nor by the zone of its origin, which both have', () => {
    expect(reported(file(TWO, [], 'start_muster: {kind: general, by: Lead, origin: {zone: Dock}}'))).toBe(
      `${LINE}:5 "start_muster" needs "site": "Dock" is a zone of several sites. Write site: North or site: South.`,
    );
  });

  test.each([
    'wind: {from_deg: 90, site: South}',
    'heat: {who: ana, index_c: 40}',
    'start_muster: {kind: general, by: Lead, origin: {zone: Silo}}',
    'start_muster: {kind: general, by: Lead, origin: {at: Tank}}',
    'start_muster: {kind: general, by: Lead, site: North, origin: {zone: Dock}}',
    'enter: {who: ana, zone: Tank}',
    'sos: {who: ana}',
  ])('is not needed: %s', (step) => {
    expect(reported(file(TWO, [], step))).toBe('');
  });

  test.each([
    ['privacy: {mode: on_demand}', `${LINE}:5 "privacy" needs "site".`],
    ['wind: {from_deg: 90, site: Suoth}', `${LINE}:32 "Suoth" is not a site. Did you mean "South"?`],
    [
      'enter: {who: ana, zone: Silo}',
      `${LINE}:29 "Silo" is not a zone of "North", where ana is. Write Dock, Gate or Tank.`,
    ],
    [
      'start_muster: {kind: general, by: L, origin: {zone: Slio}}',
      `${LINE}:57 "Slio" is not a zone of the plant. Did you mean "Silo"?`,
    ],
  ])('%s is reported as before', (step, message) => {
    expect(reported(file(TWO, [], step))).toBe(message);
  });
});

describe('a plant with the other sites in another company', () => {
  test.each([
    'wind: {from_deg: 90}',
    'hazard: {kind: tsunami_risk}',
    'start_muster: {kind: general, by: Lead}',
    'start_muster: {kind: general, by: Lead, origin: {zone: Dock}}',
    'start_muster: {kind: general, by: Lead, origin: {zone: Mill}}',
    'limits: {requests_per_minute: 5}',
    'contract: {include_worker_names: true}',
    'api: {get: /v1/alerts, answers: {status: 200}}',
    'token: {expire: other}',
  ])('%s means the own one, and plays', async (step) => {
    const text = file([NORTH], [OTHER], step);
    expect(reported(text)).toBe('');
    const { failures, error } = await playWhole(text);
    expect([error, ...failures]).toEqual([null]);
  });

  test('limits of the own company are not those of the other', async () => {
    const calls = [
      'limits: {requests_per_minute: 0}',
      'api: {get: /v1/sites, answers: {status: 429}}',
      'api: {get: /v1/sites, company: other, answers: {status: 200}}',
    ];
    const { failures } = await playWhole(file([NORTH], [OTHER], calls.join('\n  - ')));
    expect(failures).toEqual([]);
  });

  test('two own sites are still two', () => {
    expect(reported(file(TWO, [OTHER], 'wind: {from_deg: 90}'))).toBe(
      `${LINE + 4}:5 "wind" needs "site": the scenario has 2 sites. Write site: North or site: South.`,
    );
  });

  test('an unknown company is reported', () => {
    expect(reported(file([NORTH], [OTHER], 'limits: {company: othr, requests_per_minute: 5}'))).toContain(
      '"othr" is not a company of the scenario. Did you mean "other"?',
    );
  });
});
