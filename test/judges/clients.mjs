/**
 * Three generators make clients of the document that `sandbox openapi` prints; each compiles strictly, and a program on it
 * narrows alerts and events by their type. Without the discriminated variants the same program must not compile.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';
import { generate } from 'orval';
import { BIN, inOwnFolder } from './sandbox.mjs';

const MODULES = join(import.meta.dirname, 'node_modules');

/** Writes what it generates into the folder, and answers where Alert and Event are imported from. */
const GENERATORS = {
  'openapi-typescript': async (document, folder) => {
    writeFileSync(join(folder, 'api.ts'), astToString(await openapiTS(document)));
    return `import type { components } from './api.js';
type Alert = components['schemas']['Alert'];
type Event = components['schemas']['Event'];`;
  },
  '@hey-api/openapi-ts': async (document, folder) => {
    const input = join(folder, 'openapi.json');
    writeFileSync(input, JSON.stringify(document));
    await createClient({
      input,
      output: { path: join(folder, 'api') },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent' },
    });
    return `import type { Alert, Event } from './api/types.gen.js';`;
  },
  orval: async (document, folder) => {
    const target = join(folder, 'openapi.json');
    writeFileSync(target, JSON.stringify(document));
    const output = { target: join(folder, 'api.ts'), schemas: join(folder, 'model'), client: 'fetch', mode: 'single' };
    await generate({ input: { target }, output: { ...output, indexFiles: true } }, folder);
    return `import type { Alert, Event } from './model/index.js';`;
  },
};

const PROGRAM = `
export function words(alert: Alert): string {
  switch (alert.type) {
    case 'sos': return alert.details.trigger;
    case 'fall_detected': return String(alert.details.escalated_to_sos);
    case 'permit_expired_inside': return alert.details.permit_reference ?? 'none';
    case 'low_battery': return alert.details.battery_pct.toFixed();
    case 'earthquake': return String(alert.details.magnitude?.toFixed());
    default: return alert.title;
  }
}
export const of = (event: Event): string =>
  event.type === 'muster.started' ? event.data.muster.kind : event.type === 'alert.created' ? words(event.data.alert) : event.id;
`;

const compilerOptions = {
  ...{ strict: true, noEmit: true, skipLibCheck: false, types: [] },
  ...{ target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'], module: 'esnext', moduleResolution: 'bundler' },
};

/** The alert and the event as they were: one object, with a union of details that nothing tells apart. */
function withoutVariants(document) {
  const { schemas } = document.components;
  const named = ({ $ref }) => schemas[$ref.split('/').at(-1)];
  const merged = (name, key) => {
    const variants = schemas[name].oneOf.map(named);
    const type = { type: 'string', enum: Object.keys(schemas[name].discriminator.mapping) };
    const anyOf = variants.map((variant) => variant.properties[key]);
    return { ...variants[0], properties: { ...variants[0].properties, type, [key]: { anyOf } } };
  };
  const spoilt = { Alert: merged('Alert', 'details'), Event: merged('Event', 'data') };
  return { ...document, components: { ...document.components, schemas: { ...schemas, ...spoilt } } };
}

const contract = JSON.parse(execFileSync(process.execPath, [BIN, 'openapi'], { maxBuffer: 64 * 1024 * 1024 }));

await inOwnFolder(async (folder) => {
  symlinkSync(MODULES, join(folder, 'node_modules'));
  for (const [name, make] of Object.entries(GENERATORS)) {
    const compiled = async (which, document) => {
      const place = join(folder, name.replace(/\W/g, '-'), which);
      mkdirSync(place, { recursive: true });
      const imports = await make(structuredClone(document), place);
      writeFileSync(join(place, 'program.ts'), `${imports}\n${PROGRAM}`);
      writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
      const tsc = join(MODULES, 'typescript/bin/tsc');
      return spawnSync(process.execPath, [tsc, '-p', place], { encoding: 'utf8' });
    };
    const { status, stdout } = await compiled('variants', contract);
    const spoilt = await compiled('merged', withoutVariants(contract));
    if (status !== 0) console.log(stdout);
    if (spoilt.status === 0) console.log(`${name}: narrows also without the variants, so this judge sees nothing`);
    console.log(`${name}: ${status === 0 ? 'compiles and narrows' : 'does not compile'}`);
    if (status !== 0 || spoilt.status === 0) process.exitCode = 1;
  }
});
