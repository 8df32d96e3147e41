/** Every way by which a file could start a process or load code: each key, through each entry point, starts a command only where a person allowed it. [decisions 9, cli "Shell commands in files"] */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyCommand } from '../../src/cli/commands.ts';
import { COMMAND_SETTINGS } from '../../src/cli/config-file.ts';
import { startSandbox } from '../../src/index.ts';
import { COMMAND_KEYS } from '../../src/scenario/reading/read-system.ts';
import { RateLimiter } from '../../src/service/api/access/limits.ts';
import { allRoutes } from '../../src/service/api/routes/all.ts';
import { eachOf } from '../helpers/each-of.ts';
import { ownFolders } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { sampled } from '../helpers/whole.ts';
import { runHere } from './here.ts';
import { RunningSandbox } from './sandbox-process.ts';

const own = ownFolders();
afterAll(own.remove);
const newFolder = own.next;

const PLANT = `site: {name: H, origin: [43.3, -8.4], zones: {A: {type: work_area, box: [0, 0, 90, 90]}, G: {type: assembly_point, box: [-40, 0, -20, 20], serves: [general]}}}
workers: {ana: {in: A}}
`;
const STEPS = 'steps: [{wait: 1s}]\n';
/** A command that leaves a mark, and fails at once. */
const leaving = (mark: string): string => `touch ${mark}; exit 7`;
/** A rule that asks the probe, so that its command starts. */
const RULES = 'rules: [{always: {probe: open, count: 0}}]\n';

/** Each key of each file format that can start a process, with a scenario in a folder that would leave the mark. */
interface CommandKey {
  /** As the refusal names it. */
  readonly key: string;
  write(folder: string, mark: string): void;
  readonly parameters?: (mark: string) => Record<string, unknown>;
}

const write = (folder: string, name: string, text: string): void => writeFileSync(join(folder, name), text);

const KEYS: Readonly<Record<string, CommandKey>> = {
  'system.start': {
    key: 'system.start',
    write: (folder, mark) =>
      write(folder, 'x.scenario.yaml', `scenario: X\n${PLANT}system: {start: "${leaving(mark)}"}\n${STEPS}`),
  },
  'probes.*.run': {
    key: 'probes.open.run',
    write: (folder, mark) => {
      // Probes read from a running system.
      const server = "node -e 'require(`http`).createServer((q, r) => r.end()).listen(process.env.PORT)'";
      const text = `system: {start: "${server}"}\nprobes: {open: {run: "${leaving(mark)}"}}\n${RULES}`;
      write(folder, 'x.scenario.yaml', `scenario: X\n${PLANT}${text}${STEPS}`);
    },
  },
  'system.start of a part': {
    key: 'system.start',
    write: (folder, mark) => {
      write(folder, 'p.yaml', `part: P\nsystem: {start: "${leaving(mark)}"}\n`);
      write(folder, 'x.scenario.yaml', `scenario: X\nuse: [p.yaml]\n${PLANT}${STEPS}`);
    },
  },
  'system.start that a parameter names': {
    key: 'system.start',
    parameters: (mark) => ({ sys: { start: leaving(mark) } }),
    write: (folder, mark) =>
      write(
        folder,
        'x.scenario.yaml',
        `scenario: X\nparams: {sys: {start: "${leaving(mark)}"}}\n${PLANT}system: $sys\n${STEPS}`,
      ),
  },
};

/** Commands start within seconds of a run; a run that may not start them has ended by then. */
const started = (mark: string): boolean => existsSync(mark);

test('the table has every key whose schema is a command', () => {
  const ofSchema = [
    ...COMMAND_KEYS.system.map((key) => `system.${key}`),
    ...COMMAND_KEYS.probes.map((key) => `probes.*.${key}`),
  ];
  expect(ofSchema.filter((key) => !(key in KEYS))).toEqual([]);
  expect(ofSchema).toEqual(['system.start', 'probes.*.run']);
  expect(COMMAND_SETTINGS).toEqual(['start-command']);
});

/** Sources that start a process, a thread or code whose name is not fixed, each with its reason. */
const STARTS: Readonly<Record<string, string>> = {
  'scenario/customer/own-system.ts': 'system.start and probes.*.run',
  'proving/certify/receiver-process.ts': '--start-command',
  'proving/certify/watch/device-process.ts': '--start-command with --watch',
  'cli/up/exec.ts': 'the words behind --, which a person typed',
  'cli/run/jobs.ts': 'this program',
  'cli/run/mutate.ts': 'this program',
  'cli/line-job.ts': 'this program',
  'cli/mcp/command-run.ts': 'this program',
  'cli/dashboard/dashboard.ts': 'the browser of the desktop, with an http address',
  'sandbox/runs/scenario-reader.ts': 'the worker thread of the package',
  'cli/up/idle-collection.ts': 'the word gc, which is how a running process gets the garbage collection of V8',
  'base/browser-script.ts': 'esbuild, in a clone',
  'base/foreground.ts': 'ps, for the process group of this process',
  'scenario/reporting/html/report-script.ts': 'esbuild, in a clone',
  'service/store/sqlite/libsql.ts': 'the native library of SQLite, which the package installs',
};

test('no other source starts a process, a thread, or code by a name that is not fixed', () => {
  const SRC = resolve(import.meta.dirname, '../../src');
  const filesUnder = (folder: string): string[] =>
    readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? filesUnder(path) : /\.tsx?$/.test(name) ? [path] : [];
    });
  const starts =
    /from 'node:(?:child_process|cluster|vm)'|new Worker\(|\bimport\((?!'|\s*')|\bnew Function\(|(?<![.\w])eval\(|process\.dlopen|createRequire\(/;
  const found = filesUnder(SRC).filter((path) => starts.test(readFileSync(path, 'utf8')));
  expect(found.map((path) => relative(SRC, path)).sort()).toEqual(Object.keys(STARTS).sort());
});

/** What each command of the command line does with the commands of a file that a person names. */
type Way = 'prints and starts' | 'lists' | 'starts with --allow-commands alone' | 'reads no such file';

const COMMAND_LINE: Readonly<Record<string, Way>> = {
  run: 'prints and starts',
  up: 'prints and starts',
  exec: 'prints and starts',
  explore: 'prints and starts',
  replay: 'prints and starts',
  mcp: 'starts with --allow-commands alone',
  validate: 'lists',
  list: 'lists',
  ...Object.fromEntries(
    [
      'drill',
      'record',
      'explain',
      'schema',
      'init',
      'trigger',
      'dashboard',
      'listen',
      'logs',
      'certify',
      'compare',
      'proxy',
    ].map((name) => [name, 'reads no such file' as const]),
  ),
  ...Object.fromEntries(
    ['explain-delivery', 'strictness', 'gaps', 'env', 'fleet', 'clock', 'status', 'stop', 'world', 'reset'].map(
      (name) => [name, 'reads no such file' as const],
    ),
  ),
  ...Object.fromEntries(
    ['snapshot', 'doctor', 'completion', 'openapi', 'asyncapi', 'version'].map((name) => [
      name,
      'reads no such file' as const,
    ]),
  ),
};

describe('the command line', () => {
  test('has a row for each command', async () => {
    const names = (await everyCommand()).map((command) => command.name());
    expect(names.sort()).toEqual(Object.keys(COMMAND_LINE).sort());
  });

  const calls: readonly (readonly [string, string[]])[] = [
    ['run', ['run', 'x.scenario.yaml']],
    ['run of a folder', ['run', '.']],
    ['run --jobs', ['run', 'x.scenario.yaml', '--jobs', '2', '--seeds', '1..2']],
    ['run --verify', ['run', 'x.scenario.yaml', '--verify']],
    ['run --mutate', ['run', 'x.scenario.yaml', '--mutate']],
    ['exec --scenario', ['exec', '--scenario', './x.scenario.yaml', '--watches', '6', '--', 'sleep', '4']],
    ['replay --inputs', ['replay', 'run.jsonl', '--inputs']],
  ];
  const rows = sampled(
    Object.keys(KEYS).flatMap((name) => calls.map((each) => ({ name, each }))),
    27,
  );

  for (const [name, { key, write: writeScenario }] of Object.entries(KEYS))
    describe(name, () => {
      for (const {
        row: {
          each: [how, args],
        },
        skip,
      } of rows.filter(({ row }) => row.name === name))
        unless(skip).test(`${how} prints the command before it starts`, async () => {
          const folder = newFolder();
          const mark = join(folder, 'mark');
          writeScenario(folder, mark);
          write(
            folder,
            'run.jsonl',
            '{"k":"head","t":0,"d":{"version":"0","scenario":"X","file":"../x.scenario.yaml","seed":"1"}}\n{"k":"end","t":1}\n',
          );
          const { stderr } = await runHere(args, { cwd: folder });
          expect(stderr).toMatch(
            new RegExp(`^command  .*:\\d+  ${key.replaceAll('.', '\\.')}  touch .*mark; exit 7`, 'm'),
          );
          expect(started(mark)).toBe(true);
          // Before any other line about the run.
          const lines = stderr.split('\n').filter((line) => !/warning|^ +\d* *\||^ +\^/.test(line));
          expect(lines[0]).toMatch(/^command {2}/);
        });

      test('validate and list name it, and start nothing', async () => {
        const folder = newFolder();
        const mark = join(folder, 'mark');
        writeScenario(folder, mark);
        const validated = await runHere(['validate', 'x.scenario.yaml'], { cwd: folder });
        expect(validated.stderr).toContain(`  ${key}  ${leaving(mark)}`);
        const json = JSON.parse((await runHere(['validate', 'x.scenario.yaml', '--json'], { cwd: folder })).stdout);
        expect(json.data.files[0].commands).toContainEqual(expect.objectContaining({ key, command: leaving(mark) }));
        expect((await runHere(['list', '.'], { cwd: folder })).stdout).toMatch(/starts \d command/);
        const listed = JSON.parse((await runHere(['list', '.', '--json'], { cwd: folder })).stdout);
        expect(listed.data.scenarios[0].commands).toContainEqual(expect.objectContaining({ key }));
        expect(started(mark)).toBe(false);
      });
    });

  test('explore prints the commands of its file, and takes none from the folder of what it found', async () => {
    const folder = newFolder();
    const [mark, hidden] = [join(folder, 'mark'), join(folder, 'hidden')];
    write(
      folder,
      'x.explore.yaml',
      `explore: X\nsystem: {start: "${leaving(mark)}"}\n${RULES}probes: {open: {get: /open}}\n`,
    );
    mkdirSync(join(folder, 'x.found'));
    write(
      folder,
      'x.found/line-1-abc.scenario.yaml',
      `scenario: X\nuse: [../x.explore.yaml]\nsystem: {start: "${leaving(hidden)}"}\n${STEPS}`,
    );
    const { stderr } = await runHere(['explore', 'x.explore.yaml', '--runs', '2', '--jobs', '1'], { cwd: folder });
    expect(stderr).toMatch(/^command {2}x\.explore\.yaml:2 {2}system\.start {2}touch/);
    expect([started(mark), started(hidden)]).toEqual([true, false]);
  });
});

/** Flags whose value in the settings file could start a command: each is tried below. */
const DANGEROUS_SETTINGS = ['start-command', 'scenario', 'set', 'allow-commands'];

/** Every other flag: its value names no command and no scenario. A new flag needs a row here or above. */
const HARMLESS_SETTINGS = new Set(
  `about accept-loss after alarm-every all allow-writes ambient api-port as ascii assume baseline broker ca case cert client client-wait company compare cors coverage coverage-floor credentials
  dashboard data-dir database details dry-run event events exclude explore fail-fast file fix fleet follow for format forward forward-to from got har host ids inputs insecure json
  jobs keep key kind limit list map max-time memory minutes mode mouse mqtt-port mqtt-version mutate mutate-share no-fleet node once only operator orders out pause
  people plain port position-every print-secret probe probe-pages profile prompt public-url rate ready-file receiver recheck record recorded redact report run runs sandbox save screen-reader secret secret-to seed seeds
  share shard shuffle-ties since site skip-verify smtp speed start start-timeout strict string-to-sign theme timeout tls to truth unattended until url verbose
  verify watch watch-key watches webhooks-port webhooks-to who`.split(/\s+/),
);

describe('the settings file', () => {
  test('has a row for each flag of each command', async () => {
    const flags = (await everyCommand()).flatMap((command) =>
      command.options.map(({ long }) => (long ?? '').replace(/^--(no-)?/, '')),
    );
    const actionFields = new Set(
      (await everyCommand()).find((one) => one.name() === 'trigger')?.options.map(({ long }) => long?.slice(2)),
    );
    const unknown = [...new Set(flags)].filter(
      (flag) => !HARMLESS_SETTINGS.has(flag) && !DANGEROUS_SETTINGS.includes(flag) && !actionFields.has(flag),
    );
    expect(unknown).toEqual([]);
  });

  const PERMISSIONS: readonly [string, readonly string[], Record<string, string>, boolean][] = [
    ['without a permission', [], {}, false],
    ['with SANDBOX_ALLOW_COMMANDS=0', [], { SANDBOX_ALLOW_COMMANDS: '0' }, false],
    ['with --allow-commands', ['--allow-commands'], {}, true],
    ['with SANDBOX_ALLOW_COMMANDS=1', [], { SANDBOX_ALLOW_COMMANDS: '1' }, true],
  ];

  eachOf(PERMISSIONS, 2)('start-command %s', async (_name, flags, env, allowed) => {
    const folder = newFolder();
    const mark = join(folder, 'mark');
    write(folder, 'sandbox.config.yaml', `start-command: "${leaving(mark)}"\n`);
    for (const target of [
      ['http://127.0.0.1:1/hook', '--start-timeout', '1s'],
      ['--watch', 'W-1', '--start-timeout', '1s'],
    ]) {
      rmSync(mark, { force: true });
      const { code, stderr } = await runHere(['certify', ...target, ...flags], { cwd: folder, env });
      expect([target[0], started(mark)]).toEqual([target[0], allowed]);
      if (!allowed)
        expect([code, stderr]).toEqual([2, expect.stringContaining('names a command with "start-command"')]);
    }
  });

  // `npm test` has one that is refused and one that is allowed: a command of exec runs for seconds.
  const rows = sampled(
    Object.keys(KEYS).flatMap((name) => PERMISSIONS.map((permission) => ({ name, permission }))),
    15,
  );
  for (const [name, { key, write: writeScenario }] of Object.entries(KEYS))
    describe(`a scenario with ${name}`, () => {
      for (const {
        row: {
          permission: [permission, flags, env, allowed],
        },
        skip,
      } of rows.filter(({ row }) => row.name === name))
        unless(skip).test(permission, async () => {
          const folder = newFolder();
          const mark = join(folder, 'mark');
          writeScenario(folder, mark);
          write(folder, 'sandbox.config.yaml', 'scenario: ./x.scenario.yaml\n');
          const { code, stderr } = await runHere(['exec', ...flags, '--watches', '6', '--', 'sleep', '3'], {
            cwd: folder,
            env,
          });
          expect(started(mark)).toBe(allowed);
          if (allowed) expect(stderr).toContain(`  ${key}  `);
          else expect([code, stderr]).toEqual([2, expect.stringMatching(new RegExp(`names a command: .*${key} of `))]);
        });
    });

  test('a scenario without a permission, for up', async () => {
    const folder = newFolder();
    const mark = join(folder, 'mark');
    KEYS['system.start']?.write(folder, mark);
    write(folder, 'sandbox.config.yaml', 'scenario: ./x.scenario.yaml\n');
    const { code } = await runHere(['up', '--memory', '--port', '0', '--mqtt-port', '0'], { cwd: folder });
    expect([code, started(mark)]).toEqual([2, false]);
  });

  eachOf(PERMISSIONS, 2)('a parameter of the settings that is a command, %s', async (_name, flags, env, allowed) => {
    const folder = newFolder();
    const mark = join(folder, 'mark');
    write(folder, 'x.scenario.yaml', `scenario: X\nparams: {cmd: "exit 7"}\n${PLANT}system: {start: $cmd}\n${STEPS}`);
    write(folder, 'sandbox.config.yaml', `set: ["cmd=touch ${mark}"]\n`);
    await runHere(['run', 'x.scenario.yaml', ...flags], { cwd: folder, env });
    expect(started(mark)).toBe(allowed);
  });

  test('cannot allow commands, for any command', async () => {
    const folder = newFolder();
    write(folder, 'sandbox.config.yaml', 'allow-commands: true\n');
    for (const args of [['gaps'], ['run', 'fall-to-sos'], ['certify', '--list']]) {
      const { code, stderr } = await runHere(args, { cwd: folder });
      expect([code, stderr]).toEqual([2, expect.stringContaining('cannot set "allow-commands"')]);
    }
  });
});

/** Operations that read a scenario file. Every other operation of the API reads none. */
const SCENARIO_OPERATIONS = ['listScenarios', 'startRun'];
const OTHER_OPERATIONS =
  `beginRecording cancelRun createSessionDestination createWebhook deleteSessionDestination deleteSessionDestinations deleteWebhook endRecording explainDelivery
  getAlert getClock getCoverage getDevice getMuster getRun getSite getWebhook getWorker getWorld issueToken listActions listAlerts listDeliveries listDevices listEvents listGaps
  listMail listMissingWorkers listMusters listNewestEvents listNodes listPositions listRequests listRuns listSessionDestinations listSites listSnapshots listWatchLog
  listWebhooks listWorkers listZones loadSnapshot openStream performAction resetSandbox rotateWebhookSecret saveSnapshot testWebhook turnClock updateAlert waitFor`.split(
    /\s+/,
  );

describe('HTTP', () => {
  let sandbox: RunningSandbox;
  let project = '';
  const markOf = (name: string): string => join(project, `mark-${name}`);
  const nameOf = (key: string): string => key.replace(/\W+/g, '-');

  beforeAll(async () => {
    project = newFolder();
    mkdirSync(join(project, 'scenarios'));
    for (const [key, { write: writeScenario }] of Object.entries(KEYS)) {
      const folder = newFolder();
      writeScenario(folder, markOf(nameOf(key)));
      for (const file of readdirSync(folder))
        write(
          join(project, 'scenarios'),
          file.replace(/^x\./, `${nameOf(key)}.`),
          readFileSync(join(folder, file), 'utf8'),
        );
    }
    write(
      join(project, 'scenarios'),
      'plain.scenario.yaml',
      `scenario: X\n${PLANT}steps: [{check: {alerts: open, count: 3}}]\n`,
    );
    sandbox = await RunningSandbox.up(['--memory', '--watches', '12', '--speed', '50'], { cwd: project });
  });
  afterAll(async () => void (await sandbox.stop()));

  test('has a row for each operation', () => {
    const operations = allRoutes(new RateLimiter()).map(({ operationId }) => operationId);
    expect(operations.filter((one) => !SCENARIO_OPERATIONS.includes(one) && !OTHER_OPERATIONS.includes(one))).toEqual(
      [],
    );
  });

  eachOf(Object.entries(KEYS), 3)('%s needs the control token', async (name, { key, parameters }) => {
    const mark = markOf(nameOf(name));
    const path = `/v1/sandbox/scenarios/${nameOf(name)}/runs`;
    const token = await sandbox.token();
    for (const body of [{}, ...(parameters === undefined ? [] : [{ parameters: parameters(mark) }])]) {
      const refused = await sandbox.call('POST', path, token, body);
      expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
      expect(refused.body.detail).toContain(`"${key}"`);
      expect(refused.body.detail).not.toContain(project);
    }
    const listed = await sandbox.call('GET', '/v1/sandbox/scenarios', token);
    expect(JSON.stringify(listed.body)).not.toMatch(/touch|exit 7|\/mark-/);
    expect(started(mark)).toBe(false);
    const allowed = await sandbox.call('POST', path, sandbox.ready.control_token, {});
    expect(allowed.status).toBe(202);
    const ended = await settled(allowed.body.id);
    expect(started(mark)).toBe(true);
    // What failed names the command: the control token may see it, a client may not.
    expect(JSON.stringify(ended.failures)).toContain('exit');
    const seen = await sandbox.call('GET', `/v1/sandbox/runs/${ended.id}`, token);
    expect(JSON.stringify(seen.body)).not.toMatch(/touch|exit 7|\/mark-/);
  });

  test('a client sees the failures of its own run without the folders of the host', async () => {
    const token = await sandbox.token();
    const { body } = await sandbox.call('POST', '/v1/sandbox/scenarios/plain/runs', token, {});
    const ended = await settled(body.id, token);
    expect(ended).toMatchObject({ status: 'failed', failures: [{ line: 4 }] });
    expect(ended.failures[0].text).toContain('✗ scenarios/plain.scenario.yaml:4');
    expect(JSON.stringify(ended)).not.toContain(project);
  });

  test('the form of the landing page starts nothing without the control token', async () => {
    const { api_url } = sandbox.ready;
    const mark = markOf(nameOf('system.start'));
    rmSync(mark, { force: true });
    const form = new URLSearchParams({ what: 'scenario', scenario: nameOf('system.start') });
    const headers = { origin: api_url, 'content-type': 'application/x-www-form-urlencoded' };
    const { status } = await fetch(`${api_url}/panel/try`, { method: 'POST', headers, body: form });
    expect(status).toBe(401);
    expect(started(mark)).toBe(false);
    // Nor does the page show what failed.
    expect(await (await fetch(`${api_url}/`)).text()).not.toMatch(/exit 7|mark-/);
  });

  async function settled(id: string, token = sandbox.ready.control_token) {
    for (;;) {
      const { body } = await sandbox.call('GET', `/v1/sandbox/runs/${id}`, token);
      if (body.status !== 'running') return body;
    }
  }
});

/** Members of a sandbox from code. `play` is code of the user that names a file, so it needs no other permission. */
const LIBRARY = [
  'act',
  'advance',
  'client',
  'coverage',
  'now',
  'onNotice',
  'play',
  'ready',
  'receiver',
  'reset',
  'stop',
  'wait',
  'warnings',
  'watches',
];

describe('the library', () => {
  test('has a row for each member, and starts a command by play alone', async () => {
    const folder = newFolder();
    const mark = join(folder, 'mark');
    KEYS['system.start']?.write(folder, mark);
    const sandbox = await startSandbox({ memory: true, port: 0, mqttPort: 0, watches: 6 });
    try {
      const members = new Set<string>(Object.keys(sandbox));
      for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(sandbox))) members.add(name);
      expect([...members].filter((name) => name !== 'constructor').sort()).toEqual(LIBRARY);
      expect(started(mark)).toBe(false);
      const played = await sandbox.play(join(folder, 'x.scenario.yaml'));
      expect([played.status, started(mark)]).toEqual(['error', true]);
    } finally {
      await sandbox.stop();
    }
  });

  test('a site of an option starts nothing, also where it has a system', async () => {
    const folder = newFolder();
    const mark = join(folder, 'mark');
    write(
      folder,
      'site.yaml',
      `part: P\n${PLANT}system: {start: "${leaving(mark)}"}\nprobes: {open: {run: "${leaving(mark)}"}}\n`,
    );
    const sandbox = await startSandbox({ memory: true, port: 0, mqttPort: 0, site: join(folder, 'site.yaml') });
    await sandbox.stop();
    expect(sandbox.warnings.join('\n')).toContain('"system" is not a key of a plant');
    expect(started(mark)).toBe(false);
  });
});

test('the GitHub action names scenarios on the command line of sandbox run, and starts nothing else of a file', () => {
  const action = readFileSync(resolve(import.meta.dirname, '../../action/action.yml'), 'utf8');
  expect(action).toMatch(/^ {8}"\$@" run \$\(printf '%s' "\$SCENARIO"/m);
  expect(action).not.toMatch(/allow-commands|ALLOW_COMMANDS|\beval\b/);
});
