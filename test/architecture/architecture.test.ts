/** docs/internal/architecture.md says what is: its paths exist, its folders are all, and "Where to add" lists what the compiler asks for. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { folderOf, LAYERS, moduleOf, ROOMS } from '../rooms.ts';
import { ADDITIONS, type Addition, compileAdditions } from './additions.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/internal/architecture.md'), 'utf8');
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|test|scenarios|bench)\/[\w./-]*)`/g)].map(([, path]) => path as string);

test('every path of the page exists', () => {
  const paths = pathsIn(page);
  expect(paths.length).toBeGreaterThan(80);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('every room and every module of src is in its table', () => {
  const listed = [...page.matchAll(/^\| `src\/(?:\w+\/)?(\w+)\/` \| (\d)/gm)].map(
    ([, module, layer]) => `${module} ${layer}`,
  );
  expect(listed.sort()).toEqual(
    Object.entries(LAYERS)
      .map(([module, layer]) => `${module} ${layer}`)
      .sort(),
  );
  const rooms = [...page.matchAll(/^\| `src\/(\w+)\/` \| [^\d|]/gm)].map(([, room]) => room);
  expect(rooms.sort()).toEqual(Object.keys(ROOMS).sort());
});

test('every folder inside a module is in the table of folders', () => {
  const folders = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(join(ROOT, 'src'), join(entry.parentPath, entry.name)))
    .filter((path) => !(path in ROOMS) && path !== folderOf(moduleOf(path)))
    .map((path) => `src/${path}/`);
  const listed = [...page.matchAll(/^\| `(src\/\w+\/[\w/-]+\/)` \| (?!\d)/gm)].map(([, folder]) => folder);
  expect(listed).toEqual(folders.sort());
});

const placesOf = ({ edits, adds }: Addition): string[] => [
  ...edits.map(({ file }) => file),
  ...(adds === undefined ? [] : [adds.file]),
];

unless(withoutWhole).test('the compiler asks for what the table of additions says, and for nothing else', () => {
  const rows = new Map(
    [...page.matchAll(/^\| (an? [\w ]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, what, begin, asks]) => [
      what as string,
      { begin: pathsIn(begin as string), asks: pathsIn(asks as string).sort() },
    ]),
  );
  const errors = compileAdditions().map((line) => ({ line, file: line.slice(0, line.indexOf(':')) }));
  // A few errors name no addition: each is of a file in which one begins, or which its row lists.
  const unnamed = errors.filter(({ line }) => !ADDITIONS.some(({ name }) => line.includes(name)));
  const expected = new Set([...ADDITIONS.flatMap(placesOf), ...[...rows.values()].flatMap(({ asks }) => asks)]);
  expect(unnamed.filter(({ file }) => !expected.has(file))).toEqual([]);
  for (const addition of ADDITIONS) {
    const { what, name, edits, adds } = addition;
    const begin = [
      ...new Set(edits.map(({ file }) => file)),
      ...(adds === undefined ? [] : [`${dirname(adds.file)}/`]),
    ];
    const named = errors.filter(({ line }) => line.includes(name)).map(({ file }) => file);
    const listed = unnamed.map(({ file }) => file).filter((file) => rows.get(what)?.asks.includes(file));
    // What the beginning itself still lacks is plain from the file that is open.
    const files = new Set([...named, ...listed]);
    const asks = [...files].filter((file) => !placesOf(addition).includes(file)).sort();
    expect({ what, begin, asks }).toEqual({ what, ...rows.get(what) });
  }
});
