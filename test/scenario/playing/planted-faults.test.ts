/** The situations that ship: each fails when the fault that it is about is planted in its text. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { runFile } from '../../../src/scenario/playing/run-file.ts';
import { unless } from '../../helpers/unless.ts';
import { sampled } from '../../helpers/whole.ts';
import { SCENARIOS } from '../coverage.ts';

interface PlantedFault {
  readonly situation: string;
  readonly what: string;
  /** Occurs once in the text of the situation. */
  readonly from: string;
  readonly to: string;
}

const fault = (situation: string, what: string, from: string, to: string): PlantedFault => ({
  situation,
  what,
  from,
  to,
});

/** A step left out: `mark` has no effect, so the lines of the others stay. */
const LEFT_OUT = '- mark: ';

const FAULTS: readonly PlantedFault[] = [
  fault('heat-across-a-clock-jump', 'the jump ends too early', 'advance: 20m', 'advance: 5m'),
  fault('shift-change', 'a visitor does not arrive', 'who: visitors, to', 'who: 3 of visitors, to'),
  fault('shift-change', 'the watch is not handed over', '- device: {who: night, swap_to: SIM-day}', `${LEFT_OUT}none`),
  fault('resolved-in-the-wrong-order', 'the SOS is resolved first', 'resolve: {alert: $fall', 'resolve: {alert: $sos'),
  fault('fall-behind-the-veil', 'the site is always visible', 'privacy_mode: on_demand', 'privacy_mode: continuous'),
  fault('fall-behind-the-veil', 'the worker is beside the zone', 'ana:  {in: Canteen}', 'ana:  {in: Dock}'),
  fault(
    'rotation-mid-retry',
    'the secret is not rotated',
    '- webhook: {rotate_secret: erp}\n  - expect',
    `${LEFT_OUT}none\n  - expect`,
  ),
  fault('rotation-mid-retry', 'the outage is over before the rotation', 'for: 1m', 'for: 1s'),
  fault('contractor-in-an-earthquake', 'the client sees all contractors', 'contractors: [Norte SL]', 'scopes: all'),
  fault('shelter-downwind', 'the wind blows the other way', 'from_deg: 270', 'from_deg: 90'),
  fault('shelter-downwind', 'the worker is too low', 'height_m: 15', 'height_m: 2'),
  fault('battery-dies-in-an-sos', 'the battery lasts', 'drain: 90', 'drain: 1'),
  fault(
    'battery-dies-in-an-sos',
    'nobody charges the watch',
    '- battery: {who: ana, pct: 80, drain: 0}',
    `${LEFT_OUT}none`,
  ),
  fault('twice-and-out-of-order', 'no delivery comes twice', 'duplicate: 2', 'duplicate: 1'),
  fault('twice-and-out-of-order', 'no delivery is held', 'hold: 5m', 'hold: 1s'),
  fault(
    'permit-expires-out-of-coverage',
    'the watch has coverage',
    '- signal: {who: luis, is: lost}',
    `${LEFT_OUT}none`,
  ),
  fault(
    'permit-expires-out-of-coverage',
    'the wrong worker is out of coverage',
    'who: luis, is: lost',
    'who: ana, is: lost',
  ),
  fault('storm-of-429', 'the limit is above the storm', 'requests_per_minute: 5}', 'requests_per_minute: 600}'),
  fault('storm-of-429', 'the client does not wait', 'after: 61s', 'after: 1s'),
];

const fileOf = (situation: string): string => resolve(SCENARIOS, `${situation}.scenario.yaml`);

describe('the situation', () => {
  for (const {
    row: { situation, what, from, to },
    skip,
  } of sampled(FAULTS, FAULTS.length))
    unless(skip).test(`'${situation}' fails where ${what}`, async () => {
      const file = fileOf(situation);
      const text = readFileSync(file, 'utf8').replace(from, to);
      const read = (path: string): string => (path === file ? text : readFileSync(path, 'utf8'));
      const { verdict, error, mistakes } = await runFile(file, { mode: 'fast', boot: bootStage, sink: () => {}, read });
      expect({ verdict, error, mistakes }).toEqual({ verdict: 'failed', error: null, mistakes: null });
    });

  test('files have the place of each fault once', () => {
    const misplaced = FAULTS.filter(
      ({ situation, from }) => readFileSync(fileOf(situation), 'utf8').split(from).length !== 2,
    );
    expect(misplaced.map(({ situation, from }) => `${situation}: ${from}`)).toEqual([]);
  });
});
