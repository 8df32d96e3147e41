/** Help texts in a narrow terminal. */
import { expect, test } from 'vitest';
import { fitted } from '../../src/cli/fitted.ts';

const TEXT = `Boots a sandbox and runs a command beside it,
and returns what the command returns.

Examples:
  sandbox exec -- npm test             your tests
  sandbox exec --seed 7 -- pytest -x   the same world and the same secrets every time
  sandbox exec --data-dir kept --forward receiver.example=http://127.0.0.1:3000
  names   people, zones, points, sites and clients of it

Short.`;

test('paragraphs are filled, long comments go below their example, and a command stays one line', () => {
  expect(fitted(TEXT, 60)).toBe(`Boots a sandbox and runs a command beside it,
and returns what the command returns.

Examples:
  sandbox exec -- npm test             your tests
  sandbox exec --seed 7 -- pytest -x
      the same world and the same secrets every time
  sandbox exec --data-dir kept --forward receiver.example=http://127.0.0.1:3000
  names   people, zones, points, sites and clients of it

Short.`);
  const narrow = fitted(TEXT, 40).split('\n');
  expect(narrow.slice(0, 3)).toEqual([
    'Boots a sandbox and runs a command',
    'beside it, and returns what the command',
    'returns.',
  ]);
  expect(narrow).toContain('  names   people, zones, points, sites');
  expect(narrow).toContain('          and clients of it');
});

test('a text that fits is unchanged', () => {
  expect(fitted(TEXT, 200)).toBe(TEXT);
});

test('the lines of a second column are filled together', () => {
  const table = '  --truth    real positions of all workers,\n             at any time\n  --json     one object';
  expect(fitted(table, 34)).toBe(
    '  --truth    real positions of all\n             workers, at any time\n  --json     one object',
  );
  expect(fitted(table, 80)).toBe(table);
});
