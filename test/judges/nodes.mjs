/** The same scenarios on Node 20, 22 and 24, each fetched by npx: every run passes, and its canonical log has the same bytes. The library starts in both module systems. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnv, inOwnFolder } from './sandbox.mjs';

const ROOT = join(import.meta.dirname, '../..');
const VERSIONS = ['20', '22', '24'];

const nodeOf = (version) =>
  execFileSync('npx', ['--yes', '-p', `node@${version}`, 'node', '-p', 'process.execPath'], {
    cwd: ROOT,
    encoding: 'utf8',
  }).trim();

/** Hash of the canonical log by file, case, seed and order. */
function hashesOf(node, bin) {
  const { status, stdout, stderr } = spawnSync(node, [bin, 'run', 'scenarios', '--jobs', '2', '--json'], {
    cwd: ROOT,
    env: cleanEnv(),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`${node} run scenarios: ${status} ${stderr.slice(-2_000)}`);
  const { runs } = JSON.parse(stdout.trim().split('\n').at(-1)).data;
  return new Map(
    runs.map(({ file, case: one, seed, order, log_sha256 }) => [JSON.stringify([file, one, seed, order]), log_sha256]),
  );
}

const PLAYS =
  "startSandbox({ watches: 3 }).then(async (sandbox) => { await sandbox.act({ action: 'sos', who: 'W-001' }); await sandbox.stop(); });";
const LIBRARY = {
  module: `import { startSandbox } from 'muster-sandbox'; ${PLAYS}`,
  commonjs: `const { startSandbox } = require('muster-sandbox'); ${PLAYS}`,
};

/** The package finds itself by its name. */
function startLibrary(node, cwd) {
  for (const [type, script] of Object.entries(LIBRARY)) {
    const { status, stderr } = spawnSync(node, [`--input-type=${type}`, '-e', script], {
      cwd,
      env: cleanEnv(),
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${node}, the library as ${type}: ${status} ${stderr.slice(-2_000)}`);
  }
}

await inOwnFolder((folder) => {
  execFileSync(process.execPath, ['build.js'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const name of ['bin', 'dist', 'package.json', 'scenarios'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  let first = null;
  for (const version of VERSIONS) {
    const node = nodeOf(version);
    startLibrary(node, folder);
    const hashes = hashesOf(node, join(folder, 'bin/sandbox.js'));
    first ??= hashes;
    const differ = [...first].filter(([run, hash]) => hashes.get(run) !== hash).map(([run]) => run);
    const name = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    console.log(`${name}: ${hashes.size} runs passed, ${differ.length} logs differ ${differ.join(' ')}`);
    if (differ.length > 0 || hashes.size !== first.size) process.exitCode = 1;
  }
});
