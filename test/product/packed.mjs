/** Run in the folder where the tarball was installed: the product starts, answers, plays a scenario and stops. */
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const bin = ['node_modules', '.bin', 'sandbox'].join('/');
const fail = (why) => {
  console.error(why);
  process.exit(1);
};

const version = spawnSync(bin, ['--version'], { encoding: 'utf8' });
if (version.status !== 0) fail(`--version: ${version.stderr}`);

const child = spawn(bin, ['up', '--memory', '--port', '0', '--mqtt-port', '0', '--json'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const first = await new Promise((done) => createInterface({ input: child.stdout }).once('line', done));
const { data } = JSON.parse(first);
const [{ client_id, client_secret }] = data.clients;
const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
const { access_token } = await (await fetch(`${data.api_url}/v1/oauth/token`, { method: 'POST', body })).json();
const sites = await (
  await fetch(`${data.api_url}/v1/sites`, { headers: { authorization: `Bearer ${access_token}` } })
).json();
if (sites.data.length !== 2) fail(`sites: ${JSON.stringify(sites)}`);
// A page of the panel, and the script that keeps it alive.
const page = await (await fetch(data.panel_url)).text();
const script = /src="(\/panel\/assets\/[^"]+\.js)"/.exec(page)?.[1];
const code = script === undefined ? '' : await (await fetch(`${data.api_url}${script}`)).text();
if (!code.includes('EventSource')) fail(`panel: ${page.slice(0, 500)}`);
const ended = new Promise((done) => child.once('exit', done));
child.kill('SIGTERM');
if ((await ended) !== 0) fail('up did not stop cleanly');

const library = join(process.cwd(), 'library.mjs');
for (const [file, load] of [
  [library, "import { startSandbox } from 'muster-sandbox';"],
  [library.replace('.mjs', '.cjs'), "const { startSandbox } = require('muster-sandbox');"],
]) {
  const start = "startSandbox({ watches: 12, dataDir: '.sandbox-of-packed' }).then((sandbox) => sandbox.stop());";
  writeFileSync(file, `${load}\n${start}\n`);
  const { status, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  if (status !== 0) fail(`${load} ${stderr}`);
}
console.log(`the packed product ${version.stdout.trim()} works on Node ${process.versions.node}`);
process.exit(0);
