/** Redocly judges the documents that `sandbox openapi` prints: no error and no warning may be left. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { redocly } from './redocly.mjs';
import { BIN, inOwnFolder } from './sandbox.mjs';

await inOwnFolder(async (folder) => {
  const config = join(import.meta.dirname, 'redocly.yaml');
  for (const flags of [[], ['--sandbox']]) {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, execFileSync(process.execPath, [BIN, 'openapi', ...flags], { maxBuffer: 64 * 1024 * 1024 }));
    const { stdout, stderr, status } = await redocly(
      ...['lint', file, '--config', config, '--format', 'json', '--max-problems', '1000'],
    );
    const { totals, problems } = read(stdout, stderr);
    for (const { severity, ruleId, message, location } of problems)
      console.log(`${severity} ${ruleId}: ${message}\n  at ${location?.[0]?.pointer ?? '?'}`);
    console.log(`redocly: ${['openapi', ...flags].join(' ')}: ${totals.errors} errors, ${totals.warnings} warnings`);
    if (status !== 0 || totals.errors + totals.warnings > 0) process.exitCode = 1;
  }
});

/** What is no report is a failure of the judge itself, told in its own words. */
function read(stdout, stderr) {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`Redocly gave no report: ${stderr || stdout}`);
  }
}
