/** Fields of an action that do not fit together are a mistake of the file, not a refusal in the run. */
import { describe, expect, test } from 'vitest';
import { ACTION_NAMES, ACTIONS, type ActionRow } from '../../../src/contract/actions.ts';
import type { JsonMap } from '../../../src/contract/schema.ts';
import { mistakesTextOf } from '../small-stage.ts';
import { wholeScenario } from '../whole-stage.ts';

describe('a combination of fields', () => {
  test.each([
    ['heat: {temperature_c: 40}', /Temperature and humidity make the heat index together\. "humidity_pct" is required/],
    ['heat: {temperature_c: 30..40}', /"humidity_pct" is required/],
    ['heat: {humidity_pct: 40}', /"temperature_c" is required/],
    ['heat: {index_c: 40, temperature_c: 40, humidity_pct: 30}', /"index_c" must not be combined with temperature_c/],
    ['heat: {who: ana}', /heat needs index_c, temperature_c and humidity_pct, or sun/],
    ['battery: {who: ana}', /battery needs pct or drain/],
    ['device: {who: ana}', /device needs status, swap_to or clock_skew/],
    ['worker: {who: ana}', /worker needs active, role or contractor/],
    ['position: {who: ana, floor: Deck}', /A building or a floor needs height_m/],
    ['start_muster: {kind: general, origin: {radius_m: 3}}', /The origin is either a point \(at\) or a zone/],
    ['start_muster: {kind: general, deadline_source: official}', /An official deadline has a time/],
    ['change_kind: {to: general, deadline_source: official}', /An official deadline has a time/],
    ['broker: {does: stop, who: ana}', /The broker does stop for everybody; leave out who/],
    ['token: {}', /Name either expire or revoke/],
    ['resend: {to: erp}', /Name either event or since/],
    ['api_fault: {path: /v1/alerts}', /Name either status or slow/],
    ['deliveries: {to: erp}', /deliveries needs duplicate, shuffle or hold/],
  ])('%s is refused with what is missing', (step, message) => {
    expect(mistakesTextOf(wholeScenario(`- ${step}`))).toMatch(message);
  });

  test('a step that ends a fault needs no status', () => {
    expect(mistakesTextOf(wholeScenario('- api_fault: {share: 0}'))).toBe('');
  });

  test('the example of every action fits, and what undoes it', () => {
    const misfits = ACTION_NAMES.flatMap((name) => {
      const { misfit, undo, example }: ActionRow = ACTIONS[name];
      const bodies = [example as JsonMap, undo?.(example as JsonMap) ?? null].flatMap((body) => body ?? []);
      return bodies.flatMap((body) => misfit?.(body as JsonMap) ?? []);
    });
    expect(misfits).toEqual([]);
  });
});
