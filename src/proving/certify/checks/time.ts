/** Timestamps up to 5 min away from the receiver's clock are accepted, and none beyond. [spec 5, 8] */
import type { ReceiverCheck } from '../check.ts';
import { accepts, refuses, type StatusRow } from './row.ts';

const FIX =
  'The tolerance is 5 min in both directions: abs(now - timestamp) <= 300 seconds. Check that the clock of your machine is correct (NTP), and that both values are in seconds.';

const row = (number: number, title: string, apartS: number): StatusRow => ({
  number,
  group: 'time',
  title,
  clause: '5, 8 timestamp skew',
  fix: FIX,
  exact: true,
  sends: [
    (make, second) => {
      const minutes = `${Math.floor(Math.abs(apartS) / 60)}:${String(Math.abs(apartS) % 60).padStart(2, '0')}`;
      return make.sos(`signed ${minutes} min ${apartS < 0 ? 'ago' : 'ahead'}`, { timestamp: second + apartS });
    },
  ],
});

export const TIME_CHECKS: readonly ReceiverCheck[] = [
  accepts(row(29, 'A timestamp of 4:59 min ago is accepted', -299)),
  refuses({
    ...row(30, 'A timestamp of 5:01 min ago is refused', -301),
    fix: `${FIX} Without it, a recorded delivery can be replayed at any later time.`,
  }),
  accepts(row(31, 'A timestamp of 4:59 min ahead is accepted', 299)),
  refuses(row(32, 'A timestamp of 5:01 min ahead is refused', 301)),
  refuses({
    number: 33,
    group: 'time',
    title: 'A timestamp in milliseconds is refused',
    clause: '4 Unix seconds',
    fix: 'X-Service-Timestamp is in Unix seconds. Accept only this form.',
    sends: [
      (make) =>
        make.sos('a timestamp in milliseconds, signed as such', {
          timestamp: Math.floor(Number(make.sos('').headers['X-Service-Timestamp']) * 1_000),
        }),
    ],
  }),
];
