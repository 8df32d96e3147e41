/** Redocly judges the document that `sandbox openapi` prints: no error and no warning may be left. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const here = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), 'muster-judges-'));
const file = join(folder, 'openapi.json');
try {
  const command = join(here, '../../bin/sandbox.js');
  writeFileSync(file, execFileSync(process.execPath, [command, 'openapi'], { maxBuffer: 64 * 1024 * 1024 }));
  const redocly = join(here, 'node_modules/@redocly/cli/bin/cli.js');
  const config = join(here, 'redocly.yaml');
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [redocly, 'lint', file, '--config', config, '--format', 'json', '--max-problems', '1000'],
    {
      encoding: 'utf8',
      // Nothing of ours is told to anybody, and no newer version is looked for.
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );
  const { totals, problems } = read(stdout, stderr);
  for (const { severity, ruleId, message, location } of problems)
    console.log(`${severity} ${ruleId}: ${message}\n  at ${location?.[0]?.pointer ?? '?'}`);
  console.log(`redocly: ${totals.errors} errors, ${totals.warnings} warnings`);
  process.exitCode = status === 0 && totals.errors + totals.warnings === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** What is no report is a failure of the judge itself, told in its own words. */
function read(stdout, stderr) {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`Redocly gave no report: ${stderr || stdout}`);
  }
}
