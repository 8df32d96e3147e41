/** Writes what is generated from the language, the stories and the site files: `node --import tsx test/scenario/write-generated.ts`. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { editorSchema } from '../../src/scenario/reference/editor-schema.ts';
import { defaultPlants } from '../plant/read-default-plants.ts';
import { coverageReadme } from './coverage.ts';

const ROOT = resolve(import.meta.dirname, '../..');

writeFileSync(resolve(ROOT, 'scenario.schema.json'), `${JSON.stringify(editorSchema(), null, 2)}\n`);
writeFileSync(resolve(ROOT, 'scenarios/README.md'), coverageReadme());
writeFileSync(resolve(ROOT, 'src/plant/default-plants.json'), `${JSON.stringify(defaultPlants())}\n`);
