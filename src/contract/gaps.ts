/** Every point that the API specification leaves open: what this sandbox does there, and which of them can be turned. [decisions] */

export interface Gap {
  readonly id: string;
  /** Of the specification. */
  readonly clause: string;
  readonly question: string;
  readonly here: string;
  /** `name=default|other`, where one client can be tried under both readings. */
  readonly switch: string | null;
}

/** The switches of `sandbox up --assume NAME=VALUE`: the first value is the default. */
export const SWITCHES = {
  'token-json': ['on', 'off'],
  'by-label': ['generic', 'actor'],
  retry: ['offset', 'delay'],
} as const satisfies Record<string, readonly [string, string]>;

export type SwitchName = keyof typeof SWITCHES;
export type Assumptions = { readonly [N in SwitchName]: (typeof SWITCHES)[N][number] };

export const DEFAULT_ASSUMPTIONS: Assumptions = { 'token-json': 'on', 'by-label': 'generic', retry: 'offset' };

/** Whether a word names a switch. */
export const isSwitch = (name: string): name is SwitchName => Object.hasOwn(SWITCHES, name);

const gap = (id: string, clause: string, question: string, here: string): Gap => ({
  id,
  clause,
  question,
  here,
  switch: null,
});
const turnable = (name: SwitchName, clause: string, question: string, here: string): Gap => ({
  id: name,
  clause,
  question,
  here,
  switch: `${name}=${SWITCHES[name].join('|')}`,
});

/** In the order of the specification's clauses. */
export const GAPS: readonly Gap[] = [
  gap(
    'names-contract',
    '2 Alert',
    'Where is include_worker_names enabled?',
    "It is part of the client's contract; a change holds for what is rendered after it.",
  ),
  gap(
    'details-mapping',
    '2 AlertDetails',
    'Which details variant belongs to which alert type?',
    'sos SosDetails, fall_detected FallDetails, the zone and permit types ZoneDetails, heat_stress HeatStressDetails, evacuation_help EvacuationHelpDetails, worker_call_request WorkerCallDetails, device_offline DeviceOfflineDetails, low_battery LowBatteryDetails, earthquake and tsunami_risk HazardDetails.',
  ),
  gap(
    'severities',
    '2 Severity',
    'Which severity has each alert type?',
    'critical: sos, fall_detected, evacuation_help; high: forbidden_zone_entry, heat_stress, earthquake, tsunami_risk; medium: restricted_zone_entry, permit_expired_inside, permit_closed_inside, worker_call_request, device_offline; low: low_battery.',
  ),
  gap(
    'title-form',
    '2 Alert',
    'How is a title composed?',
    '"<Type in words>: <worker name or external_id> in <zone>", absent parts dropped; site-wide: "<Type in words> at <site>".',
  ),
  gap(
    'one-open-alert',
    '2 Alert',
    'Does a second press, fall or call make a second alert?',
    'Not while one of that worker and type is open: it adds a line to the timeline. After resolution it makes a new alert.',
  ),
  gap(
    'fall-prompt',
    '2 FallDetails',
    'How long may the are-you-ok prompt stay unanswered, and what does an answer do?',
    '30 s. "I\'m OK" stops the escalation and nothing more; "help" is an SOS after_fall at once and leaves escalated_to_sos false; no answer is an SOS after_fall and escalated_to_sos true, seen by GET and in the next event.',
  ),
  gap(
    'offline-after',
    '2 DeviceOfflineDetails',
    'After how long a silence is a watch offline?',
    '10 min without contact while last seen on site; one alert until contact.',
  ),
  gap(
    'low-battery-at',
    '2 LowBatteryDetails',
    'At which charge is a battery low?',
    'At or below 20 %; again only after it rose above 25 %.',
  ),
  gap(
    'nearby-age',
    '2 Nearby',
    'How old may a position be to count as nearby?',
    '2 min; distances are rounded down; nobody is listed for a person in a privacy zone.',
  ),
  gap(
    'frozen-references',
    '2 Alert',
    'Do the worker, watch, battery and site of an alert follow later changes?',
    "They are as of the alert's last change, so that stored object, event and GET are equal.",
  ),
  gap(
    'veil-location',
    '2 Alert',
    'Does an alert below the unveiling severity get its location later?',
    'No: location null and location_withheld true for good; its zone is null and its title names none (zone and permit alerts excepted).',
  ),
  gap(
    'failing-since-null',
    '2 Webhook destination',
    'Is failing_since null when healthy?',
    'Yes; set at the first failed attempt after a success, cleared by the next 2xx.',
  ),
  gap(
    'transitions',
    '3 Alert status',
    'Which statuses accept which update?',
    'unacknowledged -> acknowledged; unacknowledged or acknowledged -> resolved; asking for the status that it has: 200, unchanged, no event; acknowledging a resolved alert: 409 invalid_transition.',
  ),
  gap(
    'reopened',
    '3 Alert status',
    'How is an alert reopened?',
    'By a panel action on a resolved alert: unacknowledged again, acknowledged and resolved null, assigned_to and worker_acknowledged_at stay.',
  ),
  turnable(
    'by-label',
    '2 ActionBy',
    'What does `by` read for an update through the API?',
    'generic: "Customer operator (via integration)"; actor: "<actor.name> (via integration)". The actor stands in the timeline either way.',
  ),
  gap(
    'reason-when-acknowledging',
    '4 Alert update body',
    'May resolution_reason come with acknowledged?',
    'No: 422. A note with acknowledged goes to the timeline only.',
  ),
  gap(
    'muster-transitions',
    '3 Muster',
    'How does a muster move between its statuses and phases?',
    'Only people move it, in the panel; the API can open none. active and evacuating at its start; inspecting once nobody is missing; completed or cancelled from either phase, which it keeps. One is active on a site at a time.',
  ),
  gap(
    'muster-expected',
    '2 Muster totals',
    'Whom does a muster expect?',
    'Active workers of the site with a watch in service whose last position of the last 12 h was inside the site; who comes in later joins at the next count, who leaves stays.',
  ),
  gap(
    'muster-statuses',
    '2 Muster totals',
    'Which status counts where several hold?',
    'The first of safe, help, wrong_point, not_worn, no_signal (90 s without contact), pending; so expected is always their sum.',
  ),
  gap(
    'muster-safe',
    '2 AssemblyPoint',
    'When is somebody safe at a point?',
    'Inside an available point that serves the kind for 10 s, counted from the arrival of the first fix with a known uncertainty of at most 50 m; or declared there, until a newer position is more than 50 m from its edge; or marked by the control room. The last fix does not age.',
  ),
  gap(
    'muster-fixes',
    '2 AssemblyPoint',
    'What does a fix that is uncertain by more than 50 m, or by an unknown distance, say of an arrival?',
    'Nothing. It ends a stay only where it is surely outside: beyond its uncertainty, or 50 m where that is unknown.',
  ),
  gap(
    'muster-marked-point',
    '2 Muster totals',
    'What becomes of who was marked safe at a point that is excluded later, or does not serve a new kind?',
    'They count as wrong_point; marked without a point they stay safe, and count at none.',
  ),
  gap(
    'muster-recommended',
    '2 AssemblyPoint excluded',
    'When does the system recommend an exclusion?',
    "As of the exclusion: the point's own middle is within the origin's radius (of a zone: from its edge), or less than 1 km away and within 45 degrees of downwind. Calm air and an evacuation without origin recommend nothing.",
  ),
  gap(
    'muster-deadline',
    '2 Muster deadline',
    'Which deadline has a muster?',
    "The one that the control room gives, official where it says nothing else; without one the site plan's ceiling for the kind from the start, or from the change of kind; null without a plan.",
  ),
  gap(
    'muster-kind-phase',
    '3 Muster',
    'Does a change of kind turn inspecting back to evacuating?',
    'No: the phase stays. The change is counted at once, and exclusions stay.',
  ),
  gap(
    'muster-closing',
    '2 Muster totals',
    'Which count does a closed muster keep?',
    'One that is made as it ends: expected and safe. Its missing list is empty.',
  ),
  gap(
    'missing-order',
    '2 MissingWorker',
    'As of when is an entry of the missing list, and in which order?',
    'Status, help_reason and assembly_point are of the last count; needs_rescue, last_seen_at and location of now. Help first, then never seen, then longest ago.',
  ),
  gap(
    'missing-without-positions',
    '2 MissingWorker',
    'What is location without positions:read?',
    'null, and location_withheld is true where a position exists.',
  ),
  gap(
    'help-again',
    '2 EvacuationHelpDetails',
    'What does a second call for help change?',
    'One alert is open for a worker. Another reason changes its details without an event; a call without a reason keeps the known one; in a later muster muster_id follows.',
  ),
  gap('is-active', '3 Webhook destination', 'What changes is_active?', 'Nothing: it is always true.'),
  gap(
    'paths',
    '4',
    'The methods, paths, filters and page sizes of the reading operations',
    'As GET /openapi.json says. limit is 1..200, default 50.',
  ),
  gap(
    'unknown-parameters',
    '4',
    'What happens to an unknown query parameter or body field?',
    '422 validation_failed: a misspelt filter must not look like "no filter".',
  ),
  gap(
    'lists-of-values',
    '4',
    'How is a filter given several values?',
    'A repeated parameter and a comma list mean the same. *_after and *_since are inclusive, *_before is exclusive.',
  ),
  gap(
    'cursors',
    '2 Pages and lists',
    'How long and for whom does a cursor hold?',
    'For the client and the query that made it; otherwise 422 invalid_cursor. A walk neither skips nor repeats what existed when it began.',
  ),
  gap(
    'events-scope',
    '4 GET /v1/events',
    'Which scope reads the event log?',
    'alerts:read sees alert.*, musters:read sees muster.*; neither, or a type that the token may not see: 403.',
  ),
  gap(
    'events-order',
    '4 GET /v1/events',
    'In which order, and until where?',
    'Oldest first; next_cursor is null at the end of the log. created_at strictly increases per site.',
  ),
  turnable(
    'token-json',
    '4 Token request',
    'In which encoding is a token requested?',
    'application/x-www-form-urlencoded; on: also JSON, with a warning in the request log; off: 415.',
  ),
  gap(
    'token-credentials',
    '4 Token request',
    'May credentials travel by HTTP Basic?',
    'Yes, form-decoded or raw; not both ways at once (400 invalid_request).',
  ),
  gap(
    'token-failures',
    '5',
    'What does a wrong secret answer?',
    '401 invalid_client with WWW-Authenticate: Basic; after 20 failures for one client_id within a minute 429.',
  ),
  gap('revocation', '5', 'How is a token revoked?', 'Not through the API.'),
  gap(
    'foreign-objects',
    '5, 7',
    'What does an object of another company answer?',
    "404 not_found; a site named by path, query or filter that is not the client's: 403 site_not_accessible, whether or not it exists.",
  ),
  gap(
    'other-event-triggers',
    '6',
    'What triggers the events that are only named?',
    'Each status change of an alert, and each step of a muster, once. muster.targets_changed for exclusions and reinstatements, muster.kind_changed for a change of kind; muster.worker_missing at the count at which somebody who was not told of before is not safe after the deadline (15 min after the start without one), one for each count.',
  ),
  gap(
    'muster-updated-order',
    '6',
    'Which comes first where one count changes the figures and finds somebody missing?',
    'muster.updated, dated when the count was due; muster.worker_missing a millisecond later, with the same figures.',
  ),
  gap('muster-min-severity', '6.8', 'Does min_severity restrict muster.* events?', 'No.'),
  gap(
    'contractors-filter',
    '6.8',
    'What affects a contractor?',
    'Alerts of its workers, site-wide alerts, and musters that expect one of its workers.',
  ),
  turnable(
    'retry',
    '6.5',
    'Do the retry times count from the event or from the failed attempt?',
    'offset: from created_at, 30 attempts in all, one that falls due while its predecessor is in flight is skipped; delay: from the failed attempt, until 24 h after the event.',
  ),
  gap(
    'signature-key',
    '5',
    'Which bytes are the key of the signature?',
    'The whole whsec_... string as UTF-8; in a rotation the newest signature stands first, joined by a comma without a space.',
  ),
  gap(
    'unresolvable-host',
    '4 Create a destination',
    'Is a name that does not resolve now a public address?',
    'It is accepted, and its deliveries fail until it resolves to public addresses only.',
  ),
  gap('destinations-limit', '4', 'How many destinations may a company have?', '20; more are 422.'),
  gap(
    'test-event',
    '4 Test',
    'What does the test event carry?',
    'An sos alert with an id that no GET knows, the first site by name, no worker, device or zone; it ignores event_types and filters and is in no log.',
  ),
  gap(
    'codes',
    '7',
    'The complete set of code values',
    'As the pages under {base_url}/problems/ say; 400, 404, 405, 408, 409, 413, 414, 415, 431, 500 and 503 may come where the specification lists none.',
  ),
  gap(
    'limits-window',
    '8',
    'How are the limits of a minute counted?',
    'An exact sliding window per client; 404s and token requests count, requests refused by 429 and those with the control token do not. Query time is charged after the answer.',
  ),
  gap('body-size', '8', 'How large may a body be?', '64 KiB.'),
  gap('versions', '9', 'How does a client pin a version?', 'It cannot; api_version is 2026-09-24.'),
  gap(
    'duplicate-keys',
    '4',
    'What does a JSON body with the same key twice answer?',
    '400 malformed_json (at the token endpoint invalid_request): either value could be meant.',
  ),
  gap(
    'turned-window',
    '4',
    'What does created_before earlier than created_after answer?',
    '422 validation_failed; equal times are an empty page.',
  ),
  gap(
    'body-not-needed',
    '4',
    'What happens to a JSON body on DELETE, test or rotate-secret?',
    'It is ignored when it is JSON, and refused when it is not.',
  ),
  gap(
    'headers',
    '4',
    'How large may the headers of a request be?',
    '16 KiB and 200 headers; more is 431. A repeated Authorization, Host or Content-Type is 400.',
  ),
  gap(
    'limited-token-request',
    '8',
    'In which shape is a limited token request refused?',
    '429 with Retry-After in the OAuth shape: invalid_request over the limit, invalid_client after 20 failed attempts.',
  ),
  gap(
    'nearby-under-veil',
    '2 Nearby',
    'Does the on-demand veil hide people from nearby?',
    'No: only a privacy zone does. It tells a distance, never a position.',
  ),
];
