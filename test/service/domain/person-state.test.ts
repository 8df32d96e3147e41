/** Reason, rescue and place of a person, as decisions 4 ("One answer on every surface") orders them. */
import { describe, expect, test } from 'vitest';
import { type AlertType, type HelpReason, SCOPES, type Scope } from '../../../src/contract/enumerations.ts';
import type { CountedStatus } from '../../../src/contract/resources/headcount.ts';
import { isToRescue, musterReason, personState, reasonOf } from '../../../src/service/domain/views/person.ts';
import type { Alert } from '../../../src/service/domain/world/documents.ts';
import { ORG, SITE, SmallWorld, START_MUSTER } from './small-world.ts';

const SEVERITY: { readonly [T in AlertType]?: Alert['severity'] } = {
  sos: 'critical',
  fall_detected: 'critical',
  evacuation_help: 'critical',
  forbidden_zone_entry: 'high',
  heat_stress: 'high',
  worker_call_request: 'medium',
  low_battery: 'low',
};

/** `type@second` or `type@second#id`. */
function alert(text: string): Alert {
  const [, type = 'sos', at = '0', id = 'a'] = /^(\w+)@(\d+)(?:#(\w))?$/.exec(text) ?? [];
  return { id, type, severity: SEVERITY[type as AlertType], createdAt: Number(at) * 1_000 } as unknown as Alert;
}

type Counted = readonly [status: CountedStatus, helpReason: HelpReason | null] | null;
const counted = (given: Counted) => (given === null ? null : { status: given[0], helpReason: given[1] });

describe('the reason is the first of these', () => {
  test.each<readonly [Counted, readonly string[], string | null]>([
    // Trapped or injured in the active muster.
    [['help', 'trapped'], ['sos@9', 'fall_detected@9'], 'trapped'],
    [['help', 'injured'], ['evacuation_help@1'], 'injured'],
    // The open critical alert: by type, then the newest.
    [['help', 'helping'], ['evacuation_help@1', 'sos@1'], 'sos'],
    [['help', null], ['evacuation_help@1', 'fall_detected@9'], 'evacuation_help'],
    [['pending', null], ['fall_detected@1', 'low_battery@9'], 'fall_detected'],
    [['safe', null], ['sos@1'], 'sos'],
    [null, ['fall_detected@9', 'sos@1', 'evacuation_help@5'], 'sos'],
    // The status in the muster, whatever other alerts are open.
    [['no_signal', null], ['forbidden_zone_entry@1', 'low_battery@9'], 'no_signal'],
    [['help', 'helping'], [], 'help'],
    [['safe', null], ['low_battery@1'], 'safe'],
    // Outside of a muster the alert of the highest severity: the newest, then the lowest id.
    [null, ['low_battery@9', 'worker_call_request@1'], 'worker_call_request'],
    [null, ['forbidden_zone_entry@1', 'heat_stress@2'], 'heat_stress'],
    [null, ['heat_stress@1#b', 'forbidden_zone_entry@1#a'], 'forbidden_zone_entry'],
    [null, [], null],
  ])('%j with %j: %s', (status, alerts, reason) => {
    const open = alerts.map(alert);
    expect(reasonOf(counted(status), open)).toBe(reason);
    expect(reasonOf(counted(status), open.toReversed())).toBe(reason);
  });

  test('a worker who helps another is able to walk', () => {
    expect(musterReason({ status: 'help', helpReason: 'helping' }, null)).toBe('help');
    // The reason of a call for help that is over.
    expect(musterReason({ status: 'safe', helpReason: 'trapped' }, null)).toBe('safe');
  });
});

test.each<readonly [Exclude<Counted, null>, hasAlert: boolean, rescue: boolean]>([
  [['help', 'trapped'], false, true],
  [['help', 'injured'], false, true],
  [['help', null], false, true],
  [['help', 'helping'], false, false],
  [['help', 'helping'], true, true],
  [['pending', null], true, true],
  [['pending', null], false, false],
  [['wrong_point', null], true, true],
  [['safe', null], true, false],
  [['safe', 'trapped'], false, false],
])('%j with an open SOS or fall %s is to be rescued: %s', (status, hasAlert, rescue) => {
  const given = { status: status[0], helpReason: status[1] };
  expect(isToRescue(given, hasAlert)).toBe(rescue);
});

describe('the place', () => {
  const MINUTE = 60_000;
  const ALL = SCOPES;
  const without = (...scopes: Scope[]): Scope[] => SCOPES.filter((one) => !scopes.includes(one));

  interface Case {
    readonly veiled?: boolean;
    readonly muster?: boolean;
    readonly minutes?: number;
    readonly scopes?: readonly Scope[];
    readonly fix?: boolean;
  }

  test.each<readonly [string, Case, string | null]>([
    ['a recent position', {}, 'located'],
    ['a position of exactly 15 minutes', { minutes: 15 }, 'located'],
    ['an older one outside of a muster', { minutes: 16 }, 'unknown'],
    ['an older one of a missing worker', { minutes: 16, muster: true }, 'last_known'],
    [
      'an older one of a missing worker, without musters:read',
      { minutes: 16, muster: true, scopes: without('musters:read') },
      'unknown',
    ],
    ['no position', { fix: false }, 'unknown'],
    ['under the veil', { veiled: true }, 'withheld'],
    // Too old to be listed: nothing that is hidden would otherwise be shown.
    ['an older one under the veil', { veiled: true, minutes: 16 }, 'unknown'],
    ['under the veil in a muster', { veiled: true, muster: true }, 'located'],
    ['without positions:read', { scopes: without('positions:read') }, 'withheld'],
    [
      'of a missing worker without positions:read',
      { minutes: 16, muster: true, scopes: without('positions:read') },
      'withheld',
    ],
    ['without workers:read, where no list has the worker', { minutes: 16, scopes: without('workers:read') }, null],
    ['with musters:read alone, of a missing worker', { muster: true, scopes: ['musters:read'] }, 'withheld'],
    ['with alerts:read alone', { scopes: ['alerts:read'] }, null],
  ])('%s', (_what, { veiled = false, muster = false, minutes = 0, scopes = ALL, fix = true }, kind) => {
    const small = new SmallWorld({ site: { privacyMode: veiled ? 'on_demand' : 'continuous' } });
    const n = fix ? 1 : 3;
    if (muster) small.do(START_MUSTER);
    small.now += minutes * MINUTE;
    const worker = small.world.need('worker', small.workerId(n));
    const viewer = { organizationId: ORG, names: true, contractors: null, scopes };
    expect(personState(small.world, worker, viewer, small.now)?.place.kind ?? null).toBe(kind);
    expect(small.world.need('site', SITE).privacyMode).toBe(veiled ? 'on_demand' : 'continuous');
  });
});
