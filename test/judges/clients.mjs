/**
 * Generators make clients of the documents that `sandbox openapi` prints, each of those that it reads; the result compiles
 * strictly, and a program on it narrows alerts and events by their type. Without the discriminated variants the same program
 * must not compile.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flat } from './closed.mjs';
import { GENERATORS, MODULES, printed } from './generators.mjs';
import { inOwnFolder } from './sandbox.mjs';

/** Also: a problem may have a code that no document lists, and what may be null must be looked at before it is used. */
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
export const isOver = ({ code }: Problem): boolean => code === 'rate_limited' || code === 'a_code_of_next_year';
// @ts-expect-error An alert of a whole site has no worker.
export const worker = (alert: Alert): string | null => alert.worker.external_id;
`;
const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  types: [],
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
};

/** The alert and the event as they were: one object, with a union of details that nothing tells apart. */
function withoutVariants(document) {
  const { schemas } = flat(document).components;
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

const tsc = join(MODULES, 'typescript/bin/tsc');

/** What the compiler says of the program on the client that the generator makes of the document; empty: it compiles. */
async function compiled(make, document, place) {
  mkdirSync(place, { recursive: true });
  const imports = await make(structuredClone(document), place);
  writeFileSync(join(place, 'program.ts'), `${imports}\n${PROGRAM}`);
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', place], { encoding: 'utf8' });
  return status === 0 ? '' : stdout;
}

const documents = { 3.1: printed(), '3.0': printed('--format', 'openapi-3.0') };

await inOwnFolder(async (folder) => {
  symlinkSync(MODULES, join(folder, 'node_modules'));
  for (const [name, { reads, make }] of Object.entries(GENERATORS))
    for (const version of reads) {
      const place = join(folder, `${name} ${version}`.replace(/\W/g, '-'));
      const complaints = await compiled(make, documents[version], join(place, 'variants'));
      const spoilt = await compiled(make, withoutVariants(documents[version]), join(place, 'merged'));
      if (complaints !== '') console.log(complaints);
      if (spoilt === '') console.log(`${name}: narrows also without the variants, so this judge sees nothing`);
      console.log(`${name}, OpenAPI ${version}: ${complaints === '' ? 'compiles and narrows' : 'does not compile'}`);
      if (complaints !== '' || spoilt === '') process.exitCode = 1;
    }
});
