/** `npm run faults`: what the sandbox promises, while things break around it. `--brief` as in CI; `--only F1,F4`. Exit code 1 where a promise is broken. */
import { parseArgs } from 'node:util';
import { sentenceOf } from '../helpers/needs.ts';
import { BROKER_CLAIMS } from './broker-claim.ts';
import { CLOCKS_AND_NAMES } from './clocks-and-names.ts';
import { CRASHES } from './crashes.ts';
import { DISKS } from './disk.ts';
import type { Extent, Fault } from './harness.ts';
import { NODES } from './nodes.ts';
import { RECEIVERS } from './receivers.ts';

const FAULTS: readonly Fault[] = [
  ...CRASHES,
  ...DISKS,
  ...RECEIVERS,
  ...CLOCKS_AND_NAMES,
  ...NODES,
  ...BROKER_CLAIMS,
].sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));

const { values } = parseArgs({ options: { brief: { type: 'boolean' }, only: { type: 'string' } } });
const extent: Extent = values.brief === true ? 'brief' : 'whole';
const only = values.only?.split(',');
const unknown = only?.filter((id) => !FAULTS.some((fault) => fault.id === id)) ?? [];
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. There are ${FAULTS.map(({ id }) => id).join(', ')}.`);
  process.exit(2);
}

/** Most faults wait more than they work. Their figures of time are for a machine without other work: `--brief` prints them, and judges what must hold. */
const LANES = extent === 'brief' ? 3 : 1;

let [passed, failed, missing] = [0, 0, 0];

async function tryOut(fault: Fault): Promise<void> {
  const why = fault.missing?.() ?? null;
  if (why !== null) {
    missing += 1;
    console.log(`${fault.id.padEnd(4)} not tried  ${fault.title}: ${sentenceOf(why)}`);
    return;
  }
  const startedAt = performance.now();
  const { figures, broken, slow } = await fault.run(extent).catch((error: Error) => ({
    figures: {},
    broken: [`the fault could not be played: ${error.stack}`],
    slow: [],
  }));
  const tookS = ((performance.now() - startedAt) / 1_000).toFixed(1);
  if (broken.length === 0) passed += 1;
  else failed += 1;
  const texts = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  console.log(
    [
      `${fault.id.padEnd(4)} ${broken.length === 0 ? 'held  ' : 'BROKEN'}  ${fault.title}  (${tookS} s)`,
      `     ${texts.join(' · ')}`,
      ...broken.map((sentence) => `     - ${sentence}`),
      ...slow.map((sentence) => `     over its limit, on this machine and now: ${sentence}`),
    ].join('\n'),
  );
}

const isWanted = ({ id, wholeOnly = false }: Fault) => only?.includes(id) ?? !(wholeOnly && extent === 'brief');
const waiting = FAULTS.filter(isWanted);
await Promise.all(
  Array.from({ length: LANES }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await tryOut(next);
  }),
);
console.log(`${passed} held, ${failed} broken, ${missing} not tried`);
process.exit(failed === 0 ? 0 : 1);
