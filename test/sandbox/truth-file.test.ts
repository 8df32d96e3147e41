/** The truth of a world that goes on is appended to, and nothing else is. [cli, up --truth] */
import { chmodSync, closeSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTruthFile, type TruthFileParts } from '../../src/sandbox/truth.ts';

const START = 1_791_180_000_000;
const LATER = START + 60_000;
const row = (at: string, serial = 'W-1') => `{"at":"${at}","serial":"${serial}","zone":"Muelle Ñandú"}\n`;
const FIRST = row('2026-10-05T06:00:00.000Z');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-truth-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const headerOf = (seed: string | null) =>
  `{"format":"muster-sandbox truth","version":"0.1.0","seed":${JSON.stringify(seed)},"started_at":"2026-10-05T06:00:00.000Z"}\n`;

/** What is in the file after one more line. */
function appended(before: string | null, rest: Partial<TruthFileParts> = {}): string {
  const file = join(folder, 'truth.ndjson');
  rmSync(file, { force: true });
  if (before !== null) writeFileSync(file, before);
  const descriptor = openTruthFile({ file, seed: 'añil', now: LATER, continues: true, ...rest });
  writeSync(descriptor, 'NEXT\n');
  closeSync(descriptor);
  return readFileSync(file, 'utf8');
}

describe('a truth file', () => {
  const kept = `${headerOf('añil')}${FIRST}`;
  it.each([
    ['whole', kept],
    ['of thousands of lines', headerOf('añil') + FIRST.repeat(5_000)],
    ['of a header alone', headerOf('añil')],
  ])('a truth file that is %s is continued', (_, before) => {
    expect(appended(before)).toBe(`${before}NEXT\n`);
  });

  it('a truth file whose last line was cut by a kill loses that line only', () => {
    for (const torn of ['{"at":"2026-10-05T06:00:10.000Z","ser', '{', `${'é'.repeat(20)}`])
      expect(appended(kept + torn)).toBe(`${kept}NEXT\n`);
  });

  const fresh =
    /^\{"format":"muster-sandbox truth","version":"[^"]+","seed":"añil","started_at":"2026-10-05T06:01:00.000Z"\}\nNEXT\n$/;
  it.each([
    ['there is none', null],
    ['it is empty', ''],
    ['it is of another seed', headerOf('7') + FIRST],
    ['it is of a later time', headerOf('añil') + row('2026-10-05T06:01:00.001Z')],
    ['it is something else', 'Dear diary\n'],
    ['it is no JSON line at all', '\n\n\n'],
  ])('begins anew where %s', (_, before) => {
    expect(appended(before)).toMatch(fresh);
  });

  it.each([
    true,
    false,
  ])('is for its owner alone, also where it was there with another mode (continues: %s)', (continues) => {
    const file = join(folder, 'open.ndjson');
    writeFileSync(file, kept);
    chmodSync(file, 0o644);
    closeSync(openTruthFile({ file, seed: 'añil', now: LATER, continues }));
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  });

  it('begins anew with a world that does', () => {
    expect(appended(kept, { continues: false })).toMatch(fresh);
  });
});
