/** The structure: imports go down only, time and chance enter by src/base only, and no file is longer than its limit. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { IN_CI, LONG, STARTS_PROCESSES } from './groups.ts';
import { LAYERS, MAY_IMPORT, moduleOf, REACHES, ROOMS, roomOf } from './rooms.ts';

const ROOT = resolve(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');

/**
 * The folders of src/scenario from bottom to top: what a file says, the customer's side, the log of a run,
 * conditions, the declarations of the language, reading a file, playing, reports; above them what uses a whole run or file.
 */
const SCENARIO_LAYERS: Record<string, number> = {
  model: 0,
  customer: 1,
  log: 2,
  judging: 3,
  language: 4,
  reading: 5,
  playing: 6,
  reporting: 7,
  mend: 8,
  mutate: 8,
  record: 8,
  waiting: 8,
};

/** Imports against that order, each with its reason. */
const AGAINST_THE_ORDER: Record<string, string> = {
  'model/scenario.ts imports judging/subject.ts': 'a type: a step of a scenario holds the condition that judges it',
};

/** The most source files in one folder of src. */
const FILES_IN_A_FOLDER = 25;

/** Files that may be longer than the limit, each with its reason. */
const LONG_FILES: Record<string, string> = {
  'library/contract-types.ts': 'generated, and read by an editor only',
};
const LINES_LIMIT = 400;

/** The entry of the package is above all modules. */
const TOP = new Set(['index.ts']);

/** A glob may have one star, for any file name. */
const matchesGlob = (path: string, glob: string): boolean => {
  const [head = '', tail] = glob.split('*');
  return tail === undefined ? path === glob : path.startsWith(head) && path.endsWith(tail);
};

function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return name === 'node_modules' ? [] : filesUnder(path);
    return /\.tsx?$/.test(name) ? [path] : [];
  });
}

const files = filesUnder(SRC).map((path) => ({ path, name: relative(SRC, path), text: readFileSync(path, 'utf8') }));

/** Relative imports, static, dynamic and re-exports. */
function importsOf({ path, text }: { path: string; text: string }): string[] {
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target]) => target as string);
  return found.map((target) => relative(SRC, resolve(dirname(path), target)));
}

/** The text without comments and without what is in quotes. */
function codeOf(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|[^:'"`])\/\/.*$/gm, '$1')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''");
}

/** Static imports only: `import('x')` loads when it is called. */
const codeWithQuotes = (text: string): string => text.replace(/import\(/g, '');

/** Sources that open files themselves, each with its reason: none of them opens a file that a user names and it reads. */
const OPENS_FILES: Record<string, string> = {
  'base/user-files.ts': 'the one that opens files of users',
  'base/shipped.ts': 'files of the package',
  'base/browser-script.ts': 'a file of the package',
  'sandbox/version.ts': 'package.json of the package',
  'scenario/reporting/html/report-script.ts': 'a file of the package',
  'base/foreground.ts': '/proc',
  'sandbox/listeners/open-files.ts': '/proc',
  'sandbox/listeners/port-holder.ts': '/proc',
  'sandbox/truth.ts': 'writes the truth file, and continues one of its own',
  'scenario/log/canonical-log.ts': 'writes the log of a run',
  'cli/dashboard/dashboard.ts': 'writes what --record says',
  'proving/compare/proxy/har-file.ts': 'writes what passed a proxy',
  'service/store/folder/data-folder.ts': 'the folder itself, to lock it and to write it through',
  'service/store/folder/private-files.ts': 'files of the data folder',
  'service/store/sqlite/seal.ts': 'the seal of the data folder, which it holds',
  'service/store/folder/upgrade.ts': 'the database of the data folder, which it holds',
  'service/store/sqlite/wal.ts': 'the log of SQLite, in a data folder that it holds',
  'service/store/folder/guard.ts': 'the key of the data folder, which it holds',
  'service/store/sqlite/commit-ledger.ts': 'the ledger of the data folder, which it holds',
};

/** Sources that read files of users and parse JSON themselves, each with its reason: all others get the place of a mistake. */
const PARSES_JSON: Record<string, string> = {
  'scenario/log/recorded-run.ts': 'lines of logs of the sandbox, whose mistakes are named by their lines',
  'proving/explore/kept.ts': 'lines that explore wrote; those that are damaged are left out',
  'service/store/folder/snapshot-file.ts': 'lines of a snapshot, which has a checksum',
  'service/store/folder/data-folder.ts': 'sandbox.json, whose text is a secret',
  'service/store/folder/lock.ts': 'a file of the data folder',
  'sandbox/world/made-with.ts': 'a file of the data folder',
  'cli/running.ts': 'answers of a sandbox; the file is a certificate',
};

/** Groups of files that import each other, directly or through others (Tarjan’s strongly connected components). */
function circles(): string[] {
  const known = new Map(files.map((file) => [file.name, importsOf(file)]));
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[] = [];
  const visit = (name: string): number => {
    const number = numbers.size;
    numbers.set(name, number);
    lowest.set(name, number);
    open.push(name);
    for (const target of known.get(name) ?? []) {
      if (!known.has(target)) continue;
      const reached = numbers.has(target)
        ? open.includes(target)
          ? (numbers.get(target) as number)
          : number
        : visit(target);
      lowest.set(name, Math.min(lowest.get(name) as number, reached));
    }
    if (lowest.get(name) === number) {
      const group = open.splice(open.indexOf(name));
      if (group.length > 1) found.push(group.sort().join(', '));
    }
    return lowest.get(name) as number;
  };
  for (const { name } of files) if (!numbers.has(name)) visit(name);
  return found.sort();
}

describe('the structure', () => {
  test('no files import each other in a circle, types included', () => {
    expect(circles()).toEqual([]);
  });

  test('files of users are opened by one module, which knows the limits', () => {
    const opens =
      /\b(?:readFileSync|readFile|createReadStream|openSync|opendirSync|readv?Sync)\(|from 'node:fs\/promises'/;
    const found = files.filter(({ text }) => opens.test(codeOf(text).replace(/`[^`]*`/g, ''))).map(({ name }) => name);
    const promised = files.filter(({ text }) => /from 'node:fs\/promises'/.test(text)).map(({ name }) => name);
    expect([...found, ...promised].filter((name) => !(name in OPENS_FILES))).toEqual([]);
    expect(Object.keys(OPENS_FILES).filter((name) => !found.includes(name))).toEqual([]);
  });

  test('JSON of files of users is parsed by one module, which names the place of a mistake', () => {
    const reads = /\b(?:readUserText|readMarkedText|readUserLines|openUserLines|readIfThere|ReadText)\b/;
    const found = files
      .filter(
        ({ name, text }) => name !== 'base/user-files.ts' && reads.test(text) && /\bJSON\.parse\(/.test(codeOf(text)),
      )
      .map(({ name }) => name);
    expect(found.filter((name) => !(name in PARSES_JSON))).toEqual([]);
    expect(Object.keys(PARSES_JSON).filter((name) => !found.includes(name))).toEqual([]);
  });

  test('the worker that reads scenarios loads no database, no broker and no server', () => {
    const reached = new Set<string>();
    const reach = (name: string): void => {
      const file = files.find((one) => one.name === name);
      if (file === undefined || reached.has(name)) return;
      reached.add(name);
      for (const match of file.text.matchAll(/^(?:import|export) (?!type\b)[^;]*?from '(\.[^']+)'/gm))
        reach(relative(SRC, resolve(dirname(file.path), match[1] as string)));
    };
    reach('sandbox/runs/reading-worker.ts');
    expect(reached.size).toBeGreaterThan(30);
    const outside = /^(?:service\/(?:store|broker|api|engine|webhooks|panel)|fleet|cli|library)\/|^scenario\/playing\//;
    expect([...reached].filter((name) => outside.test(name))).toEqual([]);
    const packages = [...reached].flatMap((name) =>
      [
        ...(files.find((one) => one.name === name)?.text ?? '').matchAll(
          /^import (?!type\b)[^;]*?from '([a-z@][^'.]*)'/gm,
        ),
      ].map(([, target]) => target as string),
    );
    expect([...new Set(packages)].filter((name) => !name.startsWith('node:')).sort()).toEqual(
      expect.not.arrayContaining(['libsql', 'pg', 'kysely', 'fastify', 'aedes', 'mqtt']),
    );
  });

  test('src has twelve rooms, and every module in them has a layer', () => {
    const rooms = new Set(files.map(({ name }) => roomOf(name)).filter((room) => !TOP.has(room)));
    expect([...rooms].toSorted()).toEqual(Object.keys(ROOMS).toSorted());
    const modules = new Set(files.map(({ name }) => moduleOf(name)).filter((module) => !TOP.has(module)));
    expect([...modules].toSorted()).toEqual(Object.keys(LAYERS).toSorted());
  });

  test('a module imports the modules of its row, all of them, and all are on lower layers', () => {
    const imported = new Map<string, Set<string>>();
    for (const file of files) {
      const module = moduleOf(file.name);
      if (TOP.has(module)) continue;
      const others = imported.get(module) ?? new Set();
      imported.set(module, others);
      for (const target of importsOf(file)) if (moduleOf(target) !== module) others.add(moduleOf(target));
    }
    const found = Object.fromEntries(
      Object.keys(MAY_IMPORT).map((name) => [name, [...(imported.get(name) ?? [])].toSorted()]),
    );
    expect(found).toEqual(
      Object.fromEntries(Object.entries(MAY_IMPORT).map(([name, others]) => [name, [...others].toSorted()])),
    );
    const up = Object.entries(MAY_IMPORT).flatMap(([name, others]) =>
      others
        .filter((other) => (LAYERS[other] ?? 99) >= (LAYERS[name] ?? -1))
        .map((other) => `${name} imports ${other}`),
    );
    expect(up).toEqual([]);
  });

  test.each(Object.entries(REACHES))('%s reaches the modules of its row, and no other', (module, others) => {
    const known = new Map(files.map((file) => [file.name, importsOf(file)]));
    const reached = new Set<string>();
    const reach = (name: string): void => {
      if (reached.has(name)) return;
      reached.add(name);
      for (const target of known.get(name) ?? []) reach(target);
    };
    for (const { name } of files) if (moduleOf(name) === module) reach(name);
    const found = new Set([...reached].map(moduleOf).filter((name) => !['base', 'contract', module].includes(name)));
    expect([...found].toSorted()).toEqual([...others].toSorted());
  });

  test('the README of each room says what its modules may import, in at most 30 lines, and names the file to read first', () => {
    for (const [room, modules] of Object.entries(ROOMS)) {
      const text = readFileSync(join(SRC, room, 'README.md'), 'utf8');
      expect(text.split('\n').length, room).toBeLessThanOrEqual(31);
      expect(files.map(({ name }) => name)).toContain(`${room}/${/\*\*Read first:\*\* \[`([^`]+)`\]/.exec(text)?.[1]}`);
      const names = (others: readonly string[] = []) => others.map((other) => `\`${other}\``).join(', ') || 'nothing';
      if (modules.length === 0) expect(text).toContain(`- **May import:** ${names(MAY_IMPORT[room])}\n`);
      for (const module of modules)
        expect(text).toMatch(new RegExp(`^\\| \`${module}\` \\| .+ \\| ${names(MAY_IMPORT[module])} \\|$`, 'm'));
    }
  });

  test('the folders of the scenario language have an order', () => {
    const broken: string[] = [];
    const SCENARIO = 'scenario/';
    for (const file of files.filter(({ name }) => name.startsWith(SCENARIO))) {
      const own = file.name.slice(SCENARIO.length);
      for (const target of importsOf(file).filter((other) => other.startsWith(SCENARIO))) {
        const other = target.slice(SCENARIO.length);
        if (roomOf(own) === roomOf(other)) continue;
        const goesDown = (SCENARIO_LAYERS[roomOf(other)] ?? 99) < (SCENARIO_LAYERS[roomOf(own)] ?? -1);
        const sentence = `${own} imports ${other}`;
        if (!goesDown && !(sentence in AGAINST_THE_ORDER)) broken.push(sentence);
      }
    }
    expect(broken).toEqual([]);
  });

  test('no folder holds more files than a reader can take in', () => {
    const counts = new Map<string, number>();
    for (const { name } of files) {
      const folder = dirname(name);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > FILES_IN_A_FOLDER)).toEqual([]);
  });

  test('what a browser draws with knows of the stream alone, and nothing of Node', () => {
    const known =
      /^(base\/(assert|browser\/theme|geometry\/boxes|geometry\/shapes|text\/html|text\/printable|text\/shades|text\/site-header|time\/instants|time\/page-time)|contract\/(enumerations|resources|resources\/headcount|resources\/vocabulary|resources\/palette|stream)|watching\/(drawing|state|regions|updates)\/[\w-]+|service\/panel\/browser\/[\w-]+)\.ts$/;
    const broken = files
      .filter(({ name }) => /^(watching\/(drawing|regions|updates)|service\/panel\/browser)\//.test(name))
      .flatMap((file) =>
        [
          ...importsOf(file),
          ...[...file.text.matchAll(/from '(node:[^']+|\w[^'.]*)'/g)].map(([, target]) => target as string),
        ]
          .filter((target) => !known.test(target))
          .map((target) => `${file.name} imports ${target}`),
      );
    expect(broken).toEqual([]);
  });

  test('the script of a report knows its data and the regions of the panel alone, and writes no markup itself', () => {
    const known =
      /^(base\/(geometry\/(?:boxes|shapes)|sorted-numbers|text\/html|text\/printable|time\/instants)|contract\/stream|watching\/(?:drawing|regions|state|updates)\/[\w-]+|scenario\/reporting\/(?:html\/(?:browser\/[\w-]+|packed-run|regions-view|run-at|truth-layer)|seen\/(?:numbers|seen|tracks|truth)))\.ts$/;
    const own =
      /^scenario\/reporting\/(?:html\/(?:browser\/[\w-]+|packed-run|regions-view|run-at|truth-layer)|seen\/(?:numbers|seen|tracks|truth))\.ts$/;
    const sources = files.filter(({ name }) => own.test(name));
    expect(sources.length).toBeGreaterThan(10);
    const broken = sources.flatMap((file) =>
      importsOf(file)
        .filter((target) => !known.test(target))
        .map((target) => `${file.name} imports ${target}`),
    );
    const markup = /\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|eval)\b/;
    const writing = sources.filter(({ name, text }) => name.includes('/browser/') && markup.test(codeOf(text)));
    expect([...broken, ...writing.map(({ name }) => name)]).toEqual([]);
  });

  test('Ink and React are loaded for the dashboard alone', () => {
    const drawing = /^(?!import type).*(?:from|import)\s*'(?:ink|react|[^']*\.tsx)'/m;
    const broken = files.filter(
      ({ name, text }) => !/^dashboard\/.*\.tsx$/.test(name) && drawing.test(codeWithQuotes(text)),
    );
    expect(broken.map(({ name }) => name)).toEqual([]);
  });

  test('time and chance come in by src/base only', () => {
    const leaks =
      /\b(Date\.now\(|new Date\(|performance\.now\(|Math\.random\(|randomUUID\(|randomBytes\(|generateKeyPair(?:Sync)?\(|randomInt\(|setTimeout\(|setInterval\(|setImmediate\()/g;
    const broken = files
      .filter(({ name }) => moduleOf(name) !== 'base')
      .flatMap(({ name, text }) => [...codeOf(text).matchAll(leaks)].map(([leak]) => `${name} calls ${leak}`));
    expect(broken).toEqual([]);
  });

  test('mqtt.js is loaded with the first fleet, and not with a command that has none', () => {
    const loads = /^import (?!type\b)[^;]*from 'mqtt(?:\/[^']*)?'/m;
    expect(files.filter(({ text }) => loads.test(text)).map(({ name }) => name)).toEqual([]);
  });

  test('what encodes certificates is loaded where one is made, and not at each start', () => {
    const loads = /^(?!import type).*(?:from|import)\s*'(?:@peculiar\/[^']+|[^']*\/certificates\.ts)'/m;
    const broken = files.filter(({ name, text }) => {
      const isEncoder = name === 'service/store/folder/certificates.ts';
      return !isEncoder && loads.test(codeWithQuotes(text));
    });
    expect(broken.map(({ name }) => name)).toEqual([]);
  });

  test('a sandbox is called with its certificate authority', () => {
    // These call the user's own receiver, or are pages of the panel or of the guide.
    const others =
      /^(base\/network\/trusting-fetch|proving\/certify\/probe|cli\/doctor\/checks|service\/(?:panel\/browser\/[\w-]+|api\/guide\/browser\/search))\.ts$/;
    const calls = /(?<![.#\w])fetch\(/;
    const broken = files.filter(({ name, text }) => !others.test(name) && calls.test(codeOf(text)));
    expect(broken.map(({ name }) => name).filter((name) => name !== 'service/engine/shared-transactions.ts')).toEqual(
      [],
    );
  });

  test('only the command line prints and exits', () => {
    const prints = /\b(console\.\w+\(|process\.(?:exit|stdout|stderr)\b)/g;
    const broken = files
      .filter(({ name }) => moduleOf(name) !== 'cli')
      .flatMap(({ name, text }) => [...codeOf(text).matchAll(prints)].map(([print]) => `${name} uses ${print}`));
    expect(broken).toEqual([]);
  });

  test('what others wrote reaches a terminal by the sinks alone, which make it printable', () => {
    const writes = /\bprocess\.(?:stdout|stderr)\.write\b|\bstd(?:out|err)\.write\b|\bconsole\.\w+\(/g;
    // Each of these has its reason beside the call: it writes what a sink has made printable, or a secret of ours.
    const sinks = new Set([
      'cli/output.ts',
      'cli/run/sink.ts',
      'cli/up/opening-scenario.ts',
      'cli/control/env.ts',
      'cli/dashboard/dashboard.ts',
    ]);
    const broken = files
      .filter(({ name }) => moduleOf(name) === 'cli' && !sinks.has(name))
      .flatMap(({ name, text }) => [...codeOf(text).matchAll(writes)].map(([write]) => `${name} calls ${write}`));
    expect(broken).toEqual([]);
  });

  test('no object spreads a literal, which would switch off the check for excess properties', () => {
    const spread = /\.\.\.\{(?! *\})/g;
    const ofTests = filesUnder(TEST)
      .map((path) => ({ name: relative(TEST, path), text: readFileSync(path, 'utf8') }))
      .filter(({ name }) => !/^(?:judges|runners)\//.test(name));
    const broken = [...files, ...ofTests].flatMap(({ name, text }) =>
      [...codeOf(text).matchAll(spread)].map(() => name),
    );
    expect(broken).toEqual([]);
  });

  test('what no other file names is not exported', () => {
    // The declarations of the package name these types, which nobody imports: those of a table, and those in an inferred type.
    const DECLARED =
      /^(?:(?:Code|Entries|File|Number|Switch|Text)Option|HeadField|OpenedWorld|Sandbox(?:Addresses|Listeners))$/;
    const outside = ['test', 'bench', 'examples'].flatMap((folder) => filesUnder(join(ROOT, folder)));
    const texts = new Map([
      ...files.map(({ name, text }) => [name, text] as const),
      ...outside.map((path) => [path, readFileSync(path, 'utf8')] as const),
    ]);
    const naming = new Map<string, number>();
    for (const text of texts.values())
      for (const word of new Set(text.match(/[A-Za-z_]\w*/g))) naming.set(word, (naming.get(word) ?? 0) + 1);
    const exported = /^export (?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type) (\w+)/gm;
    const broken = files
      .filter(({ name }) => !TOP.has(name) && !/^library\/contract-types\.ts$/.test(name))
      .flatMap(({ name, text }) => [...text.matchAll(exported)].map(([, word = '']) => ({ name, word })))
      .filter(({ word }) => naming.get(word) === 1 && !DECLARED.test(word));
    expect(broken.map(({ name, word }) => `${name} exports ${word}`)).toEqual([]);
  });

  test('every file opens with a sentence that says what it is for', () => {
    expect(files.filter(({ text }) => !text.startsWith('/**')).map(({ name }) => name)).toEqual([]);
  });

  test('no file is longer than its limit without a reason', () => {
    const long = files.filter(({ name, text }) => text.split('\n').length > LINES_LIMIT && !(name in LONG_FILES));
    expect(long.map(({ name }) => name)).toEqual([]);
  });

  test('what the product needs, it contains: nothing outside the project is named', () => {
    const outside = /\.\.\/shared\b|\/work\//;
    expect(files.filter(({ text }) => outside.test(text)).map(({ name }) => name)).toEqual([]);
  });
});

const TEST = join(ROOT, 'test');

/** What may skip tests uncounted, each with its reason. */
const SKIPS_ITSELF: Record<string, string> = {
  'helpers/unless.ts': 'it counts what it skips',
  'every-file.ts': 'with ALONE=1, of which another run has run the rest',
};

test('the package has no script of those about which npm warns whoever installs it', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
  // npm lists `prepare` too where the package comes from a tarball.
  expect(Object.keys(scripts).filter((name) => /^(?:(?:pre|post)?install|prepare)$/.test(name))).toEqual([]);
});

test('no test is skipped but by unless(...) of test/helpers/unless.ts, which counts it with a reason, and none runs alone', () => {
  const skips =
    /\b(?:test|it|describe|suite)\b(?:\.\w+)*\.(?:skip|skipIf|runIf|todo|only)\b|\bskip:\s*true\b|(?<!\w)skip\(|\bif \(!isWhole\b[^;]*\) return\b/;
  const found = filesUnder(TEST)
    .map((path) => ({ name: relative(TEST, path), text: codeOf(readFileSync(path, 'utf8')).replace(/`[^`]*`/g, '') }))
    .filter(({ name, text }) => !/^(?:judges|runners|mutation)\//.test(name) && skips.test(text))
    .map(({ name }) => name);
  expect(found.filter((name) => !(name in SKIPS_ITSELF))).toEqual([]);
  for (const code of [
    'test.skip(',
    'it.concurrent.skipIf(x)',
    'describe.runIf(',
    "test('x', { skip: true }, run)",
    'async ({ skip }) => skip()',
  ])
    expect([code, skips.test(code)]).toEqual([code, true]);
});

/** Test files and helpers that wait for wall time or read it, each with its reason: no outcome of them depends on the speed of the machine. */
const READS_WALL_TIME: Record<string, string> = {
  'helpers/bundles.ts': 'the age of a build that nobody uses any more, in days',
  'service/webhooks/limit.test.ts': 'its limits in wall time are judged on a machine of its own alone',
  'service/webhooks/receiver.ts': 'a receiver that is slow, and the time at which a request came',
  'service/webhooks/answers.test.ts': 'a connection that breaks after its headers were sent',
  'service/webhooks/deliver.test.ts': 'a timestamp is between the begin of the file and the receipt',
  'service/webhooks/stages.test.ts': 'an option of a socket',
  'service/webhooks/retry-schedule.test.ts': 'a timestamp is between two looks at the clock',
  'proving/certify/receiver.ts': 'a receiver that is slow, and one that reads its clock',
  'proving/certify/client.test.ts': 'a client obeys Retry-After, and pauses between two polls',
  'proving/certify/control-room.ts': 'a client obeys Retry-After, and pauses between two polls',
  'proving/certify/watch/device.ts': 'a watch reports at intervals, by its own clock',
  'base/lockstep-clock.test.ts': 'delays of a network, whatever they are',
  'base/trusting-fetch.test.ts': 'a call that is never answered ends by its own limit',
  'proving/compare/proxy.test.ts': 'the timestamp of a signature',
  'proving/compare/deviations-unseen.ts': 'the date of an answer',
  'docs/terminal.ts': 'ends a command that hangs, after four minutes',
  'proving/explore/inboxes.ts': 'ends a search that hangs, after two minutes',
  'scenario/judging/outcomes.test.ts': 'a time that a run measured is no longer than the time around it',
  'service/store/damage.test.ts': 'another process holds the database meanwhile',
  'product/exec.test.ts': 'a command that takes its time to end',
  'product/extremes.test.ts':
    'what waits for ever is hung up on; an answer that comes late is judged on a machine of its own alone',
  'product/kill.test.ts': 'kills at any time',
  'product/last-resort.test.ts': 'a process that lives on prints so, later than its errors',
  'product/node-clocks.test.ts': 'clocks that differ by a day; what is soon is judged on a machine of its own alone',
  'product/nodes.test.ts': 'nothing more comes after what came',
  'product/restart.test.ts': 'kills at any time, and reports how long a start took',
};

/** A clause beside the code does as well: `// Wall time: REASON`. */
const WALL_TIME_REASON = /\/\/ Wall time: \S.{10}/;

const WALL_TIME =
  /\bperformance\.now\(|\bDate\.now\(|\bhrtime\b|(?<![.\w])(?:setTimeout|setInterval)\(|\bAbortSignal\.timeout\(|\btimers\/promises\b|(?<![.\w])pause\(\d|(?<!\w)(?:monotonicMs|wallMs)\(\)(?!:)/;

/** The end of what hangs has at least this time, because a machine at work is ten times as slow; ms. */
const HANGING_MS = 600_000;

const isShort = (line: string): boolean =>
  [...line.matchAll(/\btimeout: (\d[\d_]*)(?!\s*\*|[\d_])|^\s*\}, ([1-9][\d_]*)\);/g)].some(
    ([, one, other]) => Number((one ?? other ?? '').replaceAll('_', '')) < HANGING_MS,
  );

const laterOfMachine = /^import \{[^}]*\blater\b[^}]*\} from '[^']*\/base\/time\/timers\.ts'/m;

/** The lines that wait for wall time, or judge by it, without a reason. */
function wallTimeIn(text: string): string[] {
  const lines = text.split('\n');
  const isReasoned = (n: number) => [lines[n], lines[n - 1]].some((line) => WALL_TIME_REASON.test(line ?? ''));
  // Comments of several lines keep their lines.
  const code = codeOf(text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))).split('\n');
  const isCall = laterOfMachine.test(text) ? /(?<![.\w])later\(/ : /(?!)/;
  return lines.filter((_, n) => {
    const line = code[n] ?? '';
    return (WALL_TIME.test(line) || isShort(line) || isCall.test(line)) && !isReasoned(n);
  });
}

test('no test waits for wall time or judges by it without a reason: an event, simulated time or a count does not depend on the machine', () => {
  const found = filesUnder(TEST)
    .map((path) => ({ name: relative(TEST, path), text: readFileSync(path, 'utf8') }))
    // `npm run faults` is a run of its own, and so are the judges.
    .filter(
      ({ name }) => !/^(?:judges|runners|mutation|faults|reporting|selection)\//.test(name) && name !== 'house.test.ts',
    )
    .map(({ name, text }) => ({ name, lines: wallTimeIn(text) }))
    .filter(({ lines }) => lines.length > 0);
  expect(found.filter(({ name }) => !(name in READS_WALL_TIME))).toEqual([]);
  expect(Object.keys(READS_WALL_TIME).filter((one) => !found.some(({ name }) => name === one))).toEqual([]);
  for (const line of [
    'const begin = performance.now();',
    'setTimeout(done, 50);',
    'await expect.poll(look, { timeout: 100_000 }).toBe(1);',
    '  }, 120_000);',
    "import { later } from '../src/base/time/timers.ts';\nlater(50, done);",
  ])
    expect([line, wallTimeIn(line).length]).toEqual([line, 1]);
  expect(wallTimeIn('// Wall time: a process that hangs has no event.\nsetTimeout(done, 50);')).toEqual([]);
  expect(wallTimeIn('await expect.poll(look, { timeout: 600_000 }).toBe(1);')).toEqual([]);
});

describe('the quick tests', () => {
  const starts = /from '(node:child_process|node:worker_threads|node:cluster|playwright-core)'/;
  const tests = filesUnder(TEST).filter((path) => !/^(judges|mutation)\//.test(relative(TEST, path)));
  const texts = new Map(tests.map((path) => [path, readFileSync(path, 'utf8')]));

  /** The file and all that it imports from the tests. */
  function reachedFrom(path: string, reached = new Set<string>()): Set<string> {
    if (reached.has(path)) return reached;
    reached.add(path);
    for (const [, target = ''] of (texts.get(path) ?? '').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g))
      if (texts.has(resolve(dirname(path), target))) reachedFrom(resolve(dirname(path), target), reached);
    return reached;
  }

  test('start no process and no browser, and each file that does is in the list', () => {
    const starting = [...texts.keys()]
      .filter((path) => /\.test\.tsx?$/.test(path))
      .filter((path) => [...reachedFrom(path)].some((one) => starts.test(texts.get(one) ?? '')))
      .map((path) => relative(ROOT, path));
    expect(starting.filter((path) => !STARTS_PROCESSES.some((glob) => matchesGlob(path, glob)))).toEqual([]);
  });

  test('leave out only files that exist', () => {
    const names = [...texts.keys()].map((path) => relative(ROOT, path));
    const ofCi = [...Object.keys(IN_CI), ...Object.values(IN_CI).flat()];
    const unknown = [...STARTS_PROCESSES, ...LONG, ...ofCi].filter(
      (glob) => !names.some((name) => matchesGlob(name, glob)),
    );
    expect(unknown).toEqual([]);
    // What keeps the rules of a file is not left out itself.
    expect(Object.values(IN_CI).filter((kept) => kept.length === 0 || kept.some((name) => name in IN_CI))).toEqual([]);
  });
});
