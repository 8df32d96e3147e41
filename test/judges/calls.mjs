/** End-to-end calls of every operation: requests that are right, and one for every refusal that the document promises. */

const NOBODY = '00000000-0000-4000-8000-000000000000';
const BIG = 'x'.repeat(70_000);
const MANY = Object.fromEntries(Array.from({ length: 220 }, (_, n) => [`x-many-${n}`, '1']));
const HOOK = { url: 'https://receiver.example/hook', event_types: ['alert.*', 'muster.*'] };
const SESSION = { forward_to: 'http://127.0.0.1:9/hook' };
const DESK = { name: 'Desk 1', external_id: 'op-1' };
const EVER = '2020-01-01T00:00:00.000Z';
const NEVER = '2100-01-01T00:00:00.000Z';

/** Lists that come in pages. */
const PAGED = ['listAlerts', 'listMusters', 'listWorkers', 'listDevices', 'listEvents'];

/** Every refusal, made from a request that would be right. */
const REFUSALS = {
  400: (right) => ({ ...right, query: 'x=%zz' }),
  401: (right) => ({ ...right, token: null }),
  403: (right, { narrow }, operationId) => ({
    ...right,
    token: ['listWorkers', 'listDevices'].includes(operationId) ? narrow.sites : narrow.workers,
  }),
  404: (right) => ({ ...right, path: right.path.replace(/[0-9a-f-]{36}/, NOBODY) }),
  413: (right) => ({ ...right, body: BIG }),
  414: (right) => ({ ...right, query: `x=${'x'.repeat(9_000)}` }),
  415: (right) => ({ ...right, body: 'x', type: 'text/plain' }),
  422: (right, _stage, operationId) => ({ ...right, query: PAGED.includes(operationId) ? 'cursor=abc' : 'nothing=1' }),
  // The control token spends no limit; a client's does before it is told that it may not.
  429: (right, { token, control }) => (right.token === control ? { ...right, token } : right),
  431: (right) => ({ ...right, headers: MANY }),
};

/** Where the general way does not lead to a refusal, or needs something to have happened before. */
const OTHER_REFUSALS = {
  'issueToken 401': (right) => ({ ...right, body: right.body.replace(/secret=\w+/, 'secret=wrong') }),
  'listZones 404': (right) => ({ ...right, path: right.path.replace(/[0-9a-f-]{36}/, 'nope') }),
  'updateAlert 409': (right, { resolved }) => ({
    ...right,
    path: `/v1/alerts/${resolved}`,
    body: { status: 'acknowledged', actor: DESK },
  }),
  'startRun 403': (right, { token }) => ({
    ...right,
    token,
    path: right.path.replace('fall-to-sos', 'starts-a-command'),
  }),
  'startRun 404': (right) => ({ ...right, path: right.path.replace('fall-to-sos', 'nobodys') }),
  'startRun 409': (right) => ({ ...right, path: right.path.replace('fall-to-sos', 'receiver-outage') }),
  'beginRecording 403': (right, { token }) => ({ ...right, token }),
  'endRecording 403': (right, { token }) => ({ ...right, token }),
  'explainDelivery 403': (right, { token }) => ({ ...right, token }),
  'listSessionDestinations 403': (right, { token }) => ({ ...right, token }),
  'createSessionDestination 403': (right, { token }) => ({ ...right, token }),
  'createSessionDestination 404': (right) => ({ ...right, body: { ...SESSION, company: 'Nobody' } }),
  'createSessionDestination 422': (right) => ({ ...right, body: { forward_to: 'nowhere' } }),
  'deleteSessionDestinations 403': (right, { token }) => ({ ...right, token }),
  'deleteSessionDestination 403': (right, { token }) => ({ ...right, token }),
  ...Object.fromEntries(
    ['getWorld', 'listSnapshots', 'saveSnapshot', 'loadSnapshot', 'resetSandbox'].map((operationId) => [
      `${operationId} 403`,
      (right, { token }) => ({ ...right, token }),
    ]),
  ),
  'saveSnapshot 422': (right) => ({ ...right, body: { name: '../up' } }),
  'loadSnapshot 404': (right) => ({ ...right, path: right.path.replace('judged', 'nobodys') }),
  'openStream 403': (right) => ({ ...right, query: 'truth=true' }),
  'performAction 403': (right) => ({ ...right, body: { action: 'limits', requests_per_minute: 1 } }),
  'performAction 404': (right) => ({ ...right, body: { action: 'sos', who: 'W-999' } }),
  'performAction 409': (right) => ({ ...right, body: { action: 'answer', who: 'W-009', with: 'ok' } }),
};

/**
 * operationId -> requests that are right, each `[path, what else]`; the first is the one that refusals are made from. Lists are
 * written by repeating the parameter: Redocly takes `a,b` for one word, whatever `explode` says.
 */
const RIGHT = {
  issueToken: ({ credentials }) => [
    ['/v1/oauth/token', { token: null, body: credentials, type: 'application/x-www-form-urlencoded' }],
    ['/v1/oauth/token', { token: null, body: Object.fromEntries(new URLSearchParams(credentials)) }],
  ],
  listSites: () => [['/v1/sites']],
  listZones: ({ site }) => [
    [`/v1/sites/${site}/zones`],
    [`/v1/sites/${site}/zones`, { query: 'type=privacy&type=building' }],
  ],
  listAlerts: ({ site, worker, cursor }) => [
    ['/v1/alerts'],
    ['/v1/alerts', { query: `site_id=${site}&worker_id=${worker}&contractor=Nobody&simulated=true` }],
    ['/v1/alerts', { query: 'status=unacknowledged&status=resolved&type=sos&min_severity=high&limit=1' }],
    ['/v1/alerts', { query: `created_after=${EVER}&created_before=${NEVER}&modified_since=${EVER}` }],
    ['/v1/alerts', { query: `limit=1&cursor=${encodeURIComponent(cursor)}` }],
  ],
  getAlert: ({ alert }) => [[`/v1/alerts/${alert}`]],
  updateAlert: ({ alert }) => [
    [`/v1/alerts/${alert}`, { body: { status: 'acknowledged', actor: DESK, note: 'On our way.' } }],
    [`/v1/alerts/${alert}`, { body: { status: 'resolved', actor: DESK, resolution_reason: 'Helped.', note: 'Done.' } }],
  ],
  listMusters: ({ site }) => [
    ['/v1/musters'],
    ['/v1/musters', { query: `site_id=${site}&status=active&kind=general&limit=5` }],
  ],
  getMuster: ({ muster }) => [[`/v1/musters/${muster}`]],
  listMissingWorkers: ({ muster }) => [[`/v1/musters/${muster}/missing`]],
  listWorkers: ({ site }) => [
    ['/v1/workers'],
    ['/v1/workers', { query: `site_id=${site}&contractor=Nobody&is_active=true&external_id=W-001&limit=200` }],
  ],
  listDevices: ({ site }) => [
    ['/v1/devices'],
    ['/v1/devices', { query: `site_id=${site}&status=active&worn=true&limit=5` }],
  ],
  listPositions: ({ site }) => [['/v1/positions'], ['/v1/positions', { query: `site_id=${site}` }]],
  listEvents: ({ site }) => [
    ['/v1/events'],
    [
      '/v1/events',
      {
        query: `site_id=${site}&type=alert.*&type=muster.started&created_after=${EVER}&created_before=${NEVER}&limit=2`,
      },
    ],
  ],
  listWebhooks: () => [['/v1/webhooks']],
  createWebhook: ({ site }) => [
    ['/v1/webhooks', { body: HOOK }],
    [
      '/v1/webhooks',
      { body: { ...HOOK, filters: { site_ids: [site], min_severity: 'high', contractors: ['Nobody'] } } },
    ],
  ],
  deleteWebhook: ({ spare }) => [[`/v1/webhooks/${spare}`]],
  rotateWebhookSecret: ({ hook }) => [[`/v1/webhooks/${hook}/rotate-secret`]],
  testWebhook: ({ hook }) => [[`/v1/webhooks/${hook}/test`]],
  listActions: () => [['/v1/sandbox/actions']],
  performAction: () => [
    ['/v1/sandbox/actions', { body: { action: 'sos', who: 'W-005' } }],
    ['/v1/sandbox/actions', { body: { action: 'fall', who: ['W-006', 'W-007'], answers: 'ok' } }],
    ['/v1/sandbox/actions', { body: { action: 'battery', who: 'W-008', pct: 12 } }],
    ['/v1/sandbox/actions', { body: { action: 'signal', who: 'W-010', is: 'lost' } }],
    ['/v1/sandbox/actions', { body: { action: 'sos', who: 'W-010' } }],
  ],
  listScenarios: () => [['/v1/sandbox/scenarios']],
  startRun: () => [['/v1/sandbox/scenarios/fall-to-sos/runs', { body: { seed: '7', parameters: {} } }]],
  listRuns: () => [['/v1/sandbox/runs']],
  getRun: ({ run }) => [[`/v1/sandbox/runs/${run}`]],
  cancelRun: ({ run }) => [[`/v1/sandbox/runs/${run}`]],
  beginRecording: ({ control }) => [['/v1/sandbox/recordings', { token: control }]],
  endRecording: ({ control, recording }) => [[`/v1/sandbox/recordings/${recording}`, { token: control }]],
  waitFor: ({ alert, muster }) => [
    ['/v1/sandbox/wait', { body: { alert, match: { of: 'W-003', type: 'fall_detected' }, within: '30s' } }],
    ['/v1/sandbox/wait', { body: { muster, match: { kind: 'general' }, since: EVER } }],
    ['/v1/sandbox/wait', { body: { event: 'muster.started', match: { about: muster, count: 1 }, since: EVER } }],
    ['/v1/sandbox/wait', { body: { request: 'GET /v1/sites', match: { status: 200 }, since: EVER } }],
    ['/v1/sandbox/wait', { body: { delivery: 'any', match: { about: alert, result: 'delivered' }, since: EVER } }],
  ],
  getClock: ({ control }) => [['/v1/sandbox/clock', { token: control }]],
  turnClock: ({ control }) => [
    ['/v1/sandbox/clock', { token: control, body: { speed: 1 } }],
    ['/v1/sandbox/clock', { token: control, body: { advance: '1s' } }],
  ],
  listGaps: () => [['/v1/sandbox/gaps']],
  getCoverage: ({ control }) => [['/v1/sandbox/coverage'], ['/v1/sandbox/coverage', { token: control }]],
  listRequests: () => [['/v1/sandbox/requests'], ['/v1/sandbox/requests', { query: 'limit=5&own=true' }]],
  listMail: () => [['/v1/sandbox/mail'], ['/v1/sandbox/mail', { query: 'limit=5' }]],
  listNewestEvents: ({ control }) => [
    ['/v1/sandbox/events', { token: control }],
    ['/v1/sandbox/events', { token: control, query: 'limit=5' }],
  ],
  listWatchLog: ({ control }) => [
    ['/v1/sandbox/watches', { token: control }],
    ['/v1/sandbox/watches', { token: control, query: 'limit=5' }],
  ],
  openStream: ({ control }) => [
    ['/v1/sandbox/stream', { query: 'once=true&ticket=none' }],
    ['/v1/sandbox/stream', { token: control, query: 'once=true&truth=true' }],
  ],
  explainDelivery: ({ control, event }) => [
    [`/v1/sandbox/deliveries/${event}`, { token: control }],
    [`/v1/sandbox/deliveries/${event}`, { token: control, query: 'got=v1%3D0' }],
  ],
  listDeliveries: ({ event, hook }) => [
    ['/v1/sandbox/deliveries'],
    ['/v1/sandbox/deliveries', { query: `limit=5&event_id=${event}&destination_id=${hook}` }],
  ],
  listSessionDestinations: ({ control }) => [['/v1/sandbox/destinations', { token: control }]],
  createSessionDestination: ({ control }) => [
    ['/v1/sandbox/destinations', { token: control, body: SESSION }],
    ['/v1/sandbox/destinations', { token: control, body: { ...SESSION, event_types: ['alert.created'] } }],
  ],
  deleteSessionDestinations: ({ control }) => [['/v1/sandbox/destinations', { token: control }]],
  deleteSessionDestination: ({ control, session }) => [[`/v1/sandbox/destinations/${session}`, { token: control }]],
  listNodes: ({ control }) => [['/v1/sandbox/nodes', { token: control }]],
  getWorld: ({ control }) => [['/v1/sandbox/world', { token: control }]],
  listSnapshots: ({ control }) => [['/v1/sandbox/snapshots', { token: control }]],
  saveSnapshot: ({ control }) => [['/v1/sandbox/snapshots', { token: control, body: { name: 'judged' } }]],
  loadSnapshot: ({ control }) => [['/v1/sandbox/snapshots/judged/load', { token: control }]],
  resetSandbox: ({ control }) => [['/v1/sandbox/reset', { token: control }]],
};

/** They replace the world, so they come last; two at once, of which one is refused with 409. */
const REPLACING = ['loadSnapshot', 'resetSandbox'];
const PAIRS = 10;

/** `[operationId, method, its refusals by status]` of everything that a document describes. */
export const operationsOf = ({ paths }) =>
  Object.values(paths).flatMap((item) =>
    Object.entries(item).map(([method, { operationId, responses }]) => ({
      operationId,
      method: method.toUpperCase(),
      refusals: Object.keys(responses).filter((status) => status >= 400),
    })),
  );

/** Calls it all; gives what was answered otherwise than it was asked for, in words. */
export async function callEverything({ url, document, ready, receiver, beyondReach }) {
  const surprises = [];
  const send = (request) => sendTo(url, request);
  const stage = await setTheStage(send, ready, receiver);
  const operations = operationsOf(document);
  const limits = (requests_per_minute) =>
    send({
      ...ACT,
      token: ready.control_token,
      body: { ...LIMITS, company: ready.clients[0].client_id, requests_per_minute },
    });

  const requestsOf = ({ operationId, method }) =>
    (RIGHT[operationId]?.(stage) ?? []).map(([path, more]) => ({ method, path, token: stage.token, ...more }));
  const refuse = async (operation, status) => {
    const [right] = requestsOf(operation);
    const make = OTHER_REFUSALS[`${operation.operationId} ${status}`] ?? REFUSALS[status];
    if (right === undefined || make === undefined) return;
    const answer = await send(make(right, stage, operation.operationId));
    if (answer.status !== Number(status))
      surprises.push(
        `${operation.operationId}: asked for ${status}, got ${answer.status} ${answer.text.slice(0, 300)}`,
      );
  };

  await limits(1_000_000);
  for (const operation of operations) {
    const requests = requestsOf(operation);
    if (requests.length === 0)
      surprises.push(`${operation.operationId}: nobody calls it; give it a row of RIGHT in test/judges/calls.mjs`);
    for (const status of operation.refusals)
      if (status !== '429' && !beyondReach.includes(Number(status)) && !isOfTwo(operation, status))
        await refuse(operation, status);
  }
  // What a deletion or a signal changes comes after every refusal that needs it as it was.
  const isLast = ({ operationId }) => Number(operationId === 'deleteSessionDestinations');
  const plain = operations.filter(({ operationId }) => !REPLACING.includes(operationId));
  for (const operation of plain.sort((a, b) => isLast(a) - isLast(b)))
    for (const request of requestsOf(operation)) {
      const { status, text } = await send(request);
      if (status >= 300)
        surprises.push(`${operation.operationId}: ${status} for a right request ${text.slice(0, 300)}`);
    }
  await limits(0);
  for (const operation of operations) if (operation.refusals.includes('429')) await refuse(operation, '429');
  await limits(1_000_000);
  for (const operationId of REPLACING) {
    const [right] = requestsOf(operations.find((operation) => operation.operationId === operationId));
    const met = new Set();
    // The second may also find the door closed for a moment, while the new world is let in.
    for (let pair = 0; pair < PAIRS && !(met.has(200) && met.has(409)); pair++)
      for (const { status } of await Promise.all([send(right), send(right)])) met.add(status);
    if (!met.has(200) || !met.has(409)) surprises.push(`${operationId}: two at once got ${[...met]} only`);
  }
  return surprises;
}

const isOfTwo = ({ operationId }, status) => status === '409' && REPLACING.includes(operationId);

const ACT = { method: 'POST', path: '/v1/sandbox/actions' };
const LIMITS = { action: 'limits', query_seconds_per_minute: 1_000_000 };

/** Tokens, and one of each thing that has an id: all of it made by the API itself. */
async function setTheStage(send, ready, receiver) {
  const [{ client_id, client_secret }] = ready.clients;
  const credentials = String(new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }));
  const tokenFor = async (scope) => {
    const body = `${credentials}${scope === undefined ? '' : `&scope=${scope}`}`;
    const answer = await send({
      method: 'POST',
      path: '/v1/oauth/token',
      body,
      type: 'application/x-www-form-urlencoded',
    });
    return answer.json.access_token;
  };
  const token = await tokenFor();
  const get = async (path) => (await send({ method: 'GET', path, token })).json;
  const post = async (path, body) => (await send({ method: 'POST', path, token, body })).json;
  const act = async (body) => (await post(ACT.path, body)).result;
  const [{ id: site }] = (await get('/v1/sites')).data;
  const [hook, spare] = [await post('/v1/webhooks', HOOK), await post('/v1/webhooks', HOOK)];
  const { alert_id: resolved, worker_id: worker } = await act({ action: 'sos', who: 'W-002' });
  await send({
    method: 'PATCH',
    path: `/v1/alerts/${resolved}`,
    token,
    body: { status: 'resolved', actor: DESK },
  });
  const { alert_id: alert } = await act({ action: 'fall', who: 'W-003', answers: 'ok' });
  const { id: event } = JSON.parse((await receiver.delivery(({ text }) => text.includes(alert))).text);
  const begun = { action: 'start_muster', site, kind: 'general', by: DESK.name };
  const { muster_id: muster } = (await send({ ...ACT, token: ready.control_token, body: begun })).json.result;
  const scenario = '/v1/sandbox/scenarios/fall-to-sos/runs';
  const { id: run } = (await send({ method: 'POST', path: scenario, token, body: {} })).json;
  await send({ method: 'DELETE', path: `/v1/sandbox/runs/${run}`, token });
  const { id: recording } = (await send({ method: 'POST', path: '/v1/sandbox/recordings', token: ready.control_token }))
    .json;
  const sessions = '/v1/sandbox/destinations';
  const other = { forward_to: 'http://127.0.0.1:9/other' };
  const { id: session } = (await send({ method: 'POST', path: sessions, token: ready.control_token, body: other }))
    .json;
  return {
    token,
    session,
    run,
    recording,
    credentials,
    narrow: { workers: await tokenFor('workers:read'), sites: await tokenFor('webhooks:manage') },
    site,
    worker,
    alert,
    event,
    resolved,
    muster,
    control: ready.control_token,
    hook: hook.id,
    spare: spare.id,
    cursor: (await get('/v1/alerts?limit=1')).next_cursor,
  };
}

async function sendTo(url, { method, path, query, token = null, type, body, headers = {} }) {
  const answer = await fetch(`${url}${path}${query === undefined ? '' : `?${query}`}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  return { status: answer.status, text, json: isJson ? JSON.parse(text) : null };
}
