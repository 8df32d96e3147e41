/** What some tests need besides Node and the packages of this project, how it is had, and why a test is skipped without it. */
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';

/** Each reason is counted in the last lines of a run of the tests: test/reporting/ */
export type SkipReason =
  /** Only .ci/run runs it: the row of a table that `npm test` samples, or a test (table: null). */
  | { readonly kind: 'whole'; readonly table: number | null }
  /** It measures wall time, so only a step of .ci/run runs it, which has the machine for itself. */
  | { readonly kind: 'alone' }
  | Lack;

/**
 * For a test of what the product promises in wall time, and for one that plays in scaled or real time:
 * `unless(ownMachine).test(...)`. ALONE=1, as a step of .ci/run sets it, runs these tests and no others, with one worker.
 */
export const ownMachine: SkipReason = { kind: 'alone' };

export const isAlone = process.env['ALONE'] === '1';

/**
 * For a test that runs at any load, and in .ci/run on a machine of its own instead, with a limit in wall time: `soonMs`. What
 * passes there passes at any load too, so .ci/run (WHOLE=1) does not run it twice.
 */
export const ownMachineToo: SkipReason | null = isAlone || process.env['WHOLE'] === '1' ? ownMachine : null;

/** A limit in wall time, which is judged on a machine of its own alone; elsewhere it ends only what hangs. */
export const soonMs = (ms: number): number => (isAlone ? ms : 100_000);

/** This machine lacks something. */
export interface Lack {
  readonly kind: 'lacks';
  readonly what: string;
  /** What installs it, or allows it. */
  readonly fix: string;
}

/** Programs by the Debian package that has them. */
const PACKAGES = {
  bash: 'bash',
  chromium: 'chromium',
  curl: 'curl',
  faketime: 'faketime',
  fish: 'fish',
  go: 'golang-go',
  java: 'default-jdk-headless',
  javac: 'default-jdk-headless',
  keytool: 'default-jdk-headless',
  mcs: 'mono-mcs',
  mono: 'mono-runtime',
  mosquitto: 'mosquitto',
  mosquitto_pub: 'mosquitto-clients',
  mosquitto_sub: 'mosquitto-clients',
  openssl: 'openssl',
  php: 'php-cli',
  python3: 'python3',
  ruby: 'ruby',
  script: 'bsdutils',
  strace: 'strace',
  tmux: 'tmux',
  zsh: 'zsh',
} as const;

export type Program = keyof typeof PACKAGES;

const lackOf = (what: string, fix: string): Lack => ({ kind: 'lacks', what, fix });

/** As a shell finds it, and without starting it. */
export function isInPath(program: string): boolean {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) =>
    endings.some((ending) => {
      try {
        accessSync(join(folder, program + ending), constants.X_OK);
        return folder !== '';
      } catch {
        return false;
      }
    }),
  );
}

/** Why tests cannot have these programs; null: they can. */
export function withoutPrograms(...programs: readonly Program[]): Lack | null {
  const missing = programs.filter((program) => !isInPath(program));
  const packages = [...new Set(missing.map((program) => PACKAGES[program]))];
  return missing.length === 0 ? null : lackOf(missing.join(' and '), `apt-get install ${packages.join(' ')}`);
}

/** Why tests cannot have a part of Mono that is a package of its own, such as `Net.Http`; null: they can. */
export const withoutMonoPart = (part: string): Lack | null =>
  unlessMachine(
    existsSync(`/usr/lib/mono/gac/System.${part}`),
    `System.${part} of Mono`,
    `apt-get install libmono-system-${part.toLowerCase().replace('.', '-')}4.0-cil`,
  );

/** Why tests cannot do what this condition of the machine says; null: they can. */
export const unlessMachine = (isSo: boolean, what: string, fix: string): Lack | null =>
  isSo ? null : lackOf(what, fix);

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].map(
  (name) => `/usr/bin/${name}`,
);

/** The path of the machine's Chromium; undefined where there is none. */
export const CHROMIUM_PATH = [process.env['CHROMIUM'] ?? '', ...BROWSERS].find(
  (path) => path !== '' && existsSync(path),
);

export const withoutChromium = unlessMachine(
  CHROMIUM_PATH !== undefined,
  'chromium',
  'apt-get install chromium, or CHROMIUM=path',
);

/** A Mosquitto is used with certificates too. */
export const withoutMosquitto = withoutPrograms('mosquitto', 'openssl');

/** Test runners other than vitest, in a package of their own. */
export const withoutTestRunners = unlessMachine(
  existsSync(resolve(import.meta.dirname, '../runners/node_modules/jest/package.json')),
  'jest and ts-jest',
  'npm ci --prefix test/runners --ignore-scripts',
);

/** Windows has no modes of files. */
export const withoutModes = unlessMachine(process.platform !== 'win32', 'modes of files', 'use Linux or macOS');

/** Only root may start a process as another user, who must reach Node and this clone: not below the home of root, for example. */
export const withoutOtherUsers = unlessMachine(
  process.platform === 'linux' &&
    process.getuid?.() === 0 &&
    [process.execPath, resolve(import.meta.dirname, '../..')]
      .flatMap(foldersAbove)
      .every((path) => (statSync(path).mode & 0o005) === 0o005),
  'other users',
  'run the tests as root on Linux, with a Node and in a clone that all users can reach',
);

function foldersAbove(path: string): string[] {
  const real = realpathSync(path);
  return dirname(real) === real ? [real] : [real, ...foldersAbove(dirname(real))];
}

/** In a sentence. */
export const sentenceOf = ({ what, fix }: Lack): string => `this machine lacks ${what} (${fix})`;
