/** One full, valid example of everything that crosses a wire. */
import type { AlertType } from '../../src/contract/enumerations.ts';

export const ID = '0192f3c4-5b6a-4c8d-9e0f-1a2b3c4d5e6f';
export const TIME = '2026-10-05T06:00:00.000Z';

const site = { id: ID, name: 'Harbour' };
const zone = { id: ID, name: 'Tank farm' };
export const workerRef = { id: ID, external_id: 'W-014', name: 'Ana Ruiz', contractor: 'Norte' };
const deviceRef = { id: ID, serial: 'WT-0014', battery: 81, date_last_seen: TIME };
export const height = { height_m: 12.5, uncertainty_m: 2, building: 'Office', floor: '3' };
const location = {
  latitude: 43.35,
  longitude: -3.01,
  uncertainty_m: 4.5,
  source: 'gps',
  masked: false,
  position_date_utc: TIME,
  height,
};
const actionBy = { at: TIME, by: 'Shift lead' };
const nearby = { kind: 'person', worker: workerRef, vehicle_type: null, distance_m: 12, reported_at: TIME };
const vehicleWarning = { at: TIME, vehicle_type: 'forklift', distance_m: 7, worker_acknowledged_at: TIME };

export const DETAILS: { [K in AlertType]: Record<string, unknown> } = {
  sos: { trigger: 'watch_button' },
  fall_detected: { escalated_to_sos: false },
  restricted_zone_entry: { zone_type: 'restricted', permit_reference: null },
  forbidden_zone_entry: { zone_type: 'forbidden', permit_reference: 'PT-7' },
  permit_expired_inside: { zone_type: 'restricted', permit_reference: 'PT-7' },
  permit_closed_inside: { zone_type: 'restricted', permit_reference: 'PT-7' },
  heat_stress: { action: 'stop_and_rest', heat_index_c: 42.5, sun_exposure_minutes: 61 },
  evacuation_help: { reason: 'trapped', muster_id: ID },
  worker_call_request: { voice_note: true },
  device_offline: { minutes_silent: 10 },
  low_battery: { battery_pct: 20 },
  earthquake: { magnitude: 6.1, distance_km: 40, official: false, felt_at_site: true, eta: null },
  tsunami_risk: { magnitude: null, distance_km: null, official: true, felt_at_site: false, eta: TIME },
};

const alert = {
  id: ID,
  type: 'sos',
  severity: 'critical',
  status: 'resolved',
  title: 'SOS: Ana Ruiz in Tank farm',
  date_created: TIME,
  date_last_modified: TIME,
  site,
  zone,
  worker: workerRef,
  device: deviceRef,
  location,
  location_withheld: false,
  details: DETAILS.sos,
  nearby: [nearby],
  vehicle_warnings: [vehicleWarning],
  worker_acknowledged_at: TIME,
  acknowledged: actionBy,
  resolved: { ...actionBy, note: 'False alarm' },
  assigned_to: 'Shift lead',
  simulated: true,
  panel_url: `http://127.0.0.1:4600/panel/alerts/${ID}`,
};

const assemblyPoint = {
  id: ID,
  name: 'North gate',
  status: 'excluded',
  count: 3,
  excluded: { reason: 'Smoke', recommended: true, at: TIME, by: 'Shift lead' },
};
const deadline = { at: TIME, source: 'official' };
const origin = { latitude: 43.35, longitude: -3.01, radius_m: 200, label: 'Leak', zone };
const totals = { expected: 9, safe: 4, help: 1, wrong_point: 1, pending: 1, no_signal: 1, not_worn: 1 };
const muster = {
  id: ID,
  site,
  status: 'active',
  phase: 'evacuating',
  kind: 'tsunami',
  reason: 'Drill',
  started_at: TIME,
  ended_at: null,
  deadline,
  origin,
  targets_revision: 1,
  totals,
  assembly_points: [assemblyPoint],
};

const ring = [[-3.01, 43.35], [-3.0, 43.35], [-3.0, 43.36], [-3.01, 43.35]]; // biome-ignore format: a ring reads as one line
const polygon = { type: 'Polygon', coordinates: [ring] };
const zonePoint = { serves: ['general'], elevation_m: 14, elevation_source: 'dem', vertical: false, capacity: 80 };
const destination = {
  id: ID,
  url: 'https://receiver.example/hook',
  event_types: ['alert.*', 'muster.ended'],
  filters: { site_ids: [ID], min_severity: 'high', contractors: ['Norte'] },
  is_active: true,
  failing_since: null,
  created_at: TIME,
};
/** The same alert, of another type. */
export const alertOf = (type: AlertType) => ({ ...alert, type, details: DETAILS[type] });

const envelope = { id: ID, api_version: '2026-09-24', created_at: TIME, organization_id: ID, site_id: ID };
const stamp = { session: 1, seq: 1, t: TIME };

/** By the title of their schema. */
export const SAMPLES: Record<string, Record<string, unknown>> = {
  Alert: alert,
  SosAlert: alert,
  FallAlert: alertOf('fall_detected'),
  ZoneAlert: alertOf('restricted_zone_entry'),
  HeatStressAlert: alertOf('heat_stress'),
  EvacuationHelpAlert: alertOf('evacuation_help'),
  WorkerCallAlert: alertOf('worker_call_request'),
  DeviceOfflineAlert: alertOf('device_offline'),
  LowBatteryAlert: alertOf('low_battery'),
  HazardAlert: alertOf('earthquake'),
  SiteRef: site,
  ZoneRef: zone,
  WorkerRef: workerRef,
  DeviceRef: deviceRef,
  ActionBy: actionBy,
  Resolved: { ...actionBy, note: null },
  Location: location,
  Height: height,
  Nearby: nearby,
  VehicleWarning: vehicleWarning,
  Muster: muster,
  Deadline: deadline,
  Origin: origin,
  Totals: totals,
  AssemblyPoint: assemblyPoint,
  Site: { ...site, location: 'Bilbao', privacy_mode: 'on_demand', unveil_min_severity: 'high' },
  Zone: { ...zone, type: 'assembly_point', geometry: polygon, assembly_point: zonePoint },
  Polygon: polygon,
  ZoneAssemblyPoint: zonePoint,
  Worker: { ...workerRef, role: 'Welder', is_active: true, device: deviceRef, date_last_seen: TIME },
  Device: { ...deviceRef, model: 'W2', status: 'active', worn: null, worker: workerRef },
  MissingWorker: {
    worker: workerRef,
    device: deviceRef,
    status: 'wrong_point',
    needs_rescue: false,
    help_reason: null,
    assembly_point: { id: ID, name: 'South gate', valid: false },
    declared_at: TIME,
    last_seen_at: TIME,
    location,
    location_withheld: false,
  },
  Position: { device_id: ID, worker: workerRef, location, in_vehicle: false },
  WebhookFilters: destination.filters,
  WebhookFiltersInput: destination.filters,
  WebhookDestination: destination,
  WebhookDestinationCreated: { ...destination, secret: 'whsec_abc' },
  RotatedSecret: { secret: 'whsec_abc', previous_valid_until: TIME },
  AlertEvent: { ...envelope, type: 'alert.created', data: { alert } },
  MusterEvent: { ...envelope, type: 'muster.started', data: { muster } },
  SosDetails: DETAILS.sos,
  FallDetails: DETAILS.fall_detected,
  ZoneDetails: DETAILS.restricted_zone_entry,
  HeatStressDetails: DETAILS.heat_stress,
  EvacuationHelpDetails: DETAILS.evacuation_help,
  WorkerCallDetails: DETAILS.worker_call_request,
  DeviceOfflineDetails: DETAILS.device_offline,
  LowBatteryDetails: DETAILS.low_battery,
  HazardDetails: DETAILS.earthquake,
  ProblemError: { pointer: '/actor/name', detail: 'is required' },
  Problem: {
    type: 'http://127.0.0.1:4600/problems/validation-failed',
    title: 'Validation failed',
    status: 422,
    detail: 'The body breaks 1 rule.',
    instance: '/v1/webhooks',
    code: 'validation_failed',
    errors: [{ pointer: '/url', detail: 'is required' }],
  },
  OAuthError: { error: 'invalid_scope', error_description: 'alerts:write is not the client’s' },
  TokenResponse: { access_token: 't', token_type: 'Bearer', expires_in: 3600, scope: 'alerts:read' },
  AlertUpdate: {
    status: 'resolved',
    resolution_reason: 'False alarm',
    note: 'Spoke to her',
    actor: { name: 'Eva', external_id: 'OP-3' },
  },
  Actor: { name: 'Eva', external_id: 'OP-3' },
  WebhookCreate: { url: 'https://receiver.example', event_types: ['alert.*'], filters: {} },
  WatchBirth: { online: true, session: 1, firmware: '2.4.0', t: TIME },
  WatchDeath: { online: false, session: 1 },
  WatchPosition: {
    ...stamp,
    latitude: 43.35,
    longitude: -3.01,
    uncertainty_m: null,
    source: 'network',
    height,
    in_vehicle: false,
    worn: null,
  },
  WatchBattery: { ...stamp, pct: 81, charging: false },
  WatchSos: { id: ID, ...stamp, with: 'watch_button' },
  WatchFall: { id: ID, ...stamp },
  WatchPromptAnswer: { id: ID, ...stamp, fall_id: ID, answer: 'help' },
  WatchAck: { id: ID, ...stamp, alert_id: ID },
  WatchCall: { id: ID, ...stamp, voice_note: true },
  WatchHelp: { id: ID, ...stamp, reason: null },
  WatchDeclare: { id: ID, ...stamp, point_id: ID },
  WatchVehicleAck: { id: ID, ...stamp, warning_id: ID },
  DownPrompt: { kind: 'prompt', fall_id: ID, until: TIME },
  DownAlertState: { kind: 'alert', alert_id: ID, type: 'sos', status: 'acknowledged', by: 'Shift lead' },
  DownVehicle: { kind: 'vehicle', warning_id: ID, vehicle_type: 'truck', distance_m: 20 },
  DownRest: { kind: 'rest', alert_id: ID },
  DownConfig: { position_every_s: 10, alarm_every_s: 5, prompt_s: 30 },
  MusterNotice: {
    muster_id: ID,
    status: 'active',
    kind: 'general',
    phase: 'inspecting',
    revision: 2,
    deadline: TIME,
    points: [
      {
        id: ID,
        name: 'North gate',
        latitude: 43.35,
        longitude: -3.01,
        vertical: false,
        status: 'available',
        serves: ['general'],
      },
    ],
  },
  HostState: { online: true },
  ActionResult: {
    worker_id: ID,
    device_id: ID,
    alert_id: ID,
    muster_id: ID,
    permit_id: ID,
    site_id: ID,
    client_id: 'harbour_co',
    resent: 3,
    joined: true,
    buffered: true,
  },
  ActionAnswer: { action: 'sos', at: TIME, result: { worker_id: ID } },
  ActionAnswers: { action: 'sos', at: TIME, results: [{ worker_id: ID }] },
  CliError: { code: 'not_running', message: 'No sandbox runs.', retryable: true, details: null, actions: [] },
  Ready: {
    event: 'ready',
    api_url: 'http://127.0.0.1:4600',
    mqtt_url: 'mqtt://127.0.0.1:1883',
    panel_url: 'http://127.0.0.1:4600/panel',
    data_dir: '.sandbox',
    ca_file: '.sandbox/ca.pem',
    pid: 1,
    control_token: 'c',
    clients: [
      {
        organization: 'Harbour Ltd',
        client_id: 'c1',
        client_secret: 's',
        scopes: ['alerts:read'],
        include_worker_names: true,
        contractors: null,
      },
    ],
    watches: [{ serial: 'WT-0014', key: 'k', site_id: ID, worker: 'W-001', emulated: true }],
  },
};
const streamPerson = {
  worker_id: ID,
  device_id: ID,
  location,
  location_withheld: false,
  in_vehicle: false,
  worn: true,
  battery: 81,
  date_last_seen: TIME,
  muster: {
    id: ID,
    status: 'wrong_point',
    needs_rescue: false,
    help_reason: null,
    assembly_point: { id: ID, valid: false },
  },
  status: 'wrong_point',
  reason: 'sos',
  rescue: true,
  place: { kind: 'located', age_s: 12 },
};
const streamNotSafe = {
  muster_id: ID,
  worker_id: ID,
  status: 'no_signal',
  reason: 'fall_detected',
  location,
  location_withheld: false,
};
const streamDelivery = {
  id: ID,
  event_id: ID,
  event_type: 'alert.created',
  destination_id: ID,
  state: 'waiting',
  tries: 1,
  last_status: 503,
  last_error: null,
  took_ms: 12.5,
  next_attempt_at: TIME,
  ended_at: null,
};
const streamTruth = {
  worker_id: ID,
  latitude: 43.35,
  longitude: -3.01,
  height_m: 6,
  floor: '2',
  zone: 'Tank farm',
  in_vehicle: false,
  worn: true,
  activity: 'walking',
};
const stream = {
  StreamClock: { now: TIME, speed: 10, paused: false },
  StreamSite: { ...SAMPLES.Site, boundary: polygon, wind: { from_deg: 270, speed_ms: 4 }, zones: [SAMPLES.Zone] },
  StreamWorker: { ...workerRef, role: 'Welder', is_active: true, site_id: ID },
  StreamPerson: streamPerson,
  StreamNotSafe: streamNotSafe,
  StreamDelivery: streamDelivery,
  StreamTruth: streamTruth,
  StreamCurve: { muster_id: ID, points: [{ at: TIME, safe: 3 }] },
  StreamTally: { destination_id: ID, delivered: 3, failed: 1, lost: 0, took_ms: [12.5] },
};
Object.assign(SAMPLES, stream, {
  StreamSnapshot: {
    clock: stream.StreamClock,
    sites: [stream.StreamSite],
    workers: [stream.StreamWorker],
    people: [streamPerson],
    not_safe: [streamNotSafe],
    alerts: [alert],
    musters: [muster],
    curves: [stream.StreamCurve],
    events: [SAMPLES.AlertEvent],
    destinations: [destination],
    tallies: [stream.StreamTally],
    deliveries: [streamDelivery],
    truth: [streamTruth],
  },
});
SAMPLES.ReadyLine = {
  schema_version: 1,
  command: 'up',
  status: 'ok',
  data: SAMPLES.Ready,
  warnings: [],
  error: null,
};
