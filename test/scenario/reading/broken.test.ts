/** Golden file of all messages about invalid files, since messages are a feature. `GOLDEN=write` renews it; review the diff. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { mistakesTextOf } from '../small-stage.ts';

const FILE = new URL('./broken.golden.txt', import.meta.url).pathname;

interface Broken {
  readonly name: string;
  readonly text: string;
  readonly reported: string;
}

const blocks = readFileSync(FILE, 'utf8')
  .split(/^=== /m)
  .slice(1)
  .map((block): Broken => {
    const [name = '', ...lines] = block.split('\n');
    const end = lines.indexOf('---');
    return {
      name,
      text: lines.slice(0, end).join('\n'),
      reported: lines
        .slice(end + 1)
        .join('\n')
        .trim(),
    };
  });

afterAll(() => {
  if (process.env['GOLDEN'] !== 'write') return;
  const renewed = blocks.map(({ name, text }) => `=== ${name}\n${text}\n---\n${mistakesTextOf(text)}\n`);
  writeFileSync(FILE, renewed.join('\n'));
});

describe('a file with', () => {
  test.each(blocks)('$name is told so', ({ text, reported }) => {
    if (process.env['GOLDEN'] !== 'write') expect(mistakesTextOf(text)).toBe(reported);
    expect(mistakesTextOf(text)).not.toBe('');
  });
});

test('there are messages for at least forty broken files', () => {
  expect(blocks.length).toBeGreaterThanOrEqual(40);
});
