/** Does a fix hold? The bounds of a stored rate, and the plays that it demands. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { heldText, lowerBoundOf, playsFor, shownWith } from '../../../src/proving/explore/confidence.ts';
import { keep } from '../../../src/proving/explore/kept.ts';
import { missingPlant } from '../../../src/proving/explore/plant.ts';
import { GeneratedScenarioPlayer } from '../../../src/proving/explore/play.ts';
import { recheck } from '../../../src/proving/explore/recheck.ts';
import { recheckHtml, recheckJunit } from '../../../src/proving/explore/recheck-reports.ts';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { ownFolder } from '../../helpers/own-folder.ts';
import { unless } from '../../helpers/unless.ts';
import { isWhole, withoutWhole } from '../../helpers/whole.ts';
import { exploreText, HELD } from './inboxes.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

describe('the lower bound of a rate', () => {
  // Values of scipy.stats.beta.ppf(0.05, k, n - k + 1).
  test.each([
    [1, 10, 0.005116],
    [3, 10, 0.087264],
    [5, 10, 0.222441],
    [9, 10, 0.605837],
    [10, 10, 0.741134],
    [3, 3, 0.368403],
  ])('of %i in %i plays is that of Clopper and Pearson', (broke, of, bound) => {
    expect(lowerBoundOf({ broke, of })).toBeCloseTo(bound, 5);
  });

  test('demands as many plays as show such a failure with 98 %', () => {
    for (const [broke, of] of [
      [1, 10],
      [3, 10],
      [3, 3],
      [10, 10],
    ] as const) {
      const plays = playsFor({ broke, of });
      const bound = lowerBoundOf({ broke, of });
      expect(shownWith(bound, plays)).toBeGreaterThanOrEqual(0.98);
      expect(shownWith(bound, plays - 5)).toBeLessThan(0.98);
    }
    expect(playsFor({ broke: 3, of: 10 })).toBe(45);
    expect(heldText({ broke: 3, of: 10 }, 45)).toBe(
      '0 of 45; a failure as frequent as the lower bound of 3 in 10 (8.7 %) would have shown with 98.4 %',
    );
  });
});

const FLAKY = ['Flaky: it broke in 6 of 10 plays.'];

describe('a stored finding', () => {
  /** A stored scenario in which an alert is reopened, which the inbox with the bug ignores every third time, or each time. */
  function rechecked(
    name: string,
    bug: string,
    { remarks = [] as string[], lastMs = Number.POSITIVE_INFINITY, breaks = null as readonly boolean[] | null } = {},
  ) {
    const file = join(folder.path, `${name}.explore.yaml`);
    writeFileSync(file, exploreText('push', bug));
    const steps = [
      { sos: { who: 'ana' }, as: 'it' },
      { resolve: { alert: '$it', by: 'Desk' } },
      { reopen: { alert: '$it', by: 'Desk' } },
    ];
    const player = new GeneratedScenarioPlayer({ file, boot: bootStage, version: 'test' });
    const { text } = player.textOf({ plant: missingPlant({}), steps, seed: 1 }, { title: 'Found', remarks });
    keep({ path: join(folder.path, `${name}.found`, 'line-14-abc.scenario.yaml'), text });
    const parts = { file, out: undefined, boot: bootStage, version: 'test', lastMs, onProgress: () => {} };
    return breaks === null ? recheck(parts) : recheck(parts, playing(file, breaks));
  }

  /** Plays of which these break the rule, and all others hold. */
  const playing = (file: string, breaks: readonly boolean[]) => {
    let plays = 0;
    const rule = { file, line: 14, text: 'followed', why: 'it was not' };
    const play = async () => ({ ...HELD, broken: breaks[plays++ % breaks.length] === true ? rule : null });
    return { play, isOver: false, path: file, stop: async () => {} };
  };

  test('of a fixed system holds, with the confidence of its plays', async () => {
    const { rechecked: all, error } = await rechecked('fixed', '', { breaks: [false] });
    expect({ error, all }).toMatchObject({
      error: null,
      all: [{ result: 'held', rate: { broke: 0, of: 10 }, rule: null }],
    });
    expect(all[0]?.text).toMatch(/^0 of 10; a failure as frequent as the lower bound of 3 in 3 \(36\.8 %\)/);
    expect(recheckJunit('fixed.explore.yaml', 'test', { rechecked: all, error: null, wallMs: 0 })).toContain(
      'failures="0"',
    );
  });

  test('of a half-fixed system is broken, with its new rate', async () => {
    const end = await rechecked('half', '', { remarks: FLAKY, breaks: [false, false, true] });
    expect(end.rechecked).toMatchObject([{ stored: { broke: 6, of: 10 }, rate: { broke: 3, of: 10 } }]);
    expect(end.rechecked[0]?.text).toMatch(/^3 of 10, stored with 6 of 10; .*half\.explore\.yaml:14 {2}it was not$/);
    expect(recheckJunit('half.explore.yaml', 'test', end)).toContain('<failure type="broken"');
    expect(recheckHtml('half.explore.yaml', 'test', end)).toContain('1 broken');
  });

  // A failure that breaks each of 10 times demands 5 plays, one of 3 times demands 10.
  test('is played in a right inbox, and holds', async () => {
    const remarks = isWhole ? [] : ['Flaky: it broke in 10 of 10 plays.'];
    const { rechecked: all, error } = await rechecked('right', '', { remarks });
    const rate = { broke: 0, of: isWhole ? 10 : 5 };
    expect({ error, all }).toMatchObject({ error: null, all: [{ result: 'held', rate, rule: null, slow: [] }] });
  });

  unless(withoutWhole).test('is played in an inbox that ignores it at times, and breaks', async () => {
    const end = await rechecked('at-times', 'at-times', { remarks: FLAKY });
    const [one] = end.rechecked;
    expect(one).toMatchObject({ result: 'broken', stored: { broke: 6, of: 10 }, rate: { of: 10 } });
    expect(one?.text).toMatch(/^[2-5] of 10, stored with 6 of 10; .*at-times\.explore\.yaml:\d+ /);
  });

  test('for which no time was left is not judged', async () => {
    const { rechecked: all } = await rechecked('late', '', { lastMs: 0 });
    expect(all).toMatchObject([{ result: 'not_judged', rate: { of: 0 } }]);
  });
});

test('a file without stored findings is a wrong use', async () => {
  const file = join(folder.path, 'none.explore.yaml');
  writeFileSync(file, exploreText('push'));
  const end = await recheck({ file, out: undefined, boot: bootStage, version: 'test', onProgress: () => {} });
  expect(end.error).toMatchObject({ exitCode: 2, code: 'nothing_stored' });
});
