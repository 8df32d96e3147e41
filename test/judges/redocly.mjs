/** Redocly's command line, told to speak to nobody. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { keepLast } from './sandbox.mjs';

const CLI = join(import.meta.dirname, 'node_modules/@redocly/cli/bin/cli.js');

/** Nothing of ours is told to anybody, and no newer version is looked for. */
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };

const start = (args) =>
  spawn(process.execPath, [CLI, ...args], { env: { ...process.env, ...QUIET }, stdio: ['ignore', 'pipe', 'pipe'] });

/** Runs a command to its end. */
export async function redocly(...args) {
  const child = start(args);
  const [stdout, stderr] = [collect(child.stdout), keepLast(child.stderr)];
  const [status] = await once(child, 'close');
  return { status, stdout: stdout(), stderr: stderr() };
}

/** The proxy, from the moment it listens; `stop` gives every finding, one by one. */
export async function redoclyProxy({ target, har, api, rules }) {
  const child = start(
    ['proxy', '--target', target, '--port', '0', '--har', har, '--api', api, '--match-mode', 'basepath'].concat(
      // Of all its formats only this one tells every finding with the status that was answered.
      ['--format', 'sarif', '--rules', rules.join(','), '--ignore-headers', '*'],
    ),
  );
  const [stdout, stderr] = [collect(child.stdout), keepLast(child.stderr)];
  const ended = once(child, 'close');
  const url = await new Promise((done, failed) => {
    child.stderr.on('data', () => {
      const [, told] = /Proxy listening on (http:\S+)/.exec(stderr()) ?? [];
      if (told !== undefined) done(told);
    });
    void ended.then(() => failed(new Error(`redocly proxy did not start: ${stderr()}`)));
  });
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      return findingsOf(stdout(), stderr());
    },
  };
}

/** What is no report is a failure of the judge itself, told in its own words. */
export function findingsOf(stdout, stderr) {
  try {
    return JSON.parse(stdout).runs[0].results.map(({ ruleId, message, properties }) => ({
      ruleId,
      says: message.text,
      ...properties,
    }));
  } catch {
    throw new Error(`Redocly gave no report: ${stderr || stdout}`);
  }
}

function collect(stream) {
  const parts = [];
  stream.on('data', (part) => parts.push(part));
  return () => Buffer.concat(parts).toString('utf8');
}
