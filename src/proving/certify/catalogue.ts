/** All checks of `sandbox certify`, in the order in which they are judged. A number keeps its meaning: reports of different versions can be compared. */
import type { ReceiverCheck } from './check.ts';
import { CALL_CHECKS, GAP_CHECKS } from './checks/client.ts';
import { FORGED_CHECKS, ROTATION_CHECKS } from './checks/forged.ts';
import { GENUINE_CHECKS } from './checks/genuine.ts';
import { HELD_CHECKS } from './checks/held.ts';
import { HTTP_CHECKS } from './checks/http.ts';
import { PAGE_CHECKS } from './checks/pages.ts';
import { TAKE_OVER_CHECKS } from './checks/rotations.ts';
import { STATE_CHECKS } from './checks/state.ts';
import { TIME_CHECKS } from './checks/time.ts';
import { TRIAL_CHECKS } from './checks/trials.ts';

export const CHECKS: readonly ReceiverCheck[] = [
  ...GENUINE_CHECKS,
  ...FORGED_CHECKS,
  ...ROTATION_CHECKS,
  ...TIME_CHECKS,
  ...HTTP_CHECKS,
  ...STATE_CHECKS,
  ...HELD_CHECKS,
  ...GAP_CHECKS,
  ...TRIAL_CHECKS,
  ...CALL_CHECKS,
  ...PAGE_CHECKS,
  ...TAKE_OVER_CHECKS,
];
