#!/usr/bin/env node
/** The launcher, nothing else: the bundle where it is shipped, the sources (by tsx) in a clone. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`sandbox needs Node.js 20.19 or newer; this is ${process.versions.node}.\n`);
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

const here = (path) => new URL(`../${path}`, import.meta.url);
const argv = process.argv.slice(2);

// Asked often by scripts, so it loads nothing.
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`${JSON.parse(readFileSync(here('package.json'), 'utf8')).version}\n`);
} else if (existsSync(here('src/cli/main.ts'))) {
  const { register } = await import('tsx/esm/api');
  // The clone's own settings, wherever the command is run: they say how JSX is compiled.
  register({ tsconfig: fileURLToPath(here('tsconfig.json')) });
  const { main } = await import(here('src/cli/main.ts').href);
  await main(argv);
} else {
  const { main } = await import(here('dist/cli.cjs').href);
  await main(argv);
}
