/** Each fact once: an enumeration of the contract is listed in the contract. What lists it elsewhere is named here, with its reason. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const SRC = resolve(import.meta.dirname, '../src');

/** A shorter enumeration is no list that anybody forgets. */
const LEAST_MEMBERS = 5;

/** Members that stand as close to each other as this are one list; characters. */
const APART = 200;

/** Tables of parts of example texts, and those whose words another list has (MISSING_STATUSES). */
const NO_ENUMERATIONS = [
  'DEFAULT_WORDS',
  'NOBODYS_WORDS',
  'HEADCOUNT_WORDS',
  'PERSON_TERMS',
  'CHECK_TERMS',
  'COLOUR_TOKENS',
];

const CHECKED = 'a record of the type, or a switch over it: the compiler names it when a member is missing';
const ONE_EACH = 'each member has a rule of its own';
const EXAMPLE = 'an example, which the contract checks';

/** Lists outside the contract: enumeration, file, reason. */
const LISTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ACTION_GROUPS: { 'scenario/language/step.ts': CHECKED },
  ALERT_TYPES: { 'proving/certify/events.ts': CHECKED, 'watching/state/happened.ts': ONE_EACH },
  // Problems that every operation can have.
  ANYWHERE: { 'service/api/answers/socket-answers.ts': ONE_EACH, 'service/api/coverage/catalogue.ts': ONE_EACH },
  COLOUR_TOKENS: { 'dashboard/terminal/theme.ts': 'roles without a term choose a token' },
  CONTROL_ROOM_ACTIONS: {
    'proving/explore/moves.ts': ONE_EACH,
    'sandbox/actions/act.ts': CHECKED,
    'service/panel/do.ts': ONE_EACH,
  },
  LIMITS_AND_TOKENS_ACTIONS: { 'sandbox/actions/limits-and-tokens.ts': CHECKED },
  MISSING_STATUSES: {
    'dashboard/panes/banner.ts': CHECKED,
    'proving/certify/events.ts': EXAMPLE,
    'service/domain/musters/count.ts': CHECKED,
  },
  MUSTER_ACTIONS: {
    'proving/explore/scenes/musters.ts': ONE_EACH,
    'sandbox/actions/act.ts': CHECKED,
    'service/panel/do.ts': ONE_EACH,
  },
  NOTICE_AUDIENCES: { 'scenario/reporting/happenings.ts': CHECKED },
  PROBLEMS: { 'service/api/coverage/catalogue.ts': CHECKED },
  REMOVABLE: {
    'sandbox/follow-stream.ts': ONE_EACH,
    'sandbox/world/open-world.ts': 'kinds of documents, which have the same names',
    'service/api/stream/change-log.ts': ONE_EACH,
    'service/api/stream/subscriber.ts': ONE_EACH,
    'service/domain/world/documents.ts': 'kinds of documents, which have the same names',
    'service/panel/browser/main.ts': 'subjects of the stream, each with its own regions',
    'watching/regions/regions.ts': 'subjects of the stream, each with its own regions',
    'watching/state/state.ts': ONE_EACH,
  },
  RUN_STATUSES: {
    'library/types.ts': 'a public type, complete for its reader; the compiler compares it where a run ends',
    'proving/certify/reports.ts': 'results of certify and outcomes of JUnit, which have the same names',
    'scenario/log/run-notices.ts': 'a type without two members, and a rule about two others',
    'scenario/playing/run-file.ts': ONE_EACH,
    'scenario/reporting/counted-runs.ts': ONE_EACH,
  },
  TAGS: { 'service/api/documents/openapi.ts': CHECKED },
  UPLINK_EVENT_KINDS: {
    'proving/certify/watch/device-driver.ts': ONE_EACH,
    'service/api/asyncapi/messages.ts': CHECKED,
    'service/broker/uplink.ts': CHECKED,
  },
  ZONE_TYPES: {
    'dashboard/panes/map-labels.ts': CHECKED,
    'fleet/people/goals.ts': ONE_EACH,
    'plant/people.ts': ONE_EACH,
    'plant/whereabouts.ts': ONE_EACH,
    'proving/explore/plant.ts': EXAMPLE,
    'service/api/documents/example-words.ts': ONE_EACH,
  },
};

interface Source {
  readonly name: string;
  /** Without comments. */
  readonly code: string;
}

interface Enumeration {
  readonly name: string;
  readonly members: readonly string[];
}

const sources: readonly Source[] = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map(({ parentPath, name }) => {
    const path = join(parentPath, name);
    const code = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    return { name: relative(SRC, path), code };
  });
const isContract = ({ name }: Source): boolean => name.startsWith('contract/') || name === 'library/contract-types.ts';

/** The lists of words in the contract. */
function enumerationsIn(contract: readonly Source[]): Enumeration[] {
  const found = contract.flatMap(({ code }) => [
    ...code.matchAll(/const ([A-Z_]+)(?::[^=]*)? = \[((?:\s*'[^'\n]+',?)+)\s*\]/g),
  ]);
  return found
    .map(([, name = '', list = '']) => ({ name, members: [...list.matchAll(/'([^']+)'/g)].map(([, one = '']) => one) }))
    .filter(({ members }) => members.length >= LEAST_MEMBERS);
}

/** Tables of the contract whose keys are words of one kind, such as the names of actions. */
async function tables(): Promise<Enumeration[]> {
  const found: Enumeration[] = [];
  for (const { name } of sources.filter((source) => source.name.startsWith('contract/'))) {
    const exported: Record<string, unknown> = await import(join(SRC, name));
    for (const [constant, value] of Object.entries(exported)) {
      const isTable = typeof value === 'object' && value !== null && !Array.isArray(value) && !('~kind' in value);
      if (!isTable || !/^[A-Z][A-Z_]+$/.test(constant) || NO_ENUMERATIONS.includes(constant)) continue;
      const members = Object.keys(value);
      if (members.length >= LEAST_MEMBERS) found.push({ name: constant, members });
    }
  }
  return found;
}

/** Each set of words once, however many lists and tables have it. */
function distinct(all: readonly Enumeration[]): Enumeration[] {
  const known = new Map<string, Enumeration>();
  for (const one of all) {
    const key = one.members.toSorted().join(' ');
    if (!known.has(key)) known.set(key, one);
  }
  return [...known.values()];
}

/** True if more than half of the members stand together, as texts or as keys. */
function lists({ members }: Enumeration, code: string): boolean {
  const words = members.map((one) => one.replace(/[.*]/g, '\\$&')).join('|');
  let together = new Set<string>();
  let last = Number.NEGATIVE_INFINITY;
  for (const { index, 1: text, 2: key } of code.matchAll(new RegExp(`'(${words})'|\\b(${words})\\??:`, 'g'))) {
    if (index - last > APART) together = new Set();
    together.add(text ?? key ?? '');
    if (together.size > members.length / 2) return true;
    last = index;
  }
  return false;
}

describe('an enumeration of the contract with at least five members', () => {
  const enumerations = async () => distinct([...enumerationsIn(sources.filter(isContract)), ...(await tables())]);

  test('is found wherever the contract has one', async () => {
    const names = (await enumerations()).map(({ name }) => name);
    const some = ['ALERT_TYPES', 'EVENT_TYPES', 'MISSING_STATUSES', 'SCOPES', 'MUSTER_ACTIONS', 'PROBLEMS'];
    expect(names).toEqual(expect.arrayContaining(some));
  });

  test('is listed nowhere else without a reason, and no reason is left over', async () => {
    const found = (await enumerations()).flatMap((one) =>
      sources
        .filter((source) => !isContract(source) && lists(one, source.code))
        .map(({ name }) => `${one.name} ${name}`),
    );
    const named = Object.entries(LISTED).flatMap(([name, files]) =>
      Object.keys(files).map((file) => `${name} ${file}`),
    );
    expect(found.toSorted()).toEqual(named.toSorted());
  });

  test.each([
    ['texts', "const all = ['a', 'b', 'c'];", true],
    ['keys', 'const glyphs = { a: 1, b: 2, c: 3 };', true],
    ['a union of types', "type Some = 'a' | 'c' | 'e';", true],
    ['half of them', "const some = ['a', 'b'];", false],
    ['one of them again and again', "if (x === 'a' || y === 'a' || z === 'a') return;", false],
    ['words far from each other', `f('a');${' '.repeat(300)}f('b');${' '.repeat(300)}f('c');`, false],
  ])('counts as listed by what it looks like: %s', (_what, code, expected) => {
    expect(lists({ name: 'FIVE', members: ['a', 'b', 'c', 'd', 'e'] }, code)).toBe(expected);
  });
});

describe('programs of the package', () => {
  /** What sends to an address of the user, which is no API of the sandbox; and those that name themselves. */
  const OTHERS: Readonly<Record<string, string>> = {
    'base/network/forward.ts': 'forwards what another program sent, with its name',
    'base/network/trusting-fetch.ts': 'gives the name to all who use it',
    'cli/doctor/checks.ts': 'asks a receiver of the user',
    'proving/certify/probe.ts': 'asks a receiver of the user',
    'scenario/customer/http-client.ts': 'has the name of scenarios',
    'scenario/customer/own-system.ts': 'asks the system of the user',
    'service/webhooks/post.ts': 'is a delivery',
  };
  const SENDS = /(?<![#.\w])fetch\((?!\))|\brequest as https?Request|import\('node:https?'\)/;

  test('A request of a tool, the library or a scenario names its program, so that no log takes it for one of the user', () => {
    const senders = sources.filter(({ name, code }) => SENDS.test(code) && !name.includes('/browser/'));
    expect(senders.map(({ name }) => name).sort()).toEqual(Object.keys(OTHERS));
    const bearers = sources.filter(
      ({ name, code }) => /authorization: `Bearer \$/.test(code) && !/^service\//.test(name),
    );
    expect(bearers.length).toBeGreaterThan(4);
    expect(bearers.filter(({ code }) => !/fetchTrusting|requestText|SCENARIO_AGENT/.test(code))).toEqual([]);
  });
});

test('One function decides what a redirection is, so that 304 is one nowhere', () => {
  const own = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      /\.tsx?$/.test(name) &&
      /[<>]=? ?(?:300|400)\b.*[<>]=? ?(?:300|400)\b/.test(readFileSync(join(SRC, name), 'utf8')),
  );
  // The first follows a redirection itself and leaves out 304, the second plays the receivers of a scenario.
  expect(own.sort()).toEqual(['base/network/trusting-fetch.ts', 'scenario/customer/built-in-receivers.ts']);
});
