/** The thresholds of a service: defaults as decided, and every one survives being written to a file and read again. */
import { describe, expect, test } from 'vitest';
import { check } from '../../src/contract/check.ts';
import { DEFAULT_THRESHOLDS, ServiceSection, serviceOf, serviceSection } from '../../src/plant/thresholds.ts';

const { heat: HEAT, ...PLAIN } = DEFAULT_THRESHOLDS;

test('the defaults are those of the decisions', () => {
  expect(serviceSection(DEFAULT_THRESHOLDS)).toEqual({
    fall_prompt: '30s',
    no_signal_after: '1m30s',
    offline_after: '10m',
    position_every: '10s',
    alarm_every: '5s',
    low_battery_pct: 20,
    low_battery_clear_pct: 25,
    missing_after: '15m',
    heat: { index_c: 41, sun_index_c: 32, sun: '1h', window: '1h30m', again_after: '1h' },
  });
});

describe('written and read again', () => {
  test.each(Object.entries(PLAIN))('%s is the same', (name, value) => {
    const changed = { [name]: value + (name.endsWith('Ms') ? 1_000 : 1) };
    const section = serviceSection(changed);
    expect(check(ServiceSection, section).ok).toBe(true);
    expect(serviceOf(section)).toEqual(changed);
  });

  test.each(Object.entries(HEAT))('%s of heat is the same', (name, value) => {
    const changed = { heat: { [name]: value + (name.endsWith('Ms') ? 1_000 : 1) } };
    const section = serviceSection(changed);
    expect(check(ServiceSection, section).ok).toBe(true);
    expect(serviceOf(section)).toEqual(changed);
  });

  test('what a file leaves out is left out', () => {
    expect(serviceSection({})).toEqual({});
    expect(serviceOf({})).toEqual({});
  });
});
