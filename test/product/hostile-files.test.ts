/** Hostile files against every reader: each is refused soon (2 s on a quiet machine), and the largest valid files are read soon too (5 s); a budget is compared with what a small file takes in the same run. [decisions 9, Limits of scenario files] */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILE_LIMITS } from '../../src/base/user-files.ts';
import { eachOf } from '../helpers/each-of.ts';
import { ownFolders } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { inputsOf, isWhole, sampled, withoutWhole } from '../helpers/whole.ts';
import { runHere } from './here.ts';
import { TEXTS_FROM_CODE } from './hostile-from-code.ts';
import { HEAD, linkOutside, MIB, ONE_STEP, PATHS_FROM_SPEC, TEXTS_FROM_SPEC } from './hostile-from-spec.ts';
import { BIN, cleanEnv, RunningSandbox } from './sandbox-process.ts';

const own = ownFolders();
afterAll(own.remove);
const newFolder = own.next;

/** Wall ms after which a command that waits for ever is killed. */
const KILL_MS = 60_000;

interface Judged {
  readonly code: number | null;
  readonly output: string;
  /** Processor time of the command, which other processes of the machine do not change; s. */
  readonly cpuS: number;
}

/** Writes the processor time of the process to the file in CPU_FILE when it exits. */
const METER = `data:text/javascript,${encodeURIComponent(
  "import { writeFileSync } from 'node:fs'; process.on('exit', () => { const { user, system } = process.cpuUsage(); writeFileSync(process.env.CPU_FILE, String((user + system) / 1e6)); });",
)}`;

async function judge(args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<Judged> {
  const before = process.cpuUsage();
  const { code, stdout, stderr } = await runHere(args, { cwd, env });
  const { user, system } = process.cpuUsage(before);
  return { code, output: stdout + stderr, cpuS: (user + system) / 1e6 };
}

function judgeAlone(args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<Judged> {
  const meter = join(newFolder(), 'cpu');
  const child = spawn(process.execPath, ['--import', METER, BIN, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: KILL_MS,
    killSignal: 'SIGKILL',
    env: cleanEnv({ ...env, CPU_FILE: meter }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      output += bytes;
    });
  return new Promise((resolve) =>
    child.once('close', (code) =>
      resolve({ code, output, cpuS: code === null ? Infinity : Number(readFileSync(meter, 'utf8')) }),
    ),
  );
}

/** Processor seconds in which a file is refused or read, on a machine where a small file takes SMALL_S. */
const WITHIN_S = { refused: 2, valid: 5 } as const;
const SMALL_S = 0.5;
/** A reader that is not linear takes tens of times as long; less than this is the noise of a machine that others use too. */
const NOISE = 3;

/** What the validation of a small file takes here and now; s of processor time. */
let smallS = SMALL_S;
beforeAll(async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'x.scenario.yaml'), `${HEAD}${ONE_STEP}`);
  const small = await judge(['validate', 'x.scenario.yaml'], folder);
  expect([small.code, small.output]).toEqual([0, expect.anything()]);
  smallS = Math.max(SMALL_S, small.cpuS);
});

const budgetS = (outcome: keyof typeof WITHIN_S): number => (WITHIN_S[outcome] / SMALL_S) * smallS * NOISE;

describe.each([
  ['written from the specification', TEXTS_FROM_SPEC, 16],
  ['written against the readers', TEXTS_FROM_CODE, 40],
] as const)('a scenario %s', (_origin, texts, step) => {
  for (const {
    row: { name, outcome, says, text },
    skip,
  } of sampled(texts, step))
    unless(skip).test(name, async () => {
      const folder = newFolder();
      writeFileSync(join(folder, 'x.scenario.yaml'), text());
      const { code, output, cpuS } = await judge(['validate', 'x.scenario.yaml'], folder);
      expect([code, output.slice(0, 300)]).toEqual([outcome === 'valid' ? 0 : 2, expect.anything()]);
      if (says !== undefined) expect(output).toMatch(says);
      expect(cpuS).toBeLessThan(budgetS(outcome));
      // At most a hundred mistakes and a hundred warnings of two or three lines each.
      expect(output.split('\n').length).toBeLessThan(700);
      expect(output.length).toBeLessThan(120_000);
    });
});

/** A reader of files: the command that reads the hostile path `at`. */
interface FileReader {
  readonly name: string;
  /** The sources that read for it; a test compares them with all that read. */
  readonly modules: readonly string[];
  readonly limit: number;
  /** The name of the file in its folder. */
  readonly file: string;
  /** Writes what names the file, and says how the command is called. */
  command(folder: string): { readonly args: readonly string[]; readonly env?: Record<string, string> };
  /** The file is named by another file, so it must be inside the folders that may be read. */
  readonly isInside?: true;
}

const UP = ['up', '--memory', '--port', '0', '--mqtt-port', '0', '--json'];
const LOG_HEAD = '{"k":"head","t":0,"d":{"version":"0","scenario":"x","file":"x.scenario.yaml","seed":"1"}}\n';

/** Readers that are tried by other tests of this file, or by tests of the package from code. */
const TRIED_ELSEWHERE = [
  // With a running sandbox, below.
  'service/store/folder/snapshot-file.ts',
  // The folder of what explore found, and the list of watches beside sandbox.json: what cannot be read there is left out.
  'proving/explore/kept.ts',
  'sandbox/watch-list.ts',
  // It reads again what the checks have read, to keep its byte order mark.
  'cli/scenarios/validate.ts',
];

const READERS: readonly FileReader[] = [
  {
    name: 'validate',
    modules: ['scenario/reading/merged-file.ts'],
    limit: FILE_LIMITS.document,
    file: 'x.scenario.yaml',
    command: () => ({ args: ['validate', 'x.scenario.yaml'] }),
  },
  {
    name: 'run',
    modules: ['scenario/reading/merged-file.ts'],
    limit: FILE_LIMITS.document,
    file: 'x.scenario.yaml',
    command: () => ({ args: ['run', 'x.scenario.yaml'] }),
  },
  {
    name: 'a part',
    modules: ['scenario/reading/merged-file.ts'],
    limit: FILE_LIMITS.document,
    file: 'p.yaml',
    isInside: true,
    command: (folder) => {
      writeFileSync(join(folder, 'x.scenario.yaml'), `use: [p.yaml]\n${HEAD}${ONE_STEP}`);
      return { args: ['validate', 'x.scenario.yaml'] };
    },
  },
  {
    name: 'GeoJSON of a scenario',
    modules: ['scenario/reading/merged-file.ts'],
    limit: FILE_LIMITS.document,
    file: 'zone.json',
    isInside: true,
    command: (folder) => {
      const zones = 'zones: {A: {type: work_area, geojson: zone.json}}';
      writeFileSync(
        join(folder, 'x.scenario.yaml'),
        `scenario: X\nsite: {name: H, origin: [43.3, -8.4], ${zones}}\n${ONE_STEP}`,
      );
      return { args: ['validate', 'x.scenario.yaml'] };
    },
  },
  {
    name: 'GeoJSON of a site',
    modules: ['sandbox/options/values.ts'],
    limit: FILE_LIMITS.document,
    file: 'zone.json',
    isInside: true,
    command: (folder) => {
      const zones = 'zones: {A: {type: work_area, geojson: zone.json}}';
      writeFileSync(join(folder, 'site.yaml'), `part: X\nsite: {name: H, origin: [43.3, -8.4], ${zones}}\n`);
      return { args: [...UP, '--site', 'site.yaml'] };
    },
  },
  {
    name: 'up --site',
    modules: ['sandbox/options/files.ts'],
    limit: FILE_LIMITS.document,
    file: 'site.yaml',
    command: () => ({ args: [...UP, '--site', 'site.yaml'] }),
  },
  {
    name: 'up --scenario',
    modules: ['cli/up/options.ts'],
    limit: FILE_LIMITS.document,
    file: 'x.scenario.yaml',
    command: () => ({ args: [...UP, '--scenario', './x.scenario.yaml'] }),
  },
  {
    name: 'drill --site',
    modules: ['cli/up/options.ts'],
    limit: FILE_LIMITS.document,
    file: 'site.yaml',
    command: () => ({ args: ['drill', '--site', './site.yaml', '--runs', '1'] }),
  },
  {
    name: 'settings',
    modules: ['cli/config-file.ts'],
    limit: FILE_LIMITS.document,
    file: 'sandbox.config.yaml',
    command: () => ({ args: ['gaps'] }),
  },
  {
    name: 'up --credentials',
    modules: ['sandbox/options/files.ts'],
    limit: FILE_LIMITS.credentials,
    file: 'c.json',
    command: () => ({ args: [...UP, '--credentials', 'c.json'] }),
  },
  {
    name: 'fleet --credentials',
    modules: ['cli/fleet/watches.ts'],
    limit: FILE_LIMITS.credentials,
    file: 'c.json',
    command: () => ({ args: ['fleet', '--broker', 'mqtt://127.0.0.1:1', '--credentials', 'c.json'] }),
  },
  {
    name: 'fleet --ca',
    modules: ['cli/fleet/broker-options.ts'],
    limit: FILE_LIMITS.document,
    file: 'ca.pem',
    command: () => ({ args: ['fleet', '--broker', 'mqtts://127.0.0.1:1', '--ca', 'ca.pem', '--seed', '1'] }),
  },
  {
    name: 'SANDBOX_CA_FILE',
    modules: ['cli/running.ts'],
    limit: FILE_LIMITS.document,
    file: 'ca.pem',
    command: (folder) => ({
      args: ['world'],
      env: { SANDBOX_URL: 'https://127.0.0.1:1', SANDBOX_CONTROL_TOKEN: 'x', SANDBOX_CA_FILE: join(folder, 'ca.pem') },
    }),
  },
  {
    name: 'explore',
    modules: ['scenario/reading/merged-file.ts'],
    limit: FILE_LIMITS.document,
    file: 'x.explore.yaml',
    command: () => ({ args: ['explore', 'x.explore.yaml', '--runs', '1'] }),
  },
  {
    name: 'compare --recorded',
    modules: ['proving/compare/recorded.ts'],
    limit: FILE_LIMITS.traffic,
    file: 'x.har',
    command: () => ({ args: ['compare', '--recorded', 'x.har'] }),
  },
  {
    name: 'compare --client',
    modules: ['cli/compare/inputs.ts'],
    limit: FILE_LIMITS.credentials,
    file: 'c.json',
    command: () => ({ args: ['compare', '--to', 'http://127.0.0.1:1', '--client', 'c.json'] }),
  },
  {
    name: 'proxy --client',
    modules: ['cli/compare/inputs.ts'],
    limit: FILE_LIMITS.credentials,
    file: 'c.json',
    command: () => ({ args: ['proxy', '--to', 'http://127.0.0.1:1', '--client', 'c.json'] }),
  },
  {
    name: 'up --profile',
    modules: ['sandbox/options/files.ts'],
    limit: FILE_LIMITS.document,
    file: 'profile.yaml',
    command: () => ({ args: [...UP, '--profile', 'profile.yaml'] }),
  },
  {
    name: 'replay',
    modules: ['scenario/log/recorded-run.ts'],
    limit: FILE_LIMITS.line,
    file: 'run.jsonl',
    command: () => ({ args: ['replay', 'run.jsonl', '--inputs'] }),
  },
  {
    name: 'the events of a recording',
    modules: ['scenario/log/recorded-run.ts'],
    limit: FILE_LIMITS.line,
    file: 'events.jsonl',
    command: (folder) => {
      writeFileSync(join(folder, 'run.jsonl'), LOG_HEAD);
      return { args: ['replay', 'run.jsonl', '--to', 'http://127.0.0.1:1/'] };
    },
  },
  {
    name: 'status --coverage',
    modules: ['cli/coverage/files.ts'],
    limit: FILE_LIMITS.document,
    file: 'coverage.json',
    command: () => ({ args: ['status', '--coverage', 'coverage.json'] }),
  },
  {
    name: 'what a sandbox says of itself',
    modules: ['service/store/folder/private-files.ts'],
    limit: FILE_LIMITS.line,
    file: 'sandbox.json',
    command: () => ({ args: ['status', '--data-dir', '.'] }),
  },
];

test('the table has every source that reads a file of a user', () => {
  const SRC = resolve(import.meta.dirname, '../../src');
  const filesUnder = (folder: string): string[] =>
    readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? filesUnder(path) : /\.tsx?$/.test(name) ? [path] : [];
    });
  const reads = /\b(?:readUserText|readMarkedText|readUserJson|readUserLines|openUserLines)\(/;
  const found = filesUnder(SRC).filter((path) => reads.test(readFileSync(path, 'utf8')));
  const rows = new Set([...READERS.flatMap(({ modules }) => modules), ...TRIED_ELSEWHERE]);
  const names = found.map((path) => relative(SRC, path)).filter((name) => name !== 'base/user-files.ts');
  expect(names.filter((name) => !rows.has(name))).toEqual([]);
});

describe('a file of another editor', () => {
  const outputOf = async ({ file, command }: FileReader, bytes: Buffer): Promise<string> => {
    const folder = newFolder();
    const { args, env } = command(folder);
    writeFileSync(join(folder, file), bytes);
    const { output } = await judge(args, folder, env ?? {});
    return output.replaceAll(folder, '');
  };

  test.each(
    READERS,
  )('has no byte order mark and no carriage returns for $name, and UTF-16 is named', async (reader) => {
    const text = reader.file.endsWith('jsonl') ? '{"k": 1}\n{"k": 2}\n' : '{\n  "a": 1\n}\n';
    const plain = await outputOf(reader, Buffer.from(text));
    expect(await outputOf(reader, Buffer.from(`\ufeff${text.replaceAll('\n', '\r\n')}`))).toBe(plain);
    expect(await outputOf(reader, Buffer.from(text, 'utf16le'))).toContain('is text in UTF-16. Save it in UTF-8');
  });
});

/** Those that read files below folders that a user names. */
const INSIDE = sampled(
  READERS.filter(({ isInside }) => isInside),
  3,
);

/** What each source reads for is tried once where a sandbox would boot. */
const withoutBoot = ({ modules, command }: FileReader, place: number) =>
  command(newFolder()).args[0] === 'up' && READERS.findIndex((one) => one.modules[0] === modules[0]) !== place
    ? withoutWhole
    : null;

/** .ci/run reads one file by each reader in a process of its own. */
const isAlone = (reader: FileReader, name: string): boolean =>
  isWhole && PATHS_FROM_SPEC[READERS.indexOf(reader) % PATHS_FROM_SPEC.length]?.name === name;

describe.each(READERS.map((reader, place) => [reader.name, reader, place] as const))('%s', (_name, reader, place) => {
  for (const {
    row: { name, make, says },
    skip,
  } of sampled(PATHS_FROM_SPEC, 6, place))
    unless(skip, withoutBoot(reader, place)).test(`refuses ${name}`, async () => {
      const folder = newFolder();
      await make(join(folder, reader.file), reader.limit);
      const { args, env } = reader.command(folder);
      const { code, output, cpuS } = await (isAlone(reader, name) ? judgeAlone : judge)(args, folder, env);
      expect([code === 0 ? 'taken' : 'refused', output.slice(0, 300)]).toEqual(['refused', expect.anything()]);
      expect([code === 5 ? 'a bug' : 'no bug', output.slice(0, 300)]).toEqual(['no bug', expect.anything()]);
      expect(output).toMatch(says);
      expect(cpuS).toBeLessThan(budgetS('refused'));
    });

  const inside = INSIDE.find(({ row }) => row === reader);
  if (inside === undefined) return;
  unless(inside.skip).test('quotes no line of a file outside its folders', async () => {
    const folder = newFolder();
    const secret = linkOutside(join(folder, reader.file), newFolder());
    const { args, env } = reader.command(folder);
    const { code, output } = await judge(args, folder, env);
    expect(code).toBe(2);
    expect(output).toMatch(/is outside the folders that may be read/);
    expect(output).not.toContain(secret);
  });
});

test('a credentials file is not quoted, also where it is none', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'c.json'), 'TOPSECRET-4711 is no JSON');
  for (const args of [
    [...UP, '--credentials', 'c.json'],
    ['fleet', '--broker', 'mqtt://127.0.0.1:1', '--credentials', 'c.json'],
  ]) {
    const { code, output } = await judge(args, folder);
    expect([code, output]).toEqual([2, expect.stringContaining('is not JSON')]);
    expect(output).not.toContain('TOPSECRET');
  }
});

test('a part outside is refused by its path too, before the disk says whether it exists', async () => {
  const folder = newFolder();
  const inner = join(folder, 'inner');
  mkdirSync(inner);
  writeFileSync(join(folder, 'there.yaml'), 'part: TOPSECRET\n');
  for (const name of ['there', 'absent']) {
    writeFileSync(join(inner, 'x.scenario.yaml'), `use: [../${name}.yaml]\n${HEAD}${ONE_STEP}`);
    const { code, output } = await judge(['validate', 'x.scenario.yaml'], inner);
    expect([code, output]).toEqual([2, expect.stringContaining('is outside the folders that may be read')]);
  }
});

describe('a settings file', () => {
  const settings: readonly (readonly [string, () => string, readonly string[]])[] = [
    ['an entry of --assume of 900,000 letters', () => `assume: ${'x'.repeat(900_000)}=y\n`, UP],
    ['200,000 lines of --assume', () => `assume: [${'x=y,'.repeat(200_000)}x=y]\n`, UP],
    ['500,000 brackets', () => '['.repeat(500_000), ['gaps']],
    ['90,000 unknown keys', () => Array.from({ length: 90_000 }, (_, i) => `key${i}: 1\n`).join(''), ['gaps']],
  ];
  eachOf(settings, 3)('with %s is refused', async (_name, text, args) => {
    const folder = newFolder();
    writeFileSync(join(folder, 'sandbox.config.yaml'), text());
    const { code, output, cpuS } = await judge(args, folder);
    expect([code, output.slice(0, 500)]).toEqual([2, expect.anything()]);
    expect(output.length).toBeLessThan(20_000);
    expect(cpuS).toBeLessThan(budgetS('refused'));
  });
});

const nameOf = (words: string): string => words.replace(/\W+/g, '-');

/** What lies in the folder of a sandbox: each file is read for each list, and again for each run. */
const HOSTILE_PATHS = inputsOf(PATHS_FROM_SPEC, 3);
const HOSTILE_TEXTS = inputsOf(TEXTS_FROM_CODE.slice(0, 14), 14);

describe('a running sandbox', () => {
  // A process of its own: a sandbox finds scenarios below its working directory.
  let sandbox: RunningSandbox;
  let project = '';
  let outside = '';
  let token = '';

  beforeAll(async () => {
    [project, outside] = [newFolder(), newFolder()];
    mkdirSync(join(project, 'scenarios'));
    const scenarios = join(project, 'scenarios');
    for (const path of HOSTILE_PATHS)
      await path.make(join(scenarios, `${nameOf(path.name)}.scenario.yaml`), FILE_LIMITS.document);
    linkOutside(join(scenarios, 'outside.scenario.yaml'), outside);
    for (const { name, text } of HOSTILE_TEXTS)
      writeFileSync(join(scenarios, `${nameOf(name)}.scenario.yaml`), text().slice(0, MIB));
    writeFileSync(join(scenarios, 'broken.scenario.yaml'), `${HEAD}steps: [{fal: {who: ana}}]\n`);
    sandbox = await RunningSandbox.up(['--data-dir', join(project, 'data'), '--watches', '12'], { cwd: project });
    token = await sandbox.token();
  });

  afterAll(async () => void (await sandbox.stop()));

  unless(withoutWhole).test('lists hostile scenarios by their names, and shows nothing of a file outside', async () => {
    const { status, body } = await sandbox.call('GET', '/v1/sandbox/scenarios', token);
    expect(status).toBe(200);
    const outsider = body.data.find(({ name }: { name: string }) => name === 'outside');
    expect(outsider).toMatchObject({ title: 'outside', description: '', duration_s: null });
    expect(JSON.stringify(body)).not.toContain('TOPSECRET');
  });

  test('refuses to run them, without a path of the host or a line of a file', async () => {
    const { body } = await sandbox.call('GET', '/v1/sandbox/scenarios', token);
    const valid = TEXTS_FROM_CODE.filter(({ outcome }) => outcome === 'valid').map(({ name }) => nameOf(name));
    const isHostile = ({ name, duration_s }: { name: string; duration_s: number | null }) =>
      duration_s === null && !valid.includes(name);
    const hostile = body.data.filter(isHostile);
    expect(hostile.length).toBeGreaterThan(HOSTILE_PATHS.length + (isWhole ? 5 : 1));
    for (const { name } of inputsOf<{ name: string }>(hostile, 4)) {
      const run = await sandbox.call('POST', `/v1/sandbox/scenarios/${name}/runs`, token, {});
      expect([name, run.status]).toEqual([name, 422]);
      expect(run.body.detail).not.toContain(project);
      expect(run.body.detail).not.toMatch(/TOPSECRET|\n *\d+ \| /);
    }
  });

  test('refuses snapshots that are no regular files, or have a line that is too long', async () => {
    const control = sandbox.ready.control_token;
    await sandbox.call('POST', '/v1/sandbox/snapshots', control, { name: 'sound' });
    for (const path of PATHS_FROM_SPEC) {
      const name = nameOf(path.name).slice(0, 30);
      await path.make(join(project, 'data/snapshots', `${name}.ndjson`), FILE_LIMITS.line);
      const loaded = await sandbox.call('POST', `/v1/sandbox/snapshots/${name}/load`, control);
      expect([name, loaded.status < 500, loaded.status]).toEqual([name, true, expect.toBeOneOf([404, 409])]);
    }
    const { status, body } = await sandbox.call('GET', '/v1/sandbox/snapshots', control);
    expect(status).toBe(200);
    expect(body.data.map(({ name }: { name: string }) => name)).toContain('sound');
    expect((await sandbox.call('POST', '/v1/sandbox/snapshots/sound/load', control)).status).toBe(200);
  });
});
