/** `never` sees everything since the beginning of the last action, in every mode, except what expectations found since. [scenario-language, fine print] */
import { expect, test } from 'vitest';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { FAST_START, runFile } from '../../../src/scenario/playing/run-file.ts';
import { stallingMachine } from '../../helpers/stalling-machine.ts';
import { unless } from '../../helpers/unless.ts';
import { withoutWhole } from '../../helpers/whole.ts';

const HEAD = `scenario: Never
site:
  name: Plant
  origin: [43, -8]
  zones:
    Dock: {type: work_area, box: [0, 0, 90, 90]}
    Pit: {type: forbidden, box: [200, 0, 260, 60]}
service: {fall_prompt: 20s}
workers: {ana: {in: Dock}, luis: {in: Dock}}
receivers: {erp: {events: [alert.*, muster.*]}}
steps:
`;

const SPEED = 20;
const PLAYED = {
  fast: { mode: 'fast' },
  scaled: {
    mode: 'scaled',
    speed: SPEED,
    get clock() {
      return lockstepClock({ start: FAST_START, pace: SPEED, pacedBy: stallingMachine('never') });
    },
  },
} as const;

async function played(steps: string, how: 'fast' | 'scaled') {
  const text = `${HEAD}${steps.replace(/^ {6}/gm, '  ')}`;
  const result = await runFile('never.scenario.yaml', {
    ...PLAYED[how],
    boot: bootStage,
    sink: () => {},
    read: () => text,
  });
  expect(result.error).toBeNull();
  return { verdict: result.verdict, lines: result.failures.map(({ line }) => line - HEAD.split('\n').length) };
}

const CASES = [
  {
    what: 'what the last action caused at once',
    passes: false,
    steps: `
      - enter: {who: ana, zone: Pit}
      - never: {alert: forbidden_zone_entry}
        for: 5s`,
  },
  {
    what: 'its event',
    passes: false,
    steps: `
      - enter: {who: ana, zone: Pit}
      - never: {event: alert.created}
        for: 5s`,
  },
  {
    what: 'what it caused while the scenario waited',
    passes: false,
    steps: `
      - fall: {who: ana}
      - wait: 30s
      - never: {alert: sos}
        for: 1s`,
  },
  {
    what: 'what came after that was found, of the same kind',
    passes: false,
    steps: `
      - together:
          - sos: {who: ana}
          - sos: {who: luis}
      - expect: {alert: sos, of: ana}
      - never: {alert: sos}
        for: 1s`,
  },
  {
    what: 'a change of what was found, while it looks',
    passes: false,
    steps: `
      - fall: {who: ana}
      - expect: {alert: fall_detected}
      - never: {alert: fall_detected, details: {escalated_to_sos: true}}
        for: 30s`,
  },
  {
    what: 'what an action before the last one caused',
    passes: true,
    steps: `
      - sos: {who: ana}
      - wear: {who: luis, is: off}
      - never: {alert: any}
        for: 5s`,
  },
  {
    what: 'an alert that was found, with its event',
    passes: true,
    steps: `
      - sos: {who: ana}
      - expect: {alert: sos, of: ana}
      - never: {alert: any}
        for: 5s
      - never: {event: alert.*}
        for: 5s`,
  },
  {
    what: 'an event that was found, with its alert',
    passes: true,
    steps: `
      - sos: {who: ana}
      - expect: {event: alert.created}
      - never: {event: alert.*}
        for: 5s
      - never: {alert: sos}
        for: 5s`,
  },
  {
    what: 'a muster that was waited for, with its events',
    passes: true,
    steps: `
      - start_muster: {kind: general, by: Lead}
        as: m
      - wait_for: {muster: $m, totals: {expected: 2}}
      - never: {event: muster.started}
        for: 5s`,
  },
  {
    what: 'a muster that nobody has found',
    passes: false,
    steps: `
      - start_muster: {kind: general, by: Lead}
      - never: {event: muster.started}
        for: 5s`,
  },
  {
    what: 'a delivery that was found',
    passes: true,
    steps: `
      - sos: {who: ana}
      - expect: {delivery: erp, result: delivered}
      - never: {delivery: erp}
        for: 5s`,
  },
  {
    what: 'what a check has looked at, which finds nothing',
    passes: false,
    steps: `
      - sos: {who: ana}
      - wait: 1s
      - check: {alerts: open, count: 1}
      - never: {alert: sos}
        for: 1s`,
  },
] as const;

for (const how of ['fast', 'scaled'] as const)
  unless(how === 'scaled' ? withoutWhole : null).describe(`in ${how} time`, () => {
    test.each(CASES)('$what: passes $passes', async ({ steps, passes }) => {
      const { verdict, lines } = await played(steps.slice(1), how);
      expect(verdict).toBe(passes ? 'passed' : 'failed');
      expect(lines).toHaveLength(passes ? 0 : 1);
    });
  });
