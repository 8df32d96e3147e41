#!/usr/bin/env node
/**
 * The launcher, nothing else: it runs the bundle, or in a clone without one the sources by tsx. It is CommonJS, because an ES
 * module costs every command a sixth of the time in which Node itself starts.
 */
'use strict';
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`sandbox needs Node.js 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exit(3);
}

// Node ends with a stack trace where any module asks for a working folder that somebody has removed.
try {
  process.cwd();
} catch {
  process.stderr.write('The working folder of this terminal does not exist any more. Change to another one: cd\n');
  process.exit(3);
}

// Whoever stops it while it is still loading gets the same exit codes as later; `up` then takes over.
if (process.argv[2] === 'up') {
  for (const [signal, code] of [
    ['SIGTERM', 0],
    ['SIGHUP', 0],
    ['SIGINT', 130],
  ])
    process.once(signal, () => process.exit(code));
}

const here = (path) => join(__dirname, '..', path);
const argv = process.argv.slice(2);

// Help has compiled code of its own: kept under the options of the command, it would lack what the command runs.
const flags = argv.includes('--help') || argv.includes('-h') ? undefined : require('./v8-flags.js').get(argv[0]);
for (const flag of flags ?? []) require('node:v8').setFlagsFromString(flag);

// Asked often by scripts, so it loads nothing.
if (argv.length === 1 && ['version', '--version', '-V'].includes(argv[0]))
  process.stdout.write(`${JSON.parse(readFileSync(here('package.json'), 'utf8')).version}\n`);
else if (!existsSync(here('src/cli/main.ts'))) runBundle(here('dist'));
else void runClone();

function runBundle(folder) {
  require('./compiled.js').keepCompiledCode(folder);
  return require(join(folder, 'cli.cjs')).main(argv);
}

async function runClone() {
  const clone = require('./clone.js');
  const root = here('.');
  const bundle = process.env.SANDBOX_SOURCES === '1' ? null : (clone.freshBundle(root) ?? (await clone.built(root)));
  if (bundle === null) return clone.runSources(root, argv);
  clone.use(bundle);
  clone.nameSources(bundle);
  return runBundle(bundle);
}
