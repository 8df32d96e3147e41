/** docs/architecture.md says what is: its paths exist, and "Where to add" lists what the compiler asks for. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ADDITIONS, compileAdditions } from './additions.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|test|scenarios|bench)\/[\w./-]*)`/g)].map(([, path]) => path as string);

test('every path of the page exists', () => {
  const paths = pathsIn(page);
  expect(paths.length).toBeGreaterThan(80);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('every room of src is in the table of floors', () => {
  const floors = readFileSync(join(ROOT, 'test/house.test.ts'), 'utf8').match(/const FLOORS[^}]*\}/)?.[0] ?? '';
  const rooms = [...floors.matchAll(/^ {2}(\w+): (\d)/gm)].map(([, room, floor]) => `${room} ${floor}`);
  const listed = [...page.matchAll(/^\| `src\/(\w+)\/` \| (\d)/gm)].map(([, room, floor]) => `${room} ${floor}`);
  expect(listed.sort()).toEqual(rooms.sort());
});

test('where to add: the compiler asks for what the table says, and for nothing else', () => {
  const rows = new Map(
    [...page.matchAll(/^\| (an? [\w ]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, what, begin, asks]) => [
      what as string,
      { begin: pathsIn(begin as string), asks: pathsIn(asks as string) },
    ]),
  );
  const asked = compileAdditions();
  for (const { what, edits, adds } of ADDITIONS) {
    const places = [...edits.map(({ file }) => file), ...(adds === undefined ? [] : [adds.file])];
    const begin = [
      ...new Set(edits.map(({ file }) => file)),
      ...(adds === undefined ? [] : [`${dirname(adds.file)}/`]),
    ];
    const files = [...new Set((asked.get(what) ?? []).map((line) => line.slice(0, line.indexOf(':'))))];
    // What the beginning itself still lacks is plain from the file that is open.
    const asks = files.filter((file) => !places.includes(file)).sort();
    expect({ what, begin, asks }).toEqual({ what, ...rows.get(what) });
  }
});
