/** Every option of a sandbox means the same at each entrance that has it: flag, variable, settings file and library. [cli, up, Precedence] */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { everyCommand } from '../../src/cli/commands.ts';
import { refuseControlCharacters } from '../../src/cli/control-characters.ts';
import { optionOf } from '../../src/cli/sandbox-flags.ts';
import { defaultWorld } from '../../src/plant/default-world.ts';
import { CONTRADICTIONS } from '../../src/sandbox/options/contradictions.ts';
import { flagOf, givenBy, type OptionRow } from '../../src/sandbox/options/kinds.ts';
import type { Entrance } from '../../src/sandbox/options/names.ts';
import { OPTION_NAMES, type OptionName, ROWS } from '../../src/sandbox/options/table.ts';
import { DEFAULT_DATA_DIR, LONGEST_ASSUMED, LONGEST_NODE_NAME } from '../../src/sandbox/options/values.ts';
import { watchesOf } from '../../src/sandbox/world/plan-of.ts';
import { unlessMachine } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { calledIn, ENTRANCES, type Given, has, outcomeOf, type Value } from './entrances.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

const SITE = resolve(import.meta.dirname, '../../scenarios/sites/harbour.yaml');
const CREDENTIALS = join(folder.path, 'credentials.json');
writeFileSync(CREDENTIALS, JSON.stringify({ control_token: 'a_secret_of_our_own' }), { mode: 0o600 });

const PROFILE = join(folder.path, 'profile.yaml');
writeFileSync(PROFILE, 'assume:\n  retry: delay\n');
const FILES = { site: SITE, credentials: CREDENTIALS, profile: PROFILE } as const;

/** The example of the table, as this entrance has it. */
function rightValue(name: OptionName, entrance: Entrance): Value {
  const row: OptionRow = ROWS[name];
  switch (row.kind) {
    case 'switch':
      return givenBy(row);
    case 'number':
    case 'text':
      return row.example;
    case 'file':
      return FILES[row.file];
    case 'entries': {
      const [key = '', value = ''] = row.example.split('=');
      return entrance === 'library' ? { [key]: value } : [row.example];
    }
    case 'code':
      return (() => {}) as never;
  }
}

/** Texts that keep the limits of a text and are still wrong. A reader that takes every text is null. */
const WRONG_TEXTS: Readonly<Partial<Record<OptionName, readonly string[] | null>>> = {
  host: null,
  dataDir: null,
  seed: ['45u000a', '45\n', '1e3', ' 45', '-5', '4.5', '9007199254740992', 'random'],
  truth: null,
  readyFile: null,
  scenario: null,
  start: ['tomorrow', '10000-01-01T00:00:00Z'],
  publicUrl: [
    ...['nowhere', 'ftp://a.example', 'http://a.example?b=c', 'http://a.example/path?', 'http://a.example/path#d'],
    ...['http://ana@a.example', 'http://ana:secret@a.example/path', "http://a.example/it's", 'http://a.example//b'],
  ],
  database: ['mysql://a.example/b', 'postgres://a.example'],
  broker: ['http://a.example', 'mqtt://a.example/path'],
  node: ['a b', '-a', 'x'.repeat(LONGEST_NODE_NAME + 1)],
  smtp: ['http://a.example', 'smtp://a.example/path'],
  cors: ['localhost', 'http://a.example/path'],
  ambient: ['bussy'],
};

const WRONG_ENTRIES: Readonly<Partial<Record<OptionName, readonly string[]>>> = {
  forwards: ['receiver.example=nowhere', 'receiver.example=0', 'receiver.example=ftp://a', 'a b=3000'],
  assume: ['retryy=delay', 'retry=never', 'toString=delay', `retry=${'x'.repeat(LONGEST_ASSUMED)}`],
};

/** Values beyond each limit, as this entrance has them. */
function wrongValues(name: OptionName, entrance: Entrance): Value[] {
  const row: OptionRow = ROWS[name];
  const isCode = entrance === 'library';
  switch (row.kind) {
    case 'switch':
      if (entrance === 'flag') return [];
      return isCode ? ['yes', 1] : ['maybe'];
    case 'number': {
      const { range } = row;
      const below = range.isWhole ? range.least - 1 : range.above;
      return [below, range.most + 1, 'many', ...(range.isWhole ? [1.5] : [])];
    }
    case 'text':
    case 'file': {
      const wrong = row.kind === 'file' ? ['nowhere.json', folder.path] : WRONG_TEXTS[name];
      expect([name, wrong], 'a text is checked further, or any is taken').not.toEqual([name, undefined]);
      return ['', 'x'.repeat(row.longest + 1), ...(isCode ? [true] : []), ...(wrong ?? [])];
    }
    case 'entries': {
      const many = Array.from({ length: row.most + 1 }, (_, i) => `a${i}.example=http://127.0.0.1:1`);
      const wrong = [...(WRONG_ENTRIES[name] ?? []).map((one) => [one]), many];
      const asObject = (entries: readonly string[]) =>
        Object.fromEntries(entries.map((entry) => [entry.split('=')[0], entry.split('=')[1]]));
      return isCode ? [...wrong.map(asObject), 'a=b', { a: 1 }] : [...wrong, ['a']];
    }
    case 'code':
      return ['log'];
  }
}

/** Options that another one needs. */
const BESIDE: Readonly<Partial<Record<OptionName, readonly OptionName[]>>> = { node: ['database', 'broker'] };
const besideOf = (name: OptionName): Given[] =>
  (BESIDE[name] ?? []).map((other) => ({ entrance: 'flag', name: other, value: rightValue(other, 'flag') }));

const cases = OPTION_NAMES.flatMap((name) =>
  ENTRANCES.filter((entrance) => has(name, entrance)).map((entrance) => [name, entrance] as const),
);

test.each(OPTION_NAMES)('%s means the same at every entrance that has it', async (name) => {
  const outcomes: (readonly [Entrance, object])[] = [];
  for (const entrance of ENTRANCES.filter((one) => has(name, one))) {
    const given = { entrance, name, value: rightValue(name, entrance) };
    const outcome = await outcomeOf(folder.path, [...besideOf(name), given]);
    expect(outcome, entrance).toHaveProperty('options');
    if ('options' in outcome) outcomes.push([entrance, outcome.options]);
  }
  const [first] = outcomes;
  for (const [entrance, options] of outcomes)
    expect([entrance, plain(options)]).toEqual([entrance, plain(first?.[1] ?? {})]);
});

/** A callback is equal to another one. */
const plain = (options: object): unknown =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [name, typeof value === 'function' ? 'f' : value]));

test.each(cases)('%s beyond its limits is refused by its %s, which the message names', async (name, entrance) => {
  for (const value of wrongValues(name, entrance)) {
    const outcome = await outcomeOf(folder.path, [...besideOf(name), { entrance, name, value }]);
    const shown = JSON.stringify(value)?.slice(0, 80);
    expect([shown, 'refusal' in outcome]).toEqual([shown, true]);
    const { refusal = '' } = outcome as { refusal?: string };
    expect(refusal, shown).toMatch(named(entrance, name));
    if (entrance === 'settings') expect(refusal, shown).toContain('sandbox.config.yaml');
  }
});

const named = (entrance: Entrance, name: OptionName): RegExp =>
  new RegExp(`(?<![\\w-])${calledIn(entrance, name)}(?![\\w-])`);

test('an IPv6 address to listen on may have the brackets of a URL, in every command that listens', async () => {
  for (const entrance of ENTRANCES)
    for (const value of ['::1', '[::1]'])
      expect(await outcomeOf(folder.path, [{ entrance, name: 'host', value }])).toMatchObject({
        options: { host: '::1' },
      });
  const own = (await everyCommand()).filter((command) => !['up', 'exec'].includes(command.name()));
  const hosts = own.flatMap((command) => command.options.filter(({ long }) => long === '--host'));
  expect(hosts.length).toBe(2);
  for (const { parseArg } of hosts) expect(parseArg?.('[::1]', undefined as never)).toBe('::1');
});

test('a password in a wrong address is not shown', async () => {
  for (const name of OPTION_NAMES.filter((one) => ROWS[one].isSecret === true))
    for (const entrance of ENTRANCES) {
      const outcome = await outcomeOf(folder.path, [{ entrance, name, value: 'wrong://user:pass-word@a.example/b' }]);
      expect(outcome).toEqual({ refusal: expect.not.stringContaining('pass-word') });
    }
});

describe('options that do not go together', () => {
  const rules = CONTRADICTIONS.map(
    (rule) => [[...rule.of, ...(rule.without ?? []).map((one) => `no ${one}`)], rule] as const,
  );

  test.each(rules)('%j are refused at every entrance, in its words', async (_, { of, without = [] }) => {
    const others = of.includes('node') ? besideOf('node').filter(({ name }) => !without.includes(name)) : [];
    for (const entrance of ENTRANCES) {
      if (!of.every((name) => has(name, entrance))) continue;
      const given = of.map((name): Given => ({ entrance, name, value: rightValue(name, entrance) }));
      const outcome = await outcomeOf(folder.path, [...others, ...given]);
      expect([entrance, outcome]).toEqual([entrance, { refusal: expect.any(String) }]);
      for (const name of of) expect('refusal' in outcome && outcome.refusal).toMatch(named(entrance, name));
    }
  });

  test('of two entrances are each named as they were given', async () => {
    const given: Given[] = [
      { entrance: 'flag', name: 'memory', value: true },
      { entrance: 'variable', name: 'database', value: 'postgres://127.0.0.1/x' },
    ];
    expect(await outcomeOf(folder.path, given)).toEqual({
      refusal: '--memory keeps nothing, and SANDBOX_DATABASE says where to keep it. Leave out one of the two.',
    });
  });
});

describe('the flags of commands', () => {
  let commands: readonly Command[];
  beforeEach(async () => {
    commands = await everyCommand();
  });

  test('a seed is a whole number in every command that takes one, or random where it can draw one', () => {
    const seeds = commands.flatMap((command) =>
      command.options.filter(({ long }) => long === '--seed').map((option) => [command.name(), option] as const),
    );
    expect(seeds.map(([name]) => name).sort()).toEqual(['drill', 'exec', 'explore', 'fleet', 'list', 'run', 'up']);
    // `up` and `exec` read it as every other option of a sandbox.
    for (const [name, { parseArg }] of seeds.filter((one) => !['up', 'exec'].includes(one[0]))) {
      const read = (text: string) => parseArg?.(text, undefined as never);
      for (const wrong of [...(WRONG_TEXTS.seed ?? []), ''].filter((text) => text !== 'random'))
        expect(() => read(wrong), `${name} --seed ${JSON.stringify(wrong)}`).toThrow('Write a whole number');
      expect([name, read('007'), read('9007199254740991')]).toEqual([name, '7', '9007199254740991']);
      if (['drill', 'explore', 'run'].includes(name)) expect(read('random')).toBe('random');
      else expect(() => read('random'), name).toThrow('Write a whole number');
    }
  });

  /** Placeholders whose text may have control characters: a path, a command, a value of the user's own parameter. */
  const FREE = ['command', 'fields', 'file', 'files', 'folder', 'log', 'name=value', 'scenario'];

  test('an id, a name or an address with a control character is refused, for every argument and flag', () => {
    const free = new Set<string>();
    const refuses = (command: Command, what: string, holds: string) => {
      let why = '';
      try {
        refuseControlCharacters(command);
      } catch (error) {
        why = (error as Error).message;
      }
      if (why === '') free.add(holds);
      else expect(why, `${command.name()} ${what}`).toBe(`${what} has a control character, U+001B, at character 2.`);
    };
    for (const command of commands) {
      for (const [at, place] of command.registeredArguments.entries()) {
        command.args = command.registeredArguments.map((_, i) => (i === at ? 'W\u001b[31m' : 'x'));
        refuses(command, place.name().toUpperCase(), place.name());
      }
      command.args = [];
      for (const option of command.options.filter(({ required, optional }) => required || optional)) {
        command.setOptionValueWithSource(option.attributeName(), ['W\u001b[31m'], 'cli');
        refuses(command, option.long ?? '', /[<[]([^>\].]+)/.exec(option.flags)?.[1] ?? '');
        command.setOptionValue(option.attributeName(), undefined);
      }
    }
    expect([...free].sort()).toEqual(FREE);
  });

  /** Flags that have the name of an option and another meaning. */
  const OF_THEIR_OWN = new Map([
    ['world --site', 'the name of a site'],
    ['drill --site', 'one or two layouts, and no sandbox'],
    ['drill --seed', 'of the runs'],
    ['drill --watches', 'the same as --people'],
    ['list --seed', 'of a scenario'],
    ['run --truth', 'of the report'],
    ['explore --seed', 'of the scenarios that it makes'],
    ['replay --speed', 'of the pauses between deliveries'],
    ['fleet --broker', 'also over WebSockets, and without the user of the service'],
    ['proxy --port', 'of the proxy'],
    ['certify --host', 'of the broker for a watch'],
    ['certify --mqtt-port', 'of the broker for a watch'],
    ['certify --data-dir', 'no folder unless one is named'],
    ['mcp --data-dir', 'no folder unless the flag names one'],
    ['certify --skip-verify', 'of the receiver'],
    ['listen --skip-verify', 'of the receiver'],
  ]);

  test('with the name of an option come from the table, as it says', () => {
    const known = new Set(OPTION_NAMES.flatMap((name) => flagOf(ROWS[name]) ?? []));
    const own = commands.flatMap((command) =>
      command.options
        // Each command says what its --json prints.
        .filter((option) => known.has(option.long ?? '') && optionOf(option) === undefined && option.long !== '--json')
        .map(({ long }) => `${command.name()} ${long}`),
    );
    expect(own.sort()).toEqual([...OF_THEIR_OWN.keys()].sort());
  });

  test('are those of the commands that the table names', () => {
    const named = OPTION_NAMES.flatMap((name) =>
      Object.keys(ROWS[name].also ?? {}).map((command) => `${command} ${name}`),
    );
    const taken = commands
      .filter((command) => !['up', 'exec'].includes(command.name()))
      .flatMap((command) => command.options.flatMap((option) => `${command.name()} ${optionOf(option)}`))
      .filter((text) => !text.endsWith(' undefined'));
    expect(taken.sort()).toEqual(named.sort());
  });
});

test('the default number of watches is that of the default world', () => {
  expect(String(watchesOf(defaultWorld('1')))).toBe(ROWS.watches.default);
});

const SPEC = resolve(import.meta.dirname, '../../../shared/spec/cli.md');

const withoutSpec = unlessMachine(existsSync(SPEC), 'the specification', `put it at ${SPEC}`);

unless(withoutSpec).describe('the specification of the command line', () => {
  const section = existsSync(SPEC)
    ? (readFileSync(SPEC, 'utf8').split('## `sandbox up`')[1]?.split('### Ready')[0] ?? '')
    : '';
  const spans = [...section.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  const flags = spans.flatMap((code) => (/^(--[a-z-]+)(?: (.+))?$/.exec(code)?.slice(1, 3) ? [code] : []));

  test('has the flags of up, and no others', () => {
    const written = new Set(flags.map((code) => code.split(' ')[0]).filter((flag) => !NOT_YET.includes(flag ?? '')));
    const ours = OPTION_NAMES.flatMap((name) => flagOf(ROWS[name]) ?? []);
    expect([...written].sort()).toEqual(ours.sort());
  });

  test.each([
    ['host', '--host 127.0.0.1'],
    ['port', '--port 4600'],
    ['mqttPort', '--mqtt-port 1883'],
    ['dataDir', '--data-dir .sandbox'],
  ] as const)('%s has the default that it writes', (name, written) => {
    expect(flags).toContain(written);
    expect(`${flagOf(ROWS[name])} ${ROWS[name].default?.split(';')[0]}`).toBe(written);
  });

  test('its variables are those of the table', () => {
    expect(readFileSync(SPEC, 'utf8')).toContain(`(\`${ROWS.dataDir.variable}\`, default \`${DEFAULT_DATA_DIR}\`)`);
    expect(readFileSync(SPEC, 'utf8')).toContain(`\`${ROWS.allowCommands.variable}=1\``);
    expect(section).toContain('(default port 8883)');
    expect(ROWS.mqttPort.default).toContain('8883');
  });
});

/** Flags of the specification that the product does not have yet. */
const NOT_YET: readonly string[] = [];
