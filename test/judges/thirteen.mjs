/**
 * One command that raises each of the thirteen alerts by its natural cause in the emulated world, and shows them as the API gives
 * them. The clock is advanced by a quarter of an hour, in which people walk, batteries fall and a silence grows long.
 */
import { inOwnFolder, upSandbox } from './sandbox.mjs';

const SITE = 'Terminal Puerto Alerce';

/** type -> what makes it happen: actions, one after the other; the watch, the rule and the clock do the rest. */
const CAUSES = {
  sos: [{ action: 'sos', who: 'W-001', with: 'watch_hardware_button' }],
  fall_detected: [{ action: 'fall', who: 'W-002', answers: 'ok' }],
  restricted_zone_entry: [{ action: 'move', who: 'W-012', to: 'Tank Farm', pace: 2 }],
  forbidden_zone_entry: [{ action: 'move', who: 'W-004', to: 'Flare Pad', pace: 2 }],
  permit_expired_inside: [
    { action: 'permit', who: 'W-005', zone: 'Tank Farm', is: 'open', reference: 'WP-901', until: '2m' },
    { action: 'enter', who: 'W-005', zone: 'Tank Farm' },
  ],
  permit_closed_inside: [
    { action: 'permit', who: 'W-006', zone: 'Tank Farm', is: 'open', reference: 'WP-902' },
    { action: 'enter', who: 'W-006', zone: 'Tank Farm' },
    { action: 'permit', who: 'W-006', zone: 'Tank Farm', is: 'closed', reference: 'WP-902' },
  ],
  heat_stress: [{ action: 'heat', site: SITE, temperature_c: 38, humidity_pct: 50 }],
  worker_call_request: [
    { action: 'signal', who: 'W-009', is: 'lost' },
    { action: 'call_request', who: 'W-009' },
    { action: 'signal', who: 'W-009', is: 'back' },
  ],
  device_offline: [{ action: 'signal', who: 'W-010', is: 'lost', kind: 'network' }],
  low_battery: [{ action: 'battery', who: 'W-011', pct: 23, drain: 600 }],
  earthquake: [{ action: 'hazard', kind: 'earthquake', site: SITE, magnitude: 7.1, distance_km: 80 }],
  tsunami_risk: [{ action: 'hazard', kind: 'tsunami_risk', site: SITE, magnitude: 7.1, distance_km: 80, eta: '40m' }],
  evacuation_help: [
    { action: 'start_muster', site: SITE, kind: 'tsunami', reason: 'Bulletin', by: 'Shift lead' },
    { action: 'cannot_evacuate', who: 'W-008', reason: 'trapped' },
  ],
};

await inOwnFolder(async (folder) => {
  const sandbox = await upSandbox(folder, []);
  try {
    const { api_url, control_token, clients } = sandbox.ready;
    const asControl = async (path, body) => {
      const answer = await fetch(`${api_url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${control_token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const told = await answer.json();
      console.log(`${answer.status} POST ${path} ${JSON.stringify(body)}`);
      if (!answer.ok) throw new Error(told.detail);
    };
    for (const body of Object.values(CAUSES).flat()) await asControl('/v1/sandbox/actions', body);
    await asControl('/v1/sandbox/clock', { advance: '15m' });
    const token = await tokenFor(api_url, clients[0]);
    const alerts = {};
    for (const type of Object.keys(CAUSES)) {
      const answer = await fetch(`${api_url}/v1/alerts?type=${type}&limit=1`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const [alert] = (await answer.json()).data;
      if (alert !== undefined) alerts[type] = alert;
    }
    const missing = Object.keys(CAUSES).filter((type) => alerts[type] === undefined);
    for (const type of Object.keys(CAUSES)) {
      const alert = alerts[type];
      if (alert === undefined) continue;
      console.log(`\n${alert.severity.padEnd(8)} ${alert.title}`);
      console.log(JSON.stringify(alert, null, process.argv.includes('--wide') ? 2 : 0));
    }
    console.log(
      `\nthirteen alerts: ${Object.keys(alerts).length} of 13${missing.length === 0 ? '' : `, not ${missing.join(', ')}`}`,
    );
    process.exitCode = missing.length === 0 ? 0 : 1;
  } finally {
    await sandbox.stop();
  }
});

async function tokenFor(url, { client_id, client_secret }) {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  return (await (await fetch(`${url}/v1/oauth/token`, { method: 'POST', body })).json()).access_token;
}
