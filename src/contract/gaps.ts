/** Every point that the API specification leaves open, with this sandbox's reading and its switch. [decisions] */
import { ALERT_GAPS } from './gaps/alerts.ts';
import { type Gap, gap } from './gaps/gap.ts';
import { MUSTER_GAPS } from './gaps/musters.ts';

export type { Gap } from './gaps/gap.ts';

/** Switches of `sandbox up --assume NAME=VALUE`; the first value is the default. */
export const SWITCHES = {
  lists: ['any', 'comma', 'repeat'],
  'token-json': ['on', 'off'],
  'by-label': ['generic', 'actor'],
  retry: ['offset', 'delay'],
} as const satisfies Record<string, readonly [string, string, ...string[]]>;

type SwitchName = keyof typeof SWITCHES;
export type Assumptions = { readonly [N in SwitchName]: (typeof SWITCHES)[N][number] };

export const DEFAULT_ASSUMPTIONS: Assumptions = {
  lists: 'any',
  'token-json': 'on',
  'by-label': 'generic',
  retry: 'offset',
};

export const isSwitch = (name: string): name is SwitchName => Object.hasOwn(SWITCHES, name);

const turnable = (name: SwitchName, clause: string, question: string, here: string): Gap => ({
  id: name,
  clause,
  question,
  here,
  switch: `${name}=${SWITCHES[name].join('|')}`,
});

/** Alerts and evacuations first, then in the order of the specification's clauses. */
export const GAPS: readonly Gap[] = [
  ...ALERT_GAPS,
  ...MUSTER_GAPS,
  gap(
    'names-contract',
    '2 Alert',
    'Where is include_worker_names enabled?',
    "It is part of the client's contract; a change holds for what is rendered after it.",
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
    'generic: "Customer operator (via integration)"; actor: "<actor.name> (via integration)". The actor is in the timeline either way.',
  ),
  gap(
    'reason-when-acknowledging',
    '4 Alert update body',
    'May resolution_reason come with acknowledged?',
    'No: 422. A note with acknowledged goes to the timeline only.',
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
  turnable(
    'lists',
    '4',
    'How is a filter given several values?',
    'any: a repeated parameter, a comma and an encoded comma (%2C) all separate; a contractor or staff-system code that contains an encoded comma is also compared as a whole. comma: only a comma that is not encoded separates, and a repeated parameter is 422. repeat: only repetition separates, and a comma is part of the value. status[]=a is 422 in each.',
  ),
  gap(
    'time-bounds',
    '4',
    'Do the bounds of a time filter include the moment itself?',
    '*_after and *_since include it, *_before does not.',
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
    'Oldest first; next_cursor is null at the end of the log. created_at strictly increases per organization, in commit order.',
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
    'What does a wrong or missing secret answer?',
    '401 invalid_client with WWW-Authenticate: Basic; an empty parameter counts as missing. After 20 failures for one client_id within a minute 429; failures from a foreign web page (Origin) are not counted.',
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
  gap('muster-min-severity', '6.8', 'Does min_severity restrict muster.* events?', 'No.'),
  gap(
    'contractors-filter',
    '6.8',
    'What affects a contractor?',
    "Alerts of its workers, site-wide alerts, and musters that expect one of its workers. Names outside of the client's contract match nothing; the filter never widens what its scopes show.",
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
  gap(
    'id-versions',
    '2',
    'Which version of UUID is an id?',
    'Each id that the sandbox makes is version 4; one that you send (as a request id) may be of any version.',
  ),
  gap('body-size', '8', 'How large may a body be?', '64 KiB.'),
  gap(
    'versions',
    '9',
    'How does a client select or pin a version?',
    'It cannot: there is one API version, 2026-09-24, which every event states in api_version.',
  ),
  gap(
    'deprecation',
    '9',
    'How is a deprecation announced?',
    'Not at all: no version ends, and no answer has a Deprecation or Sunset header.',
  ),
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
];
