/**
 * Measures what `sandbox explore` and `sandbox certify` find in the systems of this folder, and prints a Markdown table.
 *
 *   node test/proving/explore/unseen/measure.mjs            each bug: explore for one minute with one seed, certify once;
 *                                                   each right system: certify once, explore 1000 scenarios, in pieces
 *   node test/proving/explore/unseen/measure.mjs --again    the bugs that were missed, with four more seeds
 *   node test/proving/explore/unseen/measure.mjs --table    the table of what was measured, and nothing else
 *   --seed N (default 1)  --jobs N (default 2)  --only NAME (a system or a bug)  --results FILE
 *
 * Results are kept in a file after each measurement, and a second start goes on from there. They are those of one commit.
 * A scenario that explore found counts only if the right system passes it; if it does not, it is listed as a false alarm.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = path.dirname(fileURLToPath(import.meta.url));
const sandbox = path.join(here, '..', '..', '..', 'bin', 'sandbox.js');
const { values: options } = parseArgs({
  options: {
    again: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    only: { type: 'string' },
    results: { type: 'string', default: path.join(here, 'measure.results.json') },
  },
});

const STARTS = { webhooks: 'exec node webhooks.mjs', both: 'exec ruby both.rb' };
const SYSTEMS = ['webhooks', 'polling', 'both'];
const RIGHT_SCENARIOS = 1000;
const PIECE = 100;
const MORE_SEEDS = 4;
const bugs = JSON.parse(readFileSync(path.join(here, 'bugs.json'), 'utf8'));

const commit = spawnSync('git', ['-C', here, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
const results = existsSync(options.results)
  ? JSON.parse(readFileSync(options.results, 'utf8'))
  : { commit, explore: {}, certify: {}, right: {} };
if (results.commit !== commit && !options.table) {
  console.error(`${options.results} is of commit ${results.commit}, not ${commit}: move it away, or write --results.`);
  process.exit(2);
}

function save() {
  writeFileSync(`${options.results}.new`, `${JSON.stringify(results, null, 1)}\n`);
  renameSync(`${options.results}.new`, options.results);
}

/** The systems in a folder of their own, so that no measurement finds what another one wrote. */
function workFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'unseen-'));
  cpSync(here, folder, { recursive: true, filter: (file) => !/\.found$|measure\.results/.test(file) });
  return folder;
}

function run(folder, bug, args) {
  const done = spawnSync(process.execPath, [sandbox, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, BUG: bug },
    maxBuffer: 2 ** 28,
    timeout: 1_800_000,
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

function envelope({ code, out, err }) {
  try {
    return JSON.parse(out.trim().split('\n').at(-1));
  } catch {
    throw new Error(`exit code ${code}: ${err.slice(-500)}`);
  }
}

/** One search. What it finds is played against the right system too: it has to pass there. */
function explore(system, bug, seed, limit) {
  const folder = workFolder();
  try {
    const args = [
      'explore',
      `${system}.explore.yaml`,
      ...limit,
      '--seed',
      String(seed),
      '--jobs',
      options.jobs,
      '--json',
    ];
    const begun = Date.now();
    const answered = run(folder, bug, args);
    const { data, error } = envelope(answered);
    const common = { seed, code: answered.code, seconds: Math.round((Date.now() - begun) / 1000) };
    if (!data || error) return { ...common, found: false, error: error?.message ?? 'no data' };
    const { finding } = data;
    if (!finding) return { ...common, found: false, scenarios: data.stories };
    const replayed = run(folder, '', ['run', finding.path, '--seed', /--seed (\d+)/.exec(finding.again)[1]]);
    return {
      ...common,
      found: true,
      true_find: replayed.code === 0,
      scenario: finding.story,
      steps: finding.steps,
      after_s: Math.round(finding.foundMs / 1000),
      rule: finding.source,
      why: finding.rule.why,
      text: finding.text,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** The numbers of the checks that failed, or null where there is no receiver. */
async function certify(system, bug) {
  if (!(system in STARTS)) return null;
  const folder = workFolder();
  const address = `http://127.0.0.1:${await freePort()}`;
  try {
    const answered = run(folder, bug, [
      'certify',
      `${address}/hook`,
      '--probe',
      `${address}/state`,
      '--probe-pages',
      `${address}/pages`,
      '--secret-to',
      `${address}/secret`,
      '--start-command',
      STARTS[system],
      '--json',
    ]);
    const { data, error } = envelope(answered);
    if (!data || error) return { code: answered.code, failed: [], error: error?.message ?? 'no data' };
    return {
      code: answered.code,
      failed: data.checks.filter(({ result }) => result === 'failed').map(({ number }) => number),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const chosen = (...names) => options.only === undefined || names.includes(options.only);
const seen = (tries = []) => tries.some(({ true_find: found }) => found);

async function measureBug({ system, bug }) {
  results.explore[bug] ??= [];
  const tries = results.explore[bug];
  const seeds = [Number(options.seed)];
  if (options.again && tries.length > 0) for (let n = 1; n <= MORE_SEEDS; n += 1) seeds.push(Number(options.seed) + n);
  for (const seed of seeds) {
    if (seen(tries) || tries.some((one) => one.seed === seed)) continue;
    console.error(`explore ${system} ${bug}, seed ${seed}`);
    tries.push(explore(system, bug, seed, ['--minutes', '1']));
    save();
  }
  if (bug in results.certify) return;
  console.error(`certify ${system} ${bug}`);
  results.certify[bug] = await certify(system, bug);
  save();
}

/** Pieces with a seed each. A piece that ends with an alarm ends early, and the next one goes on. */
async function measureRight(system) {
  const name = `right ${system}`;
  if (!(name in results.certify)) {
    console.error(`certify ${name}`);
    results.certify[name] = await certify(system, '');
    save();
  }
  results.right[system] ??= [];
  const pieces = results.right[system];
  while (pieces.length < RIGHT_SCENARIOS / PIECE) {
    console.error(`explore ${name}, piece ${pieces.length + 1}`);
    pieces.push(explore(system, '', Number(options.seed) + 100 + pieces.length, ['--runs', String(PIECE)]));
    save();
  }
}

function table() {
  const lines = ['| system | bug | explore | scenario | steps | tries | certify |', '|---|---|---|---|---|---|---|'];
  for (const { system, bug } of bugs) {
    const tries = results.explore[bug] ?? [];
    const found = tries.find(({ true_find: yes }) => yes);
    const alarms = tries.filter((one) => one.found && !one.true_find).length;
    const judged = results.certify[bug];
    const before = results.certify[`right ${system}`]?.failed ?? [];
    const more = judged?.failed.filter((number) => !before.includes(number)) ?? [];
    const outcome =
      tries.length === 0
        ? ''
        : found
          ? `found after ${found.after_s} s`
          : alarms > 0
            ? `${alarms} false alarm(s)`
            : 'missed';
    const receiver =
      judged === null
        ? 'no receiver'
        : judged === undefined
          ? ''
          : more.length > 0
            ? `found: ${more.join(', ')}`
            : 'passed';
    lines.push(
      `| ${system} | ${bug} | ${outcome} | ${found?.scenario ?? ''} | ${found?.steps ?? ''} | ${tries.length} | ${receiver} |`,
    );
  }
  const count = (test) => bugs.filter(test).length;
  lines.push(
    '',
    `Commit ${results.commit}. explore found ${count(({ bug }) => seen(results.explore[bug]))} of ${bugs.length}; ` +
      `at the first seed ${count(({ bug }) => seen((results.explore[bug] ?? []).slice(0, 1)))}.`,
    '',
    '| right system | pieces | scenarios | alarms | certify fails |',
    '|---|---|---|---|---|',
  );
  for (const system of SYSTEMS) {
    const pieces = results.right[system] ?? [];
    const scenarios = pieces.reduce((sum, piece) => sum + (piece.scenarios ?? piece.scenario ?? 0), 0);
    const alarms = pieces.filter(({ found }) => found).length;
    const failed = results.certify[`right ${system}`]?.failed?.join(', ');
    lines.push(`| ${system} | ${pieces.length} | ${scenarios} | ${alarms} | ${failed ?? ''} |`);
  }
  return lines.join('\n');
}

if (!options.table) {
  for (const system of SYSTEMS) if (!options.again && chosen(system, 'right')) await measureRight(system);
  for (const entry of bugs) if (chosen(entry.system, entry.bug)) await measureBug(entry);
}
console.log(table());
