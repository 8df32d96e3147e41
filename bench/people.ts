/** What 10,000 people on three plants cost: to make, per simulated second at work and in a muster, and in memory for each. */
import { notice } from '../test/fleet/people/musters.ts';
import { peopledSites, START } from '../test/fleet/people/plants.ts';
import { measured } from './table.ts';

const WATCHES = 10_000;
const SECONDS = 1_800;

export function benchPeople(): void {
  globalThis.gc?.();
  const before = process.memoryUsage();
  const begun = performance.now();
  const sites = peopledSites('1', WATCHES);
  const madeMs = performance.now() - begun;
  // Paths are first looked for in the first minute.
  for (const { people } of sites) people.advanceTo(START + 60_000);
  const played = performance.now();
  for (const { people } of sites) people.advanceTo(START + 60_000 + SECONDS * 1_000);
  const tickMs = (performance.now() - played) / SECONDS;
  const alarm = START + 60_000 + SECONDS * 1_000;
  for (const site of sites) site.people.onMuster(notice(site), alarm);
  const alarmed = performance.now();
  let worstMs = 0;
  for (let second = 1; second <= SECONDS; second++) {
    const tick = performance.now();
    for (const { people } of sites) people.advanceTo(alarm + second * 1_000);
    worstMs = Math.max(worstMs, performance.now() - tick);
  }
  const musterMs = (performance.now() - alarmed) / SECONDS;
  globalThis.gc?.();
  const after = process.memoryUsage();
  const bytes = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  measured({
    what: `${WATCHES} people at work, a simulated second`,
    value: tickMs,
    unit: 'ms',
    aim: { of: 'value', most: 2 },
  });
  measured({ what: `${WATCHES} people in a muster, against at work`, value: musterMs, unit: 'ms', bare: tickMs });
  console.log(
    `${WATCHES} people: ${tickMs.toFixed(2)} ms per simulated second (${tickMs < 2 ? 'under' : 'OVER'} 2), in a muster ${musterMs.toFixed(2)} ms, ${(musterMs / tickMs).toFixed(2)} of that (the worst second ${worstMs.toFixed(0)} ms), made in ${madeMs.toFixed(0)} ms with their plan, ${(bytes / WATCHES / 1024).toFixed(1)} KB each with their plan`,
  );
}
