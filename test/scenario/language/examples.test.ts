/** Every scenario that the project shows is valid by the published schema; every word of the language is explained, documented and mutated. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { FIRST_RULES, FIRST_SCENARIO } from '../../../src/cli/scenarios/init.ts';
import { isMap, type JsonMap } from '../../../src/contract/schema.ts';
import { readYaml } from '../../../src/plant/yaml-source.ts';
import type { Condition } from '../../../src/scenario/language/condition.ts';
import { CONDITIONS } from '../../../src/scenario/language/conditions.ts';
import { editorSchema } from '../../../src/scenario/language/derive/editor-schema.ts';
import { entriesOf } from '../../../src/scenario/language/derive/reference.ts';
import { isSection } from '../../../src/scenario/language/sections.ts';
import type { Step } from '../../../src/scenario/language/step.ts';
import { STEPS } from '../../../src/scenario/language/steps.ts';
import { changesOf } from '../../../src/scenario/mutate/changes.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(editorSchema());

const errorsOf = (value: unknown): string[] => {
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

const yamlFiles = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml') && !name.includes('node_modules'))
    .map((name) => join(folder, name));

interface Shown {
  readonly name: string;
  readonly text: string;
}

/** The YAML of a page: a whole file, some of its sections, or entries of `steps`, `rules` or `when`. */
function shownIn(page: string): Shown[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```ya?ml\n([\s\S]*?)^```/gm)]
    .map((match) => ({
      name: `${page}:${text.slice(0, match.index).split('\n').length}`,
      text: match[1] as string,
    }))
    .filter((one) => !one.text.startsWith('# sandbox.config.yaml'));
}

/** Files of other kinds have none of the top-level keys of a scenario; the steps of a GitHub job have `uses`. */
const isOfLanguage = (value: unknown): boolean =>
  Array.isArray(value)
    ? !value.some((one) => isMap(one) && 'uses' in one)
    : isMap(value) && Object.keys(value).some(isSection);

/** The errors of the reading of it that fits best. */
function errorsOfShown(value: unknown): string[] {
  if (!Array.isArray(value)) return errorsOf(value);
  const readings = ['steps', 'rules', 'when'].map((section) => errorsOf({ [section]: value }));
  return readings.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

describe('the published schema takes', () => {
  const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => join('docs', name))].filter((name) =>
    name.endsWith('.md'),
  );
  const shown = pages
    .flatMap(shownIn)
    .map(({ name, text }) => ({ name, value: readYaml(text, name).value as unknown }));

  test('the examples of the pages, which are many', () => {
    const ofLanguage = shown.filter(({ value }) => isOfLanguage(value));
    expect(ofLanguage.length).toBeGreaterThan(130);
    expect(ofLanguage.map(({ name }) => name)).toEqual(expect.arrayContaining([expect.stringMatching(/explore\.md/)]));
    const wrong = ofLanguage.map(({ name, value }) => [name, ...errorsOfShown(value)]);
    expect(wrong.filter(([, ...errors]) => errors.length > 0)).toEqual([]);
  });

  test.each([...yamlFiles('scenarios'), ...yamlFiles('examples')])('%s', (name) => {
    expect(errorsOf(readYaml(readFileSync(join(ROOT, name), 'utf8'), name).value)).toEqual([]);
  });

  test('the first scenario and the first rules of "sandbox init"', () => {
    expect(errorsOf(readYaml(FIRST_SCENARIO, 'first.scenario.yaml').value)).toEqual([]);
    expect(errorsOf(readYaml(FIRST_RULES, 'first.explore.yaml').value)).toEqual([]);
  });
});

/** All that the files of a folder of declarations export. */
async function declaredIn(folder: 'steps' | 'conditions'): Promise<unknown[]> {
  const path = join(ROOT, 'src/scenario/language', folder);
  const modules = await Promise.all(
    readdirSync(path).map((name) => import(join(path, name)) as Promise<Readonly<Record<string, unknown>>>),
  );
  return modules.flatMap((module) => Object.values(module));
}

const isDeclaration = (value: unknown): value is Step | Condition =>
  isMap(value) && 'word' in value && 'mutation' in value && 'read' in value;

describe('each declared word', () => {
  test.each(['steps', 'conditions'] as const)('of %s is part of the language', async (folder) => {
    const known: ReadonlyMap<string, unknown> = folder === 'steps' ? STEPS : CONDITIONS;
    const declared = (await declaredIn(folder)).filter(isDeclaration);
    expect(declared.length).toBeGreaterThan(10);
    expect(declared.filter((one) => known.get(one.word) !== one).map(({ word }) => word)).toEqual([]);
  });

  test.each([...STEPS.keys(), ...CONDITIONS.keys()])('%s is explained, and is on the page of the language', (word) => {
    const page = readFileSync(join(ROOT, 'docs/scenario-reference.md'), 'utf8');
    expect(entriesOf(word)).not.toEqual([]);
    // A step that is an action is described on the page of the actions.
    expect(page.includes(`\n### ${word}\n`) || page.includes(`| [\`${word}\`](actions.md#`)).toBe(true);
  });

  test.each([...STEPS.values()])('$word has a mutation, or the reason why it has none', (step) => {
    const { word, example, mutation, value: field } = step;
    const value = readYaml(`${word}: ${example}`, 'example').value as JsonMap;
    const source = {
      file: 'x',
      value: { steps: [{ ...value, ...(mutation.kind === 'inverted' ? { for: '1m' } : {}) }] },
      bound: {},
      placeOf: () => ({ file: 'x', line: 1 }),
    };
    const names = { people: ['ana', 'luis'], receivers: ['erp'], companies: ['customer'], sites: [], zones: ['Dock'] };
    const { changes } = changesOf(source, names);
    if (mutation.kind === 'none') expect([changes, mutation.why]).toEqual([[], expect.stringMatching(/.{10}\.$/)]);
    else if (mutation.kind === 'left-out' && mutation.unless?.(value[word] as JsonMap))
      expect(changes.map(({ detail }) => detail)).toEqual([expect.stringMatching(`^${mutation.judged}\\.`)]);
    else expect(changes.length).toBeGreaterThan(0);
    // Inner steps are mutated where the value has some.
    const kinds = [field.kind, ...Object.values(field.fields ?? {}).map(({ kind }) => kind)];
    expect(kinds.includes('steps')).toBe(mutation.kind === 'inner');
  });
});
