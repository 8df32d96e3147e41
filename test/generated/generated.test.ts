/** Every generated file is as its sources make it now. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { GENERATED_FILES } from './files.ts';

test.each(Object.keys(GENERATED_FILES))('%s', async (path) => {
  const written = readFileSync(resolve(import.meta.dirname, '../..', path), 'utf8');
  // Compared as a whole, because a difference of a long file says nothing: the command renews it.
  const isRenewed = written === (await GENERATED_FILES[path]!());
  expect(isRenewed, 'node --import tsx test/generated/write.ts renews it').toBe(true);
});
