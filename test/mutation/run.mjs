/**
 * Mutation testing by Stryker: each module's code is changed in one place, and a test of the module has to notice.
 *   npm run mutate                    all modules
 *   npm run mutate -- domain          one module
 *   npm run mutate -- domain src/service/domain/deliveries/retry-schedule.ts
 * Prints the score of each module and the survivors; a page with all of it is in .mutation/MODULE.html.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '../..');
const OUT = join(ROOT, '.mutation');
const MODULES = ['domain', 'webhooks', 'broker', 'engine', 'api'];

const [module, ...files] = process.argv.slice(2);
if (module !== undefined && !MODULES.includes(module)) {
  console.error(`"${module}" is no module with mutants. There are ${MODULES.join(', ')}.`);
  process.exit(2);
}
if (!existsSync(join(HERE, 'node_modules')))
  run('npm', ['ci', '--prefix', HERE, '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps']);
// In worker threads the native part of libsql ends the process; the runner knows no setting for it.
const runner = join(HERE, 'node_modules/@stryker-mutator/vitest-runner/dist/src/vitest-test-runner.js');
writeFileSync(runner, readFileSync(runner, 'utf8').replace("pool: 'threads'", "pool: 'forks'"));
mkdirSync(OUT, { recursive: true });
for (const one of module === undefined ? MODULES : [module]) {
  const report = join(OUT, `${one}.json`);
  const status = run(join(HERE, 'node_modules/.bin/stryker'), ['run', join(HERE, 'stryker.config.mjs')], {
    MODULE: one,
    MUTATE: files.length > 0 ? files.join(',') : `src/service/${one}/**/*.ts`,
  });
  if (status !== 0 || !existsSync(report)) process.exit(1);
  tell(one, JSON.parse(readFileSync(report, 'utf8')));
}

function run(command, args, env = {}) {
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } });
  return status;
}

/** Survivors by file and line, then the score: killed (and endless) of all that a test could have noticed. */
function tell(name, { files: mutated }) {
  const counts = {};
  for (const [file, { mutants }] of Object.entries(mutated).sort(([a], [b]) => (a < b ? -1 : 1)))
    for (const { status, location, mutatorName, replacement } of mutants) {
      counts[status] = (counts[status] ?? 0) + 1;
      if (status === 'Survived' || status === 'NoCoverage')
        console.log(
          `${file}:${location.start.line}:${location.start.column}  ${mutatorName}  ${String(replacement).replace(/\s+/g, ' ').slice(0, 90)}${status === 'NoCoverage' ? '  (no test comes here)' : ''}`,
        );
    }
  const { Killed = 0, Timeout = 0, Survived = 0, NoCoverage = 0 } = counts;
  const noticed = Killed + Timeout;
  const all = noticed + Survived + NoCoverage;
  console.log(
    `${name}: ${((100 * noticed) / all).toFixed(1)} % of ${all} mutants noticed (${Survived} survived, ${NoCoverage} where no test comes)`,
  );
}
