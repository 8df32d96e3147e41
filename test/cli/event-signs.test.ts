/** The signs in the lines of `up` and `listen`. */
import { afterEach, expect, test, vi } from 'vitest';
import { hasGlyphs } from '../../src/base/text/colour-depth.ts';
import { eventSigns } from '../../src/cli/event-signs.ts';
import { UpLines } from '../../src/cli/up/live.ts';
import type { Event } from '../../src/contract/events.ts';
import { MUSTERING } from '../dashboard/harbour.ts';

afterEach(() => vi.unstubAllEnvs());

const [sos] = MUSTERING.alerts
  .filter(({ type }) => type === 'sos')
  .map((alert) => ({ ...alert, severity: 'critical' }));
const of = (data: object, type: string): Event => ({ id: 'e', type, site_id: 's', created_at: '', data }) as never;
const ALERT = of({ alert: sos }, 'alert.created');
const MUSTER = of({ muster: { ...MUSTERING.musters[0], status: 'active', phase: 'evacuating' } }, 'muster.updated');

test('a line on a terminal has the signs of an alert or of a muster before its text, in plain text with NO_COLOR', () => {
  vi.stubEnv('NO_COLOR', '1');
  vi.stubEnv('LC_ALL', 'en_GB.UTF-8');
  vi.stubEnv('TERM', 'xterm');
  expect(eventSigns(ALERT, { isTTY: true })).toBe('■ ◉ ');
  expect(eventSigns(MUSTER, { isTTY: true })).toBe('⇉   ');
});

test('a terminal without glyphs has the ASCII signs', () => {
  vi.stubEnv('NO_COLOR', '1');
  vi.stubEnv('LC_ALL', 'en_GB.ISO-8859-1');
  expect(eventSigns(ALERT, { isTTY: true })).toBe('! ! ');
  expect([{ TERM: 'linux' }, { LANG: 'C' }, { LANG: 'de_DE' }, {}].map(hasGlyphs)).toEqual([false, true, false, true]);
});

test('a line in a pipe has no signs', () => {
  vi.stubEnv('NO_COLOR', '1');
  expect(eventSigns(ALERT, {})).toBe('');
  const notice = { kind: 'event-occurred', at: '2026-10-05T15:00:00.000Z', listed: true, event: ALERT } as never;
  const written: string[] = [];
  new UpLines({ write: (text: string) => written.push(text) } as never).tell(notice);
  expect(written).toEqual([`15:00:00.000  ${'alert.created'.padEnd(27)} ${sos?.title}\n`]);
});
