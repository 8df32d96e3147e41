/** Short forms mean what their long forms mean, at the same places; where a value alone has two meanings, the message has the line to write. [scenario-language, Short forms] */
import { describe, expect, test } from 'vitest';
import { isMap } from '../../../src/contract/schema.ts';
import { SECTION_NAMES, SECTION_OF } from '../../../src/scenario/language/sections.ts';
import { shortOf } from '../../../src/scenario/language/short-forms.ts';
import type { Step } from '../../../src/scenario/language/step.ts';
import { STEPS } from '../../../src/scenario/language/steps.ts';
import { flowOf } from '../../../src/scenario/model/flow.ts';
import { changesOf } from '../../../src/scenario/mutate/changes.ts';
import { type LoadedScenario, loadScenario } from '../../../src/scenario/reading/load.ts';
import { eachOf } from '../../helpers/each-of.ts';
import { playWhole } from '../whole-stage.ts';

const FILE = 'short.scenario.yaml';

const HEAD = `scenario: Short forms
workers: {ana: {}, ben: {}}
crowd: {crew: {count: 12}}
receivers: {erp: {}}
macros: {attend: {steps: [{wait: 1s}]}}
`;

const NAMED = `  - sos: {who: ana}
    as: sos
  - start_muster: {kind: general}
    as: m
`;

const withSteps = (steps: string): string => `${HEAD}steps:\n${NAMED}${steps.replace(/^/gm, '  ')}\n`;

const load = (text: string): LoadedScenario =>
  loadScenario(FILE, { read: (path) => (path === FILE ? text : undefined) });

const messagesOf = (text: string, loaded = load(text)): string[] =>
  loaded.ok ? [] : loaded.mistakes.map(({ line, column, message }) => `${line}:${column} ${message}`);

/** The scenario that a text is; its mistakes fail the test. */
function scenarioIn(text: string) {
  const loaded = load(text);
  expect(messagesOf(text, loaded)).toEqual([]);
  if (!loaded.ok) throw new Error(loaded.text);
  return { scenario: loaded.scenario, source: loaded.source, cases: loaded.cases };
}

/** Checks have functions, which are never equal. */
function withoutCode(value: unknown): unknown {
  if (typeof value === 'function') return 'a function';
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, withoutCode(one)]));
  if (Array.isArray(value)) return value.map(withoutCode);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutCode(one)]));
}

const aloneOf = ({ value }: Step) => value.alone;
const SHORT = [...STEPS.values()].filter((step) => aloneOf(step) !== undefined);

/** The long form of the example of a step. */
const longOf = (step: Step): string => {
  const value = aloneOf(step)?.example ?? '';
  return flowOf(aloneOf(step)?.longOf(value)?.value ?? {});
};

describe('a step with a value alone is read as its long form', () => {
  test('one of those that the declarations name', () => {
    expect(SHORT.map(({ word }) => word).toSorted()).toEqual(
      'acknowledge api assign broker call_request cannot_evacuate do end_muster fall free hazard inspect panel_sos position press_ack reopen resolve sos start_muster unveil'.split(
        ' ',
      ),
    );
  });

  const rows = SHORT.map((step) => [step.word, aloneOf(step)?.example ?? '', longOf(step)] as const);
  const lists = SHORT.filter((step) => ['who', 'alert'].includes(aloneOf(step)?.keys[0] ?? ''))
    .filter(({ word }) => !['reopen', 'assign'].includes(word))
    .flatMap(({ word, value }): (readonly [string, string, string])[] => {
      const [key = ''] = value.alone?.keys ?? [];
      const some = key === 'who' ? ['[ana, ben]', 'crew', '3 of crew'] : ['[$sos]'];
      return some.map((one) => [word, one, `{${key}: ${one}}`]);
    });
  const others = [
    ['api', 'post /v1/webhooks', '{post: /v1/webhooks}'],
    ['api', 'PATCH /v1/alerts/$sos.id', '{patch: /v1/alerts/$sos.id}'],
    ['api', 'DELETE /v1/webhooks/1', '{delete: /v1/webhooks/1}'],
    ['api', '{get: /v1/alerts, answers: 404}', '{get: /v1/alerts, answers: {status: 404}}'],
    ['hazard', 'tsunami_risk', '{kind: tsunami_risk}'],
    ['end_muster', 'cancelled', '{outcome: cancelled}'],
    ['broker', 'stop', '{does: stop}'],
    ['contract', '{scopes: alerts:read}', '{scopes: [alerts:read]}'],
    ['repeat', '{times: 2, steps: {sos: ana}}', '{times: 2, steps: [{sos: {who: ana}}]}'],
    ['together', '[{sos: ana}, {fall: ben}]', '[{sos: {who: ana}}, {fall: {who: ben}}]'],
  ] as const;

  test.each([...rows, ...lists, ...others])('%s: %s', (word, short, long) => {
    const [one, other] = [short, long].map((value) => scenarioIn(withSteps(`- ${word}: ${value}\n  after: 5s`)));
    expect(one).toEqual({ ...other, source: { ...other?.source, placeOf: expect.any(Function) } });
  });

  test.each(SHORT)('$word is written by "record" in its short form', (step) => {
    const alone = aloneOf(step);
    expect(shortOf(step.word, { [alone?.keys[0] ?? '']: 'x', more: 1 })).toEqual({
      [alone?.keys[0] ?? '']: 'x',
      more: 1,
    });
    if (alone?.keys.length === 1) expect(shortOf(step.word, { [alone.keys[0]]: 'x' })).toBe('x');
  });

  test('a mutation test changes both forms alike', () => {
    const changes = (steps: string) => {
      const { source } = scenarioIn(withSteps(steps));
      const names = { people: ['ana', 'ben'], receivers: ['erp'], companies: [], sites: [], zones: ['Hall', 'Yard'] };
      return changesOf(source, names);
    };
    const short = changes('- sos: ben\n- broker: stop\n- acknowledge: $sos\n- hazard: earthquake');
    expect(short).toEqual(
      changes('- sos: {who: ben}\n- broker: {does: stop}\n- acknowledge: {alert: $sos}\n- hazard: {kind: earthquake}'),
    );
    expect(short.changes.map(({ word, detail }) => `${word} ${detail}`)).toContain('sos who');
  });
});

const PLANT = 'site: {name: P, origin: [43, -8], zones: {Dock: {type: work_area, box: [0, 0, 90, 90]}}}\n';

describe('a section in its short form is read as its long form', () => {
  test.each([
    ['tags: smoke', 'tags: [smoke]'],
    ['modes: fast', 'modes: [fast]'],
    ['workers: [ana, ben]', 'workers: {ana: {}, ben: {}}'],
    ['workers: [ana, 007]', 'workers: {ana: {}, "007": {}}'],
    ['workers:\n  ana:\n  ben: {battery: 40}', 'workers:\n  ana: {}\n  ben: {battery: 40}'],
    ['crowd: {crew: 12}', 'crowd: {crew: {count: 12}}'],
    ['receivers: [erp, crm]', 'receivers: {erp: {}, crm: {}}'],
    ['receivers: {erp: }', 'receivers: {erp: {}}'],
    ['receivers: {erp: {events: alert.*, contractors: A}}', 'receivers: {erp: {events: [alert.*], contractors: [A]}}'],
    ['contract: {scopes: alerts:read, contractors: A}', 'contract: {scopes: [alerts:read], contractors: [A]}'],
    ['contract: {scopes: all}', 'contract: {scopes: all}'],
    ['rules: {never: {alert: heat_stress}}', 'rules: [{never: {alert: heat_stress}}]'],
    [
      'workers: [ana]\nwhen: {first: {alert: sos}, steps: {fall: ana}}',
      'workers: {ana: {}}\nwhen: [{first: {alert: sos}, steps: [{fall: {who: ana}}]}]',
    ],
    [
      'workers: [ana]\nfinally: {sos: ana}\nmacros: {m: {params: who, steps: {sos: $who}}}',
      'workers: {ana: {}}\nfinally: [{sos: {who: ana}}]\nmacros: {m: {params: [who], steps: [{sos: {who: $who}}]}}',
    ],
    [
      'site: {name: P, origin: [43, -8], zones: {G: {type: assembly_point, box: [0, 0, 9, 9], serves: general}}}',
      'site: {name: P, origin: [43, -8], zones: {G: {type: assembly_point, box: [0, 0, 9, 9], serves: [general]}}}',
    ],
    [
      `${PLANT}companies: {other: {sites: {N: {origin: [44, -8], zones: {Y: {type: work_area, box: [0, 0, 9, 9]}}}}, workers: [otto]}}`,
      `${PLANT}companies: {other: {sites: {N: {origin: [44, -8], zones: {Y: {type: work_area, box: [0, 0, 9, 9]}}}}, workers: {otto: {}}}}`,
    ],
  ])('%s', (short, long) => {
    const [one, other] = [short, long].map((section) => {
      const { scenario } = scenarioIn(`scenario: X\n${section}\nsteps: {wait: 1s}\n`);
      return withoutCode({ ...scenario, steps: scenario.steps.map((step) => ({ ...step, line: 0 })) });
    });
    expect(one).toEqual(other);
  });

  test('in a part, where a list of names adds to the workers of the part', () => {
    const files: Record<string, string> = {
      [FILE]: 'scenario: X\nuse: part.yaml\nworkers: [ben]\nsteps: [{sos: ana}, {do: help}]\n',
      'part.yaml': 'part: P\nworkers: [ana]\nsetup: {mark: Ready}\nmacros: {help: {steps: {sos: ben}}}\n',
    };
    const loaded = loadScenario(FILE, { read: (path) => files[path] });
    expect(loaded.ok ? [...loaded.scenario.cast.keys()] : loaded.text).toEqual(['ana', 'ben']);
  });
});

describe('a mistake in a short form is at the value', () => {
  test.each([
    ['- sos: anna', '11:10 "anna" is not a worker or a crowd. Did you mean "ana"?'],
    ['- sos: [ana, bem]', '11:16 "bem" is not a worker or a crowd. Did you mean "ben"?'],
    ['- sos: 007', '11:10 A number is not a text. Put it in quotes: "007".'],
    ['- start_muster: generl', '11:19 "generl" is not a value of "kind". Did you mean "general"?'],
    ['- api: GET /alerts', '11:10 "/alerts" is not a path of the API. Write /v1/alerts, or /v1/alerts/$fall.id.'],
    ['- acknowledge: $sis', '11:18 $sis is not defined before this line. Did you mean $sos?'],
    ['- together: {sos: anna}', '11:21 "anna" is not a worker or a crowd. Did you mean "ana"?'],
    ['- do: atend', '11:9 "atend" is not a macro. Did you mean "attend"?'],
  ])('%s', (step, message) => {
    expect(messagesOf(withSteps(step))).toEqual([message]);
  });

  test('a name that is listed twice', () => {
    expect(messagesOf('scenario: X\nworkers: [ana, ben, ana]\nsteps: {sos: ana}\n')).toEqual([
      '2:21 "ana" is repeated. Delete one.',
    ]);
  });
});

describe('a value alone with two meanings', () => {
  test.each([
    ['battery: ana', 'battery: {who: ana, pct: 18}'],
    ['battery: 35', 'battery: {who: ana, pct: 35}'],
    ['worker: ana', 'worker: {who: ana, role: Rigger}'],
    ['device: ana', 'device: {who: ana, status: maintenance}'],
    ['wear: ben', 'wear: {who: ben, is: off}'],
    ['wear: on', 'wear: {who: ana, is: on}'],
    ['signal: ana', 'signal: {who: ana, is: lost}'],
    ['move: ana', 'move: {who: ana, to: Hall}'],
    ['move: Yard', 'move: {who: ana, to: Yard}'],
    ['enter: [ana, ben]', 'enter: {who: [ana, ben], zone: Hall}'],
    ['mark_safe: 3 of crew', 'mark_safe: {who: 3 of crew}'],
    ['exclude_point: Gate', 'exclude_point: {point: Gate, reason: Smoke}'],
    ['change_kind: tsunami', 'change_kind: {to: tsunami}'],
    ['wind: 90', 'wind: {from_deg: 90}'],
    ['vehicle: ana', 'vehicle: {near: ana, type: forklift, distance: 6m}'],
    ['clock: 10m', 'clock: {advance: 10m}'],
    ['receiver: erp', 'receiver: {name: erp, does: 503}'],
    ['receiver: slow', 'receiver: {name: erp, does: slow}'],
    ['webhook: erp', 'webhook: {rotate_secret: erp}'],
    ['expect: sos', 'expect: {alert: sos}'],
    ['check: alert.created', 'check: {event: alert.created}'],
    ['api: /v1/alerts', 'api: GET /v1/alerts'],
    ['api: {get: /v1/alerts, answers: rate_limited}', 'answers: {code: rate_limited}'],
  ])('- %s is refused with the line to write: %s', (step, line) => {
    const [message = '', ...others] = messagesOf(withSteps(`- ${step}`));
    expect([message, others]).toEqual([expect.stringMatching(/^11:/), []]);
    expect(message).toContain(` Write ${line}.`);
    expect(message).not.toMatch(/A text is not|A map of keys|must be/);
  });

  test.each([
    ['workers: {ana: Dock}', 'ana: {in: Dock}'],
    ['workers: {ana: [10, 20]}', 'ana: {at: [10, 20]}'],
    ['workers: ana, ben', 'workers: [ana, ben]'],
    ['crowd: {crew: Hall}', 'crew: {count: 12, in: Hall}'],
    ['crowd: {crew: }', 'crew: 12'],
    ['crowd: [crew]', 'crew: 12'],
    ['receivers: {erp: text}', 'erp: {events: [text]}'],
    ['receivers: {erp: "http://127.0.0.1:3000/hook"}', 'erp: {url: http://127.0.0.1:3000/hook}'],
    ['receivers: {erp: [alert.*]}', 'erp: {events: [alert.*]}'],
    ['receivers: erp', 'receivers: [erp]'],
    ['vehicles: {lift: forklift}', 'lift: {type: forklift}'],
    ['matrix: {n: 3}', 'n: [3]'],
    ['cases: {n: 3}', 'cases: [{n: 3}]'],
    ['site: Harbour', 'site: {name: Harbour, origin:'],
    ['contract: all', 'contract: {scopes: all}'],
    ['system: node inbox.mjs', 'system: {start: node inbox.mjs}'],
    ['system: {start: a}\nprobes: {open: /open}', 'open: {get: /open}'],
    [
      `${PLANT.replace('Dock: {type: work_area, box: [0, 0, 90, 90]}', 'Dock: [0, 0, 9, 9]')}`,
      'Dock: {type: work_area, box: [0, 0, 9, 9]}',
    ],
    [`${PLANT.trim().replace(/}$/, ', plan: 15m}')}`, 'plan: {general: 15m}'],
  ])('%s is refused with the line to write', (section, line) => {
    const messages = messagesOf(`scenario: X\n${section}\nsteps: [{wait: 1s}]\n`);
    expect(messages).toEqual([expect.stringContaining(line)]);
    expect(messages[0]).not.toMatch(/must be/);
  });
});

/** Values that a person could write alone. */
const ALONE = ['ana', '[ana, ben]', '3', '10m', 'erp', 'Hall', '$sos', 'true', '', '[]', '[1, 2]', '503', 'lost'];
/** The value of these is a text, or any value. */
const OF_TEXTS = ['wait', 'mark'];

describe('each step of the language', () => {
  const rows = [...STEPS.keys()]
    .filter((word) => !OF_TEXTS.includes(word))
    .flatMap((word) => ALONE.map((value) => [word, value] as const));

  eachOf(rows, 8)('%s: %s is short, or refused with words that help', (word, value) => {
    const messages = messagesOf(withSteps(`- ${word}: ${value}`));
    expect(messages.length).toBeLessThan(3);
    for (const message of messages) expect(message).not.toMatch(/must be|A text is not|undefined|\[object/);
    const refused = messages.find((one) => one.includes(`is not what "${word}" needs`));
    if (refused === undefined) return;
    // The line itself is right, or says what else is wrong with its names.
    const [, line = ''] = / Write (.*)\.$/.exec(refused) ?? [];
    expect(line).toMatch(new RegExp(`^${word}: `));
    const again = messagesOf(withSteps(`- ${line.replace('[...]', '[{wait: 1s}]')}`));
    expect(again.filter((one) => / is not what "\w+" needs/.test(one))).toEqual([]);
  });

  test('has a short form, or is refused with a line to write', () => {
    const silent = [...STEPS.values()].filter(({ word, value }) => {
      if (value.alone !== undefined || OF_TEXTS.includes(word) || value.kind === 'steps') return false;
      const [first = ''] = messagesOf(withSteps(`- ${word}: ana${word === 'never' ? '\n  for: 1s' : ''}`));
      return !first.includes(` Write ${word}: {`);
    });
    expect(silent.map(({ word }) => word)).toEqual([]);
  });
});

describe('each section of the language', () => {
  /** Values of any kind, texts, and those that are read from another file. */
  const OF_ANY = ['scenario', 'part', 'explore', 'about', 'skip', 'known_failure', 'tags', 'use', 'cases', 'seed'];

  test.each(
    SECTION_NAMES.filter((name) => !OF_ANY.includes(name) && SECTION_OF[name].forms.includes('scenario')),
  )('%s with a text alone is short, or refused with what to write', (name) => {
    const steps = name === 'steps' ? '' : 'steps: [{wait: 1s}]\n';
    for (const message of messagesOf(`scenario: X\n${name}: word\n${steps}`))
      expect(message).toMatch(/ Write | Did you mean /);
  });
});

test('a run of short forms has the log of the run of long forms', async () => {
  const text = (steps: string) => `scenario: Short forms
workers: {ana: {}, ben: {}}
receivers: {erp: {}}
steps:
${steps}
`;
  const short = text(`  - sos: ana
    as: sos
  - acknowledge: $sos
    after: 5s
  - api: GET /v1/alerts
  - assign: $sos
  - expect: {alert: $sos, assigned_to: Control room}
  - start_muster: general
    as: m
  - end_muster: completed
  - expect: {muster: $m, status: completed}`);
  const long = text(`  - sos: {who: ana}
    as: sos
  - acknowledge: {alert: $sos}
    after: 5s
  - api: {get: /v1/alerts}
  - assign: {alert: $sos}
  - expect: {alert: $sos, assigned_to: Control room}
  - start_muster: {kind: general}
    as: m
  - end_muster: {outcome: completed}
  - expect: {muster: $m, status: completed}`);
  const [one, other] = [await playWhole(short), await playWhole(long)];
  expect([one.failures, other.failures, one.error]).toEqual([[], [], null]);
  expect(one.logSha256).toBe(other.logSha256);
});
