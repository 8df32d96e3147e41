/** Measures what the shipped scenarios offer, and writes src/cli/coverage/offers.json: `node --import tsx test/scenario/write-offers.ts`. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { shippedScenarios } from './coverage.ts';
import { offeredBy } from './offers.ts';

const rows: string[] = [];
for (const { name } of shippedScenarios())
  rows.push(`  ${JSON.stringify(name)}: ${JSON.stringify(await offeredBy(name))}`);
writeFileSync(resolve(import.meta.dirname, '../../src/cli/coverage/offers.json'), `{\n${rows.join(',\n')}\n}\n`);
process.exit();
