/** An invalid file is reported before anything runs: each mistake with its place and a fix. */
import { describe, expect, test } from 'vitest';
import { loadScenario } from '../../../src/scenario/reading/load.ts';
import { filesOf, mistakesTextOf, SITE, scenarioOf } from '../small-stage.ts';

describe('the example', () => {
  const file = new URL('../../../scenarios/fall-to-sos.scenario.yaml', import.meta.url).pathname;
  const loaded = loadScenario(file);

  test('reads as it stands, parts included', () => {
    expect(loaded).toMatchObject({ ok: true, seed: '42', warnings: [], scenario: { tags: ['alerts', 'smoke'] } });
  });

  test('has its people, plant, contract, thresholds and receiver', () => {
    const { scenario } = loaded as Extract<typeof loaded, { ok: true }>;
    const [customer] = scenario.plan.organizations;
    expect(customer).toMatchObject({ name: 'customer', contract: { technicalContact: 'safety@harbour.example' } });
    expect(customer?.sites[0]).toMatchObject({ name: 'Harbour plant', service: { fallPromptMs: 30_000 } });
    expect(customer?.sites[0]?.workers.map(({ behave }) => behave)).toEqual(['scripted', 'scripted']);
    expect([...scenario.cast]).toEqual([
      ['ana', ['E-1041']],
      ['luis', ['E-1077']],
    ]);
    expect(scenario.receivers).toMatchObject([{ name: 'erp', events: ['alert.*'], minSeverity: 'high' }]);
  });
});

describe('mistakes', () => {
  test('come in one go, in order, each with its line and a mark below the word', () => {
    const text = `scenario: Broken
use: [site.yaml]
workers:
  ana: {in: Dock}
steps:
  - wait: 20
  - sos: {who: anna, with: watch_buton}
  - expect: {alert: sos, sttus: open}
    within: 10:00
`;
    expect(mistakesTextOf(text)).toBe(`x.scenario.yaml:6:11  20 has no unit. Write 20s or 20m.
    6 |   - wait: 20
      |           ^^
x.scenario.yaml:7:16  "anna" is not a worker or a crowd. Did you mean "ana"?
    7 |   - sos: {who: anna, with: watch_buton}
      |                ^^^^
x.scenario.yaml:7:28  "watch_buton" is not a value of "with". Did you mean "watch_button"?
    7 |   - sos: {who: anna, with: watch_buton}
      |                            ^^^^^^^^^^^
x.scenario.yaml:8:26  "sttus" is not a field of an alert of type sos. Did you mean "status"?
    8 |   - expect: {alert: sos, sttus: open}
      |                          ^^^^^
x.scenario.yaml:9:13  10:00 is not a duration. Write 10m.
    9 |     within: 10:00
      |             ^^^^^`);
  });

  /** The messages alone, `line:column message`. */
  const messages = (text: string, files = {}) => {
    const loaded = loadScenario('x.yaml', { read: filesOf({ 'x.yaml': text, ...files }) });
    return loaded.ok
      ? []
      : loaded.mistakes.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`);
  };

  test.each([
    ['wait', '"wait" is not a step. Write wait: and what it needs.'],
    ['sso: {who: ana}', '"sso" is not a step. Did you mean "sos"?'],
    [
      '{expect: {alert: sos}, sos: {who: ana}}',
      'A step has one action; "expect" and "sos" need a line with "- " each.',
    ],
    ['sos: {who: ana}\n    within: 5s', '"within" has no effect next to "sos". Delete it.'],
    [
      'sos: {who: ana}\n    with: watch_button',
      '"with" cannot be used next to "sos"; the keys of the step itself are inside its braces.',
    ],
    ['sos: {}', '"sos" needs "who".'],
    ['sos:', 'An empty value is not what "sos" needs. Write sos: ana.'],
    ['fall: {who: ana, anwers: ok}', '"anwers" is not a key of "fall". Did you mean "answers"?'],
    ['fall: {who: ana, answers_after: 10}', '10 has no unit. Write 10s or 10m.'],
    ['battery: {who: ana, pct: 120}', '"pct" is 120, but must be between 0 and 100.'],
    ['sos: {who: 2 of ana}', '"ana" is one person. Write ana.'],
    ['wait: 10s..5s', '10s..5s ends before it begins. Write 5s..10s.'],
    [
      'expect: {alert: sos, within: 2s}',
      '"within" belongs next to "expect", not inside. Write it next to the step, on its own line: within: 2s.',
    ],
    ['expect: {alert: soss}', '"soss" is not an alert type. Did you mean "sos"?'],
    ['expect: {alert: sos, severity: critcal}', '"severity" is never "critcal". Did you mean "critical"?'],
    [
      'expect: {alert: sos, details: {escalated_to_sos: true}}',
      '"escalated_to_sos" is not a field of "details". Write trigger.',
    ],
    ['expect: {alrt: sos}', '"alrt" is not what a check can be about. Did you mean "alert"?'],
    ['expect: {alert: $m}', '$m is not defined before this line.'],
    ['mark: $operater', '$operater is not defined before this line.'],
    ['expect: {alert: sos, of: anna}', '"anna" is not a worker or a crowd. Did you mean "ana"?'],
    [
      'expect: {alert: sos, nearby: {contains: {worker: lui}}}',
      '"lui" is not a worker or a crowd. Did you mean "luis"?',
    ],
    ['expect: {event: alert.create}', '"alert.create" is not an event type. Did you mean "alert.created"?'],
    [
      'expect: {event: alert.created, alert: sos}',
      '"alert" is not a key of a check of "event". Write of, about, object, data or count.',
    ],
    [
      'expect: {event: alert.created}\n    for: 3s',
      '"for" is for what lasts; this event is over at once. Delete "for".',
    ],
    ['expect: {delivery: epr}', '"epr" is not a receiver. Did you mean "erp"?'],
    ['expect: {delivery: erp, result: deliverd}', '"deliverd" is not a result. Did you mean "delivered"?'],
    ['expect: {delivery: erp, offsets: [0s, 10]}', '10 has no unit. Write 10s or 10m.'],
    ['check: {alerts: closed}', '"closed" is not which alerts. Write open or all.'],
    ['check: {alerts: open, count: some}', '"some" is not a count. Write 0, 2, 1..3 or 3.. for three or more.'],
    ['check: {alert: sos}\n    within: 2s', '"within" has no effect next to "check". Delete it.'],
    ['never: {alert: sos}', '"never" needs "for", the time for which it looks. Write for: 5m beside it.'],
    ['check: {alert: sos, title: /(/}', '/(/ is not a regular expression: Unterminated group.'],
    [
      'check: {alert: sos, severity: "one of high, critcal"}',
      '"severity" is never "critcal". Did you mean "critical"?',
    ],
    [
      'acknowledge: {alert: sos, by: Desk}',
      '"sos" is not the name of an alert. Write $fall where a line before has as: fall.',
    ],
    ['acknowledge: {by: Desk}', '"acknowledge" needs "alert".'],
    ['mark: {a: 1}', 'A map of keys is not a text. Write mark: and some words.'],
    ['mark: A\n    as: a', '"as" has no effect next to "mark". Delete it.'],
    ['check: {alerts: open}\n    as: a', 'This step finds nothing that could have a name. Delete "as".'],
  ])('of a step: %s', (step, message) => {
    const reported = messages(scenarioOf([step]));
    expect(reported.map((one) => one.replace(/^x\.yaml:\d+:\d+ /, ''))).toEqual([message]);
    expect(reported[0]).toMatch(/^x\.yaml:[78]:/);
  });

  test.each([
    ['colour: red', '"colour" is not a key of a scenario.'],
    ['sed: 4', '"sed" is not a key of a scenario. Did you mean "seed"?'],
    ['seed: 4.5', '4.5 is not a seed. Write a whole number, such as seed: 42.'],
    ['modes: [fats]', '"fats" is not a mode. Did you mean "fast"?'],
    ['clock: {strat: now}', '"strat" is not a key of the clock. Did you mean "start"?'],
    ['clock: {start: noon}', '"noon" is not a time. Write 2026-10-05T06:00:00Z.'],
    ['workers: {ana: {in: Dok}}', '"Dok" is not a zone of "Small plant". Did you mean "Dock"?'],
    ['receivers: {Erp: {}}', '"Erp" is not a name for a receiver. Write small letters, digits and hyphens.'],
    ['receivers: {erp: {events: [alert]}}', expect.stringContaining('"alert" is not an event selector.')],
  ])('of the head: %s', (line, message) => {
    const text = `scenario: X\nuse: [site.yaml]\nsteps: []\n${line}\n`;
    expect(messages(text).map((one) => one.replace(/^x\.yaml:\d+:\d+ /, ''))).toEqual([message]);
  });

  test('of a name that is given twice, or of another kind', () => {
    const twice = ['expect: {alert: sos}\n    as: a', 'expect: {alert: sos}\n    as: a'];
    expect(messages(scenarioOf(twice))).toEqual(['x.yaml:10:9 "a" has a meaning since line 7. Write another name.']);
    const kinds = [
      'expect: {event: alert.created}\n    as: e',
      'check: {alert: $e}',
      'expect: {event: $e}',
      'check: {event: $other}',
    ];
    expect(messages(scenarioOf(kinds))).toEqual([
      'x.yaml:9:20 $e is not an alert. Write $e.object, the alert of that event.',
      'x.yaml:11:20 $other is not defined before this line.',
    ]);
  });

  test('a step with a mistake gives its name all the same, so that the lines after it are not blamed', () => {
    expect(
      messages(scenarioOf(['sos: {who: anna}\n    as: m', 'expect: {event: muster.started, about: $m}'])),
    ).toHaveLength(1);
  });

  test('a file without steps or title says what it lacks', () => {
    expect(messages('about: Nothing\n')).toEqual([
      'x.yaml:1:1 A scenario needs a title. Write scenario: and a sentence.',
      'x.yaml:1:1 A scenario has steps. Write steps: and a line "- wait: 20s".',
    ]);
  });

  test('a file that is not there', () => {
    expect(messages('scenario: X', { 'x.yaml': undefined })).toEqual([
      'x.yaml:1:1 The file does not exist. Check its name and folder.',
    ]);
  });
});

describe('parts', () => {
  const read = (files: Record<string, string>) => loadScenario('a/scenario.yaml', { read: (path) => files[path] });
  const scenario = (use: string, rest = '') => `scenario: X\nuse: [${use}]\n${rest}steps: []\n`;

  test('are found beside the file that names them; maps merge deeply and the naming file wins', () => {
    const loaded = read({
      'a/scenario.yaml': scenario('b/part.yaml', 'service: {fall_prompt: 10s}\nworkers: {ana: {battery: 9}}\n'),
      'a/b/part.yaml':
        'part: P\nuse: [../../site.yaml]\nservice: {fall_prompt: 50s, offline_after: 1m}\nworkers: {ana: {in: Dock}}\n',
      'site.yaml': SITE,
    });
    expect(loaded).toMatchObject({
      ok: true,
      scenario: {
        plan: {
          organizations: [
            {
              sites: [
                {
                  service: { fallPromptMs: 10_000, offlineAfterMs: 60_000 },
                  workers: [{ zone: 'Dock', batteryPct: 9 }],
                },
              ],
            },
          ],
        },
      },
    });
  });

  test('have their mistakes in their own file and line', () => {
    const loaded = read({ 'a/scenario.yaml': scenario('p.yaml'), 'a/p.yaml': `${SITE}steps: []\nservise: {}\n` });
    expect(
      loaded.ok ? '' : loaded.text,
    ).toBe(`a/p.yaml:8:1  A part has no "steps". It belongs in the file that uses this one.
    8 | steps: []
      | ^^^^^
a/p.yaml:9:1  "servise" is not a key of a part. Did you mean "service"?
    9 | servise: {}
      | ^^^^^^^`);
  });

  test('parts that are missing, or use themselves, are reported at the line that names them', () => {
    const loaded = read({ 'a/scenario.yaml': scenario('no.yaml, p.yaml'), 'a/p.yaml': `use: [p.yaml]\n${SITE}` });
    expect(loaded.ok ? [] : loaded.mistakes.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
      'a/scenario.yaml:2 a/no.yaml does not exist. Write a path relative to this file.',
      'a/p.yaml:1 a/p.yaml uses itself. Delete one of the uses.',
    ]);
  });
});

describe('a name in another Unicode form', () => {
  const PART = `part: P
site:
  name: Café
  origin: [43.3, -8.4]
  zones:
    Dépôt: {type: building, box: [0, 0, 200, 120], floors: [{name: Étage, height_m: 4}]}
    Géant: {type: assembly_point, box: [-40, 0, -20, 20], serves: [general]}
  `;
  const TEXT = `scenario: Names
use: [part.yaml]
workers:
  renée: {in: Dépôt, site: Café, floor: Étage, contractor: Monté, permit: Nr ä}
  zoë: {near: renée}
crowd: {équipe: {count: 3, in: Dépôt, contractor: Monté}}
vehicles: {lifté: {driver: renée, in: Dépôt}}
contract: {contractors: [Monté]}
companies: {société: {site: {name: Pôle, origin: [44, -8], zones: {Yard: {type: work_area, box: [0, 0, 9, 9]}}}}}
receivers: {erp: {sites: [Pôle], company: société}}
macros: {arrêt: {params: [who], steps: [{sos: {who: $who}}]}}
system: {url: http://127.0.0.1:1, reset: /reset}
probes: {état: {get: /x}}
cases: c.csv
steps:
  - sos: {who: renée}
  - sos: {who: [2 of équipe, zoë]}
  - move: {who: renée, to: Dépôt, via: [Géant]}
  - move: {who: renée, to: zoë}
  - enter: {who: renée, zone: $zone}
  - start_muster: {kind: general, by: L, site: Café, origin: {zone: Dépôt}}
    as: m
  - exclude_point: {muster: $m, point: Géant, reason: Smoke, by: L}
  - expect: {alert: sos, of: renée, zone: Dépôt, worker: "one of renée, zoë"}
  - expect: {missing: $m, people: {renée: help}}
  - expect: {device: renée, battery: 9..99}
  - do: {macro: arrêt, with: {who: renée}}
  - api: {get: /v1/alerts, company: société}
rules: [{always: {probe: état, count: 1}}]
`;
  const FILES = { 'x.scenario.yaml': TEXT, 'part.yaml': PART, 'c.csv': 'zone\nDépôt\n' };
  const loadedOf = (files: Readonly<Record<string, string>>): string => {
    const loaded = loadScenario('x.scenario.yaml', { read: (path) => files[path] });
    return loaded.ok
      ? JSON.stringify(loaded.scenario, (_key, value) => (value instanceof Map ? [...value] : value))
      : loaded.text;
  };
  const WORD = /\p{L}*[^\0-\x7f]\p{L}*/gu;
  const places = Object.entries(FILES).flatMap(([file, text]) =>
    [...text.matchAll(WORD)].map((match) => [file, match.index, match[0]] as const),
  );

  test('is the same name at each place, and is kept as its declaration is written', () => {
    const whole = loadedOf(FILES);
    expect(whole).toMatch(/^\{/);
    expect(places.length).toBeGreaterThan(40);
    const others = places.filter(([file, at, word]) => {
      const text = FILES[file as keyof typeof FILES];
      const [before, after] = [text.slice(0, at), text.slice(at + word.length)];
      const loaded = loadedOf({ ...FILES, [file]: `${before}${word.normalize('NFD')}${after}` });
      // What the seed draws depends on the spelling of a declaration.
      const declares = after.startsWith(':') || /(?:name|contractor|permit): [\w ]*$/.test(before);
      return loaded.normalize('NFC') !== whole && !(declares && loaded.startsWith('{'));
    });
    expect(others).toEqual([]);
  });

  test('is a repeated key', () => {
    const text = FILES['part.yaml'].replace('Géant:', 'Dépôt: {type: work_area, box: [0, 0, 9, 9]}\n    Géant:');
    expect(loadedOf({ ...FILES, 'part.yaml': text.replace('Dépôt', 'Dépôt'.normalize('NFD')) })).toContain(
      'is repeated',
    );
  });

  test('overrides the key of a part', () => {
    const own = TEXT.replace('workers:', `site: {zones: {${'Géant'.normalize('NFD')}: {capacity: 7}}}\nworkers:`);
    expect(loadedOf({ ...FILES, 'x.scenario.yaml': own })).toContain('"capacity":7');
  });
});
