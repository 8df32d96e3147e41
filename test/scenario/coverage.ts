/** Which scenario covers which clause of the specification: a clause is covered by a scenario whose text checks it, and every scenario passes in CI. */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ALERT_TYPES, EVENT_TYPES } from '../../src/contract/enumerations.ts';
import { readYaml } from '../../src/plant/yaml-source.ts';

export const SCENARIOS = resolve(import.meta.dirname, '../../scenarios');

export interface ShippedScenario {
  /** Without `.scenario.yaml`. */
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly title: string;
  readonly about: string;
  readonly tags: readonly string[];
}

/** In the order of their names. */
export function shippedScenarios(): ShippedScenario[] {
  const files = readdirSync(SCENARIOS).filter((name) => name.endsWith('.scenario.yaml'));
  return files.sort().map((base) => {
    const file = resolve(SCENARIOS, base);
    const text = readFileSync(file, 'utf8');
    const {
      scenario,
      about,
      tags = [],
    } = readYaml(text, base).value as { scenario: string; about: string; tags?: string[] };
    return {
      name: base.replace('.scenario.yaml', ''),
      file,
      text,
      title: scenario,
      about: about.replace(/\s+/g, ' ').trim(),
      tags,
    };
  });
}

export interface Clause {
  readonly clause: string;
  readonly what: string;
  /** What a scenario that checks it has in its text: all of these. */
  readonly has: readonly RegExp[];
}

const on = (clause: string, what: string, ...has: RegExp[]): Clause => ({ clause, what, has });

/** What the scenarios must cover between them. */
export const CLAUSES: readonly Clause[] = [
  ...ALERT_TYPES.map((type) => on('spec 2 AlertType', type, new RegExp(`(?:alert|type): ${type}\\b`))),
  ...['watch_button', 'watch_hardware_button', 'after_fall', 'control_room'].map((trigger) =>
    on('spec 2 SosDetails', `trigger ${trigger}`, new RegExp(`trigger: ${trigger}\\b`)),
  ),
  ...EVENT_TYPES.map((type) => on('spec 6 EventType', type, new RegExp(`event: ${type.replace('.', '\\.')}\\b`))),
  on('spec 2 Nearby', 'workers and vehicles within 100 m', /nearby: \{?\[?\{?contains|nearby: \[\{/),
  on('spec 2 VehicleWarning', 'a vehicle is a notice, not an alert', /vehicle_warnings/),
  on('spec 3 Alert status', 'acknowledged, resolved, and 409 for what the state does not allow', /invalid_transition/),
  on('spec 3 Alert status', 'reopened by the panel', /reopen:/),
  on('spec 4 Alert update', 'reason and note', /note: Sprained/),
  on(
    'decisions 5',
    'a second press joins the open alert',
    /watch_hardware_button\}\n( {4}equivalent: .*\n)? {2}- never/,
  ),
  on('decisions 5', 'a new entry alert requires an exit first', /leave:/),
  on('decisions 5', 'an official notice updates the estimate without an event', /official: true, magnitude: 7/),
  on('decisions 5', 'a voice note recorded without coverage', /voice_note: true/),
  on('spec 3 Muster', 'change of kind', /change_kind:/),
  on('spec 3 Muster', 'inspection only when nobody is missing', /inspect: .*\n {4}refused: true/),
  on('spec 3 Muster', 'completed', /outcome: completed/),
  on('spec 3 Muster', 'cancelled', /outcome: cancelled/),
  on('spec 3 Assembly point', 'excluded by a person', /exclude_point:/),
  on('spec 3 Assembly point', 'reinstated', /reinstate_point:/),
  ...['help', 'wrong_point', 'pending', 'no_signal', 'not_worn'].map((status) =>
    on('spec 2 MissingWorker', `status ${status}`, /missing: /, new RegExp(`(?:: |status: )${status}\\b`)),
  ),
  on('decisions 6', 'one active muster per site', /start_muster: .*\n {4}refused: true/),
  on('decisions 6', 'declared, and contradicted by a newer position', /declare:/),
  on('decisions 6', 'marked safe by the control room', /mark_safe:/),
  on('decisions 6', 'a vertical point by height', /vertical: true/),
  on('decisions 6', 'workers who arrive join the muster, workers who leave stay expected', /gone for lunch/),
  on('decisions 6', 'a trapped worker stays in place until freed', /move: .*\n {4}refused: true/, /free: /),
  on(
    'decisions 6',
    'no worker is lost during a complete outage',
    /broker: (?:\{does: )?stop/,
    /api_fault:/,
    /does: refuse/,
    /safe: 16/,
  ),
  on('spec 2 Muster', 'deadline of an official notice', /deadline_source: official/),
  on('spec 2 Muster', 'deadline of the plan', /plan_estimate/),
  on('spec 6.5', 'retries at 10 s, 30 s, 2 min, 10 min', /offsets: \[0s, 10s, 30s, 2m, 10m\]/),
  on('spec 6.4', 'only a 2xx counts', /matrix:\n {2}fault: \[301/),
  on('spec 4 Receiver', 'redirects are not followed', /redirect/),
  on('spec 4 Receiver', 'an answer after 5 s is a failure', /within: 5s\.\.5s/),
  on('spec 6.6', 'lost after 24 h, with an e-mail', /result: lost, tries: 30/, /mail: any/),
  on('spec 6.6', 'the gap is filled from the event log', /created_after/),
  on('spec 6.7', 'a failing destination stays active', /failing_since: any, is_active: true/),
  on('spec 6.2', 'a delivery arrives twice', /duplicate: 2/),
  on('spec 6.3', 'a newer event overtakes an older one', /order: \[alert\.(?:resolved|acknowledged), alert/),
  on('spec 6.8', 'filters by severity, contractor and type', /min_severity: high/, /contractors: \[/),
  on('spec 4 Rotate', 'both secrets sign for 24 h', /rotate_secret/, /signatures: 2/, /signatures: 1/),
  on('spec 4 Test', 'a test event, which is not in the event log', /webhook: \{test:/),
  on('decisions 7', 'deleting a destination drops its pending deliveries', /result: dropped/),
  on('spec 5', '401: missing, expired, revoked', /token: none/, /token: expired/, /token: revoked/),
  on('spec 5', '403: the scope is missing', /insufficient_scope/),
  on('spec 5', '403: the site belongs to another company', /site_not_accessible/),
  on('decisions 2', '404: the alert belongs to another company', /code: not_found/),
  on('spec 8', 'requests per minute', /rate_limited/),
  on('spec 8', 'query time per minute', /query_time_exceeded/),
  on('spec 2 Site', 'on-demand veil', /privacy_mode: on_demand/),
  on('decisions 4', 'an approved position request', /unveil:/),
  on('decisions 4', 'a privacy zone masks the point', /masked: true/),
  on('spec 5', 'names only if the contract includes them', /include_worker_names: false/),
  on('decisions 4', 'contractor scoping', /contract: \{contractors/),
  on('decisions 1', 'a walk through pages neither skips nor repeats an item', /next_cursor/),
  on('races', 'panel and API change one alert at the same instant', /together:\n {6}- acknowledge/),
  on('races', 'a token expires during a walk through pages', /token: expired/, /next_cursor/),
  on('races', 'a secret is rotated between two attempts', /tries: 2, signatures: 2/),
  on('watch-protocol', 'the watch stores its messages while the broker is down', /broker: (?:\{does: )?stop/),
  on('decisions 2', 'the API answers 503', /status: 503/, /api_fault/),
];

/** The names of the scenarios that cover a clause. */
export function covering({ has }: Clause, scenarios: readonly ShippedScenario[]): string[] {
  return scenarios.filter(({ text }) => has.every((pattern) => pattern.test(text))).map(({ name }) => name);
}

/** `scenarios/README.md`. */
export function coverageReadme(): string {
  const scenarios = shippedScenarios();
  const rows = CLAUSES.map(
    (one) => `| ${one.clause} | ${one.what} | ${covering(one, scenarios).map(linked).join(', ')} |`,
  );
  return [
    '# Scenarios of the package',
    '',
    'Each scenario is short, and the tests of this project run it. Copy one and change it.',
    '',
    '- **Run all:** `sandbox run scenarios --jobs 2`',
    '- **Run one:** `sandbox run scenarios/drill.scenario.yaml`',
    '- **Run those with a tag:** `sandbox run tag:smoke`',
    '',
    '| scenario | what happens | tags |',
    '|---|---|---|',
    ...scenarios.map(
      ({ name, title, about, tags }) => `| ${linked(name)} | **${title}.** ${about} | ${tags.join(', ')} |`,
    ),
    '',
    '## Clauses and the scenarios that cover them',
    '',
    '`node --import tsx test/generated/write.ts` generates this table from the texts of the scenarios.',
    '',
    '| clause | what | scenarios |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const linked = (name: string): string => `[${name}](${name}.scenario.yaml)`;
