/** The collections that `sandbox openapi --format` prints fit the schemas of Postman and Bruno, and newman runs Postman's against a sandbox. */
import { execFileSync } from 'node:child_process';
import bruno from '@usebruno/schema';
import newman from 'newman';
import postman from 'postman-collection';
import { BIN, inOwnFolder, openReceiver, upSandbox } from './sandbox.mjs';

const print = (...flags) =>
  JSON.parse(execFileSync(process.execPath, [BIN, 'openapi', ...flags], { maxBuffer: 64 * 1024 * 1024 }));

/** Bruno's schema wants what Bruno adds at its import: an id at each thing that has a name. */
function withIds(value) {
  if (Array.isArray(value)) return value.map(withIds);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, withIds(part)]);
  return { ...Object.fromEntries(entries), ...('name' in value ? { uid: 'a'.repeat(21) } : {}) };
}

const problems = [];
for (const part of [[], ['--sandbox']]) {
  const collection = new postman.Collection(print('--format', 'postman', ...part));
  let count = 0;
  collection.forEachItem((item) => {
    count += 1;
    if (!/^\{\{base_url\}\}\/v1\//.test(item.request.url.toString()))
      problems.push(`postman: ${item.name} has no address`);
  });
  if (count < 15) problems.push(`postman: only ${count} requests`);
  await bruno.collectionSchema
    .validate(withIds(print('--format', 'bruno', ...part)))
    .catch((error) => problems.push(`bruno: ${error.errors.join('; ')}`));
}

await inOwnFolder(async (folder) => {
  const receiver = await openReceiver();
  const sandbox = await upSandbox(folder, ['--watches', '12', '--forward', `receiver.example=${receiver.url}`]);
  try {
    const { api_url, control_token, clients } = sandbox.ready;
    const act = (body) =>
      fetch(`${api_url}/v1/sandbox/actions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${control_token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await act({ action: 'sos', who: 'W-001' });
    await act({ action: 'start_muster', site: 'Terminal Puerto Alerce', kind: 'general', by: 'Shift lead' });
    const [{ client_id, client_secret }] = clients;
    const collection = print('--format', 'postman', '--url', api_url);
    const envVar = Object.entries({ client_id, client_secret }).map(([key, value]) => ({ key, value }));
    const { run } = await new Promise((done, failed) =>
      newman.run({ collection, envVar }, (error, summary) => (error ? failed(error) : done(summary))),
    );
    for (const { item, response, requestError } of run.executions)
      if (requestError || response.code >= 300)
        problems.push(`newman: ${item.name}: ${requestError?.message ?? `${response.code} ${response.stream}`}`);
    console.log(`newman: ${run.executions.length} requests`);
  } finally {
    await sandbox.stop();
    await receiver.close();
  }
});

for (const problem of problems) console.log(`  ${problem}`);
console.log(`collections: ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
