/** A broker in a process of its own: bare aedes that takes everything, or the sandbox with its world and its disk. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { Aedes } from 'aedes';
import { idFrom } from '../src/base/ids.ts';
import { startSandbox } from '../src/sandbox/start.ts';

const [which = 'bare', count = '100'] = process.argv.slice(2);

async function bare() {
  const site = idFrom('bench', 'site');
  const watches = Array.from({ length: Number(count) }, (_, n) => ({ serial: `B-${n}`, key: 'key', site_id: site }));
  const aedes = await Aedes.createBroker({ authorizePublish: (_client, _packet, callback) => callback(null) });
  const server = createServer({ noDelay: true }, aedes.handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, watches, latitude: 37.2, longitude: -6.9, stop: async () => {} };
}

async function ours() {
  // As `sandbox up` does. Without it, V8 may allocate the objects of each message among the old ones, by chance.
  const flags = createRequire(import.meta.url)('../bin/v8-flags.js') as ReadonlyMap<string, readonly string[]>;
  for (const flag of flags.get('up') ?? []) setFlagsFromString(flag);
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'));
  const sandbox = await startSandbox({
    dataDir: join(folder, 'data'),
    port: 0,
    mqttPort: 0,
    fleet: false,
    seed: '1',
    watches: Math.max(110, Number(count)),
  });
  const [{ siteId } = { siteId: '' }] = sandbox.engine.world.all('device');
  const { origin } = sandbox.engine.world.need('site', siteId);
  return {
    port: Number(new URL(sandbox.ready.mqtt_url).port),
    watches: sandbox
      .watches()
      .filter(({ site_id }) => site_id === siteId)
      .slice(0, Number(count))
      .map(({ serial, key, site_id }) => ({ serial, key, site_id })),
    ...origin,
    stop: async () => {
      await sandbox.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const { stop, ...started } = await (which === 'bare' ? bare() : ours());
console.log(JSON.stringify(started));
let since = process.cpuUsage();
for await (const word of createInterface({ input: process.stdin })) {
  if (word === 'stop') break;
  const { user, system } = process.cpuUsage(since);
  since = process.cpuUsage();
  console.log(JSON.stringify({ cpuUs: user + system }));
}
await stop();
process.exit(0);
