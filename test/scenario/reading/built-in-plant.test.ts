/** A scenario that names no plant plays in the built-in one; a broken `use` is reported once, without what only follows from it. [scenario-language, World] */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSiteFile } from '../../../src/plant/site-file.ts';
import { loadScenario } from '../../../src/scenario/reading/load.ts';
import { playWhole } from '../whole-stage.ts';

const FILE = 'x.scenario.yaml';
const PLANT = resolve(import.meta.dirname, '../../../scenarios/sites/built-in-plant.yaml');

const load = (text: string, files: Readonly<Record<string, string>> = {}) =>
  loadScenario(FILE, { read: (path) => ({ [FILE]: text, ...files })[path] });

const messagesOf = (text: string, files: Readonly<Record<string, string>> = {}): string[] => {
  const loaded = load(text, files);
  return loaded.ok ? [] : loaded.mistakes.map(({ file, line, message }) => `${file}:${line} ${message}`);
};

/** The names of the plants of a scenario, and the zone of its first worker. */
const plantOf = (text: string, files: Readonly<Record<string, string>> = {}) => {
  const loaded = load(text, files);
  if (!loaded.ok) throw new Error(loaded.text);
  const sites = loaded.scenario.plan.organizations[0]?.sites ?? [];
  return [sites.map(({ name }) => name), sites[0]?.workers[0]?.zone];
};

describe('the built-in plant', () => {
  test('passes a scenario of three lines', async () => {
    const { verdict, failures } = await playWhole(`scenario: An SOS reaches the control room
workers: [ana]
steps: [{sos: ana}, {expect: {alert: sos, of: ana, status: unacknowledged}}]
`);
    expect([verdict, failures]).toEqual(['passed', []]);
  });

  test('is a site file without a mistake, a warning or a note', () => {
    const { plan, mistakes, warnings, notes } = readSiteFile(readFileSync(PLANT, 'utf8'), PLANT);
    expect([mistakes, warnings, notes]).toEqual([[], [], []]);
    expect(plan?.zones.map(({ type }) => type).toSorted()).toEqual([
      'assembly_point',
      'assembly_point',
      'building',
      'forbidden',
      'privacy',
      'restricted',
      'work_area',
      'work_area',
    ]);
    expect(plan?.zones.find(({ type }) => type === 'building')?.floors).toHaveLength(2);
  });

  test('is the plant of a file whose parts name none, and a worker without a place is in its hall', () => {
    const part = 'part: People\nworkers: [ana]\n';
    expect(plantOf('scenario: X\nuse: p.yaml\nsteps: {sos: ana}\n', { 'p.yaml': part })).toEqual([
      ['Built-in plant'],
      'Hall',
    ]);
    expect(plantOf('scenario: X\nworkers: {ana: {in: Yard}}\nsteps: {sos: ana}\n')).toEqual([
      ['Built-in plant'],
      'Yard',
    ]);
  });

  test('is not used where a part names a plant', () => {
    const part =
      'part: P\nsite: {name: Own, origin: [43, -8], zones: {Dock: {type: work_area, box: [0, 0, 90, 90]}}}\n';
    expect(plantOf('scenario: X\nuse: p.yaml\nworkers: [ana]\nsteps: {sos: ana}\n', { 'p.yaml': part })).toEqual([
      ['Own'],
      'Dock',
    ]);
  });

  test('has its zones in the messages about a wrong one', () => {
    expect(messagesOf('scenario: X\nworkers: {ana: {in: Yart}}\nsteps: {enter: {who: ana, zone: Hal}}\n')).toEqual([
      'x.scenario.yaml:2 "Yart" is not a zone of "Built-in plant". Did you mean "Yard"?',
      'x.scenario.yaml:3 "Hal" is not a zone of the plant. Did you mean "Hall"?',
    ]);
  });
});

/** Everything that a part could have, named in the file that uses it. */
const NEEDY = `scenario: X
use: [p.yaml]
workers: {eve: {near: dan, floor: Roof}, fay: {in: Dock}, gil: {site: North}}
vehicles: {lift: {driver: dan}}
companies: {other: {contract: {scopes: all}}}
receivers: {erp: {sites: [North], company: third}}
site: {name: Half}
macros: {known: {params: [a]}}
probes: {open: {path: alerts}}
steps:
  - sos: ana
  - move: {who: 2 of crew, to: Dock}
  - enter: {who: eve, zone: Dock}
  - wind: {site: North, from_deg: 90}
  - token: {expire: third}
  - receiver: {name: crm, does: 503}
  - do: attend
  - do: known
  - expect: {alert: $ready, of: ana, worker: ana}
  - expect: {delivery: crm}
    since: $ready
  - api: {get: /v1/alerts/$ready.id, company: third}
  - start_muster: {kind: general, origin: {zone: Dock}}
rules:
  - {every: {event: alert.*}, delivered_to: crm}
`;

describe('a broken use is reported once, without messages that only follow from it', () => {
  test.each([
    [
      'a file that does not exist',
      undefined,
      ['x.scenario.yaml:2 p.yaml does not exist. Write a path relative to this file.'],
    ],
    ['a file with wrong YAML', 'part: P\nsite: {name: [}\n', ['p.yaml:2 ']],
    [
      'a scenario',
      'scenario: Y\nsteps: [{wait: 1s}]\n',
      ['p.yaml:1 This file is used as a part. Write part: and its name.'],
    ],
    [
      'a file of another kind',
      'services: {web: {image: nginx}}\nversion: 3\n',
      ['p.yaml:1 A part needs a name. Write part: and its name.'],
    ],
    ['a list', '- a\n- b\n', ['p.yaml:1 A file is a map of keys. Write part: and its name.']],
    [
      'a part with a misspelt section',
      'part: P\nsitee: {}\n',
      ['p.yaml:2 "sitee" is not a key of a part. Did you mean "site" or "sites"?'],
    ],
    [
      'a part with a mistake in its plant',
      'part: P\nsite:\n  origin: [43, -8]\n  zones: {Dock: {type: wrk_area, box: [0, 0, 9, 9]}}\n',
      ['p.yaml:4 "wrk_area" is not a zone type. Did you mean "work_area"?'],
    ],
    ['a part whose own use is broken', 'part: P\nuse: [q.yaml]\n', ['p.yaml:2 q.yaml does not exist.']],
  ])('%s', (_what, part, expected) => {
    const found = messagesOf(NEEDY, part === undefined ? {} : { 'p.yaml': part });
    expect(found).toEqual(expected.map((one) => expect.stringContaining(one)));
  });

  test('while other mistakes of the file are reported', () => {
    expect(messagesOf('scenario: X\nuse: [p.yaml]\nsteps:\n  - wait: 20\n  - sos: {hwo: ana}\n')).toEqual([
      'x.scenario.yaml:2 p.yaml does not exist. Write a path relative to this file.',
      'x.scenario.yaml:4 20 has no unit. Write 20s or 20m.',
      'x.scenario.yaml:5 "sos" needs "who".',
      'x.scenario.yaml:5 "hwo" is not a key of "sos". Did you mean "who"?',
    ]);
  });

  test('and with a sound part, each name that nobody has is reported', () => {
    expect(messagesOf(NEEDY, { 'p.yaml': 'part: P\n' }).length).toBeGreaterThan(14);
  });
});
