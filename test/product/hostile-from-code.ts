/** Hostile files that are aimed at what the readers do: recursion, repeated search, substitution and messages. */
import { HEAD, type HostileText, ONE_STEP } from './hostile-from-spec.ts';

const repeated = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('');

const ORIGIN = 'origin: [43.3, -8.4]';
const forbidden = (i: number): string => {
  const [x, y] = [(i % 100) * 10, Math.floor(i / 100) * 10];
  return `Z${i}: {type: forbidden, box: [${x}, ${y}, ${x + 9}, ${y + 9}]}, `;
};
const tiled = (zones: number): string =>
  `scenario: Tiles\nsite: {name: H, ${ORIGIN}, zones: {${repeated(zones, forbidden)}}}\n`;

const text = (
  name: string,
  clause: string,
  outcome: HostileText['outcome'],
  make: () => string,
  says?: RegExp,
): HostileText => ({
  name,
  clause,
  outcome,
  text: make,
  ...(says === undefined ? {} : { says }),
});

export const TEXTS_FROM_CODE: readonly HostileText[] = [
  text(
    '500,000 open brackets',
    'the parser calls itself',
    'refused',
    () => `${HEAD}tags: ${'['.repeat(500_000)}\n`,
    /nested/,
  ),
  text(
    '500,000 dashes on one line',
    'the parser calls itself',
    'refused',
    () => `${HEAD}tags: \n  ${'- '.repeat(500_000)}\n`,
  ),
  text(
    '200,000 maps in maps',
    'the parser calls itself',
    'refused',
    () => `${HEAD}tags: ${'{a: '.repeat(200_000)}\n`,
    /nested/,
  ),
  text(
    '1,000,000 commas',
    'each is an error of the parser',
    'refused',
    () => `${HEAD}tags: [${','.repeat(1_000_000)}]\n`,
  ),
  text('700,000 quotes', 'each is an error of the parser', 'refused', () => `${HEAD}tags: ${'"'.repeat(700_001)}\n`),
  text(
    '70,000 aliases',
    'each is a mistake',
    'refused',
    () => `${HEAD}x: &a [1]\n${repeated(70_000, (i) => `y${i}: *a\n`)}`,
    /alias/,
  ),
  text(
    'a bomb of aliases',
    'an alias stands for a list of aliases',
    'refused',
    () => `${HEAD}k0: &a0 [1, 1]\n${repeated(60, (i) => `k${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`)}`,
    /anchor/,
  ),
  text('300,000 directives', 'each is a mistake', 'refused', () => '%a\n'.repeat(300_000)),
  text('250,000 documents', 'a file is one document', 'refused', () => '---\n'.repeat(250_000)),
  text('490,000 tags', 'nodes without a step', 'valid', () => `tags: [${'a,'.repeat(490_000)}a]\n${HEAD}${ONE_STEP}`),
  text(
    'a body of 490,000 numbers',
    'values of one step',
    'valid',
    () => `${HEAD}steps: [{api: {post: /v1/alerts, body: {x: [${'1,'.repeat(490_000)}1]}}}]\n`,
  ),
  text(
    'a body of 1,000 numbers in each of 9,900 uses of a macro',
    'values after expansion',
    'refused',
    () =>
      `${HEAD}macros: {m: {params: [], steps: [{api: {post: /v1/alerts, body: [${'1,'.repeat(1_000)}1]}}]}}\nsteps:\n${'  - do: {macro: m}\n'.repeat(9_900)}`,
    /values/,
  ),
  text(
    'a list that seven macros multiply by 100 each',
    'values that are handed over',
    'refused',
    () =>
      `${HEAD}macros:\n  m0: {params: [a], steps: [{api: {post: /v1/x, body: $a}}]}\n${repeated(7, (i) => `  m${i + 1}: {params: [a], steps: [{do: {macro: m${i}, with: {a: [${Array(100).fill('$a').join(',')}]}}}]}\n`)}steps: [{do: {macro: m7, with: {a: [1, 2]}}}]\n`,
    /values/,
  ),
  text(
    'steps that are handed over as a parameter',
    'steps after substitution',
    'refused',
    () =>
      `${HEAD}macros: {m: {params: [s], steps: [${'{together: $s}, '.repeat(150)}]}}\nsteps: [{do: {macro: m, with: {s: [${'{wait: 1s}, '.repeat(150)}]}}}]\n`,
    /steps/,
  ),
  text(
    'a parameter of 5,000 values in 9,000 steps',
    'values after substitution',
    'refused',
    () =>
      `params: {big: [${'1,'.repeat(5_000)}1]}\n${HEAD}steps:\n${'  - api: {post: /v1/x, body: {a: $big}}\n'.repeat(9_000)}`,
    /values/,
  ),
  text(
    '200,000 references handed to a macro',
    'each gets a name',
    'valid',
    () =>
      `${HEAD}macros: {m: {params: [l], steps: [{wait: 1s}]}}\nsteps:\n  - fall: {who: ana}\n    as: f\n  - do: {macro: m, with: {l: [${'$f,'.repeat(200_000)}$f]}}\n`,
  ),
  text(
    'a crowd of 300,000,000',
    'people are made one by one',
    'refused',
    () => `${HEAD}crowd:\n${repeated(30_000, (i) => `  c${i}: {count: 10000, in: A}\n`)}${ONE_STEP}`,
    /people/,
  ),
  text(
    'a matrix of 60,000 names',
    'each run has all values',
    'valid',
    () => `${HEAD}matrix:\n${repeated(60_000, (i) => `  m${i}: [1]\n`)}${ONE_STEP}`,
  ),
  text(
    'a matrix of 60,000 names and 400 runs',
    'each run has all values',
    'refused',
    () =>
      `${HEAD}matrix:\n  runs: [${repeated(400, (i) => `${i},`)}]\n${repeated(60_000, (i) => `  m${i}: [1]\n`)}${ONE_STEP}`,
    /names/,
  ),
  text(
    '400 cases that lack 80,000 names',
    'each message lists them',
    'refused',
    () =>
      `${HEAD}cases:\n${repeated(400, (i) => `  - {n${i}: ${i}}\n`)}  - {${repeated(80_000, (i) => `k${i}: 1, `)}}\n${ONE_STEP}`,
  ),
  text(
    '9,000 misspelt workers among 6,000',
    'each is compared with all',
    'refused',
    () =>
      `${tiled(3)}workers:\n${repeated(6_000, (i) => `  worker${i}: {in: Z1}\n`)}steps:\n${repeated(9_000, (i) => `  - sos: {who: warker${i}}\n`)}`,
  ),
  text(
    '9,000 workers in a chain of neighbours among 6,000 zones',
    'each is placed among all zones',
    'valid',
    () =>
      `${tiled(6_000)}workers:\n  a0: {in: Z1}\n${repeated(8_999, (i) => `  a${i + 1}: {near: a${i}, distance: 5m}\n`)}${ONE_STEP}`,
  ),
  text(
    '9,000 vehicles with drivers',
    'each driver is looked up',
    'valid',
    () =>
      `${tiled(3)}workers:\n${repeated(9_000, (i) => `  w${i}: {in: Z1}\n`)}vehicles:\n${repeated(9_000, (i) => `  v${i}: {type: truck, driver: w${i}, in: Z1}\n`)}${ONE_STEP}`,
  ),
  text(
    'a pattern that multiplies itself',
    'patterns are compiled',
    'refused',
    () => `${HEAD}steps: [{expect: {alert: any, of: ana, title: '/${'('.repeat(12)}a${'{1,90})'.repeat(12)}/'}}]\n`,
  ),
];
