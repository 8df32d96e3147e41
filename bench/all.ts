/** Every benchmark: ratios against a bare baseline measured in the same run, since machines are noisy. */
import { benchApi } from './api.ts';
import { benchBoot } from './boot.ts';
import { benchBroker } from './broker.ts';
import { benchCoverage } from './coverage.ts';
import { benchCrowdWalk } from './crowd-walk.ts';
import { benchDashboard } from './dashboard.ts';
import { benchDashboardSoak } from './dashboard-soak.ts';
import { benchDrill } from './drill.ts';
import { benchEvacuation } from './evacuation.ts';
import { benchExplore } from './explore.ts';
import { benchFallToWebhook } from './fall-to-webhook.ts';
import { benchFleetMemory } from './fleet-memory.ts';
import { benchGeofence } from './geofence.ts';
import { benchLockstep } from './lockstep.ts';
import { benchMemory } from './memory.ts';
import { benchMusters } from './musters.ts';
import { benchMutate } from './mutate.ts';
import { benchPanel } from './panel.ts';
import { benchPeople } from './people.ts';
import { benchRunProcess } from './run-process.ts';
import { benchScenarios } from './scenarios.ts';
import { beginBench, printBenchTable } from './table.ts';
import { benchTrack } from './track.ts';
import { benchWebhooks } from './webhooks.ts';

console.log(`Node ${process.versions.node}`);
const benches: Record<string, () => Promise<void> | void> = {
  boot: benchBoot,
  'fall-to-webhook': benchFallToWebhook,
  api: benchApi,
  coverage: benchCoverage,
  people: benchPeople,
  'crowd-walk': benchCrowdWalk,
  track: benchTrack,
  musters: benchMusters,
  geofence: benchGeofence,
  broker: benchBroker,
  memory: benchMemory,
  'fleet-memory': benchFleetMemory,
  evacuation: benchEvacuation,
  drill: benchDrill,
  lockstep: benchLockstep,
  scenarios: benchScenarios,
  'run-process': benchRunProcess,
  mutate: benchMutate,
  explore: benchExplore,
  dashboard: benchDashboard,
  panel: benchPanel,
  webhooks: benchWebhooks,
};
/** Only where it is named: half an hour. */
const long: Record<string, () => Promise<void>> = { 'dashboard-soak': benchDashboardSoak };
const names = process.argv.slice(2);
const all = { ...benches, ...long };
const unknown = names.filter((name) => !(name in all));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(all).join(', ')}.`);
  process.exit(2);
}
for (const [name, bench] of Object.entries(all)) {
  if (names.length === 0 ? name in long : !names.includes(name)) continue;
  beginBench(name);
  await bench();
}
printBenchTable();
process.exit(0);
