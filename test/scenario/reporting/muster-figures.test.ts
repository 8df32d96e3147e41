/** A run emits the figures of its musters as the banner shows them, once per change. */
import { expect, test } from 'vitest';
import type { Muster } from '../../../src/contract/resources.ts';
import { MusterFigures } from '../../../src/scenario/log/muster-figures.ts';
import { plainWriter } from '../../../src/scenario/reporting/plain-writer.ts';

test('a muster is reported when its figures, kind or phase change, and not otherwise', () => {
  const lines: string[] = [];
  let atMs = 0;
  const figures = new MusterFigures(
    plainWriter((line) => lines.push(line)),
    () => atMs,
  );
  const totals = { expected: 9, safe: 0, help: 0, wrong_point: 0, pending: 8, no_signal: 0, not_worn: 1 };
  const muster = { id: 'm', site: { id: 's', name: 'Yard' }, kind: 'general', phase: 'evacuating', status: 'active' };
  const onMuster = (change: object) => figures.onMuster({ ...muster, totals, ...change } as unknown as Muster);
  onMuster({});
  atMs = 5_000;
  onMuster({ targets_revision: 2 });
  onMuster({ totals: { ...totals, safe: 5, pending: 3 } });
  atMs = 65_000;
  const closed = { ...totals, safe: 8, help: null, wrong_point: null, pending: null, no_signal: null, not_worn: null };
  onMuster({ status: 'completed', totals: closed });
  expect(lines).toEqual([
    '00:00:00.000 · Yard: general, evacuating   0 of 9 safe · 1 not worn · 8 not arrived\n',
    '00:00:05.000 · Yard: general, evacuating   5 of 9 safe · 1 not worn · 3 not arrived\n',
    '00:01:05.000 · Yard: general, completed   8 of 9 safe\n',
  ]);
});
