/**
 * A Go program with types from the OpenAPI 3.0 document reads all of a running sandbox: nothing of an answer is lost or of
 * another type. It uses the standard library alone. Where Go is not installed, nothing is judged.
 */
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { READS, withBusySandbox } from './busy.mjs';
import { goTypes } from './go-types.mjs';
import { inOwnFolder, keepLast } from './sandbox.mjs';

if (spawnSync('go', ['version']).status !== 0) {
  console.log('go: not installed, so the OpenAPI 3.0 document is not tried in Go');
  process.exit(0);
}

/** Gives what the program prints; it builds without a network. */
async function runGo(place, input) {
  const offline = { GOPROXY: 'off', GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local', GOCACHE: join(place, 'cache') };
  const child = spawn('go', ['run', '.'], { cwd: place, env: { ...process.env, ...offline } });
  const [stdout, stderr] = [keepLast(child.stdout), keepLast(child.stderr)];
  child.stdin.end(JSON.stringify(input));
  const status = await new Promise((done) => child.once('close', done));
  if (status !== 0) throw new Error(`go run ended with ${status}: ${stderr()}`);
  return JSON.parse(stdout());
}

await inOwnFolder((folder) =>
  withBusySandbox(folder, async (stage) => {
    const document = await (await fetch(`${stage.url}/openapi-3.0.json`)).json();
    const place = join(folder, 'customer');
    mkdirSync(place);
    writeFileSync(join(place, 'go.mod'), 'module customer\n\ngo 1.19\n');
    writeFileSync(join(place, 'types.go'), goTypes(document));
    copyFileSync(join(import.meta.dirname, 'go/main.go'), join(place, 'main.go'));
    const reads = Object.fromEntries(Object.entries(READS).map(([name, path]) => [name, path(stage)]));
    const { url, token, site, alert } = stage;
    const { alerts, code, problems, read } = await runGo(place, { url, token, site, alert, reads });
    const found = problems ?? [];
    for (const wanted of ['watch_button', '3', '6.1', 'W-002'])
      if (!alerts.includes(wanted)) found.push(`no alert says ${wanted}: ${alerts}`);
    if (read.some((count) => count === 0)) found.push(`an empty list proves nothing: ${read}`);
    for (const problem of found) console.log(`  ${problem}`);
    console.log(`go: ${read.length} lists, ${alerts.length} alerts, a problem with ${code}: ${found.length} problems`);
    process.exitCode = found.length === 0 ? 0 : 1;
  }),
);
