/** publint, Are the types wrong? and CycloneDX judge the package as npm would publish it; the list of its parts is kept where `--sbom FILE` says. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inOwnFolder } from './sandbox.mjs';

const ROOT = join(import.meta.dirname, '../..');
const TOOLS = join(import.meta.dirname, 'node_modules/.bin');
const [option, kept] = process.argv.slice(2);

function judge(name, ...args) {
  const { status, stdout, stderr } = spawnSync(join(TOOLS, name), args, { cwd: ROOT, encoding: 'utf8' });
  console.log(`${name}: ${status === 0 ? 'nothing to say' : `${stdout}${stderr}`}`);
  if (status !== 0) process.exitCode = 1;
}

await inOwnFolder(async (folder) => {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
  judge('publint', 'run', tarball, '--strict');
  judge('attw', tarball, '--profile', 'strict');
  const file = join(folder, 'sbom.cdx.json');
  judge('cyclonedx-npm', '--omit', 'dev', '--package-lock-only', '--output-reproducible', '--output-file', file);
  const { bomFormat, components = [] } = JSON.parse(readFileSync(file, 'utf8'));
  const licences = new Set(
    components.flatMap(({ licenses = [] }) => licenses.map(({ license, expression }) => expression ?? license.id)),
  );
  console.log(
    `${bomFormat}: ${components.length} installed packages under ${[...licences].join(', ')}; dist/NOTICES.txt has the bundled ones`,
  );
  if (option === '--sbom') copyFileSync(file, kept);
});
