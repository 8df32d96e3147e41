/**
 * A muster on the site in `on_demand` mode, looked at before, during and after it; with and without names in the contract; with
 * and without `positions:read`; and an after-look at what a closed muster keeps. Prints what the API gives, and judges it.
 */
import { inOwnFolder, upSandbox } from './sandbox.mjs';

let surprises = 0;
const judge = (what, holds) => {
  console.log(`  ${holds ? 'as it should be' : 'SURPRISE'}: ${what}`);
  if (!holds) surprises += 1;
};

await inOwnFolder(async (folder) => {
  const sandbox = await upSandbox(folder, []);
  try {
    const { api_url, control_token, clients } = sandbox.ready;
    const call = async (method, path, token, body) => {
      const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
      const answer = await fetch(`${api_url}${path}`, { method, headers, body: body && JSON.stringify(body) });
      return { status: answer.status, body: await answer.json() };
    };
    const act = async (action, fields) => {
      const { status, body } = await call('POST', '/v1/sandbox/actions', control_token, { action, ...fields });
      console.log(`\n> ${action} ${JSON.stringify(fields)}  ${status}`);
      if (status !== 200) throw new Error(body.detail);
      return body.result;
    };
    const advance = async (span) => {
      console.log(`\n> ${span} later`);
      await call('POST', '/v1/sandbox/clock', control_token, { advance: span });
    };
    const tokenFor = async (scope) => {
      const { client_id, client_secret } = clients[0];
      const form = { grant_type: 'client_credentials', client_id, client_secret, ...(scope && { scope }) };
      const answer = await fetch(`${api_url}/v1/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
      return (await answer.json()).access_token;
    };
    const [wide, narrow] = [await tokenFor(), await tokenFor('musters:read')];
    const { data: sites } = (await call('GET', '/v1/sites', wide)).body;
    const site = sites.find(({ privacy_mode }) => privacy_mode === 'on_demand');
    console.log(`site ${site.name}, ${site.privacy_mode}`);
    const seen = async () => (await call('GET', `/v1/positions?site_id=${site.id}`, wide)).body.data.length;
    const look = async (id, token) => {
      const muster = (await call('GET', `/v1/musters/${id}`, token)).body;
      const { data } = (await call('GET', `/v1/musters/${id}/missing`, token)).body;
      console.log(`  ${muster.status}, ${muster.phase}: ${JSON.stringify(muster.totals)}; ${data.length} missing`);
      if (data[0] !== undefined) console.log(`  ${JSON.stringify(data[0])}`);
      return { muster, data };
    };
    const sum = ({ expected, ...parts }) => Object.values(parts).reduce((all, one) => all + (one ?? 0), 0) === expected;

    console.log('\nBefore');
    judge('nobody’s position is seen', (await seen()) === 0);

    const { muster_id: id } = await act('start_muster', {
      kind: 'general',
      site: site.name,
      reason: 'Gas',
      by: 'Shift lead',
    });
    await advance('40s');
    console.log('\nDuring, with names and positions:read');
    const open = await look(id, wide);
    judge('positions of the site are seen', (await seen()) > 0);
    judge('totals add up', sum(open.muster.totals));
    judge(
      'who is missing has a name and a place',
      open.data.every(({ worker }) => 'name' in worker) && open.data.some(({ location }) => location !== null),
    );
    console.log('\nDuring, without positions:read');
    const blind = await look(id, narrow);
    judge('the same totals', JSON.stringify(blind.muster.totals) === JSON.stringify(open.muster.totals));
    judge(
      'no place, and it says that there is one',
      blind.data.every(({ location }) => location === null) &&
        blind.data.some(({ location_withheld }) => location_withheld),
    );
    await act('contract', { company: clients[0].client_id, include_worker_names: false });
    console.log('\nDuring, without names in the contract');
    const nameless = await look(id, await tokenFor());
    judge(
      'nobody has a name',
      nameless.data.every(({ worker }) => !('name' in worker)),
    );
    judge('and the totals are the same', sum(nameless.muster.totals));
    await act('contract', { company: clients[0].client_id, include_worker_names: true });

    await advance('15m');
    console.log('\nA quarter of an hour later');
    const late = await look(id, wide);
    judge('more are safe than before', late.muster.totals.safe > open.muster.totals.safe);
    judge('totals add up', sum(late.muster.totals));
    const exclude = late.muster.assembly_points.find(({ count }) => count > 0);
    await act('exclude_point', { muster: id, point: exclude.id, reason: 'Smoke', by: 'Shift lead' });
    await advance('10s');
    console.log(`\nWithout ${exclude.name}`);
    const without = await look(id, wide);
    judge('its people are not safe', without.muster.totals.safe <= late.muster.totals.safe - exclude.count);
    judge('the revision has grown', without.muster.targets_revision > late.muster.targets_revision);
    await advance('25m');
    for (const { worker } of (await look(id, wide)).data)
      await act('mark_safe', { muster: id, who: worker.id, by: 'Shift lead' });
    await act('inspect', { muster: id, by: 'Shift lead' });
    await act('end_muster', { muster: id, outcome: 'completed', by: 'Shift lead' });

    console.log('\nAfter');
    const closed = await look(id, wide);
    judge(
      'expected and safe remain, the rest is null',
      closed.muster.totals.expected > 0 && closed.muster.totals.pending === null,
    );
    judge('nobody is missing any more', closed.data.length === 0);
    judge('and nobody’s position is seen', (await seen()) === 0);
    await advance('10m');
    const frozen = await look(id, wide);
    judge('a closed muster stays as it is', JSON.stringify(frozen.muster) === JSON.stringify(closed.muster));
  } finally {
    await sandbox.stop();
  }
  console.log(`\nmuster: ${surprises} surprises`);
  process.exitCode = surprises === 0 ? 0 : 1;
});
