/** Generators of TypeScript from the npm registry: which versions of OpenAPI they read, and how to call them. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';
import openapiTS5 from 'openapi-typescript-5';
import { generate as generateOrval } from 'orval';
import { generateApi } from 'swagger-typescript-api';
import { BIN } from './sandbox.mjs';

export const MODULES = join(import.meta.dirname, 'node_modules');

/** What `sandbox openapi` prints. */
export const printed = (...flags) =>
  JSON.parse(execFileSync(process.execPath, [BIN, 'openapi', ...flags], { maxBuffer: 64 * 1024 * 1024 }));

const BOTH = ['3.1', '3.0'];

const NAMES = ['Alert', 'Event', 'Problem'];
const ofComponents = NAMES.map((name) => `type ${name} = components['schemas']['${name}'];`).join('\n');

function written(document, folder) {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  return file;
}

/**
 * Not among them: openapi-typescript-codegen, which is no longer maintained, gives a variant with several words of the
 * discriminator the last of them alone.
 *
 * `make` writes what it generates into the folder, and answers where Alert, Event and Problem are imported from.
 */
export const GENERATORS = {
  'openapi-typescript': {
    reads: BOTH,
    make: async (document, folder) => {
      writeFileSync(join(folder, 'api.ts'), astToString(await openapiTS(document)));
      return `import type { components } from './api.js';\n${ofComponents}`;
    },
  },
  '@hey-api/openapi-ts': {
    reads: BOTH,
    make: async (document, folder) => {
      await createClient({
        input: written(document, folder),
        output: { path: join(folder, 'api') },
        plugins: ['@hey-api/typescript'],
        logs: { level: 'silent' },
      });
      return `import type { ${NAMES} } from './api/types.gen.js';`;
    },
  },
  orval: {
    reads: BOTH,
    make: async (document, folder) => {
      const place = { target: join(folder, 'api.ts'), schemas: join(folder, 'model') };
      const output = { ...place, client: 'fetch', mode: 'single', indexFiles: true };
      await generateOrval({ input: { target: written(document, folder) }, output }, folder);
      return `import type { ${NAMES} } from './model/index.js';`;
    },
  },
  'openapi-typescript 5': {
    reads: ['3.0'],
    make: async (document, folder) => {
      writeFileSync(join(folder, 'api.ts'), await openapiTS5(document));
      return `import type { components } from './api.js';\n${ofComponents}`;
    },
  },
  'swagger-typescript-api': {
    reads: ['3.0'],
    make: async (document, folder) => {
      // Its enumerations are types of their own, which are never equal to the words of a discriminator.
      const options = { generateUnionEnums: true, silent: true };
      await generateApi({ fileName: 'api.ts', output: folder, spec: document, ...options });
      return `import type { ${NAMES} } from './api.js';`;
    },
  },
  'openapi-zod-client': {
    reads: ['3.0'],
    make: async (document, folder) => {
      const bin = join(MODULES, 'openapi-zod-client/bin.js');
      const flags = ['-o', join(folder, 'api.ts'), '--strict-objects', '--export-schemas'];
      execFileSync(process.execPath, [bin, written(document, folder), ...flags], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const types = NAMES.map((name) => `type ${name} = z.infer<typeof schemas.${name}>;`);
      return ["import type { z } from 'zod';", "import type { schemas } from './api.js';", ...types].join('\n');
    },
  },
};
