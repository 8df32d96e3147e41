/** Progress on a terminal, comparison of logs, and other orders of ties. */
import { describe, expect, test } from 'vitest';
import { LANE } from '../../../src/base/time/clock.ts';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import { annotation } from '../../../src/cli/run/github.ts';
import { firstDifference } from '../../../src/scenario/log/first-difference.ts';
import type { RunNotice } from '../../../src/scenario/log/run-notices.ts';
import { liveWriter } from '../../../src/scenario/reporting/live-writer.ts';

const BEGAN: RunNotice = {
  kind: 'run-began',
  scenario: 'A drill',
  file: 'scenarios/drill.scenario.yaml',
  values: null,
  mode: 'fast',
  speed: 1,
  seed: '7',
  steps: 4,
};
const step = (atMs: number, text: string): RunNotice => ({ kind: 'step-began', line: 1, atMs, text, judged: false });

describe('on a terminal', () => {
  /** The screen content after all writes. */
  function screenOf(written: string): string[] {
    const lines: string[] = [''];
    for (const part of written.split(/(\x1b\[\d+A\x1b\[J|\n)/)) {
      const [, up] = /\x1b\[(\d+)A/.exec(part) ?? [];
      if (up !== undefined) lines.splice(lines.length - 1 - Number(up));
      if (up !== undefined || part === '\n') lines.push('');
      else lines[lines.length - 1] += part;
    }
    return lines.filter((line) => line !== '');
  }

  const draw = (notices: readonly RunNotice[], columns = 100) => {
    let written = '';
    const write = (text: string) => {
      written += text;
    };
    let ms = 0;
    const monotonic = () => {
      ms += 1_000;
      return ms;
    };
    const sink = liveWriter({
      write,
      erase: (lines) => write(`\x1b[${lines}A\x1b[J`),
      paint: (_code, text) => text,
      columns: () => columns,
      monotonic,
    });
    for (const notice of notices) sink(notice);
    return screenOf(written);
  };

  test('what happened stays, and a block below says where the run stands', () => {
    const screen = draw([
      BEGAN,
      step(0, 'sos ana'),
      { kind: 'expectation-passed', line: 2, atMs: 62_000, waitedMs: 0, text: 'expect alert sos' },
      step(62_000, 'wait 1m'),
    ]);
    expect(screen).toEqual([
      'scenarios/drill.scenario.yaml  A drill  (fast, seed 7)',
      '00:00:00.000   sos ana',
      '00:01:02.000 ✓ expect alert sos',
      '00:01:02.000   wait 1m',
      ` drill  ${'█'.repeat(12)}${'░'.repeat(12)}  T+00:01:02.000  fast  seed 7`,
      ' ✓ 1  ✗ 0   wait 1m',
    ]);
  });

  test('the block says how far a run is behind its pace', () => {
    const screen = draw([BEGAN, { kind: 'behind', atMs: 0, behindMs: 1_234 }, step(0, 'sos ana')]);
    expect(screen.at(-2)).toMatch(/fast, 1\.2 s behind {2}seed 7$/);
  });

  test('the block goes when the run is over, and never is wider than the terminal', () => {
    const ended: RunNotice = {
      kind: 'run-ended',
      verdict: 'passed',
      passed: 1,
      failed: 0,
      skipped: 0,
      atMs: 1_000,
      wallMs: 100,
      lagMs: 0,
      logSha256: null,
      deliveries: { delivered: 2, retried: 1, lost: 0, failing: 1 },
      error: null,
      reason: null,
    };
    const screen = draw([BEGAN, step(0, 'sos ana'), ended]);
    expect(screen.slice(-3)).toEqual([
      'deliveries  2 ok, 1 of them retried, 0 lost, 1 still failing',
      'passed  1s simulated in 0.1 s',
      '1 passed, 0 failed',
    ]);
    const narrow = draw([BEGAN, step(0, 'x'.repeat(200))], 40).slice(-2);
    expect(narrow.every((line) => line.length < 40)).toBe(true);
  });
});

describe('two logs', () => {
  const line = (n: number, status: string) =>
    `${JSON.stringify({ n, k: 'alert', t: 62_000, d: { object: { id: 'a', status } } })}\n`;

  test('equal logs have no difference', () => {
    expect(firstDifference([line(0, 'open')], [line(0, 'open')])).toBeNull();
  });

  test('differ first in a record, at a time, in a field', () => {
    const reported = firstDifference(
      [line(0, 'open'), line(1, 'open'), line(2, 'x')],
      [line(0, 'open'), line(1, 'resolved'), line(2, 'y')],
    );
    expect(reported).toMatch(
      /^record 2 \(alert, at 00:01:02.000\) differs in d\.object\.status:\n {2}first {3}.*"open".*\n {2}second {2}.*"resolved"/,
    );
  });

  test('of which one ends before', () => {
    expect(firstDifference([line(0, 'open')], [])).toContain('second  (the log ends before)');
    expect(firstDifference([], [line(0, 'open')])).toContain('record 1');
  });
});

describe('ties', () => {
  async function order(shuffleTies?: string): Promise<string[]> {
    const clock = lockstepClock({ start: 0, shuffleTies });
    const played: string[] = [];
    for (const actor of ['ana', 'ben', 'caro', 'dani', 'eva'])
      for (const turn of [1, 2])
        clock.at(1_000, { lane: LANE.event, actor }, () => void played.push(`${actor}${turn}`));
    clock.at(1_000, { lane: LANE.step, actor: 'z' }, () => void played.push('step'));
    await clock.advance(1_000);
    clock.stop();
    return played;
  }

  test('are played by the actors’ names, or in another order that follows from a text; lanes and each actor’s own order stay', async () => {
    const [plain, one, again, other] = [await order(), await order('1'), await order('1'), await order('2')];
    expect(plain).toEqual(['step', 'ana1', 'ana2', 'ben1', 'ben2', 'caro1', 'caro2', 'dani1', 'dani2', 'eva1', 'eva2']);
    expect(one).toEqual(again);
    expect(new Set([plain, one, other].map(String)).size).toBe(3);
    for (const shuffled of [one, other]) {
      expect(shuffled[0]).toBe('step');
      expect(shuffled.toSorted()).toEqual(plain.toSorted());
      for (const actor of ['ana', 'eva'])
        expect(shuffled.indexOf(`${actor}1`)).toBeLessThan(shuffled.indexOf(`${actor}2`));
    }
  });
});

test('an annotation for GitHub escapes what would end it', () => {
  const place = { file: 'x,y.yaml', line: 3, column: 7 };
  expect(annotation('error', { title: 'a:b, 100%', text: 'FAIL a:b\n  path  got\n' }, place)).toBe(
    '::error file=x%2Cy.yaml,line=3,col=7,title=a%3Ab%2C 100%25::FAIL a:b%0A  path  got%0A',
  );
});
