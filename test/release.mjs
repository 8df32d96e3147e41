/** `npm run release`: checks all that must hold for a version, then publishes it, with provenance where the CI offers an identity. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const isDry = process.argv.includes('--dry-run');
const { version, repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const text = (command, ...args) => execFileSync(command, args, { cwd: ROOT, encoding: 'utf8' });

function refuse(why, fix) {
  console.error(`Not released: ${why}. ${fix}`);
  process.exit(1);
}

if (text('git', 'status', '--porcelain') !== '') refuse('the tree has changes', 'Commit or remove them.');
if (!readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').includes(`\n## ${version}`))
  refuse(`CHANGELOG.md has no heading for ${version}`, `Write "## ${version}" over what it brings.`);

// A package page resolves the relative links and pictures of the README by this field alone.
const WITHOUT_REPOSITORY =
  'package.json names no repository, so links and pictures of the README lead nowhere on a package page';
if (repository === undefined && !isDry) refuse(WITHOUT_REPOSITORY, 'Add "repository" with its address.');
if (repository === undefined) console.log(`\n${WITHOUT_REPOSITORY}. A release is refused without it.`);

const steps = [
  ['npm', 'ci', '--ignore-scripts'],
  ['npm', 'run', 'check'],
  ['npm', 'test'],
  ['npm', 'audit', '--omit=dev'],
  ['npm', 'ci', '--prefix', 'test/judges', '--ignore-scripts'],
  ['npm', 'run', '--prefix', 'test/judges', 'package'],
];
for (const [command, ...args] of steps) {
  console.log(`\n> ${[command, ...args].join(' ')}`);
  if (spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' }).status !== 0)
    refuse(`${[command, ...args].join(' ')} failed`, 'Its own words say why.');
}

const { ACTIONS_ID_TOKEN_REQUEST_URL: github, SIGSTORE_ID_TOKEN: gitlab } = process.env;
const provenance = github !== undefined || gitlab !== undefined;
if (!provenance) console.log('\nWithout provenance: no identity of a CI is at hand.');
const args = [
  'publish',
  '--access',
  'public',
  ...(provenance ? ['--provenance'] : []),
  ...(isDry ? ['--dry-run'] : []),
];
process.exitCode = spawnSync('npm', args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
