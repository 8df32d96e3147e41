/** A part is checked by itself: what is wrong with it, and not what only a scenario has to have. [scenario-language, File] */

import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SECTION_NAMES, SECTION_OF } from '../../../src/scenario/language/sections.ts';
import { isPart, mistakesOfPart } from '../../../src/scenario/mend/checked-part.ts';
import { SCENARIOS } from '../coverage.ts';

const PART = `part: Small plant
site:
  name: Small plant
  origin: [43, -8]
  zones:
    Dock: {type: work_area, box: [0, 0, 90, 90]}
service: {fall_prompt: 30s}
`;

const mistakes = (text: string, others: Record<string, string> = {}) =>
  mistakesOfPart('plant.yaml', (path) => (path === 'plant.yaml' ? text : others[path])).map(
    ({ file, line, message }) => `${file}:${line} ${message.split('.')[0]}`,
  );

test('the plant that ships is sound', () => {
  expect(mistakesOfPart(resolve(SCENARIOS, 'sites/harbour.yaml'))).toEqual([]);
});

test.each([
  ['part: A plant\n', true],
  ['# a plant\npart : x\nsite: {}\n', true],
  ['scenario: A scenario\n', false],
  ['scenario: Both\npart: x\n', false],
  ['params: {part: 1}\n  part: 2\n', false],
  [undefined, false],
])('%j is a part: %s', (text, expected) => {
  expect(isPart(text)).toBe(expected);
});

describe('a part', () => {
  test.each<[string, string, string[]]>([
    ['without a mistake', PART, []],
    ['of macros alone', 'part: M\nmacros: {press: {params: [a], steps: [{sos: {who: $a}}]}}\n', []],
    ['of a contract alone', 'part: C\ncontract: {scopes: all}\n', []],
    ['with a wrong word', PART.replace('work_area', 'work_aera'), ['plant.yaml:6 "work_aera" is not a zone type']],
    ['with an unknown key', `${PART}nobody: 1\n`, ['plant.yaml:8 "nobody" is not a key of a part']],
    ['with a bare number', PART.replace('30s', '30'), ['plant.yaml:7 30 has no unit']],
  ])('%s', (_what, text, expected) => {
    expect(mistakes(text).map((one) => expected.find((start) => one.startsWith(start)) ?? one)).toEqual(expected);
  });

  test('tells the mistakes of what it uses, in that file', () => {
    const text = `use: [zones.yaml]\n${PART}`;
    const zones = 'part: Zones\nsite: {zones: {Pit: {type: forbiden, box: [0, 0, 9, 9]}}}\n';
    expect(mistakes(text, { 'zones.yaml': zones })).toEqual(['zones.yaml:2 "forbiden" is not a zone type']);
  });
});

describe('each key that a file with a plant may have is no mistake of the file:', () => {
  // Each has a test of its own with other files, or is the plant of this one.
  const others = ['part', 'explore', 'use', 'site', 'sites', 'service'];
  const rest = `workers: {ana: {in: Dock}, luis: {in: Dock}}\nreceivers: {erp: {}}\n`;
  for (const form of ['part', 'explore'] as const)
    test.each(
      SECTION_NAMES.filter((name) => SECTION_OF[name].forms.includes(form) && !others.includes(name)),
    )(`${form} with %s`, (name) => {
      const system = form === 'explore' && name !== 'system' ? `${SECTION_OF.system.example}\n` : '';
      const own = ['workers', 'receivers', 'crew'].includes(name) ? '' : rest;
      const text = `${PART.replace('part', form)}${own}${system}${SECTION_OF[name].example}\n`;
      expect(mistakes(text).filter((one) => /is not a key|belongs in|needs "part"/.test(one))).toEqual([]);
    });
});
