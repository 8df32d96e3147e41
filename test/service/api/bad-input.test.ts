/** All 98 rows of bad input over a real socket: one form of error, one code each, and no change. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BODIES } from './bad-input/bodies.ts';
import { FRAMES } from './bad-input/frames.ts';
import { Stage } from './bad-input/stage.ts';
import { TOKEN_ENDPOINT } from './bad-input/token-endpoint.ts';
import { TOKENS } from './bad-input/tokens.ts';
import { VALUES } from './bad-input/values.ts';

const ROWS = [...BODIES, ...TOKENS, ...VALUES, ...FRAMES, ...TOKEN_ENDPOINT];

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

test('the table has a row for each of the 86 requests and the 12 token requests', () => {
  const numbers = Array.from({ length: 86 }, (_, n) => String(n + 1));
  const tokens = Array.from({ length: 12 }, (_, n) => `T${n + 1}`);
  expect(ROWS.map(({ row }) => row)).toEqual([...numbers, ...tokens]);
});

for (const { row, says, play } of ROWS) test(`${row}: ${says}`, () => play(stage));
