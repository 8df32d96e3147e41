/** A sandbox in a process of its own with a given number of watches connected; reports its memory. */
import { startSandbox } from '../src/sandbox/start.ts';

const [count = '9', fleet = 'fleet'] = process.argv.slice(2);

const begun = performance.now();
const sandbox = await startSandbox({
  memory: true,
  dataDir: '.bench',
  port: 0,
  mqttPort: 0,
  seed: '1',
  watches: Number(count),
  fleet: fleet === 'fleet',
});
const bootMs = performance.now() - begun;
const cpu = process.cpuUsage();
await new Promise((done) => setTimeout(done, 5_000));
const { user, system } = process.cpuUsage(cpu);
for (let round = 0; round < 3; round++) {
  globalThis.gc?.();
  await new Promise((done) => setTimeout(done, 200));
}
const { rss, heapUsed, external } = process.memoryUsage();
const connected = sandbox.fleet?.views().filter((watch) => watch.connected).length ?? 0;
console.log(JSON.stringify({ bootMs, connected, rss, held: heapUsed + external, core: (user + system) / 5e6 }));
await sandbox.stop();
process.exit(0);
