/** Who needs rescue: a person with an open SOS or fall; no other alert counts. [spec 2 MissingWorker] */
import { expect, test } from 'vitest';
import { needsRescue } from '../../../../src/service/domain/views/person.ts';
import { SmallWorld } from '../small-world.ts';

test.each<[string, (small: SmallWorld) => void, boolean]>([
  ['nothing', () => {}, false],
  ['an SOS', (small) => small.sos(1), true],
  ['a fall', (small) => void small.fall(1), true],
  ['a call', (small) => void small.do({ type: 'request-call', voiceNote: false, ...small.uplink(1) }), false],
  [
    'a low battery',
    (small) => void small.do({ type: 'report-battery', deviceId: small.device(1), pct: 5, charging: false }),
    false,
  ],
  ['an SOS of somebody else', (small) => small.sos(2), false],
  [
    'an SOS that is resolved',
    (small) => {
      small.sos(1);
      small.update(small.alert('sos'), 'resolved');
    },
    false,
  ],
])('with %s', (_what, play, expected) => {
  const small = new SmallWorld();
  play(small);
  expect(needsRescue(small.world, small.workerId(1))).toBe(expected);
});
