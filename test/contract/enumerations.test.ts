import { describe, expect, test } from 'vitest';
import { check } from '../../src/contract/check.ts';
import * as words from '../../src/contract/enumerations.ts';
import { MISSING_STATUSES } from '../../src/contract/resources/headcount.ts';

describe('the words of the specification', () => {
  test.each([
    [
      'AlertType',
      words.AlertType,
      words.ALERT_TYPES,
      'sos fall_detected restricted_zone_entry forbidden_zone_entry permit_expired_inside permit_closed_inside heat_stress evacuation_help worker_call_request device_offline low_battery earthquake tsunami_risk',
    ],
    ['Severity', words.Severity, words.SEVERITIES, 'low medium high critical'],
    ['AlertStatus', words.AlertStatus, words.ALERT_STATUSES, 'unacknowledged acknowledged resolved'],
    [
      'EventType',
      words.EventType,
      words.EVENT_TYPES,
      'alert.created alert.acknowledged alert.resolved alert.reopened alert.worker_acknowledged muster.started muster.kind_changed muster.phase_changed muster.targets_changed muster.updated muster.worker_missing muster.ended',
    ],
    ['EventGroup', words.EventGroup, words.EVENT_GROUPS, 'alert.* muster.*'],
    ['MusterStatus', words.MusterStatus, words.MUSTER_STATUSES, 'active completed cancelled'],
    ['MusterPhase', words.MusterPhase, words.MUSTER_PHASES, 'evacuating inspecting'],
    ['MusterKind', words.MusterKind, words.MUSTER_KINDS, 'general tsunami earthquake'],
    ['ZoneType', words.ZoneType, words.ZONE_TYPES, 'work_area restricted forbidden assembly_point privacy building'],
    ['DeviceStatus', words.DeviceStatus, words.DEVICE_STATUSES, 'active inactive maintenance lost'],
    ['PrivacyMode', words.PrivacyMode, words.PRIVACY_MODES, 'continuous on_demand'],
    ['LocationSource', words.LocationSource, words.LOCATION_SOURCES, 'gps network zone'],
    ['SosTrigger', words.SosTrigger, words.SOS_TRIGGERS, 'watch_button watch_hardware_button after_fall control_room'],
    ['HelpReason', words.HelpReason, words.HELP_REASONS, 'trapped injured helping'],
    ['MissingStatus', words.MissingStatus, MISSING_STATUSES, 'help wrong_point pending no_signal not_worn'],
    ['AssemblyPointStatus', words.AssemblyPointStatus, words.ASSEMBLY_POINT_STATUSES, 'available excluded'],
    ['ElevationSource', words.ElevationSource, words.ELEVATION_SOURCES, 'dem verified'],
    ['DeadlineSource', words.DeadlineSource, words.DEADLINE_SOURCES, 'official plan_estimate'],
    ['NearbyKind', words.NearbyKind, words.NEARBY_KINDS, 'person vehicle'],
    [
      'Scope',
      words.Scope,
      words.SCOPES,
      'alerts:read alerts:write positions:read musters:read workers:read webhooks:manage',
    ],
  ] as const)('%s has exactly the specified values, in their order', (title, schema, values, specified) => {
    expect(values.join(' ')).toBe(specified);
    expect(schema).toMatchObject({ title, type: 'string', enum: specified.split(' ') });
    for (const value of values) expect(check(schema, value).ok).toBe(true);
    expect(check(schema, `${values[0]} `).ok).toBe(false);
  });

  test('the interface has one version', () => {
    expect(words.API_VERSION).toBe('2026-09-24');
  });

  test('severities ascend: the graver is at least the lighter, and each is at least itself', () => {
    const atLeast = words.SEVERITIES.map((a) => words.SEVERITIES.map((b) => words.severityAtLeast(a, b)));
    expect(atLeast).toEqual([
      [true, false, false, false],
      [true, true, false, false],
      [true, true, true, false],
      [true, true, true, true],
    ]);
  });

  test('a wrong word gets one sentence, not one for each word', () => {
    expect(check(words.AlertStatus, 'acknowleged')).toEqual({
      ok: false,
      errors: [
        {
          pointer: '',
          detail: 'must be one of "unacknowledged", "acknowledged", "resolved"; did you mean "acknowledged"?',
        },
      ],
    });
  });
});
