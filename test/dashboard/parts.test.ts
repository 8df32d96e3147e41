/** Parts of the dashboard start in order and stop in reverse. */
import { describe, expect, test } from 'vitest';
import { type DashboardPart, openParts } from '../../src/dashboard/parts.ts';

function parts(...broken: readonly string[]): { readonly log: string[]; readonly all: DashboardPart[] } {
  const log: string[] = [];
  const run = (what: string) => {
    log.push(what);
    if (broken.includes(what)) throw new Error(what);
  };
  const all = ['screen', 'frames', 'stream'].map((name) => ({
    name,
    start: () => run(`start ${name}`),
    stop: () => run(`stop ${name}`),
  }));
  return { log, all };
}

describe('parts', () => {
  test('stop in reverse, once', () => {
    const { log, all } = parts();
    const stop = openParts(all);
    stop();
    stop();
    expect(log).toEqual([
      ...['start screen', 'start frames', 'start stream'],
      ...['stop stream', 'stop frames', 'stop screen'],
    ]);
  });

  test('a start that throws stops those before it', () => {
    const { log, all } = parts('start stream');
    expect(() => openParts(all)).toThrow('start stream');
    expect(log.slice(3)).toEqual(['stop frames', 'stop screen']);
  });

  test('a stop that throws leaves none of the others running', () => {
    const { log, all } = parts('stop frames');
    expect(openParts(all)).toThrow("The dashboard's frames did not stop.");
    expect(log.at(-1)).toBe('stop screen');
    expect(openParts(parts('stop frames', 'stop screen').all)).toThrow(AggregateError);
  });
});
