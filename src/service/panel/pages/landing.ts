/** The page at `/`: links, live counters, a client's first requests, and forms that perform actions. */

import { CLI } from '../../../base/text/command-form.ts';
import { Html, html } from '../../../base/text/html.ts';
import { shellWord } from '../../../base/text/printable.ts';
import { MUSTER_KINDS } from '../../../contract/enumerations.ts';
import { choice, copyable, copyButton, secretForm, TOKEN_FIELD } from '../../../watching/regions/forms.ts';
import { regionSection } from '../../../watching/regions/regions.ts';
import { many, type PanelLook } from '../../../watching/regions/scene.ts';
import { exampleCodeOf, sitesOf } from '../../../watching/state/state.ts';
import { spanText } from '../../../watching/state/words.ts';
import type { PanelPage } from '../document.ts';
import type { ScenarioRun } from '../try.ts';

export interface FirstClient {
  readonly id: string;
  readonly secret: string;
}

/** Inputs in addition to the stream's state. */
export interface Landing {
  readonly baseUrl: string;
  readonly mqttUrl: string;
  /** Null without a client. */
  readonly clientId: string | null;
  readonly scenarios: readonly { readonly name: string; readonly title: string }[];
  /** The newest first. */
  readonly runs: readonly ScenarioRun[];
}

const LINKS = [
  ['/panel', 'Control room', 'sites, alerts and musters, live; its map and its actions'],
  [
    '/panel/deliveries',
    'Deliveries',
    'each webhook with headers, body, signature and answer; with an inbox, also without a receiver',
  ],
  ['/panel/calls', 'Calls of clients', 'the requests of clients, and the fix of each problem'],
  ['/guide/', 'Guide', 'quick starts, how-to and reference, with a search'],
  ['/docs', 'API reference', 'every operation with its fields, errors and a curl command'],
  ['/openapi.json', 'openapi.json', 'the contract for tools, as OpenAPI 3.1'],
  ['/openapi-3.0.json', 'openapi-3.0.json', 'the contract for tools that do not support OpenAPI 3.1'],
  ['/asyncapi.json', 'asyncapi.json', 'the messages of watches over MQTT'],
  ['/healthz', 'healthz', '200 while the sandbox works, 503 while its storage is not available'],
] as const;

const FIRST_SCENARIO = 'fall-to-sos';

const MOST_RUNS = 8;

/** Maximum number of entries of the datalist. */
const MOST_PEOPLE = 60;

export function landingPage(look: PanelLook, landing: Landing): PanelPage {
  const links = LINKS.map(
    ([to, name, what]) => html`<li><a href="${to}">${name}</a> <span class="dim">${what}</span></li>`,
  );
  const main = html`${regionSection('counters', look)}<div class="split"><div><section><h2>Make something happen</h2>${look.reader.acts ? actionsView(look) : commandsView(look)}</section><section id="scenarios"><h2>Scenarios</h2>${look.reader.acts ? scenarioForm(landing) : new Html('')}<div data-part="runs">${runsView(landing.runs, look.now)}</div></section></div><div><section><h2>Pages and documents</h2><ul class="links">${links}</ul></section>${connectView(landing)}<section><h2>A client’s first requests</h2>${curlView(landing.baseUrl, null)}${look.reader.acts ? secretForm() : new Html('')}</section>${regionSection('alerts', look)}</div></div>`;
  return { title: 'muster-sandbox', follows: 'site', main };
}

/** What a client and a watch connect to. */
function connectView({ baseUrl, mqttUrl, clientId }: Landing): Html {
  const lines: readonly (readonly [string, Html])[] = [
    ['API', copyable('api-url', baseUrl, 'the address of the API')],
    ...(clientId === null ? [] : ([['Client id', copyable('client-id', clientId, 'the client id')]] as const)),
    [
      'MQTT',
      html`${copyable('mqtt-url', mqttUrl, 'the address of the broker')} <a href="/guide/own-watches.html">connect a watch</a>`,
    ],
  ];
  return html`<section><h2>Connect</h2><dl class="facts connect">${lines.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></section>`;
}

const commandsView = ({ world }: PanelLook): Html => {
  const worker = exampleCodeOf(world);
  return html`<p>Open the link that <code>${CLI} up</code> shows to perform actions here, or <a href="/panel/enter?to=/">show the control token</a>. In a terminal:</p><pre>${CLI} trigger fall --who ${shellWord(worker)}
${CLI} trigger sos --who ${shellWord(worker)}
${CLI} trigger start_muster --site 'Terminal Puerto Alerce' --kind general --by 'Shift lead'</pre>`;
};

const form = (inside: Html): Html => html`<form method="post" action="/panel/try" class="filter">${inside}</form>`;

function actionsView({ world }: PanelLook): Html {
  const people = [...world.workers.values()].filter(({ is_active, external_id }) => is_active && external_id !== null);
  const options = people
    .slice(0, MOST_PEOPLE)
    .map(({ external_id, name }) => html`<option value="${external_id ?? ''}">${name ?? ''}</option>`);
  const sites = sitesOf(world).map(({ id, name }) => [id, name] as const);
  const kinds = MUSTER_KINDS.map((kind) => [kind, kind] as const);
  return html`${form(html`<label>Who <input name="who" list="people" value="${people.length === 0 ? '' : exampleCodeOf(world)}" maxlength="120" required autocomplete="off"></label><datalist id="people">${options}</datalist><button name="what" value="fall">A fall</button><button name="what" value="sos">An SOS</button>`)}${form(html`${choice('site', 'Site', sites)}${choice('kind', 'Kind', kinds)}<button name="what" value="muster" class="danger">A muster</button>`)}`;
}

function scenarioForm({ scenarios }: Landing): Html {
  if (scenarios.length === 0)
    return html`<p class="dim">No scenario is here: <code>${CLI} init</code> writes a first one.</p>`;
  // The scenario that the documentation uses comes first.
  const ordered = [...scenarios].sort((a, b) => Number(b.name === FIRST_SCENARIO) - Number(a.name === FIRST_SCENARIO));
  const options = ordered.map(({ name, title }) => [name, title === '' ? name : `${name}: ${title}`] as const);
  return form(
    html`${choice('scenario', 'Scenario', options)}${TOKEN_FIELD}<button name="what" value="scenario">Play it</button>`,
  );
}

/** The reply to a valid control token: the first requests with the secret of the first company. */
export const secretsView = (baseUrl: string, credentials: FirstClient): Html =>
  html`<dl class="facts connect"><div><dt>Client id</dt><dd>${copyable('client-id', credentials.id, 'the client id')}</dd></div><div><dt>Secret</dt><dd>${copyable('client-secret', credentials.secret, 'the secret')}</dd></div></dl>${curlView(baseUrl, credentials)}<p><a href="/">Back</a></p>`;

/** This part is fetched again while a scenario runs. */
export function runsView(runs: readonly ScenarioRun[], now: number): Html {
  if (runs.length === 0)
    return html`<p class="dim">No scenario was run here. The result of a run appears here. <code>${CLI} trigger --list</code> lists the actions, <code>${CLI} run fall-to-sos</code> runs a scenario in a sandbox of its own.</p>`;
  const rows = runs.slice(0, MOST_RUNS).map((run) => {
    const failures = run.failures.map(({ line, text }) => html`<li>line ${line}: ${text}</li>`);
    const lasted = spanText((run.endedAt ?? now) - run.startedAt);
    return html`<li data-key="${run.id}"><b class="verdict ${run.status}">${run.status}</b> ${run.scenario} <span class="dim">${run.stepsDone} of ${many(run.stepsTotal, 'step')}, ${lasted}</span>${failures.length === 0 ? '' : html`<ul>${failures}</ul>`}</li>`;
  });
  const isLive = runs.some(({ status }) => status === 'running');
  return html`<ul class="runs">${rows}</ul>${isLive ? html`<i data-runs hidden></i><noscript><p>Reload the page to see the result.</p></noscript>` : new Html('')}`;
}

/** `credentials` null: the requests use variables, and a command sets these to the credentials. */
function curlView(baseUrl: string, credentials: FirstClient | null): Html {
  const [id, secret] =
    credentials === null ? ['$SANDBOX_CLIENT_ID', '$SANDBOX_CLIENT_SECRET'] : [credentials.id, credentials.secret];
  const env = credentials === null ? `eval "$(${CLI} env --format sh)"   # id and secret of the first client\n` : '';
  const token = `TOKEN=$(curl -s ${baseUrl}/v1/oauth/token \\\n  -d grant_type=client_credentials -d client_id=${id} \\\n  -d client_secret=${secret} \\\n  | node -pe 'JSON.parse(require("fs").readFileSync(0)).access_token')`;
  const alerts = `curl -s ${baseUrl}/v1/alerts -H "Authorization: Bearer $TOKEN"`;
  return html`<pre tabindex="0" id="first-requests">${env}${token}\n${alerts}</pre>${copyButton('first-requests', 'the first requests')}`;
}
