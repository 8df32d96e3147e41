/** A running sandbox in which every list of the API has something in it, for judges that read it with generated clients. */
import { openReceiver, upSandbox } from './sandbox.mjs';

/** Reads of the API: operationId -> path, with the ids of the stage. */
export const READS = {
  listSites: () => '/v1/sites',
  listZones: ({ site }) => `/v1/sites/${site}/zones`,
  listAlerts: () => '/v1/alerts?limit=200',
  getAlert: ({ alert }) => `/v1/alerts/${alert}`,
  listMusters: () => '/v1/musters',
  getMuster: ({ muster }) => `/v1/musters/${muster}`,
  listMissingWorkers: ({ muster }) => `/v1/musters/${muster}/missing`,
  listWorkers: () => '/v1/workers?limit=200',
  listDevices: () => '/v1/devices?limit=200',
  listPositions: () => '/v1/positions',
  listEvents: () => '/v1/events?limit=200',
  listWebhooks: () => '/v1/webhooks',
};

/** Alerts of several types, a muster with missing workers, and a webhook destination. */
const HAPPENINGS = [
  { action: 'sos', who: 'W-001' },
  { action: 'fall', who: 'W-002', answers: 'ok' },
  { action: 'battery', who: 'W-003', pct: 3 },
  { action: 'call_request', who: 'W-004' },
  { action: 'hazard', kind: 'earthquake', site: 'Terminal Puerto Alerce', magnitude: 6.1 },
  { action: 'start_muster', kind: 'general', site: 'Terminal Puerto Alerce', by: 'Shift lead' },
  { action: 'cannot_evacuate', who: 'W-005', reason: 'trapped' },
];

/** Calls `work` with the address, a token with all scopes, ids, and `get`, which gives an answer's text. */
export async function withBusySandbox(folder, work) {
  const receiver = await openReceiver();
  const sandbox = await upSandbox(folder, ['--watches', '30', '--forward', `receiver.example=${receiver.url}`]);
  try {
    const { api_url: url, control_token, clients } = sandbox.ready;
    const [{ client_id, client_secret }] = clients;
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    const token = (await (await fetch(`${url}/v1/oauth/token`, { method: 'POST', body: form })).json()).access_token;
    const call = async (method, path, by, body) => {
      const headers = { authorization: `Bearer ${by}`, ...(body && { 'content-type': 'application/json' }) };
      const answer = await fetch(`${url}${path}`, { method, headers, body: body && JSON.stringify(body) });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${answer.status} ${text}`);
      return text;
    };
    const results = [];
    for (const happening of HAPPENINGS)
      results.push(JSON.parse(await call('POST', '/v1/sandbox/actions', control_token, happening)).result);
    // Nothing else happens, so that two readers read the same.
    await call('POST', '/v1/sandbox/clock', control_token, { pause: true });
    await call('POST', '/v1/webhooks', token, { url: 'https://receiver.example/hook', event_types: ['alert.*'] });
    const get = (path) => call('GET', path, token);
    const muster = results.find(({ muster_id }) => muster_id !== undefined).muster_id;
    const site = JSON.parse(await get(`/v1/musters/${muster}`)).site.id;
    return await work({
      url,
      token,
      credentials: { client_id, client_secret },
      site,
      alert: results[0].alert_id,
      muster,
      get,
    });
  } finally {
    await sandbox.stop();
    await receiver.close();
  }
}
