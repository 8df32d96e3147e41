/** Hostile files that follow from the clauses of decisions 9 ("Limits of scenario files") and of the scenario language alone, without a look at the code. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';

export const MIB = 1024 * 1024;

/** What the product must do with a file: refuse it within 2 s, or read it within 5 s. [decisions 9] */
export type Outcome = 'refused' | 'valid';

/** A text for a reader of scenarios. */
export interface HostileText {
  readonly name: string;
  /** The clause that it is about. */
  readonly clause: string;
  readonly outcome: Outcome;
  /** What the refusal must say. */
  readonly says?: RegExp;
  text(): string;
}

const SITE =
  'site: {name: H, origin: [43.3, -8.4], zones: {A: {type: work_area, box: [0, 0, 90, 90]}, G: {type: assembly_point, box: [-40, 0, -20, 20], serves: [general]}}}\n';
export const HEAD = `scenario: Hostile\n${SITE}workers: {ana: {in: A}}\n`;
export const ONE_STEP = 'steps: [{wait: 1s}]\n';

const repeated = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('');

/** The text, filled up with a comment to exactly this number of bytes. */
const padded = (text: string, bytes: number): string => `${text}#${'x'.repeat(bytes - text.length - 2)}\n`;

export const TEXTS_FROM_SPEC: readonly HostileText[] = [
  {
    name: 'exactly 1 MiB',
    clause: 'Scenario, part, site, rules, settings and CSV files have at most 1 MiB each',
    outcome: 'valid',
    text: () => padded(`${HEAD}${ONE_STEP}`, MIB),
  },
  {
    name: 'one byte more than 1 MiB',
    clause: 'Scenario, part, site, rules, settings and CSV files have at most 1 MiB each',
    outcome: 'refused',
    says: /1 MiB/,
    text: () => padded(`${HEAD}${ONE_STEP}`, MIB + 1),
  },
  {
    name: '1 MiB by bytes, fewer characters',
    clause: 'at most 1 MiB each',
    outcome: 'refused',
    says: /1 MiB/,
    text: () => `${HEAD}${ONE_STEP}#${'ä'.repeat(MIB / 2)}\n`,
  },
  {
    name: '10,000 steps',
    clause: 'A scenario has at most 10,000 steps after expansion',
    outcome: 'valid',
    text: () => `${HEAD}steps:\n${'  - wait: 1s\n'.repeat(10_000)}`,
  },
  {
    name: '10,001 steps',
    clause: 'A scenario has at most 10,000 steps after expansion',
    outcome: 'refused',
    says: /10,?001 steps|more than 10,?000 steps/,
    text: () => `${HEAD}steps:\n${'  - wait: 1s\n'.repeat(10_001)}`,
  },
  {
    name: '100 uses of a macro of 100 steps',
    clause: 'steps of a macro count at each use',
    outcome: 'valid',
    text: () =>
      `${HEAD}macros: {m: {params: [], steps: [${'{wait: 1s}, '.repeat(100)}]}}\nsteps:\n${'  - do: {macro: m}\n'.repeat(100)}`,
  },
  {
    name: '101 uses of a macro of 100 steps',
    clause: 'steps of a macro count at each use',
    outcome: 'refused',
    says: /10,?100 steps/,
    text: () =>
      `${HEAD}macros: {m: {params: [], steps: [${'{wait: 1s}, '.repeat(100)}]}}\nsteps:\n${'  - do: {macro: m}\n'.repeat(101)}`,
  },
  {
    name: 'macros that multiply each other seven times by 100',
    clause: 'steps of a macro count at each use',
    outcome: 'refused',
    says: /steps/,
    text: () =>
      `${HEAD}macros:\n  m0: {params: [], steps: [{wait: 1s}]}\n${repeated(7, (i) => `  m${i + 1}: {params: [], steps: [${`{do: {macro: m${i}}}, `.repeat(100)}]}\n`)}steps: [{do: {macro: m7}}]\n`,
  },
  {
    name: 'a macro that does itself',
    clause: 'steps of a macro count at each use',
    outcome: 'refused',
    text: () =>
      `${HEAD}macros: {m: {params: [], steps: [{do: {macro: m}}, {do: {macro: m}}]}}\nsteps: [{do: {macro: m}}]\n`,
  },
  {
    name: 'a repeat of many times, with 9,999 steps in it',
    clause: 'a `repeat` counts its body once',
    outcome: 'valid',
    text: () => `${HEAD}steps:\n  - repeat:\n      times: 50\n      steps:\n${'        - wait: 1s\n'.repeat(9_999)}`,
  },
  {
    name: '9,900 expectations without a limit',
    clause: 'A valid file is read within 5 s',
    outcome: 'valid',
    text: () =>
      `${HEAD}steps:\n${repeated(9_900, (i) => `  - expect: {alert: any, of: ana}\n    note: '${i} ${'x'.repeat(40)}'\n`)}`,
  },
  {
    name: '9,900 named steps',
    clause: 'A valid file is read within 5 s',
    outcome: 'valid',
    text: () =>
      `${HEAD}steps:\n${repeated(9_900, (i) => `  - fall: {who: ana}\n    as: name${i}\n    note: '${'x'.repeat(40)}'\n`)}`,
  },
  {
    name: 'one line of JSON with 9,900 steps',
    clause: 'A valid file is read within 5 s',
    outcome: 'valid',
    text: () =>
      JSON.stringify({
        scenario: 'One line',
        site: { name: 'H', origin: [43.3, -8.4], zones: { A: { type: 'work_area', box: [0, 0, 90, 90] } } },
        workers: { ana: { in: 'A' } },
        steps: Array.from({ length: 9_900 }, (_, i) => ({
          position: { who: 'ana', at: [i % 90, 5] },
          note: 'x'.repeat(40),
        })),
      }),
  },
  {
    name: '15,000 workers',
    clause: 'A valid file is read within 5 s',
    outcome: 'valid',
    text: () =>
      `scenario: Crowd\n${SITE}workers:\n${repeated(15_000, (i) => `  w${i}: {in: A, contractor: C${i % 9}}\n`)}${ONE_STEP}`,
  },
  {
    name: '13,000 zones',
    clause: 'A valid file is read within 5 s',
    outcome: 'valid',
    text: () =>
      `scenario: Zones\nsite: {name: H, origin: [43.3, -8.4], zones: {${repeated(13_000, (i) => `Z${i}: {type: work_area, box: [${i}, 0, ${i + 1}, 9]}, `)}}}\n${ONE_STEP}`,
  },
  {
    name: '500 cases of 9,500 steps',
    clause: 'cases [{name: value, ...}] (one run per entry)',
    outcome: 'valid',
    text: () =>
      `${HEAD}cases:\n${repeated(500, (i) => `  - {n: ${i}}\n`)}steps:\n${repeated(9_500, () => '  - check: {alerts: open, count: $n}\n')}`,
  },
  {
    name: 'a matrix of 10^30 combinations',
    clause: 'matrix {name: [values]} (the product: one run per combination of the values)',
    outcome: 'refused',
    text: () => `${HEAD}matrix:\n${repeated(30, (i) => `  m${i}: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]\n`)}${ONE_STEP}`,
  },
  {
    name: '60,000 unknown keys',
    clause: 'At most 100 mistakes are listed',
    outcome: 'refused',
    says: /more/,
    text: () => `${HEAD}${ONE_STEP}${repeated(60_000, (i) => `key${i}: 1\n`)}`,
  },
  {
    name: '9,000 steps that do not exist',
    clause: 'At most 100 mistakes are listed',
    outcome: 'refused',
    says: /more/,
    text: () => `${HEAD}steps:\n${repeated(9_000, (i) => `  - fal: {who: ana}\n    note: 'x${i}'\n`)}`,
  },
  {
    name: 'a key of 900,000 letters',
    clause: 'A file that breaks a limit is refused within 2 s',
    outcome: 'refused',
    text: () => `${HEAD}${ONE_STEP}? ${'k'.repeat(900_000)}\n: 1\n`,
  },
];

/** What is at a path instead of a regular file. */
export interface HostilePath {
  readonly name: string;
  readonly clause: string;
  readonly says: RegExp;
  /** Makes it at the path; `limit` is that of the reader, in bytes. */
  make(path: string, limit: number): void | Promise<void>;
}

export const PATHS_FROM_SPEC: readonly HostilePath[] = [
  {
    name: 'a named pipe that nobody writes to',
    clause: 'The sandbox reads only regular files',
    says: /named pipe/,
    make: (path) => void execFileSync('mkfifo', [path]),
  },
  {
    name: 'a link to a device that never ends',
    clause: 'The sandbox reads only regular files. Symbolic links are resolved first',
    says: /device|outside/,
    make: (path) => symlinkSync('/dev/zero', path),
  },
  {
    name: 'a folder',
    clause: 'The sandbox reads only regular files',
    says: /folder/,
    make: (path) => void mkdirSync(path),
  },
  {
    name: 'a socket',
    clause: 'The sandbox reads only regular files',
    says: /socket/,
    make: (path) =>
      new Promise<void>((resolve) => {
        const server = createServer().listen(path, () => resolve());
        server.unref();
      }),
  },
  {
    name: 'a link to itself',
    clause: 'Symbolic links are resolved first',
    says: /ELOOP|does not exist|cannot be read|is no file/,
    make: (path) => symlinkSync(path, path),
  },
  {
    name: 'one byte more than the limit',
    clause: 'at most 1 MiB each, credentials files 32 MiB, at most 32 MiB a line',
    says: /MiB/,
    make: (path, limit) => writeFileSync(path, Buffer.alloc(limit + 1, 'x')),
  },
];

/** A secret outside all folders that may be read, and a link to it. */
export function linkOutside(path: string, outside: string): string {
  const secret = join(outside, 'secret.txt');
  mkdirSync(dirname(secret), { recursive: true });
  writeFileSync(secret, 'part: TOPSECRET-4711\nroot:x:0:0\n');
  symlinkSync(secret, path);
  return 'TOPSECRET-4711';
}
