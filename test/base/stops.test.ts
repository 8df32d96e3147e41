/** What was started is stopped in reverse order, all of it, once; a start that fails leaves nothing standing. */
import { describe, expect, test } from 'vitest';
import { Stops, started } from '../../src/base/stops.ts';

function letters(fails: readonly string[] = []) {
  const log: string[] = [];
  const stops = new Stops();
  const begin = async (letter: string): Promise<string> => {
    await Promise.resolve();
    if (fails.includes(`start ${letter}`)) throw new Error(`${letter} does not start`);
    log.push(`start ${letter}`);
    stops.add(async () => {
      await Promise.resolve();
      log.push(`stop ${letter}`);
      if (fails.includes(`stop ${letter}`)) throw new Error(`${letter} does not stop`);
    });
    return letter;
  };
  const all = () => started(stops, async () => [await begin('a'), await begin('b'), await begin('c')]);
  return { log, stops, all };
}

describe('stops', () => {
  test('run in reverse order of the start, once', async () => {
    const { log, stops, all } = letters();
    expect(await all()).toEqual(['a', 'b', 'c']);
    await Promise.all([stops.stop(), stops.stop()]);
    await stops.stop();
    expect(log).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a']);
  });

  test('run when a later start fails, and the caller gets its error', async () => {
    const { log, all } = letters(['start c', 'stop b']);
    await expect(all()).rejects.toThrow('c does not start');
    expect(log).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  test('all run where two of them fail, and the first error is reported, to each caller', async () => {
    const { log, stops, all } = letters(['stop b', 'stop a']);
    await all();
    const [one, another] = [stops.stop(), stops.stop()];
    await expect(one).rejects.toThrow('b does not stop');
    await expect(another).rejects.toThrow('b does not stop');
    expect(log.slice(3)).toEqual(['stop c', 'stop b', 'stop a']);
  });

  test('hide none of the others when one throws at once', async () => {
    const { log, stops, all } = letters();
    await all();
    stops.add(() => {
      throw new Error('at once');
    });
    await expect(stops.stop()).rejects.toThrow('at once');
    expect(log.slice(3)).toEqual(['stop c', 'stop b', 'stop a']);
  });
});
