/** Writes every generated file: `node --import tsx test/generated/write.ts`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { GENERATED_FILES } from './files.ts';

for (const [path, content] of Object.entries(GENERATED_FILES)) {
  const file = resolve(import.meta.dirname, '../..', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await content());
}
