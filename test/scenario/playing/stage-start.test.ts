/** Parts start in the order of their list and stop in reverse; a failing start leaves nothing standing. */
import { describe, expect, test } from 'vitest';
import { type AnyPart, partOf, startParts } from '../../../src/scenario/playing/stage-start.ts';

interface Letters {
  given: string;
  a: string;
  b: string;
  c: string;
}

const part = partOf<Letters>();

function letters(fails: { start?: keyof Letters; stop?: keyof Letters } = {}) {
  const log: string[] = [];
  const made = (name: 'a' | 'b' | 'c', needs: (keyof Letters)[]): AnyPart<Letters> =>
    part({
      name,
      needs,
      start: async (parts) => {
        await Promise.resolve();
        if (fails.start === name) throw new Error(`${name} does not start`);
        log.push(`start ${name}`);
        return needs.map((need) => parts[need]).join('') + name;
      },
      stop: async (started) => {
        await Promise.resolve();
        log.push(`stop ${started}`);
        if (fails.stop === name) throw new Error(`${name} does not stop`);
      },
    });
  return { log, list: [made('a', ['given']), made('b', ['a']), made('c', ['a', 'b'])] };
}

describe('parts', () => {
  test('are started in order, each from those before it, and stopped in reverse, once', async () => {
    const { log, list } = letters();
    const { parts, stop } = await startParts(list, { given: '_' });
    expect(parts).toEqual({ given: '_', a: '_a', b: '_ab', c: '_a_abc' });
    await Promise.all([stop(), stop()]);
    expect(log).toEqual(['start a', 'start b', 'start c', 'stop _a_abc', 'stop _ab', 'stop _a']);
  });

  test('parts that have started are stopped when a later one fails, and the caller gets its error', async () => {
    const { log, list } = letters({ start: 'c', stop: 'b' });
    await expect(startParts(list, { given: '_' })).rejects.toThrow('c does not start');
    expect(log).toEqual(['start a', 'start b', 'stop _ab', 'stop _a']);
  });

  test('are all stopped where one of them fails to, and then the error is reported', async () => {
    const { log, list } = letters({ stop: 'b' });
    const { stop } = await startParts(list, { given: '_' });
    await expect(stop()).rejects.toThrow('b does not stop');
    expect(log.slice(3)).toEqual(['stop _a_abc', 'stop _ab', 'stop _a']);
  });

  test('in an order that leaves out what one needs are a mistake that is named', async () => {
    const { list } = letters();
    await expect(startParts([...list].reverse(), { given: '_' })).rejects.toThrow('c needs a, which comes later');
  });
});
