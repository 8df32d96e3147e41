/** The package as a dependency: its types and its bundle in both module systems, recipes of test runners beside each other, and an incomplete install. */
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEPENDENCIES, type InstalledPackage, installed } from '../helpers/installed.ts';
import { isInPath, type Lack, unlessMachine, withoutPrograms, withoutTestRunners } from '../helpers/needs.ts';
import { withoutPart } from '../helpers/program-part.ts';
import { unless } from '../helpers/unless.ts';
import { isWhole, sampled, withoutWhole } from '../helpers/whole.ts';
import { cleanEnv } from './sandbox-process.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const RECIPES = join(ROOT, 'examples/testing');

let project: InstalledPackage;
beforeAll(() => {
  const jest = ['jest', 'ts-jest', '@jest', '@babel/plugin-transform-modules-commonjs', '@types/node', 'undici-types'];
  project = installed({ also: ['vitest', ...(withoutTestRunners === null ? jest : [])] });
  mkdirSync(temporary());
});
afterAll(() => project.remove());

interface EndedRun {
  readonly code: number | null;
  readonly output: string;
}

/** The temporary folder of all that runs in the user's project. */
const temporary = () => join(project.folder, 'temporary');

/** Runs in the user's project to the end. */
function runThere(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<EndedRun> {
  const path = `${join(project.folder, 'node_modules/.bin')}:${process.env['PATH']}`;
  const child = spawn(command, args, {
    cwd: project.folder,
    env: cleanEnv({ PATH: path, TMPDIR: temporary(), ...env }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      output += bytes;
    });
  return new Promise((done) => child.once('close', (code) => done({ code, output })));
}

const node = (...args: string[]) => runThere(process.execPath, args);

/** Lines that must not compile say so themselves. */
const CONSUMER = `
import { type Alert, type Event, startSandbox, withSandbox } from 'muster-sandbox';
await using sandbox = await startSandbox({ memory: true, port: 0, seed: 7, assume: { retry: 'delay' } });
const { alert_id } = await sandbox.act({ action: 'fall', who: 'W-001' });
export const id: string = alert_id;
export const ids: string[] = (await sandbox.act({ action: 'sos', who: ['W-001', 'W-002'] })).map((one) => one.alert_id);
// @ts-expect-error no such action
await sandbox.act({ action: 'fal', who: 'W-001' });
// @ts-expect-error no such field
await sandbox.act({ action: 'fall', who: 'W-001', anwsers: 'ok' });
// @ts-expect-error taking a watch off raises no alert
(await sandbox.act({ action: 'wear', who: 'W-001', is: 'off' })).alert_id;
export const escalated: boolean = (await sandbox.wait({ alert: 'fall_detected' })).found.details.escalated_to_sos;
// @ts-expect-error details of another type
(await sandbox.wait({ alert: 'fall_detected' })).found.details.battery_pct;
export const title: string = (await sandbox.wait({ alert: id })).found.title;
export const kind: string = (await sandbox.wait({ event: 'muster.*' })).found.data.muster.kind;
// @ts-expect-error no such option
await startSandbox({ mqttport: 0 });
export function pct(alert: Alert): number | null {
  return alert.type === 'low_battery' ? alert.details.battery_pct : null;
}
export const of = (event: Event) => (event.type === 'alert.created' ? pct(event.data.alert) : null);
await withSandbox({ seed: '7' }, async ({ sandbox, receiver, client }) => {
  const created = await receiver.next({ type: 'alert.created', about: alert_id, where: ({ data }) => data.alert.simulated });
  const alert: Alert = await client.get<Alert>('/v1/alerts/' + created.data.alert.id);
  sandbox.onNotice((notice) => void (notice.kind === 'delivery-attempted' && notice.status === 204 && alert.title));
});
`;

/** A module of CommonJS, which shares its types with modules that import. */
const COMMONJS_CONSUMER = `
import { isOutage, type Sandbox, startSandbox } from 'muster-sandbox';
import type { Sandbox as Imported } from 'muster-sandbox' with { 'resolution-mode': 'import' };
export const imported = async (): Promise<Imported> => startSandbox({ seed: 7 });
export const port = (error: unknown): string => (isOutage(error) ? error.code : '');
// @ts-expect-error no such option
export const wrong = (): Promise<Sandbox> => startSandbox({ mqttport: 0 });
`;

describe('types', () => {
  const compile = (lib: readonly string[]) => {
    const options = { target: 'es2022', lib, module: 'nodenext', strict: true, exactOptionalPropertyTypes: true };
    const compilerOptions = {
      ...options,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      types: [],
    };
    const files = ['consumer.mts', 'consumer.cts'];
    for (const [place, text] of [CONSUMER, COMMONJS_CONSUMER].entries())
      writeFileSync(join(project.folder, files[place]!), text);
    writeFileSync(join(project.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    return node(join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.', '--singleThreaded');
  };

  test('a strict project of both kinds of modules compiles with them, its declarations checked, without any other package', async () => {
    expect(await compile(['es2023', 'esnext.disposable'])).toEqual({ code: 0, output: '' });
  });
});

describe('the bundle', () => {
  test('is one for both module systems: import and require give the same functions', async () => {
    const script = `
import * as imported from 'muster-sandbox';
import { createRequire } from 'node:module';
const required = createRequire(process.cwd() + '/x.js')('muster-sandbox');
const same = Object.keys(required).filter((name) => required[name] === imported[name]);
console.log(JSON.stringify([same.sort(), Object.keys(imported).sort(), typeof required.startSandbox]));`;
    const { output } = await node('--input-type=module', '-e', script);
    const names = ['isOutage', 'startSandbox', 'withSandbox'];
    expect(JSON.parse(output)).toEqual([names, names, 'function']);
  });

  test('has an import() only for what CommonJS cannot load: the dashboard', () => {
    const dist = join(project.folder, 'node_modules/muster-sandbox/dist');
    const chunks = readdirSync(dist).filter((name) => name.endsWith('.cjs'));
    const imported = chunks.flatMap((name) =>
      [...readFileSync(join(dist, name), 'utf8').matchAll(/\bimport\("([^"]+)"\)/g)].map(([, path = '']) => path),
    );
    expect(imported.length).toBeGreaterThan(0);
    for (const path of imported) expect(readFileSync(join(dist, path), 'utf8')).toMatch(/^import\b/);
  });

  test('is small enough, with all that npm installs: less than 30 MB', () => {
    const sizeOf = (path: string): number => {
      const found = statSync(path);
      if (!found.isDirectory()) return found.size;
      return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
    };
    const names = readdirSync(join(project.folder, 'node_modules')).filter((name) => DEPENDENCIES.includes(name));
    const bytes = [...names, 'muster-sandbox'].map((name) => sizeOf(join(project.folder, 'node_modules', name)));
    expect(names).toEqual([...DEPENDENCIES].sort());
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(30_000_000);
  });
});

interface Runner {
  /** The recipe's folder, and that of its copy. */
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: () => Record<string, string>;
  readonly passed: RegExp;
  /** Why this machine cannot run it. */
  readonly without?: () => Lack | null;
}

const withoutPytest = () =>
  withoutPart('pytest', 'apt-get install python3-pytest', ['python3', '-m', 'pytest', '--version']);
const VITEST = [process.execPath, join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run'];
const JEST = [
  process.execPath,
  'node_modules/jest/bin/jest.js',
  '--maxWorkers',
  '2',
  // Only for what hangs: eight runners and their sandboxes share the machine.
  '--testTimeout',
  '600000',
  '--cacheDirectory',
  'node_modules/.cache/jest',
];
/** Test files of one runner, beside that of its receiver; vitest has a worker for each of eight. */
const COPIES = isWhole ? ['one', 'two', 'three', 'four'] : ['one'];
const COPIES_OF: Readonly<Record<string, readonly string[]>> = {
  vitest: isWhole ? [...COPIES, 'five', 'six', 'seven'] : COPIES,
};
/** The number of tests: two in each file. */
const testsOf = (copies: readonly string[] = COPIES): number => 2 * copies.length + 2;
const jestPasses = new RegExp(`Tests: +${testsOf()} passed`);
const withoutMaven = () =>
  unlessMachine(
    isInPath('mvn') && existsSync(join(homedir(), '.m2/repository/org/junit/jupiter/junit-jupiter/5.11.4')),
    'Maven with JUnit 5',
    'apt-get install maven, and run mvn -f examples/testing/junit5/pom.xml test once with a network',
  );
const FETCH = "fetch(process.env.SANDBOX_API_URL + '/health').then(({ status }) => console.log('health', status))";

const RUNNERS: readonly Runner[] = [
  {
    name: 'node-test',
    command: [process.execPath, '--test', 'node-test/'],
    passed: new RegExp(`pass ${testsOf()}\\b`),
  },
  {
    name: 'vitest',
    command: [...VITEST, '--root', 'vitest', '--maxWorkers', '8', '--testTimeout', '600000'],
    passed: new RegExp(`Tests +${testsOf(COPIES_OF['vitest'])} passed`),
  },
  { name: 'jest', command: [...JEST, '--rootDir', 'jest'], passed: jestPasses, without: () => withoutTestRunners },
  {
    name: 'pytest',
    command: ['python3', '-m', 'pytest', '-p', 'no:cacheprovider', 'pytest'],
    env: () => ({ ...commandHere(), PYTHONDONTWRITEBYTECODE: '1' }),
    passed: /5 passed/,
    without: withoutPytest,
  },
  {
    name: 'junit5',
    command: ['mvn', '--offline', '--batch-mode', '--file', 'junit5/pom.xml', 'test'],
    env: () => ({ ...commandHere(), HOME: homedir() }),
    passed: /Tests run: 4, Failures: 0, Errors: 0/,
    without: withoutMaven,
  },
  {
    name: 'go',
    command: ['sh', '-c', 'cd go && go test -count 1 -parallel 8 ./...'],
    env: () => ({ ...commandHere(), HOME: homedir() }),
    passed: /^ok/m,
    without: () => withoutPrograms('go'),
  },
  {
    name: 'jest-esm',
    command: [...JEST, '--rootDir', 'jest-esm'],
    passed: jestPasses,
    without: () => withoutTestRunners,
  },
  {
    name: 'ts-jest',
    command: [...JEST, '--config', 'ts-jest/jest.config.cjs'],
    passed: jestPasses,
    without: () => withoutTestRunners,
  },
  {
    name: 'jest-esm in ES modules of Node',
    command: [
      process.execPath,
      '--experimental-vm-modules',
      ...JEST.slice(1),
      '--rootDir',
      'jest-esm',
      '--config',
      '{"transform": {}}',
    ],
    passed: jestPasses,
    without: () => withoutTestRunners,
  },
  {
    name: 'exec',
    command: ['npx', 'sandbox', 'exec', '--seed', '7', '--watches', '12', '--', process.execPath, '-e', FETCH],
    passed: /health 200/,
  },
];

/** The recipes of other languages start the command by its name. */
const commandHere = () => ({ SANDBOX_COMMAND: `${process.execPath} ${project.bin}` });

describe('recipes, all at the same time in one folder', () => {
  // Each runner takes a second or more: `npm test` has the one of Node, .ci/run all of them, in more processes.
  const table = sampled(RUNNERS, RUNNERS.length).map((one) => ({
    ...one,
    lack: one.skip === null ? (one.row.without?.() ?? null) : null,
  }));
  const runs = new Map<string, Promise<EndedRun>>();
  beforeAll(() => {
    for (const name of readdirSync(RECIPES, { withFileTypes: true })) if (name.isDirectory()) copyRecipe(name.name);
    for (const {
      name,
      command: [command = '', ...args],
      env,
    } of table.filter(({ skip, lack }) => skip === null && lack === null).map(({ row }) => row))
      runs.set(name, runThere(command, args, env?.()));
  });

  for (const {
    row: { name, passed },
    skip,
    lack,
  } of table)
    unless(skip, lack).test(name, async () => {
      expect(await runs.get(name)).toMatchObject({ code: 0, output: expect.stringMatching(passed) });
    });

  unless(withoutWhole).test('vitest in threads', async () => {
    expect(await node(...VITEST.slice(1), '--root', 'vitest', '--pool', 'threads')).toMatchObject({ code: 0 });
  });

  test('leave nothing behind', async () => {
    await Promise.all(runs.values());
    expect(readdirSync(project.folder).filter((name) => name.startsWith('.sandbox'))).toEqual([]);
    expect(readdirSync(temporary()).filter((name) => name.startsWith('muster-'))).toEqual([]);
    expect(processesIn(project.folder)).toEqual([]);
  });
});

/** What runs in a folder, by its command. */
function processesIn(folder: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const isThere = /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      return isThere ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')] : [];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

/** The recipe in the user's project, with as many test files as there are copies; pytest has one sandbox for all files. */
function copyRecipe(name: string): void {
  const [from, to] = [join(RECIPES, name), join(project.folder, name)];
  mkdirSync(to);
  for (const file of readdirSync(from))
    for (const copy of /^alerts\.test\.[cm]?[jt]s$/.test(file) ? (COPIES_OF[name] ?? COPIES) : [null])
      cpSync(join(from, file), join(to, copy === null ? file : file.replace('alerts', copy)), { recursive: true });
}

describe('an install that lacks the library of this platform', () => {
  let incomplete: InstalledPackage;
  beforeAll(() => {
    incomplete = installed({ leaveOut: ['@libsql'] });
  });
  afterAll(() => incomplete.remove());
  const start = (...args: string[]) =>
    spawnSync(process.execPath, args, { cwd: incomplete.folder, env: cleanEnv(), encoding: 'utf8' });

  test('says which package is missing, and how it is had', () => {
    const script =
      "import { startSandbox } from 'muster-sandbox'; await startSandbox({ memory: true, port: 0, mqttPort: 0 });";
    expect(start('--input-type=module', '-e', script).stderr).toMatch(
      /the package @libsql\/\S+ is missing\. .*npm install --include=optional/,
    );
  });

  unless(withoutWhole).test('has a command that says so too', () => {
    const command = start(incomplete.bin, 'up', '--memory', '--port', '0');
    expect(command).toMatchObject({ status: 3, stderr: expect.stringContaining('npm install --include=optional') });
  });
});

test('the recipes of Java and Go verify as the example receivers do', () => {
  const read = (path: string) => readFileSync(join(ROOT, 'examples', path), 'utf8');
  for (const name of ['Json.java', 'Verify.java'])
    expect(read(`testing/junit5/src/test/java/${name}`)).toBe(read(`java/${name}`));
  expect(read('testing/go/verify_test.go')).toBe(read('go/verify.go').replace('package main', 'package alerts'));
});

test('the package has the pictures of its README', () => {
  const packed = join(project.folder, 'node_modules/muster-sandbox');
  const pictures = [...readFileSync(join(packed, 'README.md'), 'utf8').matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)];
  expect(pictures.length).toBeGreaterThan(0);
  for (const [, path = ''] of pictures) expect(readFileSync(join(packed, path)).length).toBeGreaterThan(0);
});
