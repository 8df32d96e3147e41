/** All checks of `sandbox certify --watch`, by number. A number keeps its meaning: reports of different versions can be compared. */
import type { WatchCheck } from './check.ts';
import { CONNECT_CHECKS } from './checks/connect.ts';
import { ALERT_CHECKS, WEARER_CHECKS } from './checks/events.ts';
import { MUSTER_CHECKS } from './checks/muster.ts';
import { OUTAGE_CHECKS } from './checks/outage.ts';
import { RECORD_CHECKS } from './checks/record.ts';
import { REPORT_CHECKS } from './checks/reports.ts';

export const WATCH_CHECKS: readonly WatchCheck[] = [
  ...CONNECT_CHECKS,
  ...REPORT_CHECKS,
  ...WEARER_CHECKS,
  ...ALERT_CHECKS,
  ...OUTAGE_CHECKS,
  ...MUSTER_CHECKS,
  ...RECORD_CHECKS,
];
