/** The shared lines of `sandbox certify`. */
import { afterEach, expect, test, vi } from 'vitest';
import { OutcomePrinter } from '../../src/cli/certify/lines.ts';
import type { CheckOutcome } from '../../src/proving/certify/certify.ts';

afterEach(() => vi.restoreAllMocks());

const outcome = (number: number, result: CheckOutcome['result'], got = ''): CheckOutcome =>
  ({ check: { number, group: 'forged', title: `Title ${number}` }, result, got }) as unknown as CheckOutcome;

test('shared lines name each check once, and no check between two names is left out', () => {
  const written: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const printer = new OutcomePrinter();
  const why = 'check 16 has to pass before';
  const outcomes = [
    ...[1, 2, 3, 52, 51].map((number) => outcome(number, 'passed')),
    outcome(16, 'failed'),
    ...[17, 18, 20, 21, 22].map((number) => outcome(number, 'not_judged', why)),
    outcome(24, 'not_judged', 'it needs a URL'),
  ];
  for (const one of outcomes) printer.take(one);
  printer.end();
  expect(written.join('')).toContain(`  ✓ 1 to 3, 51, 52   ✗ 16 Title 16   ∘ 17, 18, 20 to 22 not judged: ${why}\n`);
  expect(written.join('')).toContain('  ∘ 24 not judged: it needs a URL\n');
});
