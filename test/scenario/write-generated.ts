/** Writes what is generated from the language and the stories: `node --import tsx test/scenario/write-generated.ts`. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { editorSchema } from '../../src/scenario/reference/editor-schema.ts';
import { coverageReadme } from './coverage.ts';

const ROOT = resolve(import.meta.dirname, '../..');

writeFileSync(resolve(ROOT, 'scenario.schema.json'), `${JSON.stringify(editorSchema(), null, 2)}\n`);
writeFileSync(resolve(ROOT, 'scenarios/README.md'), coverageReadme());
