/** Which tests `npm test -- WORD` and `npm run test:changed` take: each test belongs to something that can be named. */
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MODULES } from '../rooms.ts';
import { BELONGS, OTHER_FILES } from './modules.ts';
import { changedTests, globsOf, importsIn, isTest, matches, type ProjectFiles, testsOf } from './selection.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const filesUnder = (folder: string): string[] =>
  readdirSync(join(ROOT, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (name === 'node_modules' || /^test\/(?:judges|runners)$/.test(path)) return [];
    return statSync(join(ROOT, path)).isDirectory() ? filesUnder(path) : [path];
  });

const tests = filesUnder('test').filter(isTest);

describe('the table of modules', () => {
  test('has a row for each module of src', () => {
    expect(Object.keys(BELONGS).toSorted()).toEqual(MODULES.toSorted());
  });

  test('has each test at least once, but for those of the structure and of the tests themselves', () => {
    const globs = MODULES.flatMap(globsOf);
    const own = /^test\/(?:house[\w-]*\.test\.ts|reporting\/|selection\/)/;
    const without = tests.filter((path) => !own.test(path) && !globs.some((glob) => matches(path, glob)));
    expect(without).toEqual([]);
  });

  test('names only tests that exist', () => {
    const globs = [...Object.values(BELONGS), ...OTHER_FILES.map(([, some]) => some)].flat();
    expect(globs.filter((glob) => !tests.some((path) => matches(path, glob)))).toEqual([]);
    expect(OTHER_FILES.filter(([path]) => !filesOfRoot().some((file) => file.startsWith(path)))).toEqual([]);
  });
});

const filesOfRoot = (): string[] =>
  readdirSync(ROOT).map((name) => (statSync(join(ROOT, name)).isDirectory() ? `${name}/` : name));

const FILES: ProjectFiles = {
  tests: [
    'test/service/api/musters.test.ts',
    'test/proving/certify/checks/checks.test.ts',
    'test/proving/certify/watch/watches.test.ts',
    'test/service/domain/musters.test.ts',
    'test/product/certify.test.ts',
    'test/product/up.test.ts',
    'test/scenario/reporting/junit.test.ts',
  ],
  modules: ['api', 'certify', 'domain', 'scenario'],
  imports: new Map([
    ['src/service/domain/rules.ts', []],
    ['src/service/api/routes.ts', ['src/service/domain/rules.ts']],
    ['test/service/api/musters.test.ts', ['src/service/api/routes.ts', 'test/helpers/client.ts']],
    ['test/service/domain/musters.test.ts', ['src/service/domain/rules.ts']],
    ['test/helpers/client.ts', []],
    ['test/product/here.ts', ['src/service/api/routes.ts']],
    ['test/product/up.test.ts', ['test/product/here.ts', 'test/helpers/client.ts']],
  ]),
};

describe('behind npm test --', () => {
  const pick = (word: string): string[] => testsOf(word, FILES);

  test('a module is its folder and the product tests that belong to it', () => {
    expect(pick('certify')).toEqual([
      'test/proving/certify/checks/checks.test.ts',
      'test/proving/certify/watch/watches.test.ts',
      'test/product/certify.test.ts',
    ]);
  });

  test.each([
    ['product', ['test/product/certify.test.ts', 'test/product/up.test.ts']],
    ['test/scenario/reporting', ['test/scenario/reporting/junit.test.ts']],
    ['./test/service/api/', ['test/service/api/musters.test.ts']],
    ['test\\service\\api\\musters.test.ts', ['test/service/api/musters.test.ts']],
    ['musters', ['test/service/api/musters.test.ts', 'test/service/domain/musters.test.ts']],
    ['src/service/domain/rules.ts', ['test/service/domain/musters.test.ts']],
  ])('%s is a folder, a path, the name of a test, or a source with its module', (word, expected) => {
    expect(pick(word)).toEqual(expected);
  });

  test('an unknown word is refused with the nearest known one', () => {
    expect(() => pick('certfy')).toThrow(
      /^"certfy" is no module .*Did you mean "certify"\?\nModules and folders: api, /,
    );
    expect(() => pick('zzzzzz')).toThrow(/of tests\.\nModules/);
  });
});

describe('what has changed', () => {
  const pick = (...paths: string[]): readonly string[] => changedTests(paths, FILES).tests;

  test('is tested by all that imports it, and by the product tests of its module', () => {
    expect(pick('src/service/domain/rules.ts')).toEqual([
      'test/service/api/musters.test.ts',
      'test/service/domain/musters.test.ts',
    ]);
    expect(pick('src/proving/certify/certify.ts')).toEqual([
      'test/proving/certify/checks/checks.test.ts',
      'test/proving/certify/watch/watches.test.ts',
      'test/product/certify.test.ts',
    ]);
  });

  test('selects a product test by a change of a helper that it imports, and not by all sources that it loads', () => {
    expect(pick('test/helpers/client.ts')).toEqual(['test/service/api/musters.test.ts', 'test/product/up.test.ts']);
    expect(pick('src/service/api/routes.ts')).not.toContain('test/product/up.test.ts');
  });

  test('selects product tests for the launcher, everything for the packages, and names a file without tests', () => {
    expect(pick('bin/sandbox.js')).toEqual(['test/product/certify.test.ts', 'test/product/up.test.ts']);
    expect(pick('package.json')).toEqual(FILES.tests);
    expect(pick('test/scenario/reporting/plan.yaml')).toEqual(['test/scenario/reporting/junit.test.ts']);
    expect(changedTests(['LICENSE', 'src/service/api/routes.ts'], FILES)).toMatchObject({
      modules: ['api'],
      without: ['LICENSE'],
    });
  });

  test('imports are static, dynamic and re-exports', () => {
    const text =
      "import a from './a.ts';\nexport * from '../../b.ts';\nconst c = await import('./c/d.ts');\nimport 'x';";
    expect(importsIn('test/service/api/x.test.ts', text)).toEqual([
      'test/service/api/a.ts',
      'test/b.ts',
      'test/service/api/c/d.ts',
    ]);
  });
});
